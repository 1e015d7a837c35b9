#pragma once
// Ways out of a refusal that the refused line itself suggests: the same line with one number or one operand mended.

#include "widgets/figures/refusal_figure.h"
#include "widgets/model/snapshot.h"

namespace stridescope {

/// The operands whose sizes do not fit in `line`, as it names them: two, or none where the line does not say which they
/// are ("A + B": A and B; "A.expand_as(B)": A and B; "A.expand(3, 5)": A alone).
std::vector<RefusedOperand> refusedOperands(const WorkspaceSnapshot& snapshot, const QString& line,
                                            const BroadcastConflict& conflict);

/// Lines that do something close to what `line` wanted, most likely first, at most three. `asked` is the tensor that
/// refused. They are made from sizes and strides alone and assign nothing.
std::vector<RefusalWay> waysOut(const WorkspaceSnapshot& snapshot, const TensorEntry& asked, const QString& line,
                                const Refusal& refusal);

} // namespace stridescope
