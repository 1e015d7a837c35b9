#pragma once
// The focus ring: 2 px in ink, 2 px away from the widget that the keyboard acts on. One for every window.

#include <QColor>
#include <QObject>
#include <QPointer>
#include <QWidget>

namespace stridescope {

/// Drawn above a window's widgets; lets every click through and covers only the ring itself.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    static constexpr int kWidth = 2, kGap = 2;

    explicit FocusRing(QWidget* window);
    void setColour(const QColor& colour);
    /// Follows `widget`, a descendant of the window; null hides the ring.
    void follow(QWidget* widget);
    QWidget* followed() const { return m_widget; }
    /// The ring's outer edge in the window's coordinates; empty when nothing of the widget is in sight.
    QRect ringRect() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QPointer<QWidget> m_widget;
    QList<QPointer<QWidget>> m_watched;
    QColor m_colour;
    bool m_inside = false;
};

/// Gives the widget with the focus its ring, in whichever window it is. Widgets with the property "ownFocusRing" draw
/// theirs themselves. Lives as long as the application's windows.
class FocusRings : public QObject {
    Q_OBJECT

public:
    explicit FocusRings(QObject* parent = nullptr);
    void setColour(const QColor& colour);
    /// The ring that is shown now; null for none.
    FocusRing* shown() const;

private:
    void focusMoved(QWidget* now);

    QList<QPointer<FocusRing>> m_rings;
    QColor m_colour;
};

} // namespace stridescope
