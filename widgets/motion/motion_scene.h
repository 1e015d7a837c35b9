#pragma once
// The picture of a motion at a moment: a pure function of the plan, the places and t.

#include "widgets/motion/motion_layout.h"
#include "widgets/scene/animation.h"

namespace stridescope {

/// `layout` was made of `plan`. Parts: CardCells with `index` = board, StripCells with the storage.
Scene motionScene(const MotionPlan& plan, const MotionLayout& layout, qreal t);
/// The size that a file has when none is asked for.
QSizeF motionNaturalSize(const MotionPlan& plan);
/// The size of a page on which every cell of the cards has room for its number; where there is none, the natural size.
QSizeF motionRoomySize(const MotionPlan& plan);
/// Whether a page of that size leaves no room for numbers in cells that a page of the natural or of the roomy size has
/// room for, or for the cards above the strips.
bool motionIsCramped(const MotionPlan& plan, QSizeF size);
/// From the first number to the last cell, for files that move.
Animation motionAnimation(std::shared_ptr<const MotionPlan> plan, QSizeF size);

} // namespace stridescope
