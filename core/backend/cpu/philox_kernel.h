#pragma once
// The CPU's entry of the kernel table for random numbers (see philox_kernel.cpp).

#include "core/backend/random_args.h"

namespace stridescope::cpu {

std::uint64_t philoxKernel(const RandomArgs& args);
/// What it returns, without drawing.
std::uint64_t philoxAdvance(const RandomArgs& args);

} // namespace stridescope::cpu
