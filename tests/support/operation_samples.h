#pragma once
// What the samples of the operation table are called with.

#include "core/ops/operation_table.h"

#include <vector>

namespace stridescope::test {

/// Inputs of the kind asked for, each in one of several layouts: [case][input].
std::vector<std::vector<Tensor>> operationSamples(SampleInputs inputs, DType dtype);

/// One dtype, one shape, elements that differ by rounding at most; NaN equals NaN.
bool near(const Tensor& a, const Tensor& b);

} // namespace stridescope::test
