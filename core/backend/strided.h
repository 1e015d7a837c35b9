#pragma once
// Strided: one tensor as a kernel sees it, without its storage.

#include "core/dtype/dtype.h"
#include "core/view/view.h"

namespace stridescope {

/// Memory of the kernel's device and the view on it. A plain value: it can wait in a queue.
struct Strided {
    std::byte* base = nullptr; ///< slot 0 of the storage; null: there is no such operand
    View view;
    DType dtype = DType::Float32;

    std::byte* first() const { return base + view.offset * static_cast<Index>(itemSize(dtype)); }
};

} // namespace stridescope
