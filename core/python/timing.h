#pragma once
// The engine of core/timing for statements of Python.

#include "core/python/python.h"

namespace stridescope::python {

/// Adds `_timing_blocks`, `_timing_quantiles`, `_timing_figures` and `_timing_statements` to `module`.
void addTiming(PyObject* module);

} // namespace stridescope::python
