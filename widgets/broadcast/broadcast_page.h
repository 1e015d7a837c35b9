#pragma once
// The Broadcast screen as it is presented: its picture at the same moment, larger. Time and line stay the screen's.

#include "widgets/presenter/presented_page.h"

namespace stridescope {

class BroadcastScreen;
class BroadcastView;

class BroadcastPage : public PresentedPage {
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
    void keyPressEvent(QKeyEvent* event) override;

private:
    void follow();

    BroadcastScreen* m_screen;
    BroadcastView* m_source;
    BroadcastView* m_view;
};

} // namespace stridescope
