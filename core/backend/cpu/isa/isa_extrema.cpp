// Smallest and largest elements, and where they are.
#include "core/backend/cpu/isa/isa_fold.h"

#include <limits>

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

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
        return foldLanes<Step, T>(p, n, worst<Max, Abs, T>());
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

/// A bool is compared as the byte that it is: 0 or 1.
using Ordered = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;

} // namespace

void fillExtrema(IsaTable& isa) {
    ReduceTable& table = isa.reduce;
    bindExtremum<false, false>(table, FoldOp::Min, Ordered{});
    bindExtremum<true, false>(table, FoldOp::Max, Ordered{});
    bindExtremum<false, true>(table, FoldOp::AbsMin, FloatTypes{});
    bindExtremum<true, true>(table, FoldOp::AbsMax, FloatTypes{});
    bindArg<false>(table, Ordered{});
    bindArg<true>(table, Ordered{});
    const std::size_t byte = indexOf(DType::UInt8), truth = indexOf(DType::Bool);
    for (const FoldOp op : {FoldOp::Min, FoldOp::Max})
        table.fold[static_cast<std::size_t>(op)][truth] = table.fold[static_cast<std::size_t>(op)][byte];
    for (auto& arg : table.arg) arg[truth] = arg[byte];
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
