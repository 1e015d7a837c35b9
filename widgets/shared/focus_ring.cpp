#include "widgets/shared/focus_ring.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QPainter>

namespace stridescope {

FocusRing::FocusRing(QWidget* window) : QWidget(window) {
    setObjectName(QStringLiteral("focusRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void FocusRing::setColour(const QColor& colour) {
    m_colour = colour;
    update();
}

void FocusRing::follow(QWidget* widget) {
    for (const QPointer<QWidget>& watched : m_watched) {
        if (watched) watched->removeEventFilter(this);
    }
    m_watched.clear();
    // The field inside a spin box is no thing of its own.
    if (widget) {
        QWidget* parent = widget->parentWidget();
        if (qobject_cast<QAbstractSpinBox*>(parent) || qobject_cast<QComboBox*>(parent)) widget = parent;
    }
    m_widget = widget;
    // Lists, texts and pictures go up to the edge of their panel: their ring is drawn inside.
    m_inside = qobject_cast<QAbstractScrollArea*>(widget) != nullptr;
    for (QWidget* at = widget; at && at != parentWidget(); at = at->parentWidget()) {
        at->installEventFilter(this);
        m_watched << at;
    }
    place();
}

QRect FocusRing::ringRect() const {
    if (!m_widget || !m_widget->isVisible()) return {};
    QWidget* window = parentWidget();
    QRect rect(m_widget->mapTo(window, QPoint()), m_widget->size());
    constexpr int kOutside = kGap + kWidth;
    if (m_inside)
        rect.adjust(kGap, kGap, -kGap, -kGap);
    else
        rect.adjust(-kOutside, -kOutside, kOutside, kOutside);
    // What is scrolled away takes its part of the ring along.
    for (QWidget* at = m_widget->parentWidget(); at && at != window; at = at->parentWidget()) {
        const QRect seen = QRect(at->mapTo(window, QPoint()), at->size());
        if (!seen.intersects(rect)) return {};
        // A ring may stand over its neighbours, but not over another panel.
        if (qobject_cast<QAbstractScrollArea*>(at)) rect &= seen;
    }
    return rect & window->rect();
}

void FocusRing::place() {
    const QRect rect = ringRect();
    if (rect.isEmpty()) {
        hide();
        return;
    }
    setGeometry(rect);
    setMask(QRegion(0, 0, rect.width(), rect.height()) -
            QRegion(kWidth + 2, kWidth + 2, rect.width() - 2 * (kWidth + 2), rect.height() - 2 * (kWidth + 2)));
    raise();
    show();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
        place();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_colour, kWidth));
    painter.setBrush(Qt::NoBrush);
    constexpr qreal kHalf = kWidth / 2.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(kHalf, kHalf, -kHalf, -kHalf), 4, 4);
}

FocusRings::FocusRings(QObject* parent) : QObject(parent) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { focusMoved(now); });
}

void FocusRings::setColour(const QColor& colour) {
    m_colour = colour;
    for (const QPointer<FocusRing>& ring : m_rings) {
        if (ring) ring->setColour(colour);
    }
}

FocusRing* FocusRings::shown() const {
    for (const QPointer<FocusRing>& ring : m_rings) {
        if (ring && ring->isVisible()) return ring;
    }
    return nullptr;
}

void FocusRings::focusMoved(QWidget* now) {
    m_rings.removeIf([](const QPointer<FocusRing>& ring) { return ring.isNull(); });
    QWidget* window = now ? now->window() : nullptr;
    const bool own = now && now->property("ownFocusRing").toBool();
    FocusRing* wanted = nullptr;
    for (const QPointer<FocusRing>& ring : m_rings) {
        if (ring->parentWidget() == window && !own)
            wanted = ring;
        else
            ring->follow(nullptr);
    }
    // Menus and other pop-ups show by themselves which item is current.
    if (!now || own || window->windowType() == Qt::Popup) return;
    if (!wanted) {
        wanted = new FocusRing(window);
        wanted->setColour(m_colour);
        m_rings << wanted;
    }
    wanted->follow(now);
}

} // namespace stridescope
