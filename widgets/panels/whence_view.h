#pragma once
// WhenceView: where the picked element came from, as a tree of arithmetic. A source that can be seen is picked by a
// click or Enter; a button leads back.

#include "widgets/model/workspace_model.h"
#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace stridescope {

class WhenceDelegate;

/// "A[1, 2]", or for a cell picked on the strip "storage #1[6]".
QString cellName(const WorkspaceSnapshot& snapshot, const Pick& pick);

class WhenceView : public QWidget {
    Q_OBJECT

public:
    explicit WhenceView(WorkspaceModel* workspace, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

Q_SIGNALS:
    void pickRequested(const Pick& pick);
    void moved(const QRect& place); ///< the keyboard went to what is shown there, in coordinates of this

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Asks soon, once for many changes, and only while somebody looks.
    void refreshLater();
    void refresh();
    void addItems(QTreeWidgetItem* parent, const Whence& whence);
    void go(QTreeWidgetItem* item);
    void goBack();
    /// As high as what is unfolded: the inspector scrolls, not this.
    void fitHeight();

    WorkspaceModel* m_workspace;
    QTimer m_soon;
    QLabel* m_hint;
    QPushButton* m_back;
    QTreeWidget* m_tree;
    WhenceDelegate* m_delegate;
    std::optional<Pick> m_shown;
    std::vector<Pick> m_trail; ///< from which sources were followed, the first one first
    bool m_following = false;
};

} // namespace stridescope
