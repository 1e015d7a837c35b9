#include "widgets/timing/size_range.h"

#include "widgets/shared/accessible_role.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kKnob = 7.5;

} // namespace

SizeRange::SizeRange(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(this, QAccessible::Slider);
    setAccessibleName(tr("First and last size"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("Drag a knob, or Left and Right; Up and Down change the knob. Sizes can also be typed below."));
    setRange(m_low, m_high);
}

void SizeRange::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void SizeRange::setRange(int low, int high) {
    m_low = std::clamp(std::min(low, high), kLeast, kMost);
    m_high = std::clamp(std::max(low, high), kLeast, kMost);
    setAccessibleDescription(tr("from %1 to %2").arg(Index{1} << m_low).arg(Index{1} << m_high));
    update();
}

qreal SizeRange::xOf(int exponent) const {
    return kKnob + 2 + (width() - 2 * kKnob - 4) * (exponent - kLeast) / static_cast<qreal>(kMost - kLeast);
}

int SizeRange::exponentAt(qreal x) const {
    const qreal step = (xOf(kMost) - xOf(kLeast)) / (kMost - kLeast);
    return std::clamp(kLeast + static_cast<int>(std::lround((x - xOf(kLeast)) / std::max<qreal>(step, 0.01))), kLeast,
                      kMost);
}

void SizeRange::move(int to) {
    const int low = m_low, high = m_high;
    if (m_upper)
        setRange(m_low, std::max(to, m_low));
    else
        setRange(std::min(to, m_high), m_high);
    if (low != m_low || high != m_high) Q_EMIT rangeChanged(m_low, m_high);
}

void SizeRange::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal y = height() / 2.0;
    painter.setPen(QPen(m_theme.color(Tone::Control), 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(xOf(kLeast), y), QPointF(xOf(kMost), y));
    painter.setPen(QPen(m_theme.color(Tone::Ink), 4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(xOf(m_low), y), QPointF(xOf(m_high), y));
    for (const bool upper : {false, true}) {
        const bool active = hasFocus() && upper == m_upper;
        painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
        painter.setBrush(m_theme.color(active ? Tone::Selected : Tone::Stage));
        painter.drawEllipse(QPointF(xOf(upper ? m_high : m_low), y), kKnob, kKnob);
    }
}

void SizeRange::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const qreal x = event->position().x();
    // With both in one place the side tells which is meant.
    m_upper = m_low == m_high ? x >= xOf(m_low) : std::abs(x - xOf(m_high)) < std::abs(x - xOf(m_low));
    move(exponentAt(x));
    update();
}

void SizeRange::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) move(exponentAt(event->position().x()));
}

void SizeRange::keyPressEvent(QKeyEvent* event) {
    const int now = m_upper ? m_high : m_low;
    switch (event->key()) {
    case Qt::Key_Left:
        return move(now - 1);
    case Qt::Key_Right:
        return move(now + 1);
    case Qt::Key_Home:
        return move(m_upper ? m_low : kLeast);
    case Qt::Key_End:
        return move(m_upper ? kMost : m_high);
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_upper = event->key() == Qt::Key_Up;
        return update();
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace stridescope
