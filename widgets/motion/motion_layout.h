#pragma once
// Where the boards of a plan stand in a picture of a size, and their cells. A cell's place is arithmetic: one vector
// for each dim, so that any number of cells costs nothing to lay out.

#include "widgets/motion/motion_plan.h"

#include <QSizeF>

namespace stridescope {

struct BoardPlace {
    QPointF origin;             ///< of the first cell
    std::vector<QPointF> steps; ///< of a card: to the next cell along each dim
    QSizeF cell{44, 32};
    QSizeF extent;    ///< of all cells
    QPointF header;   ///< of a card: upper left of its words; of a strip: of its handle
    Index perRow = 1; ///< of a strip
    qreal rowPitch = 0;
    bool index = false; ///< a strip has room for the slots below its cells
    QPointF from;       ///< where it stands before its stage, less where it stands after
};

struct MotionLayout {
    QSizeF size;
    std::vector<BoardPlace> boards;
    QRectF cards, strips;   ///< rooms
    qreal captionWidth = 0; ///< what is said is broken into lines of it; 0: as wide as the page
    static constexpr qreal kBand = 114, kHandle = 164, kHeader = 92, kMargin = 24;

    /// Upper left corner of the cell at a position of a board.
    QPointF cell(const MotionPlan& plan, int board, Index position) const;
    QRectF boardRect(int board) const;
};

MotionLayout motionLayout(const MotionPlan& plan, QSizeF size);

} // namespace stridescope
