// stridescope._core: everything of the module that is not Python itself. The package beside it gives it its names.

#include "core/ops/operation_names.h"
#include "core/ops/operation_table.h"
#include "core/python/function.h"
#include "core/python/kernel.h"
#include "core/python/timing.h"
#include "core/python/unlocked.h"
#include "core/trace/warning.h"

#include <memory>

namespace stridescope::python {

namespace {

/// Warnings of the library as UserWarnings. One that was turned into an error cannot stop what warned; it is told as
/// an unraisable one.
void warnInPython(const std::string& message) {
    if (!Py_IsInitialized()) return;
    const Interpreter held;
    if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) < 0) PyErr_WriteUnraisable(nullptr);
}

/// [(name, where, [signature, …], doc)] of every function, for stubs and tests.
PyObject* signatures(PyObject*, PyObject*) {
    return guarded([]() -> PyObject* {
        Ref list = Ref::take(PyList_New(0));
        for (const auto& [key, definition] : definitions()) {
            Ref overloads = Ref::take(PyList_New(0));
            for (const Signature& signature : definition.signatures) {
                Ref params = Ref::take(PyList_New(0));
                for (std::size_t i = 0; i < signature.params.size(); ++i) {
                    const Param& p = signature.params[i];
                    Ref param = Ref::take(Py_BuildValue("(sssOO)", p.name.c_str(), stubType(p).c_str(),
                                                        p.defaultText.c_str(), p.keywordOnly ? Py_True : Py_False,
                                                        static_cast<int>(i) == signature.varargs ? Py_True : Py_False));
                    if (PyList_Append(params.get(), param.get()) < 0) throw PythonError{};
                }
                if (PyList_Append(overloads.get(), params.get()) < 0) throw PythonError{};
            }
            const char* where = definition.where == Where::Both       ? "both"
                                : definition.where == Where::Function ? "function"
                                                                      : "method";
            Ref entry = Ref::take(
                Py_BuildValue("(ssOs)", definition.name.c_str(), where, overloads.get(), definition.doc.c_str()));
            if (PyList_Append(list.get(), entry.get()) < 0) throw PythonError{};
        }
        return list.release();
    });
}

/// Names of core's table of all operations, with what else each is called: "absolute, abs_, absolute_".
PyObject* operationNames(PyObject*, PyObject*) {
    return guarded([]() -> PyObject* {
        Ref dict = Ref::take(PyDict_New());
        for (const Operation& operation : operations()) {
            const Ref name = Ref::take(newText(operation.name)),
                      others = Ref::take(newText(otherNames(operation.name)));
            if (PyDict_SetItem(dict.get(), name.get(), others.get()) < 0) throw PythonError{};
        }
        return dict.release();
    });
}

PyMethodDef g_functions[] = {
    {"_signatures", signatures, METH_NOARGS, "Every function's overloads and parameters."},
    {"_operations", operationNames, METH_NOARGS,
     "The names in the library's table of operations, and other names of each."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef g_module{PyModuleDef_HEAD_INIT,
                     "stridescope._core",
                     "Tensors: the compiled part of the package.",
                     -1,
                     g_functions,
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr};

} // namespace

} // namespace stridescope::python

PyMODINIT_FUNC PyInit__core() {
    using namespace stridescope::python;
    // Imported once more under another name (sys.modules["torch"] = stridescope; import torch.utils.benchmark): types
    // and their state are there once, so that the second module has the things of the first.
    static PyObject* first = nullptr;
    PyObject* module = PyModule_Create(&g_module);
    if (!module) return nullptr;
    if (first) {
        PyObject* own = PyModule_GetDict(module);
        PyObject* name = PyDict_GetItemString(own, "__name__");
        Py_XINCREF(name);
        const bool filled = PyDict_Update(own, PyModule_GetDict(first)) == 0 &&
                            (!name || PyDict_SetItemString(own, "__name__", name) == 0);
        Py_XDECREF(name);
        if (filled) return module;
        Py_DECREF(module);
        return nullptr;
    }
    first = module;
    Py_INCREF(first);
    return guarded([&]() -> PyObject* {
        addExceptionTypes(module);
        addValueTypes(module);
        addTensorType(module);
        addFunctions(module);
        addKernel(module);
        addTiming(module);
        guardEnds();
        static stridescope::WarningSubscription warnings(warnInPython);
        return module;
    });
}
