#pragma once
// The elements that a print-out shows, collected before any text is made.

#include "core/tensor/tensor.h"

#include <variant>
#include <vector>

namespace stridescope {

/// Which part of each dim is shown: everything, or `edge` elements at both ends.
struct ShownPart {
    Dims shape;            ///< elements shown along each dim
    std::vector<bool> cut; ///< [dim]: elements between the two ends are left out
    Index edge = 0;
};

/// Summarised tensors are cut in every dim longer than 2 * edge. Whether one summarises is for the caller to say.
ShownPart shownPart(const Dims& shape, bool summarize, Index edge);

/// The values shown, row-major over ShownPart::shape: doubles for float dtypes, pairs of them for complex ones, else
/// integers (bool: 0 or 1).
/// To be moved, not copied: see NestedList for what libstdc++ 12 does when the copy of such a variant fails.
using ShownValues = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<Complex<double>>>;
ShownValues gatherShown(const Tensor& t, const ShownPart& part);

} // namespace stridescope
