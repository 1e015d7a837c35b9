#pragma once
// SizeRange: the first and the last of some sizes, powers of two, by two knobs on one track.

#include "core/index.h"
#include "widgets/theme/theme.h"

#include <QWidget>

namespace stridescope {

class SizeRange : public QWidget {
    Q_OBJECT

public:
    static constexpr int kLeast = 0, kMost = 24; ///< exponents

    explicit SizeRange(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Exponents; clamped, and in order.
    void setRange(int low, int high);
    int low() const { return m_low; }
    int high() const { return m_high; }
    qreal xOf(int exponent) const;
    int exponentAt(qreal x) const;
    QSize sizeHint() const override { return {200, 26}; }
    QSize minimumSizeHint() const override { return {80, 24}; }

Q_SIGNALS:
    void rangeChanged(int low, int high);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void move(int to);

    Theme m_theme;
    int m_low = 5, m_high = 10;
    bool m_upper = false; ///< the knob that keys and drags move
};

} // namespace stridescope
