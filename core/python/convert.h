#pragma once
// From Python's numbers and sequences to the library's, with PyTorch's ideas of what counts as which.

#include "core/python/python.h"
#include "core/tensor/scalar.h"
#include "core/view/dims.h"

namespace stridescope::python {

/// A scalar of NumPy; `integral` ones count as ints.
bool isNumpyScalar(PyObject* object);
/// An int (not a bool), an integer of NumPy, or a tensor of one integer.
bool isIntLike(PyObject* object);
/// An int, float or bool, also NumPy's; not complex.
bool isRealNumber(PyObject* object);
/// isRealNumber or complex.
bool isNumber(PyObject* object);
/// numpy.ndarray; does not import NumPy.
bool isNumpyArray(PyObject* object);

/// @throws PythonError (RuntimeError "Overflow when unpacking long").
Index toIndex(PyObject* object);
double toDouble(PyObject* object);
/// A number, or the element of a 0-d tensor. Precondition: isNumber or a tensor.
Scalar toScalar(PyObject* object);
PyObject* fromScalar(Scalar value);
/// Any int modulo 2^64, as manual_seed takes it.
std::uint64_t toSeed(PyObject* object);

/// A sequence of ints. @throws PythonError: an element that is none.
Dims toDims(PyObject* sequence);

} // namespace stridescope::python
