#pragma once
// The Broadcast screen as it is presented: its picture at the same moment, larger. Time and line stay the screen's.

#include "widgets/presenter/timed_page.h"

namespace stridescope {

class BroadcastScreen;
class BroadcastView;

class BroadcastPage : public TimedPage {
    Q_OBJECT

public:
    /// Follows `screen`, which outlives the page, and its view.
    BroadcastPage(BroadcastScreen* screen, BroadcastView* source, QWidget* parent = nullptr);
    void setLook(const Theme& theme, qreal scale) override;
    bool goOn(int by) override;
    int stages() const override;
    int stage() const override;
    QString stageName() const override;
    QString line() const override;

protected:
    void act(TransportBar::Act act) override;

private:
    BroadcastPage(BroadcastScreen* screen, BroadcastView* source, BroadcastView* view, QWidget* parent);
    void follow();

    BroadcastScreen* m_screen;
    BroadcastView* m_source;
    BroadcastView* m_view;
};

} // namespace stridescope
