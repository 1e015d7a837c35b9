#pragma once
// What a Python script leaves: its tensors in a workspace, without a window.

#include "app/workspace/workspace.h"
#include "widgets/devices/devices_model.h"

#include <QString>

#include <chrono>
#include <optional>

namespace stridescope {

struct ScriptEnd {
    QString error;        ///< Python's traceback, or why there is no Python; empty when all went well
    QString errorCode;    ///< the line of the script that failed; empty where that is not known
    Refusal refusal;      ///< what it was refused for; its id is empty for other exceptions
    RunOutcome outcome;   ///< as a window has it
    DevicesModel devices; ///< as they were when the script and what it gave to devices had ended
};

/// Runs `code`, the text of the script `name`, in a kernel of its own until its end; what it prints goes to stdout and
/// stderr. The workspace gets all tensors that it left under names, also those it left before it failed. After
/// `patience` it is stopped. Needs a QCoreApplication, whose events are handled meanwhile.
ScriptEnd runIntoWorkspace(Workspace& workspace, const QString& code, const QString& name,
                           std::chrono::milliseconds patience);

} // namespace stridescope
