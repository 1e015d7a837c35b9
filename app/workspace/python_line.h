#pragma once
// A line that Python carries out on a state of the workspace: what it starts with, and what it leaves.

#include "app/kernel/kernel_values.h"
#include "app/workspace/line_session.h"
#include "core/trace/packed_records.h"

#include <memory>

namespace stridescope {

class PythonLine {
public:
    /// Elements that are kept for undo, of all storages together: copying them takes some milliseconds.
    static constexpr Index kKeptBytes = Index{16} << 20;

    /// `shared`: names of values that Python has and the workspace had, too; those that it has no more go there as
    /// well.
    PythonLine(std::shared_ptr<const WorkspaceState> before, TensorId nextId, const QString& code,
               const std::set<QString>& shared = {});

    /// The tensors and values that Python must have under their names, and no other tensors.
    KernelBindings bindings() const;
    const QString& code() const { return m_code; }
    void setCode(const QString& code) { m_code = code; }

    struct Outcome {
        std::optional<LineSession::Change> change; ///< nothing: the state is as it was
        std::set<quint64> written;                 ///< storages whose elements are others now
        std::vector<TensorId> made;
        std::set<QString> shared; ///< names of values that both have now
        TensorId nextId = 0;
    };
    /// What the line left, however it ended: `after` is the kernel's last listing, nullptr when there was none since it
    /// began; `records` are its operations.
    Outcome finish(const KernelVariables* after, const PackedRecords& records);

private:
    struct Kept {
        Tensor elements; ///< all of a storage
        Tensor copy;     ///< as they were before; undefined for large ones
        quint64 version = 0;
    };

    std::shared_ptr<const WorkspaceState> m_before;
    TensorId m_nextId;
    QString m_code;
    std::vector<Kept> m_kept;
    std::set<QString> m_shared;

    bool takeNames(const KernelVariables& after, const PackedRecords& records, WorkspaceState& state, Outcome& outcome);
    bool takeValues(const KernelVariables& after, WorkspaceState& state, std::set<QString>& shared) const;
};

} // namespace stridescope
