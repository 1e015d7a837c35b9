#include "app/window/variables_dock.h"

#include "app/kernel/kernel_client.h"
#include "app/workspace/workspace.h"
#include "widgets/model/words.h"

namespace stridescope {

namespace {

VariableRow rowOf(const WorkspaceSnapshot& snapshot, const TensorEntry& entry) {
    VariableRow row;
    row.name = entry.name;
    row.type = dtypeText(entry.tensor.dtype());
    row.isTensor = true;
    row.size = shapeText(entry.tensor.shape());
    row.stride = shapeText(entry.tensor.stride());
    row.numel = entry.tensor.numel();
    if (const StorageEntry* storage = snapshot.storage(entry.tensor.storage()->id()))
        row.storage = QStringLiteral("#%1").arg(storage->number);
    row.device = QString::fromStdString(toString(entry.tensor.device()));
    row.tensor = entry.id;
    row.onStage = entry.onStage;
    row.colour = entry.colour;
    row.letter = entry.letter;
    return row;
}

/// A tensor whose elements Python does not share, or something else.
VariableRow rowOf(const KernelVariable& variable) {
    VariableRow row;
    row.name = plainName(variable.name);
    row.type = plainName(variable.type);
    row.value = plainName(variable.text);
    if (!variable.isTensor) return row;
    row.isTensor = true;
    row.type = dtypeText(variable.dtype);
    row.size = shapeText(variable.view.shape);
    row.stride = shapeText(variable.view.stride);
    row.numel = variable.view.numel();
    row.storage = VariablesDock::tr("not shared");
    row.device = plainName(variable.device);
    return row;
}

} // namespace

std::vector<VariableRow> variableRows(const Workspace& workspace, const KernelVariables* python) {
    std::vector<VariableRow> rows;
    const WorkspaceSnapshot& snapshot = *workspace.model()->snapshot();
    for (const TensorEntry& entry : snapshot.tensors) rows.push_back(rowOf(snapshot, entry));
    for (const Workspace::NamedValue& value : workspace.values()) {
        VariableRow row;
        row.name = plainName(value.name);
        row.type = value.type;
        row.value = plainName(value.text);
        rows.push_back(std::move(row));
    }
    if (!python) return rows;
    for (const KernelVariable& variable : python->names) {
        // Python hears of an undo with its next line; the pane follows the history at once.
        const bool undone = !workspace.isBusy() && (variable.tensor || workspace.hadValue(variable.name));
        if (!undone && !workspace.hasName(variable.name)) rows.push_back(rowOf(variable));
    }
    return rows;
}

VariablesDock::VariablesDock(Workspace* workspace, QWidget* parent)
    : QDockWidget(tr("Variables"), parent), m_workspace(workspace) {
    setObjectName(QStringLiteral("variablesDock"));
    setAccessibleName(tr("Variables"));
    setWhatsThis(
        tr("The names that lines of code can use. A click on a tensor shows its card on the stage; a click on a "
           "title sorts."));
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &VariablesDock::refresh);
    connect(this, &QDockWidget::visibilityChanged, this, [this] { m_soon.start(); });
}

void VariablesDock::fill(KernelClient* kernel) {
    m_kernel = kernel;
    m_panel = new VariablesPanel(this);
    setWidget(m_panel);
    const auto later = [this] { m_soon.start(); };
    connect(m_workspace, &Workspace::changed, this, later);
    connect(m_workspace->model(), &WorkspaceModel::snapshotChanged, this, later);
    connect(kernel, &KernelClient::variablesChanged, this, later);
    connect(kernel, &KernelClient::stateChanged, this, later);
    connect(kernel, &KernelClient::threadsChanged, this, &VariablesDock::showThreads);
    connect(m_panel, &VariablesPanel::stopThreadsRequested, this, [kernel] {
        for (const KernelThread& thread : kernel->threads()) kernel->stopThread(thread.ident);
    });
    connect(m_workspace->model(), &WorkspaceModel::selectionChanged, this,
            [this] { m_panel->setSelected(m_workspace->model()->selection().tensor); });
    connect(m_panel, &VariablesPanel::cardRequested, this, [this](TensorId tensor) {
        m_workspace->setOnStage(tensor, true);
        m_workspace->model()->select(tensor);
    });
    showThreads();
    refresh();
}

void VariablesDock::showThreads() {
    QStringList names;
    for (const KernelThread& thread : m_kernel->threads()) names << plainName(thread.name);
    m_panel->setThreads(names);
}

void VariablesDock::setTheme(const Theme& theme) {
    if (m_panel) m_panel->setTheme(theme);
}

void VariablesDock::refresh() {
    if (!m_panel || isHidden()) return;
    // Names of a Python that has ended are gone with it.
    const bool runs = m_kernel->hello().has_value();
    std::vector<VariableRow> rows = variableRows(*m_workspace, runs ? &m_kernel->variables() : nullptr);
    std::sort(rows.begin(), rows.end(), [](const VariableRow& a, const VariableRow& b) { return a.name < b.name; });
    if (rows == m_shown && !rows.empty()) return;
    m_shown = rows;
    m_panel->setRows(std::move(rows), runs ? m_kernel->variables().more : 0);
    m_panel->setSelected(m_workspace->model()->selection().tensor);
}

} // namespace stridescope
