// The fold of logsumexp. A block of elements first gives its greatest one, then the sum of the powers relative to it.

#include "core/backend/cpu/isa/isa_math_functions.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

/// What powers are relative to: infinities are not subtracted from each other. Relative to 0, that of infinity is
/// infinite and that of -infinity 0, as it should be.
STRIDESCOPE_INLINE double baseOf(double most) {
    return sizeOf(most) < __builtin_inf() ? most : 0.0;
}

STRIDESCOPE_INLINE void joinTo(ExpSum& a, const ExpSum& b) {
    const double most = b.most > a.most ? b.most : a.most, base = baseOf(most);
    const double kept = a.sum == 0 ? 0 : a.sum * expOf(a.most - base),
                 added = b.sum == 0 ? 0 : b.sum * expOf(b.most - base);
    a = {most, kept + added};
}

void clear(void* accumulators, Index n) {
    for (Index i = 0; i < n; ++i) static_cast<ExpSum*>(accumulators)[i] = {};
}
void join(void* accumulators, const void* others, Index n) {
    for (Index i = 0; i < n; ++i) joinTo(static_cast<ExpSum*>(accumulators)[i], static_cast<const ExpSum*>(others)[i]);
}

/// In 32 sums, whatever the width of a vector; NaN is no greatest element but gets into the sum.
template <class T>
void row(void* accumulator, const void* in, Index n, double) {
    constexpr Index kBlock = 2048, kLanes = 32;
    const auto* p = static_cast<const T*>(in);
    for (Index begin = 0; begin < n; begin += kBlock, p += kBlock) {
        const Index count = n - begin < kBlock ? n - begin : kBlock, whole = count / kLanes * kLanes;
        T most[kLanes];
        double sum[kLanes];
        for (Index l = 0; l < kLanes; ++l) {
            most[l] = -__builtin_inff();
            sum[l] = 0;
        }
        for (Index i = 0; i < whole; i += kLanes) {
            STRIDESCOPE_INDEPENDENT
            for (Index l = 0; l < kLanes; ++l) most[l] = p[i + l] > most[l] ? p[i + l] : most[l];
        }
        for (Index i = whole; i < count; ++i) most[0] = p[i] > most[0] ? p[i] : most[0];
        T greatest = most[0];
        for (Index l = 1; l < kLanes; ++l) greatest = most[l] > greatest ? most[l] : greatest;
        const double base = baseOf(static_cast<double>(greatest));
        for (Index i = 0; i < whole; i += kLanes) {
            STRIDESCOPE_INDEPENDENT
            for (Index l = 0; l < kLanes; ++l) sum[l] += expOf(static_cast<double>(p[i + l]) - base);
        }
        for (Index i = whole; i < count; ++i) sum[i - whole] += expOf(static_cast<double>(p[i]) - base);
        for (Index width = kLanes / 2; width > 0; width /= 2)
            for (Index l = 0; l < width; ++l) sum[l] += sum[l + width];
        joinTo(*static_cast<ExpSum*>(accumulator), {static_cast<double>(greatest), sum[0]});
    }
}

template <class T>
void columns(void* accumulators, const void* in, Index rowStride, Index rows, Index cols, double) {
    constexpr Index kCols = 256, kRows = 64;
    auto* const a = static_cast<ExpSum*>(accumulators);
    const auto* const first = static_cast<const std::byte*>(in);
    T most[kCols];
    double base[kCols], sum[kCols];
    for (Index c = 0; c < cols; c += kCols) {
        const Index width = cols - c < kCols ? cols - c : kCols;
        for (Index r0 = 0; r0 < rows; r0 += kRows) {
            const Index end = rows - r0 < kRows ? rows : r0 + kRows;
            for (Index j = 0; j < width; ++j) most[j] = -__builtin_inff();
            for (Index r = r0; r < end; ++r) {
                const T* const p = reinterpret_cast<const T*>(first + r * rowStride) + c;
                STRIDESCOPE_INDEPENDENT
                for (Index j = 0; j < width; ++j) most[j] = p[j] > most[j] ? p[j] : most[j];
            }
            for (Index j = 0; j < width; ++j) {
                base[j] = baseOf(static_cast<double>(most[j]));
                sum[j] = 0;
            }
            for (Index r = r0; r < end; ++r) {
                const T* const p = reinterpret_cast<const T*>(first + r * rowStride) + c;
                STRIDESCOPE_INDEPENDENT
                for (Index j = 0; j < width; ++j) sum[j] += expOf(static_cast<double>(p[j]) - base[j]);
            }
            for (Index j = 0; j < width; ++j) joinTo(a[c + j], {static_cast<double>(most[j]), sum[j]});
        }
    }
}

template <class T>
FoldLoops loops() {
    return {sizeof(ExpSum), clear, row<T>, columns<T>, join};
}

} // namespace

void fillExpSums(IsaTable& table) {
    auto& entry = table.reduce.fold[static_cast<std::size_t>(FoldOp::LogSumExp)];
    entry[indexOf(DType::Float32)] = loops<float>();
    entry[indexOf(DType::Float64)] = loops<double>();
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
