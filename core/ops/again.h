#pragma once
// Operations carried out once more by their record: those that the line language does not have, and those of which only
// Python can name the results.

#include "core/trace/op_record.h"

#include <optional>
#include <span>
#include <vector>

namespace stridescope {

/// What the operation of `record` makes of `inputs`, one tensor for each output. Nothing for operations that are not
/// known here: those that sort, find extrema, order statistics and distinct values, accumulate along a dim, add up,
/// multiply matrices, and linear algebra are.
/// Publishes its own record. @throws what the operation throws.
std::optional<std::vector<Tensor>> carriedOutAgain(const OpRecord& record, std::span<const Tensor> inputs);

} // namespace stridescope
