#pragma once
// CPython as the module's sources see it: the headers, owned references, and how C++ exceptions become Python's.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "core/error.h"
#include "core/storage/lost_pages.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stridescope::python {

/// Thrown where a Python error is set already.
struct PythonError {};

/// An owned reference.
class Ref {
public:
    Ref() = default;
    /// Takes over a new reference; null means that a Python error is set. @throws PythonError then.
    static Ref take(PyObject* object) {
        if (!object) throw PythonError{};
        return Ref(object);
    }
    static Ref share(PyObject* object) {
        Py_INCREF(object);
        return Ref(object);
    }
    Ref(Ref&& other) noexcept : m_object(std::exchange(other.m_object, nullptr)) {}
    Ref& operator=(Ref&& other) noexcept {
        std::swap(m_object, other.m_object);
        return *this;
    }
    ~Ref() { Py_XDECREF(m_object); }

    PyObject* get() const { return m_object; }
    PyObject* release() { return std::exchange(m_object, nullptr); }
    explicit operator bool() const { return m_object != nullptr; }

private:
    explicit Ref(PyObject* object) : m_object(object) {}
    PyObject* m_object = nullptr;
};

/// @throws PythonError after setting `type` with `message`.
[[noreturn]] void raise(PyObject* type, const std::string& message);
/// A UserWarning. @throws PythonError where warnings are errors.
void warnOf(const char* message);
/// Sets the Python exception that belongs to the C++ exception being handled.
void translateException() noexcept;
/// The class of linear algebra's refusals, and that of memory's (RuntimeErrors both, as in PyTorch).
void addExceptionTypes(PyObject* module);

/// A UserWarning that names mapped files which lost their end since the last time: what was read there is 0.
/// False where warnings are errors, with the error set.
bool warnOfTruncatedFiles() noexcept;
inline std::uint64_t g_lostPagesTold = 0; ///< guarded by the interpreter's lock

/// Runs `f` and turns what it throws into a Python error and `failed`.
template <class F, class R = std::invoke_result_t<F&>>
R guarded(F&& f, R failed = R{}) noexcept {
    try {
        R result = f();
        if (lostPages() != g_lostPagesTold && !warnOfTruncatedFiles()) [[unlikely]] {
            if constexpr (std::is_same_v<R, PyObject*>) Py_XDECREF(result);
            return failed;
        }
        return result;
    } catch (const PythonError&) {
    } catch (...) {
        translateException();
    }
    return failed;
}

inline PyObject* newText(std::string_view text) {
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
/// The UTF-8 of a str. @throws PythonError for lone surrogates.
std::string_view textOf(PyObject* text);
/// "int", "Tensor", "numpy.ndarray": as PyTorch's messages name a type.
std::string typeName(PyObject* object);

} // namespace stridescope::python
