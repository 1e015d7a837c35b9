#pragma once
// What a view touches of its storage: shares of it, single slots, and the runs of neighbours that it lies in.

#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace stridescope {

/// How much of each part of the storage a view names, from 0 to 1; parts are of equal length.
std::vector<double> coverageOf(const Tensor& view, std::size_t parts, Index most = 300'000);
/// The channel (index of the third dim from the end, 0 for fewer dims) of whatever of `view` lies at each of `count`
/// slots from `first` on; nothing where nothing does.
std::vector<std::optional<Index>> channelsAt(const Tensor& view, Index first, Index count);

/// Which slots a view names, for asking often: by dividing, where its strides allow for it.
class SlotSet {
public:
    SlotSet() = default;
    explicit SlotSet(const View& view);
    bool holds(Index slot) const;

private:
    struct Step {
        Index stride, size;
    };
    View m_view;
    Index m_lowest = 0;
    bool m_empty = true, m_divides = true;
    std::vector<Step> m_steps; ///< by falling strides
};

/// In how many runs of neighbouring slots a view lies, and how many cache lines of 64 B it touches: a model, not a
/// measurement. `counted` false: more runs than `most`, lines are not counted.
struct TouchedRuns {
    Index runs = 0, length = 0;
    Index every = 0; ///< slots from the beginning of a run to that of the next one, at the least; 0: there is one run
    Index lines = 0, linesInAll = 0;
    bool counted = false;
};
TouchedRuns runsOf(const Tensor& view, Index most = 300'000);
/// The same of a view on a storage of `slotCount` slots of `item` bytes.
TouchedRuns runsOf(const View& view, Index item, Index slotCount, Index most = 300'000);

/// What would be touched of a contiguous copy of `whole`: whole channels of each picture.
struct CopiedRuns {
    Index channels = 0, plane = 0; ///< of `whole`; values of one channel of one picture
    Index from = 0, count = 0;     ///< channels that are touched
    TouchedRuns runs;
};
/// Nothing where `whole` is contiguous, so that a copy lies as it does, or where `touched` is no run of whole channels.
std::optional<CopiedRuns> runsIfCopied(const Tensor& whole, const Tensor& touched);

} // namespace stridescope
