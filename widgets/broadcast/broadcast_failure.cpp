// What went wrong: PyTorch's words, the cells that find no partner, and lines that work.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope::broadcast {

namespace {

constexpr qreal kPad = 14, kLine = 16;

/// How much is told where there is little room: the mends stay whole, what explains them gives way.
struct Density {
    qreal row;      ///< height of a row of cells; 0: there are none
    bool onlyUnfit; ///< without the operands that would stretch
    qreal between;  ///< two mends
};
constexpr Density kDensities[] = {{28, false, 14}, {23, false, 9}, {23, true, 8}, {0, true, 8}};

/// The operands' cells along the bad dim that are shown under one another.
std::vector<const BroadcastOperand*> unpairedOf(const BroadcastModel& model, const Density& density) {
    std::vector<const BroadcastOperand*> shown;
    if (!model.conflictDim || density.row == 0) return shown;
    for (const BroadcastOperand& operand : model.operands)
        if (!density.onlyUnfit || operand.aligned.shape[static_cast<std::size_t>(*model.conflictDim)] != 1)
            shown.push_back(&operand);
    return shown;
}

constexpr Index kMostCells = 12;

Index largestOf(const BroadcastModel& model) {
    Index largest = 0;
    for (const BroadcastOperand& operand : model.operands)
        largest = std::max(largest, operand.aligned.shape[static_cast<std::size_t>(*model.conflictDim)]);
    return largest;
}

qreal unpairedHeight(const BroadcastModel& model, const Density& density) {
    const auto rows = static_cast<qreal>(unpairedOf(model, density).size());
    return rows == 0 ? 0 : 8 + 8 + density.row * rows + (largestOf(model) > kMostCells ? 22 : 6);
}

/// What is missing in a row is hatched. Returns the y below.
qreal appendUnpaired(SceneBuilder& out, const Picture& p, const QRectF& room, qreal y, const Density& density) {
    const auto dim = static_cast<std::size_t>(*p.model.conflictDim);
    const Index largest = largestOf(p.model);
    const Index columns = std::clamp<Index>(largest, 1, kMostCells);
    const qreal left = room.left() + 42;
    const qreal width = std::min(34.0, (room.right() - 16 - left) / static_cast<qreal>(columns));
    const qreal height = density.row - 4;
    out.text(QPointF(room.left() + kPad, y), PaintedText::tr("Along dim %1:").arg(dim), FontRole::LabelStrong);
    y += 8;
    for (const BroadcastOperand* const operand : unpairedOf(p.model, density)) {
        const Index size = operand->aligned.shape[dim];
        // The rows come together while time goes on.
        const qreal shift = (operand == &p.model.operands.front() ? 0 : 1) * (1 - p.frame.stretch) * 40;
        appendBadge(out, QPointF(room.left() + 26, y + height / 2), *operand, 18);
        if (size == 1) {
            out.text(QPointF(left, y + height / 2 + 4), PaintedText::tr("1: would stretch"), FontRole::Label,
                     Tone::Ink2);
            y += density.row;
            continue;
        }
        for (Index i = 0; i < columns; ++i) {
            const QRectF cell(left + shift + static_cast<qreal>(i) * width, y, width, height);
            if (cell.right() > room.right() - 4) break;
            BoxItem box;
            box.rect = cell.adjusted(0, 0, -1, 0);
            box.outline = i < size ? Tone::Ink2 : Tone::Error;
            box.fill = i < size ? Theme::viewTone(operand->colour) : Tone::None;
            box.hatched = i >= size;
            out.box(box);
            if (i >= size || size == 0) continue;
            const QString text = valueText(operand->tensor, operand->aligned.offset + i * operand->aligned.stride[dim]);
            if (textWidth(FontRole::Meta, text) < width - 3)
                out.text(cell.center() + QPointF(0, 4.4), text, FontRole::Meta, Tone::OnView, kCentre);
        }
        y += density.row;
    }
    if (largest > kMostCells)
        out.text(QPointF(left, y + 10), PaintedText::tr("the first %1 of %2").arg(kMostCells).arg(countText(largest)),
                 FontRole::Label, Tone::Ink2);
    return y + (largest > kMostCells ? 22 : 6);
}

/// A mend with all of its words: on the button, and below it what comes out.
struct MendWords {
    QStringList label, outcome;
    bool badge = false;
    qreal left = 0, width = 0;
    qreal buttonHeight() const { return 11 + 15 * static_cast<qreal>(label.size()); }
    qreal height() const { return buttonHeight() + kLine * static_cast<qreal>(outcome.size()); }
};

MendWords wordsOf(const BroadcastMend& mend, const QRectF& room) {
    MendWords words;
    // What an operand is called is told by its badge; what is done to it must be whole.
    words.badge = mend.operand >= 0;
    words.left = room.left() + (words.badge ? 42 : kPad);
    const qreal most = room.right() - kPad - words.left;
    QString text = mend.label;
    if (words.badge && buttonWidth(text) > most) text = QStringLiteral("(…)") + mend.method;
    words.label = wrapCode(FontRole::Text, text, most - 24, 4);
    for (const QString& line : words.label) words.width = std::max(words.width, std::min(buttonWidth(line), most));
    // Long shapes are broken where the result begins.
    const qreal outcomeRoom = room.width() - 2 * kPad - 4;
    const qsizetype arrow = mend.outcome.indexOf(QChar(0x2192));
    if (arrow > 0 && textWidth(FontRole::Meta, mend.outcome) > outcomeRoom)
        words.outcome = wrapText(FontRole::Meta, mend.outcome.left(arrow).trimmed(), outcomeRoom, 3)
                        << wrapText(FontRole::Meta, mend.outcome.mid(arrow), outcomeRoom, 1);
    else
        words.outcome = wrapText(FontRole::Meta, mend.outcome, outcomeRoom, 2);
    return words;
}

qreal appendMend(SceneBuilder& out, const Picture& p, const QRectF& room, std::size_t index, qreal y) {
    const BroadcastMend& mend = p.model.mends[index];
    const MendWords words = wordsOf(mend, room);
    const QRectF button(words.left, y, words.width, words.buttonHeight());
    if (words.badge)
        appendBadge(out, QPointF(room.left() + 25, button.center().y()),
                    p.model.operands[static_cast<std::size_t>(mend.operand)], 20);
    appendButton(out, button, words.label.size() == 1 ? words.label.front() : QString(), mend.primary,
                 static_cast<int>(index));
    for (qsizetype i = 0; words.label.size() > 1 && i < words.label.size(); ++i)
        out.text(QPointF(button.left() + 12, y + 17.5 + 15 * static_cast<qreal>(i)), words.label[i], FontRole::Text,
                 mend.primary ? Tone::PrimaryText : Tone::Ink);
    y = button.bottom();
    for (const QString& line : words.outcome)
        out.text(QPointF(room.left() + kPad + 4, (y += kLine) - 2), line, FontRole::Meta, Tone::Ink2);
    return y;
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
    qreal y = appendSentence(out, room.topLeft() + QPointF(kPad, 48), p.model.refusalText(), room.width() - 2 * kPad,
                             Tone::Ink);
    if (p.model.outputGrows())
        y = appendSentence(
            out, QPointF(room.left() + kPad, y + 4),
            PaintedText::tr("An in-place operation writes into the storage of %1. It may stretch the other "
                            "side, never itself.")
                .arg(p.model.resultName),
            room.width() - 2 * kPad);
    qreal mends = 0;
    for (const BroadcastMend& mend : p.model.mends) mends += wordsOf(mend, room).height();
    constexpr qreal kTitle = 32; // the line and "Works instead:"
    const auto needs = [&](const Density& density) {
        return unpairedHeight(p.model, density) + 6 + kTitle + mends +
               density.between * static_cast<qreal>(p.model.mends.size());
    };
    const Density* density = std::find_if(std::begin(kDensities), std::end(kDensities) - 1,
                                          [&](const Density& each) { return y + needs(each) <= room.bottom(); });
    if (unpairedHeight(p.model, *density) > 0) y = appendUnpaired(out, p, room, y + 8, *density);
    y += 6;
    out.line(QPointF(room.left() + kPad, y), QPointF(room.right() - kPad, y), Tone::Hairline, 1);
    y += 18;
    if (p.model.mends.empty()) {
        appendSentence(out, QPointF(room.left() + kPad, y), noMend(p.model), room.width() - 2 * kPad);
        return;
    }
    out.text(QPointF(room.left() + kPad, y), PaintedText::tr("Works instead:"), FontRole::LabelStrong);
    y += 8;
    for (std::size_t i = 0; i < p.model.mends.size(); ++i) {
        if (y + wordsOf(p.model.mends[i], room).height() > room.bottom() - 2) break;
        y = appendMend(out, p, room, i, y) + density->between;
    }
}

} // namespace stridescope::broadcast
