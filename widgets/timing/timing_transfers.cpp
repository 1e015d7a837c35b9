// Where the time of a call goes that starts and ends on the CPU: bars, and two lanes of the picked size. Without a GPU:
// what is missing, and what can be done.

#include "widgets/model/words.h"
#include "widgets/timing/timing_parts.h"

#include <algorithm>

namespace stridescope::timing_parts {

namespace {

constexpr qreal kRow = 30, kHead = 44, kLanes = 148;
constexpr std::size_t kMostRows = 4;

/// At most so many, spread over all sizes, the picked one among them.
std::vector<std::size_t> shownBars(const TimingModel& model, std::optional<Index> n) {
    const std::size_t count = model.bars.size();
    std::vector<std::size_t> rows;
    if (count <= kMostRows) {
        for (std::size_t i = 0; i < count; ++i) rows.push_back(i);
        return rows;
    }
    for (std::size_t i = 0; i < kMostRows; ++i) rows.push_back(i * (count - 1) / (kMostRows - 1));
    for (std::size_t i = 0; i < count; ++i) {
        if (model.bars[i].n != n || std::find(rows.begin(), rows.end(), i) != rows.end()) continue;
        *std::min_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
            const auto away = [&](std::size_t row) { return row > i ? row - i : i - row; };
            return away(a) < away(b);
        }) = i;
        break;
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// A stretch of a bar with its words on a plate, where they fit.
void appendStretch(Drawing& d, const QRectF& rect, const QString& text, bool hatched, bool leftwards, Tone tone,
                   Tone fill = Tone::Stage) {
    if (rect.width() < 1) return;
    appendBox(d.out, rect, hatched ? Tone::Stage : fill, tone, 2, 1.5);
    if (hatched) appendHatch(d.out, rect, tone, leftwards);
    const qreal width = textWidth(FontRole::LabelStrong, text);
    if (text.isEmpty() || width + 10 > rect.width()) return;
    const QPointF at(rect.center().x(), rect.center().y() + 4.3);
    if (hatched)
        appendBox(d.out, QRectF(at.x() - width / 2 - 4, rect.top() + 3, width + 8, rect.height() - 6), Tone::Stage,
                  Tone::None, 2);
    d.out.text(at, text, FontRole::LabelStrong, !hatched && fill == tone ? Tone::Stage : Tone::Ink, kCentre);
}

void appendBars(Drawing& d, const QRectF& room) {
    const qreal left = room.left() + 56, right = room.right() - 76, width = right - left;
    const QPointF head(0, room.top() + 40);
    d.out.text(QPointF(room.left() + 46, head.y()), QStringLiteral("n"), FontRole::Label, Tone::Ink2, kRight);
    d.out.text(QPointF(left, head.y()), PaintedText::tr("copy in (H2D)"), FontRole::Label, Tone::Ink2);
    d.out.text(QPointF(left + width / 2, head.y()), PaintedText::tr("kernel"), FontRole::Label, Tone::Ink2, kCentre);
    d.out.text(QPointF(right, head.y()), PaintedText::tr("copy out (D2H)"), FontRole::Label, Tone::Ink2, kRight);
    qreal y = room.top() + kHead + 4;
    for (const std::size_t row : shownBars(d.model, d.n)) {
        const TransferBar& bar = d.model.bars[row];
        const bool picked = d.n == bar.n;
        const double sum = bar.sum();
        if (picked) appendBox(d.out, QRectF(room.left(), y - 2, room.width(), kRow - 2), Tone::Selected, Tone::None, 4);
        d.out.text(QPointF(room.left() + 46, y + 16), countText(bar.n), picked ? FontRole::MetaStrong : FontRole::Meta,
                   Tone::Ink, kRight);
        qreal x = left;
        const double parts[] = {bar.upload, bar.kernel, bar.download};
        for (int part = 0; part < 3; ++part) {
            const qreal w = width * parts[part] / sum;
            appendStretch(d, QRectF(x, y + 1, w, 22), shareText(parts[part] / sum), part != 1, part == 2, Tone::Gpu,
                          Tone::Gpu);
            x += w;
        }
        d.out.text(QPointF(room.right(), y + 16), secondsText(sum), FontRole::LabelStrong, Tone::Ink, kRight);
        d.spot(SpotKind::Bar, QRectF(room.left(), y - 2, room.width(), kRow - 2), bar.n, static_cast<int>(row),
               PaintedText::tr("n = %1: copy in %2, kernel %3, copy out %4, in all %5; as one call %6")
                   .arg(countText(bar.n), secondsText(bar.upload), secondsText(bar.kernel), secondsText(bar.download),
                        secondsText(sum), secondsText(bar.roundTrip > 0 ? bar.roundTrip : -1)));
        y += kRow;
    }
}

/// The CPU issues, the GPU runs; all stretches are medians of what was measured, in the order in which they follow.
void appendLanes(Drawing& d, const QRectF& room) {
    const TransferBar* bar = nullptr;
    for (const TransferBar& each : d.model.bars)
        if (each.n == d.n && (!bar || !d.model.runs[each.run].recorded)) bar = &each;
    if (!bar) return;
    appendTitle(d.out, room, PaintedText::tr("One call at n = %1, on two lanes").arg(countText(bar->n)),
                d.model.runs[bar->run].recorded ? PaintedText::tr("medians, recorded") : PaintedText::tr("medians"));
    const double launch = std::min(bar->launch, bar->kernel),
                 all = bar->upload + std::max(bar->kernel, bar->launch) + bar->download;
    const qreal left = room.left() + 44, width = room.right() - left;
    const auto x = [&](double seconds) { return left + width * seconds / all; };
    const qreal cpu = room.top() + 46, gpu = cpu + 34;
    d.out.text(QPointF(room.left(), cpu + 16), QStringLiteral("CPU"), FontRole::LabelStrong);
    d.out.text(QPointF(room.left(), gpu + 16), QStringLiteral("GPU"), FontRole::LabelStrong, Tone::Gpu);
    const double done = bar->upload + bar->kernel;
    appendStretch(d, QRectF(x(0), cpu, x(bar->upload) - x(0), 22), QStringLiteral(".cuda()"), false, false, Tone::Cpu,
                  Tone::CpuTint);
    appendBox(d.out, QRectF(x(bar->upload), cpu, std::max(2.0, x(bar->upload + launch) - x(bar->upload)), 22),
              Tone::Cpu, Tone::Cpu, 1);
    appendStretch(d, QRectF(x(bar->upload + launch), cpu, x(done) - x(bar->upload + launch), 22),
                  PaintedText::tr("wait"), false, false, Tone::Cpu, Tone::Stage);
    appendStretch(d, QRectF(x(done), cpu, x(all) - x(done), 22), QStringLiteral(".cpu()"), false, false, Tone::Cpu,
                  Tone::CpuTint);
    if (bar->launch > 0)
        d.out.text(QPointF(std::clamp(x(bar->upload), left + 50, room.right() - 50), cpu - 6),
                   PaintedText::tr("launch %1").arg(secondsText(bar->launch)), FontRole::Label, Tone::Ink2, kCentre);
    appendStretch(d, QRectF(x(0), gpu, x(bar->upload) - x(0), 22), QStringLiteral("H2D"), true, false, Tone::Gpu);
    appendStretch(d, QRectF(x(bar->upload), gpu, x(done) - x(bar->upload), 22), bar->kernelLabel, false, false,
                  Tone::Gpu, Tone::Gpu);
    appendStretch(d, QRectF(x(done), gpu, x(all) - x(done), 22), QStringLiteral("D2H"), true, true, Tone::Gpu);
    const qreal axis = gpu + 28;
    appendBracket(d.out, x(bar->upload), x(done), axis + 6);
    const QString kernel = PaintedText::tr("kernel, synchronised: %1").arg(secondsText(bar->kernel));
    const qreal half = textWidth(FontRole::LabelStrong, kernel) / 2;
    d.out.text(
        QPointF(std::clamp((x(bar->upload) + x(done)) / 2, left + half, std::max(left + half, room.right() - half)),
                axis + 22),
        kernel, FontRole::LabelStrong, Tone::Ink, kCentre);
}

void appendMissing(Drawing& d, const QRectF& room) {
    BoxItem frame;
    frame.rect = QRectF(room.left(), room.top() + 30, room.width(), room.height() - 32);
    frame.outline = Tone::Control;
    frame.style = LineStyle::Dashed;
    frame.width = 2;
    frame.radius = 12;
    d.out.box(frame);
    const qreal left = frame.rect.left() + 14, width = frame.rect.width() - 28;
    const QString gpu = QStringLiteral("GPU");
    const bool missing = !d.model.notes.gpuMissing.isEmpty();
    d.out.text(QPointF(left, frame.rect.top() + 24),
               missing ? PaintedText::tr("%1: none found").arg(gpu) : PaintedText::tr("%1: not timed yet").arg(gpu),
               FontRole::LabelStrong, Tone::Gpu);
    qreal y = frame.rect.top() + 30;
    if (missing) {
        y = appendWords(d.out, QPointF(left, y), d.model.notes.gpuMissing, width, Tone::Ink, 3);
        y = appendWords(d.out, QPointF(left, y + 2), d.model.notes.remedy, width, Tone::Ink2, 2);
        appendWords(d.out, QPointF(left, y + 6),
                    PaintedText::tr("Everything on the CPU works. Times of a GPU can be shown from a recorded series."),
                    width, Tone::Ink2, 3);
    } else {
        appendWords(d.out, QPointF(left, y),
                    PaintedText::tr("Choose it under Devices, with Transfers on, and run the sweep."), width,
                    Tone::Ink2, 3);
    }
}

} // namespace

qreal transfersHeight(const TimingModel& model) {
    if (model.bars.empty()) return 178;
    return kHead + 8 + kRow * static_cast<qreal>(std::min(model.bars.size(), kMostRows)) + kLanes;
}

qreal appendTransfers(Drawing& d, const QRectF& room) {
    const bool any = !d.model.bars.empty();
    appendTitle(d.out, room, PaintedText::tr("Where the GPU time goes"),
                any ? PaintedText::tr("share of the total") : QString());
    if (any) {
        appendBars(d, room);
        appendLanes(d, QRectF(room.left(), room.bottom() - kLanes + 6, room.width(), kLanes - 6));
    } else {
        appendMissing(d, QRectF(room.topLeft(), QSizeF(room.width(), std::min(room.height(), 178.0))));
    }
    return room.bottom();
}

} // namespace stridescope::timing_parts
