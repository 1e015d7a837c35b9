#pragma once
// ImageGridView: a sheet of images that pans and zooms, however many there are; another one may lie to the left of a
// handle, to be compared. Only what is seen is read, piece by piece.

#include "widgets/images/image_tiles.h"
#include "widgets/theme/theme.h"

#include <QCache>
#include <QWidget>

namespace stridescope {

class ImageGridView : public QWidget {
    Q_OBJECT

public:
    explicit ImageGridView(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// What is shown, and what lies left of the handle (empty: nothing is compared). Keeps place and zoom while the
    /// picture keeps its size.
    void setSheets(const ImageSheet& sheet, const ImageSheet& left = {});
    void setLook(const ImageLook& look);
    /// Texts on the images, by number; empty: none.
    void setLabels(const QStringList& labels);
    /// Labels and marks in so many times their size, for a class.
    void setScale(double scale);
    /// Shows what `other` shows; place and zoom stay this one's.
    void showAs(const ImageGridView& other);
    /// Elements are others now.
    void forgetTiles();
    const ImageSheet& sheet() const { return m_layers[0].sheet; }
    const std::optional<ImageSheet::Pixel>& picked() const { return m_picked; }
    void pick(const ImageSheet::Pixel& pixel);

    double zoom() const { return m_zoom; }
    void fit();
    /// Screen pixels for each pixel of the picture, with the point `at` of the widget staying where it is.
    void zoomTo(double zoom, QPointF at);
    /// So that the image is seen.
    void reveal(Index image);
    /// Share of the width that is left of the handle.
    double handle() const { return m_handle; }
    void setHandle(double share);
    QSize sizeHint() const override { return {640, 320}; }

Q_SIGNALS:
    void pixelPicked(const stridescope::ImageSheet::Pixel& pixel);
    void zoomChanged();
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

private:
    struct Layer {
        ImageSheet sheet;
        QCache<quint64, QImage> tiles{160}; ///< of 256 x 256 pixels
    };
    enum class Drag : quint8 { None, Pan, Handle };

    bool compares() const { return !m_layers[1].sheet.isEmpty(); }
    double fitZoom() const;
    void keepInside();
    QRectF onScreen(const QRectF& picture) const;
    QPointF inPicture(QPointF screen) const;
    std::optional<ImageSheet::Pixel> pixelUnder(QPointF screen) const;
    /// True: something is still missing, and the next frame brings it.
    bool paintLayer(QPainter& painter, Layer& layer, const QRect& clip);
    QImage* tileOf(Layer& layer, int step, Index tx, Index ty, bool mayRender);
    void paintLabels(QPainter& painter);
    void paintPick(QPainter& painter);
    void paintHandle(QPainter& painter);

    Theme m_theme;
    Layer m_layers[2]; ///< shown, and left of the handle
    ImageLook m_look;
    QStringList m_labels;
    std::optional<ImageSheet::Pixel> m_picked;
    double m_zoom = 1, m_handle = 0.5, m_scale = 1;
    QPointF m_origin; ///< of the picture, at the widget's top left corner
    bool m_fitted = true;
    Drag m_drag = Drag::None;
    QPointF m_dragFrom, m_originFrom;
    bool m_moved = false;
};

} // namespace stridescope
