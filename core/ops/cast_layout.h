#pragma once
// Which layout an operand counts with when PyTorch chooses the result's: on the CPU one of another dtype is converted
// before. Internal to core.

#include "core/ops/elementwise_call.h"
#include "core/tensor/tensor.h"

namespace stridescope::elementwise {

/// The layout of `t` converted to `compute`: its own where nothing is converted or the copy keeps it, else that of the
/// copy, in which repeated elements have slots of their own.
inline View castView(const Tensor& t, DType compute) {
    if (t.dtype() == compute || t.view().isDense()) return t.view();
    const View* views[] = {&t.view()};
    return View{t.shape(), resultStrides(t.shape(), views), 0};
}

} // namespace stridescope::elementwise
