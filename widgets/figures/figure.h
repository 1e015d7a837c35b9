#pragma once
// What every explaining figure is: a scene whose buttons stand for lines of code.

#include "widgets/scene/scene.h"

#include <QString>

#include <vector>

namespace stridescope {

struct Figure {
    Scene scene;
    /// Line that button i (PartKind::Button, index i) stands for.
    std::vector<QString> codes;
    /// PartKind::Message, index 0: the cross that closes the explanation.
    QString sentence; ///< the reason in one sentence, for the status bar and screen readers
};

/// "y.view(2, 6)" from its parts.
QString callCode(const QString& name, const QString& method, const Dims& numbers);
/// "+4", "−7", "0": a step with its sign, with a true minus.
QString stepText(Index step);
/// "96 B", "4.19 MB": as core words them.
QString bytesText(Index bytes);

} // namespace stridescope
