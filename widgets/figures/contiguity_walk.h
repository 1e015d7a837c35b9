#pragma once
// The contiguity walk: in which order a view visits its storage cells, where it jumps, which cache lines it touches.

#include "widgets/model/snapshot.h"
#include "widgets/scene/scene.h"

namespace stridescope {

struct WalkFigureInput {
    const TensorEntry* entry = nullptr; ///< not null, defined
    std::optional<View> preview;        ///< instead of the entry's view; may reach outside the storage
    qreal width = 284;
    /// Play the walk up to this position only (from 0); absent: all of it.
    std::optional<Index> upTo;
    /// First storage slot of the window; absent: so that the walk's beginning is seen.
    std::optional<Index> firstSlot;
};

/// When the walk first comes to `slot`: a position from 0; nothing where it does not come there, or too late to be
/// drawn.
std::optional<Index> firstVisit(const View& view, Index slot);

/// Order numbers in a window of the storage, arcs for steps other than 1, an underline for steps of 1, brackets for
/// 64-byte lines, and the counts, marked as a model. Cells are PartKind::LaneCells with the slot as index.
Scene contiguityWalkScene(const WalkFigureInput& input);

} // namespace stridescope
