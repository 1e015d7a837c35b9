#pragma once
// The picture of an operation in words, at a moment: for screen readers.

#include "widgets/motion/motion_layout.h"
#include "widgets/shared/picture_accessible.h"

namespace stridescope {

/// "Stage 2 of 3, Window. Which cells of the strip will be reached?"
QString motionCaption(const MotionPlan& plan, qreal t);
/// What is said, the cards, the strips. Rectangles are the picture's; a table's index is its board. Of cells that are
/// too many there is no table, but words.
std::vector<PicturePart> motionTold(const MotionPlan& plan, const MotionLayout& layout, qreal t);
/// "x[1, 2], value 6., storage #1 index 6", "the result[0], not there yet"; of a strip "index 3, value 4., reached by
/// x". All cells of a board, by position.
QStringList motionCellNames(const MotionPlan& plan, const MotionLayout& layout, qreal t, int board);
/// Where a cell is.
QRectF motionCellRect(const MotionPlan& plan, const MotionLayout& layout, qreal t, int board, Index position);

/// Registers the factory for MotionView.
void installMotionAccessibility();

} // namespace stridescope
