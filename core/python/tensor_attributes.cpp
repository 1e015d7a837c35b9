// What is read from a tensor by a dot, and the methods that no signature can say.

#include "core/ops/complex.h"
#include "core/ops/handles.h"
#include "core/ops/views.h"
#include "core/python/convert.h"
#include "core/python/from_data.h"
#include "core/python/tensor_object.h"
#include "core/python/value_types.h"
#include "core/tensor/element.h"

namespace stridescope::python {

namespace {

template <auto F>
PyObject* get(PyObject* self, void*) {
    return guarded([&]() -> PyObject* { return F(tensorOf(self)); });
}

PyObject* shape(const Tensor& t) {
    return newSize(t.shape());
}
PyObject* dtype(const Tensor& t) {
    return Py_NewRef(dtypeObject(t.dtype()));
}
PyObject* device(const Tensor& t) {
    return newDevice(t.device(), !t.device().isCpu());
}
PyObject* ndim(const Tensor& t) {
    return PyLong_FromLongLong(t.dim());
}
/// T: all dims in the opposite order.
PyObject* reversedDims(const Tensor& t) {
    if (t.dim() != 2 && t.dim() != 0)
        warnOf("The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will "
               "throw an error in a future release. Consider `x.mT` to transpose batches of matrices or "
               "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.");
    Dims dims;
    for (Index d = t.dim() - 1; d >= 0; --d) dims.push_back(d);
    return wrap(permute(t, dims));
}
Tensor matrixTransposed(const Tensor& t, const char* name) {
    if (t.dim() == 0) return t; // with a warning in PyTorch
    if (t.dim() == 1)
        raise(PyExc_RuntimeError, "tensor." + std::string(name) +
                                      " is only supported on matrices or batches of matrices. Got " +
                                      std::to_string(t.dim()) + "-D tensor.");
    return transpose(t, -2, -1);
}
PyObject* transposed(const Tensor& t) {
    return wrap(matrixTransposed(t, "mT"));
}
PyObject* adjoint(const Tensor& t) {
    if (t.dim() != 2 && t.dim() != 0)
        raise(PyExc_RuntimeError, "tensor.H is only supported on matrices (2-D tensors). Got " +
                                      std::to_string(t.dim()) + "-D tensor." +
                                      (t.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : ""));
    return wrap(t.dim() == 0 ? conj(t) : conj(transpose(t, 0, 1)));
}
PyObject* adjoints(const Tensor& t) {
    return wrap(conj(matrixTransposed(t, "mH")));
}
/// Of real tensors the very object.
PyObject* realPart(PyObject* self, void*) {
    return guarded([&]() -> PyObject* {
        const Tensor& t = tensorOf(self);
        return isComplex(t.dtype()) ? wrap(real(t)) : Py_NewRef(self);
    });
}
PyObject* imagPart(const Tensor& t) {
    return wrap(imag(t));
}
PyObject* data(const Tensor& t) {
    return wrap(t);
}
PyObject* isCuda(const Tensor& t) {
    return PyBool_FromLong(t.device().type == DeviceType::Cuda);
}
PyObject* no(const Tensor&) {
    Py_RETURN_FALSE;
}
PyObject* yes(const Tensor&) {
    Py_RETURN_TRUE;
}
PyObject* none(const Tensor&) {
    Py_RETURN_NONE;
}
PyObject* noNames(const Tensor& t) {
    Ref names = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(t.dim())));
    for (Py_ssize_t i = 0; i < t.dim(); ++i) PyTuple_SET_ITEM(names.get(), i, Py_NewRef(Py_None));
    return names.release();
}
PyObject* strided(const Tensor&) {
    Ref module = Ref::take(PyImport_ImportModule("stridescope._core"));
    return Ref::take(PyObject_GetAttrString(module.get(), "strided")).release();
}
PyObject* nbytes(const Tensor& t) {
    return PyLong_FromLongLong(t.nbytes());
}
PyObject* version(const Tensor& t) {
    return PyLong_FromUnsignedLongLong(t.storage()->version());
}
PyObject* itemsize(const Tensor& t) {
    return PyLong_FromSize_t(t.itemSize());
}
int setRequiresGrad(PyObject*, PyObject* value, void*) {
    if (value == Py_False) return 0;
    PyErr_SetString(PyExc_RuntimeError, "requires_grad=True: autograd is not part of Stridescope; leave it out, or use "
                                        "PyTorch itself for gradients");
    return -1;
}
int setData(PyObject* self, PyObject* value, void*) {
    if (!value || !isTensor(value)) {
        PyErr_SetString(PyExc_TypeError, "Variable data has to be a tensor");
        return -1;
    }
    tensorOf(self) = Tensor(tensorOf(value));
    return 0;
}

/// Copies into the view of the parts as copy_ does. A number becomes an element of their dtype first, with the words of
/// an assignment where it cannot.
int assignPart(PyObject* part, PyObject* value) {
    if (!part) return -1;
    PyObject *number = nullptr, *done = nullptr;
    if (!isTensor(value)) {
        number = PyObject_CallMethod(part, "new_empty", "(())");
        value = number && PyObject_SetItem(number, Py_Ellipsis, value) == 0 ? number : nullptr;
    }
    if (value) done = PyObject_CallMethod(part, "copy_", "O", value);
    Py_XDECREF(done);
    Py_XDECREF(number);
    Py_DECREF(part);
    return done ? 0 : -1;
}
int refuseDeletion(const char* name) {
    PyErr_Format(PyExc_RuntimeError, "%s cannot be deleted: it is a part of the tensor's elements", name);
    return -1;
}
int setReal(PyObject* self, PyObject* value, void*) {
    return value ? assignPart(realPart(self, nullptr), value) : refuseDeletion("real");
}
int setImag(PyObject* self, PyObject* value, void*) {
    return value ? assignPart(get<imagPart>(self, nullptr), value) : refuseDeletion("imag");
}

PyGetSetDef g_attributes[] = {
    {"shape", get<shape>, nullptr, "torch.Size: the sizes of all dims.", nullptr},
    {"dtype", get<dtype>, nullptr, "What the elements are.", nullptr},
    {"device", get<device>, nullptr, "Where the elements are.", nullptr},
    {"layout", get<strided>, nullptr, "Always torch.strided.", nullptr},
    {"ndim", get<ndim>, nullptr, "The number of dims.", nullptr},
    {"T", get<reversedDims>, nullptr, "A view with the dims in the opposite order.", nullptr},
    {"mT", get<transposed>, nullptr, "A view with the last two dims exchanged.", nullptr},
    {"H", get<adjoint>, nullptr, "The conjugate of the transposed matrix.", nullptr},
    {"mH", get<adjoints>, nullptr, "The conjugates of transposed matrices.", nullptr},
    {"real", realPart, setReal, "A view of the real parts.", nullptr},
    {"imag", get<imagPart>, setImag, "A view of the imaginary parts.", nullptr},
    {"data", get<data>, setData, "A tensor over the same storage.", nullptr},
    {"nbytes", get<nbytes>, nullptr, "Bytes of the elements that the view names.", nullptr},
    {"itemsize", get<itemsize>, nullptr, "Bytes of one element.", nullptr},
    {"is_cuda", get<isCuda>, nullptr, "Does the storage lie on a GPU?", nullptr},
    {"is_sparse", get<no>, nullptr, "Always False: tensors are strided.", nullptr},
    {"is_quantized", get<no>, nullptr, "Always False.", nullptr},
    {"is_meta", get<no>, nullptr, "Always False: every tensor has a storage.", nullptr},
    {"is_leaf", get<yes>, nullptr, "Always True: there are no gradients.", nullptr},
    {"requires_grad", get<no>, setRequiresGrad, "Always False: autograd is not part of Stridescope.", nullptr},
    {"grad", get<none>, nullptr, "Always None: there are no gradients.", nullptr},
    {"grad_fn", get<none>, nullptr, "Always None: there are no gradients.", nullptr},
    {"names", get<noNames>, nullptr, "A None for each dim: dims have no names.", nullptr},
    {"__dict__", attributeDict, setAttributeDict, "What a program has set on the tensor.", nullptr},
    {"_version", get<version>, nullptr, "Grows with every write to the storage.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// --- Methods
// --------------------------------------------------------------------------------------------------------------

PyObject* dimOf(PyObject* self, PyObject*) {
    return PyLong_FromLongLong(tensorOf(self).dim());
}
PyObject* numelOf(PyObject* self, PyObject*) {
    return PyLong_FromLongLong(tensorOf(self).numel());
}
PyObject* itemOf(PyObject* self, PyObject*) {
    return guarded([&] {
        const Tensor& t = elementsOf(self);
        if (t.numel() != 1) raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
        return fromScalar(item(t));
    });
}
PyObject* toListOf(PyObject* self, PyObject*) {
    return guarded([&] { return toList(elementsOf(self)); });
}
PyObject* elementSize(PyObject* self, PyObject*) {
    return PyLong_FromSize_t(tensorOf(self).itemSize());
}
PyObject* storageOffset(PyObject* self, PyObject*) {
    return PyLong_FromLongLong(tensorOf(self).storageOffset());
}
PyObject* dataPtr(PyObject* self, PyObject*) {
    const Tensor& t = tensorOf(self);
    if (t.numel() == 0) return PyLong_FromLong(0);
    return PyLong_FromVoidPtr(t.storage()->data() + t.storageOffset() * static_cast<Index>(t.itemSize()));
}
PyObject* isFloatingPoint(PyObject* self, PyObject*) {
    return PyBool_FromLong(isFloating(tensorOf(self).dtype()));
}
PyObject* isComplexNumber(PyObject* self, PyObject*) {
    return PyBool_FromLong(isComplex(tensorOf(self).dtype()));
}
PyObject* isSignedNumber(PyObject* self, PyObject*) {
    const DType t = tensorOf(self).dtype();
    return PyBool_FromLong(t != DType::UInt8 && t != DType::Bool);
}
PyObject* getDevice(PyObject* self, PyObject*) {
    const Device d = tensorOf(self).device();
    return PyLong_FromLong(d.isCpu() ? -1 : d.index);
}
PyObject* numpyOf(PyObject* self, PyObject* const*, Py_ssize_t, PyObject*) {
    return guarded([&] { return arrayFromTensor(self); });
}
/// __array__(dtype=None)
PyObject* arrayOf(PyObject* self, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject* dtype = Py_None;
        if (!PyArg_ParseTuple(args, "|O:__array__", &dtype)) throw PythonError{};
        Ref array = Ref::take(arrayFromTensor(self));
        if (dtype == Py_None) return array.release();
        Ref astype = Ref::take(PyObject_GetAttrString(array.get(), "astype"));
        Ref arguments = Ref::take(PyTuple_Pack(1, dtype));
        Ref keywords = Ref::take(Py_BuildValue("{s:O}", "copy", Py_False));
        return Ref::take(PyObject_Call(astype.get(), arguments.get(), keywords.get())).release();
    });
}
PyObject* dlpackOf(PyObject* self, PyObject*, PyObject*) {
    return guarded([&] { return toDlpack(tensorOf(self)); });
}
PyObject* dlpackDevice(PyObject*, PyObject*) {
    return Py_BuildValue("(ii)", 1, 0);
}
PyObject* formatOf(PyObject* self, PyObject* spec) {
    return guarded([&]() -> PyObject* {
        const Tensor& t = elementsOf(self);
        if (t.dim() == 0) {
            Ref number = Ref::take(fromScalar(item(t)));
            return PyObject_Format(number.get(), spec);
        }
        if (PyUnicode_GET_LENGTH(spec) != 0)
            raise(PyExc_TypeError, "unsupported format string passed to Tensor.__format__");
        return PyObject_Str(self);
    });
}
PyObject* typeNameOf(PyObject* self, PyObject*) {
    return newText(legacyTypeName(tensorOf(self)));
}
/// The whole storage as a tensor of one dim: what storage() shows.
PyObject* flatStorage(PyObject* self, PyObject*) {
    return guarded([&] {
        const Tensor& t = tensorOf(self);
        return wrap(t.withView(contiguousView(Dims{t.storageNumel()}).valueOrThrow()));
    });
}
PyObject* storageId(PyObject* self, PyObject*) {
    return PyLong_FromUnsignedLongLong(tensorOf(self).storage()->id());
}
/// storage().resize_(size)
PyObject* resizeStorageOf(PyObject* self, PyObject* count) {
    return guarded([&]() -> PyObject* {
        resizeStorage(tensorOf(self), toIndex(count));
        Py_RETURN_NONE;
    });
}
PyMethodDef g_methods[] = {
    {"dim", dimOf, METH_NOARGS, "dim() -> int\n\nThe number of dims."},
    {"ndimension", dimOf, METH_NOARGS, "ndimension() -> int\n\nThe number of dims."},
    {"numel", numelOf, METH_NOARGS, "numel() -> int\n\nThe number of elements."},
    {"nelement", numelOf, METH_NOARGS, "nelement() -> int\n\nThe number of elements."},
    {"item", itemOf, METH_NOARGS, "item() -> number\n\nThe only element as a number of Python."},
    {"tolist", toListOf, METH_NOARGS, "tolist() -> list or number\n\nThe elements as nested lists."},
    {"element_size", elementSize, METH_NOARGS, "element_size() -> int\n\nBytes of one element."},
    {"storage_offset", storageOffset, METH_NOARGS, "storage_offset() -> int\n\nThe slot of the first element."},
    {"data_ptr", dataPtr, METH_NOARGS, "data_ptr() -> int\n\nThe address of the first element."},
    {"is_floating_point", isFloatingPoint, METH_NOARGS, "is_floating_point() -> bool"},
    {"is_complex", isComplexNumber, METH_NOARGS, "is_complex() -> bool"},
    {"is_signed", isSignedNumber, METH_NOARGS, "is_signed() -> bool"},
    {"get_device", getDevice, METH_NOARGS, "get_device() -> int\n\nThe number of the GPU; -1 on the CPU."},
    {"numpy", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(numpyOf)), METH_FASTCALL | METH_KEYWORDS,
     "numpy(*, force=False) -> numpy.ndarray\n\nAn array over the same memory."},
    {"__array__", arrayOf, METH_VARARGS, nullptr},
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(dlpackOf)), METH_VARARGS | METH_KEYWORDS,
     "__dlpack__(stream=None)\n\nA capsule through which other libraries share the memory."},
    {"__dlpack_device__", dlpackDevice, METH_NOARGS, nullptr},
    {"__format__", formatOf, METH_O, nullptr},
    {"_type_name", typeNameOf, METH_NOARGS, nullptr},
    {"_flat_storage", flatStorage, METH_NOARGS, nullptr},
    {"_resize_storage", resizeStorageOf, METH_O, nullptr},
    {"_storage_id", storageId, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

PyGetSetDef* tensorAttributes() {
    return g_attributes;
}
PyMethodDef* tensorMethods() {
    return g_methods;
}

} // namespace stridescope::python
