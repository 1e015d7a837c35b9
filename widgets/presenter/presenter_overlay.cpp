#include "widgets/presenter/presenter_overlay.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>

namespace stridescope {

namespace {

/// In pixels of the scene.
constexpr qreal kHalo = 15, kHaloWidth = 2, kCasing = 1.5, kBeam = 90;
/// What is left of things that are not lit.
constexpr qreal kDimmed = 0.78;

} // namespace

PresenterOverlay::PresenterOverlay(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("presenterOverlay"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    parent->installEventFilter(this);
    resize(parent->size());
}

void PresenterOverlay::setLook(const Theme& theme, qreal scale) {
    m_theme = theme;
    m_scale = scale;
    update();
}

qreal PresenterOverlay::haloRadius() const {
    return (kHalo + kHaloWidth / 2 + kCasing) * m_scale;
}

QRect PresenterOverlay::haloRect(QPointF at) const {
    const qreal r = (followsPointer() ? kBeam * m_scale : haloRadius()) + 2;
    return QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r).toAlignedRect();
}

void PresenterOverlay::setPointer(std::optional<QPointF> pointer) {
    if (pointer == m_pointer) return;
    if (m_pointer) update(haloRect(*m_pointer));
    m_pointer = pointer;
    if (m_pointer) update(haloRect(*m_pointer));
}

void PresenterOverlay::setSpotlight(bool on) {
    if (on == m_spotlight) return;
    m_spotlight = on;
    update();
}

void PresenterOverlay::setLit(std::function<QPainterPath()> lit) {
    m_litNow = std::move(lit);
    if (m_spotlight) update();
}

void PresenterOverlay::setBlank(bool on) {
    if (on == m_blank) return;
    m_blank = on;
    update();
}

void PresenterOverlay::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    if (m_blank) {
        painter.fillRect(event->rect(), Qt::black);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_spotlight) {
        // What is lit moves with the picture, which is laid out later than it is changed: asked at every painting, the
        // answer cannot be one from before.
        QPainterPath now = m_litNow ? m_litNow() : QPainterPath();
        if (now != m_lit) {
            m_lit = std::move(now);
            if (event->rect() != rect()) update();
        }
        QPainterPath dark;
        dark.addRect(QRectF(rect()));
        QPainterPath lit = m_lit;
        if (lit.isEmpty() && m_pointer) lit.addEllipse(*m_pointer, kBeam * m_scale, kBeam * m_scale);
        QColor ground = m_theme.color(Tone::Stage);
        ground.setAlphaF(static_cast<float>(kDimmed));
        if (!lit.isEmpty()) painter.fillPath(dark.subtracted(lit), ground);
    }
    if (!m_pointer) return;
    // Ink between two lines of the stage's colour: seen on every fill.
    const auto ring = [&](qreal width, const QColor& colour) {
        painter.setPen(QPen(colour, width * m_scale));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(*m_pointer, kHalo * m_scale, kHalo * m_scale);
    };
    ring(kHaloWidth + 2 * kCasing, m_theme.color(Tone::Stage));
    ring(kHaloWidth, m_theme.color(Tone::Ink));
}

bool PresenterOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) resize(parentWidget()->size());
    return QWidget::eventFilter(watched, event);
}

} // namespace stridescope
