#include "widgets/timing/timing_parts.h"

#include "widgets/model/words.h"

#include <QtMath>

#include <algorithm>
#include <cmath>

namespace stridescope::timing_parts {

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
