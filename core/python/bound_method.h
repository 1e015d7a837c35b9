#pragma once
// `x.add` where it is not called at once: a method together with its tensor.

#include "core/python/python.h"

namespace stridescope::python {

/// Adds nothing to a module: the type has no name that Python could use.
void readyBoundMethods();
/// As PyTorch's methods of C: it shows the tensor's address, not its elements. Gives nullptr with an error set.
PyObject* newBoundMethod(PyObject* method, PyObject* self) noexcept;

} // namespace stridescope::python
