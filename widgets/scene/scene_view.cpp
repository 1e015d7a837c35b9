#include "widgets/scene/scene_view.h"

#include "widgets/scene/scene_painter.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stridescope {

SceneView::SceneView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
}

void SceneView::setScene(Scene scene) {
    m_scene = std::move(scene);
    setFixedHeight(std::max(0, static_cast<int>(std::ceil(m_scene.size.height()))));
    setAccessibleDescription(m_scene.title);
    update();
}

void SceneView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void SceneView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    PaintOptions options;
    options.exposed = QRectF(event->rect());
    options.ground = false; // the panel's own ground shows through
    paintScene(painter, m_scene, m_theme, options);
}

void SceneView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) Q_EMIT clicked(hitTest(m_scene, event->position()));
}

void SceneView::mouseMoveEvent(QMouseEvent* event) {
    Q_EMIT hovered(hitTest(m_scene, event->position()));
}

void SceneView::leaveEvent(QEvent*) {
    Q_EMIT hovered(Hit{});
}

} // namespace stridescope
