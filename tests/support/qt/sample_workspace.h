#pragma once
// The workspace of the mock-ups, made by hand: q = arange(20), A = q.view(4, 5), B = A.narrow(1, 1, 2), C = B.t(),
// w = C.contiguous().

#include "widgets/model/snapshot.h"

namespace stridescope::test {

inline constexpr TensorId kQ = 1, kA = 2, kB = 3, kC = 4, kW = 5;

/// int64 values first, first + 1, … in a storage of their own.
Tensor counting(Index count, Index first = 0);

SnapshotPtr sampleWorkspace();

} // namespace stridescope::test
