#pragma once
// Floats as Python writes them.

#include "core/dtype/half.h"

#include <string>

namespace stridescope {

/// Python's repr of a float: the fewest digits that read back as the same value of the type, "1.0", "1e+16", "1e-05",
/// "inf", "nan". Whole numbers below 1e16 have all their digits: the float32 123456792 is "123456792.0", as in Python.
std::string shortestText(double value);
std::string shortestText(float value);
std::string shortestText(Half value);

} // namespace stridescope
