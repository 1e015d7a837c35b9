// The fold of the kernel table: a plan of loops, the loops of the fold, and what is made of its accumulators.

#include "core/backend/cpu/complex_loops.h"
#include "core/backend/cpu/cpu_kernels.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/reduce_kernels.h"
#include "core/dtype/convert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope::cpu {

namespace {

const FoldLoops& loopsOf(FoldOp op, DType via) {
    const DType work = via == DType::Float16 ? DType::Float32 : via;
    if (op == FoldOp::PowerSum) return powerSumLoops(work);
    return isa().reduce.fold[static_cast<std::size_t>(op)][indexOf(work)];
}

/// The fold with what `take` does with its accumulators; neutral ones where there is nothing to fold.
template <class Take>
void foldWith(const FoldArgs& args, const Take& take) {
    const FoldLoops& loops = loopsOf(args.op, args.via);
    Index results = 1;
    bool empty = false;
    for (std::size_t d = 0; d < args.in.view.shape.size(); ++d) {
        if (args.mask >> d & 1)
            empty |= args.in.view.shape[d] == 0;
        else
            results *= args.in.view.shape[d];
    }
    if (results == 0) return;
    if (empty) {
        alignas(64) std::byte accumulator[64];
        loops.clear(accumulator, 1);
        for (Index i = 0; i < results; ++i) take(accumulator, 1, i, 1);
        return;
    }
    const ReduceSpace space =
        reduceSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.mask, ReduceOrder::Any);
    FoldPlan plan;
    plan.space = &space;
    plan.dtype = args.in.dtype;
    plan.via = args.via;
    plan.op = args.op;
    plan.loops = &loops;
    plan.parameter = args.parameter;
    plan.finish = finishWith(take);
    fold(plan);
}

void converted(const FoldArgs& args) {
    const DType from = accumulatorType(args.op, args.via);
    const auto convert = isa().convert[indexOf(from)][indexOf(args.outType)];
    const Index size = item(args.outType), accumulator = item(from);
    foldWith(args, [=, to = args.out](const void* accumulators, Index n, Index first, Index step) {
        convert(to + first * size, 0, step * size, accumulators, 0, accumulator, 1, n);
    });
}

/// Each accumulator of type A sent through `map` in double.
template <class A, class Map>
void mapped(const FoldArgs& args, Map map) {
    visitDType(args.outType, [&](auto tag) {
        using To = typename decltype(tag)::type;
        To* const to = reinterpret_cast<To*>(args.out);
        foldWith(args, [to, &map](const void* accumulators, Index n, Index first, Index step) {
            const auto* a = static_cast<const A*>(accumulators);
            for (Index i = 0; i < n; ++i) to[first + i * step] = convertValue<To>(static_cast<double>(map(a[i])));
        });
    });
}

void moments(const FoldArgs& args) {
    visitDType(args.outType, [&](auto tag) {
        using To = typename decltype(tag)::type;
        To* const spread = reinterpret_cast<To*>(args.out);
        To* const means = reinterpret_cast<To*>(args.means);
        const bool root = args.finish == Finish::Deviation;
        foldWith(args, [=, correction = args.number](const void* accumulators, Index n, Index first, Index step) {
            const auto* a = static_cast<const Moments*>(accumulators);
            for (Index i = 0; i < n; ++i) {
                const double variance = a[i].squares / std::max(a[i].count - correction, 0.0);
                spread[first + i * step] = convertValue<To>(root ? std::sqrt(variance) : variance);
                if (!means) continue;
                const double average = a[i].count == 0 ? std::numeric_limits<double>::quiet_NaN() : a[i].mean;
                means[first + i * step] = convertValue<To>(average);
            }
        });
    });
}

/// Products of complex numbers, along the innermost reduced dim: by runs where its elements are neighbours.
template <class T>
void complexProduct(const FoldArgs& args) {
    auto* const results = reinterpret_cast<Complex<T>*>(args.out);
    const View& view = args.in.view;
    if (view.numel() == 0) {
        Index kept = 1;
        for (std::size_t d = 0; d < view.shape.size(); ++d)
            if (!(args.mask >> d & 1)) kept *= view.shape[d];
        for (Index i = 0; i < kept; ++i) results[i] = {1, 0};
        return;
    }
    const ReduceSpace space =
        reduceSpace(view, args.in.base, itemSize(args.in.dtype), args.mask, ReduceOrder::RowMajor);
    const ReduceLevel& line = space.reducedLevel[0];
    const Index lines = space.reducedCount() / line.size;
    const auto product = isa().complex->product[sizeof(T) / sizeof(double)];
    constexpr Index kGathered = 256;
    Complex<T> gathered[kGathered];
    for (Index kept = 0; kept < space.keptCount(); ++kept) {
        const LevelOffsets at = offsetsAt(space.keptLevel, 0, space.kept, kept);
        Complex<double> total{1, 0};
        for (Index i = 0; i < lines; ++i) {
            const std::byte* p = space.in + at.in + offsetsAt(space.reducedLevel, 1, space.reduced, i).in;
            if (line.in == static_cast<Index>(sizeof(Complex<T>))) {
                product(total, p, line.size);
                continue;
            }
            for (Index done = 0; done < line.size; done += kGathered) {
                const Index n = std::min(kGathered, line.size - done);
                for (Index k = 0; k < n; ++k, p += line.in) gathered[k] = *reinterpret_cast<const Complex<T>*>(p);
                product(total, gathered, n);
            }
        }
        results[at.out] = {static_cast<T>(total.re), static_cast<T>(total.im)};
    }
}

} // namespace

DType accumulatorType(FoldOp op, DType via) {
    switch (op) {
    case FoldOp::NonZero:
        return DType::Int64;
    case FoldOp::All:
    case FoldOp::Any:
        return DType::Bool;
    case FoldOp::Min:
    case FoldOp::Max:
    case FoldOp::AbsMin:
    case FoldOp::AbsMax:
        return via == DType::Float16 ? DType::Float32 : via;
    default:
        return isFloating(via) ? DType::Float64 : DType::Int64;
    }
}

void foldKernel(const FoldArgs& args) {
    if (isComplex(args.via))
        return args.via == DType::Complex64 ? complexProduct<float>(args) : complexProduct<double>(args);
    if (args.op == FoldOp::Moments) return moments(args);
    if (args.op == FoldOp::LogSumExp)
        return mapped<ExpSum>(args, [](const ExpSum& a) { return a.most + std::log(a.sum); });
    switch (args.finish) {
    case Finish::Divide:
        return mapped<double>(args, [divisor = args.number](double x) { return x / divisor; });
    case Finish::Root:
        return mapped<double>(args, [](double x) { return std::sqrt(x); });
    case Finish::Power:
        return mapped<double>(args, [power = args.number](double x) { return std::pow(x, power); });
    default:
        return converted(args);
    }
}

void extremumKernel(const ExtremumArgs& args) {
    const ReduceSpace space =
        reduceSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.mask, ReduceOrder::RowMajor);
    ArgPlan plan;
    plan.space = &space;
    plan.dtype = args.in.dtype;
    plan.maximum = args.maximum;
    plan.values = args.values;
    plan.positions = args.positions;
    argExtremum(plan);
}

} // namespace stridescope::cpu
