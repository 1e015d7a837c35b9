#pragma once
// VariablesDock: the pane of names, kept up to date with the workspace and with Python.

#include "widgets/panels/variables_panel.h"

#include <QDockWidget>
#include <QTimer>

namespace stridescope {

class KernelClient;
struct KernelVariables;
class Workspace;

/// What lines of code can use now: the workspace's tensors and values, and what only Python has.
std::vector<VariableRow> variableRows(const Workspace& workspace, const KernelVariables* python);

class VariablesDock : public QDockWidget {
    Q_OBJECT

public:
    VariablesDock(Workspace* workspace, QWidget* parent);
    /// Until then the pane is empty and costs nothing.
    void fill(KernelClient* kernel);
    void setTheme(const Theme& theme);
    VariablesPanel* panel() const { return m_panel; }

private:
    void refresh();
    void showThreads();

    Workspace* m_workspace;
    KernelClient* m_kernel = nullptr;
    VariablesPanel* m_panel = nullptr;
    std::vector<VariableRow> m_shown; ///< by name
    QTimer m_soon;                    ///< many changes at once are one refresh
};

} // namespace stridescope
