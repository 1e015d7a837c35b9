#pragma once
// What the body of a card is put together from. Only layoutBody() and the files that divide its work see it.

#include "widgets/card/card_parts.h"

#include <optional>

namespace stridescope::card {

inline constexpr qreal kCellWidth = 44, kCellHeight = 32;

inline qreal pixels(Index count) {
    return static_cast<qreal>(count);
}

/// What one direction of the body shows: cells of one panel and panels beside each other.
struct Extent {
    Index cells = 1, panels = 1;           ///< there are
    Index shownCells = 1, shownPanels = 1; ///< fit
    bool onePanel = false;                 ///< no more are shown, whatever fits
    qreal cell = kCellWidth;
    qreal panel() const { return cell * pixels(shownCells); }
    qreal total(qreal gap) const { return panel() * pixels(shownPanels) + gap * pixels(shownPanels - 1); }
};
/// Numbered cells: shrink them, then show fewer panels, then a window on the only panel, at most `most` cells (0: any).
void fitNumbers(Extent& e, qreal room, qreal gap, qreal natural, qreal least, Index most = 0);
/// A picture: whole panels, as large as is useful, cells of any size up to that of numbered ones.
void fitPicture(Extent& e, qreal room, qreal gap, qreal least);

/// How the dims are spread over the body.
struct Roles {
    int row = -1, col = -1, panelRow = -1, panelCol = -1;
};
/// The last `most` dims, from the columns outwards, without the one that holds colours.
Roles rolesOf(const View& view, std::size_t most, int channelDim = -1);
/// Size of a dim; 1 where there is none.
Index sizeOf(const View& view, int dim);

/// The block instead of panels, right of and below `at`. Nothing where it has no room.
std::optional<qreal> layoutBlocks(CardLayout& card, QPointF at, qreal& width);

} // namespace stridescope::card
