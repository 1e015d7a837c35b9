#include "app/window/explanation.h"

#include "widgets/scene/hit_test.h"
#include "widgets/scene/scene_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace stridescope {

namespace {

/// Pictures are drawn at their full size from this width on.
constexpr qreal kUsual = 900;

} // namespace

FigureView::FigureView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("figureView"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true); // round the button that Enter presses
}

void FigureView::setFigure(Figure figure, qreal scale) {
    m_figure = std::move(figure);
    m_scale = scale;
    m_hovered = -1;
    m_focused = m_figure.codes.empty() ? -1 : 0;
    setFixedSize((m_figure.scene.size * m_scale).toSize());
    setAccessibleName(m_figure.scene.title);
    setAccessibleDescription(m_figure.sentence);
    update();
}

void FigureView::setScene(Scene scene) {
    scene.size = m_figure.scene.size;
    m_figure.scene = std::move(scene);
    update();
}

void FigureView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

QRectF FigureView::buttonRect(int button) const {
    QRectF rect;
    for (const SceneNode& node : m_figure.scene.nodes) {
        const auto* box = std::get_if<BoxItem>(&node.item);
        if (box && node.part.kind == PartKind::Button && node.part.index == button) rect = rect.united(box->rect);
    }
    return rect;
}

void FigureView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.scale(m_scale, m_scale);
    PaintOptions options;
    options.exposed = QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale);
    paintScene(painter, m_figure.scene, m_theme, options);
    const auto frame = [&](int button, Tone tone, qreal width, qreal gap) {
        const QRectF rect = buttonRect(button);
        if (rect.isEmpty()) return;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.color(tone), width));
        painter.drawRoundedRect(rect.adjusted(-gap, -gap, gap, gap), 6, 6);
    };
    if (m_hovered >= 0) frame(m_hovered, Tone::Ink, 1.5, 0);
    if (hasFocus() && m_focused >= 0) frame(m_focused, Tone::Ink, 2, 3);
}

int FigureView::buttonAt(QPointF p, bool* closes) const {
    const Hit hit = hitTest(m_figure.scene, p / m_scale);
    *closes = hit.part.kind == PartKind::Message && hit.part.index == 0;
    const bool button = hit.part.kind == PartKind::Button && hit.part.index >= 0 &&
                        static_cast<std::size_t>(hit.part.index) < m_figure.codes.size();
    return button ? hit.part.index : -1;
}

void FigureView::setHovered(int button) {
    if (button == m_hovered) return;
    m_hovered = button;
    setCursor(button >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Q_EMIT codeHovered(button >= 0 ? m_figure.codes[static_cast<std::size_t>(button)] : QString());
    update();
}

void FigureView::mouseMoveEvent(QMouseEvent* event) {
    bool closes = false;
    setHovered(buttonAt(event->position(), &closes));
}

void FigureView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    bool closes = false;
    const int button = buttonAt(event->position(), &closes);
    if (closes)
        Q_EMIT closeRequested();
    else if (button >= 0)
        Q_EMIT codePressed(m_figure.codes[static_cast<std::size_t>(button)]);
}

void FigureView::leaveEvent(QEvent* event) {
    setHovered(-1);
    QWidget::leaveEvent(event);
}

bool FigureView::focusNextPrevChild(bool next) {
    const int count = static_cast<int>(m_figure.codes.size());
    const int to = m_focused + (next ? 1 : -1);
    if (to < 0 || to >= count) return QWidget::focusNextPrevChild(next);
    m_focused = to;
    Q_EMIT codeHovered(m_figure.codes[static_cast<std::size_t>(to)]);
    update();
    return true;
}

void FigureView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        Q_EMIT closeRequested();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_focused >= 0) Q_EMIT codePressed(m_figure.codes[static_cast<std::size_t>(m_focused)]);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

Explanation::Explanation(QWidget* parent) : QScrollArea(parent), m_view(new FigureView(this)) {
    setObjectName(QStringLiteral("explanation"));
    setFrameShape(QFrame::NoFrame);
    setWidget(m_view);
    setWidgetResizable(false);
    setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    setFocusProxy(m_view);
    connect(m_view, &FigureView::codeHovered, this, &Explanation::drawHovered);
    connect(m_view, &FigureView::codeHovered, this, &Explanation::codeHovered);
    connect(m_view, &FigureView::codePressed, this, &Explanation::codePressed);
    connect(m_view, &FigureView::closeRequested, this, &Explanation::closed);
}

void Explanation::explain(std::function<Figure(QSizeF room, const QString& hovered)> make) {
    m_make = std::move(make);
    draw();
}

void Explanation::drawHovered(const QString& code) {
    if (m_make) m_view->setScene(m_make(m_room, code).scene);
}

void Explanation::setTheme(const Theme& theme) {
    QPalette ground = theme.palette();
    ground.setColor(QPalette::Window, theme.color(Tone::Stage));
    setPalette(ground);
    viewport()->setPalette(ground);
    viewport()->setAutoFillBackground(true);
    m_view->setTheme(theme);
}

void Explanation::draw() {
    if (!m_make) return;
    // Without scroll bars: whether they are needed is what the figure decides.
    const QSize room = maximumViewportSize();
    m_drawnFor = room;
    // In a narrow room the picture is drawn a little smaller, then laid out anew; smaller still where that has a width
    // that it must keep: it may scroll down, but not sideways as long as it can be read.
    constexpr qreal kSmaller = 0.85, kSmallest = 0.68;
    const auto make = [&](int width, qreal& scale) {
        const auto draw = [&] {
            m_room = QSizeF(width / scale, room.height() / scale);
            return m_make(m_room, {});
        };
        scale = std::clamp(width / kUsual, kSmaller, 1.0);
        Figure figure = draw();
        if (figure.scene.size.width() * scale > width + 0.5) {
            scale = std::clamp(width / figure.scene.size.width(), kSmallest, 1.0);
            figure = draw();
        }
        return figure;
    };
    qreal scale = 1;
    Figure figure = make(room.width(), scale);
    // The bar of a high figure must not make another one necessary.
    if (figure.scene.size.height() * scale > room.height())
        figure = make(room.width() - verticalScrollBar()->sizeHint().width(), scale);
    // The ground goes on below a low figure.
    figure.scene.size.setHeight(std::max(figure.scene.size.height(), room.height() / scale));
    m_view->setFigure(std::move(figure), scale);
}

void Explanation::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (event->oldSize() != event->size() && maximumViewportSize() != m_drawnFor) draw();
}

} // namespace stridescope
