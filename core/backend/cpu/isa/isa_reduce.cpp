// Folds of runs and of rows. Note [One sum on all sets] Float sums go into 32 double accumulators, whatever the width
// of a vector, that are added in a fixed order: results are the same bits on every instruction set. Longer runs are
// halved until 4096 elements are left (pairwise summation), so that the error grows with the logarithm of the length.

#include "core/backend/cpu/isa/isa_common.h"

#include <limits>
#include <utility>

namespace stridescope::cpu::STRIDESCOPE_ISA {

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

// Steps work on single numbers and on vectors alike. `x` is the element in the accumulator's type.
struct SumStep {
    static constexpr double neutral = 0;
    template <class A>
    STRIDESCOPE_INLINE static A step(A a, A x) {
        return a + x;
    }
    template <class A>
    STRIDESCOPE_INLINE static A join(A a, A b) {
        return a + b;
    }
};
struct ProdStep {
    static constexpr double neutral = 1;
    template <class A>
    STRIDESCOPE_INLINE static A step(A a, A x) {
        return a * x;
    }
    template <class A>
    STRIDESCOPE_INLINE static A join(A a, A b) {
        return a * b;
    }
};
struct NanSumStep : SumStep {
    template <class A>
    STRIDESCOPE_INLINE static A step(A a, A x) {
        return a + (x == x ? x : A{});
    }
};
struct AbsSumStep : SumStep {
    template <class A>
    STRIDESCOPE_INLINE static A step(A a, A x) {
        return a + (x < A{} ? -x : x);
    }
};
struct SquareSumStep : SumStep {
    template <class A>
    STRIDESCOPE_INLINE static A step(A a, A x) {
        return a + x * x;
    }
};

/// Two accumulators of the type itself give way to NaN, then to the larger or smaller.
template <bool Max, bool Abs>
struct ExtremumStep {
    template <class A>
    STRIDESCOPE_INLINE static A value(A x) {
        if constexpr (Abs)
            return x < A{} ? -x : x;
        else
            return x;
    }
    template <class A>
    STRIDESCOPE_INLINE static A join(A a, A x) {
        if constexpr (std::is_integral_v<A>)
            return Max ? (x > a ? x : a) : (x < a ? x : a);
        else if constexpr (Max)
            return ((x > a) | (x != x)) ? x : a;
        else
            return ((x < a) | (x != x)) ? x : a;
    }
    template <class A>
    STRIDESCOPE_INLINE static A step(A a, A x) {
        return join(a, value(x));
    }
};

constexpr Index kLanes = 32;

/// Folds a run of floats by `Step` in kLanes accumulators of type A, each started with `start`.
template <class Step, class A, class T, std::size_t... K>
STRIDESCOPE_INLINE A foldLanes(const T* p, Index n, A start, std::index_sequence<K...>) {
    using V = typename VectorOf<A>::type;
    constexpr int kWidth = VectorOf<A>::count;
    V lanes[sizeof...(K)];
    ((lanes[K] = V{} + start), ...);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        ((lanes[K] = Step::step(lanes[K], loadAs<A>(p + i + static_cast<Index>(K) * kWidth))), ...);
    }
    A single[kLanes];
    std::memcpy(single, lanes, sizeof single);
    for (Index l = 0; i < n; ++i, ++l) single[l] = Step::step(single[l], static_cast<A>(p[i]));
    for (Index width = kLanes / 2; width > 0; width /= 2)
        for (Index l = 0; l < width; ++l) single[l] = Step::join(single[l], single[l + width]);
    return single[0];
}
template <class Step, class A, class T>
A foldLanes(const T* p, Index n, A start) {
    return foldLanes<Step, A>(p, n, start, std::make_index_sequence<kLanes / VectorOf<A>::count>{});
}

constexpr Index kPairwiseBlock = 4096;

template <class Step, class T>
double foldPairwise(const T* p, Index n) {
    if (n <= kPairwiseBlock) return foldLanes<Step, double>(p, n, Step::neutral);
    const Index half = (n / 2 + kPairwiseBlock - 1) / kPairwiseBlock * kPairwiseBlock;
    const double first = foldPairwise<Step>(p, half); // first: memory is read forwards
    return Step::join(first, foldPairwise<Step>(p + half, n - half));
}

// --- Sums and products of floats ----------------------------------------------------------------------------------
template <class Step>
void clearDoubles(void* accumulators, Index n) {
    auto* const a = static_cast<double*>(accumulators);
    for (Index i = 0; i < n; ++i) a[i] = Step::neutral;
}
template <class Step>
void joinDoubles(void* accumulators, const void* others, Index n) {
    auto* const a = static_cast<double*>(accumulators);
    auto* const b = static_cast<const double*>(others);
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) a[i] = Step::join(a[i], b[i]);
}
template <class Step, class T>
void foldRowDouble(void* accumulator, const void* in, Index n, double) {
    auto* const a = static_cast<double*>(accumulator);
    *a = Step::join(*a, foldPairwise<Step>(static_cast<const T*>(in), n));
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

template <class Step, class... Ts>
void bindDoubles(ReduceTable& table, FoldOp op, TypeList<Ts...>) {
    ((table.fold[static_cast<std::size_t>(op)][indexOf(DTypeOf<Ts>::value)] = {sizeof(double), clearDoubles<Step>,
                                                                               foldRowDouble<Step, Ts>,
                                                                               foldColumns<double, Step, Ts>,
                                                                               joinDoubles<Step>}),
     ...);
}

// --- Sums and products of integers, counts ------------------------------------------------------------------------
struct CountStep : SumStep {};

template <class Step, class T>
STRIDESCOPE_INLINE std::uint64_t wholeOf(Stored<T> v) {
    if constexpr (std::is_same_v<Step, CountStep>)
        return v != Stored<T>(0);
    else
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(Element<T>::load(v)));
}
template <class Step, class T>
STRIDESCOPE_INLINE std::uint32_t narrowOf(Stored<T> v) {
    if constexpr (std::is_same_v<Step, CountStep>)
        return v != Stored<T>(0);
    else
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(Element<T>::load(v)));
}
template <class Step, class T>
void foldRowWhole(void* accumulator, const void* in, Index n, double) {
    const auto* const p = static_cast<const Stored<T>*>(in);
    auto total = static_cast<std::uint64_t>(Step::neutral);
    if constexpr (!std::is_same_v<Step, ProdStep> && (sizeof(T) <= 2 || std::is_same_v<Step, CountStep>)) {
        // 32 bits hold the sum of so many.
        constexpr Index kBlock = Index{1} << 15;
        for (Index begin = 0; begin < n; begin += kBlock) {
            const Index end = n - begin < kBlock ? n : begin + kBlock;
            std::uint32_t part = 0;
            for (Index i = begin; i < end; ++i) part += narrowOf<Step, T>(p[i]);
            if constexpr (std::is_same_v<Step, CountStep>)
                total += part;
            else
                total += static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(part)));
        }
    } else {
        for (Index i = 0; i < n; ++i) total = Step::step(total, wholeOf<Step, T>(p[i]));
    }
    auto* const a = static_cast<std::uint64_t*>(accumulator);
    *a = Step::join(*a, total);
}
template <class Step, class T>
void foldColumnsWhole(void* accumulators, const void* in, Index rowStride, Index rows, Index cols, double) {
    auto* const a = static_cast<std::uint64_t*>(accumulators);
    const auto* p = static_cast<const std::byte*>(in);
    for (Index r = 0; r < rows; ++r) {
        const auto* const row = reinterpret_cast<const Stored<T>*>(p + r * rowStride);
        STRIDESCOPE_INDEPENDENT
        for (Index j = 0; j < cols; ++j) a[j] = Step::step(a[j], wholeOf<Step, T>(row[j]));
    }
}
template <class Step>
void clearWhole(void* accumulators, Index n) {
    auto* const a = static_cast<std::uint64_t*>(accumulators);
    for (Index i = 0; i < n; ++i) a[i] = static_cast<std::uint64_t>(Step::neutral);
}
template <class Step>
void joinWhole(void* accumulators, const void* others, Index n) {
    auto* const a = static_cast<std::uint64_t*>(accumulators);
    auto* const b = static_cast<const std::uint64_t*>(others);
    for (Index i = 0; i < n; ++i) a[i] = Step::join(a[i], b[i]);
}
template <class Step, class... Ts>
void bindWhole(ReduceTable& table, FoldOp op, TypeList<Ts...>) {
    ((table.fold[static_cast<std::size_t>(op)][indexOf(DTypeOf<Ts>::value)] = {sizeof(std::int64_t), clearWhole<Step>,
                                                                               foldRowWhole<Step, Ts>,
                                                                               foldColumnsWhole<Step, Ts>,
                                                                               joinWhole<Step>}),
     ...);
}

// --- Moments ------------------------------------------------------------------------------------------------------
struct AboutStep : SumStep {}; // squared distances from a centre; see foldAbout

template <class T, std::size_t... K>
STRIDESCOPE_INLINE double foldAbout(const T* p, Index n, double centre, std::index_sequence<K...>) {
    using V = typename VectorOf<double>::type;
    constexpr int kWidth = VectorOf<double>::count;
    V lanes[sizeof...(K)];
    ((lanes[K] = V{}), ...);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        (
            [&] {
                const V d = loadAs<double>(p + i + static_cast<Index>(K) * kWidth) - centre;
                lanes[K] += d * d;
            }(),
            ...);
    }
    double single[kLanes];
    std::memcpy(single, lanes, sizeof single);
    for (Index l = 0; i < n; ++i, ++l) {
        const double d = static_cast<double>(p[i]) - centre;
        single[l] += d * d;
    }
    for (Index width = kLanes / 2; width > 0; width /= 2)
        for (Index l = 0; l < width; ++l) single[l] += single[l + width];
    return single[0];
}

void clearMoments(void* accumulators, Index n) {
    auto* const a = static_cast<Moments*>(accumulators);
    for (Index i = 0; i < n; ++i) a[i] = {};
}
void joinMoments(void* accumulators, const void* others, Index n) {
    auto* const a = static_cast<Moments*>(accumulators);
    auto* const b = static_cast<const Moments*>(others);
    for (Index i = 0; i < n; ++i) a[i].join(b[i]);
}
/// Blocks that stay in the first-level cache are read twice: their mean, then the squares about it.
template <class T>
void foldRowMoments(void* accumulator, const void* in, Index n, double) {
    constexpr Index kBlock = 2048;
    auto* const a = static_cast<Moments*>(accumulator);
    const T* p = static_cast<const T*>(in);
    for (Index begin = 0; begin < n; begin += kBlock) {
        const Index count = n - begin < kBlock ? n - begin : kBlock;
        const double mean = foldLanes<SumStep, double>(p + begin, count, 0.0) / static_cast<double>(count);
        const double squares =
            foldAbout(p + begin, count, mean, std::make_index_sequence<kLanes / VectorOf<double>::count>{});
        a->join({static_cast<double>(count), mean, squares});
    }
}
/// Sums and squares of the distances from the first row of a block: that loses at most the factor kRows of precision.
template <class T>
void foldColumnsMoments(void* accumulators, const void* in, Index rowStride, Index rows, Index cols, double) {
    constexpr Index kRows = 128, kCols = 512;
    auto* const a = static_cast<Moments*>(accumulators);
    const auto* const base = static_cast<const std::byte*>(in);
    double centre[kCols], sum[kCols], squares[kCols];
    for (Index c = 0; c < cols; c += kCols) {
        const Index width = cols - c < kCols ? cols - c : kCols;
        const auto row = [&](Index r) { return reinterpret_cast<const T*>(base + r * rowStride) + c; };
        for (Index first = 0; first < rows; first += kRows) {
            const Index count = rows - first < kRows ? rows - first : kRows;
            const T* const start = row(first);
            for (Index j = 0; j < width; ++j) {
                centre[j] = static_cast<double>(start[j]);
                // Not 0: the distance of an infinity from itself is NaN.
                sum[j] = centre[j] - centre[j];
                squares[j] = 0;
            }
            Index r = 1;
            for (; r + 2 <= count; r += 2) {
                const T *const p0 = row(first + r), *const p1 = row(first + r + 1);
                STRIDESCOPE_INDEPENDENT
                for (Index j = 0; j < width; ++j) {
                    const double d = static_cast<double>(p0[j]) - centre[j], e = static_cast<double>(p1[j]) - centre[j];
                    sum[j] += d + e;
                    squares[j] += d * d + e * e;
                }
            }
            if (r < count) {
                const T* const p0 = row(first + r);
                STRIDESCOPE_INDEPENDENT
                for (Index j = 0; j < width; ++j) {
                    const double d = static_cast<double>(p0[j]) - centre[j];
                    sum[j] += d;
                    squares[j] += d * d;
                }
            }
            const auto size = static_cast<double>(count);
            for (Index j = 0; j < width; ++j) {
                const double off = sum[j] / size, rest = squares[j] - sum[j] * off;
                a[c + j].join({size, centre[j] + off, rest < 0 ? 0 : rest});
            }
        }
    }
}

template <class... Ts>
void bindMoments(ReduceTable& table, TypeList<Ts...>) {
    ((table.fold[static_cast<std::size_t>(FoldOp::Moments)][indexOf(DTypeOf<Ts>::value)] =
          {sizeof(Moments), clearMoments, foldRowMoments<Ts>, foldColumnsMoments<Ts>, joinMoments}),
     ...);
}

// --- Extrema ------------------------------------------------------------------------------------------------------
template <bool Max, bool Abs, class T>
STRIDESCOPE_INLINE T worst() {
    if constexpr (Abs && Max)
        return T{};
    else if constexpr (std::is_floating_point_v<T>)
        return Max ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    else
        return Max ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}
template <bool Max, bool Abs, class T>
void clearExtremum(void* accumulators, Index n) {
    auto* const a = static_cast<T*>(accumulators);
    for (Index i = 0; i < n; ++i) a[i] = worst<Max, Abs, T>();
}
template <bool Max, bool Abs, class T>
void joinExtremum(void* accumulators, const void* others, Index n) {
    auto* const a = static_cast<T*>(accumulators);
    auto* const b = static_cast<const T*>(others);
    for (Index i = 0; i < n; ++i) a[i] = ExtremumStep<Max, Abs>::join(a[i], b[i]);
}
template <bool Max, bool Abs, class T>
STRIDESCOPE_INLINE T extremumOf(const T* p, Index n) {
    using Step = ExtremumStep<Max, Abs>;
    if constexpr (std::is_floating_point_v<T>) {
        return foldLanes<Step, T>(p, n, worst<Max, Abs, T>(), std::make_index_sequence<kLanes / VectorOf<T>::count>{});
    } else {
        T best = worst<Max, Abs, T>();
        for (Index i = 0; i < n; ++i) best = Step::join(best, p[i]);
        return best;
    }
}
template <bool Max, bool Abs, class T>
void foldRowExtremum(void* accumulator, const void* in, Index n, double) {
    auto* const a = static_cast<T*>(accumulator);
    *a = ExtremumStep<Max, Abs>::join(*a, extremumOf<Max, Abs>(static_cast<const T*>(in), n));
}
template <bool Max, bool Abs, class... Ts>
void bindExtremum(ReduceTable& table, FoldOp op, TypeList<Ts...>) {
    ((table.fold[static_cast<std::size_t>(op)][indexOf(DTypeOf<Ts>::value)] =
          {sizeof(Ts), clearExtremum<Max, Abs, Ts>, foldRowExtremum<Max, Abs, Ts>,
           foldColumns<Ts, ExtremumStep<Max, Abs>, Ts>, joinExtremum<Max, Abs, Ts>}),
     ...);
}

// --- All and any --------------------------------------------------------------------------------------------------
template <bool All>
void clearTruth(void* accumulators, Index n) {
    std::memset(accumulators, All ? 1 : 0, static_cast<std::size_t>(n));
}
template <bool All>
void joinTruth(void* accumulators, const void* others, Index n) {
    auto* const a = static_cast<std::uint8_t*>(accumulators);
    auto* const b = static_cast<const std::uint8_t*>(others);
    for (Index i = 0; i < n; ++i) a[i] = All ? a[i] & b[i] : a[i] | b[i];
}
/// Stops at the first block that decides.
template <bool All, class T>
void foldRowTruth(void* accumulator, const void* in, Index n, double) {
    constexpr Index kBlock = 1024;
    auto* const a = static_cast<std::uint8_t*>(accumulator);
    const auto* const p = static_cast<const Stored<T>*>(in);
    for (Index begin = 0; begin < n && *a == (All ? 1 : 0); begin += kBlock) {
        const Index end = n - begin < kBlock ? n : begin + kBlock;
        bool found = false; // an element that decides: 0 for all, anything else for any
        for (Index i = begin; i < end; ++i) found |= (p[i] == Stored<T>(0)) == All;
        if (found) *a = All ? 0 : 1;
    }
}
template <bool All, class T>
void foldColumnsTruth(void* accumulators, const void* in, Index rowStride, Index rows, Index cols, double) {
    auto* const a = static_cast<std::uint8_t*>(accumulators);
    const auto* p = static_cast<const std::byte*>(in);
    for (Index r = 0; r < rows; ++r) {
        const auto* const row = reinterpret_cast<const Stored<T>*>(p + r * rowStride);
        STRIDESCOPE_INDEPENDENT
        for (Index j = 0; j < cols; ++j) {
            const std::uint8_t truth = row[j] != Stored<T>(0);
            a[j] = All ? a[j] & truth : a[j] | truth;
        }
    }
}
template <bool All, class... Ts>
void bindTruth(ReduceTable& table, FoldOp op, TypeList<Ts...>) {
    ((table.fold[static_cast<std::size_t>(op)][indexOf(DTypeOf<Ts>::value)] =
          {1, clearTruth<All>, foldRowTruth<All, Ts>, foldColumnsTruth<All, Ts>, joinTruth<All>}),
     ...);
}

// --- Positions of extrema -----------------------------------------------------------------------------------------
template <bool Max, class T>
STRIDESCOPE_INLINE bool beats(T x, T best) {
    if constexpr (std::is_floating_point_v<T>)
        return (Max ? x > best : x < best) | ((x != x) & (best == best));
    else
        return Max ? x > best : x < best;
}
/// Position of the first element that `is` accepts; there is one.
template <class T, class Is>
STRIDESCOPE_INLINE Index firstOf(const T* p, Index n, Is is) {
    constexpr Index kAtOnce = 64;
    Index i = 0;
    for (; i + kAtOnce <= n; i += kAtOnce) {
        unsigned found = 0; // without a branch for each element
        for (Index k = 0; k < kAtOnce; ++k) found |= static_cast<unsigned>(is(p[i + k]));
        if (found != 0) break;
    }
    while (!is(p[i])) ++i;
    return i;
}

/// The best value of each short block first; only the block that wins is searched.
template <bool Max, class T>
Index argRow(void* bestValue, const void* in, Index n) {
    constexpr Index kBlock = 1024;
    const T* const p = static_cast<const T*>(in);
    T best = p[0];
    Index block = 0;
    for (Index begin = 0; begin < n; begin += kBlock) {
        const T x = extremumOf<Max, false>(p + begin, n - begin < kBlock ? n - begin : kBlock);
        if (!beats<Max>(x, best)) continue;
        best = x;
        block = begin;
    }
    *static_cast<T*>(bestValue) = best;
    if (best == best) return block + firstOf(p + block, n - block, [best](T x) { return x == best; });
    return block + firstOf(p + block, n - block, [](T x) { return x != x; });
}
template <bool Max, class T>
void argColumns(void* bestValues, std::int32_t* position, const void* in, Index rowStride, Index rows, Index cols,
                std::int32_t first) {
    auto* const best = static_cast<T*>(bestValues);
    const auto* p = static_cast<const std::byte*>(in);
    Index r = 0;
    if (first == 0) {
        std::memcpy(best, p, static_cast<std::size_t>(cols) * sizeof(T));
        for (Index j = 0; j < cols; ++j) position[j] = 0;
        r = 1;
    }
    for (; r < rows; ++r) {
        const T* const row = reinterpret_cast<const T*>(p + r * rowStride);
        const std::int32_t at = first + static_cast<std::int32_t>(r);
        STRIDESCOPE_INDEPENDENT
        for (Index j = 0; j < cols; ++j) {
            const T x = row[j], b = best[j];
            const bool take = beats<Max>(x, b);
            best[j] = take ? x : b;
            position[j] = take ? at : position[j];
        }
    }
}
template <bool Max, class... Ts>
void bindArg(ReduceTable& table, TypeList<Ts...>) {
    ((table.arg[Max][indexOf(DTypeOf<Ts>::value)] = {argRow<Max, Ts>, argColumns<Max, Ts>}), ...);
}

using Integers = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, bool>;
/// A bool is compared as the byte that it is: 0 or 1.
using Ordered = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;

} // namespace

void fillReductions(IsaTable& isa) {
    ReduceTable& table = isa.reduce;
    bindDoubles<SumStep>(table, FoldOp::Sum, FloatTypes{});
    bindDoubles<ProdStep>(table, FoldOp::Prod, FloatTypes{});
    bindDoubles<NanSumStep>(table, FoldOp::NanSum, FloatTypes{});
    bindDoubles<AbsSumStep>(table, FoldOp::AbsSum, FloatTypes{});
    bindDoubles<SquareSumStep>(table, FoldOp::SquareSum, FloatTypes{});
    bindWhole<SumStep>(table, FoldOp::Sum, Integers{});
    bindWhole<ProdStep>(table, FoldOp::Prod, Integers{});
    bindWhole<CountStep>(table, FoldOp::NonZero, ComputeTypes{});
    bindMoments(table, FloatTypes{});
    bindExtremum<false, false>(table, FoldOp::Min, Ordered{});
    bindExtremum<true, false>(table, FoldOp::Max, Ordered{});
    bindExtremum<false, true>(table, FoldOp::AbsMin, FloatTypes{});
    bindExtremum<true, true>(table, FoldOp::AbsMax, FloatTypes{});
    bindTruth<true>(table, FoldOp::All, ComputeTypes{});
    bindTruth<false>(table, FoldOp::Any, ComputeTypes{});
    bindArg<false>(table, Ordered{});
    bindArg<true>(table, Ordered{});
    const std::size_t byte = indexOf(DType::UInt8), truth = indexOf(DType::Bool);
    for (const FoldOp op : {FoldOp::Min, FoldOp::Max})
        table.fold[static_cast<std::size_t>(op)][truth] = table.fold[static_cast<std::size_t>(op)][byte];
    for (auto& arg : table.arg) arg[truth] = arg[byte];
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
