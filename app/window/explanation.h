#pragma once
// Why a line was refused, as a picture with ways out; takes the place of the stage until it is closed.

#include "widgets/figures/figure.h"
#include "widgets/theme/theme.h"

#include <QScrollArea>

#include <functional>

namespace stridescope {

/// Draws a figure and tells which of its buttons is pressed. Tab and Enter do the same as the mouse.
class FigureView : public QWidget {
    Q_OBJECT

public:
    explicit FigureView(QWidget* parent = nullptr);
    /// `scale`: pixels of the widget for one of the figure.
    void setFigure(Figure figure, qreal scale = 1);
    /// Another picture of the same size with the same buttons.
    void setScene(Scene scene);
    void setTheme(const Theme& theme);
    const Figure& figure() const { return m_figure; }

Q_SIGNALS:
    void codeHovered(const QString& code); ///< empty when the pointer left
    void codePressed(const QString& code);
    void closeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    int buttonAt(QPointF p, bool* closes) const;
    void setHovered(int button);
    QRectF buttonRect(int button) const;

    Figure m_figure;
    Theme m_theme;
    qreal m_scale = 1;
    int m_hovered = -1;
    int m_focused = -1;
};

class Explanation : public QScrollArea {
    Q_OBJECT

public:
    explicit Explanation(QWidget* parent = nullptr);
    /// `make` draws the figure for a room in logical pixels, with the line of the button under the pointer or with the
    /// focus; called again when one of them changes.
    void explain(std::function<Figure(QSizeF room, const QString& hovered)> make);
    void setTheme(const Theme& theme);
    FigureView* view() const { return m_view; }

Q_SIGNALS:
    void codeHovered(const QString& code);
    void codePressed(const QString& code);
    void closed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw();
    void drawHovered(const QString& code);

    FigureView* m_view;
    std::function<Figure(QSizeF room, const QString& hovered)> m_make;
    QSize m_drawnFor;
    QSizeF m_room; ///< what `make` was given last
};

} // namespace stridescope
