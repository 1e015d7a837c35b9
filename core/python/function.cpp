#include "core/python/function.h"

#include "core/ops/operation_table.h"
#include "core/python/bound_method.h"
#include "core/python/refused_call.h"

#include <algorithm>
#include <cmath>
#include <structmember.h>

namespace stridescope::python {

namespace {

struct FunctionObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    const Definition* definition;
    bool method;
};

const FunctionObject& functionOf(PyObject* object) {
    return *reinterpret_cast<FunctionObject*>(object);
}

// --- Binding
// ----------------------------------------------------------------------------------------------------------

/// What was given beyond the places, as numbers one by one.
struct Extra {
    PyObject* const* first = nullptr;
    std::size_t count = 0;
};

/// The arguments by parameter, or false. May leave a Python error that ends the search for an overload.
bool bind(const Signature& s, bool method, PyObject* const* args, std::size_t count, PyObject* keywords,
          PyObject** values, Extra& extra) {
    const std::size_t params = s.params.size();
    std::size_t placed = count;
    if (s.takesOneByOne(method, count)) {
        const auto at = static_cast<std::size_t>(s.varargs);
        PyObject* first = args[at];
        const bool single =
            s.params[at].listless || (s.params[at].type == Type::Tensors ? isTensor(first) : isIntLike(first));
        if (single) {
            extra = {args + at, count - at};
            placed = at;
            values[at] = nullptr;
        } else if (count > at + 1) {
            return false;
        }
    } else if (count > s.positional) {
        return false;
    }
    for (std::size_t i = 0; i < placed; ++i) {
        PyObject* value = args[i];
        if (!accepts(s.params[i], value)) return false;
        values[i] = value == Py_None && s.params[i].type != Type::Object ? nullptr : value;
    }
    const std::size_t filled = extra.first ? placed + 1 : placed;
    for (std::size_t i = filled; i < params; ++i) values[i] = nullptr;
    if (!keywords) {
        return filled >= s.required && !s.needsKeyword && (!s.params.empty() || count == 0);
    }
    std::uint32_t named = 0;
    const Py_ssize_t names = PyTuple_GET_SIZE(keywords);
    for (Py_ssize_t k = 0; k < names; ++k) {
        const int place = findParam(s, PyTuple_GET_ITEM(keywords, k));
        if (place < 0 || static_cast<std::size_t>(place) < filled || (named >> place & 1u)) return false;
        if (method && place == s.out) return false; // PyTorch's methods have none
        named |= 1u << place;
        const auto at = static_cast<std::size_t>(place);
        PyObject* value = args[count + static_cast<std::size_t>(k)];
        if (!accepts(s.params[at], value)) return false;
        values[at] = value == Py_None && s.params[at].type != Type::Object ? nullptr : value;
    }
    for (std::size_t i = filled; i < params; ++i)
        if (s.params[i].required && !(named >> i & 1u)) return false;
    return true;
}

// --- out=
// ---------------------------------------------------------------------------------------------------------------

std::vector<Tensor> tensorsOf(PyObject* result) {
    std::vector<Tensor> tensors;
    if (isTensor(result)) {
        tensors.push_back(tensorOf(result));
        return tensors;
    }
    for (Py_ssize_t i = 0; PyTuple_Check(result) && i < PyTuple_GET_SIZE(result); ++i)
        if (isTensor(PyTuple_GET_ITEM(result, i))) tensors.push_back(tensorOf(PyTuple_GET_ITEM(result, i)));
    return tensors;
}

/// May the entry write straight to `out`? See Entry::direct.
bool fitsDirectly(const Signature& s, PyObject* const* values) {
    if (!isTensor(values[s.out])) return false;
    const Tensor& out = tensorOf(values[s.out]);
    if (!out.defined() || !isFloating(out.dtype()) || !out.device().isCpu()) return false;
    for (std::size_t i = 0; i < s.positional; ++i) {
        if (!values[i] || !isTensor(values[i])) return false;
        const Tensor& t = tensorOf(values[i]);
        if (!t.defined() || t.dtype() != out.dtype() || !(t.shape() == out.shape())) return false;
        if (t.storage() == out.storage() && !(t.view() == out.view())) return false;
    }
    for (std::size_t i = s.positional; i < s.params.size(); ++i)
        if (values[i] && static_cast<int>(i) != s.out) return false;
    return true;
}

/// The tensors among the arguments, but for `out`.
std::vector<const Tensor*> tensorsGiven(const Signature& s, const Args& args, PyObject* const* values) {
    std::vector<const Tensor*> tensors;
    const auto add = [&](PyObject* object) {
        if (object && isTensor(object)) tensors.push_back(&tensorOf(object));
    };
    for (std::size_t i = 0; i < s.params.size(); ++i) {
        if (static_cast<int>(i) == s.out || !values[i]) continue;
        add(values[i]);
        if (s.params[i].type != Type::Tensors) continue;
        for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(values[i]); ++k)
            add(PySequence_Fast_GET_ITEM(values[i], k));
    }
    for (std::size_t k = 0; k < args.extraCount; ++k) add(args.extra[k]);
    return tensors;
}

PyObject* callWithOut(const Definition& definition, const Signature& s, Args& args, PyObject** values) {
    const auto place = static_cast<std::size_t>(s.out);
    PyObject* given = values[place];
    if (s.direct && fitsDirectly(s, values)) {
        s.direct(args);
        return Py_NewRef(given);
    }
    std::vector<Tensor*> outs;
    Ref items = Ref::take(isTensor(given) ? PyTuple_Pack(1, given) : PySequence_Tuple(given));
    if (s.outs > 0 && PyTuple_GET_SIZE(items.get()) != s.outs)
        raise(PyExc_TypeError, "expected tuple of " + std::to_string(s.outs) + " elements but got " +
                                   std::to_string(PyTuple_GET_SIZE(items.get())));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i) {
        PyObject* item = PyTuple_GET_ITEM(items.get(), i);
        if (!isTensor(item))
            raise(PyExc_TypeError, "expected Tensor as element " + std::to_string(i) + " in argument " +
                                       std::to_string(s.out) + ", but got " + typeName(item));
        outs.push_back(&tensorOf(item));
    }
    // What is asked for in the dtype of `out` need not be rounded twice. PyTorch finds no mean and no norm of integers
    // that way.
    const bool wholeNumbers =
        args.isTensorAt(0) && !isFloating(args.tensor(0).dtype()) && !isComplex(args.tensor(0).dtype());
    const bool fixedDType =
        definition.ownDType || (wholeNumbers && (definition.operation == "mean" || definition.operation == "norm"));
    if (!fixedDType && s.dtype >= 0 && !values[s.dtype] && outs.size() == 1 && outs[0]->defined())
        values[s.dtype] = dtypeObject(outs[0]->dtype());
    PyTypeObject* resultType = nullptr;
    const std::vector<const Tensor*> inputs = tensorsGiven(s, args, values);
    writeOut(
        definition.operation, definition.out, outs,
        [&] {
            Ref result = Ref::take(s.handler(args));
            if (!PyTuple_CheckExact(result.get()) && PyTuple_Check(result.get())) resultType = Py_TYPE(result.get());
            return tensorsOf(result.get());
        },
        inputs);
    if (s.outs < 0) return Py_NewRef(Py_None);
    if (isTensor(given)) return Py_NewRef(given);
    if (!resultType) return items.release();
    Ref result = Ref::take(PyStructSequence_New(resultType));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i)
        PyStructSequence_SET_ITEM(result.get(), i, Py_NewRef(PyTuple_GET_ITEM(items.get(), i)));
    return result.release();
}

// --- Storages that have shrunk
// ---------------------------------------------------------------------------------------------------------------

void requireAllInside(const Signature& s, const Args& args, PyObject* const* values) {
    for (const Tensor* t : tensorsGiven(s, args, values)) requireInside(*t);
    if (s.out >= 0 && values[s.out] && isTensor(values[s.out])) requireInside(tensorOf(values[s.out]));
}

/// `result` of a view operation, unless it reaches beyond its storage.
PyObject* inside(const Args& args, PyObject* result) {
    Ref owned = Ref::take(result);
    if (args.isTensorAt(0))
        for (const Tensor& t : tensorsOf(result)) requireInsideAfter(args.tensor(0), t);
    return owned.release();
}

// --- Long operations
// ---------------------------------------------------------------------------------------------------------------

/// About how many elements the operation goes through, judged by what it is given.
double workOf(const Signature& s, const Args& args, PyObject* const* values) {
    double work = 0;
    const Tensor* first = nullptr;
    const auto addTensor = [&](PyObject* object, bool together) {
        const Tensor& t = tensorOf(object);
        const auto count = static_cast<double>(t.numel());
        // Of two shapes come their product, of matrices, or what they broadcast to, which is not more.
        if (!first || together)
            work += count;
        else if (!(first->shape() == t.shape()))
            work *= std::max(count, 1.0);
        first = &t;
    };
    const auto addSize = [&](PyObject* object) {
        if (PyLong_CheckExact(object)) work = std::max(work, 1.0) * std::abs(PyLong_AsDouble(object));
        PyErr_Clear();
    };
    for (std::size_t i = 0; i < s.params.size(); ++i) {
        PyObject* value = values[i];
        if (!value) continue;
        const Type type = s.params[i].type;
        if (isTensor(value)) {
            addTensor(value, false);
        } else if (type == Type::Tensors) {
            for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(value); ++k)
                if (isTensor(PySequence_Fast_GET_ITEM(value, k))) addTensor(PySequence_Fast_GET_ITEM(value, k), true);
        } else if (s.makes && (type == Type::Int || type == Type::Scalar)) {
            addSize(value);
        } else if (s.makes && (PyTuple_Check(value) || PyList_Check(value))) {
            for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(value); ++k)
                addSize(PySequence_Fast_GET_ITEM(value, k));
        }
    }
    for (std::size_t k = 0; k < args.extraCount; ++k) {
        if (isTensor(args.extra[k]))
            addTensor(args.extra[k], true);
        else if (s.makes)
            addSize(args.extra[k]);
    }
    return work;
}

/// The tensors of a call as they are now, for an operation that does without the interpreter's lock.
void pin(const Signature& s, Args& args, PyObject* const* values, Pinned& pinned) {
    for (std::size_t i = 0; i < s.params.size(); ++i)
        if (values[i] && isTensor(values[i])) pinned.put(i, tensorOf(values[i]));
    for (const Tensor* t : tensorsGiven(s, args, values)) pinned.lend(*t);
    args.pinned = &pinned;
}

// --- Calling
// --------------------------------------------------------------------------------------------------------------

PyObject* callUnlocked(const Signature& s, Args& args, PyObject* const* values) {
    Pinned pinned;
    pin(s, args, values, pinned);
    return s.handler(args);
}

PyObject* call(PyObject* callable, PyObject* const* args, std::size_t flags, PyObject* keywords) {
    const FunctionObject& function = functionOf(callable);
    const Definition& definition = *function.definition;
    const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flags));
    if (keywords && PyTuple_GET_SIZE(keywords) == 0) keywords = nullptr;
    PyObject* const made = guarded([&]() -> PyObject* {
        if (function.method && (count == 0 || !isTensor(args[0]))) {
            PyErr_Format(PyExc_TypeError,
                         "descriptor '%s' for 'torch._C._TensorBase' objects doesn't apply to a '%s' object",
                         definition.name.c_str(), count ? Py_TYPE(args[0])->tp_name : "nothing");
            return nullptr;
        }
        PyObject* values[kMaxParams];
        for (const Signature& signature : definition.signatures) {
            Extra extra;
            if (!bind(signature, function.method, args, count, keywords, values, extra)) {
                if (PyErr_Occurred()) return nullptr;
                continue;
            }
            if (signature.hidden && signature.counts) [[unlikely]]
                warnOfOldForm(definition, signature, function.method);
            Args bound(signature, values);
            bound.extra = extra.first;
            bound.extraCount = extra.count;
            bound.method = function.method;
            const bool checked = Storage::anyShrunk();
            if (checked && !definition.views) requireAllInside(signature, bound, values);
            if (signature.out >= 0 && definition.out != OutRule::None && values[signature.out])
                return callWithOut(definition, signature, bound, values);
            if (signature.longFrom > 0 && workOf(signature, bound, values) >= static_cast<double>(signature.longFrom))
                [[unlikely]]
                return callUnlocked(signature, bound, values);
            PyObject* result = signature.handler(bound);
            return checked && definition.views ? inside(bound, result) : result;
        }
        refuseCall(definition, function.method, args, count, keywords);
        return nullptr;
    });
    if (!made && g_keepsRefused) [[unlikely]]
        keepRefused((function.method ? "." + definition.name : definition.name).c_str(), args, count, keywords);
    return made;
}

PyObject* getMethod(PyObject* self, PyObject* object, PyObject*) {
    return object && object != Py_None ? newBoundMethod(self, object) : Py_NewRef(self);
}
/// Of a function, which is no method of a class that it stands in; help() knows it by this for something that is
/// called.
PyObject* getFunction(PyObject* self, PyObject*, PyObject*) {
    return Py_NewRef(self);
}
PyObject* functionRepr(PyObject* self) {
    const FunctionObject& f = functionOf(self);
    const Definition& definition = *f.definition;
    if (f.method)
        return PyUnicode_FromFormat("<method '%s' of 'torch._C._TensorBase' objects>", definition.name.c_str());
    if (definition.name.find('.') != std::string::npos)
        return PyUnicode_FromFormat("<built-in function %s>", definition.shownName.c_str());
    return PyUnicode_FromFormat("<built-in method %s of type object at %p>", definition.name.c_str(),
                                static_cast<void*>(Py_TYPE(self)));
}
PyObject* functionName(PyObject* self, void*) {
    const std::string& name = functionOf(self).definition->name;
    return newText(std::string_view(name).substr(name.rfind('.') + 1));
}
PyObject* methodQualifiedName(PyObject* self, void*) {
    return PyUnicode_FromFormat("Tensor.%s", functionOf(self).definition->name.c_str());
}
PyObject* functionDoc(PyObject* self, void*) {
    return newText(functionOf(self).definition->doc);
}
PyObject* functionModule(PyObject*, void*) {
    return PyUnicode_FromString("stridescope");
}
PyObject* functionReduce(PyObject* self, PyObject*) {
    return functionOf(self).method ? methodQualifiedName(self, nullptr) : functionName(self, nullptr);
}
PyGetSetDef g_attributes[] = {
    {"__name__", functionName, nullptr, nullptr, nullptr}, {"__qualname__", functionName, nullptr, nullptr, nullptr},
    {"__doc__", functionDoc, nullptr, nullptr, nullptr},   {"__module__", functionModule, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef g_methods[] = {{"__reduce__", functionReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyGetSetDef g_methodAttributes[] = {
    {"__name__", functionName, nullptr, nullptr, nullptr},
    {"__qualname__", methodQualifiedName, nullptr, nullptr, nullptr},
    {"__doc__", functionDoc, nullptr, nullptr, nullptr},
    {"__module__", functionModule, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyTypeObject g_functionType = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject g_methodType = {PyVarObject_HEAD_INIT(nullptr, 0)};

PyObject* newFunction(const Definition& definition, bool method) {
    auto* object = PyObject_New(FunctionObject, method ? &g_methodType : &g_functionType);
    if (!object) throw PythonError{};
    object->vectorcall = call;
    object->definition = &definition;
    object->method = method;
    return reinterpret_cast<PyObject*>(object);
}

// --- Tables -> definitions
// --------------------------------------------------------------------------------------------

/// What help() shows below the signatures.
std::string describedBy(const Definition& definition, const Operation* operation) {
    if (!operation) {
        // add_: what add does.
        const std::string plain = definition.operation.substr(0, definition.operation.find_last_not_of('_') + 1);
        operation = plain == definition.operation ? nullptr : findOperation(plain);
        if (!operation) return "";
        return "As " + plain + "(), written to the tensor itself: " + std::string(operation->doc);
    }
    std::string text(operation->doc);
    if (!text.ends_with('.')) text += '.';
    if (operation->family == OpFamily::Outside || operation->family == OpFamily::Settings) return text;
    if (!operation->shapes.empty()) text += "\nShapes: " + std::string(operation->shapes);
    return text + "\nDtypes: " + dtypes::text(operation->dtypes) + ". Gives: " + std::string(title(operation->gives)) +
           ".";
}

void finish(Definition& definition) {
    const Operation* operation = findOperation(definition.operation);
    if (!operation) operation = findOperation("Tensor." + definition.operation);
    if (operation) {
        definition.out = operation->out;
        definition.ownDType = operation->outHabits.ownDType;
    }
    std::string doc;
    for (Signature& signature : definition.signatures) {
        signature.function = definition.shownName;
        // where(condition) is nonzero(as_tuple=True) and has no out.
        const bool oneOfMany = definition.name == "where" && signature.params.size() == 1;
        if (definition.out != OutRule::None && signature.out < 0 && !oneOfMany && signature.outs != 0) {
            Param out;
            out.name = "out";
            out.key = PyUnicode_InternFromString("out");
            out.type = signature.outs == 1 ? Type::Out : Type::Outs;
            out.optional = true;
            out.required = false;
            out.keywordOnly = true;
            out.defaultText = "None";
            signature.out = static_cast<int>(signature.params.size());
            signature.params.push_back(std::move(out));
        }
        if (signature.params.size() > kMaxParams) throw std::logic_error(definition.name + ": too many parameters");
        if (!signature.hidden) doc += definition.name + signature.documented() + "\n";
    }
    doc += "\n" + describedBy(definition, operation);
    definition.doc = doc;
}

std::map<std::string, Definition> collect() {
    std::map<std::string, Definition> all;
    struct Table {
        std::vector<Entry> entries;
        Index longFrom;
        bool views = false, makes = false;
    };
    for (const Table& table : {Table{tables::creation(), kLongSweep, false, true},
                               Table{tables::random(), kLongWork, false, true},
                               Table{tables::views(), 0, true},
                               Table{tables::copies(), kLongSweep},
                               Table{tables::joining(), kLongSweep},
                               Table{tables::viewCopies(), kLongSweep},
                               Table{tables::indexing(), kLongSweep},
                               Table{tables::pointwise(), kLongSweep},
                               Table{tables::activations(), kLongSweep},
                               Table{tables::mathematics(), kLongSweep},
                               Table{tables::specialFunctions(), kLongSweep},
                               Table{tables::reductions(), kLongSweep},
                               Table{tables::sorting(), kLongWork},
                               Table{tables::products(), kLongWork},
                               Table{tables::linearAlgebra(), kLongWork},
                               Table{tables::fourier(), kLongWork},
                               Table{tables::complexNumbers(), kLongSweep},
                               Table{tables::images(), kLongSweep},
                               Table{tables::files(), 0},
                               Table{tables::settings(), 0},
                               Table{tables::devices(), 0}}) {
        for (const Entry& entry : table.entries) {
            ParsedEntry parsed = parseSignature(entry.signature, entry.handler, entry.direct);
            // x.where(c, y) and torch.where(c, x, y) are two definitions of one name: "where" and ".where".
            std::string key = parsed.name;
            const auto found = all.find(key);
            // torch.pow(2, x) is an overload of a method: x.pow can never be called that way.
            const bool joins =
                found != all.end() && found->second.where == Where::Both && parsed.where == Where::Function;
            if (found != all.end() && found->second.where != parsed.where && !joins)
                key = (parsed.where == Where::Method ? "." : ":") + key;
            else if (found == all.end() && parsed.where == Where::Method)
                key = "." + key;
            Definition& definition = all[key];
            if (definition.name.empty()) {
                definition.name = definition.operation = parsed.name;
                definition.where = parsed.where;
                definition.views = table.views;
            }
            // Those that take any object; `names` is None only.
            bool takesObject = false;
            for (std::size_t i = 0; i < parsed.signature.params.size(); ++i)
                takesObject |=
                    parsed.signature.params[i].type == Type::Object && static_cast<int>(i) != parsed.signature.names;
            parsed.signature.longFrom = takesObject ? 0 : table.longFrom;
            parsed.signature.makes = table.makes;
            definition.signatures.push_back(std::move(parsed.signature));
        }
    }
    for (const Alias& alias : tables::aliases()) {
        auto found = all.find(alias.of);
        if (found == all.end()) found = all.find(std::string(".") + alias.of);
        if (found == all.end()) throw std::logic_error(std::string("no function ") + alias.of);
        Definition copy = found->second;
        copy.name = alias.name;
        // x.inverse() is there, though x.linalg.inv() is not.
        if (copy.operation.find('.') != std::string::npos && copy.name.find('.') == std::string::npos)
            copy.where = Where::Both;
        if (copy.name.find('.') != std::string::npos) copy.where = Where::Function;
        all[(copy.where == Where::Method ? "." : "") + copy.name] = std::move(copy);
    }
    for (auto& [key, definition] : all) {
        definition.shownName = definition.name;
        for (char& c : definition.shownName)
            if (c == '.') c = '_';
        finish(definition);
    }
    return all;
}

void readyType(PyTypeObject& type, const char* name, unsigned long flags) {
    type.tp_name = name;
    type.tp_basicsize = sizeof(FunctionObject);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | flags;
    type.tp_vectorcall_offset = offsetof(FunctionObject, vectorcall);
    type.tp_call = PyVectorcall_Call;
    type.tp_repr = functionRepr;
    const bool isMethod = (flags & Py_TPFLAGS_METHOD_DESCRIPTOR) != 0;
    type.tp_getset = isMethod ? g_methodAttributes : g_attributes;
    type.tp_methods = g_methods;
    type.tp_descr_get = isMethod ? getMethod : getFunction;
    if (PyType_Ready(&type) < 0) throw PythonError{};
}

} // namespace

const std::map<std::string, Definition>& definitions() {
    static const std::map<std::string, Definition> all = collect();
    return all;
}

void addFunctions(PyObject* module) {
    // The names that messages call PyTorch's by.
    readyType(g_functionType, "builtin_function_or_method", 0);
    readyType(g_methodType, "method_descriptor", Py_TPFLAGS_METHOD_DESCRIPTOR);
    readyBoundMethods();
    Ref dotted = Ref::take(PyDict_New());
    for (const auto& [key, definition] : definitions()) {
        if (definition.where != Where::Method) {
            Ref function = Ref::take(newFunction(definition, false));
            const bool hasDot = definition.name.find('.') != std::string::npos;
            const int bad = hasDot ? PyDict_SetItemString(dotted.get(), definition.name.c_str(), function.get())
                                   : PyModule_AddObjectRef(module, definition.name.c_str(), function.get());
            if (bad) throw PythonError{};
        }
        if (definition.where != Where::Function) {
            Ref method = Ref::take(newFunction(definition, true));
            if (PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensorType), definition.name.c_str(), method.get()) <
                0)
                throw PythonError{};
        }
    }
    if (PyModule_AddObjectRef(module, "_functions", dotted.get()) < 0) throw PythonError{};
}

} // namespace stridescope::python
