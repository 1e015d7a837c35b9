// Functions: copies, fills, conversions; joining and repeating; indexing.

#include "core/ops/copy.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/python/from_data.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

namespace {

PyObject* copied(const Args& a, Tensor&& result, bool copy) {
    if (copy && result.storage() == a.tensor(0).storage()) return wrap(clone(result));
    return sameOrNew(a, std::move(result));
}

PyObject* toDeviceAndType(const Args& a) {
    const Tensor& t = a.tensor(0);
    const Device device = a.object(1) ? toDevice(a.object(1)) : t.device();
    return copied(a, to(t, device, a.dtype(2).value_or(t.dtype())), a.flag(4));
}

Tensor cloned(const Args& a) {
    if (a.object(1) == memoryFormat("contiguous_format")) {
        Tensor result = newEmpty(a.tensor(0), a.tensor(0).shape());
        copy_(result, a.tensor(0));
        return result;
    }
    return clone(a.tensor(0));
}

ScatterReduce reduceNamed(const std::string& name) {
    if (name == "add") return ScatterReduce::Add;
    if (name == "multiply") return ScatterReduce::Multiply;
    raise(PyExc_RuntimeError, "reduce argument must be either add or multiply.");
}

template <class F>
Tensor onCopy(const Tensor& t, F f) {
    Tensor result = clone(t);
    f(result);
    return result;
}

/// The shape of nothing: arguments that broadcast, as tensors of the common shape.
std::vector<Tensor> broadcastAll(std::vector<Tensor> tensors) {
    Tensor common = tensors.empty() ? Tensor() : tensors[0];
    Dims shape;
    for (const Tensor& t : tensors) {
        Dims longer = t.dim() >= static_cast<Index>(shape.size()) ? t.shape() : shape;
        const Dims& shorter = t.dim() >= static_cast<Index>(shape.size()) ? shape : t.shape();
        const std::size_t lead = longer.size() - shorter.size();
        for (std::size_t d = 0; d < shorter.size(); ++d) {
            Index& size = longer[lead + d];
            if (size == 1)
                size = shorter[d];
            else if (shorter[d] != 1 && shorter[d] != size)
                raise(PyExc_RuntimeError, "The size of tensor a (" + std::to_string(size) +
                                              ") must match the size of tensor b (" + std::to_string(shorter[d]) +
                                              ") at non-singleton dimension " + std::to_string(lead + d));
        }
        shape = longer;
    }
    for (Tensor& t : tensors) t = expand(t, shape);
    return tensors;
}

} // namespace

#define TAIL ", bool non_blocking=False, bool copy=False, *, memory_format? memory_format=None)"
#define CONVERSION(name, type)                                                                                         \
    SAME("." name "(Tensor self, *, memory_format? memory_format=None)", to(a.tensor(0), DType::type))

std::vector<Entry> copies() {
    return {
        SAME(".contiguous(Tensor self, *, memory_format? memory_format=None)", contiguous(a.tensor(0))),
        FN("clone(Tensor input, *, memory_format? memory_format=None)", cloned(a)),
        FN(".detach(Tensor self)", Tensor(a.tensor(0))),
        FN(".alias(Tensor self)", Tensor(a.tensor(0))),
        IN(".copy_(Tensor self, Tensor src, bool non_blocking=False)", copy_(a.tensor(0), a.tensor(1))),
        IN("fill_(Tensor input, Scalar value)", fill_(a.tensor(0), a.scalar(1))),
        IN("fill_(Tensor input, Tensor value)", fill_(a.tensor(0), a.tensor(1))),
        IN("zero_(Tensor input)", zero_(a.tensor(0))),
        PY(".to(Tensor self, dtype dtype" TAIL, copied(a, to(a.tensor(0), *a.dtype(1)), a.flag(3))),
        PY(".to(Tensor self, device? device=None, dtype? dtype=None" TAIL, toDeviceAndType(a)),
        PY(".to(Tensor self, Tensor other" TAIL,
           copied(a, to(a.tensor(0), a.tensor(1).device(), a.tensor(1).dtype()), a.flag(3))),
        SAME(".type_as(Tensor self, Tensor other)", to(a.tensor(0), a.tensor(1).dtype())),
        SAME(".cpu(Tensor self, *, memory_format? memory_format=None)", to(a.tensor(0), Device{})),
        SAME(".cuda(Tensor self, device? device=None, bool non_blocking=False, *, memory_format? memory_format=None)",
             to(a.tensor(0), a.has(1) ? toDevice(a.object(1)) : Device{DeviceType::Cuda, 0})),
        CONVERSION("float", Float32),
        CONVERSION("double", Float64),
        CONVERSION("half", Float16),
        CONVERSION("int", Int32),
        CONVERSION("long", Int64),
        CONVERSION("short", Int16),
        CONVERSION("char", Int8),
        CONVERSION("byte", UInt8),
        CONVERSION("bool", Bool),
        CONVERSION("cfloat", Complex64),
        CONVERSION("cdouble", Complex128),
    };
}

std::vector<Entry> joining() {
    return {
        FN("cat(Tensor[] tensors, int dim=0)", cat(a.tensors(0), a.index(1))),
        FN("stack(Tensor[] tensors, int dim=0)", stack(a.tensors(0), a.index(1))),
        FN("hstack(Tensor[] tensors)", hstack(a.tensors(0))),
        FN("vstack(Tensor[] tensors)", vstack(a.tensors(0))),
        FN("dstack(Tensor[] tensors)", dstack(a.tensors(0))),
        FN("column_stack(Tensor[] tensors)", columnStack(a.tensors(0))),
        FN("broadcast_tensors(Tensor[] tensors)", broadcastAll(a.tensors(0))),
        FN(".repeat(Tensor self, int[] repeats)", repeat(a.tensor(0), a.dims(1))),
        FN("tile(Tensor input, int[] dims)", tile(a.tensor(0), a.dims(1))),
        FN("repeat_interleave(Tensor repeats, *, int? output_size=None)", repeatInterleave(a.tensor(0))),
        FN("repeat_interleave(Tensor input, Tensor repeats, int? dim=None, *, int? output_size=None)",
           repeatInterleave(a.tensor(0), a.tensor(1), a.optionalIndex(2))),
        FN("repeat_interleave(Tensor input, int repeats, int? dim=None, *, int? output_size=None)",
           repeatInterleave(a.tensor(0), a.index(1), a.optionalIndex(2))),
        FN("roll(Tensor input, int[1] shifts, int[1]? dims=None)",
           roll(a.tensor(0), a.dims(1), a.optionalDims(2).value_or(Dims{}))),
        FN("flip(Tensor input, int[] dims)", flip(a.tensor(0), a.dims(1))),
        FN("fliplr(Tensor input)", fliplr(a.tensor(0))),
        FN("flipud(Tensor input)", flipud(a.tensor(0))),
        FN("rot90(Tensor input, int k=1, int[] dims=(0, 1))",
           rot90(a.tensor(0), a.index(1), a.optionalDims(2).value_or(Dims{0, 1}))),
    };
}

std::vector<Entry> indexing() {
    return {
        FN("index_select(Tensor input, int dim, Tensor index)", indexSelect(a.tensor(0), a.index(1), a.tensor(2))),
        FN("gather(Tensor input, int dim, Tensor index, *, bool sparse_grad=False)",
           gather(a.tensor(0), a.index(1), a.tensor(2))),
        FN("take(Tensor input, Tensor index)", take(a.tensor(0), a.tensor(1))),
        IN(".scatter_(Tensor self, int dim, Tensor index, Tensor src)",
           scatter_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        IN(".scatter_(Tensor self, int dim, Tensor index, Scalar value)",
           scatter_(a.tensor(0), a.index(1), a.tensor(2), a.scalar(3))),
        IN(".scatter_(Tensor self, int dim, Tensor index, Tensor src, *, str reduce)",
           scatter_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3), reduceNamed(a.text(4)))),
        IN(".scatter_(Tensor self, int dim, Tensor index, Scalar value, *, str reduce)",
           scatter_(a.tensor(0), a.index(1), a.tensor(2), a.scalar(3), reduceNamed(a.text(4)))),
        IN(".scatter_add_(Tensor self, int dim, Tensor index, Tensor src)",
           scatterAdd_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        FN("scatter(Tensor input, int dim, Tensor index, Tensor src)",
           scatter(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        FN("scatter(Tensor input, int dim, Tensor index, Scalar value)",
           scatter(a.tensor(0), a.index(1), a.tensor(2), a.scalar(3))),
        FN("scatter_add(Tensor input, int dim, Tensor index, Tensor src)",
           scatterAdd(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        IN(".put_(Tensor self, Tensor index, Tensor source, bool accumulate=False)",
           put_(a.tensor(0), a.tensor(1), a.tensor(2), a.flag(3))),
        IN(".index_fill_(Tensor self, int dim, Tensor index, Scalar value)",
           indexFill_(a.tensor(0), a.index(1), a.tensor(2), a.scalar(3))),
        IN(".index_fill_(Tensor self, int dim, Tensor index, Tensor value)",
           indexFill_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        IN(".index_copy_(Tensor self, int dim, Tensor index, Tensor source)",
           indexCopy_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        IN(".index_add_(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
           indexAdd_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3), a.scalar(4))),
        FN("index_fill(Tensor input, int dim, Tensor index, Scalar value)",
           onCopy(a.tensor(0), [&](const Tensor& t) { indexFill_(t, a.index(1), a.tensor(2), a.scalar(3)); })),
        FN("index_copy(Tensor input, int dim, Tensor index, Tensor source)",
           onCopy(a.tensor(0), [&](const Tensor& t) { indexCopy_(t, a.index(1), a.tensor(2), a.tensor(3)); })),
        FN("index_add(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
           onCopy(a.tensor(0),
                  [&](const Tensor& t) { indexAdd_(t, a.index(1), a.tensor(2), a.tensor(3), a.scalar(4)); })),
        FN("masked_select(Tensor input, Tensor mask)", maskedSelect(a.tensor(0), a.tensor(1))),
        IN(".masked_fill_(Tensor self, Tensor mask, Scalar value)", maskedFill_(a.tensor(0), a.tensor(1), a.scalar(2))),
        IN(".masked_fill_(Tensor self, Tensor mask, Tensor value)", maskedFill_(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN("masked_fill(Tensor input, Tensor mask, Scalar value)", maskedFill(a.tensor(0), a.tensor(1), a.scalar(2))),
        IN(".masked_scatter_(Tensor self, Tensor mask, Tensor source)",
           maskedScatter_(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN(":where(Tensor condition)", where(a.tensor(0))),
        FN(":where(Tensor condition, Tensor input, Tensor other)", where(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN(":where(Tensor condition, Scalar self, Tensor other)", where(a.tensor(0), a.scalar(1), a.tensor(2))),
        FN(":where(Tensor condition, Tensor input, Scalar other)", where(a.tensor(0), a.tensor(1), a.scalar(2))),
        FN(":where(Tensor condition, Scalar self, Scalar other)", where(a.tensor(0), a.scalar(1), a.scalar(2))),
        FN(".where(Tensor self, Tensor condition, Tensor other)", where(a.tensor(1), a.tensor(0), a.tensor(2))),
        FN(".where(Tensor self, Tensor condition, Scalar other)", where(a.tensor(1), a.tensor(0), a.scalar(2))),
        PY("nonzero(Tensor input, *, bool as_tuple=False)",
           a.flag(1) ? wrap(nonzeroTuple(a.tensor(0))) : wrap(nonzero(a.tensor(0)))),
        FN("argwhere(Tensor input)", argwhere(a.tensor(0))),
    };
}

} // namespace stridescope::python::tables
