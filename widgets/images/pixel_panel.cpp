#include "widgets/images/pixel_panel.h"

#include "widgets/model/words.h"

#include <QPainter>

#include <cmath>

namespace stridescope {

namespace {

constexpr int kAround = 2; ///< neighbours on each side
constexpr int kMargin = 14;
const QColor kPlate(0x15, 0x18, 0x1D, 205);

} // namespace

QString shortNumber(double value, bool integer) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("+inf") : QStringLiteral("-inf");
    if (integer || (value == std::round(value) && std::abs(value) < 1e4)) return QString::number(value, 'g', 6);
    if (std::abs(value) >= 1e4 || std::abs(value) < 0.005) return QString::number(value, 'e', 0);
    QString text = QString::number(value, 'f', std::abs(value) < 100 ? 2 : 0);
    if (text.startsWith(QStringLiteral("0."))) text.remove(0, 1);
    if (text.startsWith(QStringLiteral("-0."))) text.remove(1, 1);
    return text;
}

QString channelLetter(Index channel, Index channels) {
    if (channels == 3) return QString(QChar(u"RGB"[channel]));
    return QStringLiteral("c=%1").arg(channel);
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
                         .arg(channelLetter(c, sheet.channels()))
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

void PixelPanel::paintMagnifier(QPainter& painter, const QRectF& area) {
    const double cell = area.width() / (2 * kAround + 1);
    const bool integer = !isFloating(m_sheet.tensor().dtype());
    const Index channels = std::min<Index>(m_sheet.channels(), 3);
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    const double line = std::min(metrics.height() - 2, (cell - 8) / static_cast<double>(channels));
    for (int dy = -kAround; dy <= kAround; ++dy) {
        for (int dx = -kAround; dx <= kAround; ++dx) {
            const ImageSheet::Pixel pixel{m_pixel->image, m_pixel->y + dy, m_pixel->x + dx};
            const QRectF rect(area.left() + (dx + kAround) * cell, area.top() + (dy + kAround) * cell, cell, cell);
            if (pixel.y < 0 || pixel.x < 0 || pixel.y >= m_sheet.imageHeight() || pixel.x >= m_sheet.imageWidth()) {
                painter.fillRect(rect, m_theme.color(Tone::Inset));
                continue;
            }
            painter.fillRect(rect, QColor(m_sheet.colour(pixel, m_look)));
            const double height = line * static_cast<double>(channels) + 4;
            const QRectF plate(rect.left() + 3, rect.center().y() - height / 2, rect.width() - 6, height);
            painter.fillRect(plate, kPlate);
            painter.setPen(Qt::white);
            for (Index c = 0; c < channels; ++c) {
                const QRectF row(plate.left() + 3, plate.top() + 2 + static_cast<double>(c) * line, plate.width() - 6,
                                 line);
                const double value = m_sheet.value(pixel, c);
                painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                                 m_sheet.channels() == 3 ? channelLetter(c, 3) : QString());
                // What lies outside of the drawn range is marked; its number is the stored one all the same.
                const QString mark = std::isnan(value)      ? QString()
                                     : value > m_look.white ? QStringLiteral("↑")
                                     : value < m_look.black ? QStringLiteral("↓")
                                                            : QString();
                painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, mark + shortNumber(value, integer));
            }
        }
    }
    const QRectF middle(area.left() + kAround * cell, area.top() + kAround * cell, cell, cell);
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
    const auto row = [&](double y, const QString& channel, const QString& value, const QString& slot,
                         const QString& address) {
        painter.drawText(QRectF(left, y, 60, line), Qt::AlignVCenter, channel);
        painter.drawText(QRectF(left + 56, y, 66, line), Qt::AlignVCenter | Qt::AlignRight, value);
        painter.drawText(QRectF(left + 126, y, 72, line), Qt::AlignVCenter | Qt::AlignRight, slot);
        painter.drawText(QRectF(left + 198, y, right - left - 198, line), Qt::AlignVCenter | Qt::AlignRight, address);
    };
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    row(top + line, tr("channel"), tr("value"), tr("slot"), tr("byte"));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.setFont(m_theme.font(FontRole::Meta));
    const Index channels = std::min<Index>(m_sheet.channels(), 3);
    const auto item = static_cast<Index>(m_sheet.tensor().itemSize());
    for (Index c = 0; c < channels; ++c) {
        const Index slot = m_sheet.slot(*m_pixel, c);
        row(top + line * static_cast<double>(c + 2), channelLetter(c, m_sheet.channels()),
            QString::number(m_sheet.value(*m_pixel, c), 'g', 5), countText(slot), countText(slot * item));
    }
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
    const double side = std::min<double>(width() - 2 * kMargin, 215);
    paintMagnifier(painter, {kMargin, 34, side, side});
    paintTable(painter, 34 + side + 8);
}

} // namespace stridescope
