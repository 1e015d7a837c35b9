// Under the result's card: the element that is computed now or was clicked, its arithmetic, and where it is read from.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

namespace stridescope::broadcast {

namespace {

/// Where the element is read from, an operand under the other; where there is no room for that, beside one another
/// and without the storages, which the cards tell.
void appendSources(SceneBuilder& out, const Picture& p, Index element, qreal y) {
    constexpr qreal kLine = 18, kLowLine = 16, kText = 22, kBetween = 10;
    const QRectF& room = p.places.now;
    const auto lines = static_cast<qreal>(p.model.operands.size());
    const bool brief = y + kLine * (lines - 1) > room.bottom() - 2;
    qreal x = room.left();
    for (const BroadcastOperand& operand : p.model.operands) {
        const Index slot = p.model.slotOf(operand, element);
        const QString where = operand.storageNumber > 0 ? PaintedText::tr("storage #%1").arg(operand.storageNumber)
                                                        : PaintedText::tr("temporary");
        const QString text =
            brief ? PaintedText::tr("index %1").arg(slot) : PaintedText::tr("%1, index %2").arg(where).arg(slot);
        const qreal width = kText + textWidth(FontRole::Label, text);
        if (brief && x > room.left() && x + width > room.right()) {
            x = room.left();
            y += kLowLine;
        }
        appendBadge(out, QPointF(x + 8, y - 4), operand, 15);
        out.text(QPointF(x + kText, y), text, FontRole::Label, Tone::Ink2);
        if (brief)
            x += width + kBetween;
        else
            y += kLine;
    }
}

} // namespace

void appendNow(SceneBuilder& out, const Picture& p) {
    const QRectF& room = p.places.now;
    const auto element = p.shown();
    qreal y = room.top() + 12;
    if (!element || p.model.numel() == 0) {
        if (!p.look.paper && p.frame.computed == p.model.numel() && p.allJudged() && p.model.numel() > 0)
            appendSentence(out, QPointF(room.left(), y),
                           PaintedText::tr("Click a cell for its sources and arithmetic."), room.width());
        return;
    }
    QString name = p.model.resultName + QLatin1Char('[');
    const Dims coord = p.model.coordOf(*element);
    for (std::size_t d = 0; d < coord.size(); ++d)
        name += (d > 0 ? QStringLiteral(", ") : QString()) + QString::number(coord[d]);
    name = coord.empty() ? p.model.resultName : name + QLatin1Char(']');
    const bool there = *element < p.frame.computed;
    out.text(QPointF(room.left(), y), there ? name : name + PaintedText::tr(" comes now"), FontRole::MetaStrong);
    QString sum = p.model.arithmetic(*element);
    if (sum.isEmpty()) sum = PaintedText::tr("too large to be computed here");
    if (!there) sum = sum.section(QStringLiteral(" = "), 0, -2) + QStringLiteral(" = ?");
    const bool large = textWidth(FontRole::CodeStrong, sum) <= room.width();
    y = appendSentence(out, QPointF(room.left(), y + 22), sum, room.width(), Tone::Ink,
                       large ? FontRole::CodeStrong : FontRole::Meta, 2) +
        4;
    if (const QString reason = there ? p.model.reason(*element) : QString(); !reason.isEmpty())
        y = appendSentence(out, QPointF(room.left(), y - 2), reason, room.width(), Tone::Ink) + 2;
    appendSources(out, p, *element, y);
}

} // namespace stridescope::broadcast
