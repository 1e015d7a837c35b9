#pragma once
// StepHistory: lists of steps that were there before, for Undo and Redo. A slider's way is one change.

#include "app/images/image_chain.h"

#include <optional>
#include <vector>

namespace stridescope {

class StepHistory {
public:
    using Steps = std::vector<ChainStep>;
    void clear() { *this = {}; }
    void record(const Steps& before, const Steps& after);
    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }
    /// The list before the last change; `now` is what can be had again.
    Steps undo(const Steps& now);
    Steps redo(const Steps& now);

private:
    std::vector<Steps> m_past, m_future;
    std::optional<std::size_t> m_sliding; ///< the step whose numbers alone the last change was of
};

} // namespace stridescope
