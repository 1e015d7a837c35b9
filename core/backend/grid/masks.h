#pragma once
// Elements where a mask is true: counting, packing, spreading, filling, choosing, and coords of what is not 0.
//
// Packed results need to know how many true elements are before each: blocks of positions are counted first, which the
// host waits for (the size of the result is that count), and inside a block TileWalk tells.

#include "core/backend/grid/copy.h"
#include "core/backend/grid/fold.h"
#include "core/backend/grid/tile_walk.h"

#include <vector>

namespace stridescope::grid {

/// Is an element anything but 0? Of a mask any byte but 0 is true.
STRIDESCOPE_HD bool isTrue(const std::byte* at, DType dtype) {
    return visitAnyDType(dtype, [at](auto tag) -> bool {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>)
            return *at != std::byte{0};
        else if constexpr (kIsComplex<T>) {
            const T value = *reinterpret_cast<const T*>(at);
            return value.re != 0 || value.im != 0;
        } else {
            const auto value = readElement<T>(at);
            return value != ReadAs<T>(0);
        }
    });
}

struct CountTrue {
    OffsetMap<1> map;
    const std::byte* in = nullptr;
    DType dtype = DType::Bool;
    Index n = 0, blockItems = 1;
    Index* counts = nullptr;

    struct Local {};
    struct Shared {
        Index part[kThreads];
    };
    STRIDESCOPE_HD int phases(Index) const { return kLogThreads + 1; }
    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local&, Shared& shared) const {
        if (phase == 0) {
            const Index first = lane.block * blockItems, last = first + blockItems < n ? first + blockItems : n;
            Index count = 0;
            for (Index i = first + lane.thread; i < last; i += kThreads) {
                Index at[1];
                map(i, at);
                count += isTrue(in + at[0], dtype) ? 1 : 0;
            }
            shared.part[lane.thread] = count;
        } else if (lane.thread < kThreads >> phase) {
            shared.part[lane.thread] += shared.part[lane.thread + (kThreads >> phase)];
        }
        if (phase == kLogThreads && lane.thread == 0) counts[lane.block] = shared.part[0];
    }
};

/// Calls take(position, rank) for every true element of a block, the ranks counting over all blocks.
template <class Take>
struct RankTrue {
    using Walk = TileWalk<Index>;
    OffsetMap<1> map;
    const std::byte* in = nullptr;
    DType dtype = DType::Bool;
    Index n = 0, blockItems = 1;
    const Index* before = nullptr;
    Take take;

    struct Local {};
    struct Shared {
        Walk::Shared walk;
    };
    struct Sum {
        STRIDESCOPE_HD void operator()(Index& a, Index b) const { a += b; }
    };
    STRIDESCOPE_HD Index length(Index block) const {
        const Index first = block * blockItems;
        return first + blockItems < n ? blockItems : n - first;
    }
    STRIDESCOPE_HD int phases(Index block) const { return 1 + Walk::phases(length(block)); }
    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local&, Shared& shared) const {
        if (phase == 0) {
            if (lane.thread == 0) shared.walk.carry[0] = before[lane.block];
            return;
        }
        const Index start = lane.block * blockItems;
        const auto trueAt = [&](Index i) {
            Index at[1];
            map(start + i, at);
            return isTrue(in + at[0], dtype);
        };
        Walk::phase(
            phase - 1, lane.thread, length(lane.block), shared.walk, Sum{},
            [&](Index first, Index last) {
                Index count = 0;
                for (Index i = first; i < last; ++i) count += trueAt(i) ? 1 : 0;
                return count;
            },
            [&](Index first, Index last, Index rank) {
                for (Index i = first; i < last; ++i)
                    if (trueAt(i)) take(start + i, rank++);
            });
    }
};

/// Elements between their places and a packed run.
template <int Width>
struct TakePacked {
    OffsetMap<1> map;
    std::byte *place = nullptr, *packed = nullptr;
    bool toPacked = true;
    STRIDESCOPE_HD void operator()(Index position, Index rank) const {
        Index at[1];
        map(position, at);
        auto* const there = reinterpret_cast<Raw<Width>*>(place + at[0]);
        auto* const run = reinterpret_cast<Raw<Width>*>(packed) + rank;
        if (toPacked)
            *run = *there;
        else
            *there = *run;
    }
};

/// Coords of a position, dim by dim.
struct TakeCoords {
    const FastDivider64* shape = nullptr;
    int rank = 0;
    Index* out = nullptr;
    Index columnStride = 0;
    STRIDESCOPE_HD void operator()(Index position, Index number) const {
        for (int d = rank; d-- > 0;) {
            const Index rest = shape[d].quotient(position);
            out[d * columnStride + number] = position - rest * shape[d].divisor();
            position = rest;
        }
    }
};

template <int Width>
struct FillWhere {
    OffsetMap<2> map;
    std::byte* out = nullptr;
    const std::byte* mask = nullptr;
    Raw<Width> value{};
    Index n = 0;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            Index at[2];
            map(i, at);
            if (mask[at[1]] != std::byte{0}) *reinterpret_cast<Raw<Width>*>(out + at[0]) = value;
        }
    }
};

template <int Width>
struct Choose {
    OffsetMap<4> map;
    std::byte* out = nullptr;
    const std::byte *condition = nullptr, *a = nullptr, *b = nullptr;
    Index n = 0;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            Index at[4];
            map(i, at);
            const std::byte* const from = condition[at[1]] != std::byte{0} ? a + at[2] : b + at[3];
            *reinterpret_cast<Raw<Width>*>(out + at[0]) = *reinterpret_cast<const Raw<Width>*>(from);
        }
    }
};

/// Tells when a byte is neither 0 nor 1; who writes the flag last does not matter.
struct FindOddBytes {
    OffsetMap<1> map;
    const std::byte* in = nullptr;
    Index n = 0;
    std::uint64_t* odd = nullptr;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            Index at[1];
            map(i, at);
            if (static_cast<unsigned>(in[at[0]]) > 1) atomicLeast(odd, 0);
        }
    }
};

template <class Queue>
MaskBlocks countTrue(const Dims& shape, const RowOperand& in, DType dtype) {
    Queue queue;
    const Loops<1> loops = rowMajorLoops<1>(shape, {&in.stride});
    const HeldMap held(queue, loops);
    CountTrue body;
    body.map = held.map;
    body.in = in.data;
    body.dtype = dtype;
    body.n = loops.count();
    constexpr Index kLeast = 4096, kBlocks = 4096;
    body.blockItems = std::max<Index>(kLeast, (body.n + kBlocks - 1) / kBlocks);
    MaskBlocks blocks;
    blocks.blockItems = body.blockItems;
    const auto count = static_cast<std::size_t>((body.n + body.blockItems - 1) / body.blockItems);
    blocks.before.assign(count + 1, 0);
    const Room<Queue> counts(queue, count * sizeof(Index));
    body.counts = counts.template as<Index>();
    queue.launch("count mask", static_cast<Index>(count), body);
    queue.download(blocks.before.data() + 1, counts.data(), count * sizeof(Index));
    for (std::size_t i = 1; i <= count; ++i) blocks.before[i] += blocks.before[i - 1];
    return blocks;
}

template <class Queue, class Take>
void rankTrue(Queue& queue, const char* name, const Dims& shape, const RowOperand& in, DType dtype,
              const MaskBlocks& blocks, const Take& take) {
    const Loops<1> loops = rowMajorLoops<1>(shape, {&in.stride});
    const HeldMap held(queue, loops);
    const std::size_t bytes = blocks.before.size() * sizeof(Index);
    const Room<Queue> before(queue, bytes);
    queue.upload(before.data(), blocks.before.data(), bytes);
    RankTrue<Take> body;
    body.map = held.map;
    body.in = in.data;
    body.dtype = dtype;
    body.n = loops.count();
    body.blockItems = blocks.blockItems;
    body.before = before.template as<Index>();
    body.take = take;
    queue.launch(name, static_cast<Index>(blocks.before.size()) - 1, body);
}

// --- Entries of the table -----------------------------------------------------------------------------------------

template <class Queue>
MaskBlocks countMaskEntry(const Dims& shape, const RowOperand& mask) {
    return countTrue<Queue>(shape, mask, DType::Bool);
}

template <class Queue>
void packMasked(const char* name, const Dims& shape, const RowOperand& place, const RowOperand& mask,
                const MaskBlocks& blocks, Index itemSize, std::byte* packed, bool toPacked) {
    Queue queue;
    const HeldMap held(queue, rowMajorLoops<1>(shape, {&place.stride}));
    withWidth(itemSize, [&](auto width) {
        rankTrue(queue, name, shape, mask, DType::Bool, blocks,
                 TakePacked<width()>{held.map, place.data, packed, toPacked});
    });
}
template <class Queue>
void selectMaskedEntry(const Dims& shape, const RowOperand& source, const RowOperand& mask, const MaskBlocks& blocks,
                       Index itemSize, std::byte* out) {
    packMasked<Queue>("masked_select", shape, source, mask, blocks, itemSize, out, true);
}
template <class Queue>
void scatterMaskedEntry(const Dims& shape, const RowOperand& target, const RowOperand& mask, const MaskBlocks& blocks,
                        Index itemSize, const std::byte* source) {
    packMasked<Queue>("masked_scatter_", shape, target, mask, blocks, itemSize, const_cast<std::byte*>(source), false);
}

template <class Queue>
void fillMaskedEntry(const Dims& shape, const RowOperand& target, const RowOperand& mask, Index itemSize,
                     const ElementBytes& value) {
    Queue queue;
    const Loops<2> loops = rowMajorLoops<2>(shape, {&target.stride, &mask.stride});
    const HeldMap held(queue, loops);
    withWidth(itemSize, [&](auto width) {
        FillWhere<width()> body;
        body.map = held.map;
        body.out = target.data;
        body.mask = mask.data;
        std::memcpy(&body.value, value.data(), sizeof body.value);
        body.n = loops.count();
        queue.launch("masked_fill_", blocksFor(queue, body.n), body);
    });
}

template <class Queue>
void chooseEntry(const Dims& shape, const RowOperand& out, const RowOperand& condition, const RowOperand& a,
                 const RowOperand& b, Index itemSize) {
    Queue queue;
    const Loops<4> loops = rowMajorLoops<4>(shape, {&out.stride, &condition.stride, &a.stride, &b.stride});
    const HeldMap held(queue, loops);
    withWidth(itemSize, [&](auto width) {
        Choose<width()> body;
        body.map = held.map;
        body.out = out.data;
        body.condition = condition.data;
        body.a = a.data;
        body.b = b.data;
        body.n = loops.count();
        queue.launch("where", blocksFor(queue, body.n), body);
    });
}

template <class Queue>
MaskBlocks countNonzeroEntry(const Dims& shape, const RowOperand& source, DType dtype) {
    return countTrue<Queue>(shape, source, dtype);
}

template <class Queue>
void findNonzeroEntry(const Dims& shape, const RowOperand& source, DType dtype, const MaskBlocks& blocks, Index* out,
                      Index columnStride) {
    if (shape.empty()) return;
    Queue queue;
    std::vector<FastDivider64> dividers;
    for (const Index size : shape) dividers.emplace_back(std::max<Index>(size, 1));
    const Room<Queue> sizes(queue, dividers.size() * sizeof(FastDivider64));
    queue.upload(sizes.data(), dividers.data(), dividers.size() * sizeof(FastDivider64));
    rankTrue(queue, "nonzero", shape, source, dtype, blocks,
             TakeCoords{sizes.template as<FastDivider64>(), static_cast<int>(shape.size()), out, columnStride});
}

template <class Queue>
bool holdsOnlyBitsEntry(const Dims& shape, const RowOperand& mask) {
    Queue queue;
    const Loops<1> loops = rowMajorLoops<1>(shape, {&mask.stride});
    if (loops.count() == 0) return true;
    const HeldMap held(queue, loops);
    const Room<Queue> flag(queue, sizeof(std::uint64_t));
    std::uint64_t odd = 1;
    queue.upload(flag.data(), &odd, sizeof odd);
    queue.launch("look at mask", blocksFor(queue, loops.count()),
                 FindOddBytes{held.map, mask.data, loops.count(), flag.template as<std::uint64_t>()});
    queue.download(&odd, flag.data(), sizeof odd);
    return odd != 0;
}

} // namespace stridescope::grid
