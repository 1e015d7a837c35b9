#pragma once
// The plain way through a view, for code where clearness counts more than speed.

#include "core/view/view.h"

#include <type_traits>

namespace stridescope {

/// Calls `f(slot)` for every element of `v` in row-major order; an `f` that returns bool ends the walk with false.
template <class F>
void forEachSlot(const View& v, F&& f) {
    for (const Index size : v.shape) {
        if (size == 0) return;
    }
    Dims coord(v.shape.size(), 0);
    Index slot = v.offset;
    for (;;) {
        if constexpr (std::is_same_v<decltype(f(slot)), bool>) {
            if (!f(slot)) return;
        } else {
            f(slot);
        }
        std::size_t d = v.shape.size();
        for (; d > 0; --d) {
            if (++coord[d - 1] < v.shape[d - 1]) {
                slot += v.stride[d - 1];
                break;
            }
            slot -= v.stride[d - 1] * (v.shape[d - 1] - 1);
            coord[d - 1] = 0;
        }
        if (d == 0) return;
    }
}

} // namespace stridescope
