#include "core/python/from_data.h"

#include "core/io/text.h"
#include "core/ops/copy.h"
#include "core/ops/observed_call.h"
#include "core/ops/promotion.h"
#include "core/python/convert.h"
#include "core/python/tensor_object.h"
#include "core/python/value_types.h"
#include "core/storage/memory_budget.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <algorithm>
#include <limits>
#include <sys/resource.h>

namespace stridescope::python {

void requireFits(Scalar value, DType dtype) {
    if (!isIntegral(dtype) || value.isBool()) return;
    // No integer type holds NaN, an infinity or 2^63; comparisons with NaN are false.
    const bool fits64 = !value.isFloat() || (value.toDouble() >= -0x1p63 && value.toDouble() < 0x1p63);
    const Index whole = value.toInt();
    const std::size_t bits = 8 * itemSize(dtype);
    const Index high = dtype == DType::UInt8 ? 255 : std::numeric_limits<Index>::max() >> (64 - bits);
    const Index low = dtype == DType::UInt8 ? -255 : -high - 1; // -1 wraps, as in PyTorch
    if (!fits64 || whole < low || whole > high)
        raise(PyExc_RuntimeError,
              "value cannot be converted to type " + std::string(name(dtype)) + " without overflow");
}

namespace {

bool isList(PyObject* object) {
    return PySequence_Check(object) && !PyUnicode_Check(object) && !isTensor(object) && !isNumpyScalar(object);
}

/// The shape by the first element of each level, as PyTorch finds it.
Dims shapeOf(PyObject* data) {
    Dims shape;
    Ref held = Ref::share(data);
    for (;;) {
        PyObject* object = held.get();
        if (PyUnicode_Check(object)) {
            if (shape.empty()) raise(PyExc_TypeError, "new(): invalid data type 'str'");
            raise(PyExc_ValueError, "too many dimensions 'str'");
        }
        if (PyBytes_Check(object)) raise(PyExc_TypeError, "new(): invalid data type 'bytes'");
        if (!isList(object)) return shape;
        const Py_ssize_t length = PySequence_Size(object);
        if (length < 0) throw PythonError{};
        shape.push_back(length);
        if (static_cast<Index>(shape.size()) > kMaxDims)
            raise(PyExc_ValueError, "too many dimensions '" + typeName(object) + "'");
        if (length == 0) return shape;
        held = Ref::take(PySequence_GetItem(object, 0));
    }
}

std::optional<DType> promoted(std::optional<DType> a, DType b) {
    return a ? promoteTypes(*a, b) : b;
}

DType dtypeOfArrayScalar(PyObject* object) {
    Ref dtype = Ref::take(PyObject_GetAttrString(object, "dtype"));
    Ref name = Ref::take(PyObject_GetAttrString(dtype.get(), "name"));
    const std::optional<DType> known = dtypeFromName(textOf(name.get()));
    if (!known)
        raise(PyExc_TypeError, "can't convert np.ndarray of type numpy." + std::string(textOf(name.get())) +
                                   ". The only supported types are: float64, float32, float16, complex64, "
                                   "complex128, int64, int32, int16, int8, uint8, and bool.");
    return *known;
}

std::optional<DType> inferDType(PyObject* data) {
    if (PyFloat_CheckExact(data)) return defaultDType();
    if (PyBool_Check(data)) return DType::Bool;
    if (PyLong_Check(data)) return DType::Int64;
    if (isTensor(data)) return tensorOf(data).dtype();
    if (isNumpyScalar(data) || isNumpyArray(data)) return dtypeOfArrayScalar(data);
    if (PyFloat_Check(data)) return defaultDType();
    if (PyComplex_Check(data)) return complexDType(defaultDType());
    if (PyUnicode_Check(data)) raise(PyExc_TypeError, "new(): invalid data type 'str'");
    if (!isList(data)) raise(PyExc_RuntimeError, "Could not infer dtype of " + typeName(data));
    Ref fast = Ref::take(PySequence_Fast(data, "not a sequence"));
    if (PySequence_Fast_GET_SIZE(fast.get()) == 0) return defaultDType(); // beside integers, too
    std::optional<DType> dtype;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
        const std::optional<DType> item = inferDType(PySequence_Fast_GET_ITEM(fast.get(), i));
        if (item) dtype = promoted(dtype, *item);
        if (dtype == DType::Complex128) break;
    }
    return dtype;
}

void store(std::byte* address, DType dtype, PyObject* number) {
    if (!isNumber(number) && !isTensor(number)) {
        if (PyUnicode_Check(number)) raise(PyExc_TypeError, "new(): invalid data type 'str'");
        if (isIntegral(dtype) || dtype == DType::Bool)
            raise(PyExc_TypeError, "'" + typeName(number) + "' object cannot be interpreted as an integer");
        raise(PyExc_TypeError, "must be real number, not " + typeName(number));
    }
    if (isTensor(number) && tensorOf(number).numel() != 1) {
        if (isIntegral(dtype) || dtype == DType::Bool)
            raise(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
        raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    }
    // Python's ints of any size have a nearest float, and a truth.
    const bool large = PyLong_Check(number) && !isIntegral(dtype);
    const Scalar value = !large                 ? toScalar(number)
                         : dtype == DType::Bool ? Scalar(PyObject_IsTrue(number) == 1)
                                                : Scalar(toDouble(number));
    if (dtype == DType::Bool) return storeElement(address, dtype, value.toBool());
    if (value.isComplex() && !isComplex(dtype))
        raise(PyExc_TypeError, isIntegral(dtype) ? "'complex' object cannot be interpreted as an integer"
                                                 : "must be real number, not complex");
    requireFits(value, dtype);
    storeElement(address, dtype, value);
}

struct Filler {
    const Dims& shape;
    DType dtype;
    std::byte* next;
    bool warned = false;

    void fill(PyObject* data, std::size_t dim) {
        if (dim == shape.size()) {
            store(next, dtype, data);
            next += itemSize(dtype);
            return;
        }
        if (isNumpyArray(data)) {
            copyArray(data, dim);
            return;
        }
        if (!PySequence_Check(data) || PyUnicode_Check(data) || isTensor(data))
            raise(PyExc_TypeError, "not a sequence");
        Ref fast = Ref::take(PySequence_Fast(data, "not a sequence"));
        const Py_ssize_t length = PySequence_Fast_GET_SIZE(fast.get());
        requireLength(length, dim);
        for (Py_ssize_t i = 0; i < length; ++i) fill(PySequence_Fast_GET_ITEM(fast.get(), i), dim + 1);
    }

    void requireLength(Index length, std::size_t dim) const {
        if (length != shape[dim])
            raise(PyExc_ValueError, "expected sequence of length " + std::to_string(shape[dim]) + " at dim " +
                                        std::to_string(dim) + " (got " + std::to_string(length) + ")");
    }

    /// A whole array among the items: copied at once.
    void copyArray(PyObject* data, std::size_t dim) {
        if (!warned)
            warnOf("Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the "
                   "list to a single numpy.ndarray with numpy.array() before converting to a tensor.");
        warned = true;
        const Tensor source = tensorFromArray(data);
        if (source.dim() != static_cast<Index>(shape.size() - dim)) raise(PyExc_ValueError, "not a sequence");
        for (std::size_t d = dim; d < shape.size(); ++d) requireLength(source.shape()[d - dim], d);
        const Tensor plain = contiguous(to(source, dtype));
        const std::size_t bytes = static_cast<std::size_t>(plain.nbytes());
        const std::byte* from =
            plain.storage()->data() + static_cast<std::size_t>(plain.storageOffset()) * itemSize(dtype);
        next = std::copy(from, from + bytes, next);
    }
};

/// A number, or lists of them: what Python writes of it can be read again.
bool isPlain(PyObject* data) {
    if (PyLong_CheckExact(data) || PyFloat_CheckExact(data) || PyBool_Check(data)) return true;
    if (!PyList_CheckExact(data) && !PyTuple_CheckExact(data)) return false;
    PyObject* const* const items = PySequence_Fast_ITEMS(data);
    return std::all_of(items, items + PySequence_Fast_GET_SIZE(data), isPlain);
}

/// "[0, 2], dtype=torch.int64", for a record; of what is long or made of other objects "…".
std::string dataText(PyObject* data, const Tensor& t, bool typed) {
    constexpr Index kMostWritten = 512;
    std::string text = "…";
    if (t.numel() <= kMostWritten && isPlain(data)) {
        Ref written = Ref::take(PyObject_Repr(data));
        text = textOf(written.get());
    }
    return typed ? text + ", dtype=" + code::dtypeText(t.dtype()) : text;
}

Tensor onDevice(Tensor&& t, Device device) {
    return device.isCpu() ? std::move(t) : to(t, device);
}

} // namespace

Tensor tensorFromData(PyObject* data, std::optional<DType> dtype, Device device) {
    if (isTensor(data)) {
        const Tensor& t = tensorOf(data);
        return onDevice(dtype && *dtype != t.dtype() ? to(t, *dtype) : clone(t), device);
    }
    if (isNumpyArray(data)) {
        const Tensor shared = tensorFromArray(data);
        return onDevice(contiguous(dtype && *dtype != shared.dtype() ? to(shared, *dtype) : clone(shared)), device);
    }
    const Dims shape = shapeOf(data);
    const bool typed = dtype.has_value();
    if (!dtype) {
        dtype = inferDType(data);
        if (!dtype) dtype = defaultDType();
    }
    const auto start = observed::startTime();
    Tensor t = [&] {
        const trace::Nested nested;
        return empty(shape, {dtype, Device{}});
    }();
    Filler filler{shape, *dtype, t.storage()->data()};
    // Of a list that begins with an empty one, the others are not looked at: PyTorch finds no place for them either.
    if (t.numel() != 0) filler.fill(data, 0);
    t.storage()->bumpVersion();
    if (observed::isObserved(start))
        observed::publishCall("tensor", dataText(data, t, typed), {}, {&t, 1}, OpEffect::Alloc, start);
    return onDevice(std::move(t), device);
}

Tensor legacyTensor(PyObject* args, std::optional<DType> typed) {
    if (!PyTuple_Check(args)) raise(PyExc_TypeError, "the arguments must be a tuple");
    const DType dtype = typed.value_or(defaultDType());
    const Py_ssize_t count = PyTuple_GET_SIZE(args);
    if (count == 0) return empty({0}, {dtype, Device{}});
    PyObject* first = PyTuple_GET_ITEM(args, 0);
    if (count == 1 && Py_IS_TYPE(first, &sizeType)) return empty(toDims(first), {dtype, Device{}});
    if (count == 1 && isTensor(first)) {
        // The same memory: a constructor of another dtype would have to copy, and PyTorch's refuses.
        const Tensor& t = tensorOf(first);
        if (typed && t.dtype() != dtype)
            raise(PyExc_TypeError, "new(): expected a tensor of torch." + std::string(name(dtype)) +
                                       ", but got torch." + std::string(name(t.dtype())) + "; use .to(torch." +
                                       std::string(name(dtype)) + ")");
        return t;
    }
    if (isIntLike(first)) return empty(toDims(args), {dtype, Device{}});
    if (count == 1 && PyUnicode_Check(first)) raise(PyExc_TypeError, "new(): invalid data type 'str'");
    if (count == 1 && (isNumpyArray(first) || (PySequence_Check(first) && !PyUnicode_Check(first))))
        return tensorFromData(first, dtype);
    raise(PyExc_TypeError, "new(): data must be a sequence (got " + typeName(first) + ")");
}

namespace {

/// What Python's numbers and lists need: a place in a list and an object of its own for each element.
constexpr double kBytesOfNumber = 8 + 24, kBytesOfComplex = 8 + 32, kBytesOfList = 56 + 8;

/// Refuses lists that there is no memory for, before the machine is brought to its knees.
void checkRoomForList(const Tensor& t) {
    double needed = 0, lists = 1;
    for (const Index size : t.shape()) {
        needed += lists * kBytesOfList;
        lists *= static_cast<double>(size);
    }
    // Small integers and truth values exist once; which values there are is not looked at.
    needed += lists * (t.dtype() == DType::Bool ? 8 : isComplex(t.dtype()) ? kBytesOfComplex : kBytesOfNumber);
    constexpr double kAlwaysThere = 64e6; // asking what there is costs more than a short list
    if (needed < kAlwaysThere) return;
    rlimit limit{};
    double room = static_cast<double>(availableMemory());
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = std::min(room, static_cast<double>(limit.rlim_cur));
    if (needed <= room) return;
    throwRefusal({ErrorKind::Memory,
                  "PY-11",
                  "tolist: " + std::to_string(t.numel()) + " elements would be about " +
                      bytesText(static_cast<std::uint64_t>(std::min(needed, 9e18))) +
                      " of Python numbers and lists, and " + bytesText(static_cast<std::uint64_t>(room)) +
                      " of memory are available",
                  "Take a part of it, x[:1000].tolist(), or share its memory: x.numpy().",
                  {}});
}

} // namespace

PyObject* toList(const Tensor& t) {
    if (t.dim() == 0) return fromScalar(item(t));
    checkRoomForList(t);
    const Tensor here = t.device().isCpu() ? t : to(t, Device{});
    const auto walk = [&](const auto& self, std::size_t dim, Index slot) -> PyObject* {
        Ref list = Ref::take(PyList_New(static_cast<Py_ssize_t>(here.shape()[dim])));
        for (Index i = 0; i < here.shape()[dim]; ++i, slot += here.stride()[dim]) {
            // Stop is heard in long lists.
            constexpr Index kBetweenSignals = 1 << 16;
            if (i % kBetweenSignals == 0 && PyErr_CheckSignals() != 0) throw PythonError{};
            PyObject* item =
                dim + 1 == here.shape().size()
                    ? fromScalar(loadElement(here.storage()->data() + static_cast<std::ptrdiff_t>(slot) *
                                                                          static_cast<std::ptrdiff_t>(here.itemSize()),
                                             here.dtype()))
                    : self(self, dim + 1, slot);
            if (!item) throw PythonError{};
            PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), item);
        }
        return list.release();
    };
    return walk(walk, 0, here.storageOffset());
}

} // namespace stridescope::python
