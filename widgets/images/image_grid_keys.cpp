// The keyboard of ImageGridView: from pixel to pixel, from image to image, and what readers are told of it.

#include "widgets/images/image_grid_view.h"
#include "widgets/shared/picture_accessible.h"

#include <QKeyEvent>

#include <algorithm>

namespace stridescope {

QString ImageGridView::labelOf(Index image) const {
    return m_labels ? m_labels(image) : QString();
}

void ImageGridView::pick(const ImageSheet::Pixel& pixel) {
    if (m_picked == pixel) return endHover(); // whoever follows says it again: it stays the image the keys went to
    m_byImages = false;
    takePick(pixel);
}

void ImageGridView::pickImage(Index image) {
    const ImageSheet::Pixel middle{0, sheet().imageHeight() / 2, sheet().imageWidth() / 2};
    ImageSheet::Pixel pixel = m_picked.value_or(middle);
    pixel.image = image;
    m_byImages = true;
    takePick(pixel);
    reveal(image);
}

void ImageGridView::takePick(const ImageSheet::Pixel& pixel) {
    if (m_picked == pixel) return endHover();
    m_hovered.reset();
    m_picked = pixel;
    ++m_revision;
    update();
    Q_EMIT pixelPicked(pixel);
    tellKeyCell(this);
}

/// On the padding it stays the pixel that it was: between two images nothing flickers.
void ImageGridView::hover(QPointF at) {
    const QRectF picture = onScreen(QRectF(QPointF(), QSizeF(sheet().size())));
    if (sheet().isEmpty() || !picture.contains(at)) return endHover();
    const auto pixel = pixelUnder(at);
    if (!pixel || pixel == m_hovered) return;
    m_hovered = pixel;
    Q_EMIT hoveredChanged();
}

void ImageGridView::pointAt(const std::optional<ImageSheet::Pixel>& pixel) {
    const bool there =
        pixel && pixel->image < sheet().count() && pixel->y < sheet().imageHeight() && pixel->x < sheet().imageWidth();
    if (!there) return endHover();
    if (pixel == m_hovered) return;
    m_hovered = pixel;
    Q_EMIT hoveredChanged();
}

void ImageGridView::endHover() {
    if (!m_hovered) return;
    m_hovered.reset();
    Q_EMIT hoveredChanged();
}

void ImageGridView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    endHover();
}

void ImageGridView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    tellKeyCell(this);
}

/// To the image `rows` and `columns` further; at the edge of the grid, or where none stands, the nearest one.
void ImageGridView::moveByImages(Index rows, Index columns) {
    const Index at = sheet().positionOf(m_picked ? m_picked->image : 0), across = sheet().across();
    const Index row = std::clamp<Index>(at / across + rows, 0, sheet().down() - 1);
    const Index column = std::clamp<Index>(at % across + columns, 0, across - 1);
    const Index last = sheet().count() - 1 - row * across; // the last row may be short
    if (const auto image = sheet().imageAt(row, std::min(column, last))) pickImage(*image);
}

void ImageGridView::keyPressEvent(QKeyEvent* event) {
    const QPointF middle(width() / 2.0, height() / 2.0);
    if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) return zoomTo(m_zoom * 1.25, middle);
    if (event->key() == Qt::Key_Minus) return zoomTo(m_zoom / 1.25, middle);
    if (event->key() == Qt::Key_0) return fit();
    if (sheet().isEmpty()) return QWidget::keyPressEvent(event);
    const int dx = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int dy = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    const bool ctrl = event->modifiers() & Qt::ControlModifier;
    const Index all = sheet().count();
    switch (event->key()) {
    case Qt::Key_Home:
    case Qt::Key_End: {
        const Index by = event->key() == Qt::Key_End ? all : -all;
        return moveByImages(ctrl ? by : 0, by);
    }
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
        const double row = static_cast<double>(sheet().imageHeight() + sheet().padding()) * m_zoom;
        const Index page = std::max<Index>(1, static_cast<Index>(height() / row));
        return moveByImages(event->key() == Qt::Key_PageDown ? page : -page, 0);
    }
    default:
        break;
    }
    if (dx == 0 && dy == 0) return QWidget::keyPressEvent(event);
    if (ctrl) return moveByImages(dy, dx);
    // Past the padding into the next image; at the end of the picture nothing happens.
    const ImageSheet::Pixel from = m_picked.value_or(ImageSheet::Pixel{});
    const QPoint place = sheet().placeOf(from);
    for (Index far = m_picked ? 1 : 0; far <= sheet().padding() + 1; ++far) {
        const auto next = sheet().pixelAt(place.x() + dx * far, place.y() + dy * far);
        if (!next) continue;
        pick(*next);
        reveal(next->image);
        return;
    }
}

} // namespace stridescope
