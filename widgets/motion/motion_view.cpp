#include "widgets/motion/motion_view.h"

#include "widgets/motion/motion_told.h"
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
    installMotionAccessibility(); // before anything names the widget: Qt keeps the first interface that it makes
    setObjectName(QStringLiteral("motionView"));
    setAccessibleName(tr("Picture of the operation"));
    setMouseTracking(true);
    setMinimumSize(640, 360);
    setProperty("ownFocusRing", true);
}

void MotionView::invalidate() {
    m_scene.reset();
    ++m_revision;
    update();
    tellCaption();
    Q_EMIT changed();
}

void MotionView::tellCaption() {
    if (!m_plan) {
        setAccessibleDescription(m_words);
        m_said = m_words;
        return;
    }
    const QString caption = m_plan->title() + QStringLiteral(". ") + motionCaption(*m_plan, m_t);
    if (caption == m_said) return;
    m_said = caption;
    setAccessibleDescription(caption);
}

void MotionView::setPlan(std::shared_ptr<const MotionPlan> plan) {
    m_plan = std::move(plan);
    m_layout.reset();
    m_askedFor.reset();
    m_roomy.reset();
    m_camera.follow();
    invalidate();
}

void MotionView::setWords(const QString& title, const QString& sentence) {
    if (title == m_wordsTitle && sentence == m_words) return;
    m_wordsTitle = title;
    m_words = sentence;
    invalidate();
}

void MotionView::setTime(qreal t) {
    if (t == m_t) return;
    m_t = t;
    m_camera.follow();
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

bool MotionView::follows() const {
    if (m_presented || !m_plan) return m_presented;
    if (m_askedFor != size()) m_cramped = motionIsCramped(*m_plan, QSizeF(size()));
    m_askedFor = size();
    return m_cramped;
}

QSizeF MotionView::room() const {
    const QSizeF all = QSizeF(size()) / m_scale;
    return follows() ? QSizeF(all.width(), std::max(1.0, all.height() - kSaid)) : all;
}

QSizeF MotionView::sceneSize() const {
    if (!follows() || !m_plan) return room();
    if (!m_roomy) m_roomy = motionRoomySize(*m_plan);
    return room().expandedTo(*m_roomy);
}

QPointF MotionView::camera() const {
    if (!follows() || !m_plan || !m_layout) return {};
    const QRectF all(0, MotionLayout::kBand - 8, m_layout->size.width(),
                     m_layout->size.height() - MotionLayout::kBand + 8);
    return m_camera.at(followed(), room(), all);
}

QPointF MotionView::followed() const {
    const QSizeF all = m_layout->size, seen = room();
    const qreal top = MotionLayout::kBand - 8, bottom = std::max(top, all.height() - seen.height());
    const qreal left = 0, right = std::max(0.0, all.width() - seen.width());
    // Where each stage happens: in the strips, or on the cards. The camera goes there in the first third of the stage.
    const auto placeOf = [&](const MotionStage& stage, qreal share) {
        const bool strips =
            stage.what == MotionWhat::Window || stage.what == MotionWhat::Walk || stage.what == MotionWhat::Storage;
        const bool result = stage.what == MotionWhat::Cells || stage.what == MotionWhat::Ghosts;
        qreal x = left;
        std::optional<QRectF> made;
        for (std::size_t b = 0; result && b < m_plan->boards.size() && !made; ++b)
            if (m_plan->boards[b].output >= 0) made = m_layout->boardRect(static_cast<int>(b));
        if (made) x = made->right() + 16 - seen.width();
        // Of a result that is larger than the window the part that is made now, in reading order.
        const QSizeF more = made ? made->size() - seen : QSizeF();
        constexpr qreal kLine = 60;
        const bool line = made && made->height() < kLine;
        if (made && more.width() > 0) x = made->left() - 40 + (line ? share * (more.width() + 56) : 0);
        // Cards show their cells; of their heads as much as there is room for.
        qreal y = bottom;
        if (!strips) {
            qreal low = 0;
            for (std::size_t b = 0; b < m_plan->boards.size(); ++b)
                if (m_plan->boards[b].kind == MotionBoard::Kind::Card)
                    low = std::max(low, m_layout->boardRect(static_cast<int>(b)).bottom());
            y = stage.what == MotionWhat::Numbers ? top : low + 12 - seen.height();
            if (made && more.height() > 0) y -= (1 - share) * (more.height() + 60);
        }
        return QPointF(std::clamp(x, left, right), std::clamp(y, top, bottom));
    };
    const std::size_t at = m_plan->times.stageAt(m_t);
    const MotionStage& stage = m_plan->stages[at];
    const qreal share = std::clamp((m_t - stage.begin) / (stage.end - stage.begin), 0.0, 1.0);
    const QPointF to = placeOf(stage, share), from = at > 0 ? placeOf(m_plan->stages[at - 1], 1) : to;
    const qreal u = std::min(share * 3, 1.0);
    return from + (to - from) * easedInOut(u);
}

QPointF MotionView::inScene(QPointF p) const {
    const QPointF at = p / m_scale;
    return follows() ? at - QPointF(0, kSaid) + camera() : at;
}

QRectF MotionView::onWidget(const QRectF& r) const {
    const QPointF shift = follows() ? QPointF(0, kSaid) - camera() : QPointF();
    return {(r.topLeft() + shift) * m_scale, r.size() * m_scale};
}

const MotionLayout& MotionView::places() const {
    if (!m_layout || m_layout->size != sceneSize()) {
        m_layout = motionLayout(*m_plan, sceneSize());
        if (follows()) m_layout->captionWidth = room().width() - 2 * MotionLayout::kMargin;
        m_scene.reset();
    }
    return *m_layout;
}

const Scene& MotionView::scene() const {
    if (!m_plan) {
        m_scene = Scene{};
        return *m_scene;
    }
    const MotionLayout& laidOut = places();
    if (!m_scene) m_scene = motionScene(*m_plan, laidOut, m_t);
    return *m_scene;
}

void MotionView::drawWords(QPainter& painter) const {
    const QSizeF all = QSizeF(size()) / m_scale;
    const qreal width = std::min(all.width() - 2 * MotionLayout::kMargin, 640.0);
    QRectF room((all.width() - width) / 2, all.height() / 4, width, all.height() * 3 / 4);
    const auto line = [&](FontRole role, Tone tone, const QString& text) {
        painter.setFont(m_theme.font(role));
        painter.setPen(m_theme.color(tone));
        QRectF taken;
        painter.drawText(room, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text, &taken);
        room.setTop(taken.bottom() + 12);
    };
    line(FontRole::Heading, Tone::Ink, m_wordsTitle);
    line(FontRole::Label, Tone::Ink2, m_words);
}

void MotionView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), m_theme.color(Tone::Stage));
    painter.scale(m_scale, m_scale);
    if (!m_plan) {
        drawWords(painter);
        return;
    }
    const Scene& picture = scene();
    PaintOptions options;
    options.exposed = QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale);
    if (!follows()) {
        paintScene(painter, picture, m_theme, options);
        return;
    }
    // The line and the stages stand in the bars round the view: here is what is said of them, and the picture below it.
    const QSizeF seen = room();
    paintScenePart(painter, {0, kSaid}, QRectF(camera(), seen), picture, m_theme);
    paintScenePart(painter, {0, 0}, QRectF(0, kSaidFrom, seen.width(), kSaid), picture, m_theme);
}

void MotionView::resizeEvent(QResizeEvent*) {
    m_layout.reset();
    invalidate();
}

void MotionView::wheelEvent(QWheelEvent* event) {
    if (!m_plan || !follows()) {
        QWidget::wheelEvent(event);
        return;
    }
    m_camera.wheel(*event, camera());
    update();
}

void MotionView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton && m_plan && follows())
        m_camera.press(event->position(), camera());
    else
        QWidget::mousePressEvent(event);
}

void MotionView::mouseReleaseEvent(QMouseEvent*) {
    m_camera.release();
}

void MotionView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_plan) return;
    if (m_camera.isDragged()) {
        m_camera.drag(event->position(), m_scale);
        update();
        return;
    }
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
