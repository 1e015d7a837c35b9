#pragma once
// What the operation was given that was refused last: the window draws it, wherever in the code it stands.

#include "core/python/python.h"

#include <cstddef>
#include <initializer_list>

namespace stridescope::python {

inline bool g_keepsRefused = false; ///< in a kernel; guarded by the interpreter's lock

/// With the error of a refusal set, which stays: keeps the name and a description of the arguments, in which no tensor
/// is kept alive. What cannot be described keeps nothing. `args` has those of `keywords` behind the `count` others.
void keepRefused(const char* name, PyObject* const* args, std::size_t count, PyObject* keywords) noexcept;

/// `result`; without one, what was refused is kept.
inline PyObject* kept(PyObject* result, const char* name, std::initializer_list<PyObject*> operands) noexcept {
    if (!result && g_keepsRefused) [[unlikely]]
        keepRefused(name, operands.begin(), operands.size(), nullptr);
    return result;
}

/// (message, name, arguments, {keyword: argument}) of the last refusal, once; else None. The name is "cat", ".view" of
/// a method, and "" of an operator. A tensor is a dict with dtype, size, stride, offset, storage and data: the bytes of
/// its storage, of the first tensor on it, unless they are many.
PyObject* takeRefused(PyObject*, PyObject*);

} // namespace stridescope::python
