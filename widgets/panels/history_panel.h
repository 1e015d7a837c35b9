#pragma once
// HistoryPanel: the steps so far as nodes on a line. Filled = done, ring = now, hollow and dashed = undone.

#include "widgets/theme/theme.h"

#include <QStringList>
#include <QWidget>

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
    QSize minimumSizeHint() const override { return {120, 60}; }

Q_SIGNALS:
    /// Make `count` steps be in force.
    void jumpRequested(int count);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    qreal nodeX(int step) const;
    int stepAt(QPointF p) const;
    void scrollToNow();

    Theme m_theme;
    QStringList m_steps;
    int m_now = 0;
    qreal m_scroll = 0;
};

class HistoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit HistoryPanel(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSteps(const QStringList& steps, int now);

Q_SIGNALS:
    void jumpRequested(int count);

private:
    QLabel* m_caption;
    QToolButton* m_first;
    QToolButton* m_back;
    QToolButton* m_forward;
    QToolButton* m_last;
    HistoryLine* m_line;
    int m_count = 0, m_now = 0;
};

} // namespace stridescope
