#include "widgets/scene/text_device.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stridescope {

namespace {

/// Pixels of a column: letters are seldom narrower, so that columns of numbers stay above one another.
constexpr qreal kColumn = 6;
/// Baselines so near to one another are one line of text; a gap from kGap on leaves a line free.
constexpr qreal kSameLine = 7, kGap = 34;
/// Sides of a rectangle that is a cell, or a few.
constexpr qreal kLeastCell = 12, kHighestCell = 60, kThickestSide = 3;

int columnOf(qreal x) {
    return std::max(0, static_cast<int>(std::lround(x / kColumn)));
}

struct Word {
    QPointF at; ///< left end of the baseline; of an upright word the middle
    QString text;
    bool upright = false; ///< read from below
    qreal end = 0;        ///< where the next one of the same text begins
};

} // namespace

class TextEngine : public QPaintEngine {
public:
    explicit TextEngine(QSizeF size)
        : QPaintEngine(PaintEngineFeatures(PrimitiveTransform | PixmapTransform | LinearGradientFill | PainterPaths |
                                           Antialiasing | AlphaBlend | ConstantOpacity | BrushStroke |
                                           PaintOutsidePaintEvent)),
          m_page(QPointF(), size) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& state) override {
        const DirtyFlags flags = state.state();
        if (flags & DirtyPen) m_pen = state.pen();
        if (flags & DirtyTransform) m_transform = state.transform();
        if (flags & (DirtyClipEnabled | DirtyClipPath | DirtyClipRegion | DirtyTransform))
            m_seen = painter()->hasClipping()
                         ? m_transform.map(painter()->clipPath()).boundingRect().intersected(m_page)
                         : m_page;
    }

    void drawPath(const QPainterPath& path) override { addCell(m_transform.map(path).boundingRect()); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode) override {
        QPolygonF polygon;
        for (int i = 0; i < count; ++i) polygon << points[i];
        addCell(m_transform.map(polygon).boundingRect());
    }
    void drawRects(const QRectF* rects, int count) override {
        for (int i = 0; i < count; ++i) addCell(m_transform.mapRect(rects[i]));
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

    void drawTextItem(const QPointF& pos, const QTextItem& item) override {
        const QString text = item.text();
        const QRectF box =
            m_transform.mapRect(QRectF(pos.x(), pos.y() - item.ascent(), item.width(), item.ascent() + item.descent()));
        if (text.trimmed().isEmpty() || !m_seen.intersects(box)) return;
        const bool upright = std::abs(m_transform.m12()) > std::abs(m_transform.m11());
        m_words.push_back({upright ? box.center() : m_transform.map(pos), text, upright, box.right()});
    }

    QByteArray picture() const {
        const std::vector<qreal> lines = baselines();
        std::vector<QString> text(lines.size());
        const bool hasUpright =
            std::any_of(m_words.begin(), m_words.end(), [](const Word& word) { return word.upright; });
        const int margin = hasUpright ? kMargin : 0;
        const auto lineAt = [&lines](qreal y) {
            const auto nearest = std::min_element(lines.begin(), lines.end(),
                                                  [y](qreal a, qreal b) { return std::abs(a - y) < std::abs(b - y); });
            return static_cast<std::size_t>(nearest - lines.begin());
        };
        // From left to right, so that a word that needs more room moves those behind it.
        std::vector<Word> words = m_words;
        std::stable_sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.at.x() < b.at.x(); });
        std::vector<qreal> ends(lines.size(), -1);
        for (const Word& word : words) {
            if (word.upright) continue;
            const std::size_t at = lineAt(word.at.y());
            QString& line = text[at];
            const int column = margin + columnOf(word.at.x());
            // A sign of another font is a word of its own in the middle of one.
            const bool goesOn = std::abs(word.at.x() - std::exchange(ends[at], word.end)) < 0.75;
            if (line.size() >= column && !goesOn && !line.isEmpty()) line += QLatin1Char(' ');
            if (!goesOn) line = line.leftJustified(column, QLatin1Char(' '));
            line += word.text;
        }
        for (const QRectF& cell : m_cells) {
            for (std::size_t i = 0; i < lines.size(); ++i) {
                if (lines[i] < cell.top() || lines[i] > cell.bottom()) continue;
                bar(text[i], margin + columnOf(cell.left()) - 1);
                bar(text[i], margin + columnOf(cell.right()) - 1);
            }
        }
        for (const Word& word : words) {
            if (!word.upright || lines.empty()) continue;
            QString& line = text[lineAt(word.at.y())];
            const auto length = static_cast<int>(word.text.size());
            const int column = std::max(0, margin + columnOf(word.at.x()) - length);
            line = line.leftJustified(column + length + 1, QLatin1Char(' '));
            if (line.mid(column, length).trimmed().isEmpty()) line.replace(column, length, word.text);
        }
        QByteArray all;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i > 0 && lines[i] - lines[i - 1] >= kGap) all += '\n';
            while (text[i].endsWith(QLatin1Char(' '))) text[i].chop(1);
            all += text[i].toUtf8() + '\n';
        }
        return all;
    }

private:
    static constexpr int kMargin = 10;

    void addCell(const QRectF& rect) {
        // Frames on whole pixels are painted as four thin rectangles, of which the upright ones are sides.
        const bool side = m_pen.style() == Qt::NoPen && rect.width() <= kThickestSide;
        const bool box = m_pen.style() != Qt::NoPen && rect.width() >= kLeastCell;
        const bool high = rect.height() >= kLeastCell && rect.height() <= kHighestCell;
        if ((side || box) && high && m_seen.intersects(rect)) m_cells.push_back(rect);
    }
    static void bar(QString& line, int column) {
        if (column < 0) return;
        line = line.leftJustified(column + 1, QLatin1Char(' '));
        if (line[column] == QLatin1Char(' ')) line[column] = QLatin1Char('|');
    }
    std::vector<qreal> baselines() const {
        std::vector<qreal> all;
        for (const Word& word : m_words)
            if (!word.upright) all.push_back(word.at.y());
        for (const QRectF& cell : m_cells) all.push_back(cell.center().y() + kSameLine / 2);
        std::sort(all.begin(), all.end());
        std::vector<qreal> lines;
        for (const qreal y : all)
            if (lines.empty() || y - lines.back() > kSameLine) lines.push_back(y);
        return lines;
    }

    QRectF m_page, m_seen = m_page;
    QPen m_pen;
    QTransform m_transform;
    std::vector<Word> m_words;
    std::vector<QRectF> m_cells;
};

TextDevice::TextDevice(QSizeF size) : PageDevice(size), m_engine(std::make_unique<TextEngine>(size)) {}

TextDevice::~TextDevice() = default;

QPaintEngine* TextDevice::paintEngine() const {
    return m_engine.get();
}

QByteArray TextDevice::picture() const {
    return m_engine->picture();
}

} // namespace stridescope
