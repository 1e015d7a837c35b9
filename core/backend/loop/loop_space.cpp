#include "core/backend/loop/loop_space.h"

#include <algorithm>
#include <functional>

namespace stridescope {

namespace {

Index magnitude(Index v) {
    return v < 0 ? -v : v;
}

void swapLevels(LoopSpace& space, int a, int b) {
    std::swap(space.size[a], space.size[b]);
    for (int o = 0; o < space.operands; ++o) std::swap(space.stride[a][o], space.stride[b][o]);
}

/// Should level `inner` lie outside `outer`? The output decides; where it stands still, the inputs do in their order.
bool wrongOrder(const LoopSpace& space, int inner, int outer) {
    for (int o = 0; o < space.operands; ++o) {
        const Index a = magnitude(space.stride[inner][o]);
        const Index b = magnitude(space.stride[outer][o]);
        if (a == 0 || b == 0 || a == b) continue;
        return a > b;
    }
    return false;
}

bool canMerge(const LoopSpace& space, int inner, int outer) {
    for (int o = 0; o < space.operands; ++o)
        if (space.stride[outer][o] != space.stride[inner][o] * space.size[inner]) return false;
    return true;
}

} // namespace

void buildLoopSpace(LoopSpace& space, std::span<const Index> shape, std::span<const LoopOperand> operands) {
    const std::size_t rank = shape.size();
    space.operands = static_cast<int>(operands.size());
    for (int o = 0; o < space.operands; ++o) {
        const LoopOperand& operand = operands[static_cast<std::size_t>(o)];
        space.data[o] = operand.base + operand.view->offset * static_cast<Index>(operand.itemSize);
    }
    int levels = 0;
    for (std::size_t back = 0; back < rank; ++back) { // innermost dim first
        const Index n = shape[rank - 1 - back];
        if (n == 1) continue;
        space.size[levels] = n;
        for (int o = 0; o < space.operands; ++o) {
            const LoopOperand& operand = operands[static_cast<std::size_t>(o)];
            const std::size_t own = operand.view->shape.size();
            Index step = 0;
            if (back < own && operand.view->shape[own - 1 - back] != 1)
                step = operand.view->stride[own - 1 - back] * static_cast<Index>(operand.itemSize);
            space.stride[levels][o] = step;
        }
        // A level that every operand walks backwards (or not at all) is walked forwards from its other end.
        bool anyForwards = false, anyBackwards = false;
        for (int o = 0; o < space.operands; ++o) {
            anyForwards |= space.stride[levels][o] > 0;
            anyBackwards |= space.stride[levels][o] < 0;
        }
        if (anyBackwards && !anyForwards) {
            for (int o = 0; o < space.operands; ++o) {
                space.data[o] += space.stride[levels][o] * (n - 1);
                space.stride[levels][o] = -space.stride[levels][o];
            }
        }
        ++levels;
    }
    for (int i = 1; i < levels; ++i)
        for (int j = i; j > 0 && wrongOrder(space, j - 1, j); --j) swapLevels(space, j - 1, j);
    int kept = levels == 0 ? 0 : 1;
    for (int i = 1; i < levels; ++i) {
        if (canMerge(space, kept - 1, i)) {
            space.size[kept - 1] *= space.size[i];
            continue;
        }
        if (kept != i) {
            space.size[kept] = space.size[i];
            for (int o = 0; o < space.operands; ++o) space.stride[kept][o] = space.stride[i][o];
        }
        ++kept;
    }
    if (kept == 0) { // one element: one level of one step, so that kernels need no special case
        space.size[0] = 1;
        for (int o = 0; o < space.operands; ++o)
            space.stride[0][o] = static_cast<Index>(operands[static_cast<std::size_t>(o)].itemSize);
        kept = 1;
    }
    space.levels = kept;
}

bool outputProvenUnique(const LoopSpace& space) {
    // Levels are sorted by the output's stride already.
    Index reached = 0; // furthest byte that the levels so far get away from their start
    for (int level = 0; level < space.levels; ++level) {
        const Index step = magnitude(space.stride[level][0]);
        if (space.size[level] > 1 && step <= reached) return false;
        reached += step * (space.size[level] - 1);
    }
    return true;
}

Dims resultOrder(std::span<const Index> shape, std::span<const Dims> strides) {
    const std::size_t rank = shape.size();
    Dims order(rank, 0);
    for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<Index>(rank - 1 - i);
    // 1: `inner` must move outwards, -1: it is right where it is, 0: no operand can tell.
    const auto compare = [&](Index inner, Index outer) {
        const auto a = static_cast<std::size_t>(inner), b = static_cast<std::size_t>(outer);
        for (const Dims& stride : strides) {
            if (stride[a] == 0 || stride[b] == 0) continue;
            if (stride[a] != stride[b]) return stride[a] < stride[b] ? -1 : 1;
            if (shape[a] > shape[b]) return 1;
        }
        return 0;
    };
    for (std::size_t i = 1; i < rank; ++i) {
        std::size_t moving = i;
        for (std::size_t j = i; j-- > 0;) {
            const int verdict = compare(order[j], order[moving]);
            if (verdict < 0) break;
            if (verdict == 0) continue; // undecided: look further in, the dim may still pass
            std::swap(order[j], order[moving]);
            moving = j;
        }
    }
    return order;
}

Dims denseStrides(std::span<const Index> shape, std::span<const Index> order) {
    // Of tensors without elements PyTorch counts a size of 0 as 1 where the order is row-major, and as 0 elsewhere.
    const bool rowMajor = std::is_sorted(order.begin(), order.end(), std::greater<>());
    Dims stride(shape.size(), 0);
    Index step = 1;
    for (const Index d : order) {
        const Index size = shape[static_cast<std::size_t>(d)];
        stride[static_cast<std::size_t>(d)] = step;
        step *= rowMajor ? std::max<Index>(size, 1) : size;
    }
    return stride;
}

} // namespace stridescope
