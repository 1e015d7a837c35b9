#include "core/ops/copy.h"

#include "core/ops/complex.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/promotion.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/trace/warning.h"
#include "core/view/broadcast.h"

#include <cmath>
#include <limits>

namespace stridescope {

namespace {

constinit thread_local bool t_nonBlocking = false;

using elementwise::Alias;
using elementwise::requireDefined;

void fillElements(const Tensor& dst, Scalar value);

/// Copies between views of equal (or broadcast) shape on one device. Precondition: dst has elements.
void copyOnDevice(const Tensor& dst, const Tensor& src, bool checkOverlap) {
    ElementwiseArgs args;
    args.dtype = {dst.dtype(), src.dtype()};
    args.compute = dst.dtype();
    const LoopOperand operands[] = {elementwise::operandOf(dst), elementwise::operandOf(src)};
    if (dst.shape() == src.shape() && dst.isContiguous() && src.isContiguous())
        buildFlatLoopSpace(args.space, dst.numel(), operands);
    else
        buildLoopSpace(args.space, dst.shape(), operands);
    if (checkOverlap) elementwise::requireNoSelfOverlap(dst, &args.space);
    elementwise::call(kernelTable(dst.device()).copy, args, "copy_", dst.device());
}

Tensor rowMajorResult(const Tensor& like, DType dtype, Device device) {
    return elementwise::newResult(like.shape(), elementwise::rowMajorStrides(like.shape()), dtype, device);
}

void copyBytes(const Tensor& dst, const Tensor& src) {
    const auto bytes = static_cast<std::size_t>(dst.nbytes());
    void* to = dst.storage()->data() + dst.storageOffset() * static_cast<Index>(dst.itemSize());
    const void* from = src.storage()->data() + src.storageOffset() * static_cast<Index>(src.itemSize());
    if (src.device().isCpu())
        backendFor(dst.device()).copyFromHost(dst.device(), to, from, bytes, t_nonBlocking);
    else if (dst.device().isCpu())
        backendFor(src.device()).copyToHost(src.device(), to, from, bytes, t_nonBlocking);
    else
        backendFor(dst.device()).copyBetween(dst.device(), to, src.device(), from, bytes);
}

/// Only plain runs of bytes cross devices: gaps, order and dtype are dealt with on either side.
void copyAcrossDevices(const Tensor& dst, const Tensor& src) {
    Tensor from = src;
    if (!src.isContiguous() || src.dtype() != dst.dtype()) {
        from = rowMajorResult(src, dst.dtype(), src.device());
        copyOnDevice(from, src, false);
    }
    if (dst.isContiguous() && dst.shape() == from.shape()) {
        copyBytes(dst, from);
        return;
    }
    const Tensor arrived = rowMajorResult(from, from.dtype(), dst.device());
    copyBytes(arrived, from);
    copyOnDevice(dst, arrived, true);
}

void copyElements(const Tensor& dst, const Tensor& src, bool freshDst);

/// Complex elements are two real ones each: copies between them are copies of their parts.
void copyComplex(const Tensor& dst, const Tensor& src, bool freshDst) {
    using complexops::part;
    if (!isComplex(dst.dtype())) {
        warn("Casting complex values to real discards the imaginary part");
        copyElements(dst, part(src, 0), freshDst);
    } else if (isComplex(src.dtype())) {
        copyElements(complexops::parts(dst), complexops::parts(src), freshDst);
    } else {
        copyElements(part(dst, 0), src, freshDst);
        fillElements(part(dst, 1), Scalar(0));
    }
}

/// Precondition: src broadcasts to dst's shape, dst is written to by nobody else.
void copyElements(const Tensor& dst, const Tensor& src, bool freshDst) {
    if (dst.numel() == 0) return;
    if (isComplex(dst.dtype()) || isComplex(src.dtype())) return copyComplex(dst, src, freshDst);
    if (dst.device() != src.device()) {
        copyAcrossDevices(dst, src);
        return;
    }
    const Alias alias = freshDst ? Alias::Apart : elementwise::aliasOf(dst, src);
    if (alias == Alias::Same && dst.dtype() == src.dtype()) return;
    if (alias != Alias::Partial) {
        copyOnDevice(dst, src, !freshDst);
        return;
    }
    elementwise::requireNoSelfOverlap(dst, nullptr); // before the intermediate copy is made
    if (elementwise::isPlainPartialOverlap(dst, src)) elementwise::throwPartialOverlap("copy_", dst, src);
    const Tensor apart = rowMajorResult(src, src.dtype(), src.device());
    copyOnDevice(apart, src, false);
    copyOnDevice(dst, apart, false);
}

Tensor copiedPinned(const Tensor& t, Dims strides, DType dtype, Allocator& pinned) {
    const auto bytes = static_cast<std::size_t>(t.numel()) * itemSize(dtype);
    Tensor result = Tensor::over(
        Storage::allocate(bytes, pinned),
        [&] {
            return View{t.shape(), std::move(strides)};
        },
        dtype);
    copyElements(result, t, true);
    return result;
}

Tensor copied(const Tensor& t, Dims strides, DType dtype, Device device) {
    Allocator* const pinned =
        t_nonBlocking && device.isCpu() && !t.device().isCpu() ? backendFor(t.device()).pinnedAllocator() : nullptr;
    if (pinned) return copiedPinned(t, std::move(strides), dtype, *pinned);
    Tensor result = elementwise::newResult(t.shape(), std::move(strides), dtype, device);
    copyElements(result, t, true);
    return result;
}

Dims preservedStrides(const Tensor& t) {
    return elementwise::isPlain(t.view()) ? t.stride() : denseLike(t.view()).stride;
}

Dims stridesIn(const Tensor& t, MemoryFormat format) {
    if (format == MemoryFormat::Preserve) return preservedStrides(t);
    return formattedView(t.shape(), format).valueOrThrow().stride;
}

std::string formatText(MemoryFormat format) {
    return std::string("memory_format=") + codeText(format);
}

Tensor convertedTo(const Tensor& t, Device device, DType dtype, MemoryFormat format, const char* name,
                   std::string (*arguments)(Device, DType)) {
    requireDefined(t, name);
    const Observation observation;
    const bool ordered = format == MemoryFormat::Preserve || suggestedFormat(t.view()) == format;
    const bool same = t.dtype() == dtype && t.device() == device && ordered;
    Tensor result = same ? t : copied(t, stridesIn(t, format), dtype, device);
    if (observation)
        observation.publish(
            name, arguments(device, dtype) + (format == MemoryFormat::Preserve ? "" : ", " + formatText(format)), {&t},
            result, same ? OpEffect::Alias : OpEffect::Alloc,
            same ? Observation::Bytes{} : Observation::Bytes{t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

void fillElements(const Tensor& dst, Scalar value) {
    elementwise::requireWritable(dst, "fill_");
    elementwise::requireFits(value, dst.dtype());
    if (dst.numel() == 0) return;
    if (isComplex(dst.dtype())) {
        fillElements(complexops::part(dst, 0), Scalar(value.toDouble()));
        fillElements(complexops::part(dst, 1), Scalar(value.imag()));
        return;
    }
    const elementwise::Number number(value, dst.dtype());
    ElementwiseArgs args;
    args.dtype = {dst.dtype()};
    args.compute = dst.dtype();
    const LoopOperand operand = elementwise::operandOf(dst);
    if (dst.isContiguous())
        buildFlatLoopSpace(args.space, dst.numel(), {&operand, 1});
    else
        buildLoopSpace(args.space, dst.shape(), {&operand, 1});
    elementwise::require(kernelTable(dst.device()).fill, "fill_", dst)(args, number.bytes);
    dst.storage()->bumpVersion();
}

} // namespace

Tensor contiguous(const Tensor& t, MemoryFormat format) {
    requireDefined(t, "contiguous");
    const Observation observation;
    const bool same = isContiguous(t.view(), format);
    if (!same && format == MemoryFormat::Preserve)
        throwRefusal({ErrorKind::Runtime,
                      "FORMAT-03",
                      "preserve memory format is unsupported by the contiguous operator",
                      "clone() keeps the order of the dims in memory.",
                      {}});
    const bool plain = format == MemoryFormat::Contiguous;
    Tensor result =
        same ? t
             : copied(t, plain ? elementwise::rowMajorStrides(t.shape()) : stridesIn(t, format), t.dtype(), t.device());
    if (observation)
        observation.publish(
            "contiguous", plain ? "" : formatText(format), {&t}, result, same ? OpEffect::Alias : OpEffect::Alloc,
            same ? Observation::Bytes{} : Observation::Bytes{t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

Tensor clone(const Tensor& t, MemoryFormat format) {
    requireDefined(t, "clone");
    const Observation observation;
    Tensor result = copied(t, stridesIn(t, format), t.dtype(), t.device());
    if (observation)
        observation.publish("clone", format == MemoryFormat::Preserve ? "" : formatText(format), {&t}, result,
                            OpEffect::Alloc, {t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

const Tensor& copy_(const Tensor& dst, const Tensor& src) {
    requireDefined(dst, "copy_");
    requireDefined(src, "copy_");
    const Observation observation;
    if (dst.shape() != src.shape()) {
        const Dims shape = broadcastShapes(dst.shape(), src.shape()).valueOrThrow();
        if (shape != dst.shape()) elementwise::throwOutputShape(dst.shape(), shape);
    }
    elementwise::requireWritable(dst, "copy_");
    copyElements(dst, src, false);
    dst.storage()->bumpVersion();
    if (observation)
        observation.publish("copy_", "", {&dst, &src}, dst, OpEffect::InPlace, {src.nbytes(), dst.nbytes(), 0});
    return dst;
}

const Tensor& fill_(const Tensor& dst, Scalar value) {
    requireDefined(dst, "fill_");
    const Observation observation;
    fillElements(dst, value);
    if (observation)
        observation.publish("fill_", toString(value), {&dst}, dst, OpEffect::InPlace, {0, dst.nbytes(), 0});
    return dst;
}

const Tensor& fill_(const Tensor& dst, const Tensor& value) {
    requireDefined(dst, "fill_");
    requireDefined(value, "fill_");
    const Observation observation;
    if (value.dim() != 0)
        throwRefusal({ErrorKind::Runtime,
                      "FILL-02",
                      "fill_ only supports 0-dimension value tensor but got tensor with " +
                          std::to_string(value.dim()) + " dimensions.",
                      "Use copy_, which broadcasts.",
                      {}});
    fillElements(dst, item(value));
    if (observation)
        observation.publish("fill_", "", {&dst, &value}, dst, OpEffect::InPlace, {value.nbytes(), dst.nbytes(), 0});
    return dst;
}

const Tensor& zero_(const Tensor& dst) {
    requireDefined(dst, "zero_");
    const Observation observation;
    fillElements(dst, Scalar(0));
    if (observation) observation.publish("zero_", "", {&dst}, dst, OpEffect::InPlace, {0, dst.nbytes(), 0});
    return dst;
}

Tensor to(const Tensor& t, DType dtype) {
    return convertedTo(t, t.defined() ? t.device() : Device{}, dtype, MemoryFormat::Preserve, "to",
                       [](Device, DType d) { return code::dtypeText(d); });
}

Tensor to(const Tensor& t, Device device) {
    return convertedTo(t, device, t.dtype(), MemoryFormat::Preserve, "to",
                       [](Device d, DType) { return "'" + toString(d) + "'"; });
}

Tensor to(const Tensor& t, Device device, DType dtype, MemoryFormat format) {
    return convertedTo(t, device, dtype, format, "to",
                       [](Device d, DType type) { return "'" + toString(d) + "', " + code::dtypeText(type); });
}

NonBlockingCopies::NonBlockingCopies(bool wanted) : m_before(t_nonBlocking) {
    t_nonBlocking = wanted;
}
NonBlockingCopies::~NonBlockingCopies() {
    t_nonBlocking = m_before;
}

bool isPinned(const Tensor& t) {
    requireDefined(t, "is_pinned");
    return t.storage()->kind() == "pinned";
}

Tensor pinMemory(const Tensor& t) {
    requireDefined(t, "pin_memory");
    if (!t.device().isCpu())
        throwRefusal({ErrorKind::Device,
                      "DEV-12",
                      "cannot pin '" + toString(t.device()) + "' only dense CPU tensors can be pinned",
                      "It is memory of the host that copies to a device need not be waited for.",
                      {}});
    if (isPinned(t)) return t;
    Allocator* pinned = nullptr;
    for (const DeviceType type : {DeviceType::Cuda, DeviceType::Sim})
        if (Backend* backend = pinned ? nullptr : backendOf(type)) pinned = backend->pinnedAllocator();
    if (!pinned)
        throwRefusal({ErrorKind::Device,
                      "DEV-12",
                      "Cannot access accelerator device when none is available.",
                      "Only copies to a device gain from pinned memory.",
                      {}});
    const Observation observation;
    Tensor result = copiedPinned(t, preservedStrides(t), t.dtype(), *pinned);
    if (observation)
        observation.publish("pin_memory", "", {&t}, result, OpEffect::Alloc,
                            {t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

} // namespace stridescope
