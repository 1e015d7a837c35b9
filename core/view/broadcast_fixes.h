#pragma once
// What mends a broadcast that fails: views of one operand that make the two shapes fit.

#include "core/view/view.h"

#include <vector>

namespace stridescope {

enum class BroadcastFixKind : std::uint8_t {
    Unsqueeze, ///< unsqueeze(arguments[0])
    Transpose, ///< t()
    Narrow,    ///< narrow(arguments[0], 0, arguments[1]): the first elements only
    View,      ///< view(arguments), or reshape where these strides cannot express it
};

/// One operand, changed so that both fit.
struct BroadcastFix {
    int operand = 0; ///< 0: a, 1: b
    BroadcastFixKind kind = BroadcastFixKind::Unsqueeze;
    Dims arguments;
    bool copies = false; ///< View only: needs reshape, which copies here
    Dims shape;          ///< of the mended operand
    Dims result;         ///< of the operation
};

/// Ways to mend `a op b` where broadcastShapes refuses, best first: no new dim in the result before a grown result,
/// a change of one dim before one of several, nothing lost before a narrowed operand. At most `limit`; empty when the
/// shapes fit already. There is always one, unless the result would have more than kMaxDims dims or 2^63 elements.
/// Example: (3, 4) and (3,): unsqueeze(1) of b, with the result (3, 4).
std::vector<BroadcastFix> broadcastFixes(const View& a, const View& b, std::size_t limit = 3);

} // namespace stridescope
