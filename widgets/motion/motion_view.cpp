#include "widgets/motion/motion_view.h"

#include "widgets/scene/cell_values.h"
#include "widgets/scene/hit_test.h"
#include "widgets/scene/scene_painter.h"

#include <QMouseEvent>
#include <QPainter>

namespace stridescope {

MotionView::MotionView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("motionView"));
    setAccessibleName(tr("Picture of the operation"));
    setMouseTracking(true);
    setMinimumSize(640, 360);
    setProperty("ownFocusRing", true);
}

void MotionView::invalidate() {
    m_scene.reset();
    update();
    tellCaption();
    Q_EMIT changed();
}

void MotionView::tellCaption() {
    if (!m_plan) return;
    const QString caption = m_plan->title() + QStringLiteral(". ") + m_plan->caption(m_t);
    if (caption == m_said) return;
    m_said = caption;
    setAccessibleDescription(caption);
}

void MotionView::setPlan(std::shared_ptr<const MotionPlan> plan) {
    m_plan = std::move(plan);
    m_layout.reset();
    invalidate();
}

void MotionView::setTime(qreal t) {
    if (t == m_t) return;
    m_t = t;
    invalidate();
}

void MotionView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void MotionView::setScale(qreal scale) {
    m_scale = scale;
    setMinimumSize(1, 1);
    m_layout.reset();
    invalidate();
}

const Scene& MotionView::scene() const {
    if (!m_plan) {
        m_scene = Scene{};
        return *m_scene;
    }
    if (!m_layout || m_layout->size != sceneSize()) {
        m_layout = motionLayout(*m_plan, sceneSize());
        m_scene.reset();
    }
    if (!m_scene) m_scene = motionScene(*m_plan, *m_layout, m_t);
    return *m_scene;
}

void MotionView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.scale(m_scale, m_scale);
    PaintOptions options;
    options.exposed = QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale);
    painter.fillRect(options.exposed, m_theme.color(Tone::Stage));
    if (m_plan) paintScene(painter, scene(), m_theme, options);
}

void MotionView::resizeEvent(QResizeEvent*) {
    m_layout.reset();
    invalidate();
}

void MotionView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_plan) return;
    const Hit hit = hitTest(scene(), event->position() / m_scale);
    QString words;
    if (hit.slot && (hit.part.kind == PartKind::CardCells || hit.part.kind == PartKind::StripCells)) {
        const MotionBoard& board = m_plan->boards[static_cast<std::size_t>(hit.part.index)];
        if (board.storage >= 0) {
            const MotionStorage& storage = m_plan->input.storages[static_cast<std::size_t>(board.storage)];
            const bool after = m_plan->isAfter(board.storage, *hit.slot, m_t);
            words = tr("slot %1 of %2 · value %3")
                        .arg(*hit.slot)
                        .arg(storage.number > 0 ? tr("storage #%1").arg(storage.number) : tr("its storage"),
                             valueText(after ? storage.after : storage.before, *hit.slot));
        }
    }
    Q_EMIT hovered(words);
}

void MotionView::leaveEvent(QEvent*) {
    Q_EMIT hovered({});
}

} // namespace stridescope
