// Functions: new tensors.

#include "core/ops/copy.h"
#include "core/ops/patterns.h"
#include "core/ops/promotion.h"
#include "core/ops/windows.h"
#include "core/python/from_data.h"
#include "core/python/function.h"

#include <stdexcept>

namespace stridescope::python::tables {

namespace {

#define LIKE OPTIONS ", memory_format? memory_format=None"

Tensor fullTensor(const Args& a, const Dims& shape) {
    return full(shape, a.scalar(1), a.options(2));
}

Tensor tensorOfData(const Args& a) {
    if (isTensor(a.object(0)))
        warnOf("To copy construct from a tensor, it is recommended to use sourceTensor.clone().detach() or "
               "sourceTensor.clone().detach().requires_grad_(True), rather than torch.tensor(sourceTensor).");
    return tensorFromData(a.object(0), a.dtype(1), a.options(1).device);
}

Tensor newTensorOfData(const Args& a) {
    if (isTensor(a.object(1)))
        warnOf("To copy construct from a tensor, it is recommended to use sourceTensor.clone().detach() or "
               "sourceTensor.clone().detach().requires_grad_(True), rather than tensor.new_tensor(sourceTensor).");
    return tensorFromData(a.object(1), a.dtype(2).value_or(a.tensor(0).dtype()),
                          a.likeOptions(2).device.value_or(a.tensor(0).device()));
}

/// A number without an imaginary part; of complex ones the real part, which makes floats.
Scalar realScalar(const Args& a, std::size_t i) {
    const Scalar value = a.scalar(i);
    if (!value.isComplex()) return value;
    if (value.imag() != 0) raise(PyExc_RuntimeError, "value cannot be converted to type double without overflow");
    return value.toDouble();
}

Tensor rangeOf(const Args& a) {
    warnOf("torch.range is deprecated and will be removed in a future release because its behavior is inconsistent "
           "with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).");
    return range(realScalar(a, 0), realScalar(a, 1), realScalar(a, 2), a.options(3));
}

GridIndexing gridIndexing(const Args& a) {
    if (!a.has(1)) warnOf("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.");
    const std::string indexing(a.text(1));
    if (indexing != "xy" && indexing != "ij")
        raise(PyExc_RuntimeError,
              "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: " + indexing);
    return indexing == "xy" ? GridIndexing::Xy : GridIndexing::Ij;
}

/// as_tensor: the data itself where nothing has to be converted.
PyObject* asTensor(const Args& a) {
    PyObject* data = a.object(0);
    const std::optional<DType> dtype = a.dtype(1);
    const Device device = a.object(2) ? toDevice(a.object(2)) : isTensor(data) ? tensorOf(data).device() : Device{};
    if (isTensor(data)) {
        const Tensor& t = tensorOf(data);
        return sameOrNew(a, to(t, device, dtype.value_or(t.dtype())));
    }
    if (isNumpyArray(data)) {
        const Tensor shared = tensorFromArray(data);
        return wrap(to(shared, device, dtype.value_or(shared.dtype())));
    }
    return wrap(tensorFromData(data, dtype, device));
}

Tensor plainWindow(Tensor (*f)(Index, bool, TensorOptions), Index length, bool periodic, TensorOptions options) {
    return f(length, periodic, options);
}
Tensor plainWindow(Tensor (*f)(Index, bool, double, TensorOptions), Index length, bool periodic,
                   TensorOptions options) {
    return f(length, periodic, 12, options);
}
Tensor plainWindow(Tensor (*f)(Index, bool, double, double, TensorOptions), Index length, bool periodic,
                   TensorOptions options) {
    return f(length, periodic, 0.54, 0.46, options);
}

Tensor emptyStridedFrom(const Dims& size, const Dims& stride, TensorOptions options) {
    return emptyStrided(makeView(size, stride, 0).valueOrThrow(), options);
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses)
/// The forms that all window functions have; those with a parameter take the options behind it.
#define WINDOW(name, function)                                                                                         \
    FN(name "(int window_length, *, " OPTIONS ")", plainWindow(function, a.index(0), true, a.options(1))),             \
        FN(name "(int window_length, bool periodic, *, " OPTIONS ")",                                                  \
           plainWindow(function, a.index(0), a.flag(1), a.options(2)))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> creation() {
    return {
        FN("empty(int[] size, *, " LIKE ", " NAMES ")",
           empty(a.dims(0), a.options(1), a.format(6, MemoryFormat::Contiguous))),
        FN("zeros(int[] size, *, " OPTIONS ", " NAMES ")", zeros(a.dims(0), a.options(1))),
        FN("ones(int[] size, *, " OPTIONS ", " NAMES ")", ones(a.dims(0), a.options(1))),
        FN("full(int[] size, Scalar fill_value, *, " OPTIONS ", " NAMES ")", fullTensor(a, a.dims(0))),
        FN("scalar_tensor(Scalar s, *, " OPTIONS ")",
           full({}, a.scalar(0), {a.dtype(1).value_or(defaultDType()), a.options(1).device})),
        FN("empty_strided(int[] size, int[] stride, *, " OPTIONS ")",
           emptyStridedFrom(a.dims(0), a.dims(1), a.options(2))),
        FN(":empty_like(Tensor input, *, " LIKE ")", emptyLike(a.tensor(0), a.likeOptions(1))),
        FN(":zeros_like(Tensor input, *, " LIKE ")", zerosLike(a.tensor(0), a.likeOptions(1))),
        FN(":ones_like(Tensor input, *, " LIKE ")", onesLike(a.tensor(0), a.likeOptions(1))),
        FN(":full_like(Tensor input, Scalar fill_value, *, " LIKE ")",
           fullLike(a.tensor(0), a.scalar(1), a.likeOptions(2))),
        FN("arange(Scalar end, *, " OPTIONS ")", arange(realScalar(a, 0), a.options(1))),
        FN("arange(Scalar start, Scalar end, Scalar step=1, *, " OPTIONS ")",
           arange(realScalar(a, 0), realScalar(a, 1), realScalar(a, 2), a.options(3))),
        FN("range(Scalar start, Scalar end, Scalar step=1, *, " OPTIONS ")", rangeOf(a)),
        FN("linspace(Scalar start, Scalar end, int steps, *, " OPTIONS ")",
           linspace(a.scalar(0), a.scalar(1), a.index(2), a.options(3))),
        FN("logspace(Scalar start, Scalar end, int steps, float base=10.0, *, " OPTIONS ")",
           logspace(a.scalar(0), a.scalar(1), a.index(2), a.number(3), a.options(4))),
        WINDOW("bartlett_window", bartlettWindow),
        WINDOW("blackman_window", blackmanWindow),
        WINDOW("hann_window", hannWindow),
        WINDOW("hamming_window", hammingWindow),
        FN("hamming_window(int window_length, bool periodic, float alpha, *, " OPTIONS ")",
           hammingWindow(a.index(0), a.flag(1), a.number(2), 0.46, a.options(3))),
        FN("hamming_window(int window_length, bool periodic, float alpha, float beta, *, " OPTIONS ")",
           hammingWindow(a.index(0), a.flag(1), a.number(2), a.number(3), a.options(4))),
        WINDOW("kaiser_window", kaiserWindow),
        FN("kaiser_window(int window_length, bool periodic, float beta, *, " OPTIONS ")",
           kaiserWindow(a.index(0), a.flag(1), a.number(2), a.options(3))),
        FN("eye(int n, *, " OPTIONS ")", eye(a.index(0), a.options(1))),
        FN("eye(int n, int m, *, " OPTIONS ")", eye(a.index(0), a.index(1), a.options(2))),
        FN("tensor(object data, *, " OPTIONS ", " NAMES ")", tensorOfData(a)),
        PY("as_tensor(object data, dtype? dtype=None, device? device=None)", asTensor(a)),
        PY("asarray(object data, dtype? dtype=None, device? device=None)", asTensor(a)),
        FN("from_numpy(object array)", tensorFromArray(a.object(0))),
        FN("frombuffer(object buffer, *, dtype dtype, int count=-1, int offset=0)",
           tensorFromBuffer(a.object(0), *a.dtype(1), a.index(2), a.index(3))),
        FN("from_dlpack(object ext_tensor)", fromDlpack(a.object(0))),
        FN(".new_empty(Tensor self, int[] size, *, " OPTIONS ")", newEmpty(a.tensor(0), a.dims(1), a.likeOptions(2))),
        FN(".new_empty_strided(Tensor self, int[] size, int[] stride, *, " OPTIONS ")",
           emptyStridedFrom(
               a.dims(1), a.dims(2),
               {a.dtype(3).value_or(a.tensor(0).dtype()), a.likeOptions(3).device.value_or(a.tensor(0).device())})),
        FN(".new_zeros(Tensor self, int[] size, *, " OPTIONS ")", newZeros(a.tensor(0), a.dims(1), a.likeOptions(2))),
        FN(".new_ones(Tensor self, int[] size, *, " OPTIONS ")", newOnes(a.tensor(0), a.dims(1), a.likeOptions(2))),
        FN(".new_full(Tensor self, int[] size, Scalar fill_value, *, " OPTIONS ")",
           newFull(a.tensor(0), a.dims(1), a.scalar(2), a.likeOptions(3))),
        FN(".new_tensor(Tensor self, object data, *, " OPTIONS ")", newTensorOfData(a)),
        FN("tril(Tensor input, int diagonal=0)", tril(a.tensor(0), a.index(1))),
        FN("triu(Tensor input, int diagonal=0)", triu(a.tensor(0), a.index(1))),
        IN("tril_(Tensor input, int diagonal=0)", tril_(a.tensor(0), a.index(1))),
        IN("triu_(Tensor input, int diagonal=0)", triu_(a.tensor(0), a.index(1))),
        FN("diag(Tensor input, int diagonal=0)", diag(a.tensor(0), a.index(1))),
        FN("diagflat(Tensor input, int offset=0)", diagflat(a.tensor(0), a.index(1))),
        FN("diag_embed(Tensor input, int offset=0, int dim1=-2, int dim2=-1)",
           diagEmbed(a.tensor(0), a.index(1), a.index(2), a.index(3))),
        FN("tril_indices(int row, int col, int offset=0, *, " OPTIONS ")",
           trilIndices(a.index(0), a.index(1), a.index(2), {a.dtype(3).value_or(DType::Int64), a.options(3).device})),
        FN("triu_indices(int row, int col, int offset=0, *, " OPTIONS ")",
           triuIndices(a.index(0), a.index(1), a.index(2), {a.dtype(3).value_or(DType::Int64), a.options(3).device})),
        FN("meshgrid(Tensor... tensors=(), *, str indexing='ij')", meshgrid(a.tensors(0), gridIndexing(a))),
        FN("cartesian_prod(Tensor*... tensors=())", cartesianProd(a.tensors(0))),
        FN("combinations(Tensor input, int r=2, bool with_replacement=False)",
           combinations(a.tensor(0), a.index(1), a.flag(2))),
        FN("vander(Tensor x, int? N=None, bool increasing=False)", vander(a.tensor(0), a.optionalIndex(1), a.flag(2))),
    };
}

} // namespace stridescope::python::tables
