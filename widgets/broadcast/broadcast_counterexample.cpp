#include "widgets/broadcast/broadcast_counterexample.h"

#include "core/view/broadcast.h"
#include "core/view/broadcast_fixes.h"
#include "core/view/view_ops.h"
#include "widgets/broadcast/broadcast_mends.h"
#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

std::optional<Index> BroadcastCounterexample::size(std::size_t operand, Index d) const {
    const Dims& shape = shapes[operand];
    const Index own = d - (rank - static_cast<Index>(shape.size()));
    return own >= 0 ? std::optional(shape[static_cast<std::size_t>(own)]) : std::nullopt;
}

std::optional<BroadcastCounterexample> broadcastCounterexample(const Dims& a, const Dims& b) {
    BroadcastCounterexample example;
    example.shapes = {a, b};
    example.rank = static_cast<Index>(std::max(a.size(), b.size()));
    for (std::size_t fromRight = 1; fromRight <= std::min(a.size(), b.size()); ++fromRight) {
        Index& x = example.shapes[0][a.size() - fromRight];
        Index& y = example.shapes[1][b.size() - fromRight];
        const Index largest = std::max(x, y);
        if (largest < 2) continue;
        // A size that is neither 1 nor the other one's; smaller where that is possible, for a cell that is missing is
        // seen at once.
        (y == largest && x == 1 ? x : y) = largest > 2 ? largest - 1 : largest + 1;
        example.dim = example.rank - static_cast<Index>(fromRight);
        const auto fits = broadcastShapes(example.shapes[0], example.shapes[1]);
        if (fits) return std::nullopt;
        example.refusal = QString::fromStdString(fits.refusal().message);
        const auto first = contiguousView(example.shapes[0]), second = contiguousView(example.shapes[1]);
        if (!first || !second) return example;
        const auto fixes = broadcastFixes(*first, *second, 1);
        if (fixes.empty()) return example;
        const BroadcastFix& fix = fixes.front();
        example.mend = (fix.operand == 0 ? QStringLiteral("a") : QStringLiteral("b")) + mendMethod(fix);
        example.outcome = PaintedText::tr("%1 and %2 → %3")
                              .arg(shapeText(fix.operand == 0 ? fix.shape : example.shapes[0]),
                                   shapeText(fix.operand == 1 ? fix.shape : example.shapes[1]), shapeText(fix.result));
        return example;
    }
    return std::nullopt;
}

namespace broadcast {

namespace {

constexpr qreal kRow = 30, kPad = 14, kLeastColumn = 30, kMostColumn = 60;
constexpr qreal kMendIndent = 18;

/// The sizes of both under one another, the bad column boxed. Returns the y below.
qreal appendSizes(SceneBuilder& out, const BroadcastCounterexample& example, const QRectF& room, qreal y) {
    // The last dims are those that fail first; where all do not stand in the room, they stand alone.
    const QString labels[] = {QStringLiteral("a ") + shapeText(example.shapes[0]),
                              QStringLiteral("b ") + shapeText(example.shapes[1])};
    const qreal whole = room.width() - 2 * kPad;
    // Shapes of many dims leave half of the room to the sizes.
    const qreal label =
        std::min(whole / 2, std::max(textWidth(FontRole::Meta, labels[0]), textWidth(FontRole::Meta, labels[1])));
    const qreal width = whole - label - 6;
    const auto most = std::max<Index>(1, static_cast<Index>(width / kLeastColumn));
    const Index shown = std::min(example.rank, most);
    const qreal column = std::min(kMostColumn, width / static_cast<qreal>(shown));
    const bool named = textWidth(FontRole::LabelStrong, PaintedText::tr("dim %1").arg(example.rank - 1)) < column - 6;
    const qreal left = room.right() - kPad - column * static_cast<qreal>(shown);
    const Index first = example.rank - shown;
    for (Index d = first; d < example.rank; ++d) {
        const qreal x = left + column * static_cast<qreal>(d - first);
        out.text(QPointF(x + column / 2, y + 10), named ? PaintedText::tr("dim %1").arg(d) : QString::number(d),
                 FontRole::LabelStrong, Tone::Ink, kCentre);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto size = example.size(i, d);
            BoxItem box;
            box.rect = QRectF(x + 3, y + 18 + kRow * static_cast<qreal>(i), column - 6, kRow - 5);
            box.outline = size && *size != 1 ? Tone::Ink2 : Tone::Ghost;
            box.style = size ? LineStyle::Solid : LineStyle::Dotted;
            box.fill = size && *size != 1 ? Tone::Selected : Tone::None;
            box.radius = 5;
            out.box(box);
            out.text(box.rect.center() + QPointF(0, 4.6), QString::number(size.value_or(1)), FontRole::CellStrong,
                     Tone::Ink, kCentre);
        }
    }
    for (std::size_t i = 0; i < 2; ++i)
        out.text(QPointF(room.left() + kPad, y + 35 + kRow * static_cast<qreal>(i)),
                 wrapText(FontRole::Meta, labels[i], label, 1).front(), FontRole::Meta);
    const qreal bottom = y + 18 + 2 * kRow;
    if (example.dim >= first) {
        BoxItem frame;
        frame.rect = QRectF(left + column * static_cast<qreal>(example.dim - first), y - 4, column, bottom - y + 22);
        frame.outline = Tone::Error;
        frame.width = 2.5;
        frame.radius = 7;
        out.box(frame);
        const QPointF at(frame.rect.center().x(), bottom + 8);
        const Index x = *example.size(0, example.dim), other = *example.size(1, example.dim);
        const QString choices[] = {QStringLiteral("%1 ≠ %2").arg(x).arg(other),
                                   QStringLiteral("%1≠%2").arg(x).arg(other), QStringLiteral("≠")};
        const auto fits = [&](const QString& words) { return textWidth(FontRole::LabelStrong, words) <= column - 4; };
        out.text(at + QPointF(0, 4), *std::find_if(std::begin(choices), std::end(choices) - 1, fits),
                 FontRole::LabelStrong, Tone::Ink, kCentre);
    }
    return bottom + 36;
}

} // namespace

void appendCounterexample(SceneBuilder& out, const Picture& p, const QRectF& room) {
    if (!p.model.counterexample || !p.allJudged() || p.places.sideBelow) return;
    const BroadcastCounterexample& example = *p.model.counterexample;
    const QStringList words = wrapText(FontRole::Label, example.refusal, room.width() - 2 * kPad, 3);
    const QString mend = example.mend.isEmpty() ? QString() : PaintedText::tr("Works: %1").arg(example.mend);
    // Long shapes are broken where the result begins.
    const qreal outcomeRoom = room.width() - 2 * kPad - kMendIndent;
    QStringList outcome{example.outcome};
    if (const qsizetype arrow = example.outcome.indexOf(QChar(0x2192));
        arrow > 0 && textWidth(FontRole::Label, example.outcome) > outcomeRoom)
        outcome = {example.outcome.left(arrow).trimmed(), example.outcome.mid(arrow)};
    for (QString& line : outcome) line = wrapText(FontRole::Label, line, outcomeRoom, 1).front();
    const qreal height = 34 + 18 + 2 * kRow + 36 + 16 * static_cast<qreal>(words.size()) +
                         (mend.isEmpty() ? 0 : 26 + 16 * static_cast<qreal>(outcome.size())) + 2;
    if (height > room.height()) return;
    BoxItem frame;
    frame.rect = QRectF(room.topLeft(), QSizeF(room.width(), height));
    frame.outline = Tone::Error;
    frame.width = 1.5;
    frame.radius = 8;
    out.box(frame);
    out.glyph(Glyph::Cross, room.topLeft() + QPointF(22, 19), 13, Tone::Error);
    out.text(room.topLeft() + QPointF(36, 24), PaintedText::tr("When it fails"), FontRole::LabelStrong);
    qreal y = appendSizes(out, example, room, room.top() + 38);
    for (const QString& line : words) {
        out.text(QPointF(room.left() + kPad, y), line, FontRole::Label, Tone::Ink2);
        y += 16;
    }
    if (mend.isEmpty()) return;
    out.glyph(Glyph::Check, QPointF(room.left() + kPad + 6, y + 3), 12, Tone::Right);
    out.text(QPointF(room.left() + kPad + kMendIndent, y + 7), mend, FontRole::LabelStrong);
    y += 24;
    for (const QString& line : outcome) {
        out.text(QPointF(room.left() + kPad + kMendIndent, y), line, FontRole::Label, Tone::Ink2);
        y += 16;
    }
}

} // namespace broadcast

} // namespace stridescope
