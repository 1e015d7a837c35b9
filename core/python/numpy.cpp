// Memory shared with NumPy and others, in both directions: the buffer protocol, arrays, DLPack.
//
// Whoever lends memory is kept alive by whoever borrows it. Nothing here links NumPy: arrays come and go through the
// buffer protocol, so that the module also works where NumPy is not installed.

#include "core/ops/copy.h"
#include "core/python/convert.h"
#include "core/python/from_data.h"
#include "core/python/tensor_object.h"
#include "core/python/unlocked.h"
#include "core/tensor/element.h"

#include <cstring>
#include <memory>

namespace stridescope::python {

namespace {

struct FormatEntry {
    DType dtype;
    const char* format;
};
constexpr FormatEntry kFormats[] = {
    {DType::UInt8, "B"},   {DType::Int8, "b"},  {DType::Int16, "h"},      {DType::Int32, "i"},
    {DType::Int64, "l"},   {DType::Int64, "q"}, {DType::Float16, "e"},    {DType::Float32, "f"},
    {DType::Float64, "d"}, {DType::Bool, "?"},  {DType::Complex64, "Zf"}, {DType::Complex128, "Zd"},
};

const char* formatOf(DType t) {
    for (const FormatEntry& entry : kFormats)
        if (entry.dtype == t) return entry.format;
    return "B";
}
std::optional<DType> dtypeOfFormat(const char* format) {
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    for (const FormatEntry& entry : kFormats)
        if (std::strcmp(entry.format, format) == 0) return entry.dtype;
    return std::nullopt;
}

// --- Lending
// ------------------------------------------------------------------------------------------------------------

char g_nothing = 0; // the address of tensors without elements

/// What must live as long as somebody uses the memory: it stays where it is until then.
class Loan {
public:
    explicit Loan(StoragePtr storage) : m_storage(std::move(storage)) { m_storage->lend(); }
    ~Loan() { m_storage->giveBack(); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

private:
    StoragePtr m_storage;
};

/// Sizes and strides in bytes, which must live as long as the view.
struct Layout {
    std::vector<Py_ssize_t> shape, strides;
    Loan loan;
};

bool repeats(const Tensor& t) {
    for (std::size_t d = 0; d < t.shape().size(); ++d)
        if (t.stride()[d] == 0 && t.shape()[d] > 1) return true;
    return false;
}

int getBuffer(PyObject* self, Py_buffer* view, int flags) {
    return guarded(
        [&]() -> int {
            const Tensor& t = tensorOf(self);
            if (!t.device().isCpu())
                raise(PyExc_TypeError, "can't convert " + toString(t.device()) +
                                           " device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
                                           "memory first.");
            // An expanded tensor names slots many times: writing "one" element would write them all.
            const bool readOnly = !t.storage()->isWritable() || repeats(t);
            if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && readOnly)
                raise(PyExc_BufferError, "the tensor's memory cannot be written element by element");
            if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !t.isContiguous())
                raise(PyExc_BufferError, "the tensor is not contiguous");
            requireInside(t);
            auto layout = std::unique_ptr<Layout>(new Layout{{}, {}, Loan(t.storage())});
            const auto item = static_cast<Py_ssize_t>(t.itemSize());
            for (std::size_t d = 0; d < t.shape().size(); ++d) {
                layout->shape.push_back(static_cast<Py_ssize_t>(t.shape()[d]));
                layout->strides.push_back(static_cast<Py_ssize_t>(t.stride()[d]) * item);
            }
            view->buf = t.numel() == 0 ? static_cast<void*>(&g_nothing)
                                       : static_cast<void*>(t.storage()->data() + t.storageOffset() * item);
            view->len = static_cast<Py_ssize_t>(t.numel()) * item;
            view->itemsize = item;
            view->readonly = readOnly;
            view->ndim = static_cast<int>(t.dim());
            view->format = flags & PyBUF_FORMAT ? const_cast<char*>(formatOf(t.dtype())) : nullptr;
            view->shape = flags & PyBUF_ND ? layout->shape.data() : nullptr;
            view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? layout->strides.data() : nullptr;
            view->suboffsets = nullptr;
            view->internal = layout.release();
            view->obj = Py_NewRef(self);
            return 0;
        },
        -1);
}

void releaseBuffer(PyObject*, Py_buffer* view) {
    delete static_cast<Layout*>(view->internal);
}

/// numpy.<name>, imported when it is first asked for.
Ref numpyFunction(const char* name) {
    Ref numpy = Ref::take(PyImport_ImportModule("numpy"));
    return Ref::take(PyObject_GetAttrString(numpy.get(), name));
}

// --- Borrowing
// ------------------------------------------------------------------------------------------------------------

/// Runs `release` with the interpreter held; nothing is left to release when there is no interpreter any more.
template <class F>
auto withInterpreter(F release) {
    return [release] {
        if (!Py_IsInitialized()) return;
        const Interpreter held;
        release();
    };
}

[[noreturn]] void refuseArrayType(PyObject* array) {
    Ref dtype = Ref::take(PyObject_GetAttrString(array, "dtype"));
    Ref type = Ref::take(PyObject_GetAttrString(dtype.get(), "type"));
    Ref order = Ref::take(PyObject_GetAttrString(dtype.get(), "byteorder"));
    if (textOf(order.get()) == ">")
        raise(PyExc_ValueError, "given numpy array has byte order different from the native byte order. Conversion "
                                "between byte orders is currently not supported.");
    raise(PyExc_TypeError, "can't convert np.ndarray of type " +
                               std::string(reinterpret_cast<PyTypeObject*>(type.get())->tp_name) +
                               ". The only supported types are: float64, float32, float16, complex64, complex128, "
                               "int64, int32, int16, int8, uint8, and bool.");
}

/// A tensor over foreign memory at `data` with strides in elements.
Tensor overMemory(void* data, const Dims& shape, const Dims& stride, DType dtype, std::function<void()> release,
                  const char* kind, bool writable) {
    View view;
    view.shape = shape;
    view.stride = stride;
    Index highest = -1;
    if (view.numel() > 0) {
        highest = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) highest += (shape[d] - 1) * stride[d];
    }
    const auto bytes = static_cast<std::size_t>(highest + 1) * itemSize(dtype);
    return {Storage::wrap(data, bytes, Device{}, std::move(release), kind, writable), std::move(view), dtype};
}

// --- DLPack, version 0: the layout that every library of the time exchanges
// ----------------------------------------------

struct DlTensor {
    void* data;
    std::int32_t deviceType, deviceId;
    std::int32_t ndim;
    std::uint8_t code, bits;
    std::uint16_t lanes;
    std::int64_t *shape, *strides;
    std::uint64_t byteOffset;
};
struct DlManaged {
    DlTensor tensor;
    void* context;
    void (*deleter)(DlManaged*);
};
struct Lent {
    explicit Lent(const Tensor& t) : tensor(t), loan(t.storage()) {}
    DlManaged managed{};
    Tensor tensor;
    Loan loan;
};

struct DlType {
    DType dtype;
    std::uint8_t code, bits;
};
constexpr DlType kDlTypes[] = {
    {DType::UInt8, 1, 8},      {DType::Int8, 0, 8},         {DType::Int16, 0, 16},   {DType::Int32, 0, 32},
    {DType::Int64, 0, 64},     {DType::Float16, 2, 16},     {DType::Float32, 2, 32}, {DType::Float64, 2, 64},
    {DType::Complex64, 5, 64}, {DType::Complex128, 5, 128}, {DType::Bool, 6, 8},
};

void capsuleGone(PyObject* capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor")) return; // somebody took it over
    auto* managed = static_cast<DlManaged*>(PyCapsule_GetPointer(capsule, "dltensor"));
    if (managed->deleter) managed->deleter(managed);
}

} // namespace

void addBufferSlots(SlotList& slots) {
    slots.push_back({Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)});
    slots.push_back({Py_bf_releasebuffer, reinterpret_cast<void*>(releaseBuffer)});
}

PyObject* arrayFromTensor(PyObject* tensor) {
    const Tensor& t = elementsOf(tensor);
    if (!t.device().isCpu())
        raise(PyExc_TypeError, "can't convert " + toString(t.device()) +
                                   " device type tensor to numpy. Use Tensor.cpu() " +
                                   "to copy the tensor to host memory first.");
    static PyObject* asArray = numpyFunction("asarray").release();
    // The view's own object, not `tensor`: transpose_() and set_() may change what that one shows.
    Ref view = Ref::take(wrap(t));
    Ref array = Ref::take(PyObject_CallOneArg(asArray, view.get()));
    t.storage()->lend(); // for good, as PyTorch has it: others may have taken the address from the array
    return array.release();
}

Tensor tensorFromArray(PyObject* array) {
    if (!isNumpyArray(array)) raise(PyExc_TypeError, "expected np.ndarray (got " + typeName(array) + ")");
    auto buffer = std::make_shared<Py_buffer>();
    bool writable = true;
    if (PyObject_GetBuffer(array, buffer.get(), PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        writable = false;
        if (PyObject_GetBuffer(array, buffer.get(), PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
            PyErr_Clear();
            refuseArrayType(array); // dates, objects: what has no buffer
        }
    }
    const auto give = withInterpreter([buffer] { PyBuffer_Release(buffer.get()); });
    const std::optional<DType> dtype = dtypeOfFormat(buffer->format);
    Dims shape, stride;
    try {
        if (!dtype) refuseArrayType(array);
        // The buffer has others where they do not matter: along dims of size 1.
        const Ref strides = Ref::take(PyObject_GetAttrString(array, "strides"));
        for (int d = 0; d < buffer->ndim; ++d) {
            const Index step = toIndex(PyTuple_GetItem(strides.get(), d));
            if (step < 0)
                raise(PyExc_ValueError, "At least one stride in the given numpy array is negative, and tensors with "
                                        "negative strides are not currently supported. (You can probably work around "
                                        "this by making a copy of your array  with array.copy().) ");
            if (step % buffer->itemsize != 0)
                raise(PyExc_ValueError, "given numpy array strides not a multiple of the element byte size. Copy the "
                                        "numpy array to reallocate the memory.");
            shape.push_back(buffer->shape[d]);
            stride.push_back(step / buffer->itemsize);
        }
        if (!writable &&
            PyErr_WarnEx(PyExc_UserWarning,
                         "The given NumPy array is not writable, and PyTorch does not support non-writable "
                         "tensors. Here the tensor is read-only: what would write to it is refused.",
                         1) < 0)
            throw PythonError{};
    } catch (...) {
        PyBuffer_Release(buffer.get());
        throw;
    }
    return overMemory(buffer->buf, shape, stride, *dtype, give, "NumPy array", writable);
}

Tensor tensorFromBuffer(PyObject* object, DType dtype, Index count, Index offset) {
    if (!PyObject_CheckBuffer(object)) raise(PyExc_ValueError, "object does not implement Python buffer protocol.");
    auto buffer = std::make_shared<Py_buffer>();
    bool writable = true;
    if (PyObject_GetBuffer(object, buffer.get(), PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        writable = false;
        if (PyObject_GetBuffer(object, buffer.get(), PyBUF_SIMPLE) < 0) {
            PyErr_Clear();
            raise(PyExc_RuntimeError, "could not retrieve buffer from object");
        }
    }
    const auto give = withInterpreter([buffer] { PyBuffer_Release(buffer.get()); });
    const Index size = static_cast<Index>(itemSize(dtype)), length = buffer->len;
    try {
        const std::string whole = std::to_string(length);
        if (length <= 0 || count == 0)
            raise(PyExc_ValueError,
                  "both buffer length (" + whole + ") and count (" + std::to_string(count) + ") must not be 0");
        if (offset < 0 || offset >= length)
            raise(PyExc_ValueError, "offset (" + std::to_string(offset) +
                                        " bytes) must be non-negative and no greater than buffer length (" + whole +
                                        " bytes) minus 1");
        const std::string rest = ") after offset (" + std::to_string(offset) + " bytes) must ";
        if (count < 0) {
            if ((length - offset) % size != 0)
                raise(PyExc_ValueError, "buffer length (" + std::to_string(length - offset) + " bytes" + rest +
                                            "be a multiple of element size (" + std::to_string(size) + ")");
            count = (length - offset) / size;
        } else if (count > (length - offset) / size) {
            raise(PyExc_ValueError, "requested buffer length (" + std::to_string(count) + " * " + std::to_string(size) +
                                        " bytes" + rest + "not be greater than actual buffer length (" + whole +
                                        " bytes)");
        }
        if (reinterpret_cast<std::uintptr_t>(buffer->buf) % static_cast<std::uintptr_t>(size) != 0 ||
            offset % size != 0)
            raise(PyExc_ValueError, "frombuffer: offset (" + std::to_string(offset) +
                                        " bytes) must be a multiple of element size (" + std::to_string(size) + ")");
        if (!writable &&
            PyErr_WarnEx(PyExc_UserWarning,
                         "The given buffer is not writable, and PyTorch does not support non-writable tensors. Here "
                         "the tensor is read-only: what would write to it is refused.",
                         1) < 0)
            throw PythonError{};
    } catch (...) {
        PyBuffer_Release(buffer.get());
        throw;
    }
    return overMemory(static_cast<std::byte*>(buffer->buf) + offset, Dims{count}, Dims{1}, dtype, give, "buffer",
                      writable);
}

PyObject* toDlpack(const Tensor& t) {
    requireInside(t);
    auto lent = std::make_unique<Lent>(t);
    DlTensor& dl = lent->managed.tensor;
    dl.data = t.device().isCpu() ? t.storage()->data() + t.storageOffset() * static_cast<Index>(t.itemSize()) : nullptr;
    if (!dl.data && t.numel() != 0) raise(PyExc_BufferError, "only tensors of the CPU can be lent by DLPack");
    dl.deviceType = 1;
    dl.ndim = static_cast<std::int32_t>(t.dim());
    for (const DlType& type : kDlTypes) {
        if (type.dtype != t.dtype()) continue;
        dl.code = type.code;
        dl.bits = type.bits;
    }
    dl.lanes = 1;
    // The copy inside `lent` stays where it is.
    dl.shape = const_cast<Index*>(lent->tensor.shape().data());
    dl.strides = const_cast<Index*>(lent->tensor.stride().data());
    lent->managed.context = lent.get();
    lent->managed.deleter = [](DlManaged* managed) { delete static_cast<Lent*>(managed->context); };
    PyObject* capsule = PyCapsule_New(&lent->managed, "dltensor", capsuleGone);
    if (!capsule) throw PythonError{};
    lent.release();
    return capsule;
}

Tensor fromDlpack(PyObject* source) {
    Ref capsule = PyObject_HasAttrString(source, "__dlpack__")
                      ? Ref::take(PyObject_CallMethod(source, "__dlpack__", nullptr))
                      : Ref::share(source);
    auto* managed = static_cast<DlManaged*>(PyCapsule_GetPointer(capsule.get(), "dltensor"));
    if (!managed) {
        PyErr_Clear();
        raise(PyExc_RuntimeError,
              "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed "
              "only once, so you might have already constructed a tensor from it once.");
    }
    const DlTensor& dl = managed->tensor;
    if (dl.deviceType != 1) raise(PyExc_BufferError, "from_dlpack: only memory of the CPU can be taken over");
    std::optional<DType> dtype;
    for (const DlType& type : kDlTypes)
        if (type.code == dl.code && type.bits == dl.bits && dl.lanes == 1) dtype = type.dtype;
    if (!dtype) raise(PyExc_BufferError, "from_dlpack: Stridescope has no such element type");
    Dims shape, stride;
    Index step = 1;
    for (int d = 0; d < dl.ndim; ++d) {
        shape.push_back(dl.shape[d]);
        stride.push_back(dl.strides ? dl.strides[d] : 0);
        if (stride.back() < 0)
            raise(PyExc_BufferError, "from_dlpack: tensors have no negative strides; copy the source first");
    }
    for (std::size_t d = shape.size(); !dl.strides && d > 0; --d) {
        stride[d - 1] = step;
        step *= shape[d - 1];
    }
    if (PyCapsule_SetName(capsule.get(), "used_dltensor") < 0) throw PythonError{};
    return overMemory(static_cast<std::byte*>(dl.data) + dl.byteOffset, shape, stride, *dtype,
                      withInterpreter([managed] {
                          if (managed->deleter) managed->deleter(managed);
                      }),
                      "DLPack tensor", true);
}

} // namespace stridescope::python
