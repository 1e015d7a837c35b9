#pragma once
// Order along a dim: keys of all lines are sorted at once, the line's number above the key's bits.
//
// Equal elements come in the order of their positions, topk included: which of them PyTorch's topk gives on a GPU is
// not defined. kthvalue gives the first of the equal ones.

#include "core/backend/grid/copy.h"
#include "core/backend/sort_key.h"

#include <bit>

namespace stridescope::grid {

struct MakeSortKeys {
    OffsetMap<1> lines;
    const std::byte* in = nullptr;
    DType dtype = DType::Float32;
    FastDivider64 length;
    Index step = 0, n = 0;
    bool descending = false, withLine = false;
    std::uint64_t* keys = nullptr;
    Index* positions = nullptr;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            const Index line = length.quotient(i);
            Index at[1];
            lines(line, at);
            const std::byte* const p = in + at[0] + (i - line * length.divisor()) * step;
            std::uint64_t key = visitDType(dtype, [&](auto tag) -> std::uint64_t {
                using T = typename decltype(tag)::type;
                if constexpr (std::is_same_v<T, bool>)
                    return sortKey(*p != std::byte{0}, descending);
                else
                    return sortKey(*reinterpret_cast<const T*>(p), descending);
            });
            if (withLine) key |= static_cast<std::uint64_t>(line) << (8 * itemSize(dtype));
            keys[i] = key;
            positions[i] = i;
        }
    }
};

/// Numbers of the lines that sorted positions belong to.
struct MakeLineKeys {
    const Index* positions = nullptr;
    std::uint64_t* keys = nullptr;
    FastDivider64 length;
    Index n = 0;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step())
            keys[i] = static_cast<std::uint64_t>(length.quotient(positions[i]));
    }
};

template <int Width>
struct TakeInOrder {
    OffsetMap<3> lines; ///< in, values, indices
    const std::byte* in = nullptr;
    std::byte *values = nullptr, *indices = nullptr;
    Index inStep = 0, valueStep = 0, indexStep = 0;
    Index length = 1, first = 0, n = 0;
    FastDivider64 count; ///< places [first, first + count) of each line
    const Index* positions = nullptr;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            const Index line = count.quotient(i), place = i - line * count.divisor();
            Index at[3];
            lines(line, at);
            const Index position = positions[line * length + first + place] - line * length;
            *reinterpret_cast<Raw<Width>*>(values + at[1] + place * valueStep) =
                *reinterpret_cast<const Raw<Width>*>(in + at[0] + position * inStep);
            *reinterpret_cast<Index*>(indices + at[2] + place * indexStep) = position;
        }
    }
};

/// Places [first, first + count) of the order of every line.
template <class Queue>
void takeInOrder(const OrderArgs& args, Index first, Index count) {
    Queue queue;
    const auto dim = static_cast<std::size_t>(args.dim);
    Dims shape = args.in.view.shape;
    const Index length = shape[dim];
    shape.erase(dim);
    const Strided* const tensors[] = {&args.in, &args.values, &args.indices};
    Dims strides[3];
    Index step[3];
    for (std::size_t o = 0; o < 3; ++o) {
        strides[o] = tensors[o]->view.stride;
        for (Index& s : strides[o]) s *= static_cast<Index>(itemSize(tensors[o]->dtype));
        step[o] = strides[o][dim];
        strides[o].erase(dim);
    }
    Index lines = 1;
    for (const Index size : shape) lines *= size;
    const Index n = lines * length;
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(Index);
    const Room<Queue> keys(queue, bytes), positions(queue, bytes), sortedKeys(queue, bytes), sorted(queue, bytes);
    const int keyBits = static_cast<int>(8 * itemSize(args.in.dtype));
    const int lineBits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(lines - 1)));

    const HeldMap heldIn(queue, rowMajorLoops<1>(shape, {&strides[0]}));
    MakeSortKeys make;
    make.lines = heldIn.map;
    make.in = args.in.first();
    make.dtype = args.in.dtype;
    make.length = FastDivider64(length);
    make.step = step[0];
    make.n = n;
    make.descending = args.descending;
    make.withLine = keyBits + lineBits <= 64 && keyBits < 64;
    make.keys = keys.template as<std::uint64_t>();
    make.positions = positions.template as<Index>();
    queue.launch("sort", blocksFor(queue, n), make);
    auto* const keysThere = sortedKeys.template as<std::uint64_t>();
    auto* order = sorted.template as<Index>();
    queue.sortPairs(make.keys, keysThere, make.positions, order, n, make.withLine ? keyBits + lineBits : keyBits);
    if (!make.withLine && lines > 1) { // stable, so lines keep the order inside
        queue.launch("sort", blocksFor(queue, n), MakeLineKeys{order, make.keys, make.length, n});
        queue.sortPairs(make.keys, keysThere, order, make.positions, n, lineBits);
        order = make.positions;
    }

    const HeldMap heldAll(queue, rowMajorLoops<3>(shape, {&strides[0], &strides[1], &strides[2]}));
    withWidth(static_cast<Index>(itemSize(args.in.dtype)), [&](auto width) {
        TakeInOrder<width()> take;
        take.lines = heldAll.map;
        take.in = args.in.first();
        take.values = args.values.first();
        take.indices = args.indices.first();
        take.inStep = step[0];
        take.valueStep = step[1];
        take.indexStep = step[2];
        take.length = length;
        take.first = first;
        take.count = FastDivider64(count);
        take.n = lines * count;
        take.positions = order;
        queue.launch("sort", blocksFor(queue, take.n), take);
    });
}

template <class Queue>
void orderEntry(const OrderArgs& args) {
    takeInOrder<Queue>(args, 0, args.k);
}

template <class Queue>
void placeEntry(const OrderArgs& args) {
    takeInOrder<Queue>(args, args.k - 1, 1);
}

} // namespace stridescope::grid
