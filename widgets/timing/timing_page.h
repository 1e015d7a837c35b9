#pragma once
// The Timing screen as it is presented: one part of its picture after another, in letters for the room.

#include "widgets/presenter/presented_page.h"
#include "widgets/timing/timing_scene.h"

namespace stridescope {

class TimingView;

class TimingPage : public PresentedPage {
    Q_OBJECT

public:
    /// Follows `source`, which outlives the page.
    explicit TimingPage(TimingView* source, QWidget* parent = nullptr);
    void setLook(const Theme& theme, qreal scale) override;
    bool goOn(int by) override;
    int stages() const override;
    int stage() const override;
    QString stageName() const override;
    QString line() const override;
    bool followsLastLine() const override { return false; }

private:
    /// What there is to show: the chart first, each card on its own last.
    struct Stop {
        TimingSection section;
        int way = -1;
        friend bool operator==(const Stop&, const Stop&) = default;
    };
    std::vector<Stop> stops() const;
    void follow();

    TimingView* m_source;
    TimingView* m_view;
    Stop m_stop{TimingSection::Chart, -1};
    qreal m_scale = 1;
};

} // namespace stridescope
