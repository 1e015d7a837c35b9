// The table: every measurement with its middle half, rates, share of this machine's measured peak, and what is wrong
// with it.

#include "widgets/model/words.h"
#include "widgets/timing/timing_parts.h"

#include <algorithm>
#include <array>

namespace stridescope {

namespace {

using namespace timing_parts;
using timing::Measurement;

constexpr qreal kHeadHeight = 30, kRowHeight = 22;

const Measurement& measurementOf(const TimingModel& model, const TimingRow& row) {
    return *model.series[static_cast<std::size_t>(row.series)].at(row.n);
}

std::optional<timing::ShareOfPeak> shareOf(const TimingModel& model, const TimingRow& row) {
    const ShownSeries& series = model.series[static_cast<std::size_t>(row.series)];
    return timing::shareOfPeak(*model.runs[series.run].run, measurementOf(model, row));
}

enum Cell { N, Who, Median, Half, First, Blocks, Flops, Bytes, Peak, Spread, Columns };

struct Layout {
    std::array<qreal, Columns> x{}; ///< right edges; of Who, Peak and Spread left ones
    qreal peak = 100;               ///< width of its bars
    bool brief = false;             ///< presented in little room: the first four columns
    bool has(int column) const { return !brief || column <= Half; }
};

Layout layoutFor(const QRectF& room) {
    // The figures have their widths; what is left goes to names, bars and air.
    Layout l;
    constexpr qreal kFigures = 60 + 120 + 66 + 58 + 58 + 46, kSpread = 116, kPercent = 58;
    const qreal w = room.width();
    l.brief = w < 700;
    l.x[N] = room.left() + 50;
    l.x[Who] = room.left() + 64;
    if (l.brief) {
        l.x[Half] = room.right();
        l.x[Median] = room.right() - 126;
        return l;
    }
    const qreal rest = w - 64 - kFigures - kSpread - kPercent;
    const qreal device = std::clamp(rest * 0.42, 166.0, 300.0);
    l.peak = std::clamp(rest * 0.28, 60.0, 260.0);
    const qreal step = std::max(2.0, (rest - device - l.peak) / 7);
    l.x[Median] = l.x[Who] + device + 60;
    l.x[Half] = l.x[Median] + 120 + step;
    l.x[First] = l.x[Half] + 66 + step;
    l.x[Blocks] = l.x[First] + 58 + step;
    l.x[Flops] = l.x[Blocks] + 58 + step;
    l.x[Bytes] = l.x[Flops] + 46 + step;
    l.x[Peak] = l.x[Bytes] + step * 2;
    l.x[Spread] = room.right() - kSpread;
    l.peak = std::max(20.0, l.x[Spread] - kPercent - l.x[Peak]);
    return l;
}

void appendHead(Drawing& d, const Layout& l, const QRectF& room) {
    const QStringList names = timingColumns();
    const qreal y = room.top() + 15;
    for (int c = 0; c < Columns; ++c) {
        if (!l.has(c)) continue;
        const bool left = c == Who || c == Peak || c == Spread;
        QString name = names[c];
        if (c == Peak && textWidth(FontRole::Label, name) > l.x[Spread] - l.x[Peak] - 8)
            name = PaintedText::tr("of peak");
        d.out.text(QPointF(l.x[static_cast<std::size_t>(c)], y), name, FontRole::Label, Tone::Ink2,
                   left ? Qt::AlignLeft | Qt::AlignBaseline : kRight);
    }
    d.out.line(QPointF(room.left(), room.top() + 23), QPointF(room.right(), room.top() + 23), Tone::Hairline, 1);
}

void appendRow(Drawing& d, const Layout& l, const QRectF& room, const TimingRow& row, bool first, qreal top) {
    const ShownSeries& series = d.model.series[static_cast<std::size_t>(row.series)];
    const Measurement& m = measurementOf(d.model, row);
    const qreal y = top + 15;
    if (first) d.out.text(QPointF(l.x[N], y), row.cells[N], FontRole::MetaStrong, Tone::Ink, kRight);
    appendSign(d.out, series, QPointF(l.x[Who] + 4, top + 10.5), 8);
    qreal most = l.x[Median] - (l.brief ? 84 : 62) - l.x[Who] - 16;
    const QString recorded = PaintedText::tr("recorded");
    const qreal badge = textWidth(FontRole::Label, recorded) + 8;
    if (series.recorded) most -= badge;
    const QString label = cut(FontRole::LabelStrong, series.label, most);
    const qreal labelWidth =
        d.out.text(QPointF(l.x[Who] + 16, y), label, FontRole::LabelStrong, series.gpu ? Tone::Gpu : Tone::Ink);
    if (series.recorded) d.out.text(QPointF(l.x[Who] + 24 + labelWidth, y), recorded, FontRole::Label, Tone::Ink2);
    for (const Cell c : {Median, Half, First, Blocks, Flops, Bytes})
        if (l.has(c))
            d.out.text(QPointF(l.x[static_cast<std::size_t>(c)], y), row.cells[c],
                       c == Median ? FontRole::LabelStrong : FontRole::Label, c == Median ? Tone::Ink : Tone::Ink2,
                       kRight);
    d.spot(SpotKind::Row, QRectF(room.left(), top, room.width(), kRowHeight), row.n, row.series,
           QStringLiteral("n = %1, %2")
               .arg(countText(row.n), measurementWords(series, m).mid(1).join(QStringLiteral(", "))));
    if (l.brief) {
        const qreal left = l.x[Median] - textWidth(FontRole::LabelStrong, row.cells[Median]) - 12;
        if (row.doubtful) d.out.glyph(Glyph::Hazard, QPointF(left, top + 10.5), 12, Tone::Error);
        return;
    }
    if (const auto share = shareOf(d.model, row)) {
        const QRectF bar(l.x[Peak], top + 5, l.peak, 11);
        appendBox(d.out, bar, Tone::Stage, Tone::Control, 2);
        const qreal part = std::clamp(share->share, 0.0, 1.0);
        appendBox(d.out, QRectF(bar.topLeft(), QSizeF(std::max(1.0, bar.width() * part), bar.height())), series.tone(),
                  Tone::None, 2);
        d.out.text(QPointF(bar.right() + 8, y), shareText(share->share), FontRole::LabelStrong);
    } else {
        d.out.text(QPointF(l.x[Peak], y), row.cells[Peak], FontRole::Label, Tone::Ink2);
    }
    const qreal after = l.x[Spread] + d.out.text(QPointF(l.x[Spread], y), spreadText(m), FontRole::Label, Tone::Ink2);
    if (row.doubtful || m.times().spread() > 0.15) {
        const qreal at = std::max(l.x[Spread] + 40, after + 12);
        d.out.glyph(Glyph::Hazard, QPointF(at, top + 10.5), 12, row.doubtful ? Tone::Error : Tone::Ink);
        const QString mark = m.busy         ? PaintedText::tr("busy")
                             : row.doubtful ? PaintedText::tr("no trust")
                                            : PaintedText::tr("noisy");
        d.out.text(QPointF(at + 11, y), mark, FontRole::LabelStrong);
    }
}

} // namespace

QStringList timingColumns() {
    return {QStringLiteral("n"),
            PaintedText::tr("device"),
            PaintedText::tr("median"),
            PaintedText::tr("middle half (IQR)"),
            PaintedText::tr("first call"),
            PaintedText::tr("blocks"),
            QStringLiteral("GFLOP/s"),
            QStringLiteral("GB/s"),
            PaintedText::tr("of measured peak"),
            PaintedText::tr("spread")};
}

std::vector<TimingRow> timingRows(const TimingModel& model) {
    std::vector<TimingRow> rows;
    for (const Index n : model.sizes) {
        for (std::size_t s = 0; s < model.series.size(); ++s) {
            const Measurement* m = model.series[s].at(n);
            if (!m) continue;
            TimingRow row{n, static_cast<int>(s), {}, m->doubtful()};
            const timing::Summary& times = m->times();
            QString label = model.series[s].label;
            if (model.series[s].recorded) label += QStringLiteral(" (") + model.series[s].origin + QLatin1Char(')');
            const auto share = shareOf(model, row);
            const std::size_t taken = m->measured.samples.size();
            row.cells << countText(n) << label << secondsText(times.median)
                      << secondsRange(times.lowerQuartile, times.upperQuartile)
                      << secondsText(m->measured.firstCall > 0 ? m->measured.firstCall : -1)
                      << (m->dropped > 0 ? PaintedText::tr("%1 of %2").arg(taken - m->dropped).arg(taken)
                                         : QString::number(taken))
                      << gigaText(m->flopsPerSecond()) << gigaText(m->bytesPerSecond())
                      << (share ? shareText(share->share) : QStringLiteral("–"))
                      << spreadText(*m) + (m->busy        ? PaintedText::tr(", busy: do not trust")
                                           : row.doubtful ? PaintedText::tr(", do not trust")
                                                          : QString());
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

QString timingTableText(const TimingModel& model) {
    QString text = timingColumns().join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const TimingRow& row : timingRows(model)) text += row.cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    return text;
}

namespace timing_parts {

qreal tableHeight(const TimingModel& model) {
    std::size_t rows = 0;
    for (const ShownSeries& series : model.series) rows += series.points.size();
    return kHeadHeight + kRowHeight * static_cast<qreal>(std::max<std::size_t>(rows, 1)) +
           16.0 * static_cast<qreal>(std::min<qsizetype>(model.refused.size(), 4));
}

qreal appendTable(Drawing& d, const QRectF& room) {
    const Layout l = layoutFor(room);
    appendHead(d, l, room);
    const std::vector<TimingRow> rows = timingRows(d.model);
    qreal y = room.top() + kHeadHeight - 2;
    if (rows.empty()) {
        d.out.text(QPointF(l.x[Who], y + 15), PaintedText::tr("one row for each size and device"), FontRole::Label,
                   Tone::Ink2);
        return y + kRowHeight;
    }
    // Presented there may be room for fewer: those of the picked size and what follows.
    const auto fits = static_cast<std::size_t>(std::max(1.0, (room.bottom() - y) / kRowHeight + 0.01));
    std::size_t from = 0;
    if (fits < rows.size() && d.n) {
        const auto picked = std::find_if(rows.begin(), rows.end(), [&](const TimingRow& row) { return row.n == *d.n; });
        from = std::min(static_cast<std::size_t>(picked - rows.begin()), rows.size() - fits);
    }
    const std::size_t until = std::min(rows.size(), from + fits);
    for (std::size_t i = from; i < until; ++i) {
        if (d.n != rows[i].n) continue;
        appendBox(d.out,
                  QRectF(room.left() - 8, y + kRowHeight * static_cast<qreal>(i - from), room.width() + 16, kRowHeight),
                  Tone::Selected, Tone::None);
    }
    for (std::size_t i = from; i < until; ++i) {
        appendRow(d, l, room, rows[i], i == from || rows[i - 1].n != rows[i].n, y);
        y += kRowHeight;
    }
    for (qsizetype i = 0; i < std::min<qsizetype>(d.model.refused.size(), 4) && !d.look.only; ++i, y += 16)
        d.out.text(QPointF(room.left(), y + 14),
                   cut(FontRole::Label, PaintedText::tr("Not measured: %1").arg(d.model.refused[i]), room.width()),
                   FontRole::Label, Tone::Ink2);
    return y;
}

} // namespace timing_parts

} // namespace stridescope
