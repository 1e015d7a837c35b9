#pragma once
// What a class sees of the Motion screen: its picture, larger, at the same moment.

#include "widgets/presenter/timed_page.h"

namespace stridescope {

class MotionScreen;
class MotionView;

class MotionPage : public TimedPage {
    Q_OBJECT

public:
    /// Follows `screen`, which outlives the page.
    explicit MotionPage(MotionScreen* screen, QWidget* parent = nullptr);
    void setLook(const Theme& theme, qreal scale) override;
    bool goOn(int by) override;
    int stages() const override;
    int stage() const override;
    QString stageName() const override;
    QString line() const override;

protected:
    void act(TransportBar::Act act) override;

private:
    MotionPage(MotionScreen* screen, MotionView* view, QWidget* parent);
    void follow();

    MotionScreen* m_screen;
    MotionView* m_view;
};

} // namespace stridescope
