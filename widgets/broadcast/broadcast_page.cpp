#include "widgets/broadcast/broadcast_page.h"

#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/broadcast/broadcast_view.h"

namespace stridescope {

BroadcastPage::BroadcastPage(BroadcastScreen* screen, BroadcastView* source, QWidget* parent)
    : BroadcastPage(screen, source, new BroadcastView, parent) {}

BroadcastPage::BroadcastPage(BroadcastScreen* screen, BroadcastView* source, BroadcastView* view, QWidget* parent)
    : TimedPage(screen, view, parent), m_screen(screen), m_source(source), m_view(view) {
    connect(source, &BroadcastView::changed, this, &BroadcastPage::follow);
    // A pick, a mend or an answer is the screen's: it comes back through its view.
    connect(m_view, &BroadcastView::pickRequested, source, &BroadcastView::pickRequested);
    connect(m_view, &BroadcastView::mendPressed, source, &BroadcastView::mendPressed);
    connect(m_view, &BroadcastView::cellAnswered, source, &BroadcastView::cellAnswered);
    follow();
}

void BroadcastPage::follow() {
    if (m_view->model() != m_source->model() || m_view->why() != m_source->why())
        m_view->setModel(m_source->model(), m_source->why());
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

void BroadcastPage::act(TransportBar::Act act) {
    m_screen->act(act);
}

} // namespace stridescope
