#pragma once
// LoopSpace: the loops that one element-wise operation runs, the same for every backend.
//
// Note [Loop order] Levels are counted from the inside: level 0 is the innermost loop. Dims of size 1 are gone, levels
// are sorted by the output's stride, and neighbours that are one run in *every* operand are merged. So most operations
// have one level, and what is left says which kernel suits: see access().

#include "core/host_device.h"
#include "core/index.h"
#include "core/view/view.h"

#include <cstddef>
#include <span>

namespace stridescope {

/// Output first, then the inputs.
inline constexpr int kMaxOperands = 4;

/// The loops and, for each, how far (in bytes) one step moves each operand. Lives on the stack; members beyond
/// `levels` and `operands` hold nothing.
struct LoopSpace {
    int levels = 0;
    int operands = 0;
    std::byte* data[kMaxOperands];
    Index size[kMaxDims];
    Index stride[kMaxDims][kMaxOperands]; ///< bytes

    STRIDESCOPE_HD Index numel() const {
        Index n = 1;
        for (int level = 0; level < levels; ++level) n *= size[level];
        return n;
    }
};

/// One operand of buildLoopSpace, before broadcasting. The output comes first and has the full shape.
struct LoopOperand {
    const View* view = nullptr;
    std::byte* base = nullptr; ///< address of slot 0 of the storage
    std::size_t itemSize = 1;
};

/// Fills `space` for `shape`: operands are broadcast to it (missing and size-1 dims get stride 0), then the levels are
/// reduced, ordered and merged as Note [Loop order] says. Levels in which no operand moves forwards are turned round.
/// Precondition: every operand broadcasts to `shape`, and `shape` has at least one element.
void buildLoopSpace(LoopSpace& space, std::span<const Index> shape, std::span<const LoopOperand> operands);

/// One level of n elements in which every operand is contiguous. Precondition: as said.
inline void buildFlatLoopSpace(LoopSpace& space, Index n, std::span<const LoopOperand> operands) {
    space.levels = 1;
    space.operands = static_cast<int>(operands.size());
    space.size[0] = n;
    for (std::size_t o = 0; o < operands.size(); ++o) {
        const LoopOperand& operand = operands[o];
        space.data[o] = operand.base + operand.view->offset * static_cast<Index>(operand.itemSize);
        space.stride[0][o] = static_cast<Index>(operand.itemSize);
    }
}

/// Proof by sorted strides that the output names no slot twice: each level steps past all that the levels inside it
/// reach. False means "not proven".
bool outputProvenUnique(const LoopSpace& space);

/// Order of dims, innermost first, in which PyTorch lays out a new result: by the strides of the first operand that
/// can tell (stride 0 cannot), ties keep the row-major order.
/// `strides[o]` are the strides of operand o broadcast to `shape`.
Dims resultOrder(std::span<const Index> shape, std::span<const Dims> strides);

/// Strides of a result that is dense in the given order of dims (innermost first).
Dims denseStrides(std::span<const Index> shape, std::span<const Index> order);

} // namespace stridescope
