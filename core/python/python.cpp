#include "core/python/python.h"

#include "core/python/unlocked.h"

#include <cstring>
#include <new>

namespace stridescope::python {

namespace {

PyObject* g_linAlgError = nullptr;
PyObject* g_memoryError = nullptr;

/// PyTorch's sentence ends with what in ours begins the hint.
constexpr std::string_view kUseReshape = "Use .reshape(...) instead.";

/// PyTorch's text where the library's says the same in a shorter way.
std::string pytorchWords(const Refusal& refusal) {
    if (refusal.id == "DEV-13") return "Torch not compiled with CUDA enabled";
    std::string text = refusal.message;
    if (text.ends_with("two contiguous subspaces).")) text += std::string(" ") += kUseReshape;
    if (const std::size_t line = text.find(".\nTarget sizes"); line != std::string::npos) text.replace(line, 2, ".  ");
    for (const char* second : {"\ni.e. ", "\nPlease clone() the tensor", "\nIf you are trying to invert a mask"}) {
        if (const std::size_t line = text.find(second); line != std::string::npos) text[line] = ' ';
    }
    return text;
}

PyObject* exceptionType(const Refusal& refusal) {
    // "exp" not implemented for 'Long': a plain RuntimeError there.
    if (refusal.message.find("\" not implemented for '") != std::string::npos) return PyExc_RuntimeError;
    switch (refusal.kind) {
    case ErrorKind::Index:
        return PyExc_IndexError;
    case ErrorKind::Value:
        return PyExc_ValueError;
    case ErrorKind::Type:
        return PyExc_TypeError;
    case ErrorKind::NotImplemented:
        // What a device cannot; what a dtype cannot is a plain RuntimeError there.
        return refusal.id.starts_with("DEV") ? PyExc_NotImplementedError : PyExc_RuntimeError;
    case ErrorKind::Memory:
        return g_memoryError;
    case ErrorKind::Io:
        return refusal.id == "IO-02" ? PyExc_FileNotFoundError : PyExc_OSError;
    case ErrorKind::Runtime:
        return refusal.id == "LINALG-07" ? g_linAlgError : PyExc_RuntimeError;
    case ErrorKind::Device:
        return refusal.id == "DEV-13" ? PyExc_AssertionError : PyExc_RuntimeError;
    }
    return PyExc_RuntimeError;
}

/// What the hint tells beyond the text.
std::string beyond(const std::string& text, const std::string& hint) {
    const std::size_t said = kUseReshape.size() + 1;
    return text.ends_with(kUseReshape) && hint.starts_with(kUseReshape) && hint.size() > said ? hint.substr(said)
                                                                                              : hint;
}

/// A traceback shows it below the error.
void addNote(PyObject* error, const std::string& note) {
    PyObject* done = PyObject_CallMethod(error, "add_note", "s#", note.data(), static_cast<Py_ssize_t>(note.size()));
    if (!done) PyErr_Clear();
    Py_XDECREF(done);
}

/// str(error) stays PyTorch's sentence; the hint is a note, and so is our sentence where PyTorch's tells less.
void setRefusal(const Refusal& refusal) {
    // Stopped by a signal: what its handler raises, a KeyboardInterrupt, is the error.
    if (refusal.id == "JOB-01" && PyErr_CheckSignals() < 0) return;
    PyObject* type = exceptionType(refusal);
    const std::string text = pytorchWords(refusal);
    PyObject* error = PyObject_CallFunction(type, "s#", text.data(), static_cast<Py_ssize_t>(text.size()));
    if (!error) return;
    PyObject* id = newText(refusal.id);
    if (!id || PyObject_SetAttrString(error, "refusal", id) < 0) PyErr_Clear();
    Py_XDECREF(id);
    if (refusal.id == "DEV-13") addNote(error, refusal.message);
    if (!refusal.hint.empty()) addNote(error, beyond(text, refusal.hint));
    PyErr_SetObject(type, error);
    Py_DECREF(error);
}

} // namespace

void raise(PyObject* type, const std::string& message) {
    const Interpreter held;
    PyErr_SetString(type, message.c_str());
    throw PythonError{};
}

void warnOf(const char* message) {
    const Interpreter held;
    if (PyErr_WarnEx(PyExc_UserWarning, message, 1) < 0) throw PythonError{};
}

bool warnOfTruncatedFiles() noexcept try {
    if (PyErr_Occurred()) return true; // told another time
    g_lostPagesTold = lostPages();
    for (const std::string& name : takeTruncatedFiles()) {
        const std::string message = name + ": the file became shorter while it was mapped; values beyond its end read "
                                           "as 0. Load it again to see what it holds now.";
        if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) < 0) return false;
    }
    return true;
} catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return false;
}

void translateException() noexcept {
    try {
        try {
            throw;
        } catch (const Error& error) {
            setRefusal(error.refusal());
        }
    } catch (const std::bad_alloc&) { // also where there is no memory for the words of a refusal
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    } catch (...) {
        PyErr_SetString(PyExc_SystemError, "an unknown C++ exception");
    }
}

void addExceptionTypes(PyObject* module) {
    g_linAlgError = PyErr_NewExceptionWithDoc(
        "torch._C._LinAlgError", "What a factorization refuses: a singular matrix, say.", PyExc_RuntimeError, nullptr);
    Ref bases = Ref::take(PyTuple_Pack(2, PyExc_RuntimeError, PyExc_MemoryError));
    g_memoryError = PyErr_NewExceptionWithDoc(
        "stridescope.OutOfMemoryError", "No memory for a tensor, or none within the limit.", bases.get(), nullptr);
    if (!g_linAlgError || !g_memoryError || PyModule_AddObjectRef(module, "_LinAlgError", g_linAlgError) < 0 ||
        PyModule_AddObjectRef(module, "OutOfMemoryError", g_memoryError) < 0)
        throw PythonError{};
}

std::string_view textOf(PyObject* text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text, &size);
    if (!data) throw PythonError{};
    return {data, static_cast<std::size_t>(size)};
}

std::string typeName(PyObject* object) {
    const char* name = Py_TYPE(object)->tp_name;
    // "Tensor", "torch.dtype", "numpy.ndarray"; of our own types what stands behind the last dot.
    if (std::strncmp(name, "stridescope.", 12) != 0) return name;
    return std::strrchr(name, '.') + 1;
}

} // namespace stridescope::python
