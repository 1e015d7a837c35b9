#pragma once
// The Explore screen as it is presented: a stage of its own on the same model, so that picks and views are the same.

#include "widgets/presenter/presented_page.h"

namespace stridescope {

class ExploreStage;
class WorkspaceModel;

class ExplorePage : public PresentedPage {
    Q_OBJECT

public:
    /// Shows cells, strides and colours as `source` does, a stage that outlives the page.
    ExplorePage(WorkspaceModel* model, const ExploreStage* source, QWidget* parent = nullptr);
    void setLook(const Theme& theme, qreal scale) override;
    QPainterPath spotlight() const override;
    ExploreStage* stageWidget() const { return m_stage; }

private:
    void followOptions();

    const ExploreStage* m_source;
    ExploreStage* m_stage;
};

} // namespace stridescope
