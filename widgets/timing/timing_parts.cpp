#include "widgets/timing/timing_parts.h"

#include "widgets/model/words.h"

#include <QtMath>

#include <algorithm>
#include <cmath>

namespace stridescope::timing_parts {

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

void appendSign(SceneBuilder& out, const ShownSeries& series, QPointF centre, qreal size) {
    PathItem sign;
    const qreal r = size / 2;
    const auto polygon = [&](int corners, qreal turn, qreal radius) {
        for (int i = 0; i < corners; ++i) {
            const qreal angle = qDegreesToRadians(turn + 360.0 * i / corners);
            const QPointF at = centre + QPointF(std::cos(angle), std::sin(angle)) * radius;
            i == 0 ? sign.path.moveTo(at) : sign.path.lineTo(at);
        }
        sign.path.closeSubpath();
    };
    switch (series.sign) {
    case SeriesSign::Disc:
        sign.path.addEllipse(centre, r, r);
        break;
    case SeriesSign::Square:
        sign.path.addRect(QRectF(centre - QPointF(r, r) * 0.92, QSizeF(size, size) * 0.92));
        break;
    case SeriesSign::Triangle:
        polygon(3, -90, r * 1.25);
        break;
    case SeriesSign::Nabla:
        polygon(3, 90, r * 1.25);
        break;
    case SeriesSign::Diamond:
        polygon(4, -90, r * 1.2);
        break;
    case SeriesSign::Pentagon:
        polygon(5, -90, r * 1.1);
        break;
    }
    sign.stroke = series.tone();
    sign.fill = series.filled ? series.tone() : Tone::Stage;
    sign.width = series.filled ? 1 : 1.6;
    out.path(sign);
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

QString spreadText(const timing::Measurement& m) {
    return shareText(m.times().spread());
}

QStringList measurementWords(const ShownSeries& series, const timing::Measurement& m) {
    const timing::Summary& times = m.times();
    QStringList words{PaintedText::tr("n = %1 · %2").arg(countText(m.n), series.label)};
    words << PaintedText::tr("median %1").arg(secondsText(times.median));
    words << PaintedText::tr("middle half %1").arg(secondsRange(times.lowerQuartile, times.upperQuartile));
    if (m.interval)
        words << PaintedText::tr("true median within %1, 95 %").arg(secondsRange(m.interval->low, m.interval->high));
    words << PaintedText::tr("%1 blocks of %2 calls, %3 dropped as noisy")
                 .arg(countText(static_cast<Index>(m.measured.samples.size())), countText(m.measured.callsPerBlock),
                      countText(static_cast<Index>(m.dropped)));
    words << PaintedText::tr("first call %1, thrown away").arg(secondsText(m.measured.firstCall));
    if (m.launch) words << PaintedText::tr("launch alone %1").arg(secondsText(m.launch->median));
    if (!std::isnan(m.relativeError) && !m.comparedWith.empty())
        words << PaintedText::tr("same result as %1 within %2")
                     .arg(plainName(QString::fromStdString(m.comparedWith)), QString::number(m.relativeError, 'g', 2));
    words
        << PaintedText::tr("cache %1, %2").arg(QString::fromLatin1(name(m.cache)), QString::fromLatin1(name(m.layout)));
    if (m.doubtful())
        words << (m.busy ? PaintedText::tr("do not trust: this machine was busy")
                         : PaintedText::tr("do not trust: spread %1").arg(spreadText(m)));
    for (const std::string& note : m.notes) words << plainName(QString::fromStdString(note));
    words << series.origin;
    return words;
}

} // namespace stridescope::timing_parts
