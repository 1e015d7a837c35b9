// Which arguments a parameter takes, and PyTorch's words for a call that fits no overload.

#include "core/python/function.h"

#include <algorithm>

namespace stridescope::python {

namespace {

bool isSequence(PyObject* object) {
    return PyTuple_Check(object) || PyList_Check(object);
}
bool isIntSequence(PyObject* object) {
    return isSequence(object) &&
           (PySequence_Fast_GET_SIZE(object) == 0 || isIntLike(PySequence_Fast_GET_ITEM(object, 0)));
}
bool isZeroDim(PyObject* object) {
    return isTensor(object) && tensorOf(object).defined() && tensorOf(object).dim() == 0;
}

} // namespace

bool accepts(const Param& param, PyObject* object) {
    if (object == Py_None && param.optional) return true;
    switch (param.type) {
    case Type::Tensor:
        return isTensor(object);
    case Type::Tensors:
        return isSequence(object);
    case Type::Int:
        return isIntLike(object);
    case Type::Ints:
        return isIntSequence(object);
    case Type::IntOrInts:
        return isIntLike(object) || isIntSequence(object);
    case Type::Float:
        return (isRealNumber(object) && !PyBool_Check(object)) || isZeroDim(object);
    case Type::Scalar:
        return isNumber(object) || isZeroDim(object);
    case Type::Bool:
        return PyBool_Check(object);
    case Type::Str:
        return PyUnicode_Check(object);
    case Type::DType:
        return asDType(object).has_value();
    case Type::Device:
        return isDeviceLike(object);
    case Type::Layout:
        return Py_IS_TYPE(object, &layoutType);
    case Type::MemoryFormat:
        return Py_IS_TYPE(object, &memoryFormatType);
    case Type::Generator:
        return Py_IS_TYPE(object, &generatorType);
    case Type::Object:
        return true;
    case Type::TensorOrScalar:
        return isTensor(object) || isNumber(object);
    case Type::IntOrStr:
        return isIntLike(object) || PyUnicode_Check(object);
    case Type::ScalarOrStr:
        return isNumber(object) || PyUnicode_Check(object);
    case Type::Out:
        return isTensor(object) || isSequence(object);
    }
    return false;
}

int findParam(const Signature& signature, PyObject* key) {
    const auto& params = signature.params;
    for (std::size_t i = 0; i < params.size(); ++i)
        if (params[i].key == key) return static_cast<int>(i);
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(key, &length);
    if (!text) {
        PyErr_Clear();
        return -1;
    }
    const std::string_view wanted(text, static_cast<std::size_t>(length));
    const auto place = [&](std::string_view name) {
        const auto found = std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.name == name; });
        return found == params.end() ? -1 : static_cast<int>(found - params.begin());
    };
    if (const int exact = place(wanted); exact >= 0) return exact;
    // NumPy's names, and the one of PyTorch's first years that its lectures print.
    if (wanted == "axis" || wanted == "dimension") return place("dim");
    if (wanted == "keepdims") return place("keepdim");
    if (wanted == "x" || wanted == "a" || wanted == "x1") return place("input");
    if (wanted == "x2") return place("other");
    return -1;
}

namespace {

struct Call {
    PyObject* const* args;
    std::size_t count;
    PyObject* keywords;
    bool method;

    Py_ssize_t keywordCount() const { return keywords ? PyTuple_GET_SIZE(keywords) : 0; }
    std::string keyword(Py_ssize_t k) const { return std::string(textOf(PyTuple_GET_ITEM(keywords, k))); }
    PyObject* keywordValue(Py_ssize_t k) const { return args[count + static_cast<std::size_t>(k)]; }
    std::size_t first() const { return method ? 1 : 0; }
};

/// "Tensor, int, dim=str": the types that came.
std::string given(const Call& call) {
    std::string text;
    for (std::size_t i = call.first(); i < call.count; ++i) text += (text.empty() ? "" : ", ") + typeName(call.args[i]);
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k)
        text += (text.empty() ? "" : ", ") + call.keyword(k) + "=" + typeName(call.keywordValue(k));
    return text;
}

/// An element of a list of ints that is none: the message that PyTorch gives whatever the overloads are.
bool refuseListElement(const Definition& definition, const Signature& s, const Call& call) {
    for (std::size_t i = 0; i < std::min(call.count, s.params.size()); ++i) {
        const Param& param = s.params[i];
        if (param.type != Type::Ints && param.type != Type::IntOrInts) continue;
        PyObject* value = call.args[i];
        if (!isSequence(value) || isIntSequence(value)) continue;
        PyErr_Format(
            PyExc_TypeError, "%s(): argument '%s' must be tuple of ints, but found element of type %s at pos 1",
            definition.shownName.c_str(), param.name.c_str(), typeName(PySequence_Fast_GET_ITEM(value, 0)).c_str());
        return true;
    }
    return false;
}

void refuseSingle(const Definition& definition, const Signature& s, const Call& call) {
    const std::string name = definition.shownName + "()";
    const std::size_t first = call.first();
    const bool oneByOne = s.varargs >= 0 && call.count > static_cast<std::size_t>(s.varargs) &&
                          (isIntLike(call.args[s.varargs]) || isTensor(call.args[s.varargs]));
    for (std::size_t i = 0; i < std::min(call.count, s.positional); ++i) {
        const Param& param = s.params[i];
        if (oneByOne && static_cast<int>(i) >= s.varargs) break;
        if (accepts(param, call.args[i])) continue;
        PyErr_Format(PyExc_TypeError, "%s: argument '%s' (position %zu) must be %s, not %s", name.c_str(),
                     param.name.c_str(), i + 1 - first, shownType(param.type), typeName(call.args[i]).c_str());
        return;
    }
    if (call.count > s.positional && !oneByOne) {
        if (call.method && s.positional == 1) {
            PyErr_Format(PyExc_TypeError, "_TensorBase.%s takes no arguments (%zu given)", name.c_str(),
                         call.count - 1);
            return;
        }
        const std::size_t most = s.positional - first;
        PyErr_Format(PyExc_TypeError, "%s takes %zu positional argument%s but %zu were given", name.c_str(), most,
                     most == 1 ? "" : "s", call.count - first);
        return;
    }
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k) {
        const int place = findParam(s, PyTuple_GET_ITEM(call.keywords, k));
        if (place < 0) {
            PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument '%s'", name.c_str(),
                         call.keyword(k).c_str());
            return;
        }
        const Param& param = s.params[static_cast<std::size_t>(place)];
        if (static_cast<std::size_t>(place) < call.count) {
            PyErr_Format(PyExc_TypeError, "%s got multiple values for argument '%s'", name.c_str(), param.name.c_str());
            return;
        }
        if (!accepts(param, call.keywordValue(k))) {
            PyErr_Format(PyExc_TypeError, "%s: argument '%s' must be %s, not %s", name.c_str(), param.name.c_str(),
                         shownType(param.type), typeName(call.keywordValue(k)).c_str());
            return;
        }
    }
    std::string missing;
    int count = 0;
    for (std::size_t i = call.count; i < s.params.size(); ++i) {
        if (!s.params[i].required) continue;
        bool named = false;
        for (Py_ssize_t k = 0; k < call.keywordCount(); ++k)
            named = named || findParam(s, PyTuple_GET_ITEM(call.keywords, k)) == static_cast<int>(i);
        if (named) continue;
        missing += (count++ ? ", \"" : "\"") + s.params[i].name + "\"";
    }
    PyErr_Format(PyExc_TypeError, "%s missing %d required positional arguments: %s", name.c_str(), count,
                 missing.c_str());
}

/// "(!str!, int)" for an overload that could have taken that many arguments; empty for the others.
std::string mismatch(const Signature& s, const Call& call) {
    std::string wrongNames;
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k) {
        const int place = findParam(s, PyTuple_GET_ITEM(call.keywords, k));
        if (place < 0 || static_cast<std::size_t>(place) < call.count)
            wrongNames += (wrongNames.empty() ? "" : ", ") + call.keyword(k);
    }
    const std::size_t all = call.count + static_cast<std::size_t>(call.keywordCount());
    std::size_t required = 0;
    for (const Param& param : s.params) required += param.required;
    if (all < required || call.count > s.positional) return "";
    if (!wrongNames.empty()) return "didn't match because some of the keywords were incorrect: " + wrongNames;
    std::string text;
    const auto add = [&](const Param& param, PyObject* value, const std::string& prefix) {
        const std::string type = prefix + typeName(value);
        text += (text.empty() ? "" : ", ") + (accepts(param, value) ? type : "!" + type + "!");
    };
    for (std::size_t i = call.first(); i < call.count; ++i) add(s.params[i], call.args[i], "");
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k)
        add(s.params[static_cast<std::size_t>(findParam(s, PyTuple_GET_ITEM(call.keywords, k)))], call.keywordValue(k),
            call.keyword(k) + "=");
    return "didn't match because some of the arguments have invalid types: (" + text + ")";
}

} // namespace

void refuseCall(const Definition& definition, bool method, PyObject* const* args, std::size_t count,
                PyObject* keywords) {
    const Call call{args, count, keywords, method};
    for (const Signature& s : definition.signatures)
        if (refuseListElement(definition, s, call)) return;
    std::vector<const Signature*> offered;
    for (const Signature& s : definition.signatures)
        if (!s.hidden && !(method && s.params[0].type != Type::Tensor)) offered.push_back(&s);
    if (offered.size() == 1) {
        refuseSingle(definition, *offered[0], call);
        return;
    }
    std::string text = definition.shownName + "() received an invalid combination of arguments - got (" + given(call) +
                       "), but expected one of:\n";
    for (const Signature* s : offered) {
        text += " * " + s->shown(method) + "\n";
        if (const std::string why = mismatch(*s, call); !why.empty()) text += "      " + why + "\n";
    }
    PyErr_SetString(PyExc_TypeError, text.c_str());
}

} // namespace stridescope::python
