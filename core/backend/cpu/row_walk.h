#pragma once
// Goes through several views of one shape in row-major order, from any position to any other.

#include "core/backend/index_args.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace stridescope::cpu {

using stridescope::RowOperand;

/// Neighbouring dims that are one run in every operand are merged.
template <std::size_t N>
class RowWalk {
public:
    RowWalk(const Dims& shape, const std::array<RowOperand, N>& operands) {
        for (std::size_t o = 0; o < N; ++o) m_data[o] = operands[o].data;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const Index size = shape[d];
            if (size == 1) continue;
            bool merges = m_levels > 0;
            for (std::size_t o = 0; o < N && merges; ++o)
                merges = m_stride[m_levels - 1][o] == size * operands[o].stride[d];
            if (!merges) ++m_levels;
            m_size[m_levels - 1] = merges ? m_size[m_levels - 1] * size : size;
            for (std::size_t o = 0; o < N; ++o) m_stride[m_levels - 1][o] = operands[o].stride[d];
        }
        if (m_levels == 0) {
            m_levels = 1;
            m_size[0] = 1;
            m_stride[0].fill(0);
        }
    }

    /// Step of operand `o` within a run.
    Index innerStride(std::size_t o) const { return m_stride[m_levels - 1][o]; }

    /// Calls `body(pointers, count)` for runs along the innermost level that together are [begin, end).
    template <class Body>
    void visit(Index begin, Index end, Body&& body) const {
        if (begin >= end) return;
        std::array<Index, kMaxDims> at;
        std::array<std::byte*, N> data = m_data;
        Index rest = begin;
        for (int level = m_levels - 1; level >= 0; --level) {
            at[level] = rest % m_size[level];
            rest /= m_size[level];
            for (std::size_t o = 0; o < N; ++o) data[o] += at[level] * m_stride[level][o];
        }
        const int inner = m_levels - 1;
        for (Index position = begin; position < end;) {
            const Index count = std::min(m_size[inner] - at[inner], end - position);
            body(data, count);
            position += count;
            for (std::size_t o = 0; o < N; ++o) data[o] -= at[inner] * m_stride[inner][o];
            at[inner] = 0;
            for (int level = inner - 1; level >= 0; --level) {
                for (std::size_t o = 0; o < N; ++o) data[o] += m_stride[level][o];
                if (++at[level] < m_size[level]) break;
                for (std::size_t o = 0; o < N; ++o) data[o] -= m_size[level] * m_stride[level][o];
                at[level] = 0;
            }
        }
    }

private:
    int m_levels = 0;
    std::array<std::byte*, N> m_data{};
    std::array<Index, kMaxDims> m_size;
    std::array<std::array<Index, N>, kMaxDims> m_stride;
};

} // namespace stridescope::cpu
