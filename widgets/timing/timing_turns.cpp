// How the picked size was measured: each block where it began and how long it took, one lane for each of those that
// took turns. What was thrown away stays in sight.

#include "widgets/model/words.h"
#include "widgets/timing/timing_parts.h"

#include <algorithm>

namespace stridescope::timing_parts {

namespace {

using timing::Measurement;

constexpr std::size_t kMostLanes = 4;
constexpr qreal kLane = 28;

struct Lane {
    const ShownSeries* series;
    const Measurement* m;
};

/// Those of the picked size that were measured together with the first of them.
std::vector<Lane> lanesOf(const TimingModel& model, std::optional<Index> n) {
    std::vector<Lane> lanes;
    if (!n) return lanes;
    for (const ShownSeries& series : model.series) {
        const Measurement* m = series.at(*n);
        if (!m || (m->measured.samples.empty() && m->measured.warmUp.empty())) continue;
        if (!lanes.empty() && (series.run != lanes.front().series->run || m->group != lanes.front().m->group)) continue;
        if (lanes.size() < kMostLanes) lanes.push_back({&series, m});
    }
    return lanes;
}

} // namespace

qreal turnsHeight(const TimingModel& model) {
    std::size_t most = 0;
    for (const Index n : model.sizes) most = std::max(most, lanesOf(model, n).size());
    return most == 0 ? 60 : 100 + kLane * static_cast<qreal>(most);
}

qreal appendTurns(Drawing& d, const QRectF& room) {
    const std::vector<Lane> lanes = lanesOf(d.model, d.n);
    if (lanes.empty()) {
        appendTitle(d.out, room, PaintedText::tr("How it was measured"));
        appendWords(d.out, room.topLeft() + QPointF(0, 26),
                    PaintedText::tr("Blocks of calls, in turns: they are drawn here when a size has been measured."),
                    room.width());
        return room.bottom();
    }
    appendTitle(d.out, room, PaintedText::tr("How n = %1 was measured").arg(countText(*d.n)),
                PaintedText::tr("blocks of calls, in turns"));
    double end = 0, from = 1e300, until = 0;
    std::size_t warm = 0, kept = 0, dropped = 0;
    for (const Lane& lane : lanes) {
        const auto look = [&](const timing::Sample& sample, bool counts) {
            end = std::max(end, sample.started + sample.times.host);
            if (!counts) return;
            from = std::min(from, sample.started);
            until = std::max(until, sample.started + sample.times.host);
        };
        for (const timing::Sample& sample : lane.m->measured.warmUp) look(sample, false);
        for (const timing::Sample& sample : lane.m->measured.samples) {
            look(sample, true);
            ++(sample.dropped == timing::Dropped::No ? kept : dropped);
        }
        warm += lane.m->measured.warmUp.size();
    }
    qreal names = 40;
    for (const Lane& lane : lanes) names = std::max(names, textWidth(FontRole::LabelStrong, lane.series->label));
    names = std::min(names, room.width() * 0.32);
    const qreal left = room.left() + names + 12, width = room.right() - left;
    const auto x = [&](double seconds) { return left + width * (end > 0 ? seconds / end : 0); };
    qreal y = room.top() + 30;
    for (const Lane& lane : lanes) {
        d.out.text(QPointF(room.left(), y + 15), cut(FontRole::LabelStrong, lane.series->label, names),
                   FontRole::LabelStrong, lane.series->gpu ? Tone::Gpu : Tone::Ink);
        d.out.line(QPointF(left, y + 22), QPointF(room.right(), y + 22), Tone::Hairline, 1);
        BarsItem away{{}, Tone::Hairline}, counts{{}, lane.series->tone()}, noisy{{}, Tone::Error};
        const auto add = [&](const timing::Sample& sample, bool warmUp) {
            const qreal w = std::max(1.0, x(sample.started + sample.times.host) - x(sample.started) - 0.5);
            const bool dropsOut = sample.dropped != timing::Dropped::No;
            // Noisy ones are half as high: told apart without hue.
            const QRectF bar(x(sample.started), dropsOut && !warmUp ? y + 11 : y + 1, w, dropsOut && !warmUp ? 10 : 20);
            (warmUp ? away : dropsOut ? noisy : counts).bars.push_back(bar);
        };
        for (const timing::Sample& sample : lane.m->measured.warmUp) add(sample, true);
        for (const timing::Sample& sample : lane.m->measured.samples) add(sample, false);
        for (BarsItem* bars : {&away, &counts, &noisy})
            if (!bars->bars.empty()) d.out.item(std::move(*bars));
        y += kLane;
    }
    if (until > from) appendBracket(d.out, x(from), x(until), y + 4);
    d.out.text(QPointF(left, y + 20), QStringLiteral("0"), FontRole::Label, Tone::Ink2);
    d.out.text(QPointF(room.right(), y + 20), secondsText(end), FontRole::Label, Tone::Ink2, kRight);
    const QString counted = PaintedText::tr("what counts");
    if (until > from)
        d.out.text(QPointF(std::clamp((x(from) + x(until)) / 2, left + 60, room.right() - 90), y + 20), counted,
                   FontRole::LabelStrong, Tone::Ink, kCentre);
    const QString words = PaintedText::tr("%1 kept, %2 dropped as noisy (half as high), %3 of the warm-up (pale)")
                              .arg(countText(static_cast<Index>(kept)), countText(static_cast<Index>(dropped)),
                                   countText(static_cast<Index>(warm)));
    const qreal below = appendWords(d.out, QPointF(room.left(), y + 28), words, room.width(), Tone::Ink2, 2);
    d.spot(SpotKind::Turns, QRectF(room.left(), room.top() + 26, room.width(), below - room.top() - 26), *d.n, -1,
           words);
    return room.bottom();
}

} // namespace stridescope::timing_parts
