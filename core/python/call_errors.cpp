// Which arguments a parameter takes, and PyTorch's words for a call that fits no overload.

#include "core/python/function.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

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
        return isRealNumber(object) || isZeroDim(object);
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
        return isTensor(object);
    case Type::Outs:
        return isSequence(object);
    }
    return false;
}

int findParam(const Signature& signature, PyObject* key) {
    const auto& params = signature.params;
    // Of *tensors the name is nothing that a caller can use.
    const auto hasNoName = [](const Param& p) { return p.oneByOne && p.type == Type::Tensors; };
    for (std::size_t i = 0; i < params.size(); ++i)
        if (params[i].key == key) return hasNoName(params[i]) ? -1 : static_cast<int>(i);
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(key, &length);
    if (!text) {
        PyErr_Clear();
        return -1;
    }
    const std::string_view wanted(text, static_cast<std::size_t>(length));
    const auto place = [&](std::string_view name) {
        const auto found =
            std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.name == name && !hasNoName(p); });
        return found == params.end() ? -1 : static_cast<int>(found - params.begin());
    };
    if (const int exact = place(wanted); exact >= 0) return exact;
    // NumPy's names, and the one of PyTorch's first years that its lectures print.
    if (wanted == "axis" || wanted == "dimension") return place("dim");
    if (wanted == "keepdims") return place("keepdim");
    if (wanted == "x" || wanted == "a" || wanted == "x1" || wanted == "A") return place("input");
    if (wanted == "B") return place("b");
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

/// Places of the keywords in the order in which PyTorch's messages have them: that of its table.
std::vector<Py_ssize_t> keywordOrder(const Call& call) {
    std::unordered_map<std::string, Py_ssize_t> table;
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k) table.emplace(call.keyword(k), k);
    std::vector<Py_ssize_t> order;
    for (const auto& [name, k] : table) order.push_back(k);
    return order;
}

/// "Tensor, int, dim=str": the types that came. Behind nothing but keywords PyTorch's comma stays.
std::string given(const Call& call) {
    std::string text;
    for (std::size_t i = call.first(); i < call.count; ++i) text += (text.empty() ? "" : ", ") + typeName(call.args[i]);
    for (const Py_ssize_t k : keywordOrder(call))
        text += (text.empty() ? "" : ", ") + call.keyword(k) + "=" + typeName(call.keywordValue(k));
    // With keywords only there is a comma too much in PyTorch's text.
    return call.count == call.first() && !text.empty() ? text + ", " : text;
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

/// What is wrong with a call of the only form there is. Leaves no error where it finds nothing.
void refuseSingle(const Definition& definition, const Signature& s, const Call& call) {
    const std::string name = definition.shownName + "()";
    const std::size_t first = call.first();
    const bool oneByOne =
        s.takesOneByOne(call.method, call.count) &&
        (s.params[static_cast<std::size_t>(s.varargs)].type == Type::Ints ? isIntLike(call.args[s.varargs])
                                                                          : isTensor(call.args[s.varargs]));
    if (call.count > s.positional && !s.takesOneByOne(call.method, call.count)) {
        const bool takesNothing = s.params.size() == (s.out >= 0 ? 2u : 1u);
        if (call.method && s.positional == 1 && takesNothing) {
            PyErr_Format(PyExc_TypeError, "_TensorBase.%s takes no arguments (%zu given)", name.c_str(),
                         call.count - 1);
            return;
        }
        const std::size_t most = s.positional - first;
        PyErr_Format(PyExc_TypeError, "%s takes %zu positional argument%s but %zu %s given", name.c_str(), most,
                     most == 1 ? "" : "s", call.count - first, call.count - first == 1 ? "was" : "were");
        return;
    }
    // A sequence where elements could stand one by one, and more behind it.
    if (!oneByOne && call.count > s.positional && isSequence(call.args[s.varargs])) {
        if (s.params[static_cast<std::size_t>(s.varargs)].type == Type::Tensors)
            PyErr_Format(PyExc_TypeError, "expected Tensor as element 0 in argument %d, but got %s",
                         s.varargs - static_cast<int>(first), typeName(call.args[s.varargs]).c_str());
        else
            PyErr_Format(PyExc_TypeError, "%s takes %zu positional argument but %zu were given", name.c_str(),
                         s.positional - first, call.count - first);
        return;
    }
    for (std::size_t i = 0; i < std::min(call.count, s.positional); ++i) {
        const Param& param = s.params[i];
        if (oneByOne && static_cast<int>(i) >= s.varargs) break;
        if (accepts(param, call.args[i])) continue;
        PyErr_Format(PyExc_TypeError, "%s: argument '%s' (position %zu) must be %s, not %s", name.c_str(),
                     param.name.c_str(), i + 1 - first, shownType(param.type), typeName(call.args[i]).c_str());
        return;
    }
    // A method of nothing but the tensor is another kind of function there.
    if (call.method && call.keywordCount() > 0 && s.params.size() == (s.out >= 0 ? 2u : 1u)) {
        PyErr_Format(PyExc_TypeError, "_TensorBase.%s takes no keyword arguments", name.c_str());
        return;
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
    if (count > 0) {
        // The odd plural is PyTorch's.
        PyErr_Format(PyExc_TypeError, "%s missing %d required positional argument%s: %s", name.c_str(), count,
                     count == 1 ? "s" : "", missing.c_str());
        return;
    }
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k) {
        const int place = findParam(s, PyTuple_GET_ITEM(call.keywords, k));
        if (place < 0 || (call.method && place == s.out)) {
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
}

/// How many parameters PyTorch counts in `shown`: what stands between its commas, the star included, and one in "()".
std::size_t countShown(std::string_view shown) {
    std::size_t count = 1;
    for (std::size_t at = shown.find(", "); at != shown.npos; at = shown.find(", ", at + 2)) ++count;
    return count;
}

/// "(!str!, int)" for an overload of just as many parameters as arguments came; empty for the others, as in PyTorch.
std::string mismatch(const Signature& s, const Call& call) {
    const std::size_t all = call.count - call.first() + static_cast<std::size_t>(call.keywordCount());
    if (all != countShown(s.shown(call.method))) return "";
    std::string wrongNames;
    for (const Py_ssize_t k : keywordOrder(call)) {
        const int place = findParam(s, PyTuple_GET_ITEM(call.keywords, k));
        if (place < 0 || static_cast<std::size_t>(place) < call.count || (call.method && place == s.out))
            wrongNames += (wrongNames.empty() ? "" : ", ") + call.keyword(k);
    }
    if (!wrongNames.empty()) return "didn't match because some of the keywords were incorrect: " + wrongNames;
    std::string text;
    const auto add = [&](bool fits, PyObject* value, const std::string& prefix) {
        const std::string type = prefix + typeName(value);
        text += (text.empty() ? "" : ", ") + (fits ? type : "!" + type + "!");
    };
    for (std::size_t i = call.first(); i < call.count; ++i)
        add(i < s.positional && accepts(s.params[i], call.args[i]), call.args[i], "");
    for (std::size_t i = call.count; i < s.params.size(); ++i)
        for (Py_ssize_t k = 0; k < call.keywordCount(); ++k)
            if (findParam(s, PyTuple_GET_ITEM(call.keywords, k)) == static_cast<int>(i))
                add(accepts(s.params[i], call.keywordValue(k)), call.keywordValue(k), call.keyword(k) + "=");
    return "didn't match because some of the arguments have invalid types: (" + text + ")";
}

/// PyTorch has a second form of what makes a tensor of a size: the one with names for the dims, which must be given.
bool takesNamesOfDims(const Signature& s) {
    return s.names >= 0 && !s.params.empty() && s.params[0].name == "size";
}

/// The lines of a message for one form: those of what draws numbers stand there with and without a generator.
std::vector<std::string> linesOf(const Signature& s, bool method) {
    if (!takesNamesOfDims(s)) return {s.shown(method)};
    const std::string named = s.shown(method, true), plain = s.shown(method);
    const std::string generator = "torch.Generator generator, ";
    const auto without = [&](std::string text) { return text.erase(text.find(generator), generator.size()); };
    if (named.find(generator) == std::string::npos) return {named, plain};
    return {named, plain, without(plain), without(named)};
}

/// The overloads that messages offer, one for a tensor and one for a number where PyTorch has both.
std::vector<Signature> formsOf(const Definition& definition, bool method) {
    std::vector<Signature> forms;
    for (const Signature& s : definition.signatures) {
        if (s.hidden || (method && s.params[0].type != Type::Tensor)) continue;
        const bool two = std::any_of(s.params.begin(), s.params.end(), [](const Param& p) { return p.twoForms; });
        for (const Type type : {Type::Tensor, Type::Scalar}) {
            if (!two && type == Type::Scalar) break;
            forms.push_back(s);
            for (Param& p : forms.back().params)
                if (p.twoForms) p.type = type;
        }
    }
    return forms;
}

/// PyTorch has a second form of these functions, in which dims are names. There are no names here.
bool takesDimNames(const Definition& definition) {
    static constexpr std::string_view kNames[] = {
        "all",          "any",       "argsort",    "cat",        "concat",       "concatenate", "cummax",
        "cummin",       "cumprod",   "cumprod_",   "cumsum",     "cumsum_",      "diagonal",    "flatten",
        "gather",       "index_add", "index_copy", "index_fill", "index_select", "kthvalue",    "log_softmax",
        "logcumsumexp", "logsumexp", "max",        "mean",       "median",       "min",         "mode",
        "nanmedian",    "norm",      "prod",       "scatter",    "scatter_add",  "select",      "size",
        "softmax",      "sort",      "squeeze",    "std",        "std_mean",     "stride",      "sum",
        "transpose",    "unbind",    "unflatten",  "var",        "var_mean",     "squeeze_",    "index_fill_",
        "index_copy_"};
    return std::find(std::begin(kNames), std::end(kNames), definition.name) != std::end(kNames);
}

std::size_t givenCount(const Call& call) {
    return call.count + static_cast<std::size_t>(call.keywordCount());
}
std::size_t requiredOf(const Signature& s) {
    return static_cast<std::size_t>(
        std::count_if(s.params.begin(), s.params.end(), [](const Param& p) { return p.required; }));
}

/// Can a call of so many arguments be one of this form; `byName`: of the one that has a dim and takes its name?
bool fitsByNumber(const Signature& s, const Call& call, bool byName = false) {
    const std::size_t all = call.count + static_cast<std::size_t>(call.keywordCount());
    std::size_t required = 0;
    bool dims = false;
    for (const Param& p : s.params) {
        const bool dim =
            p.name.starts_with("dim") && (p.type == Type::Int || p.type == Type::IntOrInts || p.type == Type::Ints);
        dims = dims || dim;
        required += p.required || (dim && byName);
    }
    if (byName && !dims) return false;
    return all >= required && all <= s.params.size() - (call.method && s.out >= 0 ? 1 : 0);
}

bool isNames(PyObject* object) {
    return PyUnicode_Check(object) || (isSequence(object) && PySequence_Fast_GET_SIZE(object) > 0 &&
                                       PyUnicode_Check(PySequence_Fast_GET_ITEM(object, 0)));
}

/// The name given for a dim, where the call would fit `s` but for that; null where it would not.
PyObject* nameInCall(const Signature& s, const Call& call) {
    if (call.count > s.positional) return nullptr;
    PyObject* name = nullptr;
    bool number = false; // the other of two dims
    std::vector<bool> filled(s.params.size(), false);
    const auto fits = [&](std::size_t i, PyObject* value) {
        const Param& p = s.params[i];
        const bool dim = (p.name.starts_with("dim") && p.name != "dims") &&
                         (p.type == Type::Int || p.type == Type::IntOrInts || p.type == Type::Ints);
        filled[i] = true;
        if (!dim || !isNames(value)) {
            number = number || dim;
            return accepts(p, value);
        }
        name = PyUnicode_Check(value) ? value : PySequence_Fast_GET_ITEM(value, 0);
        return true;
    };
    for (std::size_t i = 0; i < call.count; ++i)
        if (!fits(i, call.args[i])) return nullptr;
    for (Py_ssize_t k = 0; k < call.keywordCount(); ++k) {
        const int place = findParam(s, PyTuple_GET_ITEM(call.keywords, k));
        if (place < 0 || filled[static_cast<std::size_t>(place)] || (call.method && place == s.out)) return nullptr;
        if (!fits(static_cast<std::size_t>(place), call.keywordValue(k))) return nullptr;
    }
    for (std::size_t i = 0; i < s.params.size(); ++i)
        if (s.params[i].required && !filled[i]) return nullptr;
    return number ? nullptr : name;
}

/// PyTorch finds no name where no dim has one, and refuses names of dims here and there before it looks.
bool refuseDimName(const Definition& definition, const Call& call) {
    static constexpr std::string_view kWithoutNames[] = {"all",          "any",       "argsort",     "sort",
                                                         "gather",       "index_add", "index_copy",  "index_copy_",
                                                         "index_select", "scatter",   "scatter_add", "squeeze_"};
    // Their forms for names take more than a name.
    static constexpr std::string_view kOther[] = {"diagonal", "flatten", "unflatten"};
    const auto isIn = [&](const auto& list) {
        return std::find(std::begin(list), std::end(list), definition.name) != std::end(list);
    };
    if (!takesDimNames(definition) || isIn(kOther)) return false;
    for (const Signature& s : definition.signatures) {
        PyObject* found = nameInCall(s, call);
        if (!found) continue;
        const std::string name(textOf(found));
        const auto wordLike = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        std::string message;
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ||
            !std::all_of(name.begin(), name.end(), wordLike)) {
            message = "Invalid name: a valid identifier contains only digits, alphabetical characters, and/or "
                      "underscore and starts with a non-digit. got: '" +
                      name + "'.";
        } else if (isIn(kWithoutNames)) {
            std::string function = definition.name;
            if (function.back() == '_') function.pop_back();
            message = function + ": You passed a dimname (string) to this op in place of a dimension index but it does "
                                 "not yet support this behavior. Please pass a dimension index to work around this.";
        } else {
            PyObject* first = call.count > 0 ? call.args[0] : call.keywordValue(0);
            if (isSequence(first) && PySequence_Fast_GET_SIZE(first) > 0) first = PySequence_Fast_GET_ITEM(first, 0);
            message = "Name '" + name + "' not found in Tensor[";
            for (Index d = 0; isTensor(first) && d < tensorOf(first).dim(); ++d) message += d ? ", None" : "None";
            message += "].";
        }
        PyErr_SetString(PyExc_RuntimeError, message.c_str());
        return true;
    }
    return false;
}

} // namespace

void warnOfOldForm(const Definition& definition, const Signature& used, bool method) {
    const std::string start = "\n\t" + definition.name;
    Signature old = used;
    for (Param& p : old.params)
        if (p.type == Type::TensorOrScalar) p.type = Type::Tensor;
    std::string text = "This overload of " + definition.name + " is deprecated:" + start + old.shown(method) +
                       "\nConsider using one of the following signatures instead:";
    if (const std::vector<Signature> forms = formsOf(definition, method); !forms.empty())
        text += start + forms.front().shown(method);
    warnOf(text.c_str());
}

void refuseCall(const Definition& definition, bool method, PyObject* const* args, std::size_t count,
                PyObject* keywords) {
    const Call call{args, count, keywords, method};
    if (refuseDimName(definition, call)) return;
    for (const Signature& s : definition.signatures)
        if (refuseListElement(definition, s, call)) return;
    const std::vector<Signature> forms = formsOf(definition, method);
    const std::size_t old =
        static_cast<std::size_t>(std::count_if(definition.signatures.begin(), definition.signatures.end(),
                                               [](const Signature& s) { return s.hidden && s.counts; }));
    const bool named = takesDimNames(definition);
    const bool namesDims = forms.size() == 1 && takesNamesOfDims(forms[0]);
    if (forms.size() == 1 && old == 0 && !named && !namesDims) {
        refuseSingle(definition, forms[0], call);
        if (PyErr_Occurred()) return;
    }
    // As PyTorch: where the number of arguments leaves one form only, that one says what is wrong.
    const Signature* only = nullptr;
    std::size_t plausible = 0;
    for (const Signature& s : forms) {
        if (!fitsByNumber(s, call)) continue;
        const bool both = (named && fitsByNumber(s, call, true)) || (namesDims && givenCount(call) > requiredOf(s));
        plausible += both ? 2 : 1; // the names of dims have no default
        only = &s;
    }
    if (plausible == 1) {
        refuseSingle(definition, *only, call);
        if (PyErr_Occurred()) return;
    }
    const bool single = forms.size() == 1 && !named && !namesDims;
    std::string text = definition.shownName + "() received an invalid combination of arguments - got (" + given(call) +
                       "), but expected " + (single ? "" : "one of:\n");
    for (const Signature& s : forms) {
        for (const std::string& line : linesOf(s, method)) text += (single ? "" : " * ") + line + "\n";
        if (namesDims) continue;
        if (const std::string why = mismatch(s, call); !why.empty()) text += "      " + why + "\n";
    }
    if (single) text.pop_back(); // PyTorch's list of forms ends its last line, its only form does not
    PyErr_SetString(PyExc_TypeError, text.c_str());
}

} // namespace stridescope::python
