// Ways to time wrongly beside the right one: what each clock saw, of the same work, measured here.

#include "widgets/model/words.h"
#include "widgets/timing/mistake_words.h"
#include "widgets/timing/timing_parts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace stridescope::timing_parts {

namespace {

using timing::Lanes;
using timing::MistakeRecord;

constexpr qreal kCard = 262, kGap = 10;

QString words(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

int columnsFor(qreal width) {
    return width >= 1500 ? 5 : 4;
}

/// Bars of both answers, logarithmic over what both and a decade on each side need.
void appendAnswers(Drawing& d, const MistakeRecord& record, const QRectF& room) {
    const double low = std::min(record.wrongAnswer, record.rightAnswer) / 10;
    const double high = std::max(record.wrongAnswer, record.rightAnswer);
    const Tone tone = record.device == "cpu" ? Tone::Cpu : Tone::Gpu;
    const auto bar = [&](qreal y, double seconds, bool right) {
        const QRectF frame(room.left() + 20, y, room.width() - 20 - 66, 11);
        appendBox(d.out, frame, Tone::Stage, Tone::Control, 2);
        if (seconds > 0 && low > 0 && high > low)
            appendBox(d.out,
                      QRectF(frame.topLeft(),
                             QSizeF(std::max(1.0, frame.width() * std::log(seconds / low) / std::log(high / low)), 11)),
                      tone, Tone::None, 2);
        d.out.glyph(right ? Glyph::Check : Glyph::Cross, QPointF(room.left() + 6, y + 5.5), 11,
                    right ? Tone::Right : Tone::Error);
        d.out.text(QPointF(room.right(), y + 10), secondsText(seconds), FontRole::LabelStrong, Tone::Ink, kRight);
    };
    bar(room.top(), record.wrongAnswer, false);
    bar(room.top() + 18, record.rightAnswer, true);
}

/// From the first to the last of what lanes show.
std::pair<double, double> spanOf(const Lanes& lanes) {
    double begin = std::min(0.0, lanes.clockStart), end = lanes.clockStop;
    for (const timing::Stretch& each : lanes.stretches) {
        begin = std::min(begin, each.start);
        end = std::max(end, each.end);
    }
    return {begin, end};
}

/// Two lanes of one call as it happened, and the bracket that the clock saw; `until`: the end of both pictures of a
/// card, so that the wrong and the right one have one scale.
void appendLanes(Drawing& d, const Lanes& lanes, const QRectF& room, double until, bool right) {
    const double begin = spanOf(lanes).first, end = begin + until;
    const bool device = std::any_of(lanes.stretches.begin(), lanes.stretches.end(),
                                    [](const timing::Stretch& each) { return each.onDevice; });
    if (until <= 0) return;
    const qreal left = room.left() + 34, width = room.right() - left;
    const auto x = [&](double seconds) { return left + width * (seconds - begin) / (end - begin); };
    const qreal cpu = room.top(), gpu = cpu + 16;
    d.out.text(QPointF(room.left(), cpu + 11), QStringLiteral("CPU"), FontRole::LabelStrong);
    if (device) d.out.text(QPointF(room.left(), gpu + 11), QStringLiteral("GPU"), FontRole::LabelStrong, Tone::Gpu);
    for (const timing::Stretch& each : lanes.stretches) {
        const QRectF rect(x(each.start), each.onDevice ? gpu : cpu, std::max(1.5, x(each.end) - x(each.start)), 13);
        const QString label = plainName(QString::fromStdString(each.label));
        const bool copy = label == QStringLiteral("H2D") || label == QStringLiteral("D2H");
        const bool waits = label == QStringLiteral("wait");
        const Tone tone = each.onDevice ? Tone::Gpu : Tone::Cpu;
        appendBox(d.out, rect, copy || waits ? Tone::Stage : each.onDevice ? Tone::Gpu : Tone::CpuTint, tone, 1);
        if (copy) appendHatch(d.out, rect, tone, label == QStringLiteral("D2H"));
        const qreal text = textWidth(FontRole::Label, label);
        if (text + 8 > rect.width() || copy) continue;
        d.out.text(QPointF(rect.center().x(), rect.top() + 10.5), label, FontRole::Label,
                   each.onDevice ? Tone::Stage : Tone::Ink, kCentre);
    }
    const qreal under = device ? gpu + 22 : cpu + 22;
    appendBracket(d.out, x(lanes.clockStart), x(lanes.clockStop), under, right ? Tone::Right : Tone::Ink);
}

/// How a walk touches the cache's lines: the first elements in order, boxes of 64 bytes round them.
void appendWalk(Drawing& d, const QRectF& room, bool byColumns, const timing::LineTally& tally) {
    constexpr int kLines = 4, kInLine = 4;
    const qreal cell = std::min(15.0, (room.width() - 90) / (kLines * kInLine)), top = room.top() + 10;
    for (int line = 0; line < kLines; ++line)
        for (int i = 0; i < kInLine; ++i)
            appendBox(d.out, QRectF(room.left() + (line * kInLine + i) * cell, top, cell, 10),
                      i == 0 || !byColumns ? Tone::Inset : Tone::Stage, Tone::Control, 0);
    for (int line = 0; line < kLines; ++line)
        appendBox(d.out, QRectF(room.left() + line * kInLine * cell, top - 2, kInLine * cell, 14), Tone::None,
                  Tone::Ink, 2, 1.5);
    if (byColumns) {
        for (int line = 0; line + 1 < kLines; ++line)
            d.out.arc(QPointF(room.left() + (line * kInLine + 0.5) * cell, top - 1),
                      QPointF(room.left() + ((line + 1) * kInLine + 0.5) * cell, top - 1), 7, Tone::Dim0, 1.5,
                      LineStyle::Solid, false);
    } else {
        d.out.line(QPointF(room.left() + cell / 2, top + 16), QPointF(room.left() + kLines * kInLine * cell, top + 16),
                   Tone::Dim1, 2, LineStyle::Solid, true);
    }
    d.out.text(
        QPointF(room.right(), top + 9),
        PaintedText::tr("×%1").arg(tally.linesNeeded > 0 ? tally.linesFetched / tally.linesNeeded : 0, 0, 'g', 3),
        FontRole::LabelStrong, Tone::Ink, kRight);
}

/// The code of both, wrong and right; the y below.
qreal appendCodes(Drawing& d, const timing::MistakeCase& what, const QRectF& room) {
    qreal y = room.top();
    const std::tuple<std::string_view, Glyph, Tone> both[] = {{what.wrong, Glyph::Cross, Tone::Error},
                                                              {what.right, Glyph::Check, Tone::Right}};
    for (const auto& [code, glyph, tone] : both) {
        d.out.glyph(glyph, QPointF(room.left() + 6, y + 8), 11, tone);
        for (const QString& part : words(code).split(QLatin1Char('\n'))) {
            for (const QString& line : wrapCode(FontRole::Meta, part, room.width() - 20, 2)) {
                d.out.text(QPointF(room.left() + 20, y + 12), line, FontRole::Meta);
                y += 16;
            }
        }
        y += 5;
    }
    return y;
}

qreal codesHeight(const timing::MistakeCase& what, qreal width) {
    qreal height = 0;
    for (const std::string_view code : {what.wrong, what.right}) {
        height += 5;
        for (const QString& part : words(code).split(QLatin1Char('\n')))
            height += 16.0 * static_cast<qreal>(wrapCode(FontRole::Meta, part, width - 20, 2).size());
    }
    return height;
}

void appendCard(Drawing& d, int index, const QRectF& card) {
    const ShownWay& way = d.model.notes.ways[static_cast<std::size_t>(index)];
    const MistakeRecord* record = way.record.get();
    const bool missing = !way.missing.isEmpty() || (record && !record->missing.empty());
    BoxItem frame;
    frame.rect = card;
    frame.fill = Tone::Stage;
    frame.outline = d.look.way == index ? Tone::Ink : Tone::Control;
    frame.style = missing ? LineStyle::Dashed : LineStyle::Solid;
    frame.width = d.look.way == index ? 2.5 : 1;
    frame.radius = 8;
    d.out.box(frame, PartKind::Button, index);
    const qreal left = card.left() + 14, right = card.right() - 14, width = right - left;
    const QString title = mistakeTitle(*way.what);
    const QString state = way.running ? PaintedText::tr("running")
                          : missing   ? QString()
                          : record    ? PaintedText::tr("again")
                                      : PaintedText::tr("run");
    const qreal stateWidth = state.isEmpty() ? 0 : textWidth(FontRole::Label, state) + 22;
    d.out.text(QPointF(left, card.top() + 24), cut(FontRole::LabelStrong, title, width - stateWidth),
               FontRole::LabelStrong);
    if (!state.isEmpty()) {
        d.out.text(QPointF(right, card.top() + 24), state, FontRole::Label, Tone::Ink2, kRight);
        if (!way.running) {
            PathItem play;
            play.path = glyphPath(Glyph::Play, QPointF(right - stateWidth + 12, card.top() + 20), 10);
            play.stroke = Tone::None;
            play.fill = Tone::Ink;
            d.out.path(play);
        }
    }
    qreal y = card.top() + 34;
    QString told = title + QStringLiteral(". ");
    if (record && !missing) {
        appendAnswers(d, *record, QRectF(left, y, width, 32));
        told += PaintedText::tr("Wrong: %1, right: %2. ")
                    .arg(secondsText(record->wrongAnswer), secondsText(record->rightAnswer));
        y += 42;
        const bool lanes = !record->wrongLanes.stretches.empty();
        if (lanes) {
            const auto length = [](const Lanes& of) { return spanOf(of).second - spanOf(of).first; };
            const double until = std::max(length(record->wrongLanes), length(record->rightLanes));
            appendLanes(d, record->wrongLanes, QRectF(left, y, width, 40), until, false);
            y += 46;
            if (!record->rightLanes.stretches.empty()) {
                appendLanes(d, record->rightLanes, QRectF(left, y, width, 40), until, true);
                y += 46;
            }
        } else if (record->wrongLines.linesNeeded > 0) {
            appendWalk(d, QRectF(left, y, width, 30), true, record->wrongLines);
            appendWalk(d, QRectF(left, y + 32, width, 30), false, record->rightLines);
            y += 64;
            d.out.text(QPointF(left, y + 10),
                       cut(FontRole::Label, PaintedText::tr("lines of 64 bytes fetched: a model, not measured"), width),
                       FontRole::Label, Tone::Ink2);
            y += 18;
        }
        const int most = std::max(1, static_cast<int>((card.bottom() - 10 - y) / 16));
        const QString found = record->found.empty() ? mistakeSays(*way.what) : QString::fromStdString(record->found);
        y = appendWords(d.out, QPointF(left, y), found, width, Tone::Ink, most) + 6;
        if (y + codesHeight(*way.what, width) < card.bottom() - 8) appendCodes(d, *way.what, QRectF(left, y, width, 0));
        told += found;
    } else {
        y = appendCodes(d, *way.what, QRectF(left, y, width, 0));
        y = appendWords(d.out, QPointF(left, y + 2), mistakeSays(*way.what), width, Tone::Ink2, missing ? 4 : 6) + 4;
        told += mistakeSays(*way.what);
        if (missing) {
            const QString why =
                way.missing.isEmpty() ? plainName(QString::fromStdString(record->missing)) : way.missing;
            appendWords(d.out, QPointF(left, y), why, width, Tone::Ink,
                        std::max(1, static_cast<int>((card.bottom() - 8 - y) / 16)));
            told += QLatin1Char(' ') + why;
        }
    }
    d.spot(SpotKind::Way, card, 0, index, told);
}

} // namespace

qreal waysHeight(const TimingModel& model, qreal width) {
    const std::size_t count = model.notes.ways.size();
    if (count == 0) return 0;
    const auto across = static_cast<std::size_t>(columnsFor(width));
    const auto rows = static_cast<qreal>((count + across - 1) / across);
    return 32 + rows * kCard + (rows - 1) * kGap;
}

qreal appendWays(Drawing& d, const QRectF& room) {
    const int count = static_cast<int>(d.model.notes.ways.size());
    if (count == 0) return room.top();
    if (d.look.only) {
        appendCard(d, std::clamp(d.look.way, 0, count - 1),
                   QRectF(room.topLeft(), QSizeF(std::min(room.width(), 460.0), std::min(room.height(), 300.0))));
        return room.bottom();
    }
    appendTitle(d.out, room, PaintedText::tr("Ways to time the same work wrongly"),
                PaintedText::tr("click one to run it beside the right way; the bracket is what the clock saw"));
    const int across = columnsFor(room.width());
    const qreal width = (room.width() - kGap * (across - 1)) / across;
    for (int i = 0; i < count; ++i)
        appendCard(d, i,
                   QRectF(room.left() + (i % across) * (width + kGap), room.top() + 32 + (i / across) * (kCard + kGap),
                          width, kCard));
    return room.bottom();
}

} // namespace stridescope::timing_parts
