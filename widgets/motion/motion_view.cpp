#include "widgets/motion/motion_view.h"

#include "widgets/scene/cell_values.h"
#include "widgets/scene/hit_test.h"
#include "widgets/scene/scene_painter.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace stridescope {

namespace {

/// Where a scene has what is said of a moment.
constexpr qreal kSaidFrom = 65, kSaid = 40;

} // namespace

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

void MotionView::setPresented(qreal scale) {
    m_presented = true;
    m_scale = scale;
    setMinimumSize(1, 1);
    m_layout.reset();
    invalidate();
}

QSizeF MotionView::room() const {
    const QSizeF all = QSizeF(size()) / m_scale;
    return m_presented ? QSizeF(all.width(), std::max(1.0, all.height() - kSaid)) : all;
}

QSizeF MotionView::sceneSize() const {
    return m_presented && m_plan ? room().expandedTo(motionNaturalSize(*m_plan)) : room();
}

QPointF MotionView::camera() const {
    if (!m_presented || !m_plan || !m_layout) return {};
    const QSizeF all = m_layout->size, seen = room();
    const qreal top = MotionLayout::kBand - 8, bottom = std::max(top, all.height() - seen.height());
    const qreal left = 0, right = std::max(0.0, all.width() - seen.width());
    // Where each stage happens: in the strips, or on the cards. The camera goes there in the first third of the stage.
    const auto placeOf = [&](const MotionStage& stage) {
        const bool strips =
            stage.what == MotionWhat::Window || stage.what == MotionWhat::Walk || stage.what == MotionWhat::Storage;
        const bool result = stage.what == MotionWhat::Cells || stage.what == MotionWhat::Ghosts;
        qreal x = left;
        for (std::size_t b = 0; result && b < m_plan->boards.size(); ++b) {
            if (m_plan->boards[b].output < 0) continue;
            x = m_layout->boardRect(static_cast<int>(b)).right() + 16 - seen.width();
            break;
        }
        // Cards show their cells; of their heads as much as there is room for.
        qreal y = bottom;
        if (!strips) {
            qreal low = 0;
            for (std::size_t b = 0; b < m_plan->boards.size(); ++b)
                if (m_plan->boards[b].kind == MotionBoard::Kind::Card)
                    low = std::max(low, m_layout->boardRect(static_cast<int>(b)).bottom());
            y = stage.what == MotionWhat::Numbers ? top : low + 12 - seen.height();
        }
        return QPointF(std::clamp(x, left, right), std::clamp(y, top, bottom));
    };
    const std::size_t at = m_plan->times.stageAt(m_t);
    const MotionStage& stage = m_plan->stages[at];
    const QPointF from = at > 0 ? placeOf(m_plan->stages[at - 1]) : placeOf(stage), to = placeOf(stage);
    const qreal u = std::clamp((m_t - stage.begin) / (stage.end - stage.begin) * 3, 0.0, 1.0);
    return from + (to - from) * easedInOut(u);
}

QPointF MotionView::inScene(QPointF p) const {
    const QPointF at = p / m_scale;
    return m_presented ? at - QPointF(0, kSaid) + camera() : at;
}

const Scene& MotionView::scene() const {
    if (!m_plan) {
        m_scene = Scene{};
        return *m_scene;
    }
    if (!m_layout || m_layout->size != sceneSize()) {
        m_layout = motionLayout(*m_plan, sceneSize());
        if (m_presented) m_layout->captionWidth = room().width() - 2 * MotionLayout::kMargin;
        m_scene.reset();
    }
    if (!m_scene) m_scene = motionScene(*m_plan, *m_layout, m_t);
    return *m_scene;
}

void MotionView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), m_theme.color(Tone::Stage));
    if (!m_plan) return;
    painter.scale(m_scale, m_scale);
    const Scene& picture = scene();
    PaintOptions options;
    options.exposed = QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale);
    if (!m_presented) {
        paintScene(painter, picture, m_theme, options);
        return;
    }
    // The line and the stages stand in the presenter's bar: here is what is said of them, and the picture below it.
    const QSizeF seen = room();
    const auto part = [&](QPointF at, const QRectF& of) {
        painter.save();
        painter.setClipRect(QRectF(at, of.size()));
        painter.translate(at - of.topLeft());
        options.exposed = of;
        paintScene(painter, picture, m_theme, options);
        painter.restore();
    };
    part({0, kSaid}, QRectF(camera(), seen));
    part({0, 0}, QRectF(0, kSaidFrom, seen.width(), kSaid));
}

void MotionView::resizeEvent(QResizeEvent*) {
    m_layout.reset();
    invalidate();
}

void MotionView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_plan) return;
    const Hit hit = hitTest(scene(), inScene(event->position()));
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
