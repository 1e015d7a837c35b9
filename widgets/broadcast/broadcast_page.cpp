#include "widgets/broadcast/broadcast_page.h"

#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/broadcast/broadcast_view.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace stridescope {

BroadcastPage::BroadcastPage(BroadcastScreen* screen, BroadcastView* source, QWidget* parent)
    : PresentedPage(parent), m_screen(screen), m_source(source), m_view(new BroadcastView(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAccessibleName(screen->accessibleName());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    connect(source, &BroadcastView::changed, this, &BroadcastPage::follow);
    // A pick, a mend or an answer is the screen's: it comes back through its view.
    connect(m_view, &BroadcastView::pickRequested, source, &BroadcastView::pickRequested);
    connect(m_view, &BroadcastView::mendPressed, source, &BroadcastView::mendPressed);
    connect(m_view, &BroadcastView::cellAnswered, source, &BroadcastView::cellAnswered);
    follow();
}

void BroadcastPage::follow() {
    if (m_source->model() && m_view->model() != m_source->model()) m_view->setModel(m_source->model());
    m_view->setVeiled(m_source->isVeiled());
    m_view->setTime(m_source->time());
    m_view->setPicked(m_source->picked());
    Q_EMIT changed();
}

void BroadcastPage::setLook(const Theme& theme, qreal scale) {
    m_view->setTheme(theme);
    m_view->setPresented(scale);
}

bool BroadcastPage::goOn(int by) {
    m_screen->showStage(by);
    return true;
}

int BroadcastPage::stages() const {
    return m_screen->model() ? kBroadcastStages : 0;
}

int BroadcastPage::stage() const {
    return m_screen->stage() + 1;
}

QString BroadcastPage::stageName() const {
    static constexpr const char* kNames[] = {QT_TR_NOOP("Shapes"), QT_TR_NOOP("Prepend"), QT_TR_NOOP("Stretch"),
                                             QT_TR_NOOP("Compute")};
    return m_screen->model() ? tr(kNames[m_screen->stage()]) : QString();
}

QString BroadcastPage::line() const {
    return m_screen->line();
}

void BroadcastPage::keyPressEvent(QKeyEvent* event) {
    // Single steps, as on the screen.
    switch (event->key()) {
    case Qt::Key_Left:
        m_screen->act(TransportBar::Act::Back);
        break;
    case Qt::Key_Right:
        m_screen->act(TransportBar::Act::Forward);
        break;
    case Qt::Key_Home:
        m_screen->act(TransportBar::Act::ToStart);
        break;
    case Qt::Key_End:
        m_screen->act(TransportBar::Act::ToEnd);
        break;
    default:
        PresentedPage::keyPressEvent(event);
    }
}

} // namespace stridescope
