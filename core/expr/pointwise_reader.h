#pragma once
// Reads a line as the tree of a PointwiseProgram: which operations it has, and of which tensors and numbers. Nothing of
// the tree is computed here. Internal to core/expr.

#include "core/expr/pointwise_program.h"

namespace stridescope::expr {

struct PointwiseTree {
    PointwiseProgram program; ///< its operations have no values yet
    bool out = false;         ///< the last operation writes to an out=
    double elements = 0;      ///< that were made or moved for its operands
};

/// Carries out all statements but the last one, of which the tree is made, in `environment`.
/// @throws Error as pointwiseProgram() refuses.
PointwiseTree readPointwise(std::string_view line, const Program& program, Environment& environment, bool dryRun);

} // namespace stridescope::expr
