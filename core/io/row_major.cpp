#include "core/io/row_major.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace stridescope {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

/// Copies `count` elements that are `stride` elements apart. memcpy of a constant size becomes one load and store.
template <std::size_t ItemSize>
void gather(const std::byte* from, Index stride, std::size_t count, std::byte* to) {
    const Index step = stride * static_cast<Index>(ItemSize);
    for (std::size_t i = 0; i < count; ++i, from += step, to += ItemSize) std::memcpy(to, from, ItemSize);
}

void gather(const std::byte* from, Index stride, std::size_t count, std::size_t itemSize, std::byte* to) {
    switch (itemSize) {
    case 1:
        return gather<1>(from, stride, count, to);
    case 2:
        return gather<2>(from, stride, count, to);
    case 4:
        return gather<4>(from, stride, count, to);
    case 16:
        return gather<16>(from, stride, count, to);
    default:
        return gather<8>(from, stride, count, to);
    }
}

bool writeStrided(const Tensor& t, const View& v, ByteSink& sink) {
    const std::size_t item = t.itemSize();
    const std::byte* const base = t.storage()->data();
    const std::size_t rank = v.shape.size();
    const Index rowLength = rank == 0 ? 1 : v.shape[rank - 1];
    const Index rowStride = rowLength == 1 ? 0 : v.stride[rank - 1]; // an unused stride can be anything
    std::vector<std::byte> block(kBlock);
    const std::size_t perBlock = kBlock / item;
    std::size_t filled = 0;
    Dims coord(rank, 0);
    Index rowSlot = v.offset;
    for (;;) {
        for (Index at = 0; at < rowLength;) {
            const std::size_t count = std::min(perBlock - filled, static_cast<std::size_t>(rowLength - at));
            gather(base + (rowSlot + at * rowStride) * static_cast<Index>(item), rowStride, count, item,
                   block.data() + filled * item);
            at += static_cast<Index>(count);
            filled += count;
            if (filled == perBlock) {
                if (!sink.write(block)) return false;
                filled = 0;
            }
        }
        std::size_t d = rank > 0 ? rank - 1 : 0; // the row is done: on to the next one, like an odometer
        for (; d > 0; --d) {
            const std::size_t dim = d - 1;
            if (++coord[dim] < v.shape[dim]) {
                rowSlot += v.stride[dim];
                break;
            }
            rowSlot -= v.stride[dim] * (v.shape[dim] - 1); // never one step past the end: a stride can be huge
            coord[dim] = 0;
        }
        if (d == 0) break;
    }
    return filled == 0 || sink.write(std::span(block).first(filled * item));
}

} // namespace

bool writeRowMajor(const Tensor& t, ByteSink& sink) {
    if (t.numel() == 0) return true;
    if (!t.isContiguous()) return writeStrided(t, t.view(), sink);
    const std::byte* data = t.storage()->data() + t.storageOffset() * static_cast<Index>(t.itemSize());
    for (std::uint64_t left = static_cast<std::uint64_t>(t.nbytes()); left > 0;) {
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBlock));
        if (!sink.write({data, count})) return false;
        data += count;
        left -= count;
    }
    return true;
}

} // namespace stridescope
