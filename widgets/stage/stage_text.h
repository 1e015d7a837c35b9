#pragma once
// Numbers and words of the stage as people read them.

#include "core/view/dims.h"

#include <QCoreApplication>
#include <QString>

namespace stridescope {

/// Most of what the stage says is said by functions, not by objects that have a tr() of their own.
struct StageText {
    Q_DECLARE_TR_FUNCTIONS(StageText)
};

/// "7.5e9": how many, where the digits of all have no room.
QString briefCountText(Index count);
/// "[2, 1]", "[]".
QString coordText(const Dims& coord);

} // namespace stridescope
