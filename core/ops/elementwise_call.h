#pragma once
// What the element-wise operations share before they call a kernel: results, checks of what is written to, loops.
// Internal to core/ops.

#include "core/backend/backend.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <array>
#include <span>

namespace stridescope::elementwise {

/// @throws ValueError (TENSOR-02) when `t` is undefined.
void requireDefined(const Tensor& t, const char* operation);
/// Refuses an output that is read-only (WRITE-01).
void requireWritable(const Tensor& out, const char* operation);

/// A new tensor, dense in the given strides, not initialised. @throws MemoryError.
Tensor newResult(const Dims& shape, Dims strides, DType dtype, Device device);
/// Strides of the result that PyTorch would make for operands of these views broadcast to `shape`.
Dims resultStrides(const Dims& shape, std::span<const View* const> operands);

/// Refuses to write to a view that names a slot twice (OVERLAP-01, with the two coords) or of which that cannot be
/// decided (OVERLAP-02). `space`, when given, has the view as its operand 0 and may prove it at once.
void requireNoSelfOverlap(const Tensor& out, const LoopSpace* space);

/// PyTorch's refusal of an output of another shape than the result (SHAPE-OUT).
[[noreturn]] void throwOutputShape(const Dims& out, const Dims& result);

/// How the elements of an input lie to those that are written.
enum class Alias : std::uint8_t {
    Apart,   ///< no slot in common
    Same,    ///< every element is its own input: harmless
    Partial, ///< some slots in common, or that cannot be excluded
};
Alias aliasOf(const Tensor& out, const Tensor& input);
/// PyTorch's refusal of partial overlap (OVERLAP-03).
[[noreturn]] void throwPartialOverlap(const char* operation);

/// A Scalar as the bytes of one element.
struct Number {
    alignas(8) std::byte bytes[8];
    View view; ///< 0-d
    Number(Scalar value, DType dtype);
};

/// Address of slot 0 and the rest that a LoopSpace needs.
inline LoopOperand operandOf(const Tensor& t) {
    return {&t.view(), t.storage()->data(), t.itemSize()};
}

/// Calls `kernel`, or refuses (DEV-02) when it is null.
inline void call(ElementwiseKernel kernel, const ElementwiseArgs& args, const char* operation, Device device) {
    if (!kernel) throwNoKernel(operation, args.compute, device);
    kernel(args);
}

} // namespace stridescope::elementwise
