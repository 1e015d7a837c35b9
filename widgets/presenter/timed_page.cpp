#include "widgets/presenter/timed_page.h"

#include "widgets/shared/accessible_role.h"
#include "widgets/shared/time_player.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace stridescope {

TimedPage::TimedPage(const QWidget* screen, QWidget* view, QWidget* parent) : PresentedPage(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAccessibleRole(this, QAccessible::Pane);
    setAccessibleName(screen->accessibleName());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view);
}

void TimedPage::keyPressEvent(QKeyEvent* event) {
    // Single steps, as on the screen; Space is the presenter's.
    const auto asked = TimePlayer::actOf(*event);
    if (asked && *asked != TransportBar::Act::PlayOrPause)
        act(*asked);
    else
        PresentedPage::keyPressEvent(event);
}

} // namespace stridescope
