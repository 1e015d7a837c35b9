// Two lanes for each device: when the calls were made, and when the device did what it was given.

#include "widgets/devices/devices_parts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace stridescope::devices_parts {

namespace {

constexpr qreal kTitle = 30, kLane = 22, kStep = 27, kBetween = 12, kAxis = 24, kBracket = 26, kCaption = 36,
                kLabel = 104;
constexpr qreal kBeside = 250, kWide = 980;

/// Streams of a device that had work, in order.
std::vector<std::uint32_t> streamsOf(const DevicesRun& run, Device device) {
    std::set<std::uint32_t> found;
    for (const ShownWork& each : run.work)
        if (each.device == device) found.insert(each.stream);
    return {found.begin(), found.end()};
}

struct Axis {
    QRectF plot;
    qint64 begin = 0, end = 1;
    qreal x(qint64 time) const {
        return plot.left() +
               plot.width() * static_cast<qreal>(time - begin) / static_cast<qreal>(std::max<qint64>(end - begin, 1));
    }
};

/// From when it stands in its lane: what is not begun yet stands at the end of all that is known.
qint64 startOf(const ShownWork& work, const Axis& axis) {
    return work.startedAt != 0 ? work.startedAt : axis.end;
}
qint64 endOf(const ShownWork& work, const Axis& axis) {
    return work.endedAt != 0 ? work.endedAt : axis.end;
}

QString toldOf(const ShownWork& work, const DevicesRun& run) {
    QString told = PaintedText::tr("%1 on %2").arg(workText(work), nameOf(work.device));
    if (work.bytes > 0) told += QStringLiteral(", ") + bytesText(work.bytes);
    told += PaintedText::tr(": called at %1").arg(nanoText(work.queuedAt - run.begin()));
    if (work.dropped) return told + PaintedText::tr(", never begun: the device had failed");
    if (work.startedAt == 0) return told + PaintedText::tr(", waits in the queue");
    told += PaintedText::tr(", began %1 later").arg(nanoText(work.startedAt - work.queuedAt));
    return told + (work.endedAt == 0 ? PaintedText::tr(", runs")
                                     : PaintedText::tr(", took %1").arg(nanoText(work.endedAt - work.startedAt)));
}

void appendAxis(Drawing& d, const Axis& axis, qreal y) {
    d.out.line(QPointF(axis.plot.left(), y), QPointF(axis.plot.right(), y), Tone::Hairline, 1);
    const double length = static_cast<double>(axis.end - axis.begin) * 1e-9;
    if (length <= 0) return;
    double step = std::pow(10, std::floor(std::log10(length / 4)));
    for (const double factor : {5.0, 2.0})
        if (length / (step * factor) >= 3) {
            step *= factor;
            break;
        }
    for (int i = 0; i * step <= length * 1.0001 && i < 60; ++i) {
        const qreal x = axis.plot.left() + axis.plot.width() * (i * step) / length;
        d.out.line(QPointF(x, y), QPointF(x, y + 4), Tone::Control, 1);
        const QString text = i == 0 ? QStringLiteral("0") : tickText(i * step);
        const qreal half = textWidth(FontRole::Index, text) / 2;
        d.out.text(QPointF(std::clamp(x, axis.plot.left() + half, axis.plot.right() - half), y + 16), text,
                   FontRole::Index, Tone::Ink2, kCentre);
    }
}

void appendWork(Drawing& d, const Axis& axis, const ShownWork& work, const QRectF& lane) {
    const bool begun = work.startedAt != 0 && work.startedAt <= d.now;
    const qreal left = axis.x(startOf(work, axis));
    const qreal right = std::max(axis.x(endOf(work, axis)), left + 2.5);
    const QRectF whole(left, lane.top(), right - left, lane.height());
    if (work.dropped || work.queuedAt > d.now) return;
    if (begun) {
        QRectF bar = whole;
        bar.setRight(std::clamp(axis.x(std::min(d.now, endOf(work, axis))), left + 2.5, right));
        const bool copy = work.isCopy();
        appendBox(d.out, bar, copy ? Tone::Stage : Tone::Gpu, Tone::Gpu, bar.width() > 6 ? 3 : 0, copy ? 1.5 : 1);
        if (copy && bar.width() > 4) appendHatch(d.out, bar, Tone::Gpu, work.kind == DeviceWork::DeviceToHost);
        const QString text = workText(work);
        const qreal width = textWidth(FontRole::LabelStrong, text);
        if (width + 10 < bar.width()) {
            if (copy)
                appendBox(d.out, QRectF(bar.center().x() - width / 2 - 4, bar.top() + 3, width + 8, bar.height() - 6),
                          Tone::Stage, Tone::None, 2);
            d.out.text(QPointF(bar.center().x(), bar.center().y() + 4.3), text, FontRole::LabelStrong,
                       copy ? Tone::Ink : Tone::Stage, kCentre);
        }
    } else if (work.startedAt != 0) {
        // Queued: where it will stand, as a place.
        BoxItem place;
        place.rect = whole;
        place.outline = Tone::Ghost;
        place.style = LineStyle::Dotted;
        place.width = 1.5;
        d.out.box(place);
    }
    d.spot(DevicesSpotKind::Work,
           QRectF(QPointF(left - 1, lane.top()), QPointF(std::max(right, left + 4), lane.bottom())),
           toldOf(work, d.model.run));
}

void appendWait(Drawing& d, const Axis& axis, const ShownWait& wait, const QRectF& lane) {
    if (wait.from > d.now) return;
    const qreal left = axis.x(wait.from), right = axis.x(std::min(wait.to, d.now));
    // A wait that is over at once is no more than the call.
    if (axis.x(wait.to) - left < 3) return;
    const QRectF bar(left, lane.top(), std::max(right - left, 2.0), lane.height());
    appendBox(d.out, bar, Tone::Stage, Tone::Cpu, 3, 1.5);
    for (const QString& text : {PaintedText::tr("%1 waits").arg(wait.what), PaintedText::tr("waits")}) {
        if (textWidth(FontRole::LabelStrong, text) + 8 > bar.width()) continue;
        d.out.text(QPointF(bar.center().x(), bar.center().y() + 4.3), text, FontRole::LabelStrong, Tone::Ink, kCentre);
        break;
    }
    d.spot(DevicesSpotKind::Wait, bar,
           PaintedText::tr("the CPU waits %1 for %2: %3")
               .arg(nanoText(wait.to - wait.from), nameOf(wait.device), wait.what));
}

void appendDeviceLanes(Drawing& d, const Axis& axis, Device device, qreal top) {
    const DevicesRun& run = d.model.run;
    const ShownDevice* known = d.model.find(device);
    const std::vector<std::uint32_t> streams = streamsOf(run, device);
    const qreal left = axis.plot.left() - kLabel;
    const QRectF host(axis.plot.left(), top, axis.plot.width(), kLane);
    d.out.text(QPointF(left, top + 15), QStringLiteral("CPU"), FontRole::LabelStrong, Tone::Cpu);
    d.out.text(QPointF(left + 32, top + 15), PaintedText::tr("calls"), FontRole::Label, Tone::Ink2);
    d.out.line(QPointF(host.left(), host.bottom() + 1), QPointF(host.right(), host.bottom() + 1), Tone::Hairline, 1);
    for (const ShownWait& wait : run.waits)
        if (wait.device == device) appendWait(d, axis, wait, host);
    const bool few = run.work.size() <= 40;
    for (std::size_t s = 0; s < streams.size(); ++s) {
        const QRectF lane(axis.plot.left(), top + kStep * static_cast<qreal>(s + 1), axis.plot.width(), kLane);
        QString name = nameOf(device);
        if (streams.size() > 1) name += PaintedText::tr(" stream %1").arg(streams[s]);
        d.out.text(QPointF(left, lane.top() + 15), cut(FontRole::LabelStrong, name, kLabel - 8), FontRole::LabelStrong,
                   Tone::Gpu);
        if (s == 0 && known && known->simulated && streams.size() == 1)
            d.out.text(
                QPointF(left + textWidth(FontRole::LabelStrong, name) + 6, lane.top() + 15),
                cut(FontRole::Label, PaintedText::tr("simulated"), kLabel - textWidth(FontRole::LabelStrong, name) - 8),
                FontRole::Label, Tone::Ink2);
        d.out.line(QPointF(lane.left(), lane.bottom() + 1), QPointF(lane.right(), lane.bottom() + 1), Tone::Hairline,
                   1);
        for (const ShownWork& each : run.work) {
            if (each.device != device || each.stream != streams[s]) continue;
            // How long it waited in the queue.
            if (few && each.queuedAt <= d.now && !each.dropped)
                d.out.line(QPointF(axis.x(each.queuedAt), host.bottom()),
                           QPointF(axis.x(startOf(each, axis)), lane.top()), Tone::Ghost, 1, LineStyle::Dotted);
            appendWork(d, axis, each, lane);
        }
    }
    for (const ShownWork& each : run.work) {
        if (each.device != device || each.queuedAt > d.now) continue;
        const QRectF call(axis.x(each.queuedAt) - 1.25, host.top(), 3, kLane);
        appendBox(d.out, call, each.dropped ? Tone::Error : Tone::Cpu, Tone::None, 0);
        if (each.dropped) d.out.glyph(Glyph::Cross, QPointF(call.center().x(), host.bottom() + 9), 9, Tone::Error);
        d.spot(DevicesSpotKind::Call, call.adjusted(-2, 0, 2, 0),
               each.dropped
                   ? toldOf(each, run)
                   : PaintedText::tr("call of %1 at %2").arg(workText(each), nanoText(each.queuedAt - run.begin())));
    }
}

/// From the first to the last call, and from the first call to the end of the last piece of work.
struct Clocks {
    qint64 calls = 0, lastCall = 0, all = 0, lastEnd = 0;
};
Clocks clocksOf(const DevicesRun& run) {
    Clocks clocks;
    for (const ShownWork& each : run.work) {
        clocks.lastCall = std::max(clocks.lastCall, each.queuedAt);
        clocks.lastEnd = std::max(clocks.lastEnd, each.endedAt);
    }
    clocks.calls = clocks.lastCall - run.begin();
    clocks.all = clocks.lastEnd - run.begin();
    return clocks;
}

QString clockWords(const DevicesModel& model, const Clocks& clocks) {
    if (clocks.lastEnd == 0)
        return PaintedText::tr("The device has not begun yet. The call is over: it only queued the work.");
    qint64 waited = 0;
    for (const ShownWait& wait : model.run.waits) waited += wait.to - wait.from;
    QString words = PaintedText::tr("A call returns as soon as its work is queued.");
    if (clocks.calls > 0 && clocks.all > 2 * clocks.calls)
        words += QLatin1Char(' ') +
                 PaintedText::tr("Who stops the clock before synchronize has timed the queue: here %1 too little.")
                     .arg(factorText(static_cast<double>(clocks.all) / static_cast<double>(clocks.calls)));
    if (waited > 0) words += QLatin1Char(' ') + PaintedText::tr("The CPU stood still for %1.").arg(nanoText(waited));
    if (model.hasSimulated())
        words += QLatin1Char(' ') + PaintedText::tr("Times of a simulated device say nothing about a GPU.");
    return words;
}

void appendClocks(Drawing& d, const Axis& axis, const Clocks& clocks, qreal y) {
    const DevicesRun& run = d.model.run;
    if (clocks.lastEnd == 0 || d.now < clocks.lastEnd) return;
    const std::tuple<qint64, Glyph, Tone, QString> both[] = {
        {clocks.lastCall, Glyph::Cross, Tone::Error,
         PaintedText::tr("stop here: %1, the calls only").arg(nanoText(clocks.calls))},
        {clocks.lastEnd, Glyph::Check, Tone::Right,
         PaintedText::tr("stop after synchronize: %1").arg(nanoText(clocks.all))}};
    for (const auto& [until, glyph, tone, text] : both) {
        const qreal left = axis.x(run.begin()), right = std::max(axis.x(until), left + 6);
        appendBracket(d.out, left, right, y + 8);
        const qreal width = textWidth(FontRole::LabelStrong, text) + 18;
        const qreal at =
            right + 12 + width < axis.plot.right() ? right + 14 : std::max(left + 4, (left + right - width) / 2);
        const qreal baseline = at > right ? y + 10 : y + 23;
        d.out.glyph(glyph, QPointF(at + 5, baseline - 4), 10, tone);
        d.out.text(QPointF(at + 16, baseline), text, FontRole::LabelStrong);
        y += kBracket;
    }
}

qreal plotHeight(const DevicesRun& run) {
    qreal height = 0;
    for (const Device device : run.devices())
        height += kStep * static_cast<qreal>(1 + streamsOf(run, device).size()) + kBetween;
    return height;
}

} // namespace

qreal lanesHeight(const DevicesModel& model, qreal width) {
    if (model.run.isEmpty()) return 96;
    const qreal beside = width >= kWide ? 0 : 72;
    return kTitle + kCaption + plotHeight(model.run) + kAxis + 2 * kBracket + 26 + beside;
}

void appendLanes(Drawing& d, const QRectF& room) {
    const DevicesRun& run = d.model.run;
    const QRectF frame(room.topLeft(),
                       QSizeF(room.width(), std::min(room.height(), lanesHeight(d.model, room.width()))));
    appendBox(d.out, frame, Tone::Stage, Tone::Control, 8, 1.5);
    QRectF inside = frame.adjusted(16, 10, -16, -10);
    if (run.isEmpty()) {
        appendTitle(d.out, inside, PaintedText::tr("Queued and run"));
        appendWords(
            d.out, inside.topLeft() + QPointF(0, 26),
            PaintedText::tr("No device was given any work yet. What a line gives to one stands here on two lanes: "
                            "when the call was made, and when the device did it."),
            inside.width(), Tone::Ink2, 2);
        return;
    }
    const Clocks clocks = clocksOf(run);
    const bool wide = room.width() >= kWide;
    QString more = PaintedText::tr("the device's lane goes on after the CPU's is free");
    if (run.more > 0) more = PaintedText::tr("%1 more pieces of work are not drawn").arg(run.more);
    const QString title =
        run.code.isEmpty() ? PaintedText::tr("Queued and run") : run.code.section(QLatin1Char('\n'), 0, 0);
    const QString caption = devicesCaption(d.model, d.look.t);
    const qreal words = wide ? inside.width() - kBeside - 24 : inside.width();
    const bool hasMore = textWidth(FontRole::Heading, title) + 14 + textWidth(FontRole::Label, more) <= words;
    appendTitle(d.out, QRectF(inside.topLeft(), QSizeF(words, kTitle)), title, hasMore ? more : QString());
    appendWords(d.out, inside.topLeft() + QPointF(0, kTitle - 4), caption, words, Tone::Ink, 2);

    Axis axis;
    axis.begin = run.begin();
    axis.end = run.end();
    const qreal top = inside.top() + kTitle + kCaption;
    axis.plot = QRectF(inside.left() + kLabel, top, words - kLabel - 8, plotHeight(run));
    d.picture.timeline = axis.plot;
    qreal y = top;
    for (const Device device : run.devices()) {
        // A presented picture may have less room than it asks for.
        if (y + 2 * kStep + kAxis > frame.bottom()) break;
        appendDeviceLanes(d, axis, device, y);
        y += kStep * static_cast<qreal>(1 + streamsOf(run, device).size()) + kBetween;
    }
    appendAxis(d, axis, y - 4);
    if (d.look.t < 1) {
        const qreal x = axis.x(d.now);
        d.out.line(QPointF(x, top - 6), QPointF(x, y - 4), Tone::Ink, 2);
    }
    if (y + kAxis + 2 * kBracket <= frame.bottom()) appendClocks(d, axis, clocks, y + kAxis - 6);
    const QString saw = clockWords(d.model, clocks);
    if (wide) {
        const qreal left = inside.right() - kBeside;
        d.out.line(QPointF(left - 16, inside.top()), QPointF(left - 16, inside.bottom()), Tone::Hairline, 1);
        d.out.text(QPointF(left, inside.top() + 15), PaintedText::tr("What the clock saw"), FontRole::Heading);
        appendWords(d.out, QPointF(left, inside.top() + 26), saw, kBeside, Tone::Ink,
                    std::max(3, static_cast<int>((inside.height() - 30) / 16)));
    } else if (y + kAxis + 2 * kBracket + 40 <= frame.bottom()) {
        const qreal under = y + kAxis + 2 * kBracket + 6;
        d.out.text(QPointF(inside.left(), under + 12), PaintedText::tr("What the clock saw"), FontRole::LabelStrong);
        appendWords(d.out, QPointF(inside.left(), under + 16), saw, inside.width(), Tone::Ink,
                    std::clamp(static_cast<int>((frame.bottom() - 8 - under - 16) / 16), 1, 3));
    }
}

} // namespace stridescope::devices_parts
