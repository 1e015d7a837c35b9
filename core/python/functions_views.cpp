// Functions: views, their in-place forms, and what a tensor tells of its layout.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/handles.h"
#include "core/ops/joining.h"
#include "core/ops/promotion.h"
#include "core/ops/view_scatter.h"
#include "core/ops/views.h"
#include "core/python/function.h"
#include "core/python/value_types.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

namespace stridescope::python::tables {

namespace {

void requireDims(const Tensor& t, Index dim) {
    if (t.dim() == 0)
        raise(PyExc_IndexError, "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions");
}

PyObject* sizeOf(const Args& a) {
    const Tensor& t = a.tensor(0);
    if (!a.has(1)) return newSize(t.shape());
    requireDims(t, a.index(1));
    return PyLong_FromLongLong(t.shape()[static_cast<std::size_t>(wrapDim(a.index(1), t.dim()).valueOrThrow())]);
}
PyObject* strideOf(const Args& a) {
    const Tensor& t = a.tensor(0);
    if (!a.has(1)) return newTuple(t.stride());
    requireDims(t, a.index(1));
    return PyLong_FromLongLong(t.stride()[static_cast<std::size_t>(wrapDim(a.index(1), t.dim()).valueOrThrow())]);
}

Tensor adjointOf(const Tensor& t) {
    if (t.dim() == 1)
        raise(PyExc_RuntimeError,
              "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.");
    return conj(t.dim() == 0 ? t : transpose(t, -2, -1));
}

Tensor& resizeAs(const Args& a) {
    const View& like = a.tensor(1).view();
    const MemoryFormat format = a.format(2, MemoryFormat::Contiguous);
    return resize_(a.tensor(0), like.shape, format == MemoryFormat::Preserve ? suggestedFormat(like) : format);
}

/// A narrow whose start is a 0-d tensor; and negative starts, which count from the end.
Tensor narrowAt(const Args& a, Index start) {
    return narrow(a.tensor(0), a.index(1), start, a.index(3));
}

/// PyTorch checks its arguments in another way than narrow's.
Tensor narrowCopy(const Args& a) {
    const Tensor& t = a.tensor(0);
    const Index dim = a.index(1), length = a.index(3);
    Index start = a.index(2);
    if (t.dim() == 0 || dim < -t.dim()) return clone(narrowAt(a, start)); // refused there
    if (dim >= t.dim())
        raise(PyExc_RuntimeError, "narrow_copy(): dimension out of range (expected to be in range of [" +
                                      std::to_string(-t.dim()) + ", " + std::to_string(t.dim() - 1) + "], but got " +
                                      std::to_string(dim) + ")");
    const Index size = t.size(dim);
    if (start < 0) start = wrapDim(start, size).valueOrThrow();
    if (length < 0 || start > size - length)
        raise(PyExc_RuntimeError, "start (" + std::to_string(start) + ") + length (" + std::to_string(length) +
                                      ") exceeds dimension size (" + std::to_string(size) + ").");
    return clone(narrowAt(a, start), MemoryFormat::Contiguous);
}

std::vector<Tensor> splitBy(const Args& a) {
    if (isIntLike(a.object(1))) return split(a.tensor(0), a.index(1), a.index(2));
    return split(a.tensor(0), a.dims(1), a.index(2));
}

std::vector<Tensor> tensorSplitBy(const Args& a) {
    // First: a tensor of one element would pass for a number, but only one without dims is a number of sections.
    if (isTensor(a.object(1))) {
        const Tensor& by = tensorOf(a.object(1));
        if (by.dtype() != DType::Int64)
            raise(PyExc_RuntimeError,
                  "tensor_split expected tensor_indices_or_sections to have dtype of long, but got " +
                      std::string(scalarTypeName(by.dtype())));
        const auto number = [flat = reshape(by, {-1})](Index i) { return readElement(flat, {{i}}).toInt(); };
        if (by.dim() == 0) return tensorSplit(a.tensor(0), number(0), a.index(2));
        Dims at;
        for (Index i = 0; i < by.numel(); ++i) at.push_back(number(i));
        return tensorSplit(a.tensor(0), at, a.index(2));
    }
    if (isIntLike(a.object(1))) return tensorSplit(a.tensor(0), a.index(1), a.index(2));
    return tensorSplit(a.tensor(0), a.dims(1), a.index(2));
}

/// set_(source, offset, size, stride): this object becomes a view of another storage.
PyObject* setTo(const Args& a) {
    Tensor& t = a.tensor(0);
    // A storage object gives its slots as a tensor of one dim; one without a dtype of its own, in the tensor's.
    const auto slots = [&] {
        return Ref::take(PyObject_CallMethod(a.object(1), "_flat_for", "O", dtypeObject(t.dtype())));
    };
    Ref held = isTensor(a.object(1)) ? Ref::share(a.object(1)) : slots();
    if (!isTensor(held.get()))
        raise(PyExc_TypeError, "set_(): argument 'source' (position 1) must be Storage or Tensor");
    const Tensor& source = tensorOf(held.get());
    if (!isTensor(a.object(1)) && source.dtype() != t.dtype())
        raise(PyExc_RuntimeError, "Expected a Storage of type " + std::string(elementTypeName(t.dtype())) +
                                      " or an UntypedStorage, but got type " +
                                      std::string(scalarTypeName(source.dtype())) + " for argument 1 'storage'");
    if (!a.has(3)) {
        set_(t, source);
        return a.self();
    }
    const Dims size = a.dims(3);
    const Dims stride = a.has(4) ? a.dims(4) : contiguousView(size).valueOrThrow().stride;
    if (size.size() != stride.size())
        raise(PyExc_RuntimeError, "unequal size length (" + std::to_string(size.size()) + ") and stride length (" +
                                      std::to_string(stride.size()) + ")");
    if (source.dtype() != t.dtype()) {
        Tensor probe = t;
        set_(probe, source); // refused there, with both names
    }
    set_(t, source.storage(), makeView(size, stride, a.index(2)).valueOrThrow());
    return a.self();
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses)
#define SPLIT(name, function)                                                                                          \
    FN(name "(Tensor input, int sections)", function(a.tensor(0), a.index(1))),                                        \
        FN(name "(Tensor input, int[] indices)", function(a.tensor(0), a.dims(1)))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> views() {
    return {
        FN("select(Tensor input, int dim, int index)", select(a.tensor(0), a.index(1), a.index(2))),
        FN("narrow(Tensor input, int dim, Tensor start, int length)", narrowAt(a, toIndex(a.object(2)))),
        FN("narrow(Tensor input, int dim, int start, int length)", narrowAt(a, a.index(2))),
        FN("narrow_copy(Tensor input, int dim, int start, int length)", narrowCopy(a)),
        FN(".slice(Tensor self, int dim=0, int? start=None, int? end=None, int step=1)",
           slice(a.tensor(0), a.index(1), a.optionalIndex(2), a.optionalIndex(3), a.has(4) ? a.index(4) : 1)),
        FN("diagonal(Tensor input, int offset=0, int dim1=0, int dim2=1)",
           diagonal(a.tensor(0), a.index(1), a.index(2), a.index(3))),
        FN(".unfold(Tensor self, int dimension, int size, int step)",
           unfold(a.tensor(0), a.index(1), a.index(2), a.index(3))),
        FN("transpose(Tensor input, int dim0, int dim1)", transpose(a.tensor(0), a.index(1), a.index(2))),
        FN("swapaxes(Tensor input, int axis0, int axis1)", swapaxes(a.tensor(0), a.index(1), a.index(2))),
        FN("swapdims(Tensor input, int dim0, int dim1)", swapaxes(a.tensor(0), a.index(1), a.index(2))),
        FN("t(Tensor input)", t(a.tensor(0))),
        FN("adjoint(Tensor input)", adjointOf(a.tensor(0))),
        FN("permute(Tensor input, int[] dims)", permute(a.tensor(0), a.dims(1))),
        FN("movedim(Tensor input, int source, int destination)",
           movedim(a.tensor(0), Dims{a.index(1)}, Dims{a.index(2)})),
        FN("movedim(Tensor input, int[] source, int[] destination)", movedim(a.tensor(0), a.dims(1), a.dims(2))),
        FN("unsqueeze(Tensor input, int dim)", unsqueeze(a.tensor(0), a.index(1))),
        FN("squeeze(Tensor input)", squeeze(a.tensor(0))),
        FN("squeeze(Tensor input, int dim)", squeeze(a.tensor(0), a.index(1))),
        FN(".view(Tensor self, dtype dtype)", viewDType(a.tensor(0), *a.dtype(1))),
        FN(".view(Tensor self, int[] size)", view(a.tensor(0), a.dims(1))),
        FN(".view_as(Tensor self, Tensor other)", viewAs(a.tensor(0), a.tensor(1))),
        FN("reshape(Tensor input, int[] shape)", reshape(a.tensor(0), a.dims(1))),
        FN(".reshape_as(Tensor self, Tensor other)", reshape(a.tensor(0), a.tensor(1).shape())),
        SAME("flatten(Tensor input, int start_dim=0, int end_dim=-1)", flatten(a.tensor(0), a.index(1), a.index(2))),
        FN("ravel(Tensor input)", reshape(contiguous(a.tensor(0)), {-1})),
        FN("unflatten(Tensor input, int dim, int[] sizes)", unflatten(a.tensor(0), a.index(1), a.dims(2))),
        FN(".expand(Tensor self, int[] size, *, bool implicit=False)", expand(a.tensor(0), a.dims(1))),
        FN(".expand_as(Tensor self, Tensor other)", expandAs(a.tensor(0), a.tensor(1))),
        FN("broadcast_to(Tensor input, int[] size)", expand(a.tensor(0), a.dims(1))),
        FN("as_strided(Tensor input, int[] size, int[] stride, int? storage_offset=None)",
           asStrided(a.tensor(0), a.dims(1), a.dims(2), a.optionalIndex(3))),
        FN("select_scatter(Tensor input, Tensor src, int dim, int index)",
           selectScatter(a.tensor(0), a.tensor(1), a.index(2), a.index(3))),
        FN("slice_scatter(Tensor input, Tensor src, int dim=0, int? start=None, int? end=None, int step=1)",
           sliceScatter(a.tensor(0), a.tensor(1), a.index(2), a.optionalIndex(3), a.optionalIndex(4), a.sliceStep(5))),
        FN("diagonal_scatter(Tensor input, Tensor src, int offset=0, int dim1=0, int dim2=1)",
           diagonalScatter(a.tensor(0), a.tensor(1), a.index(2), a.index(3), a.index(4))),
        FN("as_strided_scatter(Tensor input, Tensor src, int[] size, int[] stride, int? storage_offset=None)",
           asStridedScatter(a.tensor(0), a.tensor(1), a.dims(2), a.dims(3), a.optionalIndex(4))),
        FN("split(Tensor input, int[1] split_size, int dim=0)", splitBy(a)),
        FN("split(Tensor input, int[1] split_size_or_sections, int dim=0)", splitBy(a)),
        FN("split_with_sizes(Tensor input, int[] split_sizes, int dim=0)", split(a.tensor(0), a.dims(1), a.index(2))),
        FN("chunk(Tensor input, int chunks, int dim=0)", chunk(a.tensor(0), a.index(1), a.index(2))),
        FN("unbind(Tensor input, int dim=0)", unbind(a.tensor(0), a.index(1))),
        FN("tensor_split(Tensor input, int sections, int dim=0)", tensorSplitBy(a)),
        FN("tensor_split(Tensor input, int[] indices, int dim=0)", tensorSplitBy(a)),
        FN("tensor_split(Tensor input, Tensor tensor_indices_or_sections, int dim=0)", tensorSplitBy(a)),

        SPLIT("hsplit", hsplit),
        SPLIT("vsplit", vsplit),
        SPLIT("dsplit", dsplit),

        IN(".transpose_(Tensor self, int dim0, int dim1)", transpose_(a.tensor(0), a.index(1), a.index(2))),
        IN(".swapaxes_(Tensor self, int axis0, int axis1)", transpose_(a.tensor(0), a.index(1), a.index(2))),
        IN(".swapdims_(Tensor self, int dim0, int dim1)", transpose_(a.tensor(0), a.index(1), a.index(2))),
        IN(".t_(Tensor self)", t_(a.tensor(0))),
        IN(".unsqueeze_(Tensor self, int dim)", unsqueeze_(a.tensor(0), a.index(1))),
        IN(".squeeze_(Tensor self)", squeeze_(a.tensor(0))),
        IN(".squeeze_(Tensor self, int dim)", squeeze_(a.tensor(0), a.index(1))),
        IN("as_strided_(Tensor input, int[] size, int[] stride, int? storage_offset=None)",
           asStrided_(a.tensor(0), a.dims(1), a.dims(2), a.optionalIndex(3))),
        IN(".resize_(Tensor self, int[] size, *, memory_format? memory_format=None)",
           resize_(a.tensor(0), a.dims(1), a.format(2, MemoryFormat::Contiguous))),
        IN(".resize_as_(Tensor self, Tensor the_template, *, memory_format? memory_format=None)", resizeAs(a)),
        IN(":resize_as_(Tensor input, Tensor the_template, *, memory_format? memory_format=None)", resizeAs(a)),
        IN(".set_(Tensor self)", set_(a.tensor(0), empty({0}, {a.tensor(0).dtype(), a.tensor(0).device()}))),
        PY(".set_(Tensor self, object source, int storage_offset=0, int[]? size=None, int[]? stride=None)", setTo(a)),

        PY(".size(Tensor self, int? dim=None)", sizeOf(a)),
        PY(".stride(Tensor self, int? dim=None)", strideOf(a)),
        FN(".is_contiguous(Tensor self, *, memory_format memory_format=torch.contiguous_format)",
           isContiguous(a.tensor(0).view(), a.format(1, MemoryFormat::Contiguous))),
    };
}

} // namespace stridescope::python::tables
