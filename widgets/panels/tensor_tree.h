#pragma once
// TensorTree: the left dock. Storages and their tensors with badges, a filter, and an eye that shows or hides a
// tensor on the stage.

#include "widgets/model/workspace_model.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLineEdit;
class QTreeView;

namespace stridescope {

class EmptyState;
class TensorTreeModel;
class TensorTreeDelegate;

class TensorTree : public QWidget {
    Q_OBJECT

public:
    explicit TensorTree(WorkspaceModel* workspace, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Shows what was asked of `under` and refused as a row below it; empty code: none.
    void setAttempt(TensorId under, const QString& code);

Q_SIGNALS:
    /// The eye of a row: show on the stage, or hide.
    void stageRequested(TensorId tensor, bool onStage);
    void runRequested(const QString& code); ///< "del B"
    void renameRequested(TensorId tensor, const QString& name);
    void openRequested(); ///< a file; asked for where there is no tensor yet

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void followSelection();
    void showEmptiness();
    void removeCurrent();
    void toggleCurrent();
    void editName();

    WorkspaceModel* m_workspace;
    TensorTreeModel* m_model;
    TensorTreeDelegate* m_delegate;
    QLineEdit* m_filter;
    QTreeView* m_view;
    EmptyState* m_empty;
    bool m_following = false; ///< the model's selection is being copied into the view
};

} // namespace stridescope
