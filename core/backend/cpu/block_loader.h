#pragma once
// Brings blocks of any stride and dtype into contiguous rows of a work type, in a buffer that never leaves the
// first-level cache.

#include "core/backend/cpu/blocks.h"
#include "core/backend/cpu/cpu_kernels.h"
#include "core/backend/cpu/isa_table.h"

#include <bit>

namespace stridescope::cpu {

/// Elements of `from`, rounded to `via` as copy_ does, then widened to `via`'s work type (Half to float).
class BlockLoader {
public:
    BlockLoader(DType from, DType via)
        : m_isa(isa()), m_from(from), m_via(via), m_work(via == DType::Float16 ? DType::Float32 : via),
          m_item(item(from)) {}

    DType work() const { return m_work; }
    /// Contiguous elements of the input are what the loops want already.
    bool isDirect() const { return m_from == m_work && m_via == m_work; }
    /// Most elements of a block.
    Index most() const { return kBlockItems; }

    /// rows x cols elements to contiguous rows in `to`. Strides are in bytes, rows * cols <= 2 * most().
    void load(Buffer& to, const std::byte* data, Index row, Index col, Index rows, Index cols) const {
        if (m_from == m_work && m_via == m_work) {
            gather(to.bytes, data, row, col, rows, cols);
            return;
        }
        Buffer gathered;
        if (col != m_item && rows * cols >= 16) {
            gather(gathered.bytes, data, row, col, rows, cols);
            data = gathered.bytes;
            row = cols * m_item;
            col = m_item;
        }
        const Index toCol = item(m_work);
        if (m_via != m_work && m_from != m_via) { // rounded to Half first
            Buffer half;
            m_isa.convert[indexOf(m_from)][indexOf(m_via)](half.bytes, cols * 2, 2, data, row, col, rows, cols);
            m_isa.convert[indexOf(m_via)][indexOf(m_work)](to.bytes, cols * toCol, toCol, half.bytes, cols * 2, 2, rows,
                                                           cols);
            return;
        }
        m_isa.convert[indexOf(m_from)][indexOf(m_work)](to.bytes, cols * toCol, toCol, data, row, col, rows, cols);
    }

private:
    /// The elements as they are, rows together.
    void gather(std::byte* to, const std::byte* data, Index row, Index col, Index rows, Index cols) const {
        const auto size = std::countr_zero(static_cast<unsigned>(m_item));
        if (row == m_item && col != m_item && rows > 1)
            m_isa.transpose[size](to, cols * m_item, data, col, rows, cols, false);
        else
            m_isa.move[size](to, cols * m_item, m_item, data, row, col, rows, cols);
    }

    const IsaTable& m_isa;
    DType m_from, m_via, m_work;
    Index m_item;
};

} // namespace stridescope::cpu
