#pragma once
// Sorting and what follows from it: order, extremes, distinct values, counts.
//
// All real dtypes (also float16 and bool where PyTorch 1.13 has no kernel for them); strided inputs are read as they
// lie. NaN counts as greater than every number, -0 and 0 as equal. Every order here is stable: of equal elements the
// one with the lower index comes first, where PyTorch promises nothing unless asked. All devices.
// Source: PyTorch documentation; results and refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, DeviceError (DEV-03), NotImplementedError
// (DEV-02) for a device that cannot, IndexError (VIEW-01) for a dim that is not there, MemoryError, and ShapeError
// with PyTorch's words:
//   SORT-01  a dtype without order, or that is not counted     SORT-04  searchsorted: shapes or dtypes that do not fit
//   SORT-02  topk, kthvalue: k outside of the dim              SORT-05  bincount: not 1-d, negative, other weights
//   SORT-03  kthvalue of a dim without elements (Index)        SORT-06  histc: bins, or a range that is none
//   SORT-07  uniqueAlong of slices without elements

#include "core/ops/pointwise_math.h"
#include "core/ops/reduction_types.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope {

/// The slices along `dim` in order; laid out as clone() lays out.
ValuesAndIndices sort(const Tensor& t, Index dim = -1, bool descending = false);
/// The indices alone.
Tensor argsort(const Tensor& t, Index dim = -1, bool descending = false);
/// The k largest (or smallest) along `dim`, in order; contiguous.
/// Of equal elements those, and in that order, that PyTorch's algorithm leaves (OrderArgs::stable); not `sorted`: all
/// in the order that selecting them leaves.
ValuesAndIndices topk(const Tensor& t, Index k, Index dim = -1, bool largest = true, bool sorted = true);
/// The k-th smallest, k from 1; the dim disappears, or becomes 1.
ValuesAndIndices kthvalue(const Tensor& t, Index k, Index dim = -1, bool keepdim = false);

struct UniqueOptions {
    bool inverse = false, counts = false;
};
/// inverse: of the input's shape, the position of each element among the values; counts: how often each value comes.
/// Those that were not asked for are undefined.
struct UniqueValues {
    Tensor values, inverse, counts;
};
/// {n}: the distinct values in ascending order. Each NaN is a value of its own, as NaN differs from NaN.
UniqueValues unique(const Tensor& t, UniqueOptions options = {});
/// Slices along `dim` that are distinct, in lexicographic order of their elements (`dim` and the first dim exchanged);
/// inverse and counts go along the dim. The values are a transposed view of a new tensor, as in PyTorch.
UniqueValues uniqueAlong(const Tensor& t, Index dim, UniqueOptions options = {});
/// Drops elements that are equal to the one before, in row-major order; with `dim` slices.
UniqueValues uniqueConsecutive(const Tensor& t, UniqueOptions options = {}, std::optional<Index> dim = std::nullopt);

/// Is each element one of `values`? NaN is none; dtypes promote. Integers and floats.
Tensor isin(const MathInput& elements, const MathInput& values, bool invert = false);

struct SearchOptions {
    bool right = false; ///< behind equal elements, not before
    bool int32 = false; ///< of the result
};
/// For each value the place in `sorted` before which it belongs. `sorted` is 1-d, or has the dims of `values` but for
/// the last. `sorter`: int64 indices that put `sorted` in order.
Tensor searchsorted(const Tensor& sorted, const Tensor& values, SearchOptions options = {}, const Tensor& sorter = {});
Tensor searchsorted(const Tensor& sorted, Scalar value, SearchOptions options = {});
/// searchsorted with 1-d boundaries.
Tensor bucketize(const Tensor& values, const Tensor& boundaries, SearchOptions options = {});

/// {max + 1, at least minLength}: how often each number comes in a 1-d tensor of integers that are not negative; int64.
Tensor bincount(const Tensor& t, Index minLength = 0);
/// The sum of the weights of each number; float32 or float64.
Tensor bincount(const Tensor& t, const Tensor& weights, Index minLength = 0);
/// Counts in `bins` intervals of equal width from min to max (both 0: of the elements), the last one closed. float32
/// and float64; the result has that dtype.
Tensor histc(const Tensor& t, Index bins = 100, Scalar min = 0, Scalar max = 0);

} // namespace stridescope
