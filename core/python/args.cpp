// The arguments of a call as C++ values, and results with named parts.

#include "core/python/from_data.h"
#include "core/python/function.h"

#include <deque>

namespace stridescope::python {

std::optional<Tensor> Args::optionalTensor(std::size_t i) const {
    return m_values[i] ? std::optional<Tensor>(tensor(i)) : std::nullopt;
}

std::vector<Tensor> Args::tensors(std::size_t i) const {
    const Interpreter held(pinned);
    std::vector<Tensor> tensors;
    const auto add = [&](PyObject* item, Py_ssize_t at) {
        if (!isTensor(item))
            raise(PyExc_TypeError, "expected Tensor as element " + std::to_string(at) + " in argument " +
                                       std::to_string(i - (method ? 1 : 0)) + ", but got " + typeName(item));
        tensors.push_back(tensorOf(item));
    };
    if (!m_values[i]) {
        for (std::size_t k = 0; k < extraCount; ++k) add(extra[k], static_cast<Py_ssize_t>(k));
        return tensors;
    }
    PyObject* list = m_values[i];
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list); // a list or tuple: see accepts()
    for (Py_ssize_t k = 0; k < count; ++k) add(PySequence_Fast_GET_ITEM(list, k), k);
    return tensors;
}

Dims Args::dims(std::size_t i) const {
    const Interpreter held(pinned);
    Dims dims;
    const auto add = [&](PyObject* item, std::size_t at) {
        // As PyTorch: what is too great for 64 bits is no int in a list, though it is one where a single int stands.
        int overflow = 0;
        if (PyLong_Check(item)) PyLong_AsLongLongAndOverflow(item, &overflow);
        // Only the first element is looked at before: True behind it counts as 1.
        if (!(isIntLike(item) || PyBool_Check(item)) || overflow)
            raise(PyExc_TypeError, m_signature.function + "(): argument '" + m_signature.params[i].name +
                                       "' must be tuple of ints, but found element of type " + typeName(item) +
                                       " at pos " + std::to_string(at + 1));
        dims.push_back(toIndex(item));
    };
    if (!m_values[i]) {
        for (std::size_t k = 0; k < extraCount; ++k) add(extra[k], k);
        return dims;
    }
    PyObject* value = m_values[i];
    if (isIntLike(value)) return {toIndex(value)};
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
    for (Py_ssize_t k = 0; k < count; ++k) add(PySequence_Fast_GET_ITEM(value, k), static_cast<std::size_t>(k));
    return dims;
}

ReduceDims Args::reduceDims(std::size_t i) const {
    if (!given(i)) return {};
    if (m_values[i] && isIntLike(m_values[i])) return {index(i)};
    return {dims(i)};
}

Scalar Args::scalar(std::size_t i) const {
    if (m_values[i]) {
        const Interpreter held(pinned);
        return toScalar(m_values[i]);
    }
    const Param& param = m_signature.params[i];
    if (param.defaultText.find_first_of(".ei") != std::string::npos) return param.real;
    return param.number;
}

Generator& Args::generator(std::size_t i) const {
    return m_values[i] ? *reinterpret_cast<GeneratorObject*>(m_values[i])->generator : defaultGenerator();
}

void Args::requireDefaults(std::size_t first) const {
    if (m_values[first + 4] == Py_True)
        raise(PyExc_RuntimeError, "requires_grad=True: autograd is not part of Stridescope; leave it out, or use "
                                  "PyTorch itself for gradients");
    if (m_signature.names >= 0 && m_values[m_signature.names] && m_values[m_signature.names] != Py_None)
        raise(PyExc_RuntimeError, "names: only None is taken, dims with names are not part of Stridescope");
}

TensorOptions Args::options(std::size_t first) const {
    requireDefaults(first);
    return {dtype(first), m_values[first + 2] ? device(first + 2) : Device{}};
}

LikeOptions Args::likeOptions(std::size_t first) const {
    requireDefaults(first);
    const std::size_t at = first + 5;
    const bool ordered = at < m_signature.params.size() && m_signature.params[at].type == Type::MemoryFormat;
    return {dtype(first), m_values[first + 2] ? std::optional<Device>(device(first + 2)) : std::nullopt,
            ordered ? format(at, MemoryFormat::Preserve) : MemoryFormat::Preserve};
}

PyObject* sameOrNew(const Args& a, Tensor&& result) {
    const Tensor& t = a.tensor(0);
    if (result.storage() == t.storage() && result.dtype() == t.dtype() && result.view() == t.view()) return a.self();
    return wrap(std::move(result));
}

// --- Named tuples
// -----------------------------------------------------------------------------------------------------

namespace {

struct NamedType {
    std::string name, fullName;
    std::vector<PyStructSequence_Field> fields;
    std::vector<std::string> fieldNames;
    PyTypeObject* type = nullptr;
};
std::deque<NamedType> g_namedTypes;

PyObject* namedRepr(PyObject* self) {
    return guarded([&]() -> PyObject* {
        for (const NamedType& named : g_namedTypes) {
            if (named.type != Py_TYPE(self)) continue;
            std::string text = named.fullName + "(\n";
            for (std::size_t i = 0; i < named.fieldNames.size(); ++i) {
                Ref item = Ref::take(PyObject_Repr(PyTuple_GET_ITEM(self, static_cast<Py_ssize_t>(i))));
                text += (i ? ",\n" : "") + named.fieldNames[i] + "=" + std::string(textOf(item.get()));
            }
            return newText(text + ")");
        }
        return PyTuple_Type.tp_repr(self);
    });
}

PyTypeObject* namedType(const char* name, std::initializer_list<const char*> fields) {
    for (const NamedType& known : g_namedTypes)
        if (known.name == name) return known.type;
    NamedType& made = g_namedTypes.emplace_back();
    made.name = name;
    made.fullName = "torch.return_types." + made.name;
    for (const char* field : fields) {
        made.fieldNames.emplace_back(field);
        made.fields.push_back({field, nullptr});
    }
    made.fields.push_back({nullptr, nullptr});
    PyStructSequence_Desc desc{made.fullName.c_str(), nullptr, made.fields.data(), static_cast<int>(fields.size())};
    made.type = PyStructSequence_NewType(&desc);
    if (!made.type) throw PythonError{};
    made.type->tp_repr = namedRepr;
    return made.type;
}

} // namespace

PyObject* named(const char* type, std::initializer_list<const char*> fields, std::vector<Tensor>&& values) {
    Ref tuple = Ref::take(PyStructSequence_New(namedType(type, fields)));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyStructSequence_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), wrap(std::move(values[i])));
    return tuple.release();
}

PyObject* returnTypes() {
    Ref dict = Ref::take(PyDict_New());
    for (const NamedType& known : g_namedTypes)
        if (PyDict_SetItemString(dict.get(), known.name.c_str(), reinterpret_cast<PyObject*>(known.type)) < 0)
            throw PythonError{};
    return dict.release();
}

} // namespace stridescope::python
