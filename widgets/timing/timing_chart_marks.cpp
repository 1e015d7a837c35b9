// What is written on the chart: names of the curves, crossovers, and all that is known of a point.

#include "widgets/timing/timing_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope::timing_parts {

using timing::Measurement;

/// In little room: names under one another in the upper left of the plot, where curves that rise do not come.
void appendLegend(Drawing& d, const ChartAxes& axes) {
    QPointF at = axes.plot.topLeft() + QPointF(14, 12);
    for (const ShownSeries& series : d.model.series) {
        if (at.y() > axes.plot.bottom() - 24) break;
        const QString label =
            cut(FontRole::LabelStrong, series.recorded ? series.label + PaintedText::tr(", recorded") : series.label,
                axes.plot.width() * 0.6);
        appendBox(d.out, QRectF(at.x() - 7, at.y() - 8, textWidth(FontRole::LabelStrong, label) + 24, 16), Tone::Stage,
                  Tone::None, 3);
        appendSign(d.out, series, at, 8);
        d.out.text(at + QPointF(12, 4.3), label, FontRole::LabelStrong, series.gpu ? Tone::Gpu : Tone::Ink);
        at.ry() += 17;
    }
}

/// Names at the right end of the curves, none over another.
void appendNames(Drawing& d, const ChartAxes& axes, const QRectF& room) {
    struct Name {
        std::size_t series;
        qreal wanted;
        QStringList lines;
        qreal top = 0;
        qreal height() const { return 15.0 * static_cast<qreal>(lines.size()) + 4; }
    };
    std::vector<Name> names;
    const qreal left = axes.plot.right() + 26, width = room.right() - left;
    for (std::size_t i = 0; i < d.model.series.size(); ++i) {
        const ShownSeries& series = d.model.series[i];
        const double end = series.points.back().measurement->times().median;
        Name name{i, axes.y(std::max(end, axes.secondsLow)), wrapText(FontRole::LabelStrong, series.label, width, 2),
                  0};
        if (series.recorded) name.lines << cut(FontRole::Label, PaintedText::tr("recorded"), width);
        names.push_back(std::move(name));
    }
    std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.wanted < b.wanted; });
    qreal least = axes.plot.top(), all = 0;
    for (const Name& name : names) all += name.height();
    for (std::size_t i = 0; i < names.size(); ++i) {
        // What comes below needs its room as well.
        const qreal most = axes.plot.bottom() + 20 - all;
        Name& name = names[i];
        name.top = std::max(least, std::min(name.wanted - name.height() / 2, most));
        least = name.top + name.height();
        all -= name.height();
        if (least > room.bottom()) break;
        const ShownSeries& series = d.model.series[name.series];
        const QPointF end(axes.x(static_cast<double>(series.points.back().n)), name.wanted);
        const qreal middle = name.top + name.height() / 2;
        if (std::abs(middle - name.wanted) > 9)
            d.out.line(end + QPointF(7, 0), QPointF(left - 15, middle), Tone::Control, 1);
        appendSign(d.out, series, QPointF(left - 9, name.top + 9), 8);
        qreal y = name.top + 13;
        for (qsizetype k = 0; k < name.lines.size(); ++k, y += 15) {
            const bool origin = series.recorded && k + 1 == name.lines.size();
            d.out.text(QPointF(left, y), name.lines[k], origin ? FontRole::Label : FontRole::LabelStrong,
                       origin       ? Tone::Ink2
                       : series.gpu ? Tone::Gpu
                                    : Tone::Ink);
        }
    }
}

void appendCrossovers(Drawing& d, const ChartAxes& axes) {
    std::vector<QRectF> taken;
    QRectF frame; // round the picked size: it stays whole where there is room
    if (d.n) {
        const qreal x = axes.x(static_cast<double>(*d.n));
        frame = QRectF(x - 20, axes.plot.top(), 40, axes.plot.height());
    }
    for (std::size_t i = 0; i < d.model.crossovers.size(); ++i) {
        const ShownCrossover& cross = d.model.crossovers[i];
        const QPointF at(axes.x(cross.where.estimate), axes.y(std::max(cross.seconds, axes.secondsLow)));
        // The sizes between which the verdict changes: that is what is known, the ring is a guess between them.
        const qreal from = axes.x(static_cast<double>(cross.where.below)),
                    to = axes.x(static_cast<double>(cross.where.above));
        const qreal foot = axes.plot.bottom() - 4 - 4 * static_cast<qreal>(i);
        d.out.line(at + QPointF(0, 8), QPointF(at.x(), foot), Tone::Ink, 1.5, LineStyle::Dotted);
        d.out.line(QPointF(from, foot), QPointF(to, foot), Tone::Ink, 3);
        PathItem ring;
        ring.path.addEllipse(at, 8, 8);
        ring.casing = true;
        d.out.path(ring);
        const qreal width =
            std::max(textWidth(FontRole::Label, cross.what), textWidth(FontRole::LabelStrong, cross.size));
        std::optional<QRectF> found;
        for (int place = 0; place < 40 && !found; ++place) {
            const bool right = place % 2 == 0, besideFrame = place < 20;
            QRectF wanted(0, foot - 44 - 18.0 * (place % 20 / 2), width, 34);
            wanted.moveLeft(std::clamp(right ? at.x() + 8 : at.x() - 8 - width, axes.plot.left() + 4,
                                       std::max(axes.plot.left() + 4, axes.plot.right() - width)));
            const bool free = !(besideFrame && wanted.intersects(frame)) &&
                              std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) {
                                  return other.adjusted(-4, -2, 4, 2).intersects(wanted);
                              });
            if (free && wanted.top() > axes.plot.top()) found = wanted;
        }
        if (!found) continue; // the ring tells it when it is pointed at
        const QRectF label = *found;
        taken.push_back(label);
        appendBox(d.out, label.adjusted(-3, -1, 3, 1), Tone::Stage, Tone::None, 3);
        d.out.text(label.topLeft() + QPointF(0, 13), cross.what, FontRole::Label, Tone::Ink2);
        d.out.text(label.topLeft() + QPointF(0, 29), cross.size, FontRole::LabelStrong);
        d.spot(SpotKind::Crossover, QRectF(at - QPointF(9, 9), QSizeF(18, 18)), cross.where.above, static_cast<int>(i),
               PaintedText::tr("%1: %2, at %3").arg(cross.what, cross.size, secondsText(cross.seconds)));
    }
}

void appendHover(Drawing& d, const QRectF& room) {
    if (!d.n || d.look.hovered < 0 || d.look.hovered >= static_cast<int>(d.model.series.size())) return;
    const ShownSeries& series = d.model.series[static_cast<std::size_t>(d.look.hovered)];
    const Index n = d.look.hoveredN.value_or(*d.n);
    const Measurement* m = series.at(n);
    if (!m) return;
    const QStringList words = measurementWords(series, *m);
    QStringList lines;
    qreal width = 0;
    for (qsizetype i = 0; i < words.size(); ++i) {
        for (const QString& line : wrapText(i == 0 ? FontRole::LabelStrong : FontRole::Label, words[i], 300, 2)) {
            lines << line;
            width = std::max(width, textWidth(FontRole::LabelStrong, line));
        }
    }
    const QPointF at(d.picture.axes.x(static_cast<double>(n)), d.picture.axes.y(m->times().median));
    QRectF box(at.x() + 18, at.y() - 20, width + 20, 16.0 * static_cast<qreal>(lines.size()) + 14);
    if (box.right() > room.right()) box.moveRight(at.x() - 18);
    box.moveTop(std::clamp(box.top(), room.top(), std::max(room.top(), room.bottom() - box.height())));
    PathItem ring;
    ring.path.addEllipse(at, 8, 8);
    ring.width = 3;
    ring.casing = true;
    d.out.path(ring);
    appendBox(d.out, box, Tone::Stage, Tone::Control, 6);
    for (qsizetype i = 0; i < lines.size(); ++i)
        d.out.text(box.topLeft() + QPointF(10, 19 + 16.0 * static_cast<qreal>(i)), lines[i],
                   i == 0 ? FontRole::LabelStrong : FontRole::Label, i == 0 ? Tone::Ink : Tone::Ink2);
}

} // namespace stridescope::timing_parts
