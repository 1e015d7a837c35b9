#include "widgets/images/axis_chips.h"

#include "widgets/shared/accessible_role.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace stridescope {

AxisChips::AxisChips(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("axisChips"));
    setAccessibleRole(this, QAccessible::Grouping);
    setAccessibleName(tr("Dims"));
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Drag a dim onto another to transpose the two, or press Ctrl with an arrow."));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void AxisChips::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void AxisChips::setView(const View& view, const QString& letters) {
    m_view = view;
    m_letters = letters;
    m_chosen = std::clamp(m_chosen, 0, std::max(0, static_cast<int>(view.shape.size()) - 1));
    QStringList words;
    for (std::size_t d = 0; d < view.shape.size(); ++d)
        words << tr("dim %1: size %2, stride %3").arg(d).arg(view.shape[d]).arg(view.stride[d]);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

QRectF AxisChips::chipRect(std::size_t dim) const {
    const auto dims = static_cast<double>(std::max<std::size_t>(m_view.shape.size(), 4));
    const double step = std::min(140.0, width() / dims);
    return {static_cast<double>(dim) * step, 1, step - 8, height() - 2.0};
}

int AxisChips::chipAt(QPointF at) const {
    for (std::size_t d = 0; d < m_view.shape.size(); ++d)
        if (chipRect(d).contains(at)) return static_cast<int>(d);
    return -1;
}

void AxisChips::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int over = m_dragged >= 0 ? chipAt(m_pointer) : -1;
    for (std::size_t d = 0; d < m_view.shape.size(); ++d) {
        const QRectF rect = chipRect(d).adjusted(1, 1, -1, -1);
        const bool lit = static_cast<int>(d) == over || static_cast<int>(d) == m_dragged;
        painter.setBrush(m_theme.color(lit ? Tone::Selected : Tone::Stage));
        const bool focused = hasFocus() && static_cast<int>(d) == m_chosen;
        painter.setPen(QPen(m_theme.color(focused ? Tone::Ink : Tone::Control), focused ? 2 : 1));
        painter.drawRoundedRect(rect, 6, 6);
        double left = rect.left() + 10;
        painter.setPen(m_theme.color(Tone::Ink));
        if (static_cast<qsizetype>(d) < m_letters.size()) {
            painter.setFont(m_theme.font(FontRole::CellStrong));
            painter.drawText(QRectF(left, rect.top(), 16, rect.height()), Qt::AlignVCenter,
                             m_letters.mid(static_cast<qsizetype>(d), 1));
            left += 22;
        }
        painter.setFont(m_theme.font(FontRole::Index));
        const QRectF words(left, rect.top() + 4, rect.right() - left - 4, 16);
        painter.drawText(words, Qt::AlignVCenter, tr("dim %1 · %2").arg(d).arg(m_view.shape[d]));
        painter.drawText(words.translated(0, 16), Qt::AlignVCenter, tr("stride %1").arg(m_view.stride[d]));
        painter.setPen(QPen(m_theme.color(Theme::dimTone(static_cast<Index>(d))), 3));
        painter.drawLine(QPointF(rect.left() + 8, rect.bottom() - 2), QPointF(rect.right() - 8, rect.bottom() - 2));
    }
}

void AxisChips::mousePressEvent(QMouseEvent* event) {
    m_dragged = chipAt(event->position());
    m_pointer = event->position();
    if (m_dragged >= 0) m_chosen = m_dragged;
    update();
}

void AxisChips::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    update();
}

void AxisChips::mouseReleaseEvent(QMouseEvent* event) {
    const int from = m_dragged, to = chipAt(event->position());
    m_dragged = -1;
    update();
    if (from >= 0 && to >= 0 && from != to) Q_EMIT transposeRequested(std::min(from, to), std::max(from, to));
}

void AxisChips::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const int to = m_chosen + by;
    if (by == 0 || to < 0 || to >= static_cast<int>(m_view.shape.size())) return QWidget::keyPressEvent(event);
    const int from = m_chosen;
    m_chosen = to;
    update();
    if (event->modifiers() & Qt::ControlModifier) Q_EMIT transposeRequested(std::min(from, to), std::max(from, to));
}

} // namespace stridescope
