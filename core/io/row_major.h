#pragma once
// Elements of a strided tensor as the plain run of bytes that files hold.

#include "core/io/save_atomically.h"
#include "core/tensor/tensor.h"

namespace stridescope {

/// Writes the elements of `t` in row-major order, in blocks of at most 1 MiB and without a full copy. False when the
/// sink stopped. Precondition: on the CPU.
bool writeRowMajor(const Tensor& t, ByteSink& sink);

} // namespace stridescope
