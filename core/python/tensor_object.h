#pragma once
// The Python type Tensor: a Tensor value in a Python object, recycled through a free list.

#include "core/python/python.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace stridescope::python {

struct TensorObject {
    PyObject_HEAD PyObject* weakReferences;
    PyObject* attributes; ///< what a program has set on it: a dict, null until then
    Tensor tensor;
};

extern PyTypeObject* tensorType;

inline bool isTensor(PyObject* object) {
    return Py_TYPE(object) == tensorType || PyType_IsSubtype(Py_TYPE(object), tensorType);
}
/// Precondition: isTensor(object).
inline Tensor& tensorOf(PyObject* object) {
    return reinterpret_cast<TensorObject*>(object)->tensor;
}

/// tensorOf, for what reads or writes elements. @throws ShapeError where the storage has shrunk under the view.
inline Tensor& elementsOf(PyObject* object) {
    Tensor& t = tensorOf(object);
    if (Storage::anyShrunk()) [[unlikely]]
        requireInside(t);
    return t;
}
/// Checks what a view operation of `t` gave: a view inside the storage; for a copy `t` itself is.
inline void requireInsideAfter(const Tensor& t, const Tensor& result) {
    if (Storage::anyShrunk()) [[unlikely]]
        requireInside(result.storage() == t.storage() ? result : t);
}

/// A new Tensor object. @throws PythonError when there is no memory.
PyObject* wrap(Tensor&& tensor);
inline PyObject* wrap(const Tensor& tensor) {
    return wrap(Tensor(tensor));
}
/// A tuple of them.
PyObject* wrap(std::vector<Tensor>&& tensors);

/// tensor.__dict__: what a program has set on a tensor; read, it is made where there is none.
PyObject* attributeDict(PyObject* self, void* context);
int setAttributeDict(PyObject* self, PyObject* value, void* context);

/// "torch.FloatTensor", as type() gives it.
std::string legacyTypeName(const Tensor& t);

/// Makes the type and adds it to `module`. The named functions' method objects come from function.h.
void addTensorType(PyObject* module);

// --- Slots, in the files of their kind
// --------------------------------------------------------------------------------
using SlotList = std::vector<PyType_Slot>;
void addNumberSlots(SlotList& slots);    // tensor_number.cpp
void addSubscriptSlots(SlotList& slots); // tensor_subscript.cpp
void addBufferSlots(SlotList& slots);    // numpy.cpp
PyGetSetDef* tensorAttributes();         // tensor_attributes.cpp
PyMethodDef* tensorMethods();            // tensor_attributes.cpp: what no signature can say

} // namespace stridescope::python
