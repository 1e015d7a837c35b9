#include "core/ops/reduce_call.h"

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/reduce_kernels.h"
#include "core/ops/copy.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

namespace stridescope::reduction {

void refuse(ErrorKind kind, const char* id, std::string message, std::string hint) {
    throwRefusal({kind, id, std::move(message), std::move(hint), {}});
}

void refuseDType(const char* kernel, DType dtype) {
    refuse(ErrorKind::Runtime, "RED-07",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
           "Convert to a dtype that has it first, with to().");
}

DimMask maskOf(const Tensor& t, const ReduceDims& dims) {
    const Index ndim = t.dim();
    if (dims.all()) return ndim >= 64 ? ~DimMask{0} : (DimMask{1} << ndim) - 1;
    DimMask mask = 0;
    for (const Index dim : dims.dims()) {
        const Index d = wrapDim(dim, ndim).valueOrThrow();
        const DimMask bit = DimMask{1} << d;
        if ((mask & bit) != 0)
            refuse(ErrorKind::Runtime, "RED-01",
                   "dim " + std::to_string(d) + " appears multiple times in the list of dims",
                   "Name every dim once; negative dims count from the end.");
        mask |= bit;
    }
    return ndim == 0 ? 0 : mask; // dim 0 of no dims is understood, but there is nothing to reduce
}

Index reducedCount(const Tensor& t, DimMask mask) {
    Index n = 1;
    for (std::size_t d = 0; d < t.shape().size(); ++d)
        if (isReduced(mask, d)) n *= t.shape()[d];
    return n;
}

Dims resultShape(const Dims& shape, DimMask mask, bool keepdim) {
    Dims result;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (!isReduced(mask, d))
            result.push_back(shape[d]);
        else if (keepdim)
            result.push_back(1);
    }
    return result;
}

Tensor newResult(const Tensor& t, DimMask mask, bool keepdim, DType dtype) {
    if (!keepdim && t.dim() < kMaxDims && mask + 1 == DimMask{1} << t.dim()) // every dim: one number
        return Tensor::over(
            Storage::allocate(itemSize(dtype), allocatorFor(t.device())), [] { return View{}; }, dtype);
    Dims shape = resultShape(t.shape(), mask, keepdim);
    Dims strides = elementwise::rowMajorStrides(shape);
    return elementwise::newResult(std::move(shape), std::move(strides), dtype, t.device());
}

void requireNonEmptyDims(const char* operation, const Tensor& t, DimMask mask) {
    for (std::size_t d = 0; d < t.shape().size(); ++d)
        if (isReduced(mask, d) && t.shape()[d] == 0)
            refuse(ErrorKind::Index, "RED-04",
                   std::string(operation) + ": Expected reduction dim " + std::to_string(d) + " to have non-zero size.",
                   "An empty dim has no such element.");
}

bool isShortRun(const Tensor& t, Index results) {
    constexpr Index kShort = 4096;
    const Index n = t.numel();
    return results == 1 && n > 0 && n <= kShort && elementwise::isPlain(t.view());
}

namespace {

/// The loop of the fold on a run, without a plan of loops: it takes less time than the plan.
bool foldShortRun(const Tensor& t, const FoldCall& call, const Tensor& out) {
    const bool isResult = call.op != FoldOp::LogSumExp && static_cast<std::size_t>(call.op) < cpu::kFoldOps;
    if (!t.device().isCpu() || call.finish != Finish::Convert || !isResult || !isShortRun(t, out.numel()) ||
        t.dtype() != call.via || t.dtype() == DType::Float16 || isComplex(call.via))
        return false;
    const DType from = cpu::accumulatorType(call.op, call.via);
    const auto size = static_cast<Index>(out.itemSize()), accumulator = static_cast<Index>(itemSize(from));
    const cpu::FoldLoops& loops = cpu::isa().reduce.fold[static_cast<std::size_t>(call.op)][cpu::indexOf(call.via)];
    alignas(64) std::byte total[64];
    loops.clear(total, 1);
    loops.row(total, t.storage()->data() + t.storageOffset() * static_cast<Index>(t.itemSize()), t.numel(),
              call.parameter);
    cpu::isa().convert[cpu::indexOf(from)][cpu::indexOf(out.dtype())](out.storage()->data(), 0, size, total, 0,
                                                                      accumulator, 1, 1);
    return true;
}

} // namespace

void foldInto(const Tensor& t, DimMask mask, const FoldCall& call, const Tensor& out, const Tensor& means) {
    if (foldShortRun(t, call, out) || out.numel() == 0) return;
    FoldArgs args;
    args.in = elementwise::stridedOf(t);
    args.mask = mask;
    args.op = call.op;
    args.via = call.via;
    args.parameter = call.parameter;
    args.finish = call.finish;
    args.number = call.number;
    args.out = elementwise::stridedOf(out).first();
    args.means = means.defined() ? elementwise::stridedOf(means).first() : nullptr;
    args.outType = out.dtype();
    elementwise::require(kernelTable(t.device()).fold, "reduce", t)(args);
}

bool repeatsResults(const Tensor& t, DimMask mask) {
    const View& view = t.view();
    for (std::size_t d = 0; d < view.shape.size(); ++d)
        if (!isReduced(mask, d) && view.stride[d] == 0 && view.shape[d] > 1) return true;
    return false;
}

Tensor withoutRepeats(const Tensor& t, DimMask mask) {
    View view = t.view();
    for (std::size_t d = 0; d < view.shape.size(); ++d)
        if (!isReduced(mask, d) && view.stride[d] == 0 && view.shape[d] > 1) view.shape[d] = 1;
    return t.withView(std::move(view));
}

Tensor repeated(const Tensor& result, const Dims& shape) {
    return contiguous(expand(result, shape));
}

void requireOutput(const char* operation, const Tensor& out) {
    elementwise::requireWritable(out, operation);
    elementwise::requireNoSelfOverlap(out, nullptr);
}

void writeOutput(const Tensor& out, const Tensor& result) {
    if (!(out.shape() == result.shape())) elementwise::throwOutputShape(out.shape(), result.shape());
    copy_(out, result);
}

std::string joined(std::string text, const std::string& more) {
    if (!text.empty() && !more.empty()) text += ", ";
    return text + more;
}

std::string argumentsText(const ReduceDims& dims, bool keepdim, std::optional<DType> dtype) {
    std::string text;
    if (!dims.all()) text = dims.isSingle() ? std::to_string(dims.dims()[0]) : code::tuple(dims.dims());
    if (keepdim) text = joined(std::move(text), "keepdim=True");
    if (dtype) text = joined(std::move(text), "dtype=" + code::dtypeText(*dtype));
    return text;
}

} // namespace stridescope::reduction
