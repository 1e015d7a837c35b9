#pragma once
// The Devices screen as it is presented: boxes, what was refused, then the lanes from moment to moment.

#include "widgets/devices/devices_scene.h"
#include "widgets/presenter/presented_page.h"

namespace stridescope {

class DevicesView;
class TimePlayer;

class DevicesPage : public PresentedPage {
    Q_OBJECT

public:
    /// Follows `source`, whose time `player` moves; both outlive the page.
    DevicesPage(DevicesView* source, TimePlayer* player, QWidget* parent = nullptr);
    void setLook(const Theme& theme, qreal scale) override;
    bool goOn(int by) override;
    int stages() const override;
    int stage() const override;
    QString stageName() const override;
    QString line() const override;
    DevicesView* view() const { return m_view; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// What there is to show: each box beside the CPU's, what was refused, the lanes.
    struct Stop {
        DevicesSection section = DevicesSection::Boxes;
        int device = 0;
        friend bool operator==(const Stop&, const Stop&) = default;
    };
    std::vector<Stop> stops() const;
    std::ptrdiff_t place(const std::vector<Stop>& all) const;
    void follow();
    int moments() const;

    DevicesView* m_source;
    DevicesView* m_view;
    TimePlayer* m_player;
    Stop m_stop;
    qreal m_scale = 1;
};

} // namespace stridescope
