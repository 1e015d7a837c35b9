#pragma once
// What the painters of all items share: theme, pixel grid, and numbers collected into few glyph runs.

#include "widgets/scene/scene_painter.h"
#include "widgets/scene/zoom_levels.h"

#include <QPainter>
#include <QRawFont>

#include <string_view>

namespace stridescope {

/// One size and weight of the mono face: glyph numbers of ASCII and the metrics that placing needs.
struct MonoFace {
    QRawFont raw;
    QFont font;
    std::array<quint32, 128> glyph{};
    qreal advance = 0, capHeight = 0;
};
/// Cached for the thread that asks.
const MonoFace& monoFace(int pixels, QFont::Weight weight);

/// Numbers of a picture, drawn as one glyph run for each face and colour.
class NumberBatch {
public:
    /// `text` of ASCII and kDigitsLeftOut, its cap height centred on `centre` (or starting, ending there).
    void add(std::string_view text, QPointF centre, int pixels, QFont::Weight weight, QRgb colour,
             Qt::Alignment align = Qt::AlignHCenter);
    void flush(QPainter& painter, bool vector);

private:
    struct Run {
        const MonoFace* face;
        QRgb colour;
        std::vector<quint32> glyphs;
        std::vector<QPointF> places;
        std::vector<std::pair<QPointF, std::string>> texts; ///< vector devices get strings
    };
    Run& run(int pixels, QFont::Weight weight, QRgb colour);

    std::vector<Run> m_runs;
    std::vector<std::tuple<int, int, QRgb>> m_keys;
    std::size_t m_last = 0;
    bool m_vector = false;
    friend class PaintContext;
};

class PaintContext {
public:
    PaintContext(QPainter& p, const Theme& t, const PaintOptions& o, const QRectF& exposedRect);

    QPainter& painter;
    const Theme& theme;
    const bool vector;
    const QRectF exposed;
    NumberBatch numbers;

    QColor colour(Tone tone) const { return theme.color(tone); }
    /// Device pixels per scene pixel.
    qreal deviceScale() const { return m_scaleX; }
    /// The same coordinate on the device's pixel grid (unchanged on vector devices and under rotation).
    qreal snapX(qreal x) const { return m_snaps ? (std::round(x * m_scaleX + m_shiftX) - m_shiftX) / m_scaleX : x; }
    qreal snapY(qreal y) const { return m_snaps ? (std::round(y * m_scaleY + m_shiftY) - m_shiftY) / m_scaleY : y; }
    QRectF snap(const QRectF& r) const {
        return QRectF(QPointF(snapX(r.left()), snapY(r.top())), QPointF(snapX(r.right()), snapY(r.bottom())));
    }
    /// Outline of `width` inside an already snapped rectangle by filled edges: crisp without anti-aliasing.
    void frame(const QRectF& rect, const QColor& c, qreal width = 1) const;
    /// A snapped cell: `fill` with a line of one pixel inside its edges.
    void cell(const QRectF& rect, const QColor& line, const QColor& fill) const;
    /// Text with the anchor rules of TextItem.
    void text(QPointF pos, Qt::Alignment anchor, const QString& text, const QFont& font, const QColor& c) const;
    void flushNumbers() { numbers.flush(painter, vector); }

private:
    qreal m_scaleX = 1, m_scaleY = 1, m_shiftX = 0, m_shiftY = 0;
    bool m_snaps = false;
};

/// Scope with anti-aliasing on.
class Smooth {
public:
    explicit Smooth(QPainter& painter) : m_painter(painter), m_was(painter.testRenderHint(QPainter::Antialiasing)) {
        m_painter.setRenderHint(QPainter::Antialiasing, true);
    }
    ~Smooth() { m_painter.setRenderHint(QPainter::Antialiasing, m_was); }
    Smooth(const Smooth&) = delete;
    Smooth& operator=(const Smooth&) = delete;

private:
    QPainter& m_painter;
    bool m_was;
};

/// Font pixels and characters for values in cells of a size: the largest that lets `longest` characters fit, `least`
/// pixels or more.
struct CellFont {
    int pixels = 15;
    std::size_t maxChars = 0;
};
CellFont cellFont(QSizeF cell, std::size_t longest, int least);

void paintGrid(PaintContext& context, const GridItem& grid);
void paintStrip(PaintContext& context, const StripItem& strip);
void paintCells(PaintContext& context, const CellsItem& cells);
void paintLane(PaintContext& context, const LaneItem& lane);
void paintColourBar(PaintContext& context, const ColourBarItem& bar);
/// Rings, tags and crosses of one cell.
void paintMark(PaintContext& context, const CellMark& mark, const QRectF& cell);
/// Badge ×count of a cell that several coords share, and what it leaves of the cell to the number.
struct CountBadge {
    QRectF pill; ///< empty where there is no room for number and badge: stripes and the strip tell it then
    QRectF text; ///< the number is centred in it
    int pixels = 10;
    QString label;
};
/// A badge that never covers a number of `textWidth` pixels: below it in high cells, else right of it.
/// `twoLines`: something stands below the number. `least`: pixels of its text.
CountBadge countBadge(const QRectF& cell, Index count, bool atLeast, qreal textWidth, bool twoLines, int least);
void paintCountBadge(PaintContext& context, const CountBadge& badge);
/// Chain link with a stage-coloured ground round `centre`.
void paintChain(PaintContext& context, QPointF centre, qreal size = 12);

} // namespace stridescope
