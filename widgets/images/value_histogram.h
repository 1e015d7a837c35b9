#pragma once
// ValueHistogram: how often each value occurs, and two handles for what is drawn black and white.

#include "core/tensor/tensor.h"
#include "widgets/images/image_tiles.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <array>

namespace stridescope {

/// Counts of a tensor's values, over all of it or, where that is many, over a part spread evenly.
struct ValueCounts {
    static constexpr int kBins = 96;
    double low = 0, high = 1; ///< of the finite values
    std::array<Index, kBins> bins{};
    Index total = 0, counted = 0;
    Index nans = 0, infinities = 0;
    /// Counted values below `black` and above `white`, by bins at the ends only where they cross one.
    Index below = 0, above = 0;
};
/// Counts at most `most` values; `below` and `above` those outside of the look's range. Bytes are seen with
/// `overwrites`.
ValueCounts countValues(const Tensor& tensor, const ImageLook& look, Index most = 400'000,
                        const Overwrites* overwrites = nullptr);

class ValueHistogram : public QWidget {
    Q_OBJECT

public:
    explicit ValueHistogram(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setCounts(const ValueCounts& counts, const ImageLook& look);
    QSize sizeHint() const override { return {286, 152}; }
    QSize minimumSizeHint() const override { return {240, 144}; }
    /// What is worth saying below it: clipped values, NaN, infinities; empty: nothing.
    QString words() const;
    /// Round numbers within low … high, at most `most` of them: those of the axis.
    static std::vector<double> ticks(double low, double high, int most);

Q_SIGNALS:
    void rangeDragged(double black, double white);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    double shownLow() const;
    double shownHigh() const;
    double xOf(double value) const;
    double valueAt(double x) const;
    void moveHandle(int handle, double value);
    void paintAxis(QPainter& painter, double bottom) const;

    Theme m_theme;
    ValueCounts m_counts;
    ImageLook m_look;
    int m_handle = -1, m_focused = 0; ///< 0 black, 1 white
};

} // namespace stridescope
