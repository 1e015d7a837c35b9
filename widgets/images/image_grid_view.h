#pragma once
// ImageGridView: a sheet of images that pans and zooms, however many there are; another one may lie to the left of a
// handle, to be compared. Only what is seen is read, piece by piece.

#include "widgets/images/image_tiles.h"
#include "widgets/theme/theme.h"

#include <QCache>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace stridescope {

class ImageGridView : public QWidget {
    Q_OBJECT

public:
    explicit ImageGridView(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// What is shown, and what lies left of the handle (empty: nothing is compared). Keeps place and zoom while the
    /// picture keeps its size.
    void setSheets(const ImageSheet& sheet, const ImageSheet& left = {});
    /// `left`: how what lies left of the handle is drawn, where its values are of another kind.
    void setLook(const ImageLook& look, std::optional<ImageLook> left = {});
    /// Text on an image, by its number; null: none.
    using LabelText = std::function<QString(Index image)>;
    void setLabels(LabelText labels);
    /// What lies between the images.
    void setGround(QRgb ground);
    /// Labels and marks in so many times their size, for a class.
    void setScale(double scale);
    /// Shows what `other` shows; place and zoom stay this one's.
    void showAs(const ImageGridView& other);
    /// Elements are others now.
    void forgetTiles();
    const ImageSheet& sheet() const { return m_layers[0].sheet; }
    const ImageLook& look() const { return m_layers[0].look; }
    const std::optional<ImageSheet::Pixel>& picked() const { return m_picked; }
    void pick(const ImageSheet::Pixel& pixel);
    /// The pixel under the pointer: what is told goes with it until it leaves, or something is picked.
    const std::optional<ImageSheet::Pixel>& hovered() const { return m_hovered; }
    /// What is told of: that under the pointer, else the picked one.
    const std::optional<ImageSheet::Pixel>& pointed() const { return m_hovered ? m_hovered : m_picked; }
    /// As if the pointer were there; nothing where these images have no such pixel.
    void pointAt(const std::optional<ImageSheet::Pixel>& pixel);
    /// The same pixel of another image; keys went from image to image then.
    void pickImage(Index image);
    bool movesByImages() const { return m_byImages; }
    QString labelOf(Index image) const; ///< empty: it has none
    /// Another number whenever what is in sight, or what can be said of it, is other.
    quint64 revision() const { return m_revision; }
    QRectF onScreen(const QRectF& picture) const;
    std::optional<ImageSheet::Pixel> pixelUnder(QPointF screen) const;

    double zoom() const { return m_zoom; }
    void fit();
    bool isFitted() const { return m_fitted; }
    /// The zoom of fit().
    double fitZoom() const;
    /// Screen pixels for each pixel of the picture, with the point `at` of the widget staying where it is.
    void zoomTo(double zoom, QPointF at);
    /// So that the image is seen.
    void reveal(Index image);
    /// The point of the picture at the top left corner; with zoom() all of what is in sight.
    QPointF origin() const { return m_origin; }
    /// As another view has them: two that do so for each other pan and zoom as one.
    void showPlace(double zoom, QPointF origin);
    /// Share of the width that is left of the handle.
    double handle() const { return m_handle; }
    void setHandle(double share);
    /// The next frames are finer: pieces of what is in sight are still to be read, or it was being zoomed.
    bool isWaiting() const { return m_waiting; }
    /// Low, so that what stands round it fits small windows; it takes what room there is.
    QSize sizeHint() const override { return {640, 140}; }

Q_SIGNALS:
    void pixelPicked(const stridescope::ImageSheet::Pixel& pixel);
    void hoveredChanged(); ///< hovered(), by the pointer; a pick that ends it tells itself
    void zoomChanged();
    void placeChanged(); ///< zoom or origin
    void resized();
    void pictureChanged(); ///< sheets, look, labels, elements or the pick

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Layer {
        ImageSheet sheet;
        ImageLook look;
        struct Tile {
            QImage image;
            int rows = 0; ///< read so far
        };
        QCache<quint64, Tile> tiles; ///< of 256 x 256 pixels; how many is told by what is in sight
        /// Null until all of it is read.
        const QImage* tile(quint64 key) const;
    };
    enum class Drag : quint8 { None, Pan, Handle };

    bool compares() const { return !m_layers[1].sheet.isEmpty(); }
    void keepInside();
    QPointF inPicture(QPointF screen) const;
    void takePick(const ImageSheet::Pixel& pixel);
    void hover(QPointF at);
    void endHover();
    void moveByImages(Index rows, Index columns);
    /// True: something is still missing, and the next frame brings it.
    bool paintLayer(QPainter& painter, Layer& layer, const QRect& clip, bool zooming);
    bool readPieces(Layer& layer, int step, const QRectF& seen, const QElapsedTimer& clock);
    void paintLabels(QPainter& painter);
    void paintMarks(QPainter& painter, const Layer& layer, const QRect& clip);
    void placeMoved();
    void paintPick(QPainter& painter);
    void paintHandle(QPainter& painter);

    Theme m_theme;
    Layer m_layers[2]; ///< shown, and left of the handle
    LabelText m_labels;
    QRgb m_ground = qRgb(0, 0, 0); ///< make_grid pads with 0
    QPixmap m_marks;               ///< of ValueMark, one beside the other
    std::optional<ImageSheet::Pixel> m_picked, m_hovered;
    double m_zoom = 1, m_handle = 0.5, m_scale = 1;
    std::optional<double> m_zoomPainted; ///< in the last frame
    QTimer m_rest;                       ///< until the frame after zooming
    QPointF m_origin;                    ///< of the picture, at the widget's top left corner
    bool m_fitted = true, m_waiting = false, m_byImages = false;
    quint64 m_revision = 0;
    Drag m_drag = Drag::None;
    QPointF m_dragFrom, m_originFrom;
    bool m_moved = false;
};

} // namespace stridescope
