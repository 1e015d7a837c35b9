#pragma once
// What joining, repeating and reordering share. Internal to core/ops.

#include "core/ops/elementwise_call.h"
#include "core/ops/observed_call.h"
#include "core/view/view_ops.h"

#include <string>

namespace stridescope::joining {

[[noreturn]] inline void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

inline Tensor newContiguous(const Dims& shape, DType dtype, Device device) {
    const View layout = contiguousView(shape).valueOrThrow();
    return elementwise::newResult(layout.shape, layout.stride, dtype, device);
}

inline void requireDims(const Tensor& t, Index dim) {
    if (t.dim() == 0)
        throwRefusal({ErrorKind::Index, "VIEW-02",
                      "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions",
                      "unsqueeze(0) gives it one.", DimOutOfRange{dim, 0}});
}

/// `make` (() -> Tensor) makes a new tensor of `t`: one observed operation.
template <class Make>
Tensor rearranged(const char* name, const Tensor& t, Make make, const std::string& arguments) {
    elementwise::requireDefined(t, name);
    return observed::newTensors(
        name, [&] { return observed::Inputs{&t}; }, make, [&] { return arguments; });
}

} // namespace stridescope::joining
