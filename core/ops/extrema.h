#pragma once
// The largest and smallest elements, and where they are.
//
// NaN wins over every number. Of equal elements the first counts. Results are new and row-major; a reduced dim
// disappears, or stays with size 1 (`keepdim`). Values have the input's dtype, positions are int64.
// Source: PyTorch documentation; behaviour checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, NotImplementedError (DEV-02) off the CPU,
// IndexError (VIEW-01) for a dim out of range and (RED-04) for an empty dim, ShapeError (RED-01) for a dim named twice,
// (RED-03; argmax: IndexError) for all of no elements, (RED-07) for dtypes without order, MemoryError.

#include "core/ops/reduction_types.h"

#include <optional>

namespace stridescope {

/// Of all elements: 0-d.
Tensor max(const Tensor& t);
Tensor min(const Tensor& t);
/// Along one dim, with the positions.
ValuesAndIndices max(const Tensor& t, Index dim, bool keepdim = false);
ValuesAndIndices min(const Tensor& t, Index dim, bool keepdim = false);

/// Over any dims, without positions.
Tensor amax(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false);
Tensor amin(const Tensor& t, const ReduceDims& dims = {}, bool keepdim = false);
struct MinAndMax {
    Tensor min, max;
};
/// Both, over one dim or (absent) all. Not float16.
MinAndMax aminmax(const Tensor& t, std::optional<Index> dim = std::nullopt, bool keepdim = false);

/// Positions along `dim`, or (absent) in the row-major order of all elements. Not bool.
Tensor argmax(const Tensor& t, std::optional<Index> dim = std::nullopt, bool keepdim = false);
Tensor argmin(const Tensor& t, std::optional<Index> dim = std::nullopt, bool keepdim = false);

} // namespace stridescope
