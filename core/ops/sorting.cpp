#include "core/ops/sorting.h"

#include "core/backend/cpu/row_walk.h"
#include "core/backend/cpu/sort_kernels.h"
#include "core/backend/cpu/thread_pool.h"
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

using cpu::SortLane;
using indexing::firstElement;
using indexing::newContiguous;
using indexing::refuse;
using indexing::requireOnCpu;
using indexing::withDim;
using observed::Inputs;

[[noreturn]] void refuseDType(const char* kernel, DType dtype) {
    refuse(ErrorKind::Runtime, "SORT-01",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
           isComplex(dtype) ? "Complex numbers have no order." : "Convert it with to().");
}

/// Lanes along `dim`: positions of the other dims in row-major order.
struct Lanes {
    Dims shape; ///< without the dim
    std::size_t dim = 0;
    Index length = 1, count = 1;
    Lanes(const Tensor& t, std::size_t d) : shape(t.shape()), dim(d) {
        length = shape[d];
        shape.erase(d);
        for (const Index size : shape) count *= size;
        if (length >= Index{1} << 32)
            refuse(ErrorKind::Runtime, "SORT-01", "sort: more than 2^32 - 1 elements along one dim",
                   "Sort it in parts.");
    }
    Dims stridesOf(const Tensor& t) const {
        Dims strides = indexing::byteStrides(t);
        strides.erase(dim);
        return strides;
    }
};

/// Calls `body(lane, addresses)` for every lane, on several threads when there is enough to do; `addresses` are those
/// of the first elements of the lane in `tensors`.
template <std::size_t N, class Body>
void forLanes(const Lanes& lanes, const std::array<Tensor, N>& tensors, Body body) {
    if (lanes.count == 0) return;
    std::array<cpu::RowOperand, N> operands;
    for (std::size_t i = 0; i < N; ++i) operands[i] = {firstElement(tensors[i]), lanes.stridesOf(tensors[i])};
    const cpu::RowWalk<N> walk(lanes.shape, operands);
    const Index grain = std::max<Index>(1, kParallelThreshold / 8 / std::max<Index>(1, lanes.length));
    parallelFor(0, lanes.count, grain, [&](Index begin, Index end) {
        SortLane lane;
        walk.visit(begin, end, [&](std::array<std::byte*, N> data, Index n) {
            for (Index i = 0; i < n; ++i) {
                body(lane, data);
                for (std::size_t o = 0; o < N; ++o) data[o] += walk.innerStride(o);
            }
        });
    });
}

/// Writes `k` elements of a lane in lane.order.
void storeLane(const SortLane& lane, Index k, const std::byte* from, Index fromStep, std::byte* values, Index valueStep,
               Index item, std::byte* indices, Index indexStep) {
    for (Index i = 0; i < k; ++i) {
        const Index position = lane.order[static_cast<std::size_t>(i)];
        std::memcpy(values + i * valueStep, from + position * fromStep, static_cast<std::size_t>(item));
        std::memcpy(indices + i * indexStep, &position, sizeof position);
    }
}

Tensor likeClone(const Tensor& t, DType dtype) {
    const View layout = cloneLayout(t.view()).valueOrThrow();
    return elementwise::newResult(layout.shape, layout.stride, dtype, Device{});
}

/// Lanes of `t` in order, the first `k` of each, into results that exist.
void orderInto(const Tensor& t, std::size_t dim, bool descending, Index k, const Tensor& values,
               const Tensor& indices) {
    const Lanes lanes(t, dim);
    if (lanes.length == 0 || k == 0) return;
    const auto item = static_cast<Index>(t.itemSize());
    const Index from = t.stride()[dim] * item, to = values.stride()[dim] * item,
                at = indices.stride()[dim] * static_cast<Index>(sizeof(Index));
    forLanes<3>(lanes, {t, values, indices}, [&](SortLane& lane, const std::array<std::byte*, 3>& data) {
        cpu::loadKeys(lane, data[0], from, lanes.length, t.dtype(), descending);
        cpu::sortFirst(lane, k, t.dtype());
        storeLane(lane, k, data[0], from, data[1], to, item, data[2], at);
    });
}

ValuesAndIndices sortOf(const Tensor& t, Index dim, bool descending) {
    if (isComplex(t.dtype())) refuseDType("sorting_kernel_method_name", t.dtype());
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const ValuesAndIndices result{likeClone(t, t.dtype()), likeClone(t, DType::Int64)};
    const Tensor self = withDim(t);
    orderInto(self, d, descending, self.shape()[d], withDim(result.values), withDim(result.indices));
    return result;
}

ValuesAndIndices topkOf(const Tensor& t, Index k, Index dim, bool largest) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const Tensor self = withDim(t);
    if (k < 0 || k > self.shape()[d])
        refuse(ErrorKind::Runtime, "SORT-02", "selected index k out of range",
               "k is " + std::to_string(k) + ", dim " + std::to_string(d) + " has " + std::to_string(self.shape()[d]) +
                   " elements.",
               IndexOutOfRange{static_cast<Index>(d), k, self.shape()[d]});
    if (isComplex(t.dtype()) || t.dtype() == DType::Bool) refuseDType("topk_cpu", t.dtype());
    Dims shape = t.shape();
    if (t.dim() != 0) shape[d] = k;
    const ValuesAndIndices result{newContiguous(shape, t.dtype()), newContiguous(shape, DType::Int64)};
    orderInto(self, d, largest, t.dim() == 0 ? 1 : k, withDim(result.values), withDim(result.indices));
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
    if (isComplex(t.dtype()) || t.dtype() == DType::Bool) refuseDType("kthvalue_cpu", t.dtype());
    Dims shape = self.shape();
    shape[d] = 1;
    Tensor values = newContiguous(shape, t.dtype()), indices = newContiguous(shape, DType::Int64);
    const Lanes lanes(self, d);
    const auto item = static_cast<Index>(t.itemSize());
    const Index from = self.stride()[d] * item;
    forLanes<3>(lanes, {self, values, indices}, [&](SortLane& lane, const std::array<std::byte*, 3>& data) {
        cpu::loadKeys(lane, data[0], from, lanes.length, t.dtype(), false);
        cpu::selectPlace(lane, k - 1);
        const Index position = lane.order[static_cast<std::size_t>(k - 1)];
        std::memcpy(data[1], data[0] + position * from, static_cast<std::size_t>(item));
        std::memcpy(data[2], &position, sizeof position);
    });
    if (t.dim() == 0 || !keepdim) {
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
    requireOnCpu(name, {&t});
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
    requireOnCpu("argsort", {&t});
    return observed::newTensors(
        "argsort", [&] { return Inputs{&t}; }, [&] { return sortOf(t, dim, descending).indices; },
        [&] { return orderText(dim, descending); });
}

ValuesAndIndices topk(const Tensor& t, Index k, Index dim, bool largest) {
    return observedPair(
        "topk", t, [&] { return topkOf(t, k, dim, largest); },
        [&] {
            std::string text = std::to_string(k);
            if (dim != -1) text += ", " + std::to_string(dim);
            return text + (largest ? "" : ", largest=False");
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
