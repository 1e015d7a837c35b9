#include "widgets/motion/motion_page.h"

#include "widgets/motion/motion_screen.h"

namespace stridescope {

MotionPage::MotionPage(MotionScreen* screen, QWidget* parent) : MotionPage(screen, new MotionView, parent) {}

MotionPage::MotionPage(MotionScreen* screen, MotionView* view, QWidget* parent)
    : TimedPage(screen, view, parent), m_screen(screen), m_view(view) {
    connect(screen->view(), &MotionView::changed, this, &MotionPage::follow);
    follow();
}

void MotionPage::follow() {
    const MotionView* source = m_screen->view();
    if (m_view->plan() != source->plan()) m_view->setPlan(source->plan());
    m_view->setWords(source->wordsTitle(), source->words());
    m_view->setTime(source->time());
    Q_EMIT changed();
}

void MotionPage::setLook(const Theme& theme, qreal scale) {
    m_view->setTheme(theme);
    m_view->setPresented(scale);
}

bool MotionPage::goOn(int by) {
    m_screen->player()->showStage(by);
    return true;
}

int MotionPage::stages() const {
    return m_view->plan() ? static_cast<int>(m_screen->player()->times().stageEnds.size()) : 0;
}

int MotionPage::stage() const {
    return static_cast<int>(m_screen->player()->times().stageAt(m_screen->player()->time())) + 1;
}

QString MotionPage::stageName() const {
    const auto& plan = m_view->plan();
    return plan ? plan->stageAt(m_view->time()).name : QString();
}

QString MotionPage::line() const {
    return m_view->plan() ? m_view->plan()->title() : QString();
}

void MotionPage::act(TransportBar::Act act) {
    m_screen->player()->act(act);
}

} // namespace stridescope
