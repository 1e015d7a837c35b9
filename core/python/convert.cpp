#include "core/python/convert.h"

#include "core/python/tensor_object.h"
#include "core/tensor/element.h"

#include <cstring>

namespace stridescope::python {

bool isNumpyScalar(PyObject* object) {
    const PyTypeObject* type = Py_TYPE(object);
    return std::strncmp(type->tp_name, "numpy.", 6) == 0 && std::strcmp(type->tp_name, "numpy.ndarray") != 0 &&
           type->tp_as_number && type->tp_as_number->nb_float;
}

bool isNumpyArray(PyObject* object) {
    for (const PyTypeObject* type = Py_TYPE(object); type; type = type->tp_base)
        if (std::strcmp(type->tp_name, "numpy.ndarray") == 0) return true;
    return false;
}

namespace {

/// "numpy.int64" and "numpy.uint8", not "numpy.float64".
bool isNumpyInt(PyObject* object) {
    if (!isNumpyScalar(object)) return false;
    const char* name = Py_TYPE(object)->tp_name + 6;
    return std::strncmp(name, "int", 3) == 0 || std::strncmp(name, "uint", 4) == 0 ||
           std::strncmp(name, "longlong", 8) == 0 || std::strncmp(name, "ulonglong", 9) == 0;
}

} // namespace

bool isIntLike(PyObject* object) {
    if (PyLong_CheckExact(object)) return true;
    if (PyBool_Check(object)) return false;
    if (PyLong_Check(object)) return true;
    if (isTensor(object)) {
        const Tensor& t = tensorOf(object);
        return t.defined() && isIntegral(t.dtype()) && t.numel() == 1;
    }
    return isNumpyInt(object);
}

bool isRealNumber(PyObject* object) {
    return PyLong_Check(object) || PyFloat_Check(object) ||
           (isNumpyScalar(object) && std::strncmp(Py_TYPE(object)->tp_name, "numpy.complex", 13) != 0);
}

bool isNumber(PyObject* object) {
    return isRealNumber(object) || PyComplex_Check(object) || isNumpyScalar(object);
}

Index toIndex(PyObject* object) {
    if (PyLong_Check(object)) {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow) raise(PyExc_RuntimeError, "Overflow when unpacking long");
        return value;
    }
    if (isTensor(object)) return item(tensorOf(object)).toInt();
    Ref number = Ref::take(PyNumber_Index(object));
    return toIndex(number.get());
}

double toDouble(PyObject* object) {
    if (PyFloat_CheckExact(object)) return PyFloat_AS_DOUBLE(object);
    if (isTensor(object)) return item(tensorOf(object)).toDouble();
    const double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred()) throw PythonError{};
    return value;
}

Scalar toScalar(PyObject* object) {
    if (PyFloat_CheckExact(object)) return PyFloat_AS_DOUBLE(object);
    if (PyBool_Check(object)) return object == Py_True;
    if (PyLong_Check(object)) return toIndex(object);
    if (isTensor(object)) return item(tensorOf(object));
    if (PyComplex_Check(object)) return Complex<double>{PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)};
    if (PyFloat_Check(object)) return toDouble(object);
    if (isNumpyInt(object)) return toIndex(object);
    if (std::strncmp(Py_TYPE(object)->tp_name, "numpy.bool", 10) == 0) {
        const int truth = PyObject_IsTrue(object);
        if (truth < 0) throw PythonError{};
        return truth != 0;
    }
    if (std::strncmp(Py_TYPE(object)->tp_name, "numpy.complex", 13) == 0) {
        const Py_complex value = PyComplex_AsCComplex(object);
        if (value.real == -1 && PyErr_Occurred()) throw PythonError{};
        return Complex<double>{value.real, value.imag};
    }
    return toDouble(object);
}

PyObject* fromScalar(Scalar value) {
    switch (value.kind()) {
    case Scalar::Kind::Bool:
        return PyBool_FromLong(value.toBool());
    case Scalar::Kind::Int:
        return PyLong_FromLongLong(value.toInt());
    case Scalar::Kind::Float:
        return PyFloat_FromDouble(value.toDouble());
    case Scalar::Kind::Complex:
        break;
    }
    return PyComplex_FromDoubles(value.toDouble(), value.imag());
}

std::uint64_t toSeed(PyObject* object) {
    if (isTensor(object)) return static_cast<std::uint64_t>(toIndex(object));
    Ref number = Ref::take(PyNumber_Long(object)); // torch.manual_seed(2.0) is allowed
    // -2^63 ... 2^64 - 1; negative ones count from the end of the unsigned numbers.
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
    if (value == -1 && !overflow && PyErr_Occurred()) throw PythonError{};
    if (!overflow) return static_cast<std::uint64_t>(value);
    const std::uint64_t seed = PyLong_AsUnsignedLongLong(number.get());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        raise(PyExc_RuntimeError, "Overflow when unpacking long");
    }
    return seed;
}

Dims toDims(PyObject* sequence) {
    Dims dims;
    Ref fast = Ref::take(PySequence_Fast(sequence, "expected a sequence of ints"));
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(fast.get());
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* item = PySequence_Fast_GET_ITEM(fast.get(), i);
        // Behind the first one True counts as 1, as in PyTorch's sizes.
        if (!isIntLike(item) && !(i > 0 && PyBool_Check(item)))
            raise(PyExc_TypeError, "expected a sequence of ints, found an element of type " + typeName(item));
        dims.push_back(toIndex(item));
    }
    return dims;
}

} // namespace stridescope::python
