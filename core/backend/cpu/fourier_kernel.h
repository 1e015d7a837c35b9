#pragma once
// Fourier transforms of rows with what makes results of them: noise away, scaled, completed by conjugates.

#include "core/backend/linalg_args.h"

namespace stridescope::cpu {

void fourier(const FourierArgs& args);

} // namespace stridescope::cpu
