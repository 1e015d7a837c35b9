#pragma once
// Histograms: how many elements, or how much weight, fall between edges.
//
// A bin takes what is not below its lower and below its upper edge; the last one its upper edge, too, and NaN, as
// PyTorch has it. What lies outside is left out. Counts have the input's dtype, float32 or float64. Source: PyTorch
// documentation (torch.histogram); behaviour checked against version 1.13. Every function @throws ValueError
// (TENSOR-02); NotImplementedError (DEV-02) for a device that cannot; ShapeError with PyTorch's words for
//   HIST-01  another dtype                             HIST-04  weights of another shape or dtype
//   HIST-02  bins or edges that are none               HIST-05  points without coordinates, or another number of bins
//   HIST-03  a range that is none, or not finite

#include "core/tensor/tensor.h"

#include <optional>
#include <span>
#include <vector>

namespace stridescope {

struct HistogramOptions {
    Tensor weights;       ///< undefined: each element counts 1
    bool density = false; ///< divided by the sum and by the bins' widths, so that the whole is 1
};
struct Histogram {
    Tensor counts, edges; ///< {bins}, {bins + 1}
};
/// Of all elements, in bins of one width over `range` {least, greatest}; absent: from the least to the greatest
/// element.
Histogram histogram(const Tensor& t, Index bins, const std::optional<std::vector<double>>& range = {},
                    const HistogramOptions& options = {});
/// Between given edges, a vector of t's dtype.
Histogram histogram(const Tensor& t, const Tensor& edges, const HistogramOptions& options = {});

struct HistogramOfPoints {
    Tensor counts; ///< {bins of the first coordinate, bins of the second, ...}
    std::vector<Tensor> edges;
};
/// {..., d}: of points in d dimensions; `bins` for each of them, `range` {least, greatest, least, greatest, ...},
/// weights {...}.
HistogramOfPoints histogramOfPoints(const Tensor& t, const Dims& bins,
                                    const std::optional<std::vector<double>>& range = {},
                                    const HistogramOptions& options = {});
HistogramOfPoints histogramOfPoints(const Tensor& t, const std::vector<Tensor>& edges,
                                    const HistogramOptions& options = {});

} // namespace stridescope
