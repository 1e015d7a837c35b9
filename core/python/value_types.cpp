#include "core/python/value_types.h"

#include "core/ops/random.h"
#include "core/python/convert.h"
#include "core/python/tensor_object.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace stridescope::python {

namespace {

/// A dtype of PyTorch's that no tensor here has: the object is there, to be printed and compared.
struct AbsentDType {
    const char* name;
    bool floating, complex;
    std::size_t itemSize;
    const char* instead; ///< the dtype that holds the same numbers
};
constexpr AbsentDType kAbsentDTypes[] = {{"bfloat16", true, false, 2, "float32"},
                                         {"complex32", false, true, 4, "complex64"}};

struct DTypeObject {
    PyObject_HEAD DType dtype;
    const AbsentDType* absent; ///< null for those that tensors have
};
const DTypeObject& asDTypeObject(PyObject* self) {
    return *reinterpret_cast<DTypeObject*>(self);
}
struct NamedObject { // layouts and memory formats
    PyObject_HEAD const char* name;
};

std::array<DTypeObject, kAllDTypes.size()> g_dtypes;
std::array<DTypeObject, std::size(kAbsentDTypes)> g_absentDTypes;
NamedObject g_strided;
std::array<NamedObject, 4> g_formats;
// In the order of MemoryFormat.
constexpr const char* kFormatNames[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};

std::string dtypeName(PyObject* self) {
    const DTypeObject& object = asDTypeObject(self);
    return object.absent ? object.absent->name : std::string(name(object.dtype));
}
PyObject* dtypeRepr(PyObject* self) {
    return newText("torch." + dtypeName(self));
}
PyObject* dtypeReduce(PyObject* self, PyObject*) {
    return newText(dtypeName(self)); // a global of the module's name
}
PyObject* dtypeAttribute(PyObject* self, void* which) {
    const auto& [base, t, absent] = asDTypeObject(self);
    switch (reinterpret_cast<std::intptr_t>(which)) {
    case 0:
        return PyBool_FromLong(absent ? absent->floating : isFloating(t));
    case 1:
        return PyBool_FromLong(absent ? absent->complex : isComplex(t));
    case 2:
        return PyBool_FromLong(absent || (t != DType::UInt8 && t != DType::Bool));
    default:
        return PyLong_FromSize_t(absent ? absent->itemSize : itemSize(t));
    }
}
PyGetSetDef g_dtypeAttributes[] = {
    {"is_floating_point", dtypeAttribute, nullptr, nullptr, reinterpret_cast<void*>(0)},
    {"is_complex", dtypeAttribute, nullptr, nullptr, reinterpret_cast<void*>(1)},
    {"is_signed", dtypeAttribute, nullptr, nullptr, reinterpret_cast<void*>(2)},
    {"itemsize", dtypeAttribute, nullptr, nullptr, reinterpret_cast<void*>(3)},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef g_dtypeMethods[] = {{"__reduce__", dtypeReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyObject* namedRepr(PyObject* self) {
    return PyUnicode_FromFormat("torch.%s", reinterpret_cast<NamedObject*>(self)->name);
}
PyObject* namedReduce(PyObject* self, PyObject*) {
    return PyUnicode_FromString(reinterpret_cast<NamedObject*>(self)->name);
}
PyMethodDef g_namedMethods[] = {{"__reduce__", namedReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

// --- device ---------------------------------------------------------------------------------------------------------

const char* typeText(Device d) {
    return name(d.type);
}
const DeviceObject& asDevice(PyObject* self) {
    return *reinterpret_cast<DeviceObject*>(self);
}
PyObject* deviceRepr(PyObject* self) {
    const DeviceObject& d = asDevice(self);
    return d.hasIndex ? PyUnicode_FromFormat("device(type='%s', index=%d)", typeText(d.device), d.device.index)
                      : PyUnicode_FromFormat("device(type='%s')", typeText(d.device));
}
PyObject* deviceStr(PyObject* self) {
    const DeviceObject& d = asDevice(self);
    return d.hasIndex ? PyUnicode_FromFormat("%s:%d", typeText(d.device), d.device.index)
                      : PyUnicode_FromString(typeText(d.device));
}
Py_hash_t deviceHash(PyObject* self) {
    const DeviceObject& d = asDevice(self);
    return 2 * (static_cast<Py_hash_t>(d.device.type) + 3 * d.device.index) + d.hasIndex;
}
PyObject* deviceCompare(PyObject* a, PyObject* b, int op) {
    if (!Py_IS_TYPE(a, &deviceType) || !Py_IS_TYPE(b, &deviceType) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    const bool equal = asDevice(a).device == asDevice(b).device && asDevice(a).hasIndex == asDevice(b).hasIndex;
    return PyBool_FromLong(equal == (op == Py_EQ));
}
PyObject* deviceKind(PyObject* self, void*) {
    return PyUnicode_FromString(typeText(asDevice(self).device));
}
PyObject* deviceIndex(PyObject* self, void*) {
    if (!asDevice(self).hasIndex) Py_RETURN_NONE;
    return PyLong_FromLong(asDevice(self).device.index);
}
PyGetSetDef g_deviceAttributes[] = {
    {"type", deviceKind, nullptr, nullptr, nullptr},
    {"index", deviceIndex, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

/// Kinds of device that PyTorch 1.13 knows besides.
constexpr std::string_view kElsewhere[] = {"xla",    "mps",    "meta",   "xpu",    "ipu",          "hpu",
                                           "mkldnn", "opengl", "opencl", "ve",     "ideep",        "hip",
                                           "fpga",   "ort",    "lazy",   "vulkan", "privateuseone"};

/// "cuda:1" and whether it names an index.
std::pair<Device, bool> deviceFromText(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view type = text.substr(0, colon);
    if (std::find(std::begin(kElsewhere), std::end(kElsewhere), type) != std::end(kElsewhere))
        raise(PyExc_RuntimeError,
              "device '" + std::string(text) + "' is not part of Stridescope: of PyTorch's devices, cpu and cuda are");
    if (type != "cpu" && type != "cuda" && type != "sim")
        raise(PyExc_RuntimeError,
              "Expected one of cpu, cuda device type at start of device string: " + std::string(type));
    Result<Device> device = deviceFromString(text);
    if (!device) raise(PyExc_RuntimeError, "Invalid device string: '" + std::string(text) + "'");
    const bool hasIndex = colon != std::string_view::npos;
    // The object keeps the number of a CPU; the device that it means has none.
    if (hasIndex && device->isCpu())
        device->index = static_cast<std::int8_t>(std::stoi(std::string(text.substr(colon + 1))));
    return {*device, hasIndex};
}

PyObject* deviceNew(PyTypeObject*, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"type", "index", nullptr};
        PyObject* type = nullptr;
        PyObject* index = nullptr;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:device", const_cast<char**>(names), &type, &index))
            throw PythonError{};
        if (Py_IS_TYPE(type, &deviceType)) return Py_NewRef(type);
        if (PyLong_Check(type)) return newDevice(toDevice(type), true);
        if (!PyUnicode_Check(type))
            raise(PyExc_TypeError, "device(): argument 'type' (position 1) must be str, not " + typeName(type));
        auto [device, hasIndex] = deviceFromText(textOf(type));
        if (index && index != Py_None) {
            if (hasIndex)
                raise(PyExc_RuntimeError,
                      "type (string) must not include an index because index was passed explicitly: " +
                          std::string(textOf(type)));
            const long number = PyLong_AsLong(index);
            if (number == -1 && PyErr_Occurred()) throw PythonError{};
            if (number < 0 || number > 127) raise(PyExc_RuntimeError, "Device index must not be negative");
            device.index = static_cast<std::int8_t>(number);
            hasIndex = true;
        }
        return newDevice(device, hasIndex);
    });
}
PyObject* deviceReduce(PyObject* self, PyObject*) {
    PyObject* text = deviceStr(self);
    return text ? Py_BuildValue("O(N)", Py_TYPE(self), text) : nullptr;
}
PyMethodDef g_deviceMethods[] = {{"__reduce__", deviceReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

// --- Size -----------------------------------------------------------------------------------------------------------

PyObject* sizeFrom(PyObject* tuple) {
    if (!tuple) return nullptr;
    Ref held = Ref::take(tuple);
    if (!PyTuple_Check(tuple)) return held.release();
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    PyObject* size = sizeType.tp_alloc(&sizeType, count);
    if (!size) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(size, i, Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
    return size;
}
PyObject* sizeNew(PyTypeObject*, PyObject* args, PyObject*) {
    return guarded([&]() -> PyObject* {
        PyObject* values = nullptr;
        if (!PyArg_ParseTuple(args, "|O:Size", &values)) throw PythonError{};
        if (!values) return sizeFrom(PyTuple_New(0));
        Ref tuple = Ref::take(PySequence_Tuple(values));
        Dims sizes;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.get()); ++i) {
            PyObject* item = PyTuple_GET_ITEM(tuple.get(), i);
            if (!isIntLike(item) && !PyBool_Check(item))
                raise(PyExc_TypeError, "torch.Size() takes an iterable of 'int' (item " + std::to_string(i) + " is '" +
                                           typeName(item) + "')");
            sizes.push_back(toIndex(item));
        }
        return newSize(sizes);
    });
}
PyObject* sizeRepr(PyObject* self) {
    std::string text = "torch.Size([";
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i)
        text += (i ? ", " : "") + std::to_string(PyLong_AsLongLong(PyTuple_GET_ITEM(self, i)));
    return newText(text + "])");
}
PyObject* sizeConcat(PyObject* a, PyObject* b) {
    return guarded([&] { return sizeFrom(PyTuple_Type.tp_as_sequence->sq_concat(a, b)); });
}
PyObject* sizeRepeat(PyObject* a, Py_ssize_t n) {
    return guarded([&] { return sizeFrom(PyTuple_Type.tp_as_sequence->sq_repeat(a, n)); });
}
PyObject* sizeSubscript(PyObject* a, PyObject* key) {
    PyObject* result = PyTuple_Type.tp_as_mapping->mp_subscript(a, key);
    return PySlice_Check(key) ? guarded([&] { return sizeFrom(result); }) : result;
}
PyObject* sizeNumel(PyObject* self, PyObject*) {
    long long product = 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) product *= PyLong_AsLongLong(PyTuple_GET_ITEM(self, i));
    return PyLong_FromLongLong(product);
}
PyObject* sizeReduce(PyObject* self, PyObject*) {
    PyObject* tuple = PyTuple_GetSlice(self, 0, PyTuple_GET_SIZE(self));
    return tuple ? Py_BuildValue("O(N)", Py_TYPE(self), tuple) : nullptr;
}
PyMethodDef g_sizeMethods[] = {
    {"numel", sizeNumel, METH_NOARGS, "The number of elements: the product of the sizes."},
    {"__reduce__", sizeReduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PySequenceMethods g_sizeSequence{};
PyMappingMethods g_sizeMapping{};

// --- Generator
// --------------------------------------------------------------------------------------------------------

GeneratorObject* generatorOf(PyObject* self) {
    return reinterpret_cast<GeneratorObject*>(self);
}
PyObject* generatorNew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"device", nullptr};
        PyObject* device = nullptr;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Generator", const_cast<char**>(names), &device))
            throw PythonError{};
        if (device && !toDevice(device).isCpu())
            raise(PyExc_RuntimeError, "Device type CUDA is not supported for torch.Generator() api.");
        auto generator = std::make_unique<Generator>();
        PyObject* self = type->tp_alloc(type, 0);
        if (!self) throw PythonError{};
        generatorOf(self)->generator = generator.release();
        generatorOf(self)->owned = true;
        return self;
    });
}
void generatorDealloc(PyObject* self) {
    if (generatorOf(self)->owned) delete generatorOf(self)->generator;
    Py_TYPE(self)->tp_free(self);
}
PyObject* generatorSeedWith(PyObject* self, PyObject* number) {
    return guarded([&]() -> PyObject* {
        if (!isIntLike(number)) raise(PyExc_RuntimeError, "manual_seed expected a long, but got " + typeName(number));
        generatorOf(self)->generator->manualSeed(toSeed(number));
        return Py_NewRef(self);
    });
}
PyObject* generatorInitialSeed(PyObject* self, PyObject*) {
    return PyLong_FromUnsignedLongLong(generatorOf(self)->generator->initialSeed());
}
PyObject* generatorSeed(PyObject* self, PyObject*) {
    return guarded([&] { return PyLong_FromUnsignedLongLong(generatorOf(self)->generator->seed()); });
}
PyObject* generatorState(PyObject* self, PyObject*) {
    return guarded([&] { return wrap(rngState(*generatorOf(self)->generator)); });
}
PyObject* generatorSetState(PyObject* self, PyObject* state) {
    return guarded([&]() -> PyObject* {
        if (!isTensor(state)) raise(PyExc_TypeError, "expected a torch.ByteTensor, but got " + typeName(state));
        setRngState(tensorOf(state), *generatorOf(self)->generator);
        return Py_NewRef(self);
    });
}
PyObject* generatorDevice(PyObject*, void*) {
    return newDevice({}, false);
}
PyMethodDef g_generatorMethods[] = {
    {"manual_seed", generatorSeedWith, METH_O, "Starts the stream of a seed; returns the generator."},
    {"initial_seed", generatorInitialSeed, METH_NOARGS, "The seed that the stream was started with."},
    {"seed", generatorSeed, METH_NOARGS, "Starts a stream that nobody can know beforehand; returns its seed."},
    {"get_state", generatorState, METH_NOARGS, "The state, as a uint8 tensor."},
    {"set_state", generatorSetState, METH_O, "Goes on where a state was taken."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef g_generatorAttributes[] = {{"device", generatorDevice, nullptr, nullptr, nullptr},
                                       {nullptr, nullptr, nullptr, nullptr, nullptr}};

void addObject(PyObject* module, const char* name, PyObject* object) {
    if (PyModule_AddObjectRef(module, name, object) < 0) throw PythonError{};
}
void addType(PyObject* module, const char* name, PyTypeObject& type, const char* doc) {
    type.tp_doc = doc;
    if (PyType_Ready(&type) < 0) throw PythonError{};
    addObject(module, name, reinterpret_cast<PyObject*>(&type));
}

} // namespace

PyTypeObject dtypeType = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject deviceType = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject layoutType = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject memoryFormatType = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject sizeType = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject generatorType = {PyVarObject_HEAD_INIT(nullptr, 0)};

PyObject* dtypeObject(DType t) {
    return reinterpret_cast<PyObject*>(&g_dtypes[static_cast<std::size_t>(t)]);
}

std::optional<DType> asDType(PyObject* object) {
    if (Py_IS_TYPE(object, &dtypeType)) {
        if (const AbsentDType* absent = asDTypeObject(object).absent)
            raise(PyExc_RuntimeError, std::string("torch.") + absent->name +
                                          ": tensors of this dtype are not part of Stridescope. torch." +
                                          absent->instead + " holds the same numbers.");
        return asDTypeObject(object).dtype;
    }
    const auto* type = reinterpret_cast<PyTypeObject*>(object);
    if (type == &PyFloat_Type) return DType::Float64;
    if (type == &PyLong_Type) return DType::Int64;
    if (type == &PyBool_Type) return DType::Bool;
    if (type == &PyComplex_Type) return DType::Complex128;
    return std::nullopt;
}

PyObject* newDevice(Device device, bool hasIndex) {
    auto* object = PyObject_New(DeviceObject, &deviceType);
    if (!object) throw PythonError{};
    object->device = device;
    object->hasIndex = hasIndex;
    return reinterpret_cast<PyObject*>(object);
}

bool isDeviceLike(PyObject* object) {
    return Py_IS_TYPE(object, &deviceType) || PyUnicode_Check(object) ||
           (PyLong_Check(object) && !PyBool_Check(object));
}

Device toDevice(PyObject* object) {
    if (Py_IS_TYPE(object, &deviceType) || PyUnicode_Check(object)) {
        const Device named = PyUnicode_Check(object) ? deviceFromText(textOf(object)).first : asDevice(object).device;
        return named.isCpu() ? Device{} : named;
    }
    const long number = PyLong_AsLong(object);
    if (number == -1 && PyErr_Occurred()) throw PythonError{};
    if (number < 0 || number > 127) raise(PyExc_RuntimeError, "Device index must not be negative");
    return {DeviceType::Cuda, static_cast<std::int8_t>(number)};
}

PyObject* newSize(std::span<const Index> sizes) {
    Ref size = Ref::take(sizeType.tp_alloc(&sizeType, static_cast<Py_ssize_t>(sizes.size())));
    for (std::size_t i = 0; i < sizes.size(); ++i)
        PyTuple_SET_ITEM(size.get(), static_cast<Py_ssize_t>(i), Ref::take(PyLong_FromLongLong(sizes[i])).release());
    return size.release();
}

PyObject* newTuple(std::span<const Index> values) {
    Ref tuple = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), Ref::take(PyLong_FromLongLong(values[i])).release());
    return tuple.release();
}

PyObject* defaultGeneratorObject() {
    static PyObject* object = nullptr;
    if (!object) {
        object = generatorType.tp_alloc(&generatorType, 0);
        if (!object) throw PythonError{};
        generatorOf(object)->generator = &defaultGenerator();
        generatorOf(object)->owned = false;
    }
    return Py_NewRef(object);
}

MemoryFormat toMemoryFormat(PyObject* object) {
    return static_cast<MemoryFormat>(reinterpret_cast<NamedObject*>(object) - g_formats.data());
}

void addValueTypes(PyObject* module) {
    dtypeType.tp_name = "torch.dtype";
    dtypeType.tp_basicsize = sizeof(DTypeObject);
    dtypeType.tp_flags = Py_TPFLAGS_DEFAULT;
    dtypeType.tp_repr = dtypeRepr;
    dtypeType.tp_getset = g_dtypeAttributes;
    dtypeType.tp_methods = g_dtypeMethods;
    addType(module, "dtype", dtypeType, "What the elements are: torch.float32, torch.int64 and the like.");
    for (const DType t : kAllDTypes) {
        DTypeObject& object = g_dtypes[static_cast<std::size_t>(t)];
        PyObject_Init(reinterpret_cast<PyObject*>(&object), &dtypeType);
        object.dtype = t;
        addObject(module, std::string(name(t)).c_str(), dtypeObject(t));
    }
    for (std::size_t i = 0; i < g_absentDTypes.size(); ++i) {
        auto* const object = reinterpret_cast<PyObject*>(&g_absentDTypes[i]);
        PyObject_Init(object, &dtypeType);
        g_absentDTypes[i].absent = &kAbsentDTypes[i];
        addObject(module, kAbsentDTypes[i].name, object);
        if (kAbsentDTypes[i].complex) addObject(module, "chalf", object);
    }
    const std::pair<const char*, DType> secondNames[] = {{"half", DType::Float16},     {"float", DType::Float32},
                                                         {"double", DType::Float64},   {"short", DType::Int16},
                                                         {"int", DType::Int32},        {"long", DType::Int64},
                                                         {"cfloat", DType::Complex64}, {"cdouble", DType::Complex128}};
    for (const auto& [second, t] : secondNames) addObject(module, second, dtypeObject(t));

    for (PyTypeObject* type : {&layoutType, &memoryFormatType}) {
        type->tp_basicsize = sizeof(NamedObject);
        type->tp_flags = Py_TPFLAGS_DEFAULT;
        type->tp_repr = namedRepr;
        type->tp_methods = g_namedMethods;
    }
    layoutType.tp_name = "torch.layout";
    memoryFormatType.tp_name = "torch.memory_format";
    addType(module, "layout", layoutType, "How elements are kept; there is torch.strided.");
    addType(module, "memory_format", memoryFormatType, "The order of the dims in memory that a copy has.");
    PyObject_Init(reinterpret_cast<PyObject*>(&g_strided), &layoutType);
    g_strided.name = "strided";
    addObject(module, "strided", reinterpret_cast<PyObject*>(&g_strided));
    for (std::size_t i = 0; i < g_formats.size(); ++i) {
        PyObject_Init(reinterpret_cast<PyObject*>(&g_formats[i]), &memoryFormatType);
        g_formats[i].name = kFormatNames[i];
        addObject(module, kFormatNames[i], reinterpret_cast<PyObject*>(&g_formats[i]));
    }

    deviceType.tp_name = "torch.device";
    deviceType.tp_basicsize = sizeof(DeviceObject);
    deviceType.tp_flags = Py_TPFLAGS_DEFAULT;
    deviceType.tp_new = deviceNew;
    deviceType.tp_repr = deviceRepr;
    deviceType.tp_str = deviceStr;
    deviceType.tp_hash = deviceHash;
    deviceType.tp_richcompare = deviceCompare;
    deviceType.tp_getset = g_deviceAttributes;
    deviceType.tp_methods = g_deviceMethods;
    addType(module, "device", deviceType,
            "device(type, index=None): where a storage lies: device('cpu'), device('cuda:0').");

    g_sizeSequence = *PyTuple_Type.tp_as_sequence;
    g_sizeSequence.sq_concat = sizeConcat;
    g_sizeSequence.sq_repeat = sizeRepeat;
    g_sizeMapping = *PyTuple_Type.tp_as_mapping;
    g_sizeMapping.mp_subscript = sizeSubscript;
    sizeType.tp_name = "torch.Size";
    sizeType.tp_base = &PyTuple_Type;
    sizeType.tp_flags = Py_TPFLAGS_DEFAULT;
    sizeType.tp_new = sizeNew;
    sizeType.tp_repr = sizeRepr;
    sizeType.tp_as_sequence = &g_sizeSequence;
    sizeType.tp_as_mapping = &g_sizeMapping;
    sizeType.tp_methods = g_sizeMethods;
    addType(module, "Size", sizeType, "The sizes of a tensor's dims: a tuple.");

    generatorType.tp_name = "torch._C.Generator";
    generatorType.tp_basicsize = sizeof(GeneratorObject);
    generatorType.tp_flags = Py_TPFLAGS_DEFAULT;
    generatorType.tp_new = generatorNew;
    generatorType.tp_dealloc = generatorDealloc;
    generatorType.tp_methods = g_generatorMethods;
    generatorType.tp_getset = g_generatorAttributes;
    addType(module, "Generator", generatorType,
            "Generator(device='cpu'): a source of random numbers with a state of its own.");
    addObject(module, "default_generator", Ref::take(defaultGeneratorObject()).get());
}

} // namespace stridescope::python
