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
    qreal who = 100;                ///< width of the names
    qreal peak = 100;               ///< width of its bars
    bool brief = false;             ///< presented in little room: the first four columns
    bool has(int column) const { return !brief || column <= Half; }
};

FontRole fontOf(int column) {
    return column == Median || column == Peak ? FontRole::LabelStrong : FontRole::Label;
}

QString recordedText() {
    return PaintedText::tr("recorded");
}

QString markText(const Measurement& m, bool doubtful) {
    if (m.busy) return PaintedText::tr("busy");
    if (doubtful) return PaintedText::tr("no trust");
    return m.times().spread() > 0.15 ? PaintedText::tr("noisy") : QString();
}

/// Widths that the columns need for what stands in them; of Who with the sign in front.
std::array<qreal, Columns> neededWidths(const TimingModel& model, const std::vector<TimingRow>& rows) {
    std::array<qreal, Columns> needed{};
    const QStringList names = timingColumns();
    for (int c = 0; c < Columns; ++c) needed[static_cast<std::size_t>(c)] = textWidth(FontRole::Label, names[c]);
    needed[Peak] = 0; // its name stands over the bar, too
    for (const TimingRow& row : rows) {
        const ShownSeries& series = model.series[static_cast<std::size_t>(row.series)];
        for (const int c : {N, Median, Half, First, Blocks, Flops, Bytes, Peak}) {
            qreal& width = needed[static_cast<std::size_t>(c)];
            width = std::max(width, textWidth(fontOf(c), row.cells[c]));
        }
        const qreal badge = series.recorded ? textWidth(FontRole::Label, recordedText()) + 8 : 0;
        needed[Who] = std::max(needed[Who], 16 + textWidth(FontRole::LabelStrong, series.label) + badge);
        const Measurement& m = measurementOf(model, row);
        const qreal spread = textWidth(FontRole::Label, spreadText(m));
        const QString mark = markText(m, row.doubtful);
        needed[Spread] = std::max(needed[Spread], mark.isEmpty() ? spread
                                                                 : std::max(40.0, spread + 12) + 11 +
                                                                       textWidth(FontRole::LabelStrong, mark));
    }
    return needed;
}

Layout layoutFor(const TimingModel& model, const std::vector<TimingRow>& rows, const QRectF& room) {
    constexpr qreal kLeastGap = 10, kMostGap = 44, kLeastWho = 96, kLeastBar = 24, kMostBar = 240, kGaps = 8;
    Layout l;
    l.brief = room.width() < 700;
    l.x[N] = room.left() + 50;
    l.x[Who] = room.left() + 64;
    if (l.brief) {
        l.x[Half] = room.right();
        l.x[Median] = room.right() - 126;
        l.who = l.x[Median] - 84 - l.x[Who];
        return l;
    }
    const std::array<qreal, Columns> needed = neededWidths(model, rows);
    qreal rest = room.right() - l.x[Who] - kLeastGap * kGaps - kLeastBar - 8 - needed[Peak] - needed[Spread];
    for (const int c : {Median, Half, First, Blocks, Flops, Bytes}) rest -= needed[static_cast<std::size_t>(c)];
    // Names are cut before figures run into each other; what is left over goes to air and bars.
    l.who = std::max(kLeastWho, std::min(needed[Who], rest));
    rest = std::max(0.0, rest - l.who);
    l.peak = kLeastBar + std::min(rest * 0.4, kMostBar - kLeastBar);
    const qreal gap = kLeastGap + std::min((rest - (l.peak - kLeastBar)) / kGaps, kMostGap - kLeastGap);
    qreal at = l.x[Who] + l.who;
    for (const int c : {Median, Half, First, Blocks, Flops, Bytes})
        l.x[static_cast<std::size_t>(c)] = at += gap + needed[static_cast<std::size_t>(c)];
    l.x[Peak] = at + gap;
    l.x[Spread] = l.x[Peak] + l.peak + 8 + needed[Peak] + gap;
    return l;
}

void appendHead(Drawing& d, const Layout& l, const QRectF& room) {
    const QStringList names = timingColumns();
    const qreal y = room.top() + 15;
    for (int c = 0; c < Columns; ++c) {
        if (!l.has(c)) continue;
        const bool left = c == Who || c == Peak || c == Spread;
        QString name = names[c];
        if (c == Peak && textWidth(FontRole::Label, name) > l.x[Spread] - l.x[Peak] - 6)
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
    qreal most = l.who - 16;
    const QString recorded = recordedText();
    if (series.recorded) most -= textWidth(FontRole::Label, recorded) + 8;
    const QString label = cut(FontRole::LabelStrong, series.label, most);
    const qreal labelWidth =
        d.out.text(QPointF(l.x[Who] + 16, y), label, FontRole::LabelStrong, series.gpu ? Tone::Gpu : Tone::Ink);
    if (series.recorded) d.out.text(QPointF(l.x[Who] + 24 + labelWidth, y), recorded, FontRole::Label, Tone::Ink2);
    for (const Cell c : {Median, Half, First, Blocks, Flops, Bytes})
        if (l.has(c))
            d.out.text(QPointF(l.x[static_cast<std::size_t>(c)], y), row.cells[c], fontOf(c),
                       c == Median ? Tone::Ink : Tone::Ink2, kRight);
    d.spot(SpotKind::Row, QRectF(room.left(), top, room.width(), kRowHeight), row.n, row.series,
           QStringLiteral("n = %1, %2")
               .arg(countText(row.n), measurementWords(series, m).mid(1).join(QStringLiteral(", "))));
    if (l.brief) {
        const qreal left = l.x[Median] - textWidth(FontRole::LabelStrong, row.cells[Median]) - 12;
        if (row.doubtful) d.out.glyph(Glyph::Hazard, QPointF(left, top + 10.5), 12, Tone::Error);
        return;
    }
    if (const auto share = shareOf(d.model, row); share && share->isTrusted()) {
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
    if (const QString mark = markText(m, row.doubtful); !mark.isEmpty()) {
        const qreal at = std::max(l.x[Spread] + 40, after + 12);
        d.out.glyph(Glyph::Hazard, QPointF(at, top + 10.5), 12, row.doubtful ? Tone::Error : Tone::Ink);
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
                      << (!share               ? QStringLiteral("–")
                          : share->isTrusted() ? shareText(share->share)
                                               : PaintedText::tr("peak too low"))
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
    const std::vector<TimingRow> rows = timingRows(d.model);
    const Layout l = layoutFor(d.model, rows, room);
    appendHead(d, l, room);
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
