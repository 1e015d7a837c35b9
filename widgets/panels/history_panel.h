#pragma once
// HistoryPanel: the steps so far as nodes on a line. Filled = done, ring = now, hollow and dashed = undone.

#include "widgets/theme/theme.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QToolButton;
class QLabel;

namespace stridescope {

/// The line of nodes; scrolls so that "now" stays in sight.
class HistoryLine : public QWidget {
    Q_OBJECT

public:
    explicit HistoryLine(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `steps[i]` is the code of step i + 1; `now` steps of them are in force.
    void setSteps(const QStringList& steps, int now);
    QSize sizeHint() const override { return {400, 60}; }
    QSize minimumSizeHint() const override { return {120, 28}; }

    /// What stands under the nodes now, or on a low line beside the present one: only labels that are whole, in pixels
    /// of this widget.
    struct Label {
        int step = 0;
        QString text;
        QRectF rect;
    };
    std::vector<Label> labels() const;
    int now() const { return m_now; }
    int count() const { return static_cast<int>(m_steps.size()); }

Q_SIGNALS:
    /// Make `count` steps be in force.
    void jumpRequested(int count);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void measure();
    /// A step's code; its middle left out where it is wider than the whole line.
    QString labelOf(int step) const;
    bool isLabelled(int step) const { return hasLabels() || step == m_now; }
    qreal nodeX(int step) const;
    /// Too low for labels under the nodes, one stands beside the node of now.
    bool hasLabels() const { return height() >= 44; }
    qreal nodeY() const { return height() >= 56 ? 20 : hasLabels() ? 11 : height() / 2.0; }
    int stepAt(QPointF p) const;
    void scrollToNow();

    Theme m_theme;
    QStringList m_steps;
    int m_now = 0;
    std::vector<qreal> m_left; ///< where each step's place begins, and where the last one ends
    qreal m_scroll = 0;
};

class HistoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit HistoryPanel(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSteps(const QStringList& steps, int now);
    /// On the lowest screens the buttons and the nodes stay.
    QSize minimumSizeHint() const override { return {320, 34}; }

Q_SIGNALS:
    void jumpRequested(int count);
    void playRequested(); ///< the step that was done last

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* m_caption;
    QToolButton* m_first;
    QToolButton* m_back;
    QToolButton* m_forward;
    QToolButton* m_last;
    QToolButton* m_play;
    HistoryLine* m_line;
    int m_count = 0, m_now = 0;
};

} // namespace stridescope
