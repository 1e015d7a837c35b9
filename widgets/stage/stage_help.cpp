#include "widgets/stage/stage_help.h"

#include "widgets/card/card_layout.h"
#include "widgets/card/text_metrics.h"
#include "widgets/stage/linking.h"

#include <QCoreApplication>
#include <QStringList>

namespace stridescope {

namespace {

struct Help {
    Q_DECLARE_TR_FUNCTIONS(StageHelp)
};

/// "storage index = offset 1 + 2·4 + 1·1 = 10": the sum that the formula on the card shows.
QString sumOf(const TensorEntry& entry, const Dims& coord) {
    const View& view = entry.tensor.view();
    if (coord.size() != view.shape.size()) return {};
    QStringList terms{Help::tr("offset %1").arg(view.offset)};
    for (std::size_t d = 0; d < coord.size(); ++d) {
        terms << QStringLiteral("%1·%2").arg(coord[d]).arg(view.stride[d]);
    }
    return Help::tr("storage index = %1 = %2").arg(terms.join(QStringLiteral(" + "))).arg(view.slot(coord));
}

} // namespace

QString stageHelp(const WorkspaceSnapshot& snapshot, const Selection& selection) {
    QStringList parts{
        Help::tr("The cards are views, the strip below them is the storage that they share: the same cell has "
                 "the same ring everywhere.")};
    Selection pinned = selection;
    pinned.hover.reset();
    if (const std::optional<Pick> pick = seenPick(snapshot, pinned)) {
        parts << Help::tr("Picked: %1").arg(statusText(snapshot, pinned));
        if (const TensorEntry* entry = snapshot.tensor(pick->tensor)) parts << sumOf(*entry, pick->coord);
    } else {
        parts << Help::tr("No cell is picked: click one, or press an arrow key.");
    }
    parts << Help::tr(
        "Tab: next card, then the strip. Arrows: move the pick. Ctrl+Left, Ctrl+Right: the third dim from inside, on a "
        "picture the colour of the pixel; Ctrl+Up, Ctrl+Down: the fourth. Ctrl+PgDown, Ctrl+PgUp: the next slice, the "
        "one before. Enter: edit its value. Ctrl+G: go to an index. Esc: leave.");
    return parts.join(QStringLiteral("\n\n"));
}

QString leftOutHelp(const CardLayout& card, QPointF p) {
    const bool beside = card.lastFirstPanelRow > 0 || card.lastFirstPanelCol > 0;
    if (!beside && card.lastFirstRow() <= 0 && card.lastFirstCol() <= 0) return {};
    for (const TextItem& text : card.texts) {
        // Such words begin with dots, in a line of their own or, where there is none, in the head's last one. The cells
        // and their words may stand beside the head.
        const bool inHead = text.pos.y() < card.header.bottom() && text.pos.x() < card.header.right();
        const qsizetype dots = text.text.indexOf(QChar(0x2026));
        if (dots < 0 ||
            (inHead ? !card.input.windowInHead || card.leftOut.empty() || !text.text.endsWith(card.leftOut.back())
                    : dots > 0))
            continue;
        const qreal left = text.pos.x() + textWidth(text.font, text.text.left(dots));
        if (!QRectF(left, text.pos.y() - 14, textWidth(text.font, text.text.mid(dots)), 18).contains(p)) continue;
        QString help = Help::tr("Not all is in sight: the wheel over the card goes on, with Shift to the side.");
        if (beside)
            help += QLatin1Char(' ') + Help::tr("With a cell picked, Ctrl+PgDown and Ctrl+PgUp go to the next slice "
                                                "and to the one before.");
        return help;
    }
    return {};
}

} // namespace stridescope
