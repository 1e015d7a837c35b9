#pragma once
// PixelPanel: the picked pixel and its neighbours with their numbers, and where each lies in the storage.

#include "widgets/images/image_tiles.h"
#include "widgets/theme/theme.h"

#include <QWidget>

namespace stridescope {

class PixelPanel : public QWidget {
    Q_OBJECT

public:
    explicit PixelPanel(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `pixel` of `sheet`; nothing: words on how to pick one. Numbers are the stored ones, whatever the look.
    void show(const ImageSheet& sheet, const std::optional<ImageSheet::Pixel>& pixel, const ImageLook& look);
    QSize sizeHint() const override { return {286, 414}; }
    QSize minimumSizeHint() const override { return {268, 414}; }
    /// "offset 1 + 21·3072 + 0·1024 + 12·32 + 13·1 = 64 910".
    static QString formula(const Tensor& tensor, const Dims& coord);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintMagnifier(QPainter& painter, const QRectF& area);
    void paintTable(QPainter& painter, double top);

    Theme m_theme;
    ImageSheet m_sheet;
    std::optional<ImageSheet::Pixel> m_pixel;
    ImageLook m_look;
};

/// A value in four or five characters: ".43", "-1", "255", "NaN", "1e8"; NaN and infinities in words.
QString shortNumber(double value, bool integer);
/// "R", "G", "B" of three channels, else "c=2".
QString channelLetter(Index channel, Index channels);

} // namespace stridescope
