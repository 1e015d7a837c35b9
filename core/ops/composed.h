#pragma once
// Operations made of others, for devices whose kernel tables have nothing of their own for them. On the CPU each has a
// loop, with which these agree element by element. The host reads nothing but counts and numbers that are checked.
// Internal to core/ops. They are parts of one operation: callers hold a trace::Nested, and have checked everything.

#include "core/ops/order_statistics.h"
#include "core/ops/sorting.h"
#include "core/tensor/tensor.h"

namespace stridescope::composed {

/// 0, 1, … n - 1; int64. Counted on the device, where arange() would send the numbers.
Tensor positions(Index n, Device device);
/// True where an element along `dim` is the first or not equal (==) to the one before, so at each NaN.
Tensor runStarts(const Tensor& t, Index dim);
/// `made`, which is contiguous, as a row-major result of `shape`.
Tensor inShape(const Tensor& made, const Dims& shape);

// --- Order statistics ---------------------------------------------------------------------------------------------
/// Of lines that have elements. Both results keep `dim` with size 1. As the CPU, also which of equal elements.
ValuesAndIndices median(const Tensor& t, Index dim, bool ignoreNan);
/// As the CPU, but for lines that hold NaN or more than 16 elements: there the order in which std::sort leaves equal
/// elements decides, here it is always the last of them. `dim` becomes the last one, of size 1.
ValuesAndIndices mode(const Tensor& t, Index dim);
/// {.., n} and {k} -> {.., k}: of the lines along the last dim.
Tensor quantiles(const Tensor& t, const Tensor& qs, Interpolation interpolation, bool ignoreNan);

// --- Distinct values ----------------------------------------------------------------------------------------------
UniqueValues unique(const Tensor& t, UniqueOptions options);
UniqueValues uniqueConsecutive(const Tensor& t, UniqueOptions options);
/// Of slices along dim 0, contiguous; anywhere, or (not `sorts`) those that follow one another.
UniqueValues uniqueSlices(const Tensor& slices, UniqueOptions options, bool sorts);

// --- Places ------------------------------------------------------------------------------------------------------
/// {rows, n} and {rows, k} -> {rows, k}, int64: by halves, with the CPU's probes, so that rows which are in no order
/// give the same. `sorter` {rows, n} may be undefined.
Tensor search(const Tensor& sorted, const Tensor& values, const Tensor& sorter, bool right);
/// Contiguous tensors of one dtype.
Tensor isin(const Tensor& elements, const Tensor& values, bool invert);
/// The storage slots of the elements that `index` names in the flat order of `t`, all of which are there.
Tensor slotsOf(const Tensor& t, const Tensor& index);

} // namespace stridescope::composed
