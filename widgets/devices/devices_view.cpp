#include "widgets/devices/devices_view.h"

#include "widgets/devices/devices_accessible.h"
#include "widgets/scene/scene_painter.h"

#include <QFocusEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stridescope {

DevicesView::DevicesView(QWidget* parent) : QWidget(parent) {
    installDevicesAccessibility(); // before anything names the widget: Qt keeps the first interface that it makes
    setObjectName(QStringLiteral("devicesView"));
    setAccessibleName(tr("Devices"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setWhatsThis(tr(
        "Which tensors live on which device, what travels between them, and two lanes for each: when a call was made, "
        "and when the device did it. Up and Down go through the parts, Space plays, Left and Right step, Tab goes on "
        "to the lines that can be run, Enter runs one."));
    m_model = std::make_shared<const DevicesModel>();
    fit();
}

void DevicesView::invalidate() {
    m_picture.reset();
    ++m_revision;
    if (m_way >= ways()) m_way = -1;
    fit();
    update();
    Q_EMIT changed();
}

/// As high as its picture: it stands in an area that scrolls.
void DevicesView::fit() {
    if (m_only) return;
    setMinimumSize(static_cast<int>(kDevicesLeastWidth),
                   static_cast<int>(std::ceil(devicesHeight(*m_model, std::max<qreal>(width(), kDevicesLeastWidth)))));
}

int DevicesView::ways() const {
    return static_cast<int>(m_model->ways().size());
}

void DevicesView::setModel(std::shared_ptr<const DevicesModel> model) {
    if (model == m_model) return;
    m_model = std::move(model);
    m_spot = -1;
    invalidate();
}

void DevicesView::setTime(qreal t) {
    if (t == m_t) return;
    m_t = t;
    m_spot = -1;
    invalidate();
    const QString caption = devicesCaption(*m_model, t);
    if (caption != accessibleDescription()) setAccessibleDescription(caption);
}

void DevicesView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void DevicesView::setPresented(DevicesSection section, int device, qreal scale) {
    m_only = section;
    m_device = device;
    m_scale = scale;
    setMinimumSize(1, 1);
    invalidate();
}

void DevicesView::setWay(int way) {
    if (way == m_way) return;
    m_way = way;
    m_picture.reset();
    ++m_revision;
    update();
}

const DevicesPicture& DevicesView::picture() const {
    if (!m_picture) {
        DevicesLook look;
        look.size = QSizeF(size()) / m_scale;
        look.t = m_t;
        look.way = m_way;
        look.only = m_only;
        look.device = m_device;
        m_picture = devicesPicture(*m_model, look);
    }
    return *m_picture;
}

void DevicesView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.scale(m_scale, m_scale);
    PaintOptions options;
    options.exposed = QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale);
    painter.fillRect(options.exposed, m_theme.color(Tone::Stage));
    paintScene(painter, scene(), m_theme, options);
    const auto& spots = picture().spots;
    if (!hasFocus() || m_spot < 0 || m_spot >= static_cast<int>(spots.size())) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.drawRoundedRect(spots[static_cast<std::size_t>(m_spot)].rect.adjusted(-3, -3, 3, 3), 4, 4);
}

void DevicesView::resizeEvent(QResizeEvent*) {
    m_picture.reset();
    ++m_revision;
    fit();
    update();
}

void DevicesView::seek(QPointF at) {
    const QRectF line = picture().timeline;
    Q_EMIT seekRequested(std::clamp((at.x() - line.left()) / std::max(line.width(), 1.0), 0.0, 1.0));
}

void DevicesView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position() / m_scale;
    if (m_dragging && (event->buttons() & Qt::LeftButton)) return seek(at);
    m_dragging = false;
    const DevicesSpot* spot = picture().at(at);
    const bool button = spot && spot->kind == DevicesSpotKind::Way;
    const QString words = spot ? spot->told : QString();
    const int way = button ? spot->index : -1;
    setCursor(button ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!hasFocus() || button) setWay(way);
    Q_EMIT told(words);
}

void DevicesView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const QPointF at = event->position() / m_scale;
    const DevicesSpot* spot = picture().at(at);
    if (spot && spot->kind == DevicesSpotKind::Way) return press(spot->index);
    if (!m_model->run.isEmpty() && picture().timeline.contains(at)) {
        m_dragging = true;
        seek(at);
    }
}

void DevicesView::leaveEvent(QEvent*) {
    if (!hasFocus()) setWay(-1);
    Q_EMIT told(QString());
}

void DevicesView::press(int way) {
    const auto all = m_model->ways();
    if (way >= 0 && way < static_cast<int>(all.size())) Q_EMIT lineWanted(all[static_cast<std::size_t>(way)].line);
}

const DevicesSpot* DevicesView::spotOfWay(int way) const {
    for (const DevicesSpot& spot : picture().spots)
        if (spot.kind == DevicesSpotKind::Way && spot.index == way) return &spot;
    return nullptr;
}

void DevicesView::moveSpot(int by) {
    const auto& spots = picture().spots;
    if (spots.empty()) return;
    const int last = static_cast<int>(spots.size()) - 1;
    m_spot = m_spot < 0 ? (by > 0 ? 0 : last) : std::clamp(m_spot + by, 0, last);
    const DevicesSpot& spot = spots[static_cast<std::size_t>(m_spot)];
    update();
    Q_EMIT told(spot.told);
    Q_EMIT revealRequested(onWidget(spot.rect));
}

void DevicesView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        return moveSpot(-1);
    case Qt::Key_Down:
        return moveSpot(1);
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        if (m_way >= 0) return press(m_way);
        const auto& spots = picture().spots;
        if (m_spot >= 0 && m_spot < static_cast<int>(spots.size())) {
            const DevicesSpot& spot = spots[static_cast<std::size_t>(m_spot)];
            if (spot.kind == DevicesSpotKind::Way) return press(spot.index);
        }
        break;
    }
    case Qt::Key_Escape:
        if (m_way >= 0 || m_spot >= 0) {
            m_spot = -1;
            setWay(-1);
            update();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

bool DevicesView::focusNextPrevChild(bool next) {
    const int to = m_way + (next ? 1 : -1);
    if (m_only || to < -1 || to >= ways()) return QWidget::focusNextPrevChild(next);
    m_spot = -1;
    setWay(to);
    if (const DevicesSpot* spot = spotOfWay(m_way)) {
        const QRectF rect = spot->rect;
        Q_EMIT told(spot->told);
        Q_EMIT revealRequested(onWidget(rect));
    }
    return true;
}

void DevicesView::focusInEvent(QFocusEvent* event) {
    if (!m_only && event->reason() == Qt::BacktabFocusReason && ways() > 0) setWay(ways() - 1);
    update();
    QWidget::focusInEvent(event);
}

void DevicesView::focusOutEvent(QFocusEvent* event) {
    if (!m_only) setWay(-1);
    update();
    QWidget::focusOutEvent(event);
}

} // namespace stridescope
