#pragma once
// What bends numbers below a limit: the element-wise functions that networks use, as torch has them without torch.nn.
//
// Made of other operations, and observed as one. Results are new and lie as element-wise results do.
// Source: PyTorch documentation; results and refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02) for undefined tensors, MemoryError, and ShapeError with PyTorch's
// words:
//   MATH-01  a dtype that it is not computed in      ACT-01  celu: alpha is 0
//   ACT-02   prelu: weights that do not fit the channels
//   ACT-03   prelu: weights of another dtype     FILL-01  a number that the dtype cannot hold

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

namespace stridescope {

/// scale * x above 0, scale * alpha * (e^x - 1) below, with the constants that keep mean 0 and variance 1. float32 and
/// float64.
Tensor selu(const Tensor& t);
const Tensor& selu_(const Tensor& t);
/// x above 0, alpha * (e^(x / alpha) - 1) below. float32 and float64.
Tensor celu(const Tensor& t, double alpha = 1);
const Tensor& celu_(const Tensor& t, double alpha = 1);
/// 0 between -lambda and lambda, both included; NaN stays. float32 and float64.
Tensor hardshrink(const Tensor& t, double lambda = 0.5);
/// `value` where x is not greater than `limit`; NaN stays. Not bool, float16 and complex.
Tensor threshold(const Tensor& t, Scalar limit, Scalar value);
const Tensor& threshold_(const Tensor& t, Scalar limit, Scalar value);
/// x above 0, weight * x below; one weight, or one for each channel: each index of dim 1. float32 and float64.
Tensor prelu(const Tensor& t, const Tensor& weight);

} // namespace stridescope
