#pragma once
// The one way from a refused line to its picture, for window and files: the operation that was refused, with what it
// was given, whether that has a name, is one of a function's, or stands in the middle of a line.

#include "app/workspace/refusal_input.h"

#include <utility>

namespace stridescope {

struct RefusedPicture {
    /// The tensors of the workspace, and behind them those that the operation was given besides.
    SnapshotPtr snapshot;
    SnapshotPtr shown;  ///< the same, called as the code has them: "x.t()"
    QString line;       ///< the operation, by the names of `snapshot`
    RunOutcome outcome; ///< its source is the tensor of `snapshot` that was asked
    /// What some names of `snapshot` stand for in the code.
    std::vector<std::pair<QString, QString>> names;
    TensorId ofWorkspace = 0; ///< the workspace's own tensor that it is about, or that this one was made from
    /// In a function, or after statements that were refused with it: its ways out are no lines of the workspace.
    bool isElsewhere = false;

    /// `text` as the code has it.
    QString asCode(QString text) const;
};

/// Absent where no tensor is known that was asked.
std::optional<RefusedPicture> refusedPicture(const SnapshotPtr& now, const QString& line, const RunOutcome& outcome);
/// Whether it has a picture of its own, or at least ways out.
bool hasPicture(const RefusedPicture& picture);
/// As refusalInput() of a line. The entries point into `picture`.
RefusalFigureInput refusalInput(const RefusedPicture& picture, qreal width, qreal height = 0);

} // namespace stridescope
