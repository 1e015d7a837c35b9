#include "core/backend/cpu/mask_kernels.h"

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace stridescope::cpu {

namespace {

Index numelOf(const Dims& shape) {
    Index n = 1;
    for (const Index size : shape) n *= size;
    return n;
}

/// A value of W bytes that is moved, not looked at.
template <std::size_t W>
struct Item {
    using Type = std::conditional_t<
        W == 1, std::uint8_t,
        std::conditional_t<W == 2, std::uint16_t, std::conditional_t<W == 4, std::uint32_t, std::uint64_t>>>;
};
struct Pair {
    std::uint64_t low, high;
};
template <>
struct Item<16> {
    using Type = Pair;
};

template <class F>
void withItem(Index itemSize, F f) {
    switch (itemSize) {
    case 1:
        return f(Item<1>::Type{});
    case 2:
        return f(Item<2>::Type{});
    case 4:
        return f(Item<4>::Type{});
    case 8:
        return f(Item<8>::Type{});
    default:
        return f(Pair{});
    }
}

template <class T>
T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}
template <class T>
void store(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

Index blockItemsFor(Index n) {
    // As many blocks as keep all threads busy; each long enough to be worth a thread.
    const Index blocks = std::max<Index>(1, std::min<Index>(n / (kParallelThreshold / 4), 8 * numThreads()));
    return std::max<Index>(1, (n + blocks - 1) / blocks);
}

/// Calls `body(block, begin, end)` for all blocks, on several threads when there are several.
template <class Body>
void forBlocks(Index n, Index blockItems, Body body) {
    const Index count = (n + blockItems - 1) / blockItems;
    parallelFor(0, count, 1, [&](Index first, Index last) {
        for (Index block = first; block < last; ++block)
            body(block, block * blockItems, std::min(n, (block + 1) * blockItems));
    });
}

/// `count(begin, end)` for each block, summed up.
template <class Count>
MaskBlocks countBlocks(Index n, Count count) {
    MaskBlocks blocks;
    blocks.blockItems = blockItemsFor(n);
    blocks.before.assign(static_cast<std::size_t>((n + blocks.blockItems - 1) / blocks.blockItems) + 1, 0);
    forBlocks(n, blocks.blockItems, [&](Index block, Index begin, Index end) {
        blocks.before[static_cast<std::size_t>(block) + 1] = count(begin, end);
    });
    for (std::size_t i = 1; i < blocks.before.size(); ++i) blocks.before[i] += blocks.before[i - 1];
    return blocks;
}

const std::uint8_t* bytesOf(const std::byte* mask) {
    return reinterpret_cast<const std::uint8_t*>(mask);
}

/// The place of an item in the tables of MaskLoops.
template <class T>
inline constexpr std::size_t kLog2 = std::countr_zero(sizeof(T));

Index countBytes(const std::byte* mask, Index step, Index n) {
    if (step == 1) return isa().mask.count(bytesOf(mask), n);
    Index count = 0;
    for (Index i = 0; i < n; ++i) count += mask[i * step] != std::byte{0};
    return count;
}

/// Calls `visit(i)` for every true byte of a run; runs of eight false ones cost one test.
template <class Visit>
void forEachTrue(const std::byte* mask, Index step, Index n, Visit visit) {
    Index i = 0;
    if (step == 1) {
        for (; i + 8 <= n; i += 8) {
            if (load<std::uint64_t>(mask + i) == 0) continue;
            for (Index k = i; k < i + 8; ++k)
                if (mask[k] != std::byte{0}) visit(k);
        }
    }
    for (; i < n; ++i)
        if (mask[i * step] != std::byte{0}) visit(i);
}

/// Bytes that are true where elements of T are not 0.
template <class T>
bool notZero(const std::byte* at) {
    if constexpr (std::is_same_v<T, Half>)
        return (load<std::uint16_t>(at) & 0x7fffu) != 0;
    else if constexpr (std::is_same_v<T, bool>)
        return *at != std::byte{0};
    else if constexpr (kIsComplex<T>) {
        const T value = load<T>(at);
        return value.re != 0 || value.im != 0;
    } else
        return load<T>(at) != T(0);
}

} // namespace

MaskBlocks countMask(const Dims& shape, const RowOperand& mask) {
    const RowWalk<1> walk(shape, {mask});
    return countBlocks(numelOf(shape), [&](Index begin, Index end) {
        Index count = 0;
        walk.visit(begin, end,
                   [&](const auto& data, Index n) { count += countBytes(data[0], walk.innerStride(0), n); });
        return count;
    });
}

void selectMasked(const Dims& shape, const RowOperand& source, const RowOperand& mask, const MaskBlocks& blocks,
                  Index itemSize, std::byte* out) {
    const RowWalk<2> walk(shape, {source, mask});
    withItem(itemSize, [&](auto item) {
        using T = decltype(item);
        const Index step = walk.innerStride(0), maskStep = walk.innerStride(1);
        forBlocks(numelOf(shape), blocks.blockItems, [&](Index block, Index begin, Index end) {
            auto* to = reinterpret_cast<T*>(out) + blocks.before[static_cast<std::size_t>(block)];
            T* const last = reinterpret_cast<T*>(out) + blocks.before[static_cast<std::size_t>(block) + 1];
            walk.visit(begin, end, [&](const auto& data, Index n) {
                // Every element is written, only the true ones move on: no branch to guess wrong. The last place of
                // the block is not written beyond.
                const std::byte *from = data[0], *bits = data[1];
                if constexpr (sizeof(T) <= 8) {
                    if (step == static_cast<Index>(sizeof(T)) && maskStep == 1) {
                        to += isa().mask.select[kLog2<T>](to, last - to, from, bytesOf(bits), n);
                        return;
                    }
                }
                for (Index i = 0; i < n && to < last; ++i) {
                    *to = load<T>(from + i * step);
                    to += bits[i * maskStep] != std::byte{0} ? 1 : 0;
                }
            });
        });
    });
}

void scatterMasked(const Dims& shape, const RowOperand& target, const RowOperand& mask, const MaskBlocks& blocks,
                   Index itemSize, const std::byte* source) {
    const RowWalk<2> walk(shape, {target, mask});
    withItem(itemSize, [&](auto item) {
        using T = decltype(item);
        const Index step = walk.innerStride(0), maskStep = walk.innerStride(1);
        forBlocks(numelOf(shape), blocks.blockItems, [&](Index block, Index begin, Index end) {
            const auto* from = reinterpret_cast<const T*>(source) + blocks.before[static_cast<std::size_t>(block)];
            walk.visit(begin, end, [&](const auto& data, Index n) {
                forEachTrue(data[1], maskStep, n, [&](Index i) { store<T>(data[0] + i * step, *from++); });
            });
        });
    });
}

void fillMasked(const Dims& shape, const RowOperand& target, const RowOperand& mask, Index itemSize,
                const ElementBytes& element) {
    const std::byte* const value = element.data();
    const RowWalk<2> walk(shape, {target, mask});
    const Index n = numelOf(shape);
    withItem(itemSize, [&](auto item) {
        using T = decltype(item);
        const T filling = load<T>(value);
        const Index step = walk.innerStride(0), maskStep = walk.innerStride(1);
        forBlocks(n, blockItemsFor(n), [&](Index, Index begin, Index end) {
            walk.visit(begin, end, [&](const auto& data, Index count) {
                if constexpr (sizeof(T) <= 8) {
                    if (step == static_cast<Index>(sizeof(T)) && maskStep == 1) {
                        isa().mask.fill[kLog2<T>](data[0], bytesOf(data[1]), value, count);
                        return;
                    }
                }
                forEachTrue(data[1], maskStep, count, [&](Index i) { store<T>(data[0] + i * step, filling); });
            });
        });
    });
}

void choose(const Dims& shape, const RowOperand& out, const RowOperand& condition, const RowOperand& a,
            const RowOperand& b, Index itemSize) {
    const RowWalk<4> walk(shape, {out, condition, a, b});
    const Index n = numelOf(shape);
    withItem(itemSize, [&](auto item) {
        using T = decltype(item);
        constexpr auto kItem = static_cast<Index>(sizeof(T));
        const Index steps[4]{walk.innerStride(0), walk.innerStride(1), walk.innerStride(2), walk.innerStride(3)};
        const auto runs = [](Index step) { return step == kItem || step == 0; };
        const bool flat = steps[0] == kItem && steps[1] == 1 && runs(steps[2]) && runs(steps[3]);
        const unsigned scalars = (steps[2] == 0 ? 1U : 0U) | (steps[3] == 0 ? 2U : 0U);
        const auto run = [&](const std::array<std::byte*, 4>& data, Index count) {
            if constexpr (sizeof(T) <= 8) {
                if (flat) {
                    isa().mask.choose[kLog2<T>](data[0], bytesOf(data[1]), data[2], data[3], scalars, count);
                    return;
                }
            }
            for (Index i = 0; i < count; ++i) {
                const bool first = data[1][i * steps[1]] != std::byte{0};
                store<T>(data[0] + i * steps[0], load<T>(first ? data[2] + i * steps[2] : data[3] + i * steps[3]));
            }
        };
        forBlocks(n, blockItemsFor(n), [&](Index, Index begin, Index end) { walk.visit(begin, end, run); });
    });
}

MaskBlocks countNonzero(const Dims& shape, const RowOperand& source, DType dtype) {
    const RowWalk<1> walk(shape, {source});
    return visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const Index step = walk.innerStride(0);
        return countBlocks(numelOf(shape), [&](Index begin, Index end) {
            Index count = 0;
            walk.visit(begin, end, [&](const auto& data, Index n) {
                if constexpr (std::is_same_v<T, bool>) {
                    count += countBytes(data[0], step, n);
                    return;
                }
                for (Index i = 0; i < n; ++i) count += notZero<T>(data[0] + i * step) ? 1 : 0;
            });
            return count;
        });
    });
}

void findNonzero(const Dims& shape, const RowOperand& source, DType dtype, const MaskBlocks& blocks, Index* out,
                 Index columnStride) {
    const auto rank = shape.size();
    if (rank == 0) return;
    constexpr Index kTruths = 1024;
    // Not merged by RowWalk: the coords are wanted. The last dim is the inner loop.
    visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const Index inner = shape[rank - 1], step = source.stride[rank - 1];
        forBlocks(numelOf(shape), blocks.blockItems, [&](Index block, Index begin, Index end) {
            Index at = blocks.before[static_cast<std::size_t>(block)];
            const Index behind = blocks.before[static_cast<std::size_t>(block) + 1];
            Dims coord(rank, 0);
            Index rest = begin;
            for (std::size_t d = rank; d-- > 0;) {
                coord[d] = rest % shape[d];
                rest /= shape[d];
            }
            for (Index position = begin; position < end;) {
                const std::byte* row = source.data;
                for (std::size_t d = 0; d + 1 < rank; ++d) row += coord[d] * source.stride[d];
                const Index first = coord[rank - 1], last = std::min(inner, first + (end - position));
                // The inner coord first; the others are the same for all of the run.
                Index* const innermost = out + static_cast<Index>(rank - 1) * columnStride;
                const Index before = at;
                for (Index i = first; i < last;) {
                    std::uint8_t truths[kTruths];
                    const std::uint8_t* mask = truths;
                    Index n = std::min<Index>(last - i, kTruths);
                    if (std::is_same_v<T, bool> && step == 1) {
                        mask = bytesOf(row + i);
                        n = last - i;
                    } else {
                        for (Index k = 0; k < n; ++k) truths[k] = notZero<T>(row + (i + k) * step) ? 1 : 0;
                    }
                    at += isa().mask.positions(innermost + at, behind - at, mask, n, i);
                    i += n;
                }
                for (std::size_t d = 0; d + 1 < rank; ++d)
                    std::fill(out + static_cast<Index>(d) * columnStride + before,
                              out + static_cast<Index>(d) * columnStride + at, coord[d]);
                position += last - first;
                coord[rank - 1] = 0;
                for (std::size_t d = rank - 1; d-- > 0;) {
                    if (++coord[d] < shape[d]) break;
                    coord[d] = 0;
                }
            }
        });
    });
}

bool holdsOnlyBits(const Dims& shape, const RowOperand& mask) {
    const RowWalk<1> walk(shape, {mask});
    std::atomic<bool> ok{true};
    const Index n = numelOf(shape);
    if (n == 0) return true;
    forBlocks(n, blockItemsFor(n), [&](Index, Index begin, Index end) {
        unsigned all = 0;
        walk.visit(begin, end, [&](const auto& data, Index count) {
            for (Index i = 0; i < count; ++i) all |= std::to_integer<unsigned>(data[0][i * walk.innerStride(0)]);
        });
        if (all > 1) ok.store(false, std::memory_order_relaxed);
    });
    return ok.load();
}

} // namespace stridescope::cpu
