#pragma once
// What the linear algebra operations check before they touch LAPACK. Internal to core/ops.

#include "core/backend/cpu/lapack.h"
#include "core/tensor/tensor.h"

#include <string>

namespace stridescope::linalg {

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {});

/// Defined, on the CPU, two dims at least, float or complex. `operation` as PyTorch writes it, "linalg.inv".
void requireMatrices(const char* operation, const Tensor& a);
void requireSquare(const char* operation, const Tensor& a);
/// LAPACK's iterative routines need finite numbers. PyTorch's words, LINALG-10.
void requireFinite(const char* operation, const Tensor& a);
/// "(Batch element 1): " for a tensor with batch dims, else empty.
std::string batchText(const Tensor& a, const cpu::LapackInfo& info);
/// The dims before the last two.
Dims batchOf(const Tensor& a);

} // namespace stridescope::linalg
