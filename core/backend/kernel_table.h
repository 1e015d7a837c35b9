#pragma once
// What a backend can do with elements. A null entry means "cannot"; nobody falls back to another device.
//
// Checks, type rules, broadcasting and allocation happen once, in core/ops. A kernel gets legal loops over memory of
// its own device and does arithmetic only.

#include "core/backend/loop/loop_space.h"
#include "core/device/device.h"
#include "core/dtype/dtype.h"
#include "core/ops/elementwise.h"
#include "core/ops/math_binary_ops.h"

#include <array>

namespace stridescope {

/// Operand 0 of `space` is the output, the rest are inputs.
/// Each input is converted to `compute`, the operation is done in it (Half: in float, rounded to Half afterwards),
/// and the result (bool for a comparison, else `compute`) is converted to dtype[0].
/// The output may be the very same view as an input; it overlaps them in no other way.
struct ElementwiseArgs {
    LoopSpace space;
    std::array<DType, kMaxOperands> dtype{};
    DType compute = DType::Float32;
    /// The operand is one number in host memory (all strides 0), whatever the device of the others.
    std::array<bool, kMaxOperands> isHostScalar{};
    /// Of mathematical operations: numbers in host memory that their functors ask for, of the type that is computed in.
    const void* parameters = nullptr;
};

using ElementwiseKernel = void (*)(const ElementwiseArgs& args);
/// Writes the element at `value` (host memory, dtype[0]) to every element of operand 0.
using FillKernel = void (*)(const ElementwiseArgs& args, const void* value);

struct KernelTable {
    const char* backend = "";
    std::array<ElementwiseKernel, BinaryOps::size> binary{};
    std::array<ElementwiseKernel, UnaryOps::size> unary{};
    std::array<ElementwiseKernel, MathOps::size> math{};
    ElementwiseKernel copy = nullptr; ///< operand 1 to operand 0 with conversion; `compute` is not looked at
    FillKernel fill = nullptr;

    ElementwiseKernel operator[](BinaryOp op) const { return binary[static_cast<std::size_t>(op)]; }
    ElementwiseKernel operator[](UnaryOp op) const { return unary[static_cast<std::size_t>(op)]; }
    ElementwiseKernel operator[](MathOp op) const { return math[static_cast<std::size_t>(op)]; }
};

/// Linked in always.
const KernelTable& cpuKernels();

} // namespace stridescope
