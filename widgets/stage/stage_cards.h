#pragma once
// Cards as the stage asks for them: from the state to what widgets/card wants to know.

#include "widgets/card/card_layout.h"
#include "widgets/stage/explore_state.h"

namespace stridescope {

/// Input of the card of `entry`, at most `limit` large. A preview of this tensor is not drawn on its own card: the
/// strip shows it, and the card must keep what the drag started from.
CardInput stageCardInput(const ExploreState& state, const TensorEntry& entry, QSizeF limit);
/// What a card may do to show more of its cells.
struct CardFreedom {
    int codeChars = 40;   ///< longer code is broken into lines
    bool wide = true;     ///< its cells may stand beside the formula; those of more than two dims may in any case
    bool whole = true;    ///< its code may stand in one line for more cells, though that makes it wider
    bool limited = false; ///< narrower than it would like: without its formula it has no more columns than with it
    bool facts = false;   ///< of its head it has the facts alone, in lines that may be as narrow as its cells
};
/// The card, made to fit `limit`, in the form that shows the most cells; of those that show as many, the one that
/// leaves out the least: first goes its note, then its lines stand closer together or the cells beside the formula, in
/// the end the formula goes. A larger limit never shows fewer cells.
CardLayout stageCard(const ExploreState& state, const TensorEntry& entry, QSizeF limit,
                     const CardFreedom& freedom = {});
/// Its width at any height, about.
qreal stageCardWidth(const ExploreState& state, const TensorEntry& entry, qreal limit, const CardFreedom& freedom);
/// Below this width a card with its cells beside the formula would show too few of them to be of use.
qreal leastCardWidth(const ExploreState& state, const TensorEntry& entry, const CardFreedom& freedom);
/// How much is seen of a card's cells: their number, or the size of pictures.
double cellsInSight(const CardLayout& card);
/// How much of its head a card has: 3 all of it with the formula, 2 all but that, 1 the facts, 0 code and size.
int headOf(const CardLayout& card);
/// Whether it has words, in a line of their own, about what is out of sight.
bool tellsLeftOut(const CardLayout& card);
/// The least height of a card with its whole head, its formula and two rows of cells.
qreal lowCardHeight(const ExploreState& state, const TensorEntry& entry, qreal width, const CardFreedom& freedom);

/// Width of a strip cell in which the values of `source` can be read with `padding` around them, at least `least`; from
/// a sample of the values.
qreal valueCellWidth(const Tensor& source, qreal least, qreal padding);

} // namespace stridescope
