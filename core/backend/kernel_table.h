#pragma once
// What a backend can do with elements. A null entry means "cannot"; nobody falls back to another device.
//
// Checks, type rules, broadcasting and allocation happen once, in core/ops. A kernel gets legal loops over memory of
// its own device and does arithmetic only.

#include "core/backend/index_args.h"
#include "core/backend/linalg_args.h"
#include "core/backend/loop/loop_space.h"
#include "core/backend/product_args.h"
#include "core/backend/random_args.h"
#include "core/backend/reduce_args.h"
#include "core/device/device.h"
#include "core/dtype/dtype.h"
#include "core/ops/elementwise.h"
#include "core/ops/math_binary_ops.h"

#include <array>

namespace stridescope {

/// Of ElementwiseArgs::parameters.
inline constexpr std::size_t kParameterBytes = 24;

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
    /// Of mathematical operations: numbers in host memory that their functors ask for, of the type that is computed in;
    /// kParameterBytes of room.
    const void* parameters = nullptr;
};

using ElementwiseKernel = void (*)(const ElementwiseArgs& args);
/// Writes the element at `value` (host memory, dtype[0]) to every element of operand 0.
using FillKernel = void (*)(const ElementwiseArgs& args, const void* value);

using FoldKernel = void (*)(const FoldArgs& args);
using ExtremumKernel = void (*)(const ExtremumArgs& args);
using ScanKernel = void (*)(const ScanArgs& args);
/// The first k of the order, or the one element of place k.
using OrderKernel = void (*)(const OrderArgs& args);
/// Returns how far the stream of the device's generator has gone on.
using RandomKernel = std::uint64_t (*)(const RandomArgs& args);
using ProductKernel = void (*)(const ProductArgs& args);
using LinalgKernel = void (*)(const LinalgArgs& args);
using FourierKernel = void (*)(const FourierArgs& args);
/// False when an index is out of range, which `bad` then tells; nothing has been written in that case
/// (IndexedMode::Read: nothing is promised about `plain`). A device has to wait for that answer.
using IndexedKernel = bool (*)(const IndexedArgs& args, BadIndex& bad);

/// Elements where a mask is true. A mask holds bytes, of which all but 0 are true. Counting waits for the device.
struct MaskKernels {
    MaskBlocks (*count)(const Dims& shape, const RowOperand& mask) = nullptr;
    /// The elements of `source` where the mask is true, in row-major order, packed from `out` on.
    void (*select)(const Dims& shape, const RowOperand& source, const RowOperand& mask, const MaskBlocks& blocks,
                   Index itemSize, std::byte* out) = nullptr;
    /// The other way: packed elements from `source` on go where the mask is true.
    void (*scatter)(const Dims& shape, const RowOperand& target, const RowOperand& mask, const MaskBlocks& blocks,
                    Index itemSize, const std::byte* source) = nullptr;
    void (*fill)(const Dims& shape, const RowOperand& target, const RowOperand& mask, Index itemSize,
                 const ElementBytes& value) = nullptr;
    /// out = condition ? a : b, all of one item size.
    void (*choose)(const Dims& shape, const RowOperand& out, const RowOperand& condition, const RowOperand& a,
                   const RowOperand& b, Index itemSize) = nullptr;
    /// Elements that are not 0 (NaN is not), as `count` counts.
    MaskBlocks (*countNonzero)(const Dims& shape, const RowOperand& source, DType dtype) = nullptr;
    /// Their coords: that along dim d goes to out + d * columnStride + position, in elements.
    void (*findNonzero)(const Dims& shape, const RowOperand& source, DType dtype, const MaskBlocks& blocks, Index* out,
                        Index columnStride) = nullptr;
    /// True when every byte is 0 or 1. Waits for the device.
    bool (*holdsOnlyBits)(const Dims& shape, const RowOperand& mask) = nullptr;
};

struct KernelTable {
    const char* backend = "";
    std::array<ElementwiseKernel, BinaryOps::size> binary{};
    std::array<ElementwiseKernel, UnaryOps::size> unary{};
    std::array<ElementwiseKernel, MathOps::size> math{};
    ElementwiseKernel copy = nullptr; ///< operand 1 to operand 0 with conversion; `compute` is not looked at
    FillKernel fill = nullptr;
    FoldKernel fold = nullptr;
    ExtremumKernel extremum = nullptr;
    ScanKernel scan = nullptr;
    IndexedKernel indexed = nullptr;
    MaskKernels mask;
    OrderKernel order = nullptr;
    OrderKernel place = nullptr;
    ProductKernel products = nullptr;
    RandomKernel random = nullptr;
    std::array<LinalgKernel, kLinalgRoutines> linalg{};
    FourierKernel fourier = nullptr;

    ElementwiseKernel operator[](BinaryOp op) const { return binary[static_cast<std::size_t>(op)]; }
    ElementwiseKernel operator[](UnaryOp op) const { return unary[static_cast<std::size_t>(op)]; }
    ElementwiseKernel operator[](MathOp op) const { return math[static_cast<std::size_t>(op)]; }
    LinalgKernel operator[](LinalgRoutine routine) const { return linalg[static_cast<std::size_t>(routine)]; }
};

/// Linked in always.
const KernelTable& cpuKernels();

} // namespace stridescope
