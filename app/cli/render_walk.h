#pragma once
// Figures that stand still, as something that moves: a walk through the elements of what they are about.

#include "core/result.h"
#include "widgets/model/snapshot.h"
#include "widgets/scene/animation.h"

namespace stridescope {

/// The element of a tensor, as it is picked.
Pick pickOf(const TensorEntry& entry, const Dims& element);

/// At t the figure is about the element that a walk in reading order has come to: 0 is the first one, 1 the last one.
/// `draw` draws it; refused with its refusal, and (CLI-01) for a view without elements. All pictures have one size.
Result<Animation> walkAnimation(const View& view, std::function<Result<Scene>(const Dims& element)> draw);

} // namespace stridescope
