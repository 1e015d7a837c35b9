#include "core/ops/sorting.h"

#include "core/ops/copy.h"
#include "core/ops/indexing.h"
#include "core/ops/indexing_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace stridescope {

namespace {

using indexing::newContiguous;
using indexing::refuse;
using indexing::requireOneDevice;
using indexing::withDim;
using observed::Inputs;

[[noreturn]] void refuseDType(const char* kernel, DType dtype) {
    refuse(ErrorKind::Runtime, "SORT-01",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
           isComplex(dtype) ? "Complex numbers have no order." : "Convert it with to().");
}

Tensor likeClone(const Tensor& t, DType dtype) {
    const View layout = cloneLayout(t.view()).valueOrThrow();
    return elementwise::newResult(layout.shape, layout.stride, dtype, t.device());
}

void requireLength(Index length) {
    if (length >= Index{1} << 32)
        refuse(ErrorKind::Runtime, "SORT-01", "sort: more than 2^32 - 1 elements along one dim", "Sort it in parts.");
}

/// Lanes of `t` in order, the first `k` of each, into results that exist.
void orderInto(const char* name, OrderKernel kernel, const Tensor& t, std::size_t dim, bool descending, Index k,
               const Tensor& values, const Tensor& indices, bool stable = true, bool sorted = true) {
    requireLength(t.shape()[dim]);
    if (!kernel) throwNoKernel(name, t.dtype(), t.device());
    if (t.numel() == 0 || k == 0) return;
    kernel({elementwise::stridedOf(t), elementwise::stridedOf(values), elementwise::stridedOf(indices),
            static_cast<Index>(dim), k, descending, stable, sorted});
}

/// Of a tensor without dims, whatever its dtype: itself, at place 0.
ValuesAndIndices onlyElement(const Tensor& t) {
    const ValuesAndIndices result{newContiguous(Dims{}, t.dtype(), t.device()),
                                  newContiguous(Dims{}, DType::Int64, t.device())};
    copy_(result.values, t);
    fill_(result.indices, Scalar(Index{0}));
    return result;
}

ValuesAndIndices sortOf(const Tensor& t, Index dim, bool descending) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    if (t.dim() == 0) return onlyElement(t);
    if (isComplex(t.dtype())) refuseDType("sorting_kernel_method_name", t.dtype());
    const ValuesAndIndices result{likeClone(t, t.dtype()), likeClone(t, DType::Int64)};
    const Tensor self = withDim(t);
    orderInto("sort", kernelTable(t.device()).order, self, d, descending, self.shape()[d], withDim(result.values),
              withDim(result.indices));
    return result;
}

ValuesAndIndices topkOf(const Tensor& t, Index k, Index dim, bool largest, bool sorted) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const Tensor self = withDim(t);
    if (k < 0 || k > self.shape()[d])
        refuse(ErrorKind::Runtime, "SORT-02", "selected index k out of range",
               "k is " + std::to_string(k) + ", dim " + std::to_string(d) + " has " + std::to_string(self.shape()[d]) +
                   " elements.",
               IndexOutOfRange{static_cast<Index>(d), k, self.shape()[d]});
    if (t.dim() == 0) return onlyElement(t);
    if (isComplex(t.dtype()) || t.dtype() == DType::Bool) refuseDType("topk_cpu", t.dtype());
    Dims shape = t.shape();
    shape[d] = k;
    const ValuesAndIndices result{newContiguous(shape, t.dtype(), t.device()),
                                  newContiguous(shape, DType::Int64, t.device())};
    orderInto("topk", kernelTable(t.device()).order, self, d, largest, k, withDim(result.values),
              withDim(result.indices), false, sorted);
    return result;
}

ValuesAndIndices kthvalueOf(const Tensor& t, Index k, Index dim, bool keepdim) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const Tensor self = withDim(t);
    if (self.shape()[d] == 0)
        refuse(ErrorKind::Index, "SORT-03",
               "kthvalue(): Expected reduction dim " + std::to_string(d) + " to have non-zero size.", "");
    if (k < 1 || k > self.shape()[d])
        refuse(ErrorKind::Runtime, "SORT-02",
               "kthvalue(): selected number k out of range for dimension " + std::to_string(d),
               "k is " + std::to_string(k) + ", counted from 1 to " + std::to_string(self.shape()[d]) + ".",
               IndexOutOfRange{static_cast<Index>(d), k, self.shape()[d]});
    if (t.dim() == 0) return onlyElement(t);
    if (isComplex(t.dtype()) || t.dtype() == DType::Bool) refuseDType("kthvalue_cpu", t.dtype());
    Dims shape = self.shape();
    shape[d] = 1;
    Tensor values = newContiguous(shape, t.dtype(), t.device()),
           indices = newContiguous(shape, DType::Int64, t.device());
    orderInto("kthvalue", kernelTable(t.device()).place, self, d, false, k, values, indices);
    if (!keepdim) {
        shape.erase(d);
        const auto reshaped = [&](const Tensor& r) { return r.withView(contiguousView(shape).valueOrThrow()); };
        return {reshaped(values), reshaped(indices)};
    }
    return {values, indices};
}

std::string orderText(Index dim, bool descending) {
    std::string text = dim == -1 ? std::string() : std::to_string(dim);
    if (descending) text += text.empty() ? "descending=True" : ", descending=True";
    return text;
}

/// Runs `make` (() -> ValuesAndIndices) as one observed operation.
template <class Make, class Arguments>
ValuesAndIndices observedPair(const char* name, const Tensor& t, Make make, Arguments arguments) {
    requireOneDevice(name, {&t});
    const std::vector<Tensor> both = observed::newTensors(
        name, [&] { return Inputs{&t}; },
        [&] {
            ValuesAndIndices result = make();
            return std::vector<Tensor>{std::move(result.values), std::move(result.indices)};
        },
        arguments);
    return {both[0], both[1]};
}

} // namespace

ValuesAndIndices sort(const Tensor& t, Index dim, bool descending) {
    return observedPair(
        "sort", t, [&] { return sortOf(t, dim, descending); }, [&] { return orderText(dim, descending); });
}

Tensor argsort(const Tensor& t, Index dim, bool descending) {
    requireOneDevice("argsort", {&t});
    return observed::newTensors(
        "argsort", [&] { return Inputs{&t}; }, [&] { return sortOf(t, dim, descending).indices; },
        [&] { return orderText(dim, descending); });
}

ValuesAndIndices topk(const Tensor& t, Index k, Index dim, bool largest, bool sorted) {
    return observedPair(
        "topk", t, [&] { return topkOf(t, k, dim, largest, sorted); },
        [&] {
            std::string text = std::to_string(k);
            if (dim != -1) text += ", " + std::to_string(dim);
            if (!largest) text += ", largest=False";
            return text + (sorted ? "" : ", sorted=False");
        });
}

ValuesAndIndices kthvalue(const Tensor& t, Index k, Index dim, bool keepdim) {
    return observedPair(
        "kthvalue", t, [&] { return kthvalueOf(t, k, dim, keepdim); },
        [&] {
            std::string text = std::to_string(k);
            if (dim != -1) text += ", " + std::to_string(dim);
            return text + (keepdim ? ", keepdim=True" : "");
        });
}

} // namespace stridescope
