#pragma once
// The nearest pair of shapes that does not fit, beside a line whose shapes do: where the rule ends.

#include "core/view/broadcast_alignment.h"
#include "core/view/view.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace stridescope {

struct BroadcastCounterexample {
    std::array<Dims, 2> shapes; ///< of a and b, as they would be written
    Index rank = 0;             ///< of the longer one
    Index dim = 0;              ///< of `rank` dims, where they do not fit
    QString refusal;            ///< PyTorch's words
    QString mend, outcome;      ///< "b.unsqueeze(1)", "(3, 4) and (3, 1) → (3, 4)"; empty where nothing mends it
    /// Size of operand 0 or 1 in a dim of `rank`; nothing where it has no such dim.
    std::optional<Index> size(std::size_t operand, Index d) const;
};

/// Two shapes that broadcast, with one size of the second or, where that is missing, of the first changed by as little
/// as is needed; the dims are tried from the right. Nothing when no dim of both could fail: there is none, or all are
/// 0. Example: (3, 4) and (4,): (3, 4) and (3,).
std::optional<BroadcastCounterexample> broadcastCounterexample(const Dims& a, const Dims& b);

} // namespace stridescope
