#pragma once
// Folds of a run and of rows, one set's vectors: what isa_reduce.cpp and isa_extrema.cpp have in common. Each of them
// has copies of its own.

#include "core/backend/cpu/isa/isa_common.h"

#include <utility>

namespace stridescope::cpu::STRIDESCOPE_ISA {

/// Called by fillReductions.
void fillExtrema(IsaTable& isa);

namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

/// A vector of kVectorBytes / sizeof(A) numbers, by the compilers' vector extension.
template <class A>
struct VectorOf {
    static constexpr int count = kVectorBytes / static_cast<int>(sizeof(A));
    typedef A type __attribute__((vector_size(kVectorBytes)));
};
template <class T, int N>
struct VectorOfCount {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};

/// A vector of accumulators from neighbouring elements.
template <class A, class T>
STRIDESCOPE_INLINE typename VectorOf<A>::type loadAs(const T* p) {
    using V = typename VectorOf<A>::type;
    // What convertvector becomes takes the elements apart and puts them together again.
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<A, double> && std::is_same_v<T, float>)
        return (V)_mm512_cvtps_pd(_mm256_loadu_ps(p));
    else
#elif defined(__AVX2__)
    if constexpr (std::is_same_v<A, double> && std::is_same_v<T, float>)
        return (V)_mm256_cvtps_pd(_mm_loadu_ps(p));
    else
#endif
    {
        typename VectorOfCount<T, VectorOf<A>::count>::type x;
        std::memcpy(&x, p, sizeof x);
        return __builtin_convertvector(x, V);
    }
}

constexpr Index kLanes = 32;

/// Folds a run of floats by `Step` in kLanes accumulators of type A, each started with `start`. `Ahead` asks for what
/// comes later; see Note [Asked for ahead].
template <bool Ahead, class Step, class A, class T, std::size_t... K>
STRIDESCOPE_INLINE A foldLanesOf(const T* p, Index n, A start, std::index_sequence<K...>) {
    using V = typename VectorOf<A>::type;
    constexpr int kWidth = VectorOf<A>::count;
    V lanes[sizeof...(K)];
    ((lanes[K] = V{} + start), ...);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        if constexpr (Ahead) askAhead(p + i, kLanes * static_cast<Index>(sizeof(T)));
        ((lanes[K] = Step::step(lanes[K], loadAs<A>(p + i + static_cast<Index>(K) * kWidth))), ...);
    }
    A single[kLanes];
    std::memcpy(single, lanes, sizeof single);
    for (Index l = 0; l < kLanes && i < n; ++i, ++l) single[l] = Step::step(single[l], static_cast<A>(p[i]));
    for (Index width = kLanes / 2; width > 0; width /= 2)
        for (Index l = 0; l < width; ++l) single[l] = Step::join(single[l], single[l + width]);
    return single[0];
}
template <class Step, class A, class T>
STRIDESCOPE_INLINE A foldLanes(const T* p, Index n, A start) {
    constexpr auto vectors = std::make_index_sequence<kLanes / VectorOf<A>::count>{};
    return isLongRun<T>(n) ? foldLanesOf<true, Step, A>(p, n, start, vectors)
                           : foldLanesOf<false, Step, A>(p, n, start, vectors);
}

template <class A, class Step, class T>
STRIDESCOPE_INLINE void foldColumnsOf(void* accumulators, const void* in, Index rowStride, Index rows, Index cols) {
    auto* const a = static_cast<A*>(accumulators);
    const auto* p = static_cast<const std::byte*>(in);
    const auto row = [&](Index r) { return reinterpret_cast<const Stored<T>*>(p + r * rowStride); };
    Index r = 0;
    for (; r + 4 <= rows; r += 4) {
        const auto *const p0 = row(r), *const p1 = row(r + 1), *const p2 = row(r + 2), *const p3 = row(r + 3);
        STRIDESCOPE_INDEPENDENT
        for (Index j = 0; j < cols; ++j) {
            A x = Step::step(a[j], static_cast<A>(Element<T>::load(p0[j])));
            x = Step::step(x, static_cast<A>(Element<T>::load(p1[j])));
            x = Step::step(x, static_cast<A>(Element<T>::load(p2[j])));
            a[j] = Step::step(x, static_cast<A>(Element<T>::load(p3[j])));
        }
    }
    for (; r < rows; ++r) {
        const auto* const p0 = row(r);
        STRIDESCOPE_INDEPENDENT
        for (Index j = 0; j < cols; ++j) a[j] = Step::step(a[j], static_cast<A>(Element<T>::load(p0[j])));
    }
}
template <class A, class Step, class T>
void foldColumns(void* accumulators, const void* in, Index rowStride, Index rows, Index cols, double) {
    foldColumnsOf<A, Step, T>(accumulators, in, rowStride, rows, cols);
}

} // namespace

} // namespace stridescope::cpu::STRIDESCOPE_ISA
