#pragma once
// The fixes of a line whose sizes do not fit, as lines.

#include "widgets/broadcast/broadcast_model.h"

namespace stridescope {

struct BroadcastFix;

/// ".unsqueeze(1)": what a fix calls on its operand.
QString mendMethod(const BroadcastFix& fix);
/// Lines that differ from the model's in one operand, best first, at most three; each was computed and works. Empty
/// where the line works, or where nothing mends it.
std::vector<BroadcastMend> broadcastMends(const BroadcastModel& model, expr::Environment& environment);

} // namespace stridescope
