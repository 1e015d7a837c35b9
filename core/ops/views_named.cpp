// Views by NumPy's names: splits along the first three dims, at least so many dims, one shape for all.

#include "core/ops/joining.h"
#include "core/ops/joining_call.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "core/view/broadcast.h"

namespace stridescope {

using joining::refuse;
using observed::Inputs;

namespace {

/// `dim`, or the only one there is where `least` dims are enough.
Index checkedDim(const char* name, const Tensor& t, Index least, Index dim) {
    elementwise::requireDefined(t, name);
    if (t.dim() < least)
        refuse("JOIN-11",
               "torch." + std::string(name) + " requires a tensor with at least " + std::to_string(least) +
                   " dimension, but got a tensor with " + std::to_string(t.dim()) + " dimensions!",
               "unsqueeze() adds one.");
    return std::min(dim, t.dim() - 1);
}

std::vector<Tensor> sectionsOf(const char* name, const Tensor& t, Index sections, Index least, Index dim) {
    const Index along = checkedDim(name, t, least, dim), size = t.size(along);
    if (sections == 0 || size % sections != 0)
        refuse("JOIN-13",
               "torch." + std::string(name) + " attempted to split along dimension " + std::to_string(along) +
                   ", but the size of the dimension " + std::to_string(size) + " is not divisible by the split_size " +
                   std::to_string(sections) + "!",
               "tensor_split takes any number of sections.");
    return observed::newTensors(
        name, [&] { return Inputs{&t}; }, [&] { return tensorSplit(t, sections, along); },
        [&] { return std::to_string(sections); });
}

std::vector<Tensor> cutAt(const char* name, const Tensor& t, const Dims& indices, Index least, Index dim) {
    const Index along = checkedDim(name, t, least, dim);
    return observed::newTensors(
        name, [&] { return Inputs{&t}; }, [&] { return tensorSplit(t, indices, along); },
        [&] { return code::tuple(indices); });
}

/// A view of the shape that `grow` (Tensor -> Tensor) gives.
template <class Grow>
Tensor grown(const char* name, const Tensor& t, Grow grow) {
    elementwise::requireDefined(t, name);
    return observed::newTensors(
        name, [&] { return Inputs{&t}; }, [&]() -> Tensor { return grow(t); }, [] { return std::string(); });
}

} // namespace

std::vector<Tensor> hsplit(const Tensor& t, Index sections) {
    return sectionsOf("hsplit", t, sections, 1, 1);
}
std::vector<Tensor> hsplit(const Tensor& t, const Dims& indices) {
    return cutAt("hsplit", t, indices, 1, 1);
}
std::vector<Tensor> vsplit(const Tensor& t, Index sections) {
    return sectionsOf("vsplit", t, sections, 2, 0);
}
std::vector<Tensor> vsplit(const Tensor& t, const Dims& indices) {
    return cutAt("vsplit", t, indices, 2, 0);
}
std::vector<Tensor> dsplit(const Tensor& t, Index sections) {
    return sectionsOf("dsplit", t, sections, 3, 2);
}
std::vector<Tensor> dsplit(const Tensor& t, const Dims& indices) {
    return cutAt("dsplit", t, indices, 3, 2);
}

Tensor atleast1d(const Tensor& t) {
    return grown("atleast_1d", t, [](const Tensor& x) { return x.dim() == 0 ? unsqueeze(x, 0) : x; });
}
Tensor atleast2d(const Tensor& t) {
    return grown("atleast_2d", t, [](Tensor x) {
        while (x.dim() < 2) x = unsqueeze(x, 0);
        return x;
    });
}
Tensor atleast3d(const Tensor& t) {
    return grown("atleast_3d", t, [](Tensor x) {
        if (x.dim() == 0) x = unsqueeze(x, 0);
        if (x.dim() == 1) x = unsqueeze(x, 0);
        return x.dim() == 2 ? unsqueeze(x, -1) : x;
    });
}

std::vector<Tensor> broadcastTensors(const std::vector<Tensor>& tensors) {
    Dims shape;
    for (const Tensor& t : tensors) {
        elementwise::requireDefined(t, "broadcast_tensors");
        shape = broadcastShapes(shape, t.shape()).valueOrThrow();
    }
    if (tensors.empty()) return {};
    return observed::newTensors(
        "broadcast_tensors",
        [&] {
            Inputs inputs;
            for (const Tensor& t : tensors) inputs.push_back(&t);
            return inputs;
        },
        [&] {
            std::vector<Tensor> spread;
            for (const Tensor& t : tensors) spread.push_back(expand(t, shape));
            return spread;
        },
        [] { return std::string(); });
}

} // namespace stridescope
