#pragma once
// What a class sees of the Motion screen: its picture, larger, at the same moment.

#include "widgets/presenter/presented_page.h"

namespace stridescope {

class MotionScreen;
class MotionView;

class MotionPage : public PresentedPage {
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
    void keyPressEvent(QKeyEvent* event) override;

private:
    void follow();

    MotionScreen* m_screen;
    MotionView* m_view;
};

} // namespace stridescope
