#pragma once
// BlockLayout: a 3-d view in cabinet projection. Front faces are true to scale, depth runs at 45° at half length, and
// slices are pulled apart by whole cells plus one depth, so that a digit is either seen whole or hidden whole: by two
// cells, or so many as bring the line from slice to slice nearest to 45° where cells are not square.

#include "core/view/view.h"
#include "widgets/card/draw.h"

#include <optional>
#include <vector>

namespace stridescope {

/// Index 0 of the first dim is the slice in front. The view can be cut out of a larger `frame` (the view that it was
/// narrowed or stepped from): its cells then stay where they are in the frame, and the others are drawn as ghosts.
struct BlockLayout {
    QPointF origin; ///< top left of cell (0, 0, 0) of the frame
    QSizeF cell{34, 34};
    /// Cells from slice to slice, to the right and up: whole ones, or so many to the right that no slice hides another
    /// one.
    QSizeF apart{2, 2};
    Dims frame;         ///< sizes of the frame: slices, rows, columns; all > 0
    Dims first;         ///< frame coord of the view's cell (0, 0, 0)
    Dims step{1, 1, 1}; ///< cells of the frame from one index of the view to the next
    Dims shape;         ///< sizes of the view
    bool ticks = false; ///< indices stand beside the cells: the first, the last and the picked one of each dim

    /// Length of one cell's depth along x and along y.
    qreal depth() const;
    /// From slice to slice, towards the back.
    QPointF pull() const;
    /// The angle of pull() over the horizontal, in degrees.
    qreal slant() const;
    /// How far it is from a block as it should be: 0 for slices of square cells at 45°, more the flatter or steeper
    /// they lie, for lower cells and without ticks; most for slices side by side.
    qreal fault() const;
    /// Everything that the frame covers, faces included.
    QRectF bounds() const;
    /// Front face of a cell, by coord in the view.
    QRectF cellRect(const Dims& coord) const {
        return frameRect(first[0] + coord[0] * step[0], first[1] + coord[1] * step[1], first[2] + coord[2] * step[2]);
    }
    /// The cell seen at `p`: the one in front where several lie.
    std::optional<Dims> cellAt(QPointF p) const;
    /// False where a slice in front covers the cell.
    bool isSeen(const Dims& coord) const;

    QRectF frameRect(Index slice, Index row, Index col) const;
};

/// True for views that are drawn with a number on every cell: 3-d, none of the sizes 0, at most 4 × 4 × 6.
bool fitsBlocks(const View& v);
/// How a view lies in another one of as many dims.
struct BoxInside {
    Dims first, step;
};
/// Where `v` sits inside `parent` when it is a box of it, whole or every n-th index (narrow and slice of any dims).
std::optional<BoxInside> boxInside(const View& v, const View& parent);

struct BlockInput {
    Tensor source;              ///< storage and dtype
    View view;                  ///< what is drawn: 3 dims
    std::optional<View> parent; ///< 3 dims: left-out cells become ghosts
    TensorId tensor = 0;
    int colour = 0;
    CellText text = CellText::Value;
    std::vector<Dims> rings;    ///< coords that get a ring; neighbours in a row or column share one
    std::vector<QString> names; ///< dim names, empty for none
    qreal cellWidth = 0;        ///< 0: as wide as the widest text needs, at least 34
    bool ticks = false;         ///< indices beside the cells, as far as there is room
    QSizeF room;                ///< for the block with its arrows; empty: as much as it likes
};

/// Geometry with cell (0, 0, 0) of the frame at (0, 0); move it by setting `origin`. Of the layouts that have room, the
/// one of the least fault(): every slice behind another one is seen by 60 % and lies at 30° to 60°; where none of those
/// has room, slices stand side by side. The result may still be larger than the room: see blockFits().
BlockLayout layoutBlock(const BlockInput& input);
/// True when the block and its arrows have room in `input.room`.
bool blockFits(const BlockInput& input, const BlockLayout& layout);
/// Room for the arrows and their labels around bounds().
QMarginsF blockMargins(const BlockInput& input, const BlockLayout& layout);
/// The ring of picked elements, round one cell or a run of them.
void appendRing(SceneBuilder& out, const QRectF& rect);
/// Ghosts, slices from back to front, rings, chain links and the three arrows with "dim 0 · 2" and their ticks.
void appendBlock(SceneBuilder& out, const BlockInput& input, const BlockLayout& layout);

} // namespace stridescope
