#include "widgets/images/image_grid_view.h"

#include "widgets/images/images_accessible.h"

#include <QElapsedTimer>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QWheelEvent>

#include <cmath>

namespace stridescope {

namespace {

constexpr int kTile = 256;
constexpr double kMostZoom = 48;
constexpr int kFrameBudget = 4; ///< milliseconds of one frame for reading new pieces
constexpr int kRows = 16;       ///< of a piece that are read at once: all of one may take longer than a frame has
constexpr int kHandleRadius = 12;

} // namespace

ImageGridView::ImageGridView(QWidget* parent) : QWidget(parent) {
    installImagesAccessibility(); // before anything names the widget: Qt keeps the first interface that it makes
    setObjectName(QStringLiteral("imageGrid"));
    setAccessibleName(tr("Images"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(200, 120);
    setMouseTracking(true);
    setToolTip({});
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

void ImageGridView::setTheme(const Theme& theme) {
    m_theme = theme;
    forgetTiles();
}

void ImageGridView::setSheets(const ImageSheet& sheet, const ImageSheet& left) {
    const bool same = sheet.size() == m_layers[0].sheet.size();
    m_layers[0].sheet = sheet;
    m_layers[1].sheet = left.size() == sheet.size() ? left : ImageSheet();
    if (m_picked &&
        (m_picked->image >= sheet.count() || m_picked->y >= sheet.imageHeight() || m_picked->x >= sheet.imageWidth()))
        m_picked.reset();
    m_hovered.reset(); // another pixel lies there now
    forgetTiles();
    if (!same || m_fitted) fit();
}

void ImageGridView::setLook(const ImageLook& look, std::optional<ImageLook> left) {
    if (look == m_layers[0].look && left.value_or(look) == m_layers[1].look) return;
    m_layers[0].look = look;
    m_layers[1].look = left.value_or(look);
    forgetTiles();
}

void ImageGridView::setLabels(LabelText labels) {
    m_labels = std::move(labels);
    ++m_revision;
    update();
    Q_EMIT pictureChanged();
}

void ImageGridView::setGround(QRgb ground) {
    if (ground == m_ground) return;
    m_ground = ground;
    forgetTiles();
}

void ImageGridView::setScale(double scale) {
    m_scale = scale;
    update();
}

void ImageGridView::showAs(const ImageGridView& other) {
    for (int i = 0; i < 2; ++i) m_layers[i].look = other.m_layers[i].look;
    m_labels = other.m_labels;
    m_ground = other.m_ground;
    m_handle = other.m_handle;
    m_picked = other.m_picked;
    setSheets(other.m_layers[0].sheet, other.m_layers[1].sheet);
}

void ImageGridView::forgetTiles() {
    for (Layer& layer : m_layers) layer.tiles.clear();
    ++m_revision;
    update();
    Q_EMIT pictureChanged();
}

double ImageGridView::fitZoom() const {
    const QSize size = sheet().size();
    if (size.isEmpty()) return 1;
    return std::min(static_cast<double>(width()) / size.width(), static_cast<double>(height()) / size.height());
}

void ImageGridView::fit() {
    m_fitted = true;
    m_zoom = std::min(fitZoom(), kMostZoom);
    m_origin = {};
    placeMoved();
    Q_EMIT zoomChanged();
}

/// No empty margin where there is picture; what is smaller than the widget lies at its top left.
void ImageGridView::keepInside() {
    const QSize size = sheet().size();
    const double mostX = std::max(0.0, size.width() - width() / m_zoom);
    const double mostY = std::max(0.0, size.height() - height() / m_zoom);
    m_origin = {std::clamp(m_origin.x(), 0.0, mostX), std::clamp(m_origin.y(), 0.0, mostY)};
}

void ImageGridView::zoomTo(double zoom, QPointF at) {
    const QPointF fixed = inPicture(at);
    const double least = std::min(fitZoom(), 1.0);
    m_zoom = std::clamp(zoom, least, kMostZoom);
    m_fitted = m_zoom <= least;
    m_origin = fixed - at / m_zoom;
    placeMoved();
    Q_EMIT zoomChanged();
}

void ImageGridView::showPlace(double zoom, QPointF origin) {
    if (zoom == m_zoom && origin == m_origin) return;
    m_zoom = zoom;
    m_origin = origin;
    m_fitted = m_zoom <= std::min(fitZoom(), 1.0);
    placeMoved();
}

void ImageGridView::placeMoved() {
    keepInside();
    ++m_revision;
    update();
    Q_EMIT placeChanged();
}

void ImageGridView::reveal(Index image) {
    const QRectF rect = onScreen(sheet().imageRect(image));
    if (QRectF(this->rect()).contains(rect)) return;
    m_origin = QRectF(sheet().imageRect(image)).center() - QPointF(width(), height()) / (2 * m_zoom);
    placeMoved();
}

void ImageGridView::setHandle(double share) {
    m_handle = std::clamp(share, 0.0, 1.0);
    update();
}

QRectF ImageGridView::onScreen(const QRectF& picture) const {
    return {(picture.topLeft() - m_origin) * m_zoom, picture.size() * m_zoom};
}

QPointF ImageGridView::inPicture(QPointF screen) const {
    return m_origin + screen / m_zoom;
}

std::optional<ImageSheet::Pixel> ImageGridView::pixelUnder(QPointF screen) const {
    const QPointF at = inPicture(screen);
    return sheet().pixelAt(static_cast<Index>(std::floor(at.x())), static_cast<Index>(std::floor(at.y())));
}

namespace {

/// Pieces of a layer at one step: which of them a part of the picture needs.
struct Pieces {
    double side; ///< of one, in the picture
    Index left, top, right, bottom;

    Pieces(int step, const QRectF& seen) : side(double(kTile) * step) {
        const auto first = [this](double at) { return static_cast<Index>(at / side); };
        const auto last = [this](double at) { return static_cast<Index>(std::ceil(at / side)); };
        left = first(seen.left());
        top = first(seen.top());
        right = std::max(last(seen.right()), left + 1);
        bottom = std::max(last(seen.bottom()), top + 1);
    }
    int count() const { return static_cast<int>((right - left) * (bottom - top)); }
    QRectF place(Index tx, Index ty) const {
        return {static_cast<double>(tx) * side, static_cast<double>(ty) * side, side, side};
    }
};

quint64 keyOf(int step, Index tx, Index ty) {
    return static_cast<quint64>(step) << 48 | static_cast<quint64>(tx) << 24 | static_cast<quint64>(ty);
}

constexpr int kKept = 160, kSpare = 16; ///< pieces
constexpr int kRestMs = 60;             ///< after so long at one zoom nobody is zooming
constexpr int kCoarser = 8;             ///< pieces of so many times the step are read first: all of them are soon there

} // namespace

const QImage* ImageGridView::Layer::tile(quint64 key) const {
    const Tile* tile = tiles.object(key);
    return tile && tile->rows >= kTile ? &tile->image : nullptr;
}

/// Reads pieces that are missing, for as long as a frame may take. False: some still are.
bool ImageGridView::readPieces(Layer& layer, int step, const QRectF& seen, const QElapsedTimer& clock) {
    const Pieces pieces(step, seen);
    const int budget = compares() ? kFrameBudget / 2 : kFrameBudget; // two pictures share a frame
    for (Index ty = pieces.top; ty < pieces.bottom; ++ty) {
        for (Index tx = pieces.left; tx < pieces.right; ++tx) {
            const Index side = Index{kTile} * step;
            Layer::Tile* tile = layer.tiles.object(keyOf(step, tx, ty));
            while (!tile || tile->rows < kTile) {
                if (clock.elapsed() >= budget) return false;
                if (!tile) {
                    tile = new Layer::Tile{QImage(kTile, kTile, QImage::Format_RGB32)};
                    layer.tiles.insert(keyOf(step, tx, ty), tile);
                }
                layer.sheet.drawRows(tile->image, tx * side, ty * side, tile->rows, kRows, step, layer.look, m_ground);
                tile->rows += kRows;
            }
        }
    }
    return true;
}

bool ImageGridView::paintLayer(QPainter& painter, Layer& layer, const QRect& clip, bool zooming) {
    int step = 1;
    while (step * 2 * m_zoom <= 1) step *= 2;
    const QRectF seen = QRectF(inPicture(clip.topLeft()), QSizeF(clip.size()) / m_zoom)
                            .intersected(QRectF(QPointF(), QSizeF(layer.sheet.size())));
    if (seen.isEmpty()) return false;
    QElapsedTimer clock;
    clock.start();
    const Pieces pieces(step, seen), coarse(step * kCoarser, seen);
    // What is in sight has room, however large the window is: what has none would be read anew in each frame. What one
    // pans back to is kept besides, of a picture that is alone.
    const bool alone = m_layers[1].sheet.isEmpty();
    layer.tiles.setMaxCost(std::max(pieces.count() + coarse.count() + kSpare, alone ? kKept : 0));
    bool missing = !readPieces(layer, step * kCoarser, seen, clock);
    missing = !readPieces(layer, step, seen, clock) || missing;
    painter.save();
    painter.setClipRect(onScreen(QRectF(QPointF(), QSizeF(layer.sheet.size()))).intersected(clip));
    // Smooth scaling takes as long as a frame has: not in one that reads pieces, too, nor in one of many whose pixels
    // stand elsewhere in the next. The last one is smooth.
    painter.setRenderHint(QPainter::SmoothPixmapTransform, m_zoom < 1 && !missing && !zooming);
    // Edges on whole pixels of the screen: between two pieces the ground must not show.
    const auto onPixels = [this](const QRectF& place) {
        const QRectF at = onScreen(place);
        const double ratio = devicePixelRatioF();
        const auto whole = [ratio](double edge) { return std::round(edge * ratio) / ratio; };
        return QRectF(QPointF(whole(at.left()), whole(at.top())), QPointF(whole(at.right()), whole(at.bottom())));
    };
    for (Index ty = pieces.top; ty < pieces.bottom; ++ty) {
        for (Index tx = pieces.left; tx < pieces.right; ++tx) {
            const QRectF place = pieces.place(tx, ty);
            if (const QImage* tile = layer.tile(keyOf(step, tx, ty))) {
                painter.drawImage(onPixels(place), *tile);
                continue;
            }
            const Index cx = tx / kCoarser, cy = ty / kCoarser;
            if (const QImage* tile = layer.tile(keyOf(step * kCoarser, cx, cy))) {
                const QRectF part = place.translated(-coarse.place(cx, cy).topLeft());
                const double scale = 1.0 / (step * kCoarser);
                painter.drawImage(onPixels(place), *tile, QRectF(part.topLeft() * scale, part.size() * scale));
                continue;
            }
            painter.fillRect(onPixels(place), m_theme.color(Tone::Inset));
        }
    }
    painter.restore();
    return missing;
}

void ImageGridView::paintPick(QPainter& painter) {
    if (!m_picked) return;
    const auto ring = [&](QRectF rect, double width) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(QColor(0x15, 0x18, 0x1D), (width + 2) * m_scale));
        painter.drawRect(rect);
        painter.setPen(QPen(Qt::white, width * m_scale));
        painter.drawRect(rect);
    };
    ring(onScreen(sheet().imageRect(m_picked->image)).adjusted(-1, -1, 1, 1), 2);
    QRectF pixel = onScreen(QRectF(sheet().placeOf(*m_picked), QSizeF(1, 1)));
    if (pixel.width() < 5) pixel.adjust(-3, -3, 3, 3);
    ring(pixel, 2);
}

void ImageGridView::paintHandle(QPainter& painter) {
    const double x = m_handle * width();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(0x15, 0x18, 0x1D), 4));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    painter.setPen(QPen(Qt::white, 2));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    painter.setPen(QPen(QColor(0x15, 0x18, 0x1D), 2));
    painter.setBrush(Qt::white);
    const QPointF middle(x, height() / 2.0);
    painter.drawEllipse(middle, kHandleRadius, kHandleRadius);
    for (const double side : {-1.0, 1.0})
        painter.drawPolyline(
            QPolygonF({middle + QPointF(side * 4, -4), middle + QPointF(side * 7, 0), middle + QPointF(side * 4, 4)}));
}

void ImageGridView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Tone::Stage));
    if (sheet().isEmpty()) return;
    const int border = compares() ? static_cast<int>(std::lround(m_handle * width())) : 0;
    const bool zooming = m_zoomPainted && *m_zoomPainted != m_zoom;
    bool missing = paintLayer(painter, m_layers[0], rect().adjusted(border, 0, 0, 0), zooming);
    if (compares()) missing = paintLayer(painter, m_layers[1], QRect(0, 0, border, height()), zooming) || missing;
    m_zoomPainted = m_zoom;
    paintMarks(painter, m_layers[0], rect().adjusted(border, 0, 0, 0));
    if (compares()) paintMarks(painter, m_layers[1], QRect(0, 0, border, height()));
    paintLabels(painter);
    paintPick(painter);
    if (compares()) paintHandle(painter);
    m_waiting = missing || zooming;
    if (m_waiting) m_rest.start(missing ? 0 : kRestMs);
}

void ImageGridView::resizeEvent(QResizeEvent*) {
    if (m_fitted) fit();
    keepInside();
    ++m_revision;
    Q_EMIT resized();
}

void ImageGridView::wheelEvent(QWheelEvent* event) {
    zoomTo(m_zoom * std::pow(2.0, event->angleDelta().y() / 480.0), event->position());
    event->accept();
}

void ImageGridView::mousePressEvent(QMouseEvent* event) {
    m_dragFrom = event->position();
    m_originFrom = m_origin;
    m_moved = false;
    const bool onHandle = compares() && std::abs(event->position().x() - m_handle * width()) <= kHandleRadius;
    m_drag = event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton ? Drag::None
             : onHandle                                                               ? Drag::Handle
                                                                                      : Drag::Pan;
}

void ImageGridView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF by = event->position() - m_dragFrom;
    m_moved = m_moved || by.manhattanLength() > 4;
    if (m_drag == Drag::Handle) {
        setHandle(event->position().x() / width());
    } else if (m_drag == Drag::Pan && m_moved) {
        m_origin = m_originFrom - by / m_zoom;
        placeMoved();
    } else if (m_drag == Drag::None) {
        const bool onHandle = compares() && std::abs(event->position().x() - m_handle * width()) <= kHandleRadius;
        setCursor(onHandle ? Qt::SplitHCursor : Qt::ArrowCursor);
        hover(event->position());
    }
}

void ImageGridView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::Pan && !m_moved) {
        if (const auto pixel = pixelUnder(event->position())) pick(*pixel);
    }
    m_drag = Drag::None;
}

} // namespace stridescope
