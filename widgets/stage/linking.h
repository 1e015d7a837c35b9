#pragma once
// Which cells belong together: from a pick to coords, hops and words. Pure.

#include "widgets/card/card_layout.h"
#include "widgets/model/seen_pick.h"

#include <QString>

#include <optional>
#include <vector>

namespace stridescope {

struct StagePlan;

/// One arch over or under the strip: `count` steps of `stride` along `dim`, from slot `from` to slot `to`.
struct Hop {
    Index from = 0, to = 0;
    int dim = 0;
    Index count = 1;
    friend bool operator==(const Hop&, const Hop&) = default;
};
/// The walk to `coord`: from slot `offset`, coord[0] steps of stride 0, then coord[1] of stride 1, and so on. Steps of
/// stride 0 go nowhere and are left out. A dim with more than `single` steps makes one arch with a count.
/// The last hop ends in view.slot(coord).
std::vector<Hop> hopsTo(const View& view, const Dims& coord, Index single = 6);
/// One step in each dim from the first element: the strides where no walk is shown.
std::vector<Hop> firstHops(const View& view);

/// The steps of stride 0 of the walk to `coord`, or of one step in each dim from the first element: each begins and
/// ends in the cell where the walk stands then.
std::vector<Hop> restingHops(const View& view, const std::optional<Dims>& coord);

/// "B[2, 1] = 12   storage #1, index 12, bytes 96–103   ·   the same cell: q[12], A[2, 2], C[1, 2]"; empty without a
/// pick. Hidden tensors count too. `formula`: the index with what makes it up, "index 0 + 2·5 + 2·1 = 12".
QString statusText(const WorkspaceSnapshot& snapshot, const Selection& selection, bool formula = false);
/// Whether the picked tensor's card has no room for the formula, so that the status line tells it.
bool formulaInStatus(const StagePlan& plan, const Selection& selection);

/// Value of a slot as a cell shows it, or why it cannot be read.
QString slotValueText(const Tensor& tensor, Index slot);

/// What a screen reader says about a cell: "A row 2 column 1, value 9, storage index 9". Rows, columns and colours are
/// what they are on `card`.
QString cellDescription(const TensorEntry& entry, const Dims& coord, const CardLayout& card);

/// Where the other colours of a pixel are stored that is picked on a card which shows colours; empty for other picks.
std::vector<Index> otherColours(const StagePlan& plan, const Pick& pick);

} // namespace stridescope
