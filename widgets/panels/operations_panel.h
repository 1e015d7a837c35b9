#pragma once
// OperationsPanel: what the selected tensor can do, sorted by cost (view, copy, not possible), and a form for every
// operation of the table with the legal range of each number.

#include "widgets/model/workspace_model.h"
#include "widgets/panels/operation_suggestions.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QListWidgetItem;

namespace stridescope {

class EmptyState;
class OperationForm;
class ScrollRoom;

class OperationsPanel : public QWidget {
    Q_OBJECT

public:
    explicit OperationsPanel(WorkspaceModel* workspace, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Opens the form on `operation` ("narrow"); the palette calls it.
    void openForm(const QString& operation);

Q_SIGNALS:
    void runRequested(const QString& code);
    void previewRequested(const QString& code); ///< empty: no preview
    void explainRequested(const QString& code);
    void openRequested(); ///< a file; asked for where there is no tensor yet

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void shareRoom(); ///< between the list and the form
    void activate(QListWidgetItem* item);
    void preview(QListWidgetItem* item);

    WorkspaceModel* m_workspace;
    Theme m_theme;
    QLabel* m_title;
    QListWidget* m_list;
    OperationForm* m_form;
    bool m_formOpen = false;
    QSize m_sharedFor; ///< the size when its room was shared
    EmptyState* m_empty;
    ScrollRoom* m_emptyRoom;
    std::vector<OperationSuggestion> m_suggestions;
    bool m_previewing = false;
};

} // namespace stridescope
