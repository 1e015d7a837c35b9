#include "core/python/bound_method.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace stridescope::python {

namespace {

struct BoundObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject *method, *self;
    PyObject* weakReferences;
};

PyTypeObject g_boundType = {PyVarObject_HEAD_INIT(nullptr, 0)};

const BoundObject& boundOf(PyObject* object) {
    return *reinterpret_cast<BoundObject*>(object);
}

PyObject* callBound(PyObject* callable, PyObject* const* args, std::size_t flags, PyObject* keywords) {
    const BoundObject& bound = boundOf(callable);
    const auto given = static_cast<std::size_t>(PyVectorcall_NARGS(flags));
    if (flags & PY_VECTORCALL_ARGUMENTS_OFFSET) {
        // The place before the arguments is ours until we return.
        auto** const places = const_cast<PyObject**>(args) - 1;
        PyObject* const kept = std::exchange(places[0], bound.self);
        PyObject* const result = PyObject_Vectorcall(bound.method, places, given + 1, keywords);
        places[0] = kept;
        return result;
    }
    return guarded([&]() -> PyObject* {
        const std::size_t all = given + (keywords ? static_cast<std::size_t>(PyTuple_GET_SIZE(keywords)) : 0);
        std::vector<PyObject*> places{bound.self};
        places.insert(places.end(), args, args + all);
        return PyObject_Vectorcall(bound.method, places.data(), given + 1, keywords);
    });
}

PyObject* name(PyObject* self, void*) {
    return PyObject_GetAttrString(boundOf(self).method, "__name__");
}
PyObject* qualifiedName(PyObject* self, void*) {
    return PyObject_GetAttrString(boundOf(self).method, "__qualname__");
}
PyObject* doc(PyObject* self, void*) {
    return PyObject_GetAttrString(boundOf(self).method, "__doc__");
}
PyObject* module(PyObject*, void*) {
    Py_RETURN_NONE;
}
PyObject* tensor(PyObject* self, void*) {
    return Py_NewRef(boundOf(self).self);
}
PyGetSetDef g_attributes[] = {
    {"__self__", tensor, nullptr, nullptr, nullptr},
    {"__name__", name, nullptr, nullptr, nullptr},
    {"__qualname__", qualifiedName, nullptr, nullptr, nullptr},
    {"__doc__", doc, nullptr, nullptr, nullptr},
    {"__module__", module, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyObject* repr(PyObject* self) {
    return guarded([&]() -> PyObject* {
        const Ref called = Ref::take(name(self, nullptr));
        return PyUnicode_FromFormat("<built-in method %U of Tensor object at %p>", called.get(),
                                    static_cast<void*>(boundOf(self).self));
    });
}

/// As methods of Python's own: getattr(x, "add") once more, of a copy or where it is unpickled.
PyObject* reduce(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Ref builtins = Ref::take(PyImport_ImportModule("builtins"));
        const Ref getattr = Ref::take(PyObject_GetAttrString(builtins.get(), "getattr"));
        const Ref called = Ref::take(name(self, nullptr));
        return Py_BuildValue("(O(OO))", getattr.get(), boundOf(self).self, called.get());
    });
}
PyMethodDef g_methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyObject* compare(PyObject* a, PyObject* b, int how) {
    if ((how != Py_EQ && how != Py_NE) || Py_TYPE(a) != Py_TYPE(b)) Py_RETURN_NOTIMPLEMENTED;
    const bool same = boundOf(a).self == boundOf(b).self && boundOf(a).method == boundOf(b).method;
    return PyBool_FromLong(same == (how == Py_EQ));
}
Py_hash_t hash(PyObject* self) {
    const auto number = reinterpret_cast<std::uintptr_t>(boundOf(self).self) ^
                        (reinterpret_cast<std::uintptr_t>(boundOf(self).method) >> 4);
    const auto result = static_cast<Py_hash_t>(number);
    return result == -1 ? -2 : result; // -1 is an error
}
int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(boundOf(self).method);
    Py_VISIT(boundOf(self).self);
    return 0;
}
void dealloc(PyObject* self) {
    PyObject_GC_UnTrack(self);
    auto* bound = reinterpret_cast<BoundObject*>(self);
    if (bound->weakReferences) PyObject_ClearWeakRefs(self);
    Py_DECREF(bound->method);
    Py_DECREF(bound->self);
    PyObject_GC_Del(self);
}
/// In a class it stays what it is, and help() knows it by this for something that is called.
PyObject* get(PyObject* self, PyObject*, PyObject*) {
    return Py_NewRef(self);
}

} // namespace

PyObject* newBoundMethod(PyObject* method, PyObject* self) noexcept {
    auto* bound = PyObject_GC_New(BoundObject, &g_boundType);
    if (!bound) return nullptr;
    bound->vectorcall = callBound;
    bound->method = Py_NewRef(method);
    bound->self = Py_NewRef(self);
    bound->weakReferences = nullptr;
    PyObject_GC_Track(bound);
    return reinterpret_cast<PyObject*>(bound);
}

void readyBoundMethods() {
    g_boundType.tp_name = "builtin_function_or_method"; // what PyTorch's are
    g_boundType.tp_basicsize = sizeof(BoundObject);
    g_boundType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC;
    g_boundType.tp_vectorcall_offset = offsetof(BoundObject, vectorcall);
    g_boundType.tp_weaklistoffset = offsetof(BoundObject, weakReferences);
    g_boundType.tp_call = PyVectorcall_Call;
    g_boundType.tp_repr = repr;
    g_boundType.tp_traverse = traverse;
    g_boundType.tp_dealloc = dealloc;
    g_boundType.tp_richcompare = compare;
    g_boundType.tp_hash = hash;
    g_boundType.tp_descr_get = get;
    g_boundType.tp_getset = g_attributes;
    g_boundType.tp_methods = g_methods;
    if (PyType_Ready(&g_boundType) < 0) throw PythonError{};
}

} // namespace stridescope::python
