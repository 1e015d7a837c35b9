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
/// Refuses a result that may not be written into a tensor of `out` (CAST-01).
void requireCast(DType result, DType out);

/// Row-major strides of `shape`; a size of 0 counts as 1.
inline Dims rowMajorStrides(const Dims& shape) {
    Dims stride(shape);
    Index step = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        const Index n = shape[d];
        stride[d] = step;
        step *= n > 1 ? n : 1;
    }
    return stride;
}

/// Refuses a number that no element of `dtype` can hold (FILL-01). Fractions, infinities and NaN of floats do not
/// count; a negative number fits an unsigned type when its magnitude does, as in PyTorch.
void requireFits(Scalar value, DType dtype);

/// What a `-` with bool in it is.
enum class BoolMinus : std::uint8_t {
    TwoTensors, ///< a - b of two bool tensors (BOOL-01)
    OneTensor,  ///< of one (BOOL-02)
    Negation,   ///< -a (BOOL-03)
};
/// PyTorch's refusal of it.
[[noreturn]] void refuseBoolMinus(BoolMinus which);

/// Strides exactly row-major, odd ones of size-1 dims excluded too: what most tensors have.
inline bool isPlain(const View& v) {
    Index step = 1;
    const Index *shape = v.shape.data(), *stride = v.stride.data();
    for (std::size_t d = v.shape.size(); d-- > 0;) {
        if (stride[d] != step) return false;
        step *= shape[d] > 1 ? shape[d] : 1;
    }
    return true;
}

inline bool sameShape(const View& a, const View& b) {
    if (a.shape.size() != b.shape.size()) return false;
    const Index *x = a.shape.data(), *y = b.shape.data();
    for (std::size_t d = 0; d < a.shape.size(); ++d)
        if (x[d] != y[d]) return false;
    return true;
}

/// A new tensor, dense in the given strides, not initialised. @throws MemoryError.
Tensor newResult(Dims shape, Dims strides, DType dtype, Device device);
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
    Partial, ///< some slots in common, or that cannot be excluded in bounded work
};
/// Exact, but for strides too entangled to be checked in bounded work (`sharedSlot`); tensors of different item sizes
/// are compared byte by byte.
Alias aliasOf(const Tensor& out, const Tensor& input);
/// Do two dense views share part of their slots, or all of them in another order? What PyTorch refuses everywhere;
/// of views with gaps it asks no more.
bool isPlainPartialOverlap(const Tensor& out, const Tensor& input);
/// PyTorch's refusal of partial overlap (OVERLAP-03), with two indices that share a slot.
[[noreturn]] void throwPartialOverlap(const char* operation, const Tensor& out, const Tensor& input);

/// A Scalar as the bytes of one element.
struct Number {
    alignas(16) std::byte bytes[16];
    View view; ///< 0-d
    Number() = default;
    Number(Scalar value, DType dtype) { set(value, dtype); }
    void set(Scalar value, DType dtype);
};

/// Address of slot 0 and the rest that a LoopSpace needs.
inline LoopOperand operandOf(const Tensor& t) {
    return {&t.view(), t.storage()->data(), t.itemSize()};
}

/// A tensor for a kernel.
inline Strided stridedOf(const Tensor& t) {
    return {t.storage()->data(), t.view(), t.dtype()};
}

/// `kernel`, or a refusal (DEV-02) when it is null.
template <class Kernel>
Kernel require(Kernel kernel, const char* operation, const Tensor& t) {
    if (!kernel) [[unlikely]]
        throwNoKernel(operation, t.dtype(), t.device());
    return kernel;
}

/// For what no device has yet: refuses tensors that are not on the CPU (DEV-02).
inline void requireHost(const char* operation, const Tensor& t) {
    if (!t.device().isCpu()) [[unlikely]]
        throwNoKernel(operation, t.dtype(), t.device());
}

/// Calls `kernel`, or refuses (DEV-02) when it is null.
inline void call(ElementwiseKernel kernel, const ElementwiseArgs& args, const char* operation, Device device) {
    if (!kernel) throwNoKernel(operation, args.compute, device);
    kernel(args);
}

} // namespace stridescope::elementwise
