#pragma once
// Broadcasting: right-alignment of shapes with one verdict per dim.

#include "core/view/view.h"

#include <span>
#include <vector>

namespace stridescope {

/// How one operand meets one dim of the result.
enum class DimMatch : std::uint8_t {
    Equal,    ///< its size is the result's
    Repeated, ///< its size is 1 and is stretched
    Missing,  ///< it has no such dim; counts as 1
    Conflict, ///< its size is neither 1 nor the result's
};

struct BroadcastPlan {
    Dims shape;                               ///< sizes of the result; of a conflicting dim, the first operand's
    std::vector<std::vector<DimMatch>> match; ///< [operand][result dim]
    std::optional<Index> conflictDim;         ///< the last (rightmost) dim that conflicts: PyTorch names that one
    bool ok() const { return !conflictDim; }
};

/// Aligns any number of shapes at the right. Never refuses: a conflict is part of the answer.
BroadcastPlan broadcastPlan(std::span<const Dims> shapes);
/// The result shape, or PyTorch's refusal ("The size of tensor a (2) must match the size of tensor b (3) at
/// non-singleton dimension 1") with BroadcastConflict.
Result<Dims> broadcastShapes(const Dims& a, const Dims& b);

} // namespace stridescope
