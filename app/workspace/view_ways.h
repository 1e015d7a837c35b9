#pragma once
// The part of the ways out of a refusal that needs one tensor alone; refusal_ways.h has the whole.

#include "widgets/figures/refusal_figure.h"
#include "widgets/model/snapshot.h"

namespace stridescope {

/// More would not be read.
inline constexpr std::size_t kMostWays = 3;

/// Of a line that asked `asked` for a view, or for sizes, that it cannot have; empty for all other refusals.
std::vector<RefusalWay> viewWays(const TensorEntry& asked, const QString& line, const Refusal& refusal);

} // namespace stridescope
