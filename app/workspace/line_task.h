#pragma once
// One line on its way: prepared and taken in by the workspace's thread, carried out in any.

#include "app/workspace/line_session.h"

namespace stridescope {

struct LineTask {
    /// `locked`: storages that must not be written to now.
    LineTask(const WorkspaceState& state, TensorId nextId, const QString& line, const RunAs& how,
             const std::set<quint64>& locked);

    /// Runs all statements, or brings everything back that they overwrote. Never throws. Touches no QObject.
    void carryOut();

    QString line;
    RunAs how;
    LineSession session;
    RunOutcome outcome; ///< filled in by carryOut(); ok when nothing was refused
};

} // namespace stridescope
