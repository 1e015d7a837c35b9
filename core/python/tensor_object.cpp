#include "core/python/tensor_object.h"

#include "core/ops/creation.h"
#include "core/print/repr.h"
#include "core/python/from_data.h"
#include "core/python/value_types.h"

#include <array>
#include <new>
#include <structmember.h>

namespace stridescope::python {

PyTypeObject* tensorType = nullptr;

namespace {

// Tensors come and go with every line of Python: a recycled object costs a fifth of a new one.
constexpr std::size_t kFreeListSize = 64;
std::array<TensorObject*, kFreeListSize> g_free;
std::size_t g_freeCount = 0;

// A tensor refers to other objects only through attributes that a program sets on it. The garbage collector is told of
// it with the first of them, so that tensors without any cost it nothing.

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(reinterpret_cast<TensorObject*>(self)->attributes);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

int clear(PyObject* self) {
    // The dict stays: dealloc() knows by it that the collector was told.
    if (PyObject* const dict = reinterpret_cast<TensorObject*>(self)->attributes) PyDict_Clear(dict);
    return 0;
}

void trackWithAttributes(PyObject* self) {
    if (reinterpret_cast<TensorObject*>(self)->attributes && !PyObject_GC_IsTracked(self)) PyObject_GC_Track(self);
}

int setAttribute(PyObject* self, PyObject* name, PyObject* value) {
    const int result = PyObject_GenericSetAttr(self, name, value);
    trackWithAttributes(self);
    return result;
}

void dealloc(PyObject* self) {
    auto* object = reinterpret_cast<TensorObject*>(self);
    if (object->attributes || Py_TYPE(self) != tensorType) PyObject_GC_UnTrack(self);
    if (object->weakReferences) PyObject_ClearWeakRefs(self);
    Py_CLEAR(object->attributes);
    object->tensor.~Tensor();
    PyTypeObject* type = Py_TYPE(self);
    if (type == tensorType && g_freeCount < kFreeListSize) {
        g_free[g_freeCount++] = object;
    } else {
        type->tp_free(self);
    }
    Py_DECREF(type);
}

PyObject* reprSlot(PyObject* self) {
    return guarded([&] { return newText(repr(elementsOf(self))); });
}

/// hash(x) == id(x), as programs that keep tensors in sets rely on.
Py_hash_t hashSlot(PyObject* self) {
    return static_cast<Py_hash_t>(reinterpret_cast<std::uintptr_t>(self));
}

/// Tensor(2, 3), Tensor([1, 2]): the old constructor, in the default dtype.
PyObject* newSlot(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        if (kwargs && PyDict_GET_SIZE(kwargs) != 0) {
            PyObject* const device = PyDict_GET_SIZE(kwargs) == 1 ? PyDict_GetItemString(kwargs, "device") : nullptr;
            if (!device)
                raise(PyExc_TypeError,
                      "new() received an invalid combination of arguments: it takes sizes or a sequence, "
                      "and of keywords only device");
            if (device != Py_None && !toDevice(device).isCpu())
                raise(PyExc_RuntimeError, "legacy constructor expects device type: cpu but device type: " +
                                              std::string(name(toDevice(device).type)) + " was passed");
        }
        Tensor tensor = legacyTensor(args);
        if (type == tensorType) return wrap(std::move(tensor));
        PyObject* self = type->tp_alloc(type, 0);
        if (!self) throw PythonError{};
        new (&tensorOf(self)) Tensor(std::move(tensor));
        return self;
    });
}

PyMemberDef g_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weakReferences), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, attributes), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

} // namespace

PyObject* attributeDict(PyObject* self, void* context) {
    PyObject* const result = PyObject_GenericGetDict(self, context);
    trackWithAttributes(self);
    return result;
}
int setAttributeDict(PyObject* self, PyObject* value, void* context) {
    const int result = PyObject_GenericSetDict(self, value, context);
    trackWithAttributes(self);
    return result;
}

PyObject* wrap(Tensor&& tensor) {
    TensorObject* object = nullptr;
    if (g_freeCount > 0) {
        object = g_free[--g_freeCount];
        PyObject_Init(reinterpret_cast<PyObject*>(object), tensorType);
    } else {
        object = PyObject_GC_New(TensorObject, tensorType); // not tracked, see trackWithAttributes()
        if (!object) throw PythonError{};
    }
    object->weakReferences = object->attributes = nullptr;
    new (&object->tensor) Tensor(std::move(tensor));
    return reinterpret_cast<PyObject*>(object);
}

PyObject* wrap(std::vector<Tensor>&& tensors) {
    Ref tuple = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
    for (std::size_t i = 0; i < tensors.size(); ++i)
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), wrap(std::move(tensors[i])));
    return tuple.release();
}

void addTensorType(PyObject* module) {
    SlotList slots{
        {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
        {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
        {Py_tp_clear, reinterpret_cast<void*>(clear)},
        {Py_tp_setattro, reinterpret_cast<void*>(setAttribute)},
        {Py_tp_repr, reinterpret_cast<void*>(reprSlot)},
        {Py_tp_new, reinterpret_cast<void*>(newSlot)},
        {Py_tp_hash, reinterpret_cast<void*>(hashSlot)},
        {Py_tp_members, g_members},
        {Py_tp_getset, tensorAttributes()},
        {Py_tp_methods, tensorMethods()},
        {Py_tp_doc, const_cast<char*>("A view of a storage: shape, stride and offset, and the dtype of its elements.")},
    };
    addNumberSlots(slots);
    addSubscriptSlots(slots);
    addBufferSlots(slots);
    slots.push_back({0, nullptr});
    PyType_Spec spec{"torch.Tensor", sizeof(TensorObject), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots.data()};
    tensorType = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!tensorType || PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(tensorType)) < 0)
        throw PythonError{};
    tensorType->tp_name = "Tensor"; // what messages say; the class still calls itself torch.Tensor
}

} // namespace stridescope::python
