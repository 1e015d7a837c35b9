#pragma once
// The pieces of the view-fails figure, from top to bottom. Only view_fails.cpp puts them together.

#include "widgets/figures/figure_parts.h"
#include "widgets/figures/view_fails.h"

namespace stridescope::fails {

inline constexpr qreal kGap = 12;
/// Height of the row of cards, and where the window is short.
inline constexpr qreal kRow = 262, kSlimRow = 200;
inline constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;

/// Everything that the parts of the figure need to know, worked out once.
struct Facts {
    const ViewFailsInput& input;
    const Tensor& tensor;
    const View& view;
    ViewMergeFailure why;
    Dims wanted;              ///< without -1
    std::vector<Index> slots; ///< visiting order around the failure
    Index firstPosition = 0;  ///< of slots[0]
    Index before = 0;         ///< slot of the element before the failing one
    Index needed = 0;         ///< slot that the view needs next
    Index expected = 0;       ///< slot to which the step so far leads
    Index storageNumel = 0;
    Index columns = 1; ///< size of the wanted last dim
    qreal width = 900; ///< of cards and strip
    qreal spare = 0;   ///< height that cards may have beyond their usual one
    bool parentCard = true, slim = false;
    bool hoverInstead = false; ///< the lane of what is under the pointer has no room of its own
    bool beyond() const { return expected < 0 || expected >= storageNumel; }
    QString name() const { return input.entry->name; }
};

Facts factsOf(const ViewFailsInput& input);
/// The elements before the failing one that lie one step apart: they alone fix the step.
Index runLength(const Facts& f);
/// "+4, +4": the steps before the one that differs.
QString stepsSoFar(const Facts& f);
inline Index slotAt(const Facts& f, Index position) {
    return f.slots[static_cast<std::size_t>(position - f.firstPosition)];
}

/// Cards of the source and of the tensor it is a view of; returns the right edge and the bottom.
QPointF appendCards(SceneBuilder& out, const Facts& f, QPointF at, qreal& rowHeight);
/// "Wanted": the row that the view asks for, walked up to the step that differs.
void appendWanted(SceneBuilder& out, const Facts& f, const QRectF& rect);
/// How the ways out are laid out.
enum class Ways {
    Row,    ///< beside each other
    Column, ///< one under another
    Sketch, ///< one under another, with a row of cells for a picture
    Brief,  ///< the same without the words between
};
/// Of the ways out, in the order of their buttons: those that memory has room for come first, without a button the
/// rest.
struct ListedWay {
    WayOut way;
    QString code;    ///< with the name that its result gets
    QString refused; ///< why it cannot be had now; then it has no button
};
std::vector<ListedWay> listedWays(const Facts& f);
/// The ways out, from `at` on and `width` wide; adds a line of code for each. Returns the bottom.
qreal appendWays(SceneBuilder& out, const Facts& f, QPointF at, qreal width, Ways ways, std::vector<QString>& codes);

} // namespace stridescope::fails
