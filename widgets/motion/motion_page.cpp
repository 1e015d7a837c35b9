#include "widgets/motion/motion_page.h"

#include "widgets/motion/motion_screen.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace stridescope {

MotionPage::MotionPage(MotionScreen* screen, QWidget* parent)
    : PresentedPage(parent), m_screen(screen), m_view(new MotionView(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAccessibleName(screen->accessibleName());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    connect(screen->view(), &MotionView::changed, this, &MotionPage::follow);
    follow();
}

void MotionPage::follow() {
    const MotionView* source = m_screen->view();
    if (m_view->plan() != source->plan()) m_view->setPlan(source->plan());
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
    return static_cast<int>(m_screen->player()->times().stageEnds.size());
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

void MotionPage::keyPressEvent(QKeyEvent* event) {
    // Single steps, as on the screen; Space is the presenter's.
    const auto act = TimePlayer::actOf(*event);
    if (act && *act != TransportBar::Act::PlayOrPause)
        m_screen->player()->act(*act);
    else
        PresentedPage::keyPressEvent(event);
}

} // namespace stridescope
