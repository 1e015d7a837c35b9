#include "widgets/timing/timing_view.h"

#include "widgets/scene/scene_painter.h"
#include "widgets/timing/timing_accessible.h"

#include <QFocusEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr int kQuietInterval = 100;

} // namespace

TimingView::TimingView(QWidget* parent) : QWidget(parent) {
    installTimingAccessibility(); // before anything names the widget: Qt keeps the first interface that it makes
    setObjectName(QStringLiteral("timingView"));
    setAccessibleName(tr("Times"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setWhatsThis(
        tr("Times over size. Left and Right pick a size, Up and Down a curve at it, Home and End the ends; Tab "
           "goes on to the cards, Enter runs one."));
    m_later.setSingleShot(true);
    m_later.setInterval(kQuietInterval);
    connect(&m_later, &QTimer::timeout, this, [this] {
        fit();
        update();
    });
    m_model = std::make_shared<const TimingModel>();
    fit();
}

void TimingView::invalidate() {
    m_picture.reset();
    ++m_revision;
    if (m_quiet) {
        if (!m_later.isActive()) m_later.start();
    } else {
        fit();
        update();
    }
    Q_EMIT changed();
}

/// As high as its picture: it stands in an area that scrolls.
void TimingView::fit() {
    if (m_only) return;
    setMinimumSize(static_cast<int>(kTimingLeastWidth),
                   static_cast<int>(std::ceil(timingHeight(*m_model, std::max<qreal>(width(), kTimingLeastWidth)))));
}

void TimingView::setModel(std::shared_ptr<const TimingModel> model) {
    if (model == m_model) return;
    m_model = std::move(model);
    if (m_hovered >= static_cast<int>(m_model->series.size())) m_hovered = -1;
    if (m_way >= ways()) m_way = -1;
    invalidate();
}

void TimingView::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void TimingView::setQuiet(bool quiet) {
    if (quiet == m_quiet) return;
    m_quiet = quiet;
    if (quiet) {
        m_hovered = -1;
        return;
    }
    m_later.stop();
    invalidate();
}

void TimingView::setPresented(TimingSection section, qreal scale) {
    m_only = section;
    m_scale = scale;
    setMinimumSize(1, 1);
    invalidate();
}

std::optional<Index> TimingView::picked() const {
    return m_model->sizeNear(m_n);
}

void TimingView::pick(std::optional<Index> n) {
    if (n == m_n) return;
    m_n = n;
    invalidate();
    if (n) Q_EMIT sizePicked(*n);
}

void TimingView::hover(int series, std::optional<Index> n) {
    if (series == m_hovered && n == m_hoveredN) return;
    m_hovered = series;
    m_hoveredN = n;
    invalidate();
}

void TimingView::setWay(int way) {
    if (way == m_way) return;
    m_way = way;
    invalidate();
}

const TimingPicture& TimingView::picture() const {
    if (!m_picture) {
        TimingLook look;
        look.size = QSizeF(size()) / m_scale;
        look.n = m_n;
        look.hovered = m_hovered;
        look.hoveredN = m_hoveredN;
        look.way = m_way;
        look.only = m_only;
        m_picture = timingPicture(*m_model, look);
    }
    return *m_picture;
}

void TimingView::paintEvent(QPaintEvent* event) {
    ++m_drawn;
    QPainter painter(this);
    painter.scale(m_scale, m_scale);
    PaintOptions options;
    options.exposed = QRectF(QPointF(event->rect().topLeft()) / m_scale, QSizeF(event->rect().size()) / m_scale);
    painter.fillRect(options.exposed, m_theme.color(Tone::Stage));
    paintScene(painter, scene(), m_theme, options);
}

void TimingView::resizeEvent(QResizeEvent*) {
    m_picture.reset();
    ++m_revision;
    fit();
    update();
}

void TimingView::point(QPointF at) {
    const TimingSpot* spot = picture().at(at / m_scale);
    setCursor(spot && spot->kind != SpotKind::Turns ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Q_EMIT told(spot ? spot->told : QString());
    if (m_quiet) return;
    if (spot && spot->kind == SpotKind::Point)
        hover(spot->index, spot->n);
    else
        hover(-1);
}

void TimingView::mouseMoveEvent(QMouseEvent* event) {
    point(event->position());
}

void TimingView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const TimingSpot* spot = picture().at(event->position() / m_scale);
    if (!spot) return;
    const SpotKind kind = spot->kind;
    const int index = spot->index;
    const Index n = spot->n;
    if (kind == SpotKind::Way) return Q_EMIT wayPressed(index);
    if (kind == SpotKind::Turns) return;
    pick(n);
    if (kind == SpotKind::Point) hover(index, n);
}

void TimingView::leaveEvent(QEvent*) {
    Q_EMIT told(QString());
    hover(-1);
}

void TimingView::moveSize(int by) {
    const auto& sizes = m_model->sizes;
    if (sizes.empty()) return;
    const auto now = std::find(sizes.begin(), sizes.end(), *picked()) - sizes.begin();
    pick(sizes[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + by, 0, std::ssize(sizes) - 1))]);
    hover(-1);
    if (const auto* spot = [&]() -> const TimingSpot* {
            for (const TimingSpot& each : picture().spots)
                if (each.kind == SpotKind::Size && each.n == picked()) return &each;
            return nullptr;
        }())
        Q_EMIT told(spot->told);
}

void TimingView::moveSeries(int by) {
    const auto n = picked();
    const int count = static_cast<int>(m_model->series.size());
    if (!n || count == 0) return;
    int at = m_hovered;
    for (int tried = 0; tried < count; ++tried) {
        at = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
        if (m_model->series[static_cast<std::size_t>(at)].at(*n)) break;
    }
    hover(at);
    for (const TimingSpot& spot : picture().spots)
        if (spot.kind == SpotKind::Point && spot.n == *n && spot.index == at) return Q_EMIT told(spot.told);
}

void TimingView::keyPressEvent(QKeyEvent* event) {
    const bool onCard = m_way >= 0;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int by = event->key() == Qt::Key_Left ? -1 : 1;
        if (onCard)
            setWay(std::clamp(m_way + by, 0, ways() - 1));
        else
            moveSize(by);
        return;
    }
    case Qt::Key_Up:
        return moveSeries(-1);
    case Qt::Key_Down:
        return moveSeries(1);
    case Qt::Key_Home:
        return moveSize(-static_cast<int>(m_model->sizes.size()));
    case Qt::Key_End:
        return moveSize(static_cast<int>(m_model->sizes.size()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (onCard) return Q_EMIT wayPressed(m_way);
        break;
    case Qt::Key_Escape:
        if (onCard || m_hovered >= 0) {
            setWay(-1);
            return hover(-1);
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

bool TimingView::focusNextPrevChild(bool next) {
    const int to = m_way + (next ? 1 : -1);
    if (m_only || to < -1 || to >= ways()) return QWidget::focusNextPrevChild(next);
    setWay(to);
    for (const TimingSpot& spot : picture().spots)
        if (spot.kind == SpotKind::Way && spot.index == m_way) {
            Q_EMIT told(spot.told);
            Q_EMIT revealRequested(onWidget(spot.rect));
        }
    if (m_way < 0) Q_EMIT revealRequested(onWidget(picture().sections[0]));
    return true;
}

void TimingView::focusInEvent(QFocusEvent* event) {
    if (!m_only && event->reason() == Qt::BacktabFocusReason && ways() > 0) setWay(ways() - 1);
    QWidget::focusInEvent(event);
}

void TimingView::focusOutEvent(QFocusEvent* event) {
    if (!m_only) setWay(-1);
    QWidget::focusOutEvent(event);
}

} // namespace stridescope
