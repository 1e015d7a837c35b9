// Folds of runs and of rows. Note [One sum on all sets] Float sums go into 32 double accumulators, whatever the width
// of a vector, that are added in a fixed order: results are the same bits on every instruction set. Longer runs are
// halved until 4096 elements are left (pairwise summation), so that the error grows with the logarithm of the length.

#include "core/backend/cpu/isa/isa_fold.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

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

using Integers = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, bool>;
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
    bindTruth<true>(table, FoldOp::All, ComputeTypes{});
    bindTruth<false>(table, FoldOp::Any, ComputeTypes{});
    fillExtrema(isa);
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
