#include "widgets/timing/timing_scene.h"

#include "widgets/timing/timing_parts.h"

#include <algorithm>

namespace stridescope {

namespace {

using namespace timing_parts;

constexpr qreal kMargin = 20, kGap = 18;

struct Places {
    QRectF chart, transfers, turns, table, ways;
    qreal bottom = 0;
};

/// Chart left, the two of the picked size beside it, table and cards below.
Places placesFor(const TimingModel& model, QSizeF size) {
    Places p;
    const qreal width = std::max(size.width(), kTimingLeastWidth) - 2 * kMargin;
    const qreal below = tableHeight(model) + waysHeight(model, width) + 2 * kGap;
    const qreal transfers = transfersHeight(model), turns = turnsHeight(model), side = transfers + kGap + turns;
    // A high window gives what is left to the chart.
    const qreal left = size.height() - 2 * 14 - below;
    const qreal top = std::max({side, 372 + speedHeight(model), std::min(left, side + 200)});
    const qreal chart = width * 0.57;
    p.chart = QRectF(kMargin, 14, chart, top);
    p.transfers = QRectF(kMargin + chart + 30, 14, width - chart - 30, transfers);
    p.turns = QRectF(p.transfers.left(), p.transfers.bottom() + kGap, p.transfers.width(), turns);
    p.table = QRectF(kMargin, p.chart.bottom() + kGap, width, tableHeight(model));
    p.ways = QRectF(kMargin, p.table.bottom() + kGap, width, waysHeight(model, width));
    p.bottom = p.ways.bottom() + 14;
    return p;
}

void appendRule(SceneBuilder& out, qreal left, qreal right, qreal y) {
    out.line(QPointF(left, y), QPointF(right, y), Tone::Hairline, 1);
}

} // namespace

const TimingSpot* TimingPicture::at(QPointF p) const {
    for (auto spot = spots.rbegin(); spot != spots.rend(); ++spot)
        if (spot->rect.contains(p)) return &*spot;
    return nullptr;
}

qreal timingHeight(const TimingModel& model, qreal width) {
    return placesFor(model, QSizeF(width, 0)).bottom;
}

TimingPicture timingPicture(const TimingModel& model, const TimingLook& look) {
    TimingPicture picture;
    const Places p = placesFor(model, look.size);
    picture.scene.size = QSizeF(std::max(look.size.width(), kTimingLeastWidth), std::max(look.size.height(), p.bottom));
    if (look.only) picture.scene.size = look.size;
    picture.scene.title = model.isEmpty() ? PaintedText::tr("Nothing has been timed yet")
                                          : PaintedText::tr("Time for one %1 at %2 sizes, %3 curves")
                                                .arg(model.subject)
                                                .arg(model.sizes.size())
                                                .arg(model.series.size());
    Drawing d{model, look, model.sizeNear(look.n), picture, SceneBuilder(picture.scene)};
    const auto section = [&](TimingSection which, const QRectF& room, qreal (*append)(Drawing&, const QRectF&)) {
        if (look.only && *look.only != which) return;
        const QRectF whole(QPointF(kMargin, 14), look.size - QSizeF(2 * kMargin, 28));
        picture.sections[static_cast<std::size_t>(which)] = look.only ? whole : room;
        append(d, look.only ? whole : room);
    };
    section(TimingSection::Chart, p.chart, appendChart);
    section(TimingSection::Transfers, p.transfers, appendTransfers);
    section(TimingSection::Turns, p.turns, appendTurns);
    section(TimingSection::Table, p.table, appendTable);
    section(TimingSection::Ways, p.ways, appendWays);
    if (!look.only) {
        appendRule(d.out, p.transfers.left(), p.transfers.right(), p.transfers.bottom() + kGap / 2);
        appendRule(d.out, 0, picture.scene.size.width(), p.chart.bottom() + kGap / 2);
        appendRule(d.out, 0, picture.scene.size.width(), p.table.bottom() + kGap / 2);
    }
    if (!look.only || *look.only == TimingSection::Chart)
        appendHover(d, look.only ? QRectF(QPointF(), look.size) : p.chart.adjusted(0, 0, 0, kGap));
    return picture;
}

} // namespace stridescope
