// Element by element along a dim: gather and scatter, declared in indexing.h.

#include "core/ops/indexing.h"

#include "core/ops/copy.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing_call.h"
#include "core/ops/joining_call.h"
#include "core/ops/masking.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <limits>

namespace stridescope {

namespace {

using indexing::byteStrides;
using indexing::dimText;
using indexing::firstElement;
using indexing::hasNothing;
using indexing::listText;
using indexing::newContiguous;
using indexing::refuse;
using indexing::requireOneDevice;
using indexing::requireTarget;
using indexing::typeName;
using indexing::withDim;
using observed::Inputs;

/// The element of `indexed` that has the coord of `index`, but for index's number along `dim`, against plain's.
IndexedArgs pointArgs(IndexedMode mode, const Tensor& indexed, std::size_t dim, const Tensor& index,
                      const Tensor& plain) {
    IndexedArgs args;
    args.mode = mode;
    args.dtype = indexed.dtype();
    args.plain = firstElement(plain);
    args.indexed = firstElement(indexed);
    const Dims indexedStride = byteStrides(indexed), plainStride = byteStrides(plain), indexStride = byteStrides(index);
    args.sources.push_back(indexing::sourceOf(index, indexed.shape()[dim], indexedStride[dim], false));
    for (std::size_t d = 0; d < indexed.shape().size(); ++d)
        args.loops.push_back(
            {index.shape()[d], plainStride[d], d == dim ? 0 : indexedStride[d], {indexStride[d]}, d != dim});
    return args;
}

void runPoints(const char* name, const Tensor& t, const IndexedArgs& args, Index dim) {
    BadIndex bad;
    if (hasNothing(args) || indexing::run(name, t, args, bad)) return;
    indexing::refuseIndex(ErrorKind::Runtime, bad.value, dim, args.sources[0].size);
}

void requireIndex64(const char* name, const Tensor& index) {
    if (index.dtype() != DType::Int64)
        refuse(ErrorKind::Runtime, "INDEX-02", std::string(name) + "(): Expected dtype int64 for index",
               "It is " + typeName(index) + "; to(torch.int64) converts it.");
}

Tensor gatherOf(const Tensor& t, Index dim, const Tensor& index) {
    const Tensor self = withDim(t), at = withDim(index);
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    Tensor out = newContiguous(index.shape(), t.dtype(), t.device());
    if (index.numel() == 0) return out;
    requireIndex64("gather", index);
    if (at.dim() != self.dim())
        refuse(ErrorKind::Runtime, "INDEX-03", "Index tensor must have the same number of dimensions as input tensor",
               "They have " + std::to_string(index.dim()) + " and " + std::to_string(t.dim()) + ".");
    for (std::size_t i = 0; i < self.shape().size(); ++i)
        if (i != d && at.shape()[i] > self.shape()[i])
            refuse(ErrorKind::Runtime, "INDEX-04",
                   "Size does not match at dimension " + std::to_string(i) + " expected index " +
                       listText(index.shape()) + " to be smaller than self " + listText(t.shape()) +
                       " apart from dimension " + std::to_string(d),
                   "Each number of the index stands for one element of the result.");
    runPoints("gather", t, pointArgs(IndexedMode::Read, self, d, at, withDim(out)), static_cast<Index>(d));
    return out;
}

/// What PyTorch wants of the tensors of a scatter. `isNumber`: src is one number for all.
void requireScatter(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, bool isNumber) {
    const Tensor self = withDim(t), at = withDim(index);
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    if (index.numel() != 0) requireIndex64("scatter", index);
    if (src.dtype() != t.dtype())
        refuse(ErrorKind::Runtime, "INDEX-05", "scatter(): Expected self.dtype to be equal to src.dtype",
               "They are " + typeName(t) + " and " + typeName(src) + ".");
    if (index.numel() != 0) {
        const Tensor from = withDim(src);
        if (at.dim() != self.dim())
            refuse(ErrorKind::Runtime, "INDEX-03",
                   "Index tensor must have the same number of dimensions as self tensor",
                   "They have " + std::to_string(index.dim()) + " and " + std::to_string(t.dim()) + ".");
        if (!isNumber && from.dim() != self.dim())
            refuse(ErrorKind::Runtime, "INDEX-03", "Index tensor must have the same number of dimensions as src tensor",
                   "They have " + std::to_string(index.dim()) + " and " + std::to_string(src.dim()) + ".");
        bool fits = true;
        for (std::size_t i = 0; i < self.shape().size(); ++i)
            fits &= (i == d || at.shape()[i] <= self.shape()[i]) && (isNumber || at.shape()[i] <= from.shape()[i]);
        if (!fits)
            refuse(ErrorKind::Runtime, "INDEX-04",
                   "Expected index " + listText(index.shape()) + " to be smaller than self " + listText(t.shape()) +
                       " apart from dimension " + std::to_string(d) +
                       (isNumber ? "" : " and to be smaller size than src " + listText(src.shape())),
                   "Each number of the index stands for one element of src.");
    }
}

void scatterInto(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, bool isNumber, IndexedMode mode,
                 const char* name) {
    requireScatter(t, dim, index, src, isNumber);
    requireTarget(name, t, {&index, &src});
    if (index.numel() == 0) return;
    const Tensor self = withDim(t), at = withDim(index);
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const Tensor from = isNumber ? src.withView(View{at.shape(), Dims(at.shape().size(), 0), 0}) : withDim(src);
    runPoints(name, t, pointArgs(mode, self, d, at, from), static_cast<Index>(d));
    t.storage()->bumpVersion();
}

/// What a write to the places that `index` names along the dim reaches.
void markScattered(const Tensor& marks, Index dim, const Tensor& index) {
    scatterInto(marks, dim, index, indexing::number(true, DType::Bool, marks.device()), true, IndexedMode::Write,
                "scatter_");
}

IndexedMode modeOf(ScatterReduce reduce) {
    return reduce == ScatterReduce::Add        ? IndexedMode::Add
           : reduce == ScatterReduce::Multiply ? IndexedMode::Multiply
                                               : IndexedMode::Write;
}

std::string reduceText(ScatterReduce reduce) {
    return reduce == ScatterReduce::Add        ? ", reduce='add'"
           : reduce == ScatterReduce::Multiply ? ", reduce='multiply'"
                                               : "";
}

IndexedMode modeOf(ReduceBy reduce) {
    switch (reduce) {
    case ReduceBy::Prod:
        return IndexedMode::Multiply;
    case ReduceBy::Amax:
        return IndexedMode::Max;
    case ReduceBy::Amin:
        return IndexedMode::Min;
    case ReduceBy::Sum:
    case ReduceBy::Mean:
        break;
    }
    return IndexedMode::Add;
}

const char* nameOf(ReduceBy reduce) {
    constexpr const char* kNames[] = {"sum", "prod", "mean", "amax", "amin"};
    return kNames[static_cast<std::size_t>(reduce)];
}

std::string reduceText(Index dim, ReduceBy reduce, bool includeSelf) {
    return dimText(dim) + ", {2}, '" + nameOf(reduce) + (includeSelf ? "'" : "', include_self=False");
}

/// The number that changes nothing when it is reduced with another one.
Tensor neutral(ReduceBy reduce, DType dtype) {
    const Tensor one = newContiguous({}, dtype, Device{});
    visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const bool least = reduce == ReduceBy::Amax;
        T& value = *one.data<T>();
        if constexpr (std::is_same_v<T, Half>)
            value = Half(least ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
        else if constexpr (std::is_floating_point_v<T>)
            value = least ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
        else if constexpr (!kIsComplex<T>)
            value = least ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    });
    if (reduce != ReduceBy::Amax && reduce != ReduceBy::Amin) fill_(one, reduce == ReduceBy::Prod ? 1 : 0);
    return one;
}

void requireReduction(ReduceBy reduce, DType dtype) {
    const bool extreme = reduce == ReduceBy::Amax || reduce == ReduceBy::Amin;
    if ((extreme && isComplex(dtype)) || (reduce == ReduceBy::Mean && dtype == DType::Bool))
        refuse(ErrorKind::Runtime, "INDEX-16",
               "\"scatter_gather_tensor_cpu_reduce_" + std::string(nameOf(reduce)) + "\" not implemented for '" +
                   std::string(scalarTypeName(dtype)) + "'",
               extreme ? "Complex numbers have no order." : "Convert it first: x.float().");
}

/// How many numbers each element is the mean of, at least 1.
Tensor countsOf(const Tensor& t, Index dim, const Tensor& index, bool includeSelf) {
    const Tensor counts = newContiguous(t.shape(), t.dtype(), t.device());
    fill_(counts, includeSelf ? 1 : 0);
    scatterInto(counts, dim, index, indexing::number(1, t.dtype(), t.device()), true, IndexedMode::Add,
                "scatter_reduce_");
    if (!includeSelf) maskedFill_(counts, eq(counts, 0), 1);
    return counts;
}

void scatterReduceInto(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, ReduceBy reduce,
                       bool includeSelf, const char* name) {
    requireScatter(t, dim, index, src, false);
    requireTarget(name, t, {&index, &src});
    if (index.numel() == 0) return;
    requireReduction(reduce, t.dtype());
    // What may fail comes before the first write.
    const Tensor counts = reduce == ReduceBy::Mean ? countsOf(t, dim, index, includeSelf) : Tensor();
    if (!includeSelf)
        scatterInto(t, dim, index, to(neutral(reduce, t.dtype()), t.device()), true, IndexedMode::Write, name);
    scatterInto(t, dim, index, src, false, modeOf(reduce), name);
    if (reduce != ReduceBy::Mean) return;
    if (isFloating(t.dtype()) || isComplex(t.dtype()))
        div_(t, counts);
    else
        floorDivide_(t, counts);
}

/// A copy of `t` for the forms that leave it as it is; contiguous, so that overlapping inputs are no matter.
Tensor copyOf(const Tensor& t) {
    Tensor out = newContiguous(t.shape(), t.dtype(), t.device());
    copy_(out, t);
    return out;
}

/// Sizes of 1 broadcast, but for `dim`, along which the numbers of `index` count.
Tensor takeAlongOf(const Tensor& t, const Tensor& index, Index dim) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    Dims others = t.shape(), ownOthers = index.shape();
    others[d] = index.shape()[d];
    ownOthers[d] = t.shape()[d];
    const Dims shape = broadcastShapes(others, index.shape()).valueOrThrow();
    return gather(expand(t, broadcastShapes(ownOthers, t.shape()).valueOrThrow()), dim, expand(index, shape));
}

} // namespace

Tensor takeAlongDim(const Tensor& t, const Tensor& index, std::optional<Index> dim) {
    requireOneDevice("take_along_dim", {&t, &index});
    const std::string name = "torch.take_along_dim(): ";
    if (dim && index.dtype() != DType::Int64)
        refuse(ErrorKind::Runtime, "INDEX-02", name + "dtype of indices should be Long but got " + typeName(index),
               "to(torch.int64) converts it.");
    if (dim && t.dim() != index.dim())
        refuse(ErrorKind::Runtime, "INDEX-03",
               name + "input and indices should have the same number of dimensions, but got " +
                   std::to_string(t.dim()) + " dimensions for input, and " + std::to_string(index.dim()) +
                   " dimensions for indices",
               "unsqueeze() adds one.");
    if (dim) joining::requireDims(t, *dim);
    return observed::newTensors(
        "take_along_dim",
        [&] {
            return Inputs{&t, &index};
        },
        [&] { return dim ? takeAlongOf(t, index, *dim) : gather(flatten(t), 0, flatten(index)); },
        [&] { return dim ? "{1}, " + std::to_string(*dim) : std::string("{1}"); });
}

Tensor gather(const Tensor& t, Index dim, const Tensor& index) {
    requireOneDevice("gather", {&t, &index});
    return observed::newTensors(
        "gather",
        [&] {
            return Inputs{&t, &index};
        },
        [&] { return gatherOf(t, dim, index); }, [&] { return dimText(dim); });
}

const Tensor& scatter_(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, ScatterReduce reduce) {
    requireOneDevice("scatter_", {&t, &index, &src});
    return observed::chosenInPlace(
        "scatter_", t,
        [&] {
            return Inputs{&t, &index, &src};
        },
        [&] { scatterInto(t, dim, index, src, false, modeOf(reduce), "scatter_"); },
        [&](const Tensor& marks) { markScattered(marks, dim, index); },
        [&] { return dimText(dim) + ", {2}" + reduceText(reduce); });
}

const Tensor& scatter_(const Tensor& t, Index dim, const Tensor& index, Scalar value, ScatterReduce reduce) {
    requireOneDevice("scatter_", {&t, &index});
    return observed::chosenInPlace(
        "scatter_", t,
        [&] {
            return Inputs{&t, &index};
        },
        [&] {
            scatterInto(t, dim, index, indexing::number(value, t.dtype(), t.device()), true, modeOf(reduce),
                        "scatter_");
        },
        [&](const Tensor& marks) { markScattered(marks, dim, index); },
        [&] { return dimText(dim) + ", " + toString(value) + reduceText(reduce); });
}

const Tensor& scatterReduce_(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, ReduceBy reduce,
                             bool includeSelf) {
    requireOneDevice("scatter_reduce_", {&t, &index, &src});
    return observed::chosenInPlace(
        "scatter_reduce_", t,
        [&] {
            return Inputs{&t, &index, &src};
        },
        [&] { scatterReduceInto(t, dim, index, src, reduce, includeSelf, "scatter_reduce_"); },
        [&](const Tensor& marks) { markScattered(marks, dim, index); },
        [&] { return reduceText(dim, reduce, includeSelf); });
}

Tensor scatterReduce(const Tensor& t, Index dim, const Tensor& index, const Tensor& src, ReduceBy reduce,
                     bool includeSelf) {
    requireOneDevice("scatter_reduce", {&t, &index, &src});
    return observed::newTensors(
        "scatter_reduce",
        [&] {
            return Inputs{&t, &index, &src};
        },
        [&] {
            Tensor out = copyOf(t);
            scatterReduceInto(out, dim, index, src, reduce, includeSelf, "scatter_reduce");
            return out;
        },
        [&] { return reduceText(dim, reduce, includeSelf); });
}

const Tensor& scatterAdd_(const Tensor& t, Index dim, const Tensor& index, const Tensor& src) {
    requireOneDevice("scatter_add_", {&t, &index, &src});
    return observed::chosenInPlace(
        "scatter_add_", t,
        [&] {
            return Inputs{&t, &index, &src};
        },
        [&] { scatterInto(t, dim, index, src, false, IndexedMode::Add, "scatter_add_"); },
        [&](const Tensor& marks) { markScattered(marks, dim, index); }, [&] { return dimText(dim) + ", {2}"; });
}

Tensor scatter(const Tensor& t, Index dim, const Tensor& index, const Tensor& src) {
    requireOneDevice("scatter", {&t, &index, &src});
    return observed::newTensors(
        "scatter",
        [&] {
            return Inputs{&t, &index, &src};
        },
        [&] {
            Tensor out = copyOf(t);
            scatterInto(out, dim, index, src, false, IndexedMode::Write, "scatter");
            return out;
        },
        [&] { return dimText(dim) + ", {2}"; });
}

Tensor scatter(const Tensor& t, Index dim, const Tensor& index, Scalar value) {
    requireOneDevice("scatter", {&t, &index});
    return observed::newTensors(
        "scatter",
        [&] {
            return Inputs{&t, &index};
        },
        [&] {
            Tensor out = copyOf(t);
            scatterInto(out, dim, index, indexing::number(value, t.dtype(), t.device()), true, IndexedMode::Write,
                        "scatter");
            return out;
        },
        [&] { return dimText(dim) + ", " + toString(value); });
}

Tensor scatterAdd(const Tensor& t, Index dim, const Tensor& index, const Tensor& src) {
    requireOneDevice("scatter_add", {&t, &index, &src});
    return observed::newTensors(
        "scatter_add",
        [&] {
            return Inputs{&t, &index, &src};
        },
        [&] {
            Tensor out = copyOf(t);
            scatterInto(out, dim, index, src, false, IndexedMode::Add, "scatter_add");
            return out;
        },
        [&] { return dimText(dim) + ", {2}"; });
}

const Tensor& indexReduce_(const Tensor& t, Index dim, const Tensor& index, const Tensor& source, ReduceBy reduce,
                           bool includeSelf) {
    requireOneDevice("index_reduce_", {&t, &index, &source});
    if (index.dim() > 1)
        refuse(ErrorKind::Index, "INDEX-03",
               "index_reduce_(): Index is supposed to be a vector, but got dim: " + std::to_string(index.dim()) +
                   " with type: " + typeName(index) + " and size: " + listText(index.shape()));
    if (index.dtype() != DType::Int64 && index.dtype() != DType::Int32)
        refuse(ErrorKind::Runtime, "INDEX-02",
               "index_reduce_(): Expected dtype int32/int64 for index but got: " + typeName(index),
               "to(torch.int64) converts it.");
    if (t.dtype() != source.dtype())
        refuse(ErrorKind::Runtime, "INDEX-05",
               "index_reduce_(): self (" + typeName(t) + ") and source (" + typeName(source) +
                   ") must have the same scalar type",
               "Convert the source with to().");
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    const Index slices = source.dim() == 0 ? 1 : source.size(d);
    if (index.numel() != slices)
        refuse(ErrorKind::Runtime, "INDEX-04",
               "index_reduce_(): Number of indices (" + std::to_string(index.numel()) +
                   ") should be equal to source.size(dim): (" + std::to_string(slices) +
                   "), for dim: " + std::to_string(dim),
               "Each index names the place of one slice.");
    const Index size = t.dim() == 0 ? 1 : t.size(d);
    if (index.numel() > 0 && (item(min(index)).toInt() < 0 || item(max(index)).toInt() >= size))
        refuse(ErrorKind::Index, "INDEX-01", "index out of range in self",
               "Indices run from 0 to " + std::to_string(size - 1) + ".");
    const auto eachOf = [&] { // a number for each element of the source
        Dims shape(source.shape().size(), 1);
        if (!shape.empty()) shape[static_cast<std::size_t>(d)] = slices;
        return expand(reshape(to(index, DType::Int64), shape), source.shape());
    };
    return observed::chosenInPlace(
        "index_reduce_", t,
        [&] {
            return Inputs{&t, &index, &source};
        },
        [&] { scatterReduce_(t, d, eachOf(), source, reduce, includeSelf); },
        [&](const Tensor& marks) { markScattered(marks, d, eachOf()); }, [&] { return dimText(dim) + ", {2}"; });
}

} // namespace stridescope
