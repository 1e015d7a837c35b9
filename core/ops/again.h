#pragma once
// Operations that sort and choose, carried out once more by their record: what only Python could name of them.

#include "core/trace/op_record.h"

#include <optional>
#include <span>
#include <vector>

namespace stridescope {

/// What the operation of `record` makes of `inputs`, one tensor for each output. Nothing for operations that are not
/// known here: those that sort, find extrema and order statistics, accumulate along a dim, or find distinct values are.
/// Publishes its own record. @throws what the operation throws.
std::optional<std::vector<Tensor>> carriedOutAgain(const OpRecord& record, std::span<const Tensor> inputs);

} // namespace stridescope
