#include "widgets/images/pixel_panel.h"

#include "widgets/model/words.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stridescope {

namespace {

constexpr int kAround = 2; ///< neighbours on each side
constexpr int kMargin = 14;
const QColor kPlate(0x15, 0x18, 0x1D, 205);

} // namespace

QString shortNumber(double value, bool integer, int most) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("+inf") : QStringLiteral("-inf");
    const bool whole = integer || value == std::round(value);
    QString text = whole ? QString::number(value, 'f', 0) : QString();
    const bool tiny = !whole && std::abs(value) < 0.005;
    for (int decimals = 2; !whole && !tiny && decimals >= 0; --decimals) {
        text = QString::number(value, 'f', decimals);
        if (text.startsWith(QStringLiteral("0."))) text.remove(0, 1);
        if (text.startsWith(QStringLiteral("-0."))) text.remove(1, 1);
        if (text.size() <= most) break;
    }
    if (!tiny && text.size() <= most) return text;
    // "1e+08" has two characters that say nothing.
    text = QString::number(value, 'e', 0);
    const qsizetype at = text.indexOf(QLatin1Char('e'));
    return text.left(at + 1) + QString::number(text.mid(at + 1).toInt());
}

QString channelLetter(Index channel, Index channels, int single) {
    if (channels == 3) return QString(QChar(u"RGB"[channel]));
    if (channels == 1 && single >= 0 && single < 3) return QString(QChar(u"RGB"[single]));
    return QStringLiteral("c=%1").arg(channel);
}

PixelPanel::Line PixelPanel::lineOf(const QRectF& row) {
    constexpr double kLetter = 7, kMark = 5; // a letter of the font of indices; a triangle
    return {QRectF(row.left(), row.top(), kLetter, row.height()),
            QRectF(row.left() + kLetter, row.center().y() - kMark / 2, kMark, kMark),
            QRectF(row.left() + kLetter + kMark, row.top(), row.width() - kLetter - kMark, row.height())};
}

std::array<double, 4> PixelPanel::columnEnds(const std::array<double, 4>& widths, double left, double right) {
    double all = 0;
    for (const double width : widths) all += width;
    const double gap = std::max((right - left - all) / 3, 0.0);
    std::array<double, 4> ends{left + widths[0], 0, 0, right};
    for (std::size_t i = 1; i < 3; ++i) ends[i] = ends[i - 1] + gap + widths[i];
    return ends;
}

QString PixelPanel::formula(const Tensor& tensor, const Dims& coord) {
    QString text = QString::number(tensor.storageOffset());
    for (std::size_t d = 0; d < coord.size(); ++d)
        text += QStringLiteral(" + %1·%2").arg(coord[d]).arg(tensor.stride()[d]);
    return text + QStringLiteral(" = ") + countText(tensor.view().slot(coord));
}

PixelPanel::PixelPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pixelPanel"));
    setAccessibleName(tr("Picked pixel"));
    setProperty("role", QStringLiteral("panel"));
}

void PixelPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void PixelPanel::show(const ImageSheet& sheet, const std::optional<ImageSheet::Pixel>& pixel, const ImageLook& look) {
    m_sheet = sheet;
    m_pixel = pixel;
    m_look = look;
    if (pixel) {
        QStringList words;
        for (Index c = 0; c < std::min<Index>(sheet.channels(), 3); ++c)
            words << tr("%1 is %2 at slot %3")
                         .arg(channelLetter(c, sheet.channels(), look.single))
                         .arg(sheet.value(*pixel, c))
                         .arg(sheet.slot(*pixel, c));
        setAccessibleDescription(tr("Image %1, row %2, column %3: %4")
                                     .arg(pixel->image)
                                     .arg(pixel->y)
                                     .arg(pixel->x)
                                     .arg(words.join(QStringLiteral(", "))));
    }
    update();
}

/// What lies outside of the drawn range is marked by a triangle that points there; its number is the stored one all the
/// same.
static void paintMark(QPainter& painter, const QRectF& place, bool above) {
    const double far = above ? place.top() : place.bottom(), near = above ? place.bottom() : place.top();
    painter.drawPolygon(QPolygonF({{place.left(), near}, {place.right(), near}, {place.center().x(), far}}));
}

void PixelPanel::paintMagnifier(QPainter& painter, const QRectF& area) {
    const double wide = area.width() / (2 * kAround + 1), high = area.height() / (2 * kAround + 1);
    const bool integer = !isFloating(m_sheet.tensor().dtype());
    const Index channels = std::min<Index>(m_sheet.channels(), 3);
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    const double line = std::min(metrics.height() - 2, (high - 8) / static_cast<double>(channels));
    const bool lettered = m_sheet.channels() == 3 || m_look.single >= 0;
    for (int dy = -kAround; dy <= kAround; ++dy) {
        for (int dx = -kAround; dx <= kAround; ++dx) {
            const ImageSheet::Pixel pixel{m_pixel->image, m_pixel->y + dy, m_pixel->x + dx};
            const QRectF rect(area.left() + (dx + kAround) * wide, area.top() + (dy + kAround) * high, wide, high);
            if (pixel.y < 0 || pixel.x < 0 || pixel.y >= m_sheet.imageHeight() || pixel.x >= m_sheet.imageWidth()) {
                painter.fillRect(rect, m_theme.color(Tone::Inset));
                continue;
            }
            painter.fillRect(rect, QColor(m_sheet.colour(pixel, m_look)));
            const double height = line * static_cast<double>(channels) + 4;
            const QRectF plate(rect.left() + 2, rect.center().y() - height / 2, rect.width() - 4, height);
            painter.fillRect(plate, kPlate);
            painter.setPen(Qt::white);
            painter.setBrush(Qt::white);
            for (Index c = 0; c < channels; ++c) {
                const Line parts = lineOf(
                    {plate.left() + 2, plate.top() + 2 + static_cast<double>(c) * line, plate.width() - 4, line});
                const double value = m_sheet.value(pixel, c);
                if (lettered)
                    painter.drawText(parts.letter, Qt::AlignLeft | Qt::AlignVCenter,
                                     channelLetter(c, m_sheet.channels(), m_look.single));
                if (value > m_look.white || value < m_look.black) paintMark(painter, parts.mark, value > m_look.white);
                painter.drawText(parts.number, Qt::AlignRight | Qt::AlignVCenter, shortNumber(value, integer, 4));
            }
        }
    }
    // Rows and columns by their numbers, as the picked pixel's are told above.
    for (int i = -kAround; i <= kAround; ++i) {
        painter.setFont(m_theme.font(i == 0 ? FontRole::MetaStrong : FontRole::Index));
        painter.setPen(m_theme.color(i == 0 ? Tone::Ink : Tone::Ink2));
        const Index row = m_pixel->y + i, column = m_pixel->x + i;
        const QRectF at(area.left() + (i + kAround) * wide, area.top() - 15, wide, 14),
            beside(0, area.top() + (i + kAround) * high, area.left() - 3, high);
        if (column >= 0 && column < m_sheet.imageWidth())
            painter.drawText(at, Qt::AlignCenter, QString::number(column));
        const QString text = QString::number(row);
        const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(text) <= beside.width();
        if (row >= 0 && row < m_sheet.imageHeight() && fits)
            painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, text);
    }
    const QRectF middle(area.left() + kAround * wide, area.top() + kAround * high, wide, high);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(kPlate, 5));
    painter.drawRect(middle);
    painter.setPen(QPen(Qt::white, 3));
    painter.drawRect(middle);
}

void PixelPanel::paintTable(QPainter& painter, double top) {
    const double left = kMargin, right = width() - kMargin, line = 20;
    painter.setPen(m_theme.color(Tone::Ink));
    painter.setFont(m_theme.font(FontRole::LabelStrong));
    painter.drawText(QRectF(left, top, right - left, line), Qt::AlignVCenter, tr("Slot in the storage"));
    const Index channels = std::min<Index>(m_sheet.channels(), 3);
    const auto item = static_cast<Index>(m_sheet.tensor().itemSize());
    // The letters need no heading.
    std::vector<std::array<QString, 4>> rows{{QString(), tr("value"), tr("slot"), tr("byte")}};
    for (Index c = 0; c < channels; ++c) {
        const Index slot = m_sheet.slot(*m_pixel, c);
        rows.push_back({channelLetter(c, m_sheet.channels(), m_look.single),
                        QString::number(m_sheet.value(*m_pixel, c), 'g', 5), countText(slot), countText(slot * item)});
    }
    const QFont words = m_theme.font(FontRole::Label);
    // Where storages are large the numbers are smaller.
    QFont numbers;
    std::array<double, 4> widths{};
    for (const FontRole role : {FontRole::Meta, FontRole::Index}) {
        numbers = m_theme.font(role);
        widths.fill(0);
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t i = 0; i < 4; ++i)
                widths[i] = std::max(widths[i], QFontMetricsF(r == 0 ? words : numbers).horizontalAdvance(rows[r][i]));
        constexpr double kLeastGap = 8;
        if (widths[0] + widths[1] + widths[2] + widths[3] + 3 * kLeastGap <= right - left) break;
    }
    const std::array<double, 4> ends = columnEnds(widths, left, right);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        painter.setFont(r == 0 ? words : numbers);
        painter.setPen(m_theme.color(r == 0 ? Tone::Ink2 : Tone::Ink));
        for (std::size_t i = 0; i < 4; ++i)
            painter.drawText(QRectF(ends[i] - widths[i], top + line * static_cast<double>(r + 1), widths[i] + 1, line),
                             Qt::AlignVCenter | (i == 0 ? Qt::AlignLeft : Qt::AlignRight), rows[r][i]);
    }
    painter.setPen(m_theme.color(Tone::Ink));
    const double y = top + line * static_cast<double>(channels + 2) + 4;
    painter.setFont(m_theme.font(FontRole::Meta));
    painter.drawText(QRectF(left, y, right - left, 2 * line), Qt::AlignTop | Qt::TextWordWrap,
                     formula(m_sheet.tensor(), m_sheet.coord(*m_pixel, 0)));
    const auto address = reinterpret_cast<quintptr>(m_sheet.tensor().storage()->data()) +
                         static_cast<quintptr>(m_sheet.slot(*m_pixel, 0) * item);
    painter.setPen(m_theme.color(Tone::Ink2));
    painter.drawText(QRectF(left, y + 2 * line - 4, right - left, line), Qt::AlignVCenter,
                     tr("at 0x%1 in memory").arg(address, 0, 16));
}

void PixelPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Tone::Panel));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.setFont(m_theme.font(FontRole::LabelStrong));
    const QRectF title(kMargin, 8, width() - 2 * kMargin, 20);
    if (!m_pixel || m_sheet.isEmpty()) {
        painter.drawText(title, Qt::AlignVCenter, tr("Pixel"));
        painter.setFont(m_theme.font(FontRole::Label));
        painter.setPen(m_theme.color(Tone::Ink2));
        painter.drawText(
            QRectF(kMargin, 32, width() - 2 * kMargin, 60), Qt::TextWordWrap,
            tr("Click a pixel to see its numbers and where they lie. Arrows move one pixel, with Ctrl one image."));
        return;
    }
    painter.drawText(title, Qt::AlignVCenter,
                     tr("Image %1, row %2, column %3").arg(m_pixel->image).arg(m_pixel->y).arg(m_pixel->x));
    constexpr double kHigh = 215;                             // three lines of numbers in each cell
    constexpr double kTop = 46, kRowNumbers = 23, kRight = 5; // three digits beside it; as wide as the table
    paintMagnifier(painter, {kRowNumbers, kTop, width() - kRowNumbers - kRight, kHigh});
    paintTable(painter, kTop + kHigh + 8);
}

} // namespace stridescope
