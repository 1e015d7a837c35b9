#pragma once
// Direct manipulation as pure functions: from what was dragged to the line of code that does it, and the view that it
// would make or the reason why not. Every gesture is also a typed line.

#include "widgets/model/snapshot.h"

#include <QString>

namespace stridescope {

struct GestureResult {
    QString code; ///< empty: the drag means nothing (yet)
    std::optional<View> view;
    std::optional<Refusal> refusal;
    bool legal() const { return view && !refusal; }
};

/// One dim of a dragged box: `first` … `last` inclusive, in visiting direction or not. Ends may lie outside the size.
struct BoxRange {
    Index first = 0, last = 0;
    bool select = false; ///< the dim disappears: it is shown at one index only
    bool whole = false;  ///< the box has no edges along this dim: all of it is kept, without steps
};

/// Part of `entry`. One narrowed dim: "A.narrow(1, 1, 2)"; several, or a step: "A[1:3, 0:2]", "A[::2]"; ends outside
/// the size: a chain of narrows, refused as such. The whole tensor gives no code.
GestureResult boxGesture(const TensorEntry& entry, std::vector<BoxRange> box, Index step = 1);

/// Dim `from` dropped on dim `to`: "A.t()" for two dims, else "A.transpose(0, 2)"; with `shift` the dims between move
/// up: "A.permute(2, 0, 1)".
GestureResult dimGesture(const TensorEntry& entry, int from, int to, bool shift);

/// Far edge of `dim` pulled to `size` cells: "A.expand(3, 4)" to grow, "A.narrow(0, 0, 2)" to shrink.
GestureResult farEdgeGesture(const TensorEntry& entry, int dim, Index size);
/// Near edge of `dim` pushed inwards by `start` cells: "A.narrow(0, 1, 3)". Negative on dim 0: that many copies in
/// front as a new dim, "A.expand(3, 4, 2)".
GestureResult nearEdgeGesture(const TensorEntry& entry, int dim, Index start);

/// Offset flag planted on `slot`: "B.as_strided((4, 2), (5, 1), 3)".
GestureResult offsetGesture(const TensorEntry& entry, Index slot);

/// "B[2, 1] = 7"; "s.fill_(7)" for a tensor without dims.
QString assignCode(const TensorEntry& entry, const Dims& coord, const QString& value);

} // namespace stridescope
