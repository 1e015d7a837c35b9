#pragma once
// What the operations with index tensors and masks share. Internal to core/ops.

#include "core/ops/elementwise_call.h"
#include "core/ops/promotion.h"
#include "core/tensor/tensor.h"

#include <string>

namespace stridescope::indexing {

[[noreturn]] void refuse(ErrorKind kind, const char* id, std::string message, std::string hint = {},
                         RefusalDetail detail = {});
/// "index 5 is out of bounds for dimension 0 with size 3" (INDEX-01).
[[noreturn]] void refuseIndex(ErrorKind kind, Index index, Index dim, Index size);

/// All defined, on one device: else TENSOR-02 or DEV-03.
void requireOneDevice(const char* operation, std::initializer_list<const Tensor*> tensors);
/// Writable, names no slot twice, and shares none with the inputs.
void requireTarget(const char* operation, const Tensor& target, std::initializer_list<const Tensor*> inputs);
/// The same for one value everywhere: elements that a view repeats (expand) all get it, under PyTorch's warning.
void requireFillTarget(const char* operation, const Tensor& target, std::initializer_list<const Tensor*> inputs);

/// A mask of bool, or of uint8 with no other bytes than 0 and 1: else MASK-01.
void requireBits(const Tensor& mask);
/// MASK-01: a mask of numbers has others than 0 and 1.
[[noreturn]] void refuseNumbersInMask();

/// Contiguous, not initialised. @throws ShapeError for sizes beyond 64 bits.
Tensor newContiguous(const Dims& shape, DType dtype, Device device);
/// A 0-d tensor that holds `value`. @throws ShapeError (FILL-01) when it does not fit.
Tensor number(Scalar value, DType dtype, Device device);
/// The same as the bytes of one element.
ElementBytes elementBytes(Scalar value, DType dtype);

/// Null of a storage without a byte, whatever the offset: null has no place beside it.
inline std::byte* firstElement(const Tensor& t) {
    std::byte* const data = t.storage()->data();
    return data ? data + t.storageOffset() * static_cast<Index>(t.itemSize()) : nullptr;
}
/// Strides in bytes.
Dims byteStrides(const Tensor& t);
/// 0-d counts as one dim of size 1.
Tensor withDim(const Tensor& t);
std::string listText(const Dims& dims);

IndexSource sourceOf(const Tensor& index, Index size, Index step, bool negativeFromEnd);

inline std::string typeName(const Tensor& t) {
    return std::string(scalarTypeName(t.dtype()));
}

/// "{1}" and "{2}" are the names of the second and third input (core/trace/code.h).
inline std::string dimText(Index dim) {
    return std::to_string(dim) + ", {1}";
}

/// Runs it on the device of `t`; false with `bad` when an index is out of range.
[[nodiscard]] bool run(const char* operation, const Tensor& t, const IndexedArgs& args, BadIndex& bad);

inline bool hasNothing(const IndexedArgs& args) {
    for (const IndexedLoop& loop : args.loops)
        if (loop.size == 0) return true;
    return false;
}

} // namespace stridescope::indexing
