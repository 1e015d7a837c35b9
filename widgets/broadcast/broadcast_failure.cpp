// What went wrong: PyTorch's words, the cells that find no partner, and lines that work.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope::broadcast {

namespace {

/// The operands' cells along the bad dim under one another; what is missing is hatched. Returns the y below.
qreal appendUnpaired(SceneBuilder& out, const Picture& p, const QRectF& room, qreal y) {
    const auto dim = static_cast<std::size_t>(*p.model.conflictDim);
    Index largest = 0;
    for (const BroadcastOperand& operand : p.model.operands) largest = std::max(largest, operand.aligned.shape[dim]);
    constexpr Index kMost = 12;
    const Index columns = std::clamp<Index>(largest, 1, kMost);
    const qreal left = room.left() + 42;
    const qreal width = std::min(34.0, (room.right() - 16 - left) / static_cast<qreal>(columns));
    out.text(QPointF(room.left() + 14, y), PaintedText::tr("Along dim %1:").arg(dim), FontRole::LabelStrong);
    y += 8;
    for (const BroadcastOperand& operand : p.model.operands) {
        const Index size = operand.aligned.shape[dim];
        // The rows come together while time goes on.
        const qreal shift = (&operand == &p.model.operands.front() ? 0 : 1) * (1 - p.frame.stretch) * 40;
        appendBadge(out, QPointF(room.left() + 26, y + 12), operand, 18);
        if (size == 1) {
            out.text(QPointF(left, y + 16), PaintedText::tr("1: would stretch"), FontRole::Label, Tone::Ink2);
            y += 28;
            continue;
        }
        for (Index i = 0; i < columns; ++i) {
            const QRectF cell(left + shift + static_cast<qreal>(i) * width, y, width, 24);
            BoxItem box;
            box.rect = cell.adjusted(0, 0, -1, 0);
            box.outline = i < size ? Tone::Ink2 : Tone::Error;
            box.fill = i < size ? Theme::viewTone(operand.colour) : Tone::None;
            box.hatched = i >= size;
            out.box(box);
            if (i >= size || size == 0) continue;
            const QString text = valueText(operand.tensor, operand.aligned.offset + i * operand.aligned.stride[dim]);
            if (textWidth(FontRole::Meta, text) < width - 3)
                out.text(cell.center() + QPointF(0, 4.4), text, FontRole::Meta, Tone::OnView, kCentre);
        }
        y += 28;
    }
    if (largest > kMost)
        out.text(QPointF(left, y + 10), PaintedText::tr("the first %1 of %2").arg(kMost).arg(countText(largest)),
                 FontRole::Label, Tone::Ink2);
    return y + (largest > kMost ? 22 : 6);
}

QString noMend(const BroadcastModel& model) {
    if (model.inPlace)
        return PaintedText::tr("Nothing mends this line: %1 keeps its shape %2, and no view of the other side fits it.")
            .arg(model.resultName, shapeText(model.result.tensor.defined() ? model.result.tensor.shape()
                                                                           : model.operands.front().tensor.shape()));
    return PaintedText::tr("Nothing mends this line: no view of one side fits the other one.");
}

} // namespace

void appendFailure(SceneBuilder& out, const Picture& p) {
    const QRectF& room = p.places.side;
    const bool told = p.look.t >= 1 - 1e-9 || p.frame.stretch > 0;
    if (!told) {
        appendSentence(out, room.topLeft() + QPointF(0, 20), PaintedText::tr("The verdict comes with stage 3."),
                       room.width());
        return;
    }
    BoxItem frame;
    frame.rect = room;
    frame.outline = Tone::Error;
    frame.width = 2;
    frame.radius = 8;
    out.box(frame);
    out.glyph(Glyph::Cross, room.topLeft() + QPointF(22, 20), 14, Tone::Error);
    TextItem title;
    title.pos = room.topLeft() + QPointF(38, 25);
    title.text =
        p.model.outputGrows() ? PaintedText::tr("The output would grow") : PaintedText::tr("The sizes do not fit");
    title.font = FontRole::Heading;
    title.maxWidth = room.width() - 48;
    out.item(title);
    qreal y =
        appendSentence(out, room.topLeft() + QPointF(14, 48), p.model.refusalText(), room.width() - 28, Tone::Ink);
    if (p.model.outputGrows()) {
        y = appendSentence(
            out, QPointF(room.left() + 14, y + 4),
            PaintedText::tr("An in-place operation writes into the storage of %1. It may stretch the other "
                            "side, never itself.")
                .arg(p.model.resultName),
            room.width() - 28);
    } else if (p.model.conflictDim) {
        y = appendUnpaired(out, p, room, y + 8);
    }
    y += 6;
    out.line(QPointF(room.left() + 14, y), QPointF(room.right() - 14, y), Tone::Hairline, 1);
    y += 18;
    if (p.model.mends.empty()) {
        appendSentence(out, QPointF(room.left() + 14, y), noMend(p.model), room.width() - 28);
        return;
    }
    out.text(QPointF(room.left() + 14, y), PaintedText::tr("Works instead:"), FontRole::LabelStrong);
    y += 8;
    for (std::size_t i = 0; i < p.model.mends.size(); ++i) {
        const BroadcastMend& mend = p.model.mends[i];
        if (y + 44 > room.bottom() + 60) break;
        // What an operand is called is told by its badge; what is done to it must be whole.
        const bool badge = mend.operand >= 0;
        const qreal left = room.left() + (badge ? 42 : 14), most = room.right() - 14 - left;
        if (badge)
            appendBadge(out, QPointF(room.left() + 25, y + 13),
                        p.model.operands[static_cast<std::size_t>(mend.operand)], 20);
        QString text = mend.label;
        if (badge && buttonWidth(text) > most) text = QStringLiteral("(…)") + mend.method;
        text = wrapText(FontRole::Text, text, most - 24, 1).front();
        appendButton(out, QRectF(left, y, std::min(buttonWidth(text), most), 26), text, mend.primary,
                     static_cast<int>(i));
        y += 40;
        out.text(QPointF(room.left() + 18, y), mend.outcome, FontRole::Meta, Tone::Ink2);
        y += 10;
    }
}

} // namespace stridescope::broadcast
