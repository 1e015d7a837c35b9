#pragma once
// What the parts of the timing picture share. Only the picture's own files include it.

#include "widgets/card/picture_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"
#include "widgets/timing/timing_scene.h"
#include "widgets/timing/timing_words.h"

namespace stridescope::timing_parts {

using namespace picture_parts;

struct Drawing {
    const TimingModel& model;
    TimingLook look;
    std::optional<Index> n; ///< the size that is picked
    TimingPicture& picture;
    SceneBuilder out;
    void spot(SpotKind kind, const QRectF& rect, Index size, int index, const QString& told) {
        picture.spots.push_back({kind, rect, size, index, told});
    }
};

// Each draws its section in `room` and returns the y below it.
qreal appendChart(Drawing& d, const QRectF& room);
qreal appendTransfers(Drawing& d, const QRectF& room);
qreal appendTurns(Drawing& d, const QRectF& room);
qreal appendTable(Drawing& d, const QRectF& room);
qreal appendWays(Drawing& d, const QRectF& room);
/// Names of the curves at their ends; in little room in the upper left of the plot.
void appendNames(Drawing& d, const ChartAxes& axes, const QRectF& room);
void appendLegend(Drawing& d, const ChartAxes& axes);
void appendCrossovers(Drawing& d, const ChartAxes& axes);
/// What is said of the pointed measurement, over everything else.
void appendHover(Drawing& d, const QRectF& room);

/// The panel of factors below the chart; nothing where nothing can be compared.
qreal speedHeight(const TimingModel& model);
void appendSpeed(Drawing& d, const ChartAxes& axes, const QRectF& room);
qreal tableHeight(const TimingModel& model);
qreal waysHeight(const TimingModel& model, qreal width);
qreal transfersHeight(const TimingModel& model);
qreal turnsHeight(const TimingModel& model);

void appendSign(SceneBuilder& out, const ShownSeries& series, QPointF centre, qreal size = 9);
/// What a measurement says, line by line.
QStringList measurementWords(const ShownSeries& series, const timing::Measurement& m);
QString spreadText(const timing::Measurement& m);

} // namespace stridescope::timing_parts
