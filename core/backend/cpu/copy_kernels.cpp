// Copy with conversion, and fill.

#include "core/backend/cpu/blocks.h"
#include "core/backend/cpu/cpu_kernels.h"
#include "core/backend/cpu/isa_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stridescope::cpu {

namespace {

/// Note [Wide elements] When no conversion is wanted, a short innermost run of 2, 4 or 8 bytes is one larger element:
/// x[:, 1:3] of float32 moves 8 bytes at a time instead of looping twice over 4.
Index widen(LoopSpace& space, Index item) {
    while (space.levels > 1) {
        const Index wide = item * space.size[0];
        for (int o = 0; o < space.operands; ++o)
            if (space.stride[0][o] != item) return item;
        if (wide > 8 || !std::has_single_bit(static_cast<std::uint64_t>(wide))) return item;
        --space.levels;
        for (int level = 0; level < space.levels; ++level) {
            space.size[level] = space.size[level + 1];
            for (int o = 0; o < space.operands; ++o) space.stride[level][o] = space.stride[level + 1][o];
        }
        item = wide;
    }
    return item;
}

/// Moves or converts on one thread's blocks.
class Copy {
public:
    /// Elements of `item` bytes as they are, or (item 0) from.dtype to to.dtype.
    Copy(const LoopSpace& space, DType to, DType from, Index item)
        : m_space(space), m_isa(isa()), m_same(item != 0), m_toItem(item ? item : cpu::item(to)),
          m_fromItem(item ? item : cpu::item(from)),
          m_convert(item ? m_isa.move[log2(item)] : m_isa.convert[indexOf(from)][indexOf(to)]) {
        m_outRuns = space.stride[0][0] == m_toItem;
        const auto bytes = static_cast<std::size_t>(space.numel() * m_toItem);
        m_stream = m_outRuns && bytes >= streamThreshold();
        m_shape.rowLevel = transposedLevel(space, 1, m_fromItem);
        m_transposed = m_shape.rowLevel > 0;
        if (m_transposed) {
            const auto address = reinterpret_cast<std::uintptr_t>(space.data[0]);
            // Every row of a block must start on a line, or streaming would write parts of lines.
            bool onLines = address % 64 == 0;
            for (int level = 1; level < space.levels; ++level) onLines &= space.stride[level][0] % 64 == 0;
            m_stream = m_outRuns && onLines && bytes >= transposeStreamThreshold();
            m_direct = m_same && m_outRuns && (!m_stream || m_isa.transposesLines[log2(m_fromItem)]);
            const Index largest = std::max(m_toItem, m_fromItem);
            m_shape.cols = std::min(space.size[0], transposeCols(largest));
            // Without a buffer in between the block may be long in the direction in which memory is read.
            m_shape.rows = std::min(space.size[m_shape.rowLevel], m_direct ? kLongSide : transposeRows(largest));
            return;
        }
        const bool plainRuns = m_same && m_outRuns && space.stride[0][1] == m_fromItem;
        const Index most = plainRuns ? 32 * kBlockItems : kBlockItems;
        m_shape.cols = std::min(space.size[0], most);
        if (space.levels > 1 && m_shape.cols <= kBlockItems / 2) {
            m_shape.rowLevel = 1;
            m_shape.rows = std::min(space.size[1], kBlockItems / m_shape.cols);
        }
    }

    void run() const {
        BlockWalk(m_space, m_shape)
            .visitAll([this](std::byte* const* data, Index rows, Index cols) { block(data[0], data[1], rows, cols); },
                      [this] {
                          if (m_stream) m_isa.streamFence();
                      });
    }

private:
    static constexpr Index kLongSide = 512;

    static std::size_t log2(Index size) {
        return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(size)));
    }
    Index rowStrideOf(int o) const { return m_shape.rowLevel > 0 ? m_space.stride[m_shape.rowLevel][o] : 0; }

    void block(std::byte* to, const std::byte* from, Index rows, Index cols) const {
        const Index toRow = rowStrideOf(0), toCol = m_space.stride[0][0];
        Index fromRow = rowStrideOf(1), fromCol = m_space.stride[0][1];
        Buffer turned;
        if (m_transposed) {
            if (m_direct) {
                m_isa.transpose[log2(m_fromItem)](to, toRow, from, fromCol, rows, cols, m_stream);
                return;
            }
            m_isa.transpose[log2(m_fromItem)](turned.bytes, cols * m_fromItem, from, fromCol, rows, cols, false);
            from = turned.bytes;
            fromRow = cols * m_fromItem;
            fromCol = m_fromItem;
        }
        Buffer gathered;
        if (!m_same && fromCol != m_fromItem && fromCol != 0 && cols >= 16) { // first together, then converted
            m_isa.move[log2(m_fromItem)](gathered.bytes, cols * m_fromItem, m_fromItem, from, fromRow, fromCol, rows,
                                         cols);
            from = gathered.bytes;
            fromRow = cols * m_fromItem;
            fromCol = m_fromItem;
        }
        if (!m_stream) {
            m_convert(to, toRow, toCol, from, fromRow, fromCol, rows, cols);
            return;
        }
        Buffer converted;
        // Short rows that make one run in the result are put together first: a stream of a few bytes is none.
        const bool shortRows = rows > 1 && toRow == cols * m_toItem && fromRow != toRow && toRow < 512;
        if (!m_same || fromCol != m_fromItem || shortRows) {
            m_convert(converted.bytes, cols * m_toItem, m_toItem, from, fromRow, fromCol, rows, cols);
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

    const LoopSpace& m_space;
    const IsaTable& m_isa;
    bool m_same; ///< no conversion
    Index m_toItem, m_fromItem;
    ConvertBlock m_convert;
    bool m_outRuns = false, m_stream = false;
    bool m_transposed = false, m_direct = false; ///< direct: from memory to memory without a buffer
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
    if (args.dtype[0] != args.dtype[1]) {
        Copy(space, args.dtype[0], args.dtype[1], 0).run();
        return;
    }
    const Index size = item(args.dtype[0]);
    if (space.levels == 1 && space.size[0] < kParallelThreshold && space.stride[0][0] == size &&
        space.stride[0][1] == size) {
        if (space.data[0] != space.data[1])
            std::memcpy(space.data[0], space.data[1], static_cast<std::size_t>(space.size[0] * size));
        return;
    }
    LoopSpace wide = space;
    const Index wideItem = widen(wide, size);
    Copy(wide, args.dtype[0], args.dtype[0], wideItem).run();
}

void fillKernel(const ElementwiseArgs& args, const void* value) {
    const std::size_t size = itemSize(args.dtype[0]);
    const LoopSpace& space = args.space;
    if (space.stride[0][0] == static_cast<Index>(size) && space.size[0] >= 32 && allBytesEqual(value, size)) {
        fillBytes(args, static_cast<const unsigned char*>(value)[0]);
        return;
    }
    // A fill is a copy of one element, or of a wide one made of several, that is repeated along every level.
    LoopSpace copy;
    copy.levels = space.levels;
    copy.operands = 1;
    copy.data[0] = space.data[0];
    for (int level = 0; level < space.levels; ++level) {
        copy.size[level] = space.size[level];
        copy.stride[level][0] = space.stride[level][0];
    }
    const Index wide = widen(copy, static_cast<Index>(size));
    std::byte pattern[8];
    for (std::size_t done = 0; done < static_cast<std::size_t>(wide); done += size)
        std::memcpy(pattern + done, value, size);
    copy.operands = 2;
    copy.data[1] = pattern;
    for (int level = 0; level < copy.levels; ++level) copy.stride[level][1] = 0;
    Copy(copy, args.dtype[0], args.dtype[0], wide).run();
}

} // namespace stridescope::cpu
