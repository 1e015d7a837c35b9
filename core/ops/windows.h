#pragma once
// Window functions: weights that fade out a stretch of a signal at its ends.
//
// {length}, of a float dtype. A periodic window is the first part of a symmetric one that is one longer, as Fourier
// transforms want it: a view of `length` elements of a storage of length + 1. Length 1 gives a 1.
// Source: PyTorch documentation (torch.hann_window and others); values checked against version 1.13.
// Every function @throws ShapeError with PyTorch's words for a negative length (WINDOW-01) and a dtype without
// fractions (WINDOW-02), and as creation.h says.

#include "core/ops/creation.h"

namespace stridescope {

/// A triangle: 0, ..., 1, ..., 0.
Tensor bartlettWindow(Index length, bool periodic = true, TensorOptions options = {});
/// 0.42 - 0.5 cos(x) + 0.08 cos(2 x), x from 0 to 2 pi.
Tensor blackmanWindow(Index length, bool periodic = true, TensorOptions options = {});
/// alpha - beta cos(x).
Tensor hammingWindow(Index length, bool periodic = true, double alpha = 0.54, double beta = 0.46,
                     TensorOptions options = {});
/// (1 - cos(x)) / 2.
Tensor hannWindow(Index length, bool periodic = true, TensorOptions options = {});
/// I0(beta sqrt(1 - x^2)) / I0(beta), x from -1 to 1.
Tensor kaiserWindow(Index length, bool periodic = true, double beta = 12, TensorOptions options = {});

} // namespace stridescope
