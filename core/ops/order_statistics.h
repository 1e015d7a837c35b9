#pragma once
// What follows from the order of the elements: median, mode, quantiles.
//
// Results are new and row-major; the reduced dim disappears, or stays with size 1 (`keepdim`).
// Source: PyTorch documentation; behaviour checked against version 1.13, positions of equal elements included.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, NotImplementedError (DEV-02) for a device that
// cannot, IndexError (VIEW-01) for a dim out of range and (RED-04) for an empty dim, ShapeError (RED-07) for dtypes
// that PyTorch has no kernel for, MemoryError. With a tensor q also DeviceError (DEV-03).

#include "core/ops/reduction_types.h"

#include <optional>
#include <string_view>

namespace stridescope {

/// The lower of the two middle elements; NaN if there is one. Of no elements NaN (as the dtype holds it). Not float16,
/// bool and complex.
Tensor median(const Tensor& t);
ValuesAndIndices median(const Tensor& t, Index dim, bool keepdim = false);
/// Of what is not NaN; NaN only where there is nothing else.
Tensor nanmedian(const Tensor& t);
ValuesAndIndices nanmedian(const Tensor& t, Index dim, bool keepdim = false);

/// The most frequent element, of several the least, and where one of it is. Each NaN counts for itself. Not complex.
ValuesAndIndices mode(const Tensor& t, Index dim = -1, bool keepdim = false);

/// What lies between two elements of the sorted line.
enum class Interpolation : std::uint8_t { Linear, Lower, Higher, Midpoint, Nearest };
/// "linear", "lower", … @throws ShapeError (RED-08).
Interpolation interpolationFromName(std::string_view name);

/// The element at q * (n - 1) of each sorted line; of everything if `dim` is absent. NaN if there is one.
/// @throws ShapeError (RED-08) unless t is float32 or float64, has elements and 0 <= q <= 1.
Tensor quantile(const Tensor& t, double q, std::optional<Index> dim = std::nullopt, bool keepdim = false,
                Interpolation interpolation = Interpolation::Linear);
/// The same for several q (0-d or 1-d, t's dtype); a 1-d q becomes the first dim of the result.
Tensor quantile(const Tensor& t, const Tensor& q, std::optional<Index> dim = std::nullopt, bool keepdim = false,
                Interpolation interpolation = Interpolation::Linear);
/// Of what is not NaN.
Tensor nanquantile(const Tensor& t, double q, std::optional<Index> dim = std::nullopt, bool keepdim = false,
                   Interpolation interpolation = Interpolation::Linear);
Tensor nanquantile(const Tensor& t, const Tensor& q, std::optional<Index> dim = std::nullopt, bool keepdim = false,
                   Interpolation interpolation = Interpolation::Linear);

} // namespace stridescope
