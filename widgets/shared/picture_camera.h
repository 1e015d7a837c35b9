#pragma once
// PictureCamera: which part of a picture is seen in a widget that has no room for all of it. It follows what moves, and
// can be moved by hand until something moves again.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QWheelEvent>

#include <algorithm>
#include <optional>

namespace stridescope {

class PictureCamera {
public:
    /// The picture's point in the upper left corner of a room, which stays inside `all` as far as that is possible.
    QPointF at(QPointF followed, QSizeF room, const QRectF& all) const {
        const QPointF wanted = m_moved.value_or(followed);
        return {std::clamp(wanted.x(), all.left(), std::max(all.left(), all.right() - room.width())),
                std::clamp(wanted.y(), all.top(), std::max(all.top(), all.bottom() - room.height()))};
    }
    void follow() { m_moved.reset(); }
    /// `now`: where it is.
    void wheel(const QWheelEvent& event, QPointF now) {
        QPointF by = QPointF(event.angleDelta()) / 120 * 40;
        if (event.modifiers() & Qt::ShiftModifier) by = QPointF(by.y(), by.x());
        m_moved = now - by;
    }
    void press(QPointF p, QPointF now) {
        m_pressed = p;
        m_then = now;
    }
    bool isDragged() const { return m_pressed.has_value(); }
    void drag(QPointF p, qreal scale) { m_moved = m_then - (p - *m_pressed) / scale; }
    void release() { m_pressed.reset(); }

private:
    std::optional<QPointF> m_moved, m_pressed;
    QPointF m_then;
};

} // namespace stridescope
