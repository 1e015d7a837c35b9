#pragma once
// The picture of a TimingModel: chart, where the GPU's time goes, how one size was measured, table, ways to time
// wrongly. A pure function; what can be pointed at, and what a screen reader is told, comes with it.

#include "widgets/scene/scene.h"
#include "widgets/timing/timing_model.h"

#include <array>

namespace stridescope {

enum class TimingSection : quint8 { Chart, Transfers, Turns, Table, Ways };
inline constexpr int kTimingSections = 5;

enum class SpotKind : quint8 {
    Size,      ///< a column of the chart
    Point,     ///< a measurement on the chart
    Crossover, ///< its ring
    Bar,       ///< a row of stacked bars
    Turns,     ///< the lanes of blocks
    Row,       ///< of the table
    Way,       ///< a card
};

/// A part of the picture that means something.
struct TimingSpot {
    SpotKind kind = SpotKind::Size;
    QRectF rect;
    Index n = 0;
    int index = -1; ///< of the series, crossover, bar or way
    QString told;   ///< all that it says, in words
};

struct TimingLook {
    QSizeF size{1300, 900};            ///< height 0: what is needed
    std::optional<Index> n;            ///< the size that bars, lanes and rows follow
    int hovered = -1;                  ///< series whose measurement is told in full: at `hoveredN`, else at `n`
    int way = -1;                      ///< card with the focus or the pointer
    std::optional<TimingSection> only; ///< presented: this section alone, in all of the room
    std::optional<Index> hoveredN = {};
};

/// Both axes logarithmic. Sizes below 1 (statements without one) stand at 1.
struct ChartAxes {
    QRectF plot;
    double nLow = 1, nHigh = 2, secondsLow = 1e-6, secondsHigh = 1;
    double x(double n) const;
    double y(double seconds) const;
    double nAt(double x) const;
    double secondsAt(double y) const;
};

struct TimingPicture {
    Scene scene;
    std::vector<TimingSpot> spots; ///< what lies on top last
    std::array<QRectF, kTimingSections> sections;
    ChartAxes axes;
    /// The topmost spot at `p`; null for none.
    const TimingSpot* at(QPointF p) const;
};

TimingPicture timingPicture(const TimingModel& model, const TimingLook& look);
/// Height that the whole picture needs in that width.
qreal timingHeight(const TimingModel& model, qreal width);
inline constexpr qreal kTimingLeastWidth = 880;

/// Names of the columns of the table, and the words of its rows: for screen readers and for copying.
QStringList timingColumns();
struct TimingRow {
    Index n = 0;
    int series = -1;
    QStringList cells; ///< as timingColumns()
    bool doubtful = false;
};
std::vector<TimingRow> timingRows(const TimingModel& model);
/// The table as text, columns separated by tabs.
QString timingTableText(const TimingModel& model);

} // namespace stridescope
