#include "core/ops/indexing_call.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/trace/warning.h"

#include <cstring>

namespace stridescope::indexing {

void refuse(ErrorKind kind, const char* id, std::string message, std::string hint, RefusalDetail detail) {
    throwRefusal({kind, id, std::move(message), std::move(hint), std::move(detail)});
}

void refuseIndex(ErrorKind kind, Index index, Index dim, Index size) {
    refuse(kind, "INDEX-01",
           "index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(dim) + " with size " +
               std::to_string(size),
           size == 0 ? "There is nothing to name in dim " + std::to_string(dim) + "."
                     : "Indices run from 0 to " + std::to_string(size - 1) + ".",
           IndexOutOfRange{dim, index, size});
}

void requireOneDevice(const char* operation, std::initializer_list<const Tensor*> tensors) {
    for (const Tensor* t : tensors) elementwise::requireDefined(*t, operation);
    const Tensor& first = **tensors.begin();
    for (const Tensor* t : tensors)
        if (t->device() != first.device())
            refuse(ErrorKind::Device, "DEV-03",
                   "Expected all tensors to be on the same device, but found at least two devices, " +
                       toString(first.device()) + " and " + toString(t->device()) + "!",
                   "Move one of them with to().");
}

void requireTarget(const char* operation, const Tensor& target, std::initializer_list<const Tensor*> inputs) {
    elementwise::requireWritable(target, operation);
    elementwise::requireNoSelfOverlap(target, nullptr);
    for (const Tensor* input : inputs)
        if (elementwise::aliasOf(target, *input) != elementwise::Alias::Apart)
            elementwise::throwPartialOverlap(operation, target, *input);
}

void requireFillTarget(const char* operation, const Tensor& target, std::initializer_list<const Tensor*> inputs) {
    elementwise::requireWritable(target, operation);
    for (const Tensor* input : inputs)
        if (elementwise::aliasOf(target, *input) != elementwise::Alias::Apart)
            elementwise::throwPartialOverlap(operation, target, *input);
    const View& v = target.view();
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] <= 1 || v.stride[d] != 0) continue;
        warn("Use of " + std::string(operation) +
             " on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This "
             "also applies to advanced indexing e.g. " +
             (std::string_view(operation) == "index_put_" ? "tensor[indices] = tensor" : "tensor[mask] = scalar"));
        return;
    }
}

Tensor newContiguous(const Dims& shape, DType dtype, Device device) {
    const View layout = contiguousView(shape).valueOrThrow();
    return elementwise::newResult(layout.shape, layout.stride, dtype, device);
}

Tensor number(Scalar value, DType dtype, Device device) {
    return full({}, value, {dtype, device});
}

ElementBytes elementBytes(Scalar value, DType dtype) {
    const Tensor element = number(value, dtype, Device{});
    ElementBytes bytes{};
    std::memcpy(bytes.data(), element.storage()->data(), itemSize(dtype));
    return bytes;
}

bool run(const char* operation, const Tensor& t, const IndexedArgs& args, BadIndex& bad) {
    return elementwise::require(kernelTable(t.device()).indexed, operation, t)(args, bad);
}

Dims byteStrides(const Tensor& t) {
    Dims strides = t.stride();
    for (Index& s : strides) s *= static_cast<Index>(t.itemSize());
    return strides;
}

Tensor withDim(const Tensor& t) {
    return t.dim() == 0 ? t.withView(View{{1}, {1}, t.storageOffset()}) : t;
}

std::string listText(const Dims& dims) {
    return toListString(std::span<const Index>(dims));
}

IndexSource sourceOf(const Tensor& index, Index size, Index step, bool negativeFromEnd) {
    return {firstElement(index), index.dtype() == DType::Int32, negativeFromEnd, size, step};
}

} // namespace stridescope::indexing
