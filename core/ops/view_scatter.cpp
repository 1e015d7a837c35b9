#include "core/ops/view_scatter.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/views.h"

namespace stridescope {

namespace {

using observed::Inputs;

std::string text(std::optional<Index> number) {
    return number ? std::to_string(*number) : "None";
}

/// `part` (Tensor -> Tensor) is the view to write to.
template <class Part, class Arguments>
Tensor scattered(const char* name, const Tensor& t, const Tensor& src, Part part, Arguments arguments) {
    elementwise::requireDefined(t, name);
    elementwise::requireDefined(src, name);
    return observed::newTensors(
        name,
        [&] {
            return Inputs{&t, &src};
        },
        [&] {
            const Tensor result = clone(t);
            const Tensor target = part(result);
            if (target.shape() != src.shape())
                throwRefusal({ErrorKind::Runtime,
                              "SCATTER-01",
                              "expected src to have a size equal to the slice of self. src size = " +
                                  toListString(std::span<const Index>(src.shape())) +
                                  ", slice size = " + toListString(std::span<const Index>(target.shape())),
                              "Give src the shape of the part that it replaces.",
                              {}});
            copy_(target, src);
            return result;
        },
        arguments);
}

} // namespace

Tensor selectScatter(const Tensor& t, const Tensor& src, Index dim, Index index) {
    return scattered(
        "select_scatter", t, src, [=](const Tensor& x) { return select(x, dim, index); },
        [=] { return std::to_string(dim) + ", " + std::to_string(index); });
}

Tensor sliceScatter(const Tensor& t, const Tensor& src, Index dim, std::optional<Index> start, std::optional<Index> end,
                    Index step) {
    return scattered(
        "slice_scatter", t, src, [=](const Tensor& x) { return slice(x, dim, start, end, step); },
        [=] {
            return std::to_string(dim) + ", " + text(start) + ", " + text(end) +
                   (step == 1 ? "" : ", " + std::to_string(step));
        });
}

Tensor diagonalScatter(const Tensor& t, const Tensor& src, Index offset, Index dim1, Index dim2) {
    return scattered(
        "diagonal_scatter", t, src, [=](const Tensor& x) { return diagonal(x, offset, dim1, dim2); },
        [=] { return std::to_string(offset) + ", " + std::to_string(dim1) + ", " + std::to_string(dim2); });
}

Tensor asStridedScatter(const Tensor& t, const Tensor& src, const Dims& size, const Dims& stride,
                        std::optional<Index> offset) {
    return scattered(
        "as_strided_scatter", t, src, [&](const Tensor& x) { return asStrided(x, size, stride, offset); },
        [&] {
            return toString(std::span<const Index>(size)) + ", " + toString(std::span<const Index>(stride)) +
                   (offset ? ", " + std::to_string(*offset) : "");
        });
}

} // namespace stridescope
