#pragma once
// Cards as the stage asks for them: from the state to what widgets/card wants to know.

#include "widgets/card/card_layout.h"
#include "widgets/stage/explore_state.h"

namespace stridescope {

/// Input of the card of `entry`, at most `limit` large. A preview of this tensor is not drawn on its own card: the
/// strip shows it, and the card must keep what the drag started from.
CardInput stageCardInput(const ExploreState& state, const TensorEntry& entry, QSizeF limit);
/// The card, made to fit `limit`: first without its note, then with its lines closer together or with the cells beside
/// the formula, in the end without the formula. `codeChars`: longer code is broken into lines.
CardLayout stageCard(const ExploreState& state, const TensorEntry& entry, QSizeF limit, int codeChars = 40);

/// Width of a strip cell in which the values of `source` can be read with `padding` around them, at least `least`; from
/// a sample of the values.
qreal valueCellWidth(const Tensor& source, qreal least, qreal padding);

} // namespace stridescope
