// The scans of the kernel table: along every line of a dim into a dense result.

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/line_walk.h"
#include "core/backend/cpu/reduce_kernels.h"
#include "core/storage/scratch.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace stridescope::cpu {

namespace {

/// Running sums or products of real elements converted to out's dtype. Strips of neighbouring lines go row by row
/// through memory; lines that are runs in input and result go one by one.
void runningFold(const ScanArgs& args) {
    const ReduceSpace space = lineSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.dim);
    const BlockLoader loader(args.in.dtype, args.outType);
    const ScanLoops& loops = isa().reduce.scan[args.op == ScanOp::Prod][indexOf(args.outType)];
    const ReduceLevel &kept = space.keptLevel[0], &line = space.reducedLevel[0];
    const Index size = item(args.outType), inItem = item(args.in.dtype);
    // Strips need neighbouring lines in the result.
    const bool strips = kept.size > 1 && kept.out == 1;
    const bool direct = loader.isDirect() && (strips ? kept.in : line.in) == inItem;
    constexpr Index kStrip = 2048;
    const Index strip = strips ? std::min<Index>(kept.size, direct ? kStrip : 256) : 1;
    const Index pieces = (kept.size + strip - 1) / strip, tasks = space.keptCount() / kept.size * pieces;
    std::byte* const results = args.out;
    const auto range = [&](Index begin, Index end) {
        alignas(64) std::byte accumulators[kStrip * 8];
        Buffer buffer, written;
        for (Index task = begin; task < end; ++task) {
            const LevelOffsets outer = offsetsAt(space.keptLevel, 1, space.kept, task / pieces);
            const Index first = task % pieces * strip, count = std::min(strip, kept.size - first);
            const std::byte* const in = space.in + outer.in + first * kept.in;
            std::byte* const to = results + (outer.out + first * kept.out) * size;
            loops.clear(accumulators, count);
            if (strips && direct) {
                loops.columns(accumulators, to, line.out * size, in, line.in, line.size, count);
            } else if (strips) {
                const Index rows = std::max<Index>(loader.most() / count, 1);
                for (Index r = 0; r < line.size; r += rows) {
                    const Index n = std::min(rows, line.size - r);
                    loader.load(buffer, in + r * line.in, line.in, kept.in, n, count);
                    loops.columns(accumulators, to + r * line.out * size, line.out * size, buffer.bytes, count * size,
                                  n, count);
                }
            } else {
                const bool whole = direct && line.out == 1;
                const Index atOnce = whole ? line.size : loader.most();
                for (Index i = 0; i < line.size; i += atOnce) {
                    const Index n = std::min(atOnce, line.size - i);
                    const std::byte* from = in + i * line.in;
                    if (!direct) {
                        loader.load(buffer, from, 0, line.in, 1, n);
                        from = buffer.bytes;
                    }
                    if (line.out == 1) {
                        loops.row(accumulators, to + i * size, from, n);
                        continue;
                    }
                    loops.row(accumulators, written.bytes, from, n);
                    isa().move[std::countr_zero(static_cast<unsigned>(size))](
                        to + i * line.out * size, 0, line.out * size, written.bytes, 0, size, 1, n);
                }
            }
        }
    };
    const Index perTask = std::max<Index>(line.size * strip, 1);
    if (args.in.view.numel() < kParallelThreshold)
        range(0, tasks);
    else
        parallelFor(0, tasks, (kParallelThreshold / 2 + perTask - 1) / perTask, range);
}

template <class T>
void complexProducts(const ScanArgs& args) {
    const ReduceSpace space = lineSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.dim);
    const ReduceLevel& line = space.reducedLevel[0];
    auto* const results = reinterpret_cast<Complex<T>*>(args.out);
    for (Index kept = 0; kept < space.keptCount(); ++kept) {
        const LevelOffsets at = offsetsAt(space.keptLevel, 0, space.kept, kept);
        Complex<double> product{1, 0};
        for (Index i = 0; i < line.size; ++i) {
            const auto x = *reinterpret_cast<const Complex<T>*>(space.in + at.in + i * line.in);
            const double re = x.re, im = x.im;
            product = {product.re * re - product.im * im, product.re * im + product.im * re};
            results[at.out + i * line.out] = {static_cast<T>(product.re), static_cast<T>(product.im)};
        }
    }
}

/// Calls `body(from, n, to)` with every line in the result's dtype and room for its result of the same type, which is
/// then put where it belongs.
template <class T, class Body>
void mapLines(const ScanArgs& args, const Body& body) {
    const ReduceSpace space = lineSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.dim);
    const Index step = space.reducedLevel[0].out;
    T* const results = reinterpret_cast<T*>(args.out);
    struct Each {
        const Body* body;
        T* results;
        Index step;
        Scratch<T> line;
        void operator()(const T* from, Index n, Index first) {
            if (step == 1) {
                (*body)(from, n, results + first);
                return;
            }
            line.resize(static_cast<std::size_t>(n));
            (*body)(from, n, line.data());
            for (Index i = 0; i < n; ++i) results[first + i * step] = line[static_cast<std::size_t>(i)];
        }
    };
    forEachLine<T>(space, BlockLoader(args.in.dtype, args.outType), Each{&body, results, step, {}});
}

/// In blocks that stay in the first-level cache.
template <class T>
void softmaxLine(const T* x, Index n, T* y, bool logarithm) {
    constexpr Index kBlock = 4096;
    const IsaTable& table = isa();
    const std::size_t type = indexOf(DTypeOf<T>::value);
    const FoldLoops& maximum = table.reduce.fold[static_cast<std::size_t>(FoldOp::Max)][type];
    const FoldLoops& sum = table.reduce.fold[static_cast<std::size_t>(FoldOp::Sum)][type];
    const BinaryLoop minus =
        table.binary[BinaryOps::indexOf<Sub>()][type][static_cast<std::size_t>(Lanes::VectorScalar)];
    const MathLoop power = table.math[MathOps::indexOf<Exp>()][type];
    T most{};
    maximum.clear(&most, 1);
    maximum.row(&most, x, n, 0);
    double total = 0;
    T powers[kBlock];
    for (Index i = 0; i < n; i += kBlock) {
        const Index count = std::min(kBlock, n - i);
        minus(y + i, x + i, &most, count);
        T* const to = logarithm ? powers : y + i;
        const void* const from = y + i;
        power(to, &from, 0, count, nullptr);
        sum.row(&total, to, count, 0);
    }
    const T last = static_cast<T>(logarithm ? std::log(total) : total);
    const BinaryLoop finish =
        logarithm ? minus
                  : table.binary[BinaryOps::indexOf<Div>()][type][static_cast<std::size_t>(Lanes::VectorScalar)];
    finish(y, y, &last, n);
}

void runningExtremum(const ScanArgs& args) {
    const ReduceSpace space = lineSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.dim);
    const Index step = space.reducedLevel[0].out;
    visitDType(args.in.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, Half>) {
            const auto each = [values = reinterpret_cast<T*>(args.out), positions = args.positions, step,
                               maximum = args.op == ScanOp::Max](const T* line, Index n, Index first) {
                T best = line[0];
                Index position = 0;
                for (Index i = 0; i < n; ++i) {
                    const T x = line[i];
                    if (x != x || (best == best && (maximum ? x >= best : x <= best))) {
                        best = x;
                        position = i;
                    }
                    values[first + i * step] = best;
                    positions[first + i * step] = position;
                }
            };
            forEachLine<T>(space, BlockLoader(args.in.dtype, args.in.dtype), each);
        }
    });
}

template <class T>
void logCumSumExpLine(const T* x, Index n, T* y) {
    double sum = -std::numeric_limits<double>::infinity(); // the logarithm so far
    for (Index i = 0; i < n; ++i) {
        const auto v = static_cast<double>(x[i]);
        const double low = v < sum ? v : sum, high = v < sum ? sum : v;
        if (v != v || sum != sum)
            sum = std::numeric_limits<double>::quiet_NaN();
        else if (std::isinf(low) && low == high)
            sum = low;
        else
            sum = high + std::log1p(std::exp(low - high));
        y[i] = static_cast<T>(sum);
    }
}

template <class T>
void mapFloatLines(const ScanArgs& args) {
    if (args.op == ScanOp::LogSumExp) return mapLines<T>(args, logCumSumExpLine<T>);
    const bool logarithm = args.op == ScanOp::LogSoftmax;
    mapLines<T>(args, [logarithm](const T* x, Index n, T* y) { softmaxLine(x, n, y, logarithm); });
}

} // namespace

void scanKernel(const ScanArgs& args) {
    switch (args.op) {
    case ScanOp::Sum:
    case ScanOp::Prod:
        if (!isComplex(args.outType)) return runningFold(args);
        return args.outType == DType::Complex64 ? complexProducts<float>(args) : complexProducts<double>(args);
    case ScanOp::Max:
    case ScanOp::Min:
        return runningExtremum(args);
    default:
        return args.outType == DType::Float64 ? mapFloatLines<double>(args) : mapFloatLines<float>(args);
    }
}

} // namespace stridescope::cpu
