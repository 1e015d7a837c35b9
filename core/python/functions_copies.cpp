// Functions: copies, fills, conversions; joining and repeating; indexing.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/patterns.h"
#include "core/ops/promotion.h"
#include "core/ops/sorting.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "core/python/from_data.h"
#include "core/python/function.h"

#include <array>

namespace stridescope::python::tables {

namespace {

/// What `to` gives; non_blocking, copy and memory_format stand side by side from `tail` on.
PyObject* converted(const Args& a, Device device, DType dtype, std::size_t tail) {
    const Tensor& t = a.tensor(0);
    const NonBlockingCopies nonBlocking(a.flag(tail));
    const MemoryFormat format = a.format(tail + 2, MemoryFormat::Preserve);
    Tensor result = RUN(to(t, device, dtype, format));
    if (a.flag(tail + 1) && result.storage() == t.storage()) return wrap(RUN(clone(result, format)));
    return sameOrNew(a, std::move(result));
}

/// The same for the conversions that take memory_format alone, at place `at`.
Tensor convertedTo(const Args& a, Device device, DType dtype, std::size_t at) {
    return to(a.tensor(0), device, dtype, a.format(at, MemoryFormat::Preserve));
}

Tensor toCuda(const Args& a) {
    const NonBlockingCopies nonBlocking(a.flag(2));
    return convertedTo(a, a.has(1) ? a.device(1) : currentDevice(DeviceType::Cuda), a.tensor(0).dtype(), 3);
}

const Tensor& copyInto(const Tensor& t, const Tensor& from, bool nonBlockingWanted) {
    const NonBlockingCopies nonBlocking(nonBlockingWanted);
    return copy_(t, from);
}

ScatterReduce reduceNamed(const std::string& name) {
    if (name == "add") return ScatterReduce::Add;
    if (name == "multiply") return ScatterReduce::Multiply;
    raise(PyExc_RuntimeError, "reduce argument must be either add or multiply.");
}

ReduceBy reductionNamed(const std::string& name) {
    if (name == "sum") return ReduceBy::Sum;
    if (name == "prod") return ReduceBy::Prod;
    if (name == "mean") return ReduceBy::Mean;
    if (name == "amax") return ReduceBy::Amax;
    if (name == "amin") return ReduceBy::Amin;
    raise(PyExc_RuntimeError, "reduce argument must be either sum, prod, mean, amax or amin.");
}

ReduceBy indexReduction(const Args& a) {
    warnOf("index_reduce() is in beta and the API may change at any time.");
    const std::string name = a.text(4);
    if (name != "prod" && name != "mean" && name != "amax" && name != "amin")
        raise(PyExc_RuntimeError,
              "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got " + name + ".");
    return reductionNamed(name);
}

/// The reduction, by its name; PyTorch says that it may still change.
ReduceBy scatterReduction(const Args& a) {
    warnOf("scatter_reduce() is in beta and the API may change at any time.");
    return reductionNamed(a.text(4));
}

/// A number as PyTorch makes a tensor of it.
Tensor asTensor(Scalar value) {
    return full({}, value, {resultType(std::array{promotionOperand(value)}), Device{}});
}

/// What `f` does in place, on a copy: in the order of the dims in memory, or row-major, as PyTorch has it.
template <class F>
Tensor onCopy(const Tensor& t, F f) {
    Tensor result = clone(t);
    f(result);
    return result;
}
template <class F>
Tensor onPlainCopy(const Tensor& t, F f) {
    Tensor result = clone(t, MemoryFormat::Contiguous);
    f(result);
    return result;
}

/// Each of several tensors by itself.
std::vector<Tensor> eachOf(const std::vector<Tensor>& tensors, Tensor (*of)(const Tensor&)) {
    std::vector<Tensor> results;
    for (const Tensor& t : tensors) results.push_back(of(t));
    return results;
}

} // namespace

#define TAIL ", bool non_blocking=False, bool copy=False, *, memory_format? memory_format=None)"
#define CONVERSION(name, type)                                                                                         \
    SAME("." name "(Tensor self, *, memory_format? memory_format=None)",                                               \
         convertedTo(a, a.tensor(0).device(), DType::type, 1))

std::vector<Entry> copies() {
    return {
        SAME(".contiguous(Tensor self, *, memory_format memory_format=torch.contiguous_format)",
             contiguous(a.tensor(0), a.format(1, MemoryFormat::Contiguous))),
        FN("clone(Tensor input, *, memory_format? memory_format=None)",
           clone(a.tensor(0), a.format(1, MemoryFormat::Preserve))),
        FN(".detach(Tensor self)", Tensor(a.tensor(0))),
        FN(".alias(Tensor self)", Tensor(a.tensor(0))),
        IN(".copy_(Tensor self, Tensor other, bool non_blocking=False)", copyInto(a.tensor(0), a.tensor(1), a.flag(2))),
        IN("+.copy_(Tensor self, Scalar other, bool non_blocking=False)", copy_(a.tensor(0), asTensor(a.scalar(1)))),
        FN(":fill(Tensor input, Scalar value)", fill_(clone(a.tensor(0)), a.scalar(1))),
        FN(":fill(Tensor input, Tensor value)", fill_(clone(a.tensor(0)), a.tensor(1))),
        IN("fill_(Tensor input, Scalar value)", fill_(a.tensor(0), a.scalar(1))),
        IN("fill_(Tensor input, Tensor value)", fill_(a.tensor(0), a.tensor(1))),
        IN("zero_(Tensor input)", zero_(a.tensor(0))),
        IN(".fill_diagonal_(Tensor self, Scalar fill_value, bool wrap=False)",
           fillDiagonal_(a.tensor(0), a.scalar(1), a.flag(2))),
        PY(".to(Tensor self, dtype dtype" TAIL, converted(a, a.tensor(0).device(), *a.dtype(1), 2)),
        PY(".to(Tensor self, device? device=None, dtype? dtype=None" TAIL,
           converted(a, a.has(1) ? a.device(1) : a.tensor(0).device(), a.dtype(2).value_or(a.tensor(0).dtype()), 3)),
        PY(".to(Tensor self, Tensor other" TAIL, converted(a, a.tensor(1).device(), a.tensor(1).dtype(), 2)),
        SAME(".type_as(Tensor self, Tensor other)", to(a.tensor(0), a.tensor(1).dtype())),
        SAME(".cpu(Tensor self, *, memory_format? memory_format=None)",
             convertedTo(a, Device{}, a.tensor(0).dtype(), 1)),
        SAME(".cuda(Tensor self, device? device=None, bool non_blocking=False, *, memory_format? memory_format=None)",
             toCuda(a)),
        SAME(".pin_memory(Tensor self, device? device=None)", pinMemory(a.tensor(0))),
        FN(".is_pinned(Tensor self, device? device=None)", isPinned(a.tensor(0))),
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

// NOLINTBEGIN(bugprone-macro-parentheses)
#define AT_LEAST(name, function)                                                                                       \
    PY(":" name "(Tensor input)", sameOrNew(a, RUN(function(a.tensor(0))))),                                           \
        FN(name "(Tensor... tensors=())", eachOf(a.tensors(0), function))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> joining() {
    return {
        FN("cat(Tensor[] tensors, int dim=0)", cat(a.tensors(0), a.index(1))),
        FN("stack(Tensor[] tensors, int dim=0)", stack(a.tensors(0), a.index(1))),
        FN("hstack(Tensor[] tensors)", hstack(a.tensors(0))),
        FN("vstack(Tensor[] tensors)", vstack(a.tensors(0))),
        FN("dstack(Tensor[] tensors)", dstack(a.tensors(0))),
        FN("column_stack(Tensor[] tensors)", columnStack(a.tensors(0))),
        FN("broadcast_tensors(Tensor*... tensors=())", broadcastTensors(a.tensors(0))),
        FN("block_diag(Tensor*... tensors=())", blockDiag(a.tensors(0))),
        AT_LEAST("atleast_1d", atleast1d),
        AT_LEAST("atleast_2d", atleast2d),
        AT_LEAST("atleast_3d", atleast3d),
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
        FN("take_along_dim(Tensor input, Tensor indices, int? dim=None)",
           takeAlongDim(a.tensor(0), a.tensor(1), a.optionalIndex(2))),
        FN(":isin(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False)",
           isin(a.tensor(0), a.tensor(1), a.flag(3))),
        FN(":isin(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False)",
           isin(a.scalar(0), a.tensor(1), a.flag(3))),
        FN(":isin(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False)",
           isin(a.tensor(0), a.scalar(1), a.flag(3))),
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
        FN("scatter(Tensor input, int dim, Tensor index, Tensor src, *, str reduce)",
           onPlainCopy(
               a.tensor(0),
               [&](const Tensor& t) { scatter_(t, a.index(1), a.tensor(2), a.tensor(3), reduceNamed(a.text(4))); })),
        FN("scatter(Tensor input, int dim, Tensor index, Scalar value, *, str reduce)",
           onPlainCopy(
               a.tensor(0),
               [&](const Tensor& t) { scatter_(t, a.index(1), a.tensor(2), a.scalar(3), reduceNamed(a.text(4))); })),
        FN("scatter_add(Tensor input, int dim, Tensor index, Tensor src)",
           scatterAdd(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3))),
        FN("scatter_reduce(Tensor input, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True)",
           scatterReduce(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3), scatterReduction(a), a.flag(5))),
        IN(".scatter_reduce_(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True)",
           scatterReduce_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3), scatterReduction(a), a.flag(5))),
        FN("index_reduce(Tensor input, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True)",
           onPlainCopy(a.tensor(0),
                       [&](const Tensor& t) {
                           indexReduce_(t, a.index(1), a.tensor(2), a.tensor(3), indexReduction(a), a.flag(5));
                       })),
        IN(".index_reduce_(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True)",
           indexReduce_(a.tensor(0), a.index(1), a.tensor(2), a.tensor(3), indexReduction(a), a.flag(5))),
        FN("put(Tensor input, Tensor index, Tensor source, bool accumulate=False)",
           onCopy(a.tensor(0), [&](const Tensor& t) { put_(t, a.tensor(1), a.tensor(2), a.flag(3)); })),
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
        IN("index_put_(Tensor input, Tensor[] indices, Tensor values, bool accumulate=False)",
           indexPut_(a.tensor(0), a.tensors(1), a.tensor(2), a.flag(3))),
        FN("index_put(Tensor input, Tensor[] indices, Tensor values, bool accumulate=False)",
           indexPut(a.tensor(0), a.tensors(1), a.tensor(2), a.flag(3))),
        FN("index_fill(Tensor input, int dim, Tensor index, Scalar value)",
           onCopy(a.tensor(0), [&](const Tensor& t) { indexFill_(t, a.index(1), a.tensor(2), a.scalar(3)); })),
        FN("index_fill(Tensor input, int dim, Tensor index, Tensor value)",
           onCopy(a.tensor(0), [&](const Tensor& t) { indexFill_(t, a.index(1), a.tensor(2), a.tensor(3)); })),
        FN("index_copy(Tensor input, int dim, Tensor index, Tensor source)",
           onPlainCopy(a.tensor(0), [&](const Tensor& t) { indexCopy_(t, a.index(1), a.tensor(2), a.tensor(3)); })),
        FN("index_add(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
           onPlainCopy(a.tensor(0),
                       [&](const Tensor& t) { indexAdd_(t, a.index(1), a.tensor(2), a.tensor(3), a.scalar(4)); })),
        FN("masked_select(Tensor input, Tensor mask)", maskedSelect(a.tensor(0), a.tensor(1))),
        IN(".masked_fill_(Tensor self, Tensor mask, Scalar value)", maskedFill_(a.tensor(0), a.tensor(1), a.scalar(2))),
        IN(".masked_fill_(Tensor self, Tensor mask, Tensor value)", maskedFill_(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN("masked_fill(Tensor input, Tensor mask, Tensor|Number value)",
           a.isTensorAt(2) && a.tensor(2).dim() != 0
               ? onPlainCopy(a.tensor(0), [&](const Tensor& t) { maskedFill_(t, a.tensor(1), a.tensor(2)); })
               : maskedFill(a.tensor(0), a.tensor(1), a.scalar(2))),
        IN(".masked_scatter_(Tensor self, Tensor mask, Tensor source)",
           maskedScatter_(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN("masked_scatter(Tensor input, Tensor mask, Tensor source)",
           maskedScatter(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN(":where(Tensor condition)", where(a.tensor(0))),
        FN(":where(Tensor condition, Tensor input, Tensor other)", where(a.tensor(0), a.tensor(1), a.tensor(2))),
        FN(":where(Tensor condition, Scalar self, Tensor other)", where(a.tensor(0), a.scalar(1), a.tensor(2))),
        FN(":where(Tensor condition, Tensor input, Scalar other)", where(a.tensor(0), a.tensor(1), a.scalar(2))),
        FN(":where(Tensor condition, Scalar self, Scalar other)", where(a.tensor(0), a.scalar(1), a.scalar(2))),
        FN(".where(Tensor self, Tensor condition, Tensor other)", where(a.tensor(1), a.tensor(0), a.tensor(2))),
        FN(".where(Tensor self, Tensor condition, Scalar other)", where(a.tensor(1), a.tensor(0), a.scalar(2))),
        PY("nonzero(Tensor input, *, bool as_tuple=False)",
           a.flag(1) ? wrap(RUN(nonzeroTuple(a.tensor(0)))) : wrap(RUN(nonzero(a.tensor(0))))),
        FN("argwhere(Tensor input)", argwhere(a.tensor(0))),
    };
}

} // namespace stridescope::python::tables
