// What was refused: the join that does not come about, the memory that is not there, the device that failed; and the
// ways out as lines to run.

#include "widgets/devices/devices_parts.h"

#include <algorithm>

namespace stridescope::devices_parts {

namespace {

constexpr qreal kDrawing = 250, kPad = 16;

QStringList textLines(const DevicesRefusal& refusal, qreal width) {
    return wrapText(FontRole::Label, refusal.text, width, 3);
}

/// Rows of buttons in that width.
int wayRows(const std::vector<DevicesWay>& ways, qreal width) {
    int rows = ways.empty() ? 0 : 1;
    qreal x = 0;
    for (const DevicesWay& way : ways) {
        const qreal each = std::min(width, textWidth(FontRole::Code, way.line) + 28);
        if (x > 0 && x + each > width) {
            ++rows;
            x = 0;
        }
        x += each + 10;
    }
    return rows;
}

void appendMixed(Drawing& d, const DevicesRefusal& refusal, const QRectF& room) {
    const qreal y = room.top() + 30, middle = room.left() + room.width() / 2;
    d.out.line(QPointF(middle, room.top() - 4), QPointF(middle, room.bottom()), Tone::Ghost, 1.5, LineStyle::Dashed);
    for (std::size_t i = 0; i < std::min<std::size_t>(refusal.operands.size(), 2); ++i) {
        const DevicesRefusal::Operand& operand = refusal.operands[i];
        const bool left = i == 0;
        const QString name = cut(FontRole::CodeStrong, operand.name, 38);
        const qreal nameWidth = textWidth(FontRole::CodeStrong, name);
        const QString where = nameOf(operand.device);
        const qreal pillWidth = textWidth(FontRole::LabelStrong, where) + 20;
        // From outside towards the border: name, device, line.
        const qreal outer = left ? room.left() : room.right() - pillWidth - 8 - nameWidth;
        const qreal nameX = left ? outer : outer + pillWidth + 8, pillX = left ? outer + nameWidth + 8 : outer;
        d.out.text(QPointF(nameX, y + 5), name, FontRole::CodeStrong);
        appendPill(d.out, QPointF(pillX, y), where, pillWidth + 1, tintOf(operand.device), inkOf(operand.device));
        const qreal from = left ? pillX + pillWidth : pillX;
        d.out.line(QPointF(from, y), QPointF(middle + (left ? -16 : 16), y), inkOf(operand.device), 3);
        d.out.text(QPointF(middle + (left ? -10 : 10), room.bottom() - 4),
                   PaintedText::tr("%1 side").arg(operand.device.isCpu() ? QStringLiteral("CPU") : where),
                   FontRole::Label, Tone::Ink2, left ? kRight : Qt::AlignLeft | Qt::AlignBaseline);
    }
    PathItem join;
    join.path.addEllipse(QPointF(middle, y), 16, 16);
    join.fill = Tone::Stage;
    join.stroke = Tone::Error;
    d.out.path(join);
    const bool brief = refusal.sign.size() <= 2;
    d.out.text(QPointF(middle, y + (brief ? 5 : 4)), brief ? refusal.sign : QStringLiteral("ƒ"), FontRole::CodeStrong,
               Tone::Ink, kCentre);
    d.out.glyph(Glyph::Cross, QPointF(middle + 17, y - 17), 11, Tone::Error);
    if (!brief)
        d.out.text(QPointF(middle, y + 32), cut(FontRole::Code, refusal.sign, 120), FontRole::Code, Tone::Ink, kCentre);
}

/// What is in use, what is free, and what would not fit.
void appendMemoryBar(Drawing& d, const DevicesRefusal& refusal, const QRectF& room) {
    const auto all = static_cast<qreal>(std::max(refusal.total, refusal.used + refusal.wanted));
    const qreal y = room.top() + 16;
    const auto width = [&](quint64 bytes) { return room.width() * static_cast<qreal>(bytes) / all; };
    appendBox(d.out, QRectF(room.left(), y, width(refusal.total), 24), Tone::Stage, Tone::Control, 0, 2);
    if (refusal.used > 0)
        appendBox(d.out, QRectF(room.left(), y, std::max(3.0, width(refusal.used)), 24), Tone::Gpu, Tone::Gpu, 0);
    const QRectF wanted(room.left() + width(refusal.used), y + 3, std::max(4.0, width(refusal.wanted)), 18);
    BoxItem over;
    over.rect = wanted;
    over.outline = Tone::Error;
    over.width = 2;
    over.hatched = true;
    d.out.box(over);
    const quint64 free = refusal.total > refusal.used ? refusal.total - refusal.used : 0;
    d.out.text(QPointF(room.left(), y + 44), PaintedText::tr("needs %1").arg(bytesText(refusal.wanted)),
               FontRole::LabelStrong);
    d.out.text(QPointF(room.left(), y + 60),
               PaintedText::tr("free %1 of %2").arg(bytesText(free), bytesText(refusal.total)), FontRole::LabelStrong);
}

void appendFailed(Drawing& d, const DevicesRefusal& refusal, const QRectF& room) {
    const QPointF middle(room.left() + 40, room.top() + 34);
    PathItem ring;
    ring.path.addEllipse(middle, 20, 20);
    ring.fill = Tone::Stage;
    ring.stroke = Tone::Error;
    d.out.path(ring);
    appendChip(d.out, middle, Tone::Gpu);
    d.out.glyph(Glyph::Cross, middle + QPointF(21, -21), 12, Tone::Error);
    appendWords(d.out, QPointF(middle.x() + 34, middle.y() - 24),
                refusal.kind == DevicesRefusal::Kind::Sticky
                    ? PaintedText::tr("Every call on %1 is refused until it is started anew. Tensors of the CPU stay.")
                          .arg(nameOf(refusal.device))
                    : PaintedText::tr("What was on %1 is gone.").arg(nameOf(refusal.device)),
                room.right() - middle.x() - 40, Tone::Ink, 4);
}

/// The words stand under the drawing, not beside it.
bool isNarrow(qreal width) {
    return width < 640;
}
qreal wordsWidth(qreal width) {
    return width - (isNarrow(width) ? 0 : kDrawing + kPad) - 2 * kPad - 20;
}

} // namespace

qreal refusalHeight(const DevicesModel& model, qreal width) {
    if (!model.refusal) return 0;
    const qreal words = wordsWidth(width);
    const auto lines = static_cast<qreal>(textLines(*model.refusal, words).size());
    const qreal ways = model.pythonMissing.isEmpty() ? wayRows(model.refusal->ways, words) * 36.0 : 0;
    const qreal beside = kPad + 24 + lines * 16 + 8 + ways + 8;
    return isNarrow(width) ? 84 + beside : std::max(104.0, beside);
}

void appendRefusal(Drawing& d, const QRectF& room) {
    if (!d.model.refusal) return;
    const DevicesRefusal& refusal = *d.model.refusal;
    const QRectF band(room.topLeft(), QSizeF(room.width(), refusalHeight(d.model, room.width())));
    appendBox(d.out, band, Tone::ErrorTint, Tone::Error, 8, 2);
    const QRectF drawing(band.left() + kPad, band.top() + kPad, kDrawing, 76);
    switch (refusal.kind) {
    case DevicesRefusal::Kind::Mixed:
        appendMixed(d, refusal, drawing);
        break;
    case DevicesRefusal::Kind::OutOfMemory:
        appendMemoryBar(d, refusal, drawing);
        break;
    case DevicesRefusal::Kind::Sticky:
    case DevicesRefusal::Kind::Lost:
    case DevicesRefusal::Kind::Absent:
        appendFailed(d, refusal, drawing);
        break;
    }
    const bool narrow = isNarrow(band.width());
    const qreal left = narrow ? band.left() + kPad + 20 : drawing.right() + kPad + 20;
    const qreal width = wordsWidth(band.width()), top = band.top() + kPad + (narrow ? 84 : 0);
    d.out.glyph(Glyph::Cross, QPointF(left - 12, top + 10), 11, Tone::Error);
    d.out.text(QPointF(left, top + 15), cut(FontRole::Heading, refusal.title, width), FontRole::Heading);
    qreal y = top + 22;
    for (const QString& line : textLines(refusal, width)) {
        d.out.text(QPointF(left, y + 12), line, FontRole::Label);
        y += 16;
    }
    QString told = refusal.title + QStringLiteral(". ") + refusal.text;
    if (refusal.kind == DevicesRefusal::Kind::OutOfMemory)
        told += PaintedText::tr(" Needs %1, in use %2 of %3.")
                    .arg(bytesText(refusal.wanted), bytesText(refusal.used), bytesText(refusal.total));
    d.spot(DevicesSpotKind::Refusal, band, told);
    if (!d.model.pythonMissing.isEmpty()) return;
    // Those of the boxes come first in the model's list, whether they are in sight or not.
    d.ways = static_cast<int>(d.model.ways().size() - refusal.ways.size());
    qreal x = left;
    y += 8;
    for (std::size_t i = 0; i < refusal.ways.size(); ++i) {
        const DevicesWay& way = refusal.ways[i];
        const qreal each = std::min(width, textWidth(FontRole::Code, way.line) + 28);
        if (x > left && x + each > left + width) {
            x = left;
            y += 36;
        }
        const QRectF button = appendWay(d, way, QPointF(x, y), width, i == 0);
        x = button.right() + 10;
    }
    if (!refusal.ways.empty() && !refusal.ways.front().note.isEmpty()) {
        const QString note = refusal.ways.front().note;
        if (x + textWidth(FontRole::Label, note) < left + width)
            d.out.text(QPointF(x + 2, y + 18.5), note, FontRole::Label, Tone::Ink2);
    }
}

} // namespace stridescope::devices_parts
