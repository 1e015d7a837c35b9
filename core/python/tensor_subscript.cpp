// x[...], x[...] = y, len(x), iter(x), y in x.

#include "core/ops/copy.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "core/python/convert.h"
#include "core/python/from_data.h"
#include "core/python/refused_call.h"
#include "core/python/tensor_object.h"
#include "core/python/unlocked.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace stridescope::python {

namespace {

IndexItem tensorItem(const Tensor& t) {
    if (t.dim() == 0 && isIntegral(t.dtype()) && t.dtype() != DType::UInt8) return IndexItem(item(t).toInt());
    if (t.dtype() == DType::UInt8)
        warnOf("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    return IndexItem(t);
}

IndexItem sliceItem(PyObject* slice) {
    const auto* s = reinterpret_cast<PySliceObject*>(slice);
    const auto bound = [](PyObject* value) -> std::optional<Index> {
        if (value == Py_None) return std::nullopt;
        if (!PyIndex_Check(value))
            raise(PyExc_TypeError, "slice indices must be integers or None or have an __index__ method");
        // Beyond 64 bits a bound means "as far as it goes".
        Ref number = Ref::take(PyNumber_Index(value));
        int overflow = 0;
        const long long index = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
        if (overflow) return overflow > 0 ? INT64_MAX : INT64_MIN;
        return index;
    };
    return IndexItem::slice(bound(s->start), bound(s->stop), bound(s->step).value_or(1));
}

IndexItem indexItem(PyObject* key) {
    if (PyBool_Check(key)) return IndexItem(key == Py_True);
    if (PyLong_Check(key)) return IndexItem(toIndex(key));
    if (PySlice_Check(key)) return sliceItem(key);
    if (key == Py_None) return IndexItem::newDim();
    if (key == Py_Ellipsis) return IndexItem::ellipsis();
    if (isTensor(key)) return tensorItem(tensorOf(key));
    if (isNumpyArray(key)) {
        // To PyTorch an array is a sequence of numbers, and those of any type are indices.
        const Tensor t = tensorFromArray(key);
        return tensorItem(t.dtype() == DType::Bool || t.dtype() == DType::UInt8 ? t : to(t, DType::Int64));
    }
    if (isIntLike(key)) return IndexItem(toIndex(key));
    if (PyUnicode_Check(key) || PySequence_Check(key)) {
        const Tensor t = tensorFromData(key, std::nullopt);
        return IndexItem(t.numel() == 0 && isFloating(t.dtype()) ? to(t, DType::Int64) : t);
    }
    raise(PyExc_IndexError, "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
                            "indices (got " +
                                typeName(key) + ")");
}

/// A list stands for a tuple when something in it is no number, as in PyTorch and old NumPy; so does an array of rows.
bool isTupleLike(PyObject* list) {
    if (isNumpyArray(list)) {
        const Tensor t = tensorFromArray(list);
        return t.dim() > 1 && t.size(0) < 32;
    }
    if (!PyList_Check(list) || PyList_GET_SIZE(list) >= 32) return false;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
        PyObject* item = PyList_GET_ITEM(list, i);
        if (isTensor(item) || PySlice_Check(item) || item == Py_None || item == Py_Ellipsis ||
            (PySequence_Check(item) && !PyUnicode_Check(item)))
            return true;
    }
    return false;
}

/// The dims of `t` are counted before a text among the items is refused for what it is.
void requireRoomForText(const Tensor& t, PyObject* const* keys, Py_ssize_t count) {
    Index taken = 0;
    bool hasText = false;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* key = keys[i];
        hasText |= PyUnicode_Check(key);
        if (isTensor(key)) {
            const Tensor& index = tensorOf(key);
            const bool mask = index.dtype() == DType::Bool || index.dtype() == DType::UInt8;
            taken += mask ? index.dim() : 1;
        } else if (key != Py_None && key != Py_Ellipsis && !PyBool_Check(key)) {
            ++taken;
        }
    }
    if (hasText && taken > t.dim())
        raise(PyExc_IndexError, "too many indices for tensor of dimension " + std::to_string(t.dim()));
}

std::vector<IndexItem> indexItems(const Tensor& t, PyObject* key) {
    std::vector<IndexItem> items;
    if (PyTuple_Check(key))
        requireRoomForText(t, reinterpret_cast<PyTupleObject*>(key)->ob_item, PyTuple_GET_SIZE(key));
    else
        requireRoomForText(t, &key, 1);
    if (PyTuple_Check(key) || isTupleLike(key)) {
        Ref entries = Ref::take(PySequence_Fast(key, "an index"));
        const Py_ssize_t count = PySequence_Fast_GET_SIZE(entries.get());
        items.reserve(static_cast<std::size_t>(count));
        for (Py_ssize_t i = 0; i < count; ++i) items.push_back(indexItem(PySequence_Fast_GET_ITEM(entries.get(), i)));
    } else {
        items.push_back(indexItem(key));
    }
    return items;
}

/// The view that numbers alone select; false when something else stands in the brackets, or a number is out of range:
/// the general way then says what it has to.
bool selectNumbers(const Tensor& t, PyObject* const* keys, std::size_t count, View& view) {
    if (count > t.shape().size() || !t.defined()) return false;
    Index offset = t.storageOffset();
    for (std::size_t i = 0; i < count; ++i) {
        if (!PyLong_CheckExact(keys[i])) return false;
        int overflow = 0;
        Index index = PyLong_AsLongLongAndOverflow(keys[i], &overflow);
        const Index size = t.shape()[i];
        if (overflow || index < -size || index >= size) return false;
        if (index < 0) index += size;
        offset += index * t.stride()[i];
    }
    const std::size_t left = t.shape().size() - count;
    view.shape.assign({t.shape().begin() + count, left});
    view.stride.assign({t.stride().begin() + count, left});
    view.offset = offset;
    return true;
}
bool selectNumbers(const Tensor& t, PyObject* key, View& view) {
    if (PyTuple_CheckExact(key))
        return selectNumbers(t, reinterpret_cast<PyTupleObject*>(key)->ob_item,
                             static_cast<std::size_t>(PyTuple_GET_SIZE(key)), view);
    return selectNumbers(t, &key, 1, view);
}

/// What selectNumbers() took, as it stands in a record: "[0, 1]"; and what it is set to: "[0, 1] = 5".
class SubscriptText {
public:
    explicit SubscriptText(PyObject* key) {
        Dims numbers;
        if (!PyTuple_CheckExact(key)) {
            numbers.push_back(PyLong_AsLongLong(key));
        } else {
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i)
                numbers.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(key, i)));
        }
        *m_end++ = '[';
        if (numbers.empty()) add("()");
        m_end = code::write(numbers, m_end);
        *m_end++ = ']';
    }
    std::string_view setTo(Scalar number) {
        add(" = ");
        if (number.isInt())
            m_end = std::to_chars(m_end, m_end + kNumber, number.toInt()).ptr;
        else
            add(toString(number));
        return *this;
    }
    operator std::string_view() const { return {m_text.data(), static_cast<std::size_t>(m_end - m_text.data())}; }

private:
    /// As long as the longest real number.
    static constexpr std::size_t kNumber = 40;
    void add(std::string_view text) { m_end = std::copy(text.begin(), text.end(), m_end); }

    std::array<char, code::kLongestNumber* static_cast<std::size_t>(kMaxDims) + kNumber + 8> m_text;
    char* m_end = m_text.data();
};

/// Does one of them pick so many elements that this takes long?
bool areLong(const std::vector<IndexItem>& items) {
    return std::any_of(items.begin(), items.end(), [](const IndexItem& item) {
        return item.tensor().defined() && item.tensor().numel() >= kLongSweep;
    });
}

void lend(const std::vector<IndexItem>& items, Pinned& pinned) {
    for (const IndexItem& item : items) pinned.lend(item.tensor());
}

Tensor indexBy(const Tensor& t, const std::vector<IndexItem>& items) {
    if (!areLong(items)) return index(t, items);
    Pinned pinned;
    lend(items, pinned);
    return withoutLock(t, Scalar(0), [&](const Tensor& held, Scalar) { return index(held, items); });
}

PyObject* getItem(PyObject* self, PyObject* key) {
    PyObject* const made = guarded([&]() -> PyObject* {
        const Tensor& t = tensorOf(self);
        View view;
        Tensor result;
        if (const auto start = observed::startTime(); selectNumbers(t, key, view)) {
            result = t.withView(std::move(view));
            if (observed::isObserved(start))
                observed::publishCall("getitem", SubscriptText(key), std::array{&t}, {&result, 1}, OpEffect::Alloc,
                                      start);
        } else {
            result = indexBy(t, indexItems(t, key));
        }
        requireInsideAfter(t, result);
        return wrap(std::move(result));
    });
    return kept(made, "", {self, key});
}

int setItem(PyObject* self, PyObject* key, PyObject* value) {
    const int done = guarded(
        [&]() -> int {
            const Tensor& t = elementsOf(self);
            if (!value) raise(PyExc_TypeError, "Tensor does not support deleting items");
            View view;
            const auto start = observed::startTime();
            // One element of a float tensor: any number fits it.
            if ((PyFloat_CheckExact(value) || PyLong_CheckExact(value)) && isFloating(t.dtype()) &&
                t.dtype() != DType::Float16 && selectNumbers(t, key, view) && view.shape.empty() &&
                t.device().isCpu() && t.storage()->isWritable()) {
                const Scalar number = toScalar(value);
                if (t.dtype() == DType::Float64 || !number.isFloat() || std::abs(number.toDouble()) < 1e38) {
                    storeElement(t.storage()->data() + view.offset * static_cast<Index>(t.itemSize()), t.dtype(),
                                 number);
                    t.storage()->bumpVersion();
                    if (observed::isObserved(start))
                        observed::publishCall("setitem", SubscriptText(key).setTo(number), std::array{&t}, {&t, 1},
                                              OpEffect::InPlace, start);
                    return 0;
                }
            }
            if (!isTensor(value) && !isNumber(value))
                raise(PyExc_TypeError, "can't assign a " + typeName(value) + " to a " + legacyTypeName(t));
            const std::vector<IndexItem> items = indexItems(t, key);
            if (!isTensor(value)) {
                setIndex(t, items, toScalar(value));
            } else if (areLong(items) || tensorOf(value).numel() >= kLongSweep) {
                Pinned pinned;
                lend(items, pinned);
                withoutLock(t, tensorOf(value), [&](const Tensor& a, const Tensor& b) { setIndex(a, items, b); });
            } else {
                setIndex(t, items, tensorOf(value));
            }
            return 0;
        },
        -1);
    if (done < 0 && value && g_keepsRefused) [[unlikely]] {
        PyObject* const given[] = {self, key, value};
        keepRefused("", given, 3, nullptr);
    }
    return done;
}

Py_ssize_t lengthSlot(PyObject* self) {
    const Tensor& t = tensorOf(self);
    if (t.dim() == 0) {
        PyErr_SetString(PyExc_TypeError, "len() of a 0-d tensor");
        return -1;
    }
    return static_cast<Py_ssize_t>(t.shape()[0]);
}
PyObject* sequenceItem(PyObject* self, Py_ssize_t i) {
    return guarded([&] { return wrap(index(tensorOf(self), {IndexItem(static_cast<Index>(i))})); });
}
PyObject* iterSlot(PyObject* self) {
    return guarded([&]() -> PyObject* {
        if (tensorOf(self).dim() == 0) raise(PyExc_TypeError, "iteration over a 0-d tensor");
        Ref parts = Ref::take(wrap(unbind(tensorOf(self), 0)));
        return PyObject_GetIter(parts.get());
    });
}
int containsSlot(PyObject* self, PyObject* element) {
    return guarded(
        [&]() -> int {
            const Tensor& t = tensorOf(self);
            if (isTensor(element)) return item(any(eq(t, tensorOf(element)))).toBool();
            if (isNumber(element)) return item(any(eq(t, toScalar(element)))).toBool();
            raise(PyExc_RuntimeError,
                  std::string("Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                              "<class '") +
                      Py_TYPE(element)->tp_name + "'>.");
        },
        -1);
}

} // namespace

std::string legacyTypeName(const Tensor& t) {
    constexpr const char* names[] = {"Byte",  "Char",   "Short", "Int",          "Long",         "Half",
                                     "Float", "Double", "Bool",  "ComplexFloat", "ComplexDouble"};
    return std::string(t.device().isCpu() ? "torch." : std::string("torch.") + name(t.device().type) + ".") +
           names[static_cast<std::size_t>(t.dtype())] + "Tensor";
}

void addSubscriptSlots(SlotList& slots) {
    const auto add = [&](int id, auto function) { slots.push_back({id, reinterpret_cast<void*>(function)}); };
    add(Py_mp_subscript, getItem);
    add(Py_mp_ass_subscript, setItem);
    add(Py_mp_length, lengthSlot);
    add(Py_sq_item, sequenceItem);
    add(Py_sq_length, lengthSlot);
    add(Py_sq_contains, containsSlot);
    add(Py_tp_iter, iterSlot);
}

} // namespace stridescope::python
