#include "widgets/scene/tikz_device.h"

#include "widgets/scene/tikz_text.h"

#include <QHash>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QtMath>

#include <cmath>
#include <cstring>

namespace stridescope {

namespace {

/// Points of TeX's "big point" in a logical pixel.
constexpr qreal kPoints = 72.0 / 96.0;
/// A text of so few signs is a figure or a letter.
constexpr qsizetype kShort = 3;
/// Slices that a colour gradient is drawn with.
constexpr int kSlices = 64;

/// Beyond this TeX has no numbers; only what is clipped away lies there.
constexpr qreal kFar = 16000;

QByteArray pointText(QPointF p) {
    return '(' + tikzNumber(std::clamp(p.x(), -kFar, kFar)) + ',' + tikzNumber(std::clamp(p.y(), -kFar, kFar)) + ')';
}

QByteArray rectText(const QRectF& r) {
    return pointText(r.topLeft()) + " rectangle " + pointText(r.bottomRight());
}

QByteArray lengthText(qreal pixels) {
    return tikzNumber(pixels * kPoints) + "bp";
}

QByteArray pathText(const QPainterPath& path) {
    QByteArray text;
    QPointF start;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        if (!text.isEmpty()) text += ' ';
        if (element.isMoveTo()) {
            start = element;
            text += pointText(element);
            continue;
        }
        // A subpath that comes back is closed, so that its corner is joined.
        int last = i;
        if (element.isCurveTo()) last = i + 2;
        const bool ends = last + 1 >= path.elementCount() || path.elementAt(last + 1).isMoveTo();
        const bool closes = ends && QPointF(path.elementAt(last)) == start;
        if (element.isLineTo()) {
            text += closes ? QByteArray("-- cycle") : "-- " + pointText(element);
        } else {
            text += ".. controls " + pointText(element) + " and " + pointText(path.elementAt(i + 1)) + " .. " +
                    pointText(path.elementAt(i + 2));
            if (closes) text += " -- cycle";
            i = last;
        }
    }
    return text;
}

QRgb averageOf(const QImage& image, const QRect& block) {
    qint64 sum[4] = {};
    for (int y = block.top(); y <= block.bottom(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = block.left(); x <= block.right(); ++x) {
            const QRgb c = line[x];
            sum[0] += qRed(c), sum[1] += qGreen(c), sum[2] += qBlue(c), sum[3] += qAlpha(c);
        }
    }
    const qint64 n = static_cast<qint64>(block.width()) * block.height();
    return qRgba(static_cast<int>(sum[0] / n), static_cast<int>(sum[1] / n), static_cast<int>(sum[2] / n),
                 static_cast<int>(sum[3] / n));
}

/// Rectangles of one colour that together are the image: runs of pixels, equal rows taken together.
std::vector<std::pair<QRect, QRgb>> rectsOf(const QImage& image) {
    std::vector<std::pair<QRect, QRgb>> rects;
    for (int y = 0; y < image.height();) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        int next = y + 1;
        const auto bytes = static_cast<std::size_t>(image.width()) * sizeof(QRgb);
        while (next < image.height() && std::memcmp(line, image.constScanLine(next), bytes) == 0) ++next;
        for (int x = 0; x < image.width();) {
            int end = x + 1;
            while (end < image.width() && line[end] == line[x]) ++end;
            if (qAlpha(line[x]) > 0) rects.emplace_back(QRect(x, y, end - x, next - y), line[x]);
            x = end;
        }
        y = next;
    }
    return rects;
}

} // namespace

class TikzEngine : public QPaintEngine {
public:
    explicit TikzEngine(QSizeF size)
        : QPaintEngine(PaintEngineFeatures(PrimitiveTransform | PixmapTransform | LinearGradientFill | PainterPaths |
                                           Antialiasing | AlphaBlend | ConstantOpacity | BrushStroke |
                                           PaintOutsidePaintEvent)),
          m_page(QPointF(), size) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override {
        closeScope();
        return true;
    }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& state) override {
        const DirtyFlags flags = state.state();
        if (flags & DirtyPen) m_pen = state.pen();
        if (flags & DirtyBrush) m_brush = state.brush();
        if (flags & DirtyTransform) m_transform = state.transform();
        if (flags & DirtyOpacity) m_opacity = state.opacity();
        if (flags & (DirtyClipEnabled | DirtyClipPath | DirtyClipRegion | DirtyTransform)) m_clipIsOld = true;
    }

    void drawPath(const QPainterPath& path) override { add(m_transform.map(path), m_brush.style() != Qt::NoBrush); }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPainterPath path;
        path.moveTo(points[0]);
        for (int i = 1; i < count; ++i) path.lineTo(points[i]);
        if (mode != PolylineMode) path.closeSubpath();
        if (mode == WindingMode) path.setFillRule(Qt::WindingFill);
        add(m_transform.map(path), mode != PolylineMode && m_brush.style() != Qt::NoBrush);
    }

    void drawRects(const QRectF* rects, int count) override {
        const bool upright = m_transform.type() <= QTransform::TxScale;
        for (int i = 0; i < count; ++i) {
            QPainterPath path;
            path.addRect(rects[i]);
            if (upright && m_brush.style() == Qt::LinearGradientPattern)
                addGradient(m_transform.mapRect(rects[i]));
            else
                add(m_transform.map(path), m_brush.style() != Qt::NoBrush,
                    upright ? rectText(m_transform.mapRect(rects[i])) : QByteArray());
        }
    }

    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override {
        drawImage(target, pixmap.toImage(), source, Qt::AutoColor);
    }

    void drawImage(const QRectF& target, const QImage& image, const QRectF& source, Qt::ImageConversionFlags) override {
        const QRectF place = m_transform.mapRect(target);
        if (!openScope(place)) return;
        QImage pixels = image.copy(source.toAlignedRect()).convertToFormat(QImage::Format_ARGB32);
        if (pixels.isNull()) return;
        const QSize whole = pixels.size();
        std::vector<std::pair<QRect, QRgb>> rects = rectsOf(pixels);
        for (int block = 2; static_cast<int>(rects.size()) > TikzDevice::kMostRects; ++block) {
            QImage coarse((whole.width() + block - 1) / block, (whole.height() + block - 1) / block,
                          QImage::Format_ARGB32);
            for (int y = 0; y < coarse.height(); ++y) {
                for (int x = 0; x < coarse.width(); ++x)
                    coarse.setPixel(x, y, averageOf(pixels, QRect(x * block, y * block, block, block) & pixels.rect()));
            }
            rects = rectsOf(coarse);
            for (auto& [rect, colour] : rects)
                rect = QRect(rect.topLeft() * block, rect.size() * block) & pixels.rect();
        }
        const qreal sx = place.width() / whole.width(), sy = place.height() / whole.height();
        for (const auto& [rect, colour] : rects) {
            const QRectF at(place.left() + rect.left() * sx, place.top() + rect.top() * sy, rect.width() * sx,
                            rect.height() * sy);
            m_body += "\\fill[" + fillOptions(QColor::fromRgba(colour)) + "] " + rectText(at) + ";\n";
        }
    }

    void drawTextItem(const QPointF& pos, const QTextItem& item) override {
        const QString text = item.text();
        const QFont font = item.font();
        if (text.trimmed().isEmpty() || item.width() <= 0) return;
        const bool mono = font.family().contains(QStringLiteral("Mono"));
        const std::optional<QByteArray> tex = tikzText(text, mono);
        if (!tex) {
            // Signs that TeX's own fonts lack.
            QPainterPath outlines;
            outlines.addText(pos, font, text);
            const QPainterPath path = m_transform.map(outlines);
            if (openScope(path.boundingRect()))
                m_body += "\\fill[" + fillOptions(m_pen.color()) + "] " + pathText(path) + ";\n";
            return;
        }
        const QPointF at = m_transform.map(pos);
        const QRectF box =
            m_transform.mapRect(QRectF(pos.x(), pos.y() - item.ascent(), item.width(), item.ascent() + item.descent()));
        if (!openScope(box)) return;
        const qreal scale = std::hypot(m_transform.m11(), m_transform.m12());
        const qreal angle = -qRadiansToDegrees(std::atan2(m_transform.m12(), m_transform.m11()));
        QByteArray options = "text=" + colourName(m_pen.color());
        if (m_opacity < 1) options += ",text opacity=" + tikzNumber(m_opacity);
        if (std::abs(angle) > 0.01) options += ",rotate=" + tikzNumber(angle);
        const qreal points = std::max(1, font.pixelSize()) * scale * kPoints;
        QByteArray face = "\\fontsize{" + tikzNumber(points) + "}{" + tikzNumber(points) + "}";
        face += mono ? "\\ttfamily" : "\\sffamily";
        face += font.weight() >= QFont::DemiBold ? "\\bfseries" : "\\mdseries";
        // A figure or a letter alone may have other proportions than a text: it would be set larger than its
        // neighbours.
        const char* fitted = text.trimmed().size() <= kShort ? "\\strideSign{" : "\\strideText{";
        m_body += "\\node[" + options + "] at " + pointText(at) + " {" + fitted + lengthText(item.width() * scale) +
                  "}{" + face + "\\selectfont " + *tex + "}};\n";
    }

    QByteArray picture() const {
        QByteArray text = "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,every node/.style={anchor=base west,inner "
                          "sep=0pt,outer sep=0pt}]\n";
        // Other fonts are set as wide as the ones that the picture was laid out with.
        text += "\\def\\strideText#1#2{\\resizebox{#1}{!}{#2}}\n";
        text += "\\def\\strideSign#1#2{\\setbox0\\hbox{#2}\\ifdim#1>1.16\\wd0\\hbox to#1{\\hss\\scalebox{1.16}{\\box0}"
                "\\hss}\\else\\resizebox{#1}{!}{\\box0}\\fi}\n";
        for (const QByteArray& hex : m_colours) text += "\\definecolor{stride" + hex + "}{HTML}{" + hex + "}\n";
        text += "\\useasboundingbox " + rectText(m_page) + ";\n";
        return text + m_body + "\\end{tikzpicture}\n";
    }

private:
    QByteArray colourName(const QColor& colour) {
        const QByteArray hex = colour.name(QColor::HexRgb).mid(1).toUpper().toLatin1();
        if (!m_known.contains(hex)) {
            m_known.insert(hex, true);
            m_colours.push_back(hex);
        }
        return "stride" + hex;
    }

    QByteArray fillOptions(const QColor& colour) {
        const qreal opacity = colour.alphaF() * m_opacity;
        QByteArray options = colourName(colour);
        if (opacity < 0.999) options += ",fill opacity=" + tikzNumber(opacity);
        return options;
    }

    QByteArray penOptions() {
        const qreal scale = std::sqrt(std::abs(m_transform.determinant()));
        const qreal width = (m_pen.widthF() > 0 ? m_pen.widthF() : 1) * (m_pen.isCosmetic() ? 1 : scale);
        QByteArray options = "draw=" + colourName(m_pen.color()) + ",line width=" + lengthText(width);
        const qreal opacity = m_pen.color().alphaF() * m_opacity;
        if (opacity < 0.999) options += ",draw opacity=" + tikzNumber(opacity);
        if (m_pen.capStyle() == Qt::RoundCap) options += ",line cap=round";
        if (m_pen.capStyle() == Qt::SquareCap) options += ",line cap=rect";
        if (m_pen.joinStyle() == Qt::RoundJoin) options += ",line join=round";
        if (m_pen.joinStyle() == Qt::BevelJoin) options += ",line join=bevel";
        const QList<qreal> dashes = m_pen.style() == Qt::SolidLine ? QList<qreal>() : m_pen.dashPattern();
        if (!dashes.isEmpty()) {
            options += ",dash pattern=";
            for (qsizetype i = 0; i < dashes.size(); ++i)
                options += (i % 2 == 0 ? "on " : "off ") + lengthText(dashes[i] * width) + ' ';
            options.chop(1);
            if (m_pen.dashOffset() != 0) options += ",dash phase=" + lengthText(m_pen.dashOffset() * width);
        }
        return options;
    }

    /// One fill, stroke or both. `shape` is the path as text when there is a shorter way to write it.
    void add(const QPainterPath& path, bool filled, const QByteArray& shape = {}) {
        const bool drawn = m_pen.style() != Qt::NoPen;
        if (path.isEmpty() || (!filled && !drawn)) return;
        const qreal margin = drawn ? m_pen.widthF() + 1 : 0;
        if (!openScope(path.controlPointRect().adjusted(-margin, -margin, margin, margin))) return;
        const QByteArray text = shape.isEmpty() ? pathText(path) : shape;
        QByteArray options;
        if (filled) {
            // A brush that is no plain colour does not occur; its colour stands for it.
            options = fillOptions(m_brush.color());
            if (path.fillRule() == Qt::OddEvenFill && shape.isEmpty()) options += ",even odd rule";
        }
        if (filled && drawn)
            m_body += "\\filldraw[fill=" + options + ',' + penOptions() + "] " + text + ";\n";
        else if (filled)
            m_body += "\\fill[" + options + "] " + text + ";\n";
        else
            m_body += "\\draw[" + penOptions() + "] " + text + ";\n";
    }

    /// Left to right, in slices; each goes on to the right end, so that no seam shows between two of them.
    void addGradient(const QRectF& rect) {
        if (!openScope(rect)) return;
        const QGradientStops stops = m_brush.gradient()->stops();
        const auto colourAt = [&stops](qreal share) {
            for (qsizetype i = 1; i < stops.size(); ++i) {
                if (share > stops[i].first) continue;
                const qreal span = stops[i].first - stops[i - 1].first;
                const qreal mix = span > 0 ? (share - stops[i - 1].first) / span : 1;
                const QColor from = stops[i - 1].second, to = stops[i].second;
                const auto part = [mix](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * mix)); };
                return QColor(part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue()));
            }
            return stops.isEmpty() ? QColor() : stops.last().second;
        };
        for (int i = 0; i < kSlices; ++i) {
            QRectF slice = rect;
            slice.setLeft(rect.left() + rect.width() * i / kSlices);
            m_body += "\\fill[" + fillOptions(colourAt((i + 0.5) / kSlices)) + "] " + rectText(slice) + ";\n";
        }
    }

    void closeScope() {
        if (!m_scope.isEmpty()) m_body += "\\end{scope}\n";
        m_scope.clear();
    }

    /// Makes the clip of the painter that of the output. False when nothing of `bounds` would be seen.
    bool openScope(const QRectF& bounds) {
        if (m_clipIsOld) {
            m_clipIsOld = false;
            m_clip = painter()->hasClipping() ? m_transform.map(painter()->clipPath()) : QPainterPath();
            m_clipped = painter()->hasClipping();
        }
        const QRectF seen = m_clipped ? m_clip.boundingRect().intersected(m_page) : m_page;
        // A straight line has bounds without an area.
        const QRectF thick = bounds.adjusted(-0.01, -0.01, 0.01, 0.01);
        if (!thick.intersects(seen)) return false;
        const bool cut = (m_clipped && !seen.contains(thick)) || !m_page.adjusted(-64, -64, 64, 64).contains(thick);
        const QByteArray scope = !cut ? QByteArray() : m_clipped ? pathText(m_clip) : rectText(m_page);
        if (scope == m_scope) return true;
        closeScope();
        m_scope = scope;
        if (!scope.isEmpty()) m_body += "\\begin{scope}\n\\clip " + scope + ";\n";
        return true;
    }

    QRectF m_page;
    QByteArray m_body, m_scope;
    std::vector<QByteArray> m_colours;
    QHash<QByteArray, bool> m_known;
    QPen m_pen;
    QBrush m_brush;
    QTransform m_transform;
    QPainterPath m_clip;
    qreal m_opacity = 1;
    bool m_clipIsOld = true, m_clipped = false;
};

TikzDevice::TikzDevice(QSizeF size) : PageDevice(size), m_engine(std::make_unique<TikzEngine>(size)) {}

TikzDevice::~TikzDevice() = default;

QPaintEngine* TikzDevice::paintEngine() const {
    return m_engine.get();
}

QByteArray TikzDevice::picture() const {
    return m_engine->picture();
}

} // namespace stridescope
