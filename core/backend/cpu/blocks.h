#pragma once
// Cuts a LoopSpace into blocks of rows x cols that are handled one after the other, on any number of threads.

#include "core/backend/cpu/thread_pool.h"
#include "core/backend/loop/loop_space.h"

namespace stridescope::cpu {

/// Largest block that is converted or transposed through a buffer on the stack (at most 16 KiB an operand).
inline constexpr Index kBlockItems = 1024;
inline constexpr std::size_t kBufferBytes = std::size_t{16} << 10;

struct alignas(64) Buffer {
    std::byte bytes[kBufferBytes];
};

struct BlockShape {
    int rowLevel = -1; ///< level of the rows; -1: every block is one row
    Index rows = 1, cols = 1;
};

/// Visits blocks; the innermost loop goes along level 0, then along the row level, then over the rest.
class BlockWalk {
public:
    BlockWalk(const LoopSpace& space, const BlockShape& shape) : m_space(space), m_shape(shape) {
        addLevel((space.size[0] + shape.cols - 1) / shape.cols, 0, shape.cols);
        const bool hasRows = shape.rowLevel > 0;
        if (hasRows) addLevel((space.size[shape.rowLevel] + shape.rows - 1) / shape.rows, shape.rowLevel, shape.rows);
        for (int level = 1; level < space.levels; ++level)
            if (level != shape.rowLevel) addLevel(space.size[level], level, 1);
        m_lastCols = space.size[0] - (m_count[0] - 1) * shape.cols;
        m_lastRows = hasRows ? space.size[shape.rowLevel] - (m_count[1] - 1) * shape.rows : 1;
    }

    Index blocks() const {
        Index n = 1;
        for (int i = 0; i < m_levels; ++i) n *= m_count[i];
        return n;
    }

    /// Calls `body(pointers, rows, cols)` for the blocks [begin, end).
    template <class Body>
    void visit(Index begin, Index end, Body&& body) const {
        Index at[kMaxDims + 2];
        std::byte* data[kMaxOperands];
        for (int o = 0; o < m_space.operands; ++o) data[o] = m_space.data[o];
        Index rest = begin;
        for (int i = 0; i < m_levels; ++i) {
            at[i] = rest % m_count[i];
            rest /= m_count[i];
            for (int o = 0; o < m_space.operands; ++o) data[o] += at[i] * m_items[i] * m_space.stride[m_level[i]][o];
        }
        const bool hasRows = m_shape.rowLevel > 0;
        for (Index block = begin; block < end; ++block) {
            const Index cols = at[0] == m_count[0] - 1 ? m_lastCols : m_shape.cols;
            const Index rows = !hasRows ? 1 : at[1] == m_count[1] - 1 ? m_lastRows : m_shape.rows;
            body(data, rows, cols);
            for (int i = 0; i < m_levels; ++i) {
                const Index* stride = m_space.stride[m_level[i]];
                if (++at[i] < m_count[i]) {
                    for (int o = 0; o < m_space.operands; ++o) data[o] += m_items[i] * stride[o];
                    break;
                }
                at[i] = 0;
                for (int o = 0; o < m_space.operands; ++o) data[o] -= (m_count[i] - 1) * m_items[i] * stride[o];
            }
        }
    }

    /// The same for all blocks, on several threads when there are enough elements. Each thread calls `done()` after
    /// each range of blocks.
    template <class Body, class Done>
    void visitAll(Body&& body, Done&& done) const {
        const Index total = blocks();
        const Index items = m_space.numel();
        if (items < kParallelThreshold || total == 1) {
            visit(0, total, body);
            done();
            return;
        }
        const Index perBlock = (items + total - 1) / total;
        const Index grain = (kParallelThreshold / 2 + perBlock - 1) / perBlock;
        parallelFor(0, total, grain, [&](Index begin, Index end) {
            visit(begin, end, body);
            done();
        });
    }

private:
    void addLevel(Index count, int level, Index items) {
        m_count[m_levels] = count;
        m_level[m_levels] = level;
        m_items[m_levels] = items;
        ++m_levels;
    }

    const LoopSpace& m_space;
    BlockShape m_shape;
    int m_levels = 0;
    Index m_lastCols = 0, m_lastRows = 0;
    Index m_count[kMaxDims + 2]; ///< steps of each loop over blocks, innermost first
    int m_level[kMaxDims + 2];   ///< the level of the space that it goes along
    Index m_items[kMaxDims + 2]; ///< elements of that level a step
};

/// Bytes from which a result is written past the caches: a quarter of the last-level cache, because streaming stores
/// lose as long as the result stays in it. Settable for tests and benchmarks (0 asks the system again).
std::size_t streamThreshold();
void setStreamThreshold(std::size_t bytes);

/// The level along which `operand` is contiguous while it is not along level 0: the other side of a transpose. -1:
/// none.
int transposedLevel(const LoopSpace& space, int operand, Index itemSize);

/// Transposes stream from this size on, cached or not: without, they read every line of the result first, and columns
/// of a power-of-two pitch push each other out of the caches.
inline std::size_t transposeStreamThreshold() {
    constexpr std::size_t kMost = std::size_t{512} << 10;
    return std::min(streamThreshold(), kMost);
}

/// Sides of a transposed block that goes through a buffer, for elements of at most `itemSize` bytes.
constexpr Index transposeCols(Index itemSize) {
    return itemSize == 8 ? 32 : 64;
}
constexpr Index transposeRows(Index itemSize) {
    return itemSize == 1 ? 256 : itemSize == 2 ? 128 : 64;
}
static_assert(transposeCols(8) * transposeRows(8) * 8 <= Index{kBufferBytes} &&
              transposeCols(4) * transposeRows(4) * 4 <= Index{kBufferBytes} &&
              transposeCols(2) * transposeRows(2) * 2 <= Index{kBufferBytes} &&
              transposeCols(1) * transposeRows(1) <= Index{kBufferBytes});

} // namespace stridescope::cpu
