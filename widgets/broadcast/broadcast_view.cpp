#include "widgets/broadcast/broadcast_view.h"

#include "widgets/broadcast/broadcast_accessible.h"
#include "widgets/card/draw.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/scene_painter.h"

#include <QAccessible>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace stridescope {

namespace {

/// Where a picture has what is said of a moment: a class reads it above the part that it sees.
constexpr qreal kSaidFrom = 44, kSaid = 22;
constexpr QSize kLeastSize(720, 380);

} // namespace

BroadcastView::BroadcastView(QWidget* parent) : QWidget(parent) {
    installBroadcastAccessibility(); // before anything names the widget: Qt keeps the first interface that it makes
    setObjectName(QStringLiteral("broadcastView"));
    setMouseTracking(true);
    setMinimumSize(kLeastSize);
    setProperty("ownFocusRing", true);
}

void BroadcastView::invalidate() {
    m_scene.reset();
    ++m_revision;
    update();
    Q_EMIT changed();
}

void BroadcastView::setModel(std::shared_ptr<const BroadcastModel> model, const QString& why) {
    m_model = std::move(model);
    m_why = m_model ? QString() : why;
    // A smaller window scrolls: cards that are narrower than this have no room for their words.
    constexpr int kCard = 150, kBeside = 252, kBetween = 24, kFewCards = 3;
    const int cards = m_model ? static_cast<int>(m_model->operands.size()) + 1 : 0;
    setMinimumWidth(cards > kFewCards && !m_presented ? kBeside + cards * kCard + (cards - 1) * kBetween
                                                      : kLeastSize.width());
    m_preview.reset();
    m_picked.reset();
    m_hovered.reset();
    m_down = m_right = 0;
    m_button = m_focused = -1;
    invalidate();
    tellCaption();
}

void BroadcastView::setPreview(std::shared_ptr<const BroadcastModel> preview) {
    m_preview = std::move(preview);
    update();
}

void BroadcastView::setTime(qreal t) {
    if (t == m_t) return;
    m_t = t;
    m_camera.follow(); // what moves
    invalidate();
    tellCaption();
}

void BroadcastView::tellCaption() {
    if (!QAccessible::isActive()) return;
    const QString caption = m_model ? broadcastCaption(*m_model, look()) : m_why;
    if (caption == m_caption) return;
    m_caption = caption;
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void BroadcastView::setPresented(qreal scale) {
    m_presented = true;
    m_scale = scale;
    m_camera.follow();
    setMinimumSize(1, 1);
    invalidate();
}

QSizeF BroadcastView::room() const {
    const QSizeF all = QSizeF(size()) / m_scale;
    return m_presented ? QSizeF(all.width(), std::max(1.0, all.height() - kSaid)) : all;
}

QSizeF BroadcastView::sceneSize() const {
    return m_presented && m_model ? room().expandedTo(broadcastNeeds(*m_model)) : room();
}

QPointF BroadcastView::camera() const {
    if (!m_presented || !m_model) return {};
    const QSizeF all = sceneSize();
    constexpr qreal kTop = kSaidFrom + kSaid;
    return m_camera.at(broadcastCamera(*m_model, look(), room()), room(),
                       QRectF(0, kTop, all.width(), all.height() - kTop));
}

QPointF BroadcastView::shift() const {
    return m_presented && m_model ? camera() - QPointF(0, kSaid) : QPointF();
}

void BroadcastView::wheelEvent(QWheelEvent* event) {
    // Presented the wheel moves the page, unless it is over cells of which there are more.
    const bool overCells = !m_presented || (m_model && broadcastPlaceAt(*m_model, look(), inScene(event->position())));
    if (overCells && scrollCells(*event)) return;
    if (!m_presented) {
        QWidget::wheelEvent(event);
        return;
    }
    m_camera.wheel(*event, camera());
    update();
}

bool BroadcastView::scrollCells(const QWheelEvent& event) {
    constexpr int kNotch = 120, kCells = 3;
    QPoint turned = event.angleDelta();
    if (event.modifiers() & Qt::ShiftModifier && turned.x() == 0) turned = QPoint(turned.y(), 0);
    const auto cells = [](int delta) { return static_cast<Index>(-delta * kCells / kNotch); };
    const BroadcastLook before = look();
    const BroadcastLook moved =
        m_model ? broadcastScrolled(*m_model, before, cells(turned.y()), cells(turned.x())) : before;
    if (moved.down == before.down && moved.right == before.right) return false;
    m_down = moved.down;
    m_right = moved.right;
    m_hovered.reset();
    invalidate();
    return true;
}

void BroadcastView::mouseReleaseEvent(QMouseEvent*) {
    m_camera.release();
}

void BroadcastView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void BroadcastView::setPicked(std::optional<Index> element) {
    if (element == m_picked) return;
    m_picked = element;
    invalidate();
}

void BroadcastView::setFocusedButton(int button) {
    m_focused = button;
    update();
}

void BroadcastView::setVeiled(bool veiled) {
    if (veiled == m_veiled) return;
    m_veiled = veiled;
    invalidate();
}

void BroadcastView::setAsked(int operand) {
    m_asked = operand;
}

BroadcastLook BroadcastView::look() const {
    BroadcastLook look;
    look.size = sceneSize();
    look.t = m_t;
    look.picked = m_hovered ? m_hovered : m_picked;
    look.veiled = m_veiled;
    look.down = m_down;
    look.right = m_right;
    return look;
}

Scene BroadcastView::whyScene() const {
    constexpr qreal kWidest = 640, kBeside = 24, kTitle = 28, kLine = 18;
    constexpr int kMostLines = 6;
    constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;
    Scene scene;
    scene.size = sceneSize();
    scene.title = m_why;
    if (m_why.isEmpty()) return scene;
    SceneBuilder out(scene);
    QPointF at(scene.size.width() / 2, scene.size.height() / 3);
    out.text(at, tr("No picture of this line"), FontRole::Heading, Tone::Ink, kCentre);
    at.ry() += kTitle;
    const qreal width = std::min(kWidest, scene.size.width() - 2 * kBeside);
    for (const QString& line : wrapText(FontRole::Text, m_why, width, kMostLines)) {
        out.text(at, line, FontRole::Text, Tone::Ink2, kCentre);
        at.ry() += kLine;
    }
    return scene;
}

const Scene& BroadcastView::scene() const {
    if (!m_scene) m_scene = m_model ? broadcastScene(*m_model, look()) : whyScene();
    return *m_scene;
}

QRectF BroadcastView::buttonRect(int button) const {
    for (const SceneNode& node : scene().nodes) {
        const auto* box = std::get_if<BoxItem>(&node.item);
        if (box && node.part.kind == PartKind::Button && node.part.index == button) return box->rect;
    }
    return {};
}

void BroadcastView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.scale(m_scale, m_scale);
    const QPointF at = shift();
    painter.translate(-at);
    PaintOptions options;
    options.exposed =
        QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale).translated(at);
    // Where the picture is narrower than the room for it.
    painter.fillRect(options.exposed, m_theme.color(Tone::Stage));
    if (m_preview) {
        BroadcastLook look;
        look.size = sceneSize();
        look.preview = true;
        Scene preview = broadcastScene(*m_preview, look);
        // The button under the pointer stays where it is, on top of what it would give.
        paintScene(painter, preview, m_theme, options);
        const QRectF button = buttonRect(m_button);
        if (!button.isEmpty()) {
            painter.save();
            painter.setClipRect(button.adjusted(-3, -3, 3, 3));
            paintScene(painter, scene(), m_theme, options);
            painter.restore();
        }
    } else {
        paintScene(painter, scene(), m_theme, options);
    }
    for (const int button : {m_button, m_focused}) {
        const QRectF rect = buttonRect(button);
        if (button < 0 || rect.isEmpty()) continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
        painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), 8, 8);
    }
    if (!m_presented || !m_model) return;
    painter.translate(at);
    painter.fillRect(QRectF(0, 0, room().width(), kSaid), m_theme.color(Tone::Stage));
    paintScenePart(painter, {0, 0}, QRectF(0, kSaidFrom, room().width(), kSaid), scene(), m_theme);
}

void BroadcastView::resizeEvent(QResizeEvent*) {
    invalidate();
}

std::optional<Index> BroadcastView::elementAt(QPointF p) const {
    if (!m_model || !m_model->ok() || m_veiled || m_asked >= 0) return std::nullopt;
    BroadcastLook still = look();
    still.picked = m_picked;
    return broadcastElementAt(*m_model, still, p);
}

int BroadcastView::buttonAt(QPointF p) const {
    const Hit hit = hitTest(scene(), p);
    return hit.part.kind == PartKind::Button ? hit.part.index : -1;
}

void BroadcastView::mouseMoveEvent(QMouseEvent* event) {
    if (m_camera.isDragged()) {
        m_camera.drag(event->position(), m_scale);
        update();
        return;
    }
    const QPointF at = inScene(event->position());
    const int button = buttonAt(at);
    if (button != m_button) {
        m_button = button;
        setCursor(button >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        Q_EMIT mendHovered(button);
        update();
    }
    const std::optional<Index> element = elementAt(at);
    if (element == m_hovered) return;
    m_hovered = element;
    Q_EMIT hovered(element);
    invalidate();
}

void BroadcastView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton && m_presented) {
        m_camera.press(event->position(), camera());
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    const QPointF at = inScene(event->position());
    if (m_asked >= 0 && m_model) {
        const auto place = broadcastPlaceAt(*m_model, look(), at);
        const auto operand = static_cast<std::size_t>(m_asked);
        if (!place || place->card != operand) return;
        const Dims& stored = m_model->operands[operand].aligned.shape;
        for (std::size_t d = 0; d < stored.size(); ++d)
            if (place->coord[d] >= stored[d]) return; // no cell is there yet
        Q_EMIT cellAnswered(place->coord);
        return;
    }
    if (const int button = buttonAt(at); button >= 0)
        Q_EMIT mendPressed(button);
    else
        Q_EMIT pickRequested(elementAt(at));
}

void BroadcastView::leaveEvent(QEvent*) {
    if (m_button >= 0) Q_EMIT mendHovered(-1);
    m_button = -1;
    if (m_hovered) {
        m_hovered.reset();
        Q_EMIT hovered(std::nullopt);
    }
    invalidate();
}

} // namespace stridescope
