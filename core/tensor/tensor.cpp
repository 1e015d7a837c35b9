#include "core/tensor/tensor.h"

namespace stridescope {

Result<Tensor> Tensor::fromStorage(StoragePtr storage, View view, DType dtype) {
    if (!storage) {
        return Refusal{ErrorKind::Value,
                       "TENSOR-01",
                       "a tensor needs a storage, and there is none",
                       "Make one with empty, zeros or tensor.",
                       {}};
    }
    auto legal = makeView(view.shape, view.stride, view.offset);
    if (!legal) return legal.takeRefusal();
    const auto slots = static_cast<Index>(storage->bytes() / stridescope::itemSize(dtype));
    auto inside = checkInBounds(*legal, slots);
    if (!inside) return inside.takeRefusal();
    return Tensor(std::move(storage), std::move(*std::move(legal)), dtype);
}

void requireInside(const Tensor& t) {
    if (!t.defined()) return;
    const auto inside = checkInBounds(t.view(), t.storageNumel());
    if (!inside) throwRefusal(inside.refusal());
}

} // namespace stridescope
