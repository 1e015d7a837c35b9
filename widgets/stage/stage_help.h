#pragma once
// What F1 says on the stage, and what is told of cells that are not in sight.

#include "widgets/model/snapshot.h"

#include <QPointF>
#include <QString>

namespace stridescope {

class CardLayout;

/// What the stage is, what is picked and how its storage index comes about, and which keys act on it. Plain text.
QString stageHelp(const WorkspaceSnapshot& snapshot, const Selection& selection);

/// How the cells come into sight that the line under `p` says are left out ("… dim 1: at 0 of 0–2"); in coordinates of
/// the card. Empty where there is no such line.
QString leftOutHelp(const CardLayout& card, QPointF p);

} // namespace stridescope
