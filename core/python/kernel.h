#pragma once
// The part of the module that serves the kernel process.

#include "core/python/python.h"

namespace stridescope::python {

/// Adds the module `_kernel` to `module`.
void addKernel(PyObject* module);

} // namespace stridescope::python
