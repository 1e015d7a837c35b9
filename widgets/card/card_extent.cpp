// How many cells of which size a direction of the body has room for.

#include "widgets/card/card_body_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope::card {

void fitNumbers(Extent& e, qreal room, qreal gap, qreal natural, qreal least, Index most) {
    const auto share = [&](Index cells, Index panels) {
        const qreal each = (room - gap * pixels(panels - 1)) / (pixels(cells) * pixels(panels));
        return std::clamp(std::floor(each), least, natural);
    };
    e.shownPanels = 1;
    e.shownCells = most > 0 ? std::min(most, e.cells) : e.cells;
    const qreal one = least * pixels(e.shownCells);
    if (one <= room) {
        e.shownPanels = std::clamp<Index>(static_cast<Index>((room + gap) / (one + gap)), 1, e.onePanel ? 1 : e.panels);
    } else {
        // Cells as small as can be read: more of them are worth more than their size.
        e.shownCells = std::clamp<Index>(static_cast<Index>(room / least), 1, e.shownCells);
    }
    e.cell = share(e.shownCells, e.shownPanels);
}

void fitPicture(Extent& e, qreal room, qreal gap, qreal least) {
    e.shownCells = e.cells;
    e.shownPanels = std::clamp<Index>(static_cast<Index>((room + gap) / (least + gap)), 1, e.panels);
    const qreal panel = (room - gap * pixels(e.shownPanels - 1)) / pixels(e.shownPanels);
    e.cell = std::min(panel / pixels(e.cells), kCellHeight);
}

} // namespace stridescope::card
