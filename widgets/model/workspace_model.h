#pragma once
// WorkspaceModel: the one place from which widgets learn what there is and what is selected. Linking goes
// model -> all widgets; no widget knows another.

#include "widgets/model/whence.h"

#include <QObject>

namespace stridescope {

class WorkspaceModel : public QObject {
    Q_OBJECT

public:
    explicit WorkspaceModel(QObject* parent = nullptr);

    /// Never null; empty at first.
    const SnapshotPtr& snapshot() const { return m_snapshot; }
    const Selection& selection() const { return m_selection; }
    const std::optional<Preview>& preview() const { return m_preview; }
    /// The selected entry or nullptr.
    const TensorEntry* selected() const { return m_snapshot->tensor(m_selection.tensor); }

    /// Replaces the snapshot; picks and selection that no longer exist are dropped.
    void setSnapshot(SnapshotPtr snapshot);
    /// Values were written into a storage (its version grew); shapes are as before.
    void notifyValuesChanged(quint64 storageId);

    /// Who can tell where an element came from; asked only when somebody looks.
    void setWhenceSource(WhenceSource source) { m_whence = std::move(source); }
    std::optional<Whence> whence(const Pick& pick) const { return m_whence ? m_whence(pick) : std::nullopt; }

    /// Setting an equal value is a no-op and emits nothing: that is what stops echoes.
    void select(TensorId tensor);
    void setPick(std::optional<Pick> pick);
    void setHover(std::optional<Pick> hover);
    void setPreview(std::optional<Preview> preview);

Q_SIGNALS:
    void snapshotChanged();
    void valuesChanged(quint64 storageId);
    void selectionChanged();
    void previewChanged();

private:
    SnapshotPtr m_snapshot;
    Selection m_selection;
    std::optional<Preview> m_preview;
    WhenceSource m_whence;
};

} // namespace stridescope
