#pragma once
// PixelPanel: the picked pixel and its neighbours with their numbers, and where each lies in the storage.

#include "widgets/images/image_tiles.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <array>

namespace stridescope {

class PixelPanel : public QWidget {
    Q_OBJECT

public:
    explicit PixelPanel(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `pixel` of `sheet`; nothing: words on how to pick one. Numbers are the stored ones, whatever the look.
    void show(const ImageSheet& sheet, const std::optional<ImageSheet::Pixel>& pixel, const ImageLook& look);
    QSize sizeHint() const override { return {286, 426}; }
    QSize minimumSizeHint() const override { return {268, 426}; }
    /// Where the parts of a line of the magnifier lie in a cell: they do not touch each other.
    struct Line {
        QRectF letter, mark, number;
    };
    static Line lineOf(const QRectF& row);
    /// Right ends of the table's columns behind the first one, for cells of these widths (channel, value, slot, byte):
    /// each column is as wide as its widest cell, with a gap before it.
    static std::array<double, 4> columnEnds(const std::array<double, 4>& widths, double left, double right);
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

/// A value in at most so many characters (4 or more; an exponent of three digits takes one more): ".43", "-1.8", "255",
/// "1e8"; NaN and infinities in words.
QString shortNumber(double value, bool integer, int most = 5);
/// "R", "G", "B" of three channels, and of the one that `single` of them is; else "c=2".
QString channelLetter(Index channel, Index channels, int single = -1);

} // namespace stridescope
