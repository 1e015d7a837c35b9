// Places: of values in sorted rows, of elements in a storage, of rows that change places.

#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/views.h"

namespace stridescope::composed {

Tensor search(const Tensor& sorted, const Tensor& values, const Tensor& sorter, bool right) {
    const Index n = sorted.size(1);
    Tensor first = zeros(values.shape(), {DType::Int64, values.device()});
    Tensor last = full(values.shape(), n, {DType::Int64, values.device()});
    for (Index open = n; open > 0; open /= 2) { // at most so many places are between first and last
        const Tensor middle = floorDivide(add(first, last), 2);
        Tensor at = clamp(middle, std::nullopt, n - 1);
        if (sorter.defined()) at = gather(sorter, 1, at);
        const Tensor element = gather(sorted, 1, at);
        const Tensor behind = right ? gt(element, values) : ge(element, values);
        last = where(behind, middle, last);
        first = minimum(where(behind, first, add(middle, 1)), last); // what is found stays
    }
    return first;
}

Tensor isin(const Tensor& elements, const Tensor& values, bool invert) {
    const Index n = values.numel();
    if (n == 0) return full(elements.shape(), invert, {DType::Bool, elements.device()});
    const Tensor known = sort(flatten(values), 0).values, asked = flatten(elements);
    const Tensor place = flatten(search(unsqueeze(known, 0), unsqueeze(asked, 0), {}, false));
    const Tensor found = gather(known, 0, clamp(place, std::nullopt, n - 1));
    return view(invert ? ne(found, asked) : eq(found, asked), elements.shape());
}

Tensor slotsOf(const Tensor& t, const Tensor& index) {
    Tensor rest = where(lt(index, 0), add(index, t.numel()), index);
    Tensor slots = full(index.shape(), t.storageOffset(), {DType::Int64, t.device()});
    for (Index d = t.dim() - 1; d >= 0; --d) {
        slots = add(slots, mul(remainder(rest, t.size(d)), t.stride()[static_cast<std::size_t>(d)]));
        rest = floorDivide(rest, t.size(d));
    }
    return slots;
}

} // namespace stridescope::composed
