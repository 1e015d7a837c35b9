// Copy with conversion, and fill.

#include "core/backend/cpu/blocks.h"
#include "core/backend/cpu/cpu_kernels.h"
#include "core/backend/cpu/isa_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stridescope::cpu {

namespace {

class Copy {
public:
    explicit Copy(const ElementwiseArgs& args)
        : m_args(args), m_isa(isa()), m_to(args.dtype[0]), m_from(args.dtype[1]), m_toItem(item(m_to)),
          m_fromItem(item(m_from)) {
        const LoopSpace& space = args.space;
        m_outRuns = space.stride[0][0] == m_toItem;
        m_stream = m_outRuns && static_cast<std::size_t>(space.numel() * m_toItem) >= streamThreshold();
        m_shape.rowLevel = transposedLevel(space, 1, m_fromItem);
        m_transposed = m_shape.rowLevel > 0;
        if (m_transposed) {
            const Index side = transposeSide(static_cast<std::size_t>(std::max(m_toItem, m_fromItem)));
            m_shape.cols = std::min(space.size[0], side);
            m_shape.rows = std::min(space.size[m_shape.rowLevel], side);
            return;
        }
        const bool plainRuns = m_to == m_from && m_outRuns && space.stride[0][1] == m_fromItem;
        const Index most = plainRuns ? 32 * kBlockItems : kBlockItems;
        m_shape.cols = std::min(space.size[0], most);
        if (space.levels > 1 && m_shape.cols <= kBlockItems / 2) {
            m_shape.rowLevel = 1;
            m_shape.rows = std::min(space.size[1], kBlockItems / m_shape.cols);
        }
    }

    void run() const {
        BlockWalk(m_args.space, m_shape)
            .visitAll([this](std::byte* const* data, Index rows, Index cols) { block(data[0], data[1], rows, cols); },
                      [this] {
                          if (m_stream) m_isa.streamFence();
                      });
    }

private:
    Index rowStrideOf(int o) const { return m_shape.rowLevel > 0 ? m_args.space.stride[m_shape.rowLevel][o] : 0; }

    void block(std::byte* to, const std::byte* from, Index rows, Index cols) const {
        const Index toRow = rowStrideOf(0), toCol = m_args.space.stride[0][0];
        Index fromRow = rowStrideOf(1), fromCol = m_args.space.stride[0][1];
        const bool same = m_to == m_from;
        Buffer turned;
        if (m_transposed) {
            const auto log2 = static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(m_fromItem)));
            if (same && m_outRuns) {
                m_isa.transpose[log2](to, toRow, from, fromCol, rows, cols, m_stream);
                return;
            }
            m_isa.transpose[log2](turned.bytes, cols * m_fromItem, from, fromCol, rows, cols, false);
            from = turned.bytes;
            fromRow = cols * m_fromItem;
            fromCol = m_fromItem;
        }
        if (!m_stream) {
            m_isa.convert[indexOf(m_from)][indexOf(m_to)](to, toRow, toCol, from, fromRow, fromCol, rows, cols);
            return;
        }
        Buffer converted;
        if (!same || fromCol != m_fromItem) {
            m_isa.convert[indexOf(m_from)][indexOf(m_to)](converted.bytes, cols * m_toItem, m_toItem, from, fromRow,
                                                          fromCol, rows, cols);
            from = converted.bytes;
            fromRow = cols * m_toItem;
        }
        const Index bytes = cols * m_toItem;
        if (rows == 1 || (toRow == bytes && fromRow == bytes)) {
            m_isa.streamCopy(to, from, static_cast<std::size_t>(rows * bytes));
            return;
        }
        for (Index r = 0; r < rows; ++r)
            m_isa.streamCopy(to + r * toRow, from + r * fromRow, static_cast<std::size_t>(bytes));
    }

    const ElementwiseArgs& m_args;
    const IsaTable& m_isa;
    DType m_to, m_from;
    Index m_toItem, m_fromItem;
    bool m_outRuns = false, m_stream = false, m_transposed = false;
    BlockShape m_shape;
};

bool allBytesEqual(const void* value, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(value);
    return std::all_of(bytes, bytes + size, [bytes](unsigned char b) { return b == bytes[0]; });
}

/// Every row by memset: the one store that needs no read for ownership at any size.
void fillBytes(const ElementwiseArgs& args, int byte) {
    const LoopSpace& space = args.space;
    const Index size = item(args.dtype[0]);
    BlockShape shape;
    shape.cols = std::min(space.size[0], (Index{1} << 20) / size);
    BlockWalk(space, shape)
        .visitAll([&](std::byte* const* data, Index,
                      Index cols) { std::memset(data[0], byte, static_cast<std::size_t>(cols * size)); },
                  [] {});
}

} // namespace

void copyKernel(const ElementwiseArgs& args) {
    const LoopSpace& space = args.space;
    if (space.levels == 1 && args.dtype[0] == args.dtype[1] && space.size[0] < kParallelThreshold) {
        const Index size = item(args.dtype[0]);
        if (space.stride[0][0] == size && space.stride[0][1] == size) {
            if (space.data[0] != space.data[1])
                std::memcpy(space.data[0], space.data[1], static_cast<std::size_t>(space.size[0] * size));
            return;
        }
    }
    Copy(args).run();
}

void fillKernel(const ElementwiseArgs& args, const void* value) {
    const std::size_t size = itemSize(args.dtype[0]);
    const LoopSpace& space = args.space;
    if (space.stride[0][0] == static_cast<Index>(size) && space.size[0] >= 32 && allBytesEqual(value, size)) {
        fillBytes(args, static_cast<const unsigned char*>(value)[0]);
        return;
    }
    // A fill is a copy of one element that is repeated along every level.
    ElementwiseArgs copy;
    copy.space.levels = space.levels;
    copy.space.operands = 2;
    copy.space.data[0] = space.data[0];
    copy.space.data[1] = static_cast<std::byte*>(const_cast<void*>(value));
    for (int level = 0; level < space.levels; ++level) {
        copy.space.size[level] = space.size[level];
        copy.space.stride[level][0] = space.stride[level][0];
        copy.space.stride[level][1] = 0;
    }
    copy.dtype = {args.dtype[0], args.dtype[0]};
    Copy(copy).run();
}

} // namespace stridescope::cpu
