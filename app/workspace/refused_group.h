#pragma once
// Several operands whose sizes do not fit: products, cat and stack, writes that would have to grow their target.

#include "widgets/figures/refusal_figure.h"
#include "widgets/model/snapshot.h"

namespace stridescope {

struct RefusedGroup {
    std::vector<RefusedOperand> operands; ///< as the line has them; none where it does not say which they are
    Index dim = -1;                       ///< of cat: along which they were to be joined
    std::vector<RefusalWay> ways;         ///< at most three; they assign nothing
};

/// What `line` was refused for, where `sizesRefused(refusal)` says that it is about such sizes; found by its operands,
/// wherever in the line they stand.
RefusedGroup refusedGroup(const WorkspaceSnapshot& snapshot, const QString& line, const Refusal& refusal);

} // namespace stridescope
