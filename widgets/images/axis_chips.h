#pragma once
// AxisChips: the dims of images as chips. One dragged onto another asks for their transposition; so does Ctrl with an
// arrow key on the chosen chip.

#include "core/view/view.h"
#include "widgets/theme/theme.h"

#include <QWidget>

namespace stridescope {

class AxisChips : public QWidget {
    Q_OBJECT

public:
    explicit AxisChips(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `letters`: one for each dim, "NCHW" in the order they are in now; shorter: dims without letters.
    void setView(const View& view, const QString& letters);
    QSize sizeHint() const override { return {4 * 118, 46}; }
    QSize minimumSizeHint() const override { return {4 * 84, 46}; }
    QRectF chipRect(std::size_t dim) const;

Q_SIGNALS:
    void transposeRequested(int a, int b);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int chipAt(QPointF at) const;

    Theme m_theme;
    View m_view;
    QString m_letters;
    int m_chosen = 0, m_dragged = -1;
    QPointF m_pointer;
};

} // namespace stridescope
