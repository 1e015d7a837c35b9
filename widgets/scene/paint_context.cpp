#include "widgets/scene/paint_context.h"

#include "widgets/scene/cell_values.h"

#include <QFontMetricsF>
#include <QGlyphRun>
#include <QHash>
#include <QPaintEngine>
#include <QPainterPath>
#include <QTextLayout>

#include <cmath>
#include <memory>

namespace stridescope {

const MonoFace& monoFace(int pixels, QFont::Weight weight) {
    static thread_local QHash<int, std::shared_ptr<MonoFace>> cache;
    std::shared_ptr<MonoFace>& face = cache[pixels * 1024 + static_cast<int>(weight)];
    if (!face) {
        face = std::make_shared<MonoFace>();
        face->font = Theme::monoFont(pixels, weight);
        face->raw = QRawFont::fromFont(face->font);
        QString ascii;
        for (char16_t c = 0; c < 128; ++c) ascii.append(QChar(c == kDigitsLeftOut ? u'\u2026' : c < 32 ? u' ' : c));
        const QList<quint32> glyphs = face->raw.glyphIndexesForString(ascii);
        for (int c = 0; c < 128 && c < glyphs.size(); ++c) face->glyph[static_cast<std::size_t>(c)] = glyphs[c];
        const QList<QPointF> advances = face->raw.advancesForGlyphIndexes({face->glyph['0']});
        face->advance = advances.isEmpty() ? 0.6 * pixels : advances.first().x();
        face->capHeight = face->raw.capHeight();
    }
    return *face;
}

NumberBatch::Run& NumberBatch::run(int pixels, QFont::Weight weight, QRgb colour) {
    const std::tuple<int, int, QRgb> key{pixels, weight, colour};
    if (m_last < m_keys.size() && m_keys[m_last] == key) return m_runs[m_last];
    for (m_last = 0; m_last < m_keys.size(); ++m_last) {
        if (m_keys[m_last] == key) return m_runs[m_last];
    }
    m_keys.push_back(key);
    m_runs.push_back({&monoFace(pixels, weight), colour, {}, {}, {}});
    return m_runs.back();
}

void NumberBatch::add(std::string_view text, QPointF centre, int pixels, QFont::Weight weight, QRgb colour,
                      Qt::Alignment align) {
    Run& target = run(pixels, weight, colour);
    const qreal width = target.face->advance * static_cast<qreal>(text.size());
    qreal x = centre.x();
    if (align & Qt::AlignHCenter) x -= width / 2;
    if (align & Qt::AlignRight) x -= width;
    const qreal y = centre.y() + target.face->capHeight / 2;
    if (m_vector) {
        target.texts.emplace_back(QPointF(x, y), std::string(text));
        return;
    }
    for (const char c : text) {
        if (c != ' ') {
            target.glyphs.push_back(target.face->glyph[static_cast<unsigned char>(c) & 127]);
            target.places.emplace_back(x, y);
        }
        x += target.face->advance;
    }
}

namespace {

/// Readers of SVG files seldom have our fonts, and letters of other widths run into one another: there the letters are
/// outlines, and the text itself lies over them unseen, to be searched and copied.
void drawWords(QPainter& painter, QPointF at, const QString& words) {
    if (painter.paintEngine()->type() != QPaintEngine::SVG) {
        painter.drawText(at, words);
        return;
    }
    QPainterPath letters;
    letters.addText(at, painter.font(), words);
    const QPen pen = painter.pen();
    painter.fillPath(letters, pen.color());
    painter.setPen(QPen(QColor(0, 0, 0, 0)));
    painter.drawText(at, words);
    painter.setPen(pen);
}

/// A label as the glyphs that its font makes of it: shaping takes longer than drawing, and a picture has a hundred
/// labels that are the same from frame to frame.
struct ShapedLabel {
    QList<QGlyphRun> runs; ///< placed from the start of the baseline
    qreal width = 0;
};

/// Labels remembered by a thread: more than a window shows, and a bound for those that change all the time.
constexpr qsizetype kKnownLabels = 4096;

const ShapedLabel& shapedLabel(const QFont& font, const QString& text) {
    static thread_local QHash<std::pair<QFont, QString>, ShapedLabel> known;
    const std::pair key(font, text);
    const auto found = known.constFind(key);
    if (found != known.cend()) return *found;
    if (known.size() >= kKnownLabels) known.clear();
    QTextLayout layout(text, font);
    layout.setCacheEnabled(false);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setNumColumns(static_cast<int>(text.size()));
    layout.endLayout();
    ShapedLabel label;
    label.width = QFontMetricsF(font).horizontalAdvance(text);
    label.runs = layout.glyphRuns();
    for (QGlyphRun& run : label.runs) { // from the baseline instead of the line's top
        QList<QPointF> places = run.positions();
        for (QPointF& place : places) place.ry() -= line.ascent();
        run.setPositions(places);
    }
    return *known.insert(key, std::move(label));
}

} // namespace

void NumberBatch::flush(QPainter& painter, bool vector) {
    for (Run& r : m_runs) {
        painter.setPen(QColor(r.colour));
        if (vector) {
            painter.setFont(r.face->font);
            for (const auto& [pos, text] : r.texts) {
                QString words = QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
                words.replace(QLatin1Char(kDigitsLeftOut), QChar(0x2026));
                drawWords(painter, pos, words);
            }
            r.texts.clear();
        } else if (!r.glyphs.empty()) {
            QGlyphRun run;
            run.setRawFont(r.face->raw);
            run.setRawData(r.glyphs.data(), r.places.data(), static_cast<int>(r.glyphs.size()));
            painter.drawGlyphRun(QPointF(), run);
            r.glyphs.clear();
            r.places.clear();
        }
    }
}

PaintContext::PaintContext(QPainter& p, const Theme& t, const PaintOptions& o, const QRectF& exposedRect)
    : painter(p), theme(t), vector(o.vector), exposed(exposedRect) {
    numbers.m_vector = vector;
    const QTransform& device = p.deviceTransform();
    if (device.type() <= QTransform::TxScale && device.m11() > 0 && device.m22() > 0) {
        m_scaleX = device.m11();
        m_scaleY = device.m22();
        m_shiftX = device.dx();
        m_shiftY = device.dy();
        m_snaps = !vector;
    }
}

void PaintContext::frame(const QRectF& r, const QColor& c, qreal width) const {
    if (r.width() <= 2 * width || r.height() <= 2 * width) {
        painter.fillRect(r, c);
        return;
    }
    painter.fillRect(QRectF(r.left(), r.top(), r.width(), width), c);
    painter.fillRect(QRectF(r.left(), r.bottom() - width, r.width(), width), c);
    painter.fillRect(QRectF(r.left(), r.top() + width, width, r.height() - 2 * width), c);
    painter.fillRect(QRectF(r.right() - width, r.top() + width, width, r.height() - 2 * width), c);
}

void PaintContext::cell(const QRectF& r, const QColor& line, const QColor& fill) const {
    // Two fills have fewer calls; on large cells four edges touch less memory.
    constexpr qreal kLarge = 2500;
    if (r.width() * r.height() < kLarge) {
        painter.fillRect(r, line);
    } else {
        frame(r, line);
    }
    painter.fillRect(r.adjusted(1, 1, -1, -1), fill);
}

void PaintContext::text(QPointF pos, Qt::Alignment anchor, const QString& shown, const QFont& font,
                        const QColor& c) const {
    const ShapedLabel& label = shapedLabel(font, shown);
    QPointF at = pos;
    if (anchor & (Qt::AlignHCenter | Qt::AlignRight))
        at.rx() -= anchor & Qt::AlignRight ? label.width : label.width / 2;
    if (anchor & (Qt::AlignVCenter | Qt::AlignTop | Qt::AlignBottom)) {
        const QFontMetricsF metrics(font);
        if (anchor & Qt::AlignVCenter) at.ry() += metrics.capHeight() / 2;
        if (anchor & Qt::AlignTop) at.ry() += metrics.ascent();
        if (anchor & Qt::AlignBottom) at.ry() -= metrics.descent();
    }
    painter.setPen(c);
    if (vector) {
        painter.setFont(font);
        drawWords(painter, at, shown);
        return;
    }
    for (const QGlyphRun& run : label.runs) painter.drawGlyphRun(at, run);
}

CellFont cellFont(QSizeF cell, std::size_t longest, int least) {
    constexpr qreal advance = 0.6; // em, of the mono face
    // A ring reaches 3.3 px into its cell; narrow cells cannot spare that on both sides, unless their text is short.
    constexpr qreal kAir = 8, kRoomy = 10;
    const bool airy =
        (cell.width() - kAir) / (advance * static_cast<qreal>(std::max<std::size_t>(longest, 1))) >= kRoomy;
    const qreal room = cell.width() - (cell.width() >= 60 ? 7 : airy ? kAir : 4);
    // Cells that are narrower than usual have short texts only.
    constexpr qreal kSmall = 11;
    const qreal wanted = std::min({cell.height() * 0.47, std::max(cell.width() * 0.38, kSmall), 28.0});
    const qreal fits = longest == 0 ? wanted : room / (advance * static_cast<qreal>(longest));
    CellFont font;
    font.pixels = std::max(least, static_cast<int>(std::min(wanted, fits) + 0.25));
    font.maxChars = static_cast<std::size_t>(std::max<qreal>(1, room / (advance * font.pixels)));
    // Rounding the size up by a quarter pixel must not cost a letter.
    if (fits + 0.25 >= font.pixels) font.maxChars = std::max(font.maxChars, longest);
    return font;
}

} // namespace stridescope
