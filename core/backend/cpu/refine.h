#pragma once
// What is read off LU factors, and solutions to the last digit (core/backend/loop), on the CPU.

#include "core/backend/linalg_args.h"

namespace stridescope::cpu {

void luDeterminant(const LinalgArgs& args);
void luLogDeterminant(const LinalgArgs& args);
void luExchanges(const LinalgArgs& args);
void refineSystem(const LinalgArgs& args);
/// Stops at the first matrix that has no factor.
void refineLeastSquares(const LinalgArgs& args);

} // namespace stridescope::cpu
