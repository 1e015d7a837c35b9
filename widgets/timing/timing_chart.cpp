// The chart: curves with their middle halves and all their blocks, where they cross, and what is pointed at.

#include "widgets/model/words.h"
#include "widgets/timing/timing_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

double ChartAxes::x(double n) const {
    return plot.left() + plot.width() * std::log(std::max(n, 1.0) / nLow) / std::log(nHigh / nLow);
}
double ChartAxes::y(double seconds) const {
    return plot.bottom() - plot.height() * std::log(seconds / secondsLow) / std::log(secondsHigh / secondsLow);
}
double ChartAxes::nAt(double at) const {
    return nLow * std::exp((at - plot.left()) / plot.width() * std::log(nHigh / nLow));
}
double ChartAxes::secondsAt(double at) const {
    return secondsLow * std::exp((plot.bottom() - at) / plot.height() * std::log(secondsHigh / secondsLow));
}

namespace timing_parts {

namespace {

using timing::Measurement;

constexpr qreal kLeft = 62, kBelow = 40;

/// Extremes of medians and quartiles; blocks beyond are cut by the plot.
void fitAxes(const TimingModel& model, ChartAxes& axes) {
    double low = std::numeric_limits<double>::max(), high = 0;
    for (const ShownSeries& series : model.series) {
        for (const SeriesPoint& point : series.points) {
            const timing::Summary& times = point.measurement->times();
            if (times.median <= 0) continue;
            low = std::min(low, times.lowerQuartile > 0 ? times.lowerQuartile : times.median);
            high = std::max(high, times.upperQuartile);
        }
    }
    if (high <= 0) return;
    axes.secondsLow = low / 1.6;
    axes.secondsHigh = std::max(high * 1.6, axes.secondsLow * 12);
    const auto first = static_cast<double>(std::max<Index>(model.sizes.front(), 1));
    const auto last = static_cast<double>(std::max<Index>(model.sizes.back(), 1));
    const double pad = std::pow(last / first, 0.045) * (last > first ? 1 : 1.4);
    axes.nLow = first / pad;
    axes.nHigh = last * pad;
}

struct Tick {
    double at;
    bool strong;
};

std::vector<Tick> timeTicks(const ChartAxes& axes) {
    std::vector<Tick> ticks;
    const bool few = axes.secondsHigh / axes.secondsLow < 150;
    for (int power = -10; power <= 5; ++power) {
        for (const int digit : {1, 2, 5}) {
            if (digit != 1 && !few) continue;
            const double at = digit * std::pow(10.0, power);
            if (at >= axes.secondsLow && at <= axes.secondsHigh) ticks.push_back({at, digit == 1});
        }
    }
    return ticks;
}

void appendGrid(Drawing& d, const ChartAxes& axes) {
    const QRectF& plot = axes.plot;
    for (const Tick& tick : timeTicks(axes)) {
        const qreal y = axes.y(tick.at);
        d.out.line(QPointF(plot.left(), y), QPointF(plot.right(), y), Tone::GridLine, 1);
        d.out.text(QPointF(plot.left() - 10, y + 4), tickText(tick.at), FontRole::Label, Tone::Ink2, kRight);
    }
    qreal free = -1e9; // right end of the last label
    const qreal y = plot.bottom() + 18;
    for (std::size_t i = 0; i < d.model.sizes.size(); ++i) {
        const Index n = d.model.sizes[i];
        const qreal x = axes.x(static_cast<double>(n));
        d.out.line(QPointF(x, plot.top()), QPointF(x, plot.bottom()), Tone::GridLine, 1);
        const bool picked = d.n == n;
        const QString text = countText(n);
        const FontRole font = picked ? FontRole::IndexStrong : FontRole::Index;
        const qreal half = textWidth(font, text) / 2;
        // The picked one is told whatever stands before it.
        const bool pickedNext =
            d.n && !picked && axes.x(static_cast<double>(*d.n)) - x > 0 &&
            axes.x(static_cast<double>(*d.n)) - textWidth(FontRole::IndexStrong, countText(*d.n)) / 2 < x + half + 6;
        if (x - half < free + 6 || pickedNext) continue;
        d.out.text(QPointF(x, y), text, font, picked ? Tone::Ink : Tone::Ink2, kCentre);
        free = x + half;
    }
    d.out.line(plot.topLeft(), plot.bottomLeft(), Tone::Control, 1);
    d.out.line(plot.bottomLeft(), plot.bottomRight(), Tone::Control, 1);
    d.out.text(QPointF(plot.center().x(), plot.bottom() + 35), PaintedText::tr("n (both axes logarithmic)"),
               FontRole::Label, Tone::Ink2, kCentre);
}

void appendPickedColumn(Drawing& d, const ChartAxes& axes) {
    if (!d.n) return;
    const qreal x = axes.x(static_cast<double>(*d.n));
    BoxItem box;
    const qreal half = std::max(15.0, textWidth(FontRole::IndexStrong, countText(*d.n)) / 2 + 5);
    box.rect = QRectF(x - half, axes.plot.top() - 2, 2 * half, axes.plot.height() + 27);
    box.outline = Tone::Ink;
    box.width = 2;
    box.radius = 4;
    d.out.box(box);
}

/// Each block as a dot; side by side, so that many of one time are seen as many.
void appendBlocks(Drawing& d, const ChartAxes& axes, const ShownSeries& series) {
    BarsItem kept{{}, Tone::Control}, away{{}, Tone::Hairline};
    const auto add = [&](const timing::Sample& sample, Index n, std::size_t k, bool byDevice, bool thrownAway) {
        const double seconds = sample.perCall(byDevice);
        if (seconds < axes.secondsLow || seconds > axes.secondsHigh) return;
        // A fixed scatter within seven pixels: no two neighbours in one place.
        const qreal shift = static_cast<qreal>((k * 7) % 15) - 7;
        (thrownAway ? away : kept)
            .bars.push_back(QRectF(axes.x(static_cast<double>(n)) + shift - 1, axes.y(seconds) - 1, 2, 2));
    };
    for (const SeriesPoint& point : series.points) {
        const timing::Measured& measured = point.measurement->measured;
        const bool byDevice = point.measurement->byDevice();
        for (std::size_t k = 0; k < measured.warmUp.size(); ++k) add(measured.warmUp[k], point.n, k, byDevice, true);
        for (std::size_t k = 0; k < measured.samples.size(); ++k)
            add(measured.samples[k], point.n, k, byDevice, measured.samples[k].dropped != timing::Dropped::No);
    }
    if (!away.bars.empty()) d.out.item(away);
    if (!kept.bars.empty()) d.out.item(kept);
}

void appendBand(Drawing& d, const ChartAxes& axes, const ShownSeries& series) {
    PathItem band;
    const auto place = [&](const SeriesPoint& point, double seconds) {
        return QPointF(axes.x(static_cast<double>(point.n)),
                       std::clamp(axes.y(std::max(seconds, axes.secondsLow)), axes.plot.top(), axes.plot.bottom()));
    };
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const QPointF at = place(series.points[i], series.points[i].measurement->times().upperQuartile);
        i == 0 ? band.path.moveTo(at) : band.path.lineTo(at);
    }
    for (std::size_t i = series.points.size(); i-- > 0;)
        band.path.lineTo(place(series.points[i], series.points[i].measurement->times().lowerQuartile));
    band.path.closeSubpath();
    band.fill = series.tint();
    band.stroke = series.tone();
    band.width = 0.75;
    d.out.path(band);
    // One size is no band: a bar of its quartiles.
    if (series.points.size() > 1) return;
    const timing::Summary& times = series.points.front().measurement->times();
    const QPointF top = place(series.points.front(), times.upperQuartile);
    const QPointF bottom = place(series.points.front(), times.lowerQuartile);
    d.out.line(top, bottom, series.tone(), 2);
    for (const QPointF end : {top, bottom}) d.out.line(end - QPointF(5, 0), end + QPointF(5, 0), series.tone(), 2);
}

void appendCurve(Drawing& d, const ChartAxes& axes, std::size_t index) {
    const ShownSeries& series = d.model.series[index];
    PathItem line;
    line.stroke = series.tone();
    line.width = 2;
    line.style = series.dash == 0 ? LineStyle::Solid : series.dash == 1 ? LineStyle::Dashed : LineStyle::Dotted;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const timing::Summary& times = series.points[i].measurement->times();
        const QPointF at(axes.x(static_cast<double>(series.points[i].n)),
                         axes.y(std::max(times.median, axes.secondsLow)));
        i == 0 ? line.path.moveTo(at) : line.path.lineTo(at);
    }
    if (series.points.size() > 1) d.out.path(line);
    for (const SeriesPoint& point : series.points) {
        const Measurement& m = *point.measurement;
        const QPointF at(axes.x(static_cast<double>(point.n)), axes.y(std::max(m.times().median, axes.secondsLow)));
        appendSign(d.out, series, at);
        if (m.doubtful()) d.out.glyph(Glyph::Hazard, at + QPointF(11, -10), 11, Tone::Error);
        d.spot(SpotKind::Point, QRectF(at - QPointF(9, 9), QSizeF(18, 18)), point.n, static_cast<int>(index),
               measurementWords(series, m).join(QStringLiteral(", ")));
    }
}

/// Whose figures these are, and whether they belong to the settings beside them.
void appendPills(Drawing& d, const QRectF& room) {
    qreal x = room.left();
    const qreal y = room.top() + 36;
    const auto pill = [&](const QString& text, Tone fill, Tone outline) {
        const qreal most = room.right() - x;
        if (most < 60) return;
        x = appendPill(d.out, QPointF(x, y), text, most, fill, outline).right() + 8;
    };
    if (!d.model.notes.stale.isEmpty()) pill(d.model.notes.stale, Tone::NoteTint, Tone::Control);
    for (const ShownRun& shown : d.model.runs)
        if (shown.recorded) pill(PaintedText::tr("recorded: %1").arg(runLabel(*shown.run)), Tone::GpuTint, Tone::Gpu);
}

void appendNothing(Drawing& d, const QRectF& room) {
    BoxItem frame;
    frame.rect = room.adjusted(0, 34, 0, -8);
    frame.outline = Tone::Control;
    frame.style = LineStyle::Dotted;
    frame.radius = 8;
    d.out.box(frame);
    const QPointF middle = frame.rect.center();
    d.out.text(middle - QPointF(0, 8), PaintedText::tr("Nothing has been timed yet"), FontRole::Heading, Tone::Ink,
               kCentre);
    d.out.text(middle + QPointF(0, 14), PaintedText::tr("Choose what to time at the left, then Run sweep."),
               FontRole::Label, Tone::Ink2, kCentre);
    d.out.text(middle + QPointF(0, 32), PaintedText::tr("Or open a recorded series."), FontRole::Label, Tone::Ink2,
               kCentre);
}

} // namespace

qreal appendChart(Drawing& d, const QRectF& room) {
    const QString title =
        d.model.isEmpty() ? PaintedText::tr("Time over size") : PaintedText::tr("Time for one %1").arg(d.model.subject);
    appendTitle(d.out, room, title, PaintedText::tr("median, band = middle half, dots = blocks of calls"));
    if (d.model.isEmpty()) {
        appendNothing(d, room);
        return room.bottom();
    }
    appendPills(d, room);
    const bool pills = !d.model.notes.stale.isEmpty() || d.model.hasRecorded();
    const bool brief = room.width() < 480;
    const qreal speed = brief || room.height() < 300 ? 0 : speedHeight(d.model);
    qreal names = 60;
    for (const ShownSeries& series : d.model.series)
        names = std::max(names, textWidth(FontRole::LabelStrong, series.label) + 4);
    names = brief ? 8 : std::min(names, 124.0) + 26;
    ChartAxes& axes = d.picture.axes;
    axes.plot = QRectF(room.left() + kLeft, room.top() + (pills ? 54 : 34), room.width() - kLeft - names,
                       room.height() - (pills ? 54 : 34) - kBelow - speed);
    fitAxes(d.model, axes);
    // From behind to front: what is felt before what is seen, bands before curves.
    for (const Index n : d.model.sizes) {
        const qreal x = axes.x(static_cast<double>(n));
        QStringList words;
        for (const ShownSeries& series : d.model.series)
            if (const Measurement* m = series.at(n))
                words << series.label + QLatin1Char(' ') + secondsText(m->times().median);
        d.spot(SpotKind::Size, QRectF(x - 13, axes.plot.top(), 26, axes.plot.height() + 26), n, -1,
               PaintedText::tr("n = %1: %2").arg(countText(n), words.join(QStringLiteral(", "))));
    }
    appendGrid(d, axes);
    for (const ShownSeries& series : d.model.series) appendBand(d, axes, series);
    for (const ShownSeries& series : d.model.series) appendBlocks(d, axes, series);
    for (std::size_t i = 0; i < d.model.series.size(); ++i) appendCurve(d, axes, i);
    appendPickedColumn(d, axes);
    appendCrossovers(d, axes);
    if (brief)
        appendLegend(d, axes);
    else
        appendNames(d, axes, QRectF(room.left(), room.top(), room.width(), room.height() - speed));
    if (speed > 0) appendSpeed(d, axes, QRectF(room.left(), room.bottom() - speed, room.width(), speed));
    return room.bottom();
}

} // namespace timing_parts

} // namespace stridescope
