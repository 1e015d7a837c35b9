#pragma once
// What to do about a name that is not there: which one was meant, or what became of it.

#include "app/workspace/workspace.h"

#include <optional>

namespace stridescope {

/// The name that is missing, of "name 'x' is not defined" or "… has no attribute 'x'"; empty for other words.
QString missingName(const Refusal& refusal);

/// That of `candidates` which is spelt most nearly as `name`; empty when none is near.
QString nearestName(const QString& name, const QStringList& candidates);

struct MissingNameAid {
    QString words;     ///< "x was there until step 4: del x"
    QString label;     ///< of the button: "Go back to before it"
    int position = -1; ///< of the history, to jump to; -1: stay
    QString code;      ///< what stands at the prompt then
};
/// For `code` that was refused because of a name; nothing when nothing is known about it.
std::optional<MissingNameAid> aidForMissingName(const Workspace& workspace, const QString& code,
                                                const RunOutcome& outcome);

} // namespace stridescope
