// Below the chart: how much faster one is than another, with the interval in which the factor lies.

#include "widgets/model/words.h"
#include "widgets/timing/timing_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope::timing_parts {

namespace {

constexpr std::size_t kMost = 3;
constexpr qreal kPlot = 62, kLine = 34; ///< the name, and under it the verdict at the picked size

/// The verdict at a size; never a factor without its interval.
QString verdictText(const SpeedLine& line, std::optional<Index> n) {
    for (const SpeedLine::Point& point : line.points) {
        if (point.n != n) continue;
        const timing::Verdict& v = point.verdict;
        const QString size = QStringLiteral("n = %1: ").arg(countText(*n));
        if (v.answer == timing::Answer::CannotTell)
            return size + PaintedText::tr("cannot tell: %1").arg(QString::fromStdString(v.why));
        return size + QStringLiteral("%1 (%2 … %3)")
                          .arg(factorText(v.ratio), factorText(v.interval.low), factorText(v.interval.high));
    }
    return {};
}

} // namespace

qreal speedHeight(const TimingModel& model) {
    const auto lines = static_cast<qreal>(std::min(model.speedLines.size(), kMost));
    return lines == 0 ? 0 : kPlot + 30 + kLine * lines;
}

void appendSpeed(Drawing& d, const ChartAxes& axes, const QRectF& room) {
    const std::size_t shown = std::min(d.model.speedLines.size(), kMost);
    double low = 0.8, high = 1.25;
    for (std::size_t i = 0; i < shown; ++i) {
        for (const SpeedLine::Point& point : d.model.speedLines[i].points) {
            const timing::Interval& held = point.verdict.interval;
            low = std::min({low, point.verdict.ratio, held.low > 0 ? held.low : point.verdict.ratio});
            high = std::max({high, point.verdict.ratio, held.high});
        }
    }
    low /= 1.1;
    high *= 1.1;
    for (std::size_t i = 0; i < shown; ++i) {
        const SpeedLine& line = d.model.speedLines[i];
        const qreal y = room.top() + 14 + kLine * static_cast<qreal>(i), x = axes.plot.left();
        appendSign(d.out, d.model.series[line.fast], QPointF(x + 5, y - 4), 8);
        const qreal rest = room.right() - x - 14;
        d.out.text(QPointF(x + 14, y),
                   cut(FontRole::LabelStrong, PaintedText::tr("Speed-up: %1").arg(line.label), rest),
                   FontRole::LabelStrong);
        d.out.text(QPointF(x + 14, y + 16), cut(FontRole::Label, verdictText(line, d.n), rest), FontRole::Label,
                   Tone::Ink2);
    }
    const QRectF plot(axes.plot.left(), room.bottom() - kPlot - 12, axes.plot.width(), kPlot);
    const auto y = [&](double factor) {
        return plot.bottom() - plot.height() * std::log(std::clamp(factor, low, high) / low) / std::log(high / low);
    };
    d.out.line(plot.topLeft(), plot.bottomLeft(), Tone::Control, 1);
    d.out.line(QPointF(plot.left(), y(1)), QPointF(plot.right(), y(1)), Tone::Control, 1, LineStyle::Dashed);
    d.out.text(QPointF(plot.left() - 10, y(1) + 4), QStringLiteral("×1"), FontRole::Label, Tone::Ink2, kRight);
    for (const double end : {low * 1.1, high / 1.1}) {
        if (std::abs(y(end) - y(1)) < 14) continue;
        d.out.line(QPointF(plot.left(), y(end)), QPointF(plot.right(), y(end)), Tone::GridLine, 1);
        d.out.text(QPointF(plot.left() - 10, y(end) + 4), factorText(end), FontRole::Label, Tone::Ink2, kRight);
    }
    const QString faster = PaintedText::tr("faster"), slower = PaintedText::tr("slower");
    const qreal words = plot.right() + 10;
    if (y(1) - plot.top() > 12) d.out.text(QPointF(words, plot.top() + 10), faster, FontRole::Label, Tone::Ink2);
    if (plot.bottom() - y(1) > 12) d.out.text(QPointF(words, plot.bottom()), slower, FontRole::Label, Tone::Ink2);
    for (std::size_t i = 0; i < shown; ++i) {
        const SpeedLine& line = d.model.speedLines[i];
        const ShownSeries& fast = d.model.series[line.fast];
        PathItem path;
        path.stroke = fast.tone();
        path.style = i == 0 ? LineStyle::Solid : LineStyle::Dashed;
        bool begun = false;
        for (const SpeedLine::Point& point : line.points) {
            const QPointF at(axes.x(static_cast<double>(point.n)), y(point.verdict.ratio));
            begun ? path.path.lineTo(at) : path.path.moveTo(at);
            begun = true;
        }
        if (line.points.size() > 1) d.out.path(path);
        for (const SpeedLine::Point& point : line.points) {
            const QPointF at(axes.x(static_cast<double>(point.n)), y(point.verdict.ratio));
            const timing::Interval& held = point.verdict.interval;
            if (held.low > 0) d.out.line(QPointF(at.x(), y(held.low)), QPointF(at.x(), y(held.high)), fast.tone(), 2);
            ShownSeries sign = fast;
            // Open where it cannot be told.
            sign.filled = point.verdict.answer != timing::Answer::CannotTell;
            appendSign(d.out, sign, at, 7);
        }
    }
}

} // namespace stridescope::timing_parts
