#pragma once
// TimedPage: what a class sees of a screen whose picture is a function of time. The time is the screen's; keys step it.

#include "widgets/presenter/presented_page.h"
#include "widgets/shared/transport_bar.h"

namespace stridescope {

class TimedPage : public PresentedPage {
    Q_OBJECT

public:
    /// `view` fills the page, and is a child of it from now on; the page is called like `screen`.
    TimedPage(const QWidget* screen, QWidget* view, QWidget* parent);

protected:
    /// An act of the transport, on the screen.
    virtual void act(TransportBar::Act act) = 0;
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace stridescope
