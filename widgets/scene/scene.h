#pragma once
// Scene: a picture as a value. Made by a pure function of (state, t), drawn by one painter on a widget, PNG, SVG or
// PDF; hit tests and the screen reader read the same value.
//
// A grid or a strip is one item (layout, what it shows, its marks), never an object per cell; only moving cells,
// arcs and labels are single. Colours and fonts are roles: a scene does not know the theme.

#include "core/tensor/tensor.h"
#include "widgets/model/snapshot.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/strip_layout.h"
#include "widgets/scene/strip_summary.h"
#include "widgets/scene/zoom_levels.h"
#include "widgets/theme/theme.h"

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>
#include <variant>
#include <vector>

namespace stridescope {

enum class LineStyle : quint8 { None, Solid, Dashed, Dotted, Double };

/// Rectangle with optional fill and outline: cards, handles, pills, rings.
struct BoxItem {
    QRectF rect;
    Tone fill = Tone::None;
    Tone outline = Tone::None;
    LineStyle style = LineStyle::Solid;
    qreal width = 1;
    qreal radius = 0;
    qreal opacity = 1;    ///< of the fill
    bool hatched = false; ///< out-of-range hatching in the outline's colour
    bool halo = false;    ///< stage-coloured casing round the outline (picked cells)
};

struct TextItem {
    QPointF pos;                                              ///< of the anchor
    Qt::Alignment anchor = Qt::AlignLeft | Qt::AlignBaseline; ///< AlignVCenter centres the cap height
    QString text;                                             ///< drawn as plain text, always
    FontRole font = FontRole::Label;
    Tone tone = Tone::Ink;
    qreal angle = 0;             ///< degrees, counter-clockwise
    qreal maxWidth = 0;          ///< > 0: elided with …
    Tone underline = Tone::None; ///< 3 px line under the text: formula terms
};

/// Lines, arcs, links, arrows, small glyphs.
struct PathItem {
    QPainterPath path;
    Tone stroke = Tone::Ink;
    Tone fill = Tone::None;
    LineStyle style = LineStyle::Solid;
    qreal width = 2;
    bool arrow = false;  ///< arrow head at the end, in the stroke's colour
    bool casing = false; ///< 6 px stage-coloured casing
};

/// Filled rectangles of one colour, drawn without smoothing: what has hundreds of bars of a pixel each, which as one
/// path would take longer than the rest of the picture.
struct BarsItem {
    std::vector<QRectF> bars;
    Tone fill = Tone::Ink;
};

/// Letter badge of a view: fill and outline style of view `colour`.
struct BadgeItem {
    QPointF centre;
    int colour = 0;
    qreal size = 22;
    QChar letter; ///< null: the one that belongs to the fill, A … D
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // the enumerator Index and the type Index cannot be confused
enum class CellText : quint8 { Value, Index, Both, None };
#pragma GCC diagnostic pop

/// Marks on single cells of a grid or strip. `position` is row * cols + col in a grid, the slot in a strip or lane.
enum class MarkKind : quint8 {
    Ring,     ///< picked or linked
    SoftRing, ///< the same storage cell seen elsewhere
    Changed,  ///< just written
    OrderTag, ///< `number` = visiting order
    Count,    ///< overlap badge ×number
    Cross,    ///< the cell at which something fails
    Hazard,   ///< an in-place operation would write here more than once
};
struct CellMark {
    Index position = 0;
    MarkKind kind = MarkKind::Ring;
    Index number = 0;
};

/// One two-dimensional panel of a view. Cell (r, c) shows slot  base + r*rowStride + c*colStride.
struct GridItem {
    QRectF area;    ///< clipped to it: big panels are windows on the view
    QPointF origin; ///< top left of cell (firstRow, firstCol)
    QSizeF cell{44, 32};
    Index rows = 0, cols = 0;
    Index firstRow = 0, firstCol = 0; ///< first drawn cell
    Index base = 0, rowStride = 0, colStride = 0;
    Tensor source;   ///< storage and dtype; slots outside the storage are hatched and never read
    int colour = -1; ///< view fill
    CellText text = CellText::Value;
    bool heat = false;                ///< value colours instead of the view fill
    double heatLow = 0, heatHigh = 1; ///< colour range
    bool grey = false;                ///< of greys: one channel of a picture
    int channels = 0;                 ///< 3 or more: a cell is a pixel of so many elements, the first three its colour
    Index channelStride = 0;          ///< slots from one of them to the next
    bool ghost = false;               ///< a preview: faded, dotted
    bool repeats = false;             ///< the whole panel repeats an earlier one (an outer dim of stride 0)
    std::vector<CellMark> marks;
    TensorId tensor = 0; ///< for hits
    Dims coord;          ///< coord of cell (0, 0); hits put row and column into rowDim and colDim
    int rowDim = -1, colDim = -1;
};

/// One view's claim on the strip: reached cells filled, skipped cells inside its span dotted.
struct StripReach {
    TensorId tensor = 0;
    int colour = -1;
    View view;

    friend bool operator==(const StripReach&, const StripReach&) = default;
};

struct StripItem {
    StripLayout layout;
    Tensor source; ///< 1-d over the whole storage
    quint64 storageId = 0;
    CellText text = CellText::Value;
    std::optional<StripReach> reach; ///< the selected view
    std::vector<CellMark> marks;
    SlotRange outOfRange;       ///< slots beyond an end that a wanted view spans (hatched); empty if none
    std::optional<View> wanted; ///< that view, where known: those of `outOfRange` that it skips are not hatched
    Index cacheLineCells = 0;   ///< > 0: 64-byte boxes of so many cells
    bool indexBelow = true;
    bool rowIndex = false; ///< wrapped cells without numbers: index of each row's first cell at its left, distances
                           ///< from there under the last row
    bool heat = false;     ///< value colours over a band of the view's fill, also in cells with numbers
    qreal numbersFrom = kNumberWidth; ///< narrower cells show colours; less only where all values are known to fit
    enum class Ruler : quint8 { Elements, Bytes, Hex } ruler = Ruler::Elements;
    quint64 baseAddress = 0; ///< for Ruler::Hex
    double heatLow = 0, heatHigh = 1;
    SummaryState summary; ///< for cells that share pixels; without one samples are read
};

/// Numbered bars under the strip: which cells a view reaches, in visiting order.
struct LaneItem {
    StripLayout layout; ///< same columns as the strip
    qreal top = 0, height = 17;
    StripReach reach;
    std::vector<CellMark> marks;
};

/// Cells that stand each at its own place: those of a picture that moves. One item for all that share a source.
struct CellsItem {
    enum class Look : quint8 {
        Plain,   ///< outside what is shown
        View,    ///< fill of a view
        Ghost,   ///< the same cell again: a stride of 0
        Skipped, ///< dotted, no fill
        Place,   ///< dotted, no fill, no value: a cell will stand here
        Pending, ///< three dots: memory that nobody has written to
        Written, ///< as View, and just written
    };
    struct Cell {
        QPointF at; ///< upper left corner
        Index slot = 0;
        Look look = Look::View;
        qint8 colour = -1;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    QSizeF size{44, 32};
    Tensor source; ///< 1-d over a storage; without one cells have no values
    std::vector<Cell> cells;
    bool index = false; ///< the slot below each cell
};

/// A face of a cabinet block: a parallelogram of cells.
struct QuadItem {
    QPointF origin, across, down; ///< vectors along one cell
    Index rows = 0, cols = 0;
    Tone fill = Tone::ViewNeutral;
    qreal shade = 0; ///< 0 front face, > 0 lighter top, < 0 darker side
    Tone outline = Tone::Ink;
    LineStyle style = LineStyle::Solid;
};

/// Numbered colour bar of a heat map.
struct ColourBarItem {
    QRectF rect;
    double low = 0, high = 1;
    bool signedValues = false;
    bool grey = false;
    bool below = false, above = false; ///< there may be values beyond the ends: those are told as "≤" and "≥"
    OddValues odd{};                   ///< what the legend right of the colours names
    std::optional<OnlyValue> only{};   ///< told instead of the range
};

using SceneItem = std::variant<BoxItem, TextItem, PathItem, BarsItem, BadgeItem, GridItem, StripItem, LaneItem,
                               CellsItem, QuadItem, ColourBarItem>;

/// What a part of the picture is, for the mouse, the keyboard and the screen reader.
enum class PartKind : quint8 {
    None,
    CardFrame,
    CardHeader,
    CardBadge,
    CardCells,
    CardDim,
    CardEdge,
    CardSlider,
    CardMode,
    StripCells,
    StripHandle,
    OffsetFlag,
    LaneCells,
    LinkPort,
    Button,
    Message,
};
struct Part {
    PartKind kind = PartKind::None;
    TensorId tensor = 0;
    quint64 storageId = 0;
    int index = -1; ///< dim, edge, slider or button number
    friend bool operator==(const Part&, const Part&) = default;
};

struct SceneNode {
    Part part;
    SceneItem item;
};

struct Scene {
    QSizeF size;
    Tone ground = Tone::Stage;
    std::vector<SceneNode> nodes; ///< painted in this order
    QString title;                ///< one sentence for exports and screen readers
};

} // namespace stridescope
