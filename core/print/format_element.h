#pragma once
// One element as short text: what fits into a cell of a picture.

#include "core/dtype/dtype.h"

#include <cstddef>
#include <string>

namespace stridescope {

/// Appends the element at `address` (any alignment) in at most 8 characters (9 where an
/// exponent has three digits), quickly and whatever the locale:
/// - bool: "T" or "F" (any byte but 0 is true);
/// - integers: all digits up to 7 characters, else two digits and an exponent, "-1.2e+09";
/// - floats: whole numbers with a point ("2."), others with at most 5 significant digits and no trailing zeros
///   ("1.125", "0.3333"); from 10^6 and below 10^-3 as "3.2e+05"; "inf", "-inf", "nan". A value that was rounded to a
///   whole number keeps no point ("12346" for 12345.6);
/// - complex: both parts as floats, "1.+2.5j", in up to 20 characters.
void appendElement(std::string& out, const std::byte* address, DType dtype);

/// The element in full, as Python shows a single value: "True", "-5", "0.1", "1e-07", "nan". Floats have the fewest
/// digits that give the same value of that dtype back.
std::string elementText(const std::byte* address, DType dtype);

} // namespace stridescope
