#include "widgets/model/workspace_model.h"

namespace stridescope {

namespace {

bool stillThere(const WorkspaceSnapshot& snapshot, const std::optional<Pick>& pick) {
    if (!pick) return true;
    if (!snapshot.storage(pick->storageId)) return false;
    if (pick->tensor == 0) return true;
    const TensorEntry* entry = snapshot.tensor(pick->tensor);
    if (!entry || entry->tensor.storage()->id() != pick->storageId) return false;
    const Dims& shape = entry->tensor.shape();
    if (shape.size() != pick->coord.size()) return false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (pick->coord[d] >= shape[d]) return false;
    }
    return entry->tensor.view().slot(pick->coord) == pick->slot;
}

} // namespace

WorkspaceModel::WorkspaceModel(QObject* parent)
    : QObject(parent), m_snapshot(std::make_shared<const WorkspaceSnapshot>()) {}

void WorkspaceModel::setSnapshot(SnapshotPtr snapshot) {
    if (!snapshot || snapshot == m_snapshot) return;
    m_snapshot = std::move(snapshot);
    Selection next = m_selection;
    if (!m_snapshot->tensor(next.tensor)) next.tensor = m_snapshot->tensors.empty() ? 0 : m_snapshot->tensors.back().id;
    if (!stillThere(*m_snapshot, next.pick)) next.pick.reset();
    if (!stillThere(*m_snapshot, next.hover)) next.hover.reset();
    // A card that left the stage is not under the pointer any more.
    if (const TensorEntry* hovered = next.hover ? m_snapshot->tensor(next.hover->tensor) : nullptr;
        hovered && !hovered->onStage && hovered->id != next.tensor)
        next.hover.reset();
    const bool selectionMoved = !(next == m_selection);
    m_selection = std::move(next);
    const bool hadPreview = m_preview.has_value();
    m_preview.reset();
    Q_EMIT snapshotChanged();
    if (selectionMoved) Q_EMIT selectionChanged();
    if (hadPreview) Q_EMIT previewChanged();
}

void WorkspaceModel::notifyValuesChanged(quint64 storageId) {
    Q_EMIT valuesChanged(storageId);
}

void WorkspaceModel::select(TensorId tensor) {
    if (tensor == m_selection.tensor || (tensor != 0 && !m_snapshot->tensor(tensor))) return;
    m_selection.tensor = tensor;
    Q_EMIT selectionChanged();
}

void WorkspaceModel::setPick(std::optional<Pick> pick) {
    if (pick == m_selection.pick || !stillThere(*m_snapshot, pick)) return;
    m_selection.pick = std::move(pick);
    Q_EMIT selectionChanged();
}

void WorkspaceModel::setHover(std::optional<Pick> hover) {
    if (hover == m_selection.hover || !stillThere(*m_snapshot, hover)) return;
    m_selection.hover = std::move(hover);
    Q_EMIT selectionChanged();
}

void WorkspaceModel::setPreview(std::optional<Preview> preview) {
    if (!preview && !m_preview) return;
    m_preview = std::move(preview);
    Q_EMIT previewChanged();
}

} // namespace stridescope
