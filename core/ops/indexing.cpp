#include "core/ops/indexing.h"

#include "core/ops/composed.h"
#include "core/ops/copy.h"
#include "core/ops/indexing_call.h"
#include "core/ops/masking.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

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

bool isAnyIndex(const Tensor& index) {
    return index.dtype() == DType::Int64 || index.dtype() == DType::Int32;
}

/// Slices of `indexed` along `dim`, one for each number of `index` (1-d), against slices of `plain`.
IndexedArgs sliceArgs(IndexedMode mode, const Tensor& indexed, std::size_t dim, const Tensor& index,
                      const Tensor& plain, bool negativeFromEnd) {
    IndexedArgs args;
    args.mode = mode;
    args.dtype = indexed.dtype();
    args.plain = firstElement(plain);
    args.indexed = firstElement(indexed);
    const Dims indexedStride = byteStrides(indexed), plainStride = byteStrides(plain);
    args.sources.push_back(indexing::sourceOf(index, indexed.shape()[dim], indexedStride[dim], negativeFromEnd));
    for (std::size_t d = 0; d < indexed.shape().size(); ++d) {
        if (d == dim)
            args.loops.push_back({index.numel(), plainStride[d], 0, {byteStrides(index)[0]}, false});
        else
            args.loops.push_back({indexed.shape()[d], plainStride[d], indexedStride[d], {0}, true});
    }
    return args;
}

/// PyTorch's short refusal of index_select and index_add_.
void runSelfRange(const char* name, const Tensor& t, const IndexedArgs& args, Index dim) {
    BadIndex bad;
    if (hasNothing(args) || indexing::run(name, t, args, bad)) return;
    const Index value = bad.value, size = args.sources[0].size;
    // PyTorch looks at the numbers of other dims than the first elsewhere, and says it in other words.
    if (dim > 0 && std::string_view(name) == "index_select")
        refuse(ErrorKind::Runtime, "INDEX-01",
               "INDICES element is out of DATA bounds, id=" + std::to_string(value) +
                   " axis_dim=" + std::to_string(size),
               "Indices of dim " + std::to_string(dim) + " run from 0 to " + std::to_string(size - 1) + ".",
               IndexOutOfRange{dim, value, size});
    refuse(ErrorKind::Index, "INDEX-01", "index out of range in self",
           "Index " + std::to_string(value) + " is outside of dim " + std::to_string(dim) + " with size " +
               std::to_string(size) + ".",
           IndexOutOfRange{dim, value, size});
}

// --- take and put -------------------------------------------------------------------------------------------------

[[noreturn]] void refuseElement(Index given, Index n) {
    refuse(ErrorKind::Index, "INDEX-01",
           "out of range: tried to access index " + std::to_string(given) + " on a tensor of " + std::to_string(n) +
               " elements.",
           "Elements count from 0 in row-major order, or from -1 at the end.", IndexOutOfRange{0, given, n});
}

void requireLongIndex(const char* name, const Tensor& index) {
    if (index.dtype() != DType::Int64)
        refuse(ErrorKind::Runtime, "INDEX-02",
               std::string(name) + "(): Expected a long tensor for index, but got " + typeName(index),
               "to(torch.int64) converts it.");
}

/// The storage slots of the elements that `index` names in the flat order of `t`, in the shape of `index`.
Tensor slotsOf(const Tensor& t, const Tensor& index) {
    if (!t.device().isCpu()) {
        const Tensor wrong = maskedSelect(index, logicalOr(lt(index, -t.numel()), ge(index, t.numel())));
        if (wrong.numel() > 0) refuseElement(item(select(wrong, 0, 0)).toInt(), t.numel());
        return composed::slotsOf(t, index);
    }
    Tensor slots = newContiguous(index.shape(), DType::Int64, t.device());
    copy_(slots, index);
    const Index n = t.numel(), count = slots.numel();
    const View& view = t.view();
    Index* slot = slots.data<Index>();
    for (Index i = 0; i < count; ++i) {
        const Index given = slot[i];
        if (given < -n || given >= n) refuseElement(given, n);
        Index rest = given < 0 ? given + n : given, at = view.offset;
        for (std::size_t d = view.shape.size(); d-- > 0 && rest != 0;) {
            at += rest % view.shape[d] * view.stride[d];
            rest /= view.shape[d];
        }
        slot[i] = at;
    }
    return slots;
}

/// The elements of `t`, counted in row-major order, that `index` names against `plain` of the same shape.
void runElements(IndexedMode mode, const Tensor& t, const Tensor& index, const Tensor& plain) {
    IndexedArgs args;
    args.mode = mode;
    args.dtype = t.dtype();
    args.plain = firstElement(plain);
    const auto item = static_cast<Index>(t.itemSize());
    // Where elements lie as they are counted, the numbers are steps already.
    const bool counted = t.isContiguous() || index.numel() == 0;
    const Tensor steps = counted ? index : slotsOf(t, index);
    args.indexed = counted ? firstElement(t) : t.storage()->data();
    args.sources.push_back(indexing::sourceOf(steps, counted ? t.numel() : t.storageNumel(), item, counted));
    const Dims plainStride = byteStrides(plain), stepStride = byteStrides(steps);
    for (std::size_t d = 0; d < steps.shape().size(); ++d)
        args.loops.push_back({steps.shape()[d], plainStride[d], 0, {stepStride[d]}, false});
    BadIndex bad;
    if (!hasNothing(args) && !indexing::run("take", t, args, bad)) refuseElement(bad.value, t.numel());
}

// --- Slices -------------------------------------------------------------------------------------------------------

Tensor flatIndex(const Tensor& index) {
    return index.dim() == 0 ? withDim(index) : index;
}

void indexFillInto(const Tensor& t, Index dim, const Tensor& index, const Tensor& value) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    if (index.dtype() != DType::Int64)
        refuse(ErrorKind::Index, "INDEX-02", "index_fill_(): Expected dtype int64 for index.",
               "It is " + typeName(index) + "; to(torch.int64) converts it.");
    if (index.dim() > 1)
        refuse(ErrorKind::Runtime, "INDEX-03", "Index has to be a vector/scalar",
               "It has " + std::to_string(index.dim()) + " dims.");
    indexing::requireFillTarget("index_fill_", t, {&index});
    const Tensor self = withDim(t), at = flatIndex(index);
    const Tensor wide = value.withView(View{self.shape(), Dims(self.shape().size(), 0), value.storageOffset()});
    const IndexedArgs args = sliceArgs(IndexedMode::Write, self, d, at, wide, true);
    if (hasNothing(args)) return;
    BadIndex bad;
    if (!indexing::run("index_fill_", t, args, bad))
        indexing::refuseIndex(ErrorKind::Index, bad.value, static_cast<Index>(d), self.shape()[d]);
    t.storage()->bumpVersion();
}

Dims without(const Dims& shape, std::size_t dim) {
    Dims rest = shape;
    if (dim < rest.size()) rest.erase(dim);
    return rest;
}

void indexCopyInto(const Tensor& t, Index dim, const Tensor& index, const Tensor& source) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const std::string name = "index_copy_(): ";
    if (index.dim() > 1)
        refuse(ErrorKind::Index, "INDEX-03",
               name + "Index should have dimension 1 or 0 (got " + std::to_string(index.dim()) + ")");
    const Index count = index.numel();
    if (source.dim() == 0 && count != 1)
        refuse(ErrorKind::Index, "INDEX-04",
               name + "When source is scalar, index should have one element (got " + std::to_string(count) + ")");
    if (source.dim() != t.dim() && source.dim() != 0 && t.dim() != 0)
        refuse(ErrorKind::Index, "INDEX-03",
               name +
                   "When source and destination are not scalars, their dimensionality must match. Source "
                   "dimensionality (" +
                   std::to_string(source.dim()) + "), destination dimensionality (" + std::to_string(t.dim()) + ")");
    if (index.dtype() != DType::Int64)
        refuse(ErrorKind::Runtime, "INDEX-02", name + "Expected a long tensor for index, but got " + typeName(index),
               "to(torch.int64) converts it.");
    if (t.dtype() != source.dtype())
        refuse(ErrorKind::Runtime, "INDEX-05",
               name + "self and source expected to have the same dtype, but got (self) " + typeName(t) +
                   " and (source) " + typeName(source));
    const Dims mine = without(t.shape(), d), theirs = without(source.shape(), d);
    if (mine != theirs)
        refuse(ErrorKind::Runtime, "INDEX-04",
               name +
                   "Source/destination tensor must have same slice shapes. Destination slice shape: " + listText(mine) +
                   " at dimension " + std::to_string(d) + " and source slice shape: " + listText(theirs) +
                   " at dimension " + std::to_string(source.dim() == 0 ? 0 : d) + ".");
    if (source.dim() != 0 && count != source.shape()[d])
        refuse(ErrorKind::Index, "INDEX-04",
               name + "Number of indices (" + std::to_string(count) + ") should be equal to source.size(dim) (" +
                   std::to_string(source.shape()[d]) + ")");
    requireTarget("index_copy_", t, {&index, &source});
    const Tensor self = withDim(t);
    const IndexedArgs args = sliceArgs(IndexedMode::Write, self, d, flatIndex(index), withDim(source), false);
    if (hasNothing(args)) return;
    BadIndex found;
    if (!indexing::run("index_copy_", t, args, found)) {
        const Index bad = found.value, size = self.shape()[d];
        refuse(ErrorKind::Index, "INDEX-01",
               name + "index " + std::to_string(bad) + " is out of bounds for dimension " + std::to_string(d) +
                   " with size " + std::to_string(size),
               "Indices run from 0 to " + std::to_string(size - 1) + ".",
               IndexOutOfRange{static_cast<Index>(d), bad, size});
    }
    t.storage()->bumpVersion();
}

void indexAddInto(const Tensor& t, Index dim, const Tensor& index, const Tensor& source, Scalar alpha) {
    const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
    const std::string name = "index_add_(): ";
    if (index.dim() > 1)
        refuse(ErrorKind::Index, "INDEX-03",
               name + "Index is supposed to be a vector, but got dim: " + std::to_string(index.dim()) +
                   " with type: " + typeName(index) + " and size: " + listText(index.shape()));
    if (!isAnyIndex(index))
        refuse(ErrorKind::Runtime, "INDEX-02",
               name + "Expected dtype int32/int64 for index but got: " + typeName(index),
               "to(torch.int64) converts it.");
    if (t.dtype() != source.dtype())
        refuse(ErrorKind::Runtime, "INDEX-05",
               name + "self (" + typeName(t) + ") and source (" + typeName(source) +
                   ") must have the same scalar type");
    if (source.dim() != 0 && static_cast<Index>(d) >= source.dim())
        refuse(ErrorKind::Runtime, "INDEX-03",
               name + "Indexing dim " + std::to_string(d) + " is out of bounds of the source tensor with dim " +
                   std::to_string(source.dim()));
    const Tensor self = withDim(t), from = withDim(source);
    const Index has = source.dim() == 0 ? 1 : source.shape()[d];
    if (index.numel() != has)
        refuse(ErrorKind::Runtime, "INDEX-04",
               name + "Number of indices (" + std::to_string(index.numel()) +
                   ") should be equal to source.size(dim): (" + std::to_string(has) +
                   "), for dim: " + std::to_string(d));
    if (from.dim() != self.dim() || without(self.shape(), d) != without(from.shape(), d))
        refuse(
            ErrorKind::Runtime, "INDEX-04",
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = " +
                listText(t.shape()) + " source.shape = " + listText(source.shape()));
    requireTarget("index_add_", t, {&index, &source});
    Tensor scaled = from;
    if (!(alpha == Scalar(1))) scaled = mul(from, item(indexing::number(alpha, t.dtype(), Device{})));
    const IndexedArgs args = sliceArgs(IndexedMode::Add, self, d, flatIndex(index), scaled, false);
    runSelfRange("index_add_", t, args, static_cast<Index>(d));
    t.storage()->bumpVersion();
}

} // namespace

// --- Reading ------------------------------------------------------------------------------------------------------

Tensor indexSelect(const Tensor& t, Index dim, const Tensor& index) {
    requireOneDevice("index_select", {&t, &index});
    return observed::newTensors(
        "index_select",
        [&] {
            return Inputs{&t, &index};
        },
        [&] {
            const auto d = static_cast<std::size_t>(wrapDim(dim, t.dim()).valueOrThrow());
            if (index.dim() > 1)
                refuse(ErrorKind::Index, "INDEX-03", "index_select(): Index is supposed to be a vector",
                       "It has " + std::to_string(index.dim()) + " dims.");
            if (!isAnyIndex(index))
                refuse(ErrorKind::Runtime, "INDEX-02", "index_select(): Expected dtype int32 or int64 for index",
                       "It is " + typeName(index) + ".");
            const Tensor self = withDim(t), at = flatIndex(index);
            if (t.dim() == 0 && at.numel() != 1)
                refuse(ErrorKind::Runtime, "INDEX-04",
                       "index_select(): Index to scalar can have only 1 value, got " + std::to_string(at.numel()) +
                           " value(s)");
            Dims shape = self.shape();
            shape[d] = at.numel();
            // To PyTorch what has no elements is one dim of nothing else.
            if (t.dim() > 1 && t.numel() == 0 && at.numel() != 0 && self.shape()[d] == 0)
                refuse(ErrorKind::Runtime, "INDEX-04", "index_select(): self indexing axis dim should be positive",
                       "There is nothing to name in dim " + std::to_string(d) + ".");
            Tensor out = newContiguous(t.dim() == 0 ? Dims{} : shape, t.dtype(), t.device());
            runSelfRange("index_select", t, sliceArgs(IndexedMode::Read, self, d, at, withDim(out), false),
                         static_cast<Index>(d));
            return out;
        },
        [&] { return dimText(dim); });
}

Tensor take(const Tensor& t, const Tensor& index) {
    requireOneDevice("take", {&t, &index});
    return observed::newTensors(
        "take",
        [&] {
            return Inputs{&t, &index};
        },
        [&] {
            if (t.numel() == 0 && index.numel() != 0 && index.dtype() == DType::Int64)
                refuse(ErrorKind::Index, "INDEX-08", "take(): tried to take from an empty tensor");
            requireLongIndex("take", index);
            Tensor out = newContiguous(index.shape(), t.dtype(), t.device());
            runElements(IndexedMode::Read, t, index, out);
            return out;
        },
        [] { return std::string(); });
}

// --- Writing ------------------------------------------------------------------------------------------------------

namespace {

/// What a write to the slices that `index` names reaches.
void markSlices(const Tensor& marks, Index dim, const Tensor& index) {
    indexFillInto(marks, dim, index, indexing::number(true, DType::Bool, marks.device()));
}

} // namespace

const Tensor& put_(const Tensor& t, const Tensor& index, const Tensor& source, bool accumulate) {
    requireOneDevice("put_", {&t, &index, &source});
    return observed::chosenInPlace(
        "put_", t,
        [&] {
            return Inputs{&t, &index, &source};
        },
        [&] {
            if (index.dtype() == DType::Int64 && t.dtype() != source.dtype())
                refuse(ErrorKind::Runtime, "INDEX-05",
                       "put_(): self and source expected to have the same dtype, but got self.dtype = " + typeName(t) +
                           " and source.dtype = " + typeName(source));
            if (index.dtype() == DType::Int64 && index.numel() != source.numel())
                refuse(ErrorKind::Index, "INDEX-06",
                       "put_(): Expected source and index to have the same number of elements, but got "
                       "source.numel() = " +
                           std::to_string(source.numel()) + ", index.numel() = " + std::to_string(index.numel()));
            if (t.numel() == 0 && index.numel() != 0 && index.dtype() == DType::Int64)
                refuse(ErrorKind::Index, "INDEX-08", "put_(): Tried to put elements into an empty tensor");
            requireTarget("put_", t, {&index, &source});
            requireLongIndex("put_", index);
            if (index.numel() == 0) return;
            const bool alike = source.shape() == index.shape();
            runElements(accumulate ? IndexedMode::Add : IndexedMode::Write, t,
                        alike ? index : view(contiguous(index), source.shape()), source);
            t.storage()->bumpVersion();
        },
        [&](const Tensor& marks) {
            const Tensor yes = indexing::number(true, DType::Bool, marks.device());
            if (index.numel() > 0) runElements(IndexedMode::Write, marks, index, expand(yes, index.shape()));
        },
        [&] { return std::string(accumulate ? "accumulate=True" : ""); });
}

const Tensor& indexFill_(const Tensor& t, Index dim, const Tensor& index, Scalar value) {
    requireOneDevice("index_fill_", {&t, &index});
    if (value.isComplex() && !isComplex(t.dtype()))
        refuse(ErrorKind::Runtime, "INDEX-05",
               "index_fill_(): Converting complex Scalar to non-complex type is not supported", "Give its real part.");
    return observed::chosenInPlace(
        "index_fill_", t,
        [&] {
            return Inputs{&t, &index};
        },
        [&] { indexFillInto(t, dim, index, indexing::number(value, t.dtype(), t.device())); },
        [&](const Tensor& marks) { markSlices(marks, dim, index); },
        [&] { return dimText(dim) + ", " + toString(value); });
}

const Tensor& indexFill_(const Tensor& t, Index dim, const Tensor& index, const Tensor& value) {
    requireOneDevice("index_fill_", {&t, &index, &value});
    if (value.dim() != 0)
        refuse(ErrorKind::Runtime, "INDEX-07",
               "index_fill_ only supports a 0-dimensional value tensor, but got tensor with " +
                   std::to_string(value.dim()) + " dimension(s).",
               "index_copy_ takes a slice for each index.");
    return observed::chosenInPlace(
        "index_fill_", t,
        [&] {
            return Inputs{&t, &index, &value};
        },
        [&] { indexFillInto(t, dim, index, indexing::number(item(value), t.dtype(), t.device())); },
        [&](const Tensor& marks) { markSlices(marks, dim, index); }, [&] { return dimText(dim) + ", {2}"; });
}

const Tensor& indexCopy_(const Tensor& t, Index dim, const Tensor& index, const Tensor& source) {
    requireOneDevice("index_copy_", {&t, &index, &source});
    return observed::chosenInPlace(
        "index_copy_", t,
        [&] {
            return Inputs{&t, &index, &source};
        },
        [&] { indexCopyInto(t, dim, index, source); }, [&](const Tensor& marks) { markSlices(marks, dim, index); },
        [&] { return dimText(dim) + ", {2}"; });
}

const Tensor& indexAdd_(const Tensor& t, Index dim, const Tensor& index, const Tensor& source, Scalar alpha) {
    requireOneDevice("index_add_", {&t, &index, &source});
    return observed::chosenInPlace(
        "index_add_", t,
        [&] {
            return Inputs{&t, &index, &source};
        },
        [&] { indexAddInto(t, dim, index, source, alpha); },
        [&](const Tensor& marks) { markSlices(marks, dim, index); },
        [&] { return dimText(dim) + ", {2}" + (alpha == Scalar(1) ? std::string() : ", alpha=" + toString(alpha)); });
}

} // namespace stridescope
