#include "widgets/card/picture_parts.h"

#include "widgets/card/text_metrics.h"

#include <algorithm>

namespace stridescope::picture_parts {

qreal appendTitle(SceneBuilder& out, const QRectF& room, const QString& title, const QString& more) {
    const QString shown = cut(FontRole::Heading, title, room.width());
    out.text(room.topLeft() + QPointF(0, 15), shown, FontRole::Heading);
    const qreal after = textWidth(FontRole::Heading, shown) + 14;
    const qreal rest = room.width() - after;
    if (!more.isEmpty() && rest > 60)
        out.text(room.topLeft() + QPointF(after, 15), cut(FontRole::Label, more, rest), FontRole::Label, Tone::Ink2);
    return room.top() + 24;
}

qreal appendWords(SceneBuilder& out, QPointF at, const QString& text, qreal width, Tone tone, int most, FontRole font) {
    if (text.isEmpty()) return at.y();
    for (const QString& line : wrapText(font, text, width, most)) {
        out.text(at + QPointF(0, 12), line, font, tone);
        at.ry() += 16;
    }
    return at.y();
}

QString cut(FontRole font, const QString& text, qreal width) {
    if (textWidth(font, text) <= width) return text;
    QString kept = text;
    while (!kept.isEmpty() && textWidth(font, kept + QChar(0x2026)) > width) kept.chop(1);
    return kept.trimmed() + QChar(0x2026);
}

QRectF appendPill(SceneBuilder& out, QPointF leftMiddle, const QString& text, qreal most, Tone fill, Tone outline) {
    const QString shown = cut(FontRole::LabelStrong, text, most - 20);
    const QRectF rect(leftMiddle.x(), leftMiddle.y() - 10, textWidth(FontRole::LabelStrong, shown) + 20, 20);
    appendBox(out, rect, fill, outline, 10);
    out.text(rect.topLeft() + QPointF(10, 14.3), shown, FontRole::LabelStrong);
    return rect;
}

void appendBox(SceneBuilder& out, const QRectF& rect, Tone fill, Tone outline, qreal radius, qreal width) {
    BoxItem box;
    box.rect = rect;
    box.fill = fill;
    box.outline = outline;
    box.radius = radius;
    box.width = width;
    out.box(box);
}

void appendHatch(SceneBuilder& out, const QRectF& rect, Tone tone, bool leftwards) {
    // At most so many lines, whatever the size: wide bars have wider gaps.
    const qreal step = std::max(6.0, (rect.width() + rect.height()) / 160);
    PathItem lines;
    lines.stroke = tone;
    lines.width = 1;
    // x + y = c for lines that go up to the right, within the rectangle.
    for (qreal c = step; c < rect.width() + rect.height(); c += step) {
        const qreal x0 = std::max(0.0, c - rect.height()), x1 = std::min(rect.width(), c);
        QPointF a(x0, c - x0), b(x1, c - x1);
        if (leftwards) {
            a.setX(rect.width() - a.x());
            b.setX(rect.width() - b.x());
        }
        lines.path.moveTo(rect.topLeft() + a);
        lines.path.lineTo(rect.topLeft() + b);
    }
    out.path(lines);
}

void appendBracket(SceneBuilder& out, qreal left, qreal right, qreal y, Tone tone) {
    PathItem bracket;
    bracket.path.moveTo(left, y - 5);
    bracket.path.lineTo(left, y);
    bracket.path.lineTo(std::max(right, left + 2), y);
    bracket.path.lineTo(std::max(right, left + 2), y - 5);
    bracket.stroke = tone;
    out.path(bracket);
}

} // namespace stridescope::picture_parts
