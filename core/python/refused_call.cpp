#include "core/python/refused_call.h"

#include "core/python/tensor_object.h"
#include "core/python/value_types.h"

#include <set>

namespace stridescope::python {

namespace {

/// More bytes than this, of all storages together, are not copied at each refusal.
constexpr std::size_t kMostBytes = std::size_t{256} << 10;
constexpr Py_ssize_t kLongest = 64;

PyObject* g_refused = nullptr;

/// Thrown for an argument that has no description.
struct NotDescribed {};

Ref tupleOf(const Dims& numbers) {
    Ref tuple = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), Ref::take(PyLong_FromLongLong(numbers[i])).release());
    return tuple;
}

class Describer {
public:
    Ref describe(PyObject* object) {
        if (isTensor(object)) return tensor(tensorOf(object));
        if (PyTuple_Check(object) || PyList_CheckExact(object)) return sequence(object);
        if (PySlice_Check(object)) return slice(object);
        const bool plain = object == Py_None || object == Py_Ellipsis || PyBool_Check(object) ||
                           PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyUnicode_CheckExact(object) ||
                           asDType(object);
        if (!plain) throw NotDescribed{};
        return Ref::share(object);
    }

private:
    Ref sequence(PyObject* object) {
        const Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
        if (count > kLongest) throw NotDescribed{};
        Ref items = Ref::take(PyList_New(count));
        for (Py_ssize_t i = 0; i < count; ++i)
            PyList_SET_ITEM(items.get(), i, describe(PySequence_Fast_GET_ITEM(object, i)).release());
        return PyTuple_Check(object) ? Ref::take(PyList_AsTuple(items.get())) : std::move(items);
    }
    Ref slice(PyObject* object) {
        const auto* part = reinterpret_cast<PySliceObject*>(object);
        for (PyObject* bound : {part->start, part->stop, part->step})
            if (bound != Py_None && !PyLong_CheckExact(bound)) throw NotDescribed{};
        return Ref::share(object);
    }
    Ref tensor(const Tensor& t) {
        if (!t.defined()) throw NotDescribed{};
        const Storage& storage = *t.storage();
        Ref data = Ref::share(Py_None);
        const bool fits = storage.device().isCpu() && m_copied + storage.bytes() <= kMostBytes;
        if (fits && m_storages.insert(storage.id()).second) {
            m_copied += storage.bytes();
            data = Ref::take(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(storage.data()),
                                                       static_cast<Py_ssize_t>(storage.bytes())));
        }
        const Ref dtype = Ref::take(newText(name(t.dtype())));
        return Ref::take(Py_BuildValue("{sOsOsOsLsKsO}", "dtype", dtype.get(), "size", tupleOf(t.shape()).get(),
                                       "stride", tupleOf(t.stride()).get(), "offset",
                                       static_cast<long long>(t.storageOffset()), "storage",
                                       static_cast<unsigned long long>(storage.id()), "data", data.get()));
    }

    std::size_t m_copied = 0;
    std::set<std::uint64_t> m_storages;
};

PyObject* described(PyObject* error, const char* name, PyObject* const* args, std::size_t count, PyObject* keywords) {
    const Ref message = Ref::take(PyObject_Str(error));
    Describer describer;
    const Ref given = Ref::take(PyList_New(0));
    for (std::size_t i = 0; i < count; ++i)
        if (PyList_Append(given.get(), describer.describe(args[i]).get()) < 0) throw PythonError{};
    const Ref named = Ref::take(PyDict_New());
    for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
        const Ref value = describer.describe(args[count + static_cast<std::size_t>(k)]);
        if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(keywords, k), value.get()) < 0) throw PythonError{};
    }
    return Py_BuildValue("(OsOO)", message.get(), name, given.get(), named.get());
}

} // namespace

void keepRefused(const char* name, PyObject* const* args, std::size_t count, PyObject* keywords) noexcept {
#if PY_VERSION_HEX >= 0x030C0000
    PyObject* const error = PyErr_GetRaisedException();
#else
    PyObject *type = nullptr, *error = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
#endif
    Py_CLEAR(g_refused);
    if (error && PyObject_HasAttrString(error, "refusal")) {
        try {
            g_refused = described(error, name, args, count, keywords);
        } catch (const NotDescribed&) {
        } catch (const PythonError&) {
        } catch (const std::exception&) { // no memory
        }
        PyErr_Clear();
    }
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(error);
#else
    PyErr_Restore(type, error, traceback);
#endif
}

PyObject* takeRefused(PyObject*, PyObject*) {
    PyObject* refused = std::exchange(g_refused, nullptr);
    return refused ? refused : Py_NewRef(Py_None);
}

} // namespace stridescope::python
