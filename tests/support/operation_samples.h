#pragma once
// What the samples of the operation table are called with.

#include "core/ops/operation_table.h"

#include <vector>

namespace stridescope::test {

/// How the inputs lie in memory.
enum class SampleLayouts : std::uint8_t {
    Few, ///< contiguous, with gaps behind an offset, transposed
    Zoo, ///< also with rows apart, negative strides, odd strides of size-1 dims, repeated and overlapping elements; and
         ///< for operations that take anything, each layout of the view zoo
};
/// Inputs of the kind asked for, each in one of those layouts: [case][input].
std::vector<std::vector<Tensor>> operationSamples(SampleInputs inputs, DType dtype,
                                                  SampleLayouts which = SampleLayouts::Few);

/// One dtype, one shape, elements that differ by rounding at most; NaN equals NaN.
bool near(const Tensor& a, const Tensor& b);

} // namespace stridescope::test
