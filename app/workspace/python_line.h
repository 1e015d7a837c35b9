#pragma once
// A line that Python carries out on a state of the workspace: what it starts with, and what it leaves.

#include "app/kernel/kernel_values.h"
#include "app/workspace/line_session.h"
#include "core/trace/record_ring.h"

#include <memory>

namespace stridescope {

class PythonLine {
public:
    /// Elements that are kept for undo, of all storages together: copying them takes some milliseconds.
    static constexpr Index kKeptBytes = Index{16} << 20;

    PythonLine(std::shared_ptr<const WorkspaceState> before, TensorId nextId, const QString& code);

    /// The tensors that Python must have under their names, and no others.
    KernelBindings bindings() const;
    const QString& code() const { return m_code; }

    struct Outcome {
        std::optional<LineSession::Change> change; ///< nothing: the state is as it was
        std::set<quint64> written;                 ///< storages whose elements are others now
        std::vector<TensorId> made;
        TensorId nextId = 0;
    };
    /// What the line left, however it ended: `after` is the kernel's last listing, `records` its operations.
    Outcome finish(const KernelVariables& after, const std::vector<RingRecord>& records);

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
};

} // namespace stridescope
