#pragma once
// One element as short text: what fits into a cell of a picture.

#include "core/dtype/dtype.h"

#include <cstddef>
#include <string>

namespace stridescope {

/// Stands in the text of an element for "…": digits of it are not shown there. One byte, as every sign of that text.
inline constexpr char kDigitsLeftOut = '\x1f';
/// Room for every text of appendElement() that would not be shorter with less.
inline constexpr std::size_t kElementChars = 24;

/// Appends the element at `address` (any alignment) in at most `most` characters, quickly and whatever the locale. A
/// text without kDigitsLeftOut is the value itself: no digit is ever rounded.
/// - bool: "T" or "F" (any byte but 0 is true);
/// - integers: all digits; where they do not fit, the last ones, so that neighbours stay different: "…3453";
/// - floats: of the fewest digits that give the value of that dtype back, all if they are at most 8 characters ("0.1",
///   "15007.5", "1e-07" below 10^-3 and from 10^6 on) or a whole number below 10^8 ("16777216."), else the first ones:
///   "0.3333…",
///   "1.2…e+06"; "inf", "-inf", "nan";
/// - complex: both parts as floats, "1.+2.5j".
/// Where not even one digit fits, the sign for left-out digits alone.
void appendElement(std::string& out, const std::byte* address, DType dtype, std::size_t most = kElementChars);

/// The element in full, as Python shows a single value: "True", "-5", "0.1", "1e-07", "nan". Floats have the fewest
/// digits that give the same value of that dtype back.
std::string elementText(const std::byte* address, DType dtype);

} // namespace stridescope
