#pragma once
// The cells of a tensor as a table: its columns are the last dim, its rows all other indices in reading order.

#include "core/view/dims.h"

namespace stridescope {

struct CellsTable {
    Dims shape;
    Index columns() const { return shape.empty() ? 1 : shape.back(); }
    Index rows() const {
        Index rows = 1;
        for (std::size_t d = 0; d + 1 < shape.size(); ++d) rows *= shape[d];
        return rows;
    }
    Dims coord(Index row, Index column) const {
        Dims coord(shape.size(), 0);
        if (shape.empty()) return coord;
        coord.back() = column;
        for (std::size_t d = shape.size() - 1; d-- > 0;) {
            coord[d] = row % shape[d];
            row /= shape[d];
        }
        return coord;
    }
    /// The row of a coord that lies inside the shape; its column is the last index.
    Index rowOf(const Dims& coord) const {
        Index row = 0;
        for (std::size_t d = 0; d + 1 < shape.size(); ++d) row = row * shape[d] + coord[d];
        return row;
    }
};

} // namespace stridescope
