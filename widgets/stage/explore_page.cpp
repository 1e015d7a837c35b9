#include "widgets/stage/explore_page.h"

#include "widgets/model/workspace_model.h"
#include "widgets/stage/explore_stage.h"

#include <QVBoxLayout>

namespace stridescope {

ExplorePage::ExplorePage(WorkspaceModel* model, const ExploreStage* source, QWidget* parent)
    : PresentedPage(parent), m_source(source), m_stage(new ExploreStage(model, this)) {
    m_stage->setObjectName(QStringLiteral("presentedStage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stage);
    setFocusProxy(m_stage);
    followOptions();
    connect(source, &ExploreStage::optionsChanged, this, &ExplorePage::followOptions);
    connect(m_stage, &ExploreStage::runRequested, this, &PresentedPage::runRequested);
    // What is selected, and where that is, may be something else.
    connect(model, &WorkspaceModel::selectionChanged, this, &PresentedPage::changed);
    connect(model, &WorkspaceModel::snapshotChanged, this, &PresentedPage::changed);
}

void ExplorePage::followOptions() {
    StageOptions options = m_stage->options();
    const StageOptions& shown = m_source->options();
    options.presented = true;
    options.cellText = shown.cellText;
    options.ruler = shown.ruler;
    options.byteStrides = shown.byteStrides;
    options.cacheLines = shown.cacheLines;
    options.heat = shown.heat;
    options.reducedMotion = shown.reducedMotion;
    m_stage->setOptions(options);
}

void ExplorePage::setLook(const Theme& theme, qreal scale) {
    m_stage->setTheme(theme);
    m_stage->setScale(scale);
    Q_EMIT changed();
}

QPainterPath ExplorePage::spotlight() const {
    return m_stage->selectedArea().translated(m_stage->pos());
}

} // namespace stridescope
