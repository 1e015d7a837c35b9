#include "widgets/scene/scene_view.h"

#include "widgets/scene/scene_painter.h"

#include <QAccessibleWidget>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// A figure whose words are its description: a screen reader reads the bytes and the jumps that others see.
class SceneViewAccessible : public QAccessibleWidget {
public:
    explicit SceneViewAccessible(SceneView* view) : QAccessibleWidget(view, QAccessible::Graphic) {}

    QString text(QAccessible::Text kind) const override {
        const auto* view = static_cast<const SceneView*>(widget());
        if (kind == QAccessible::Name) {
            const QString name = QAccessibleWidget::text(kind);
            return name.isEmpty() ? view->scene().title : name;
        }
        if (kind != QAccessible::Description) return QAccessibleWidget::text(kind);
        QStringList words;
        for (const SceneNode& node : view->scene().nodes) {
            if (const auto* item = std::get_if<TextItem>(&node.item)) words << item->text;
        }
        return words.join(QLatin1Char(' '));
    }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* view = qobject_cast<SceneView*>(object)) return new SceneViewAccessible(view);
    return nullptr;
}

} // namespace

SceneView::SceneView(QWidget* parent) : QWidget(parent) {
    // Before anything names the widget: Qt keeps the first interface that it makes.
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
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
