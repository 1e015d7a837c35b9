#pragma once
// The checks that every view must pass, for the functions that make one.

#include "core/view/view.h"

namespace stridescope {

/// Null when ranks agree, sizes, offset and number of elements are legal and every slot fits 64 bits; then `touched` is
/// the view's reach. Else why not.
std::unique_ptr<Refusal> checkLayout(std::span<const Index> shape, std::span<const Index> stride, Index offset,
                                     Reach& touched);

} // namespace stridescope
