// Order along a dim, for the kernel table.

#include "core/backend/cpu/row_walk.h"
#include "core/backend/cpu/sort_kernels.h"
#include "core/backend/cpu/thread_pool.h"

#include <algorithm>
#include <cstring>

namespace stridescope::cpu {

namespace {

/// The lanes along `dim`: the other dims in row-major order.
struct Lanes {
    Dims shape; ///< without the dim
    std::array<RowOperand, 3> operands;
    std::array<Index, 3> step; ///< bytes from one element of a lane to the next
    Index length = 1, count = 1;

    explicit Lanes(const OrderArgs& args) : shape(args.in.view.shape) {
        const auto dim = static_cast<std::size_t>(args.dim);
        length = shape[dim];
        shape.erase(dim);
        for (const Index size : shape) count *= size;
        const Strided* const tensors[] = {&args.in, &args.values, &args.indices};
        for (std::size_t o = 0; o < 3; ++o) {
            Dims strides = tensors[o]->view.stride;
            for (Index& s : strides) s *= static_cast<Index>(itemSize(tensors[o]->dtype));
            step[o] = strides[dim];
            strides.erase(dim);
            operands[o] = {tensors[o]->first(), std::move(strides)};
        }
    }
};

/// Calls `body(lane, addresses)` for every lane, on several threads when there is enough to do; `addresses` are those
/// of the first elements of the lane in each tensor.
template <class Body>
void forLanes(const Lanes& lanes, Body body) {
    const RowWalk<3> walk(lanes.shape, lanes.operands);
    const Index grain = std::max<Index>(1, kParallelThreshold / 8 / std::max<Index>(1, lanes.length));
    parallelFor(0, lanes.count, grain, [&](Index begin, Index end) {
        SortLane lane;
        walk.visit(begin, end, [&](std::array<std::byte*, 3> data, Index n) {
            for (Index i = 0; i < n; ++i) {
                body(lane, data);
                for (std::size_t o = 0; o < 3; ++o) data[o] += walk.innerStride(o);
            }
        });
    });
}

} // namespace

void orderKernel(const OrderArgs& args) {
    const Lanes lanes(args);
    const std::size_t item = itemSize(args.in.dtype);
    const auto [from, to, at] = lanes.step;
    forLanes(lanes, [&, from = from, to = to, at = at](SortLane& lane, const std::array<std::byte*, 3>& data) {
        if (!args.stable && args.k > 0 && arePicksFew(args.k, lanes.length)) {
            pickFew(lane, data[0], from, lanes.length, args.in.dtype, args.descending, args.k);
        } else {
            loadKeys(lane, data[0], from, lanes.length, args.in.dtype, args.descending);
            if (args.stable)
                sortFirst(lane, args.k, args.in.dtype);
            else
                pickFirst(lane, args.k, args.sorted);
        }
        for (Index i = 0; i < args.k; ++i) {
            const Index position = lane.order[static_cast<std::size_t>(i)];
            std::memcpy(data[1] + i * to, data[0] + position * from, item);
            std::memcpy(data[2] + i * at, &position, sizeof position);
        }
    });
}

void placeKernel(const OrderArgs& args) {
    const Lanes lanes(args);
    const std::size_t item = itemSize(args.in.dtype);
    const Index from = lanes.step[0];
    forLanes(lanes, [&](SortLane& lane, const std::array<std::byte*, 3>& data) {
        loadKeys(lane, data[0], from, lanes.length, args.in.dtype, false);
        selectPlace(lane, args.k - 1);
        const Index position = lane.order[static_cast<std::size_t>(args.k - 1)];
        std::memcpy(data[1], data[0] + position * from, item);
        std::memcpy(data[2], &position, sizeof position);
    });
}

} // namespace stridescope::cpu
