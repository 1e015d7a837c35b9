#pragma once
// Reads shapes and index expressions as people type them.

#include "core/view/view.h"

#include <string_view>

namespace stridescope {

/// "2, 3", "(2,3)", "[2, 3]", "2 x 3", "5", "()" -> sizes; the empty text is the empty shape.
/// Refusals carry the character position (InputPosition) and words: "expected a number at position 5".
/// Only ASCII digits; -1 only when `allowInfer`; numbers beyond 64 bits are refused as such. Limit kMaxDims numbers.
Result<Dims> parseShape(std::string_view text, bool allowInfer = false);
/// As parseShape for strides or any integers: negative numbers are allowed.
Result<Dims> parseIntegers(std::string_view text);

} // namespace stridescope
