#pragma once
// Reads shapes and index expressions as people type them.

#include "core/view/view.h"

#include <string_view>

namespace stridescope {

/// "2, 3", "(2,3)", "[2, 3]", "2 x 3", "5", "()" -> sizes; the empty text is the empty shape.
/// Refusals are of kind Value and carry the place: InputPosition counts characters from 0, the words count from 1
/// ("expected a number at position 5"). A list may end in a comma, as Python's "(5,)".
/// Only ASCII digits; -1 only when `allowInfer`; numbers beyond 64 bits are refused as such. Limit kMaxDims numbers.
Result<Dims> parseShape(std::string_view text, bool allowInfer = false);
/// As parseShape for strides or any integers: negative numbers are allowed.
Result<Dims> parseIntegers(std::string_view text);

} // namespace stridescope
