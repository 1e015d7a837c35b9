#pragma once
// Functions and methods of the module: one callable type for all, filled from tables of signatures.
//
// Every operation is one entry: a signature in PyTorch's notation and what it does with the arguments. Entries of one
// name are its overloads, tried in order. torch.narrow and Tensor.narrow are two objects over one definition, which
// differ in how messages count arguments. `out=` is added to everything that has it in core/ops/operation_table.h.

#include "core/ops/creation.h"
#include "core/ops/out.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reduction_types.h"
#include "core/python/convert.h"
#include "core/python/signature.h"
#include "core/python/tensor_object.h"
#include "core/python/unlocked.h"
#include "core/python/value_types.h"

#include <map>
#include <optional>

namespace stridescope::python {

inline constexpr std::size_t kMaxParams = Pinned::kPlaces;

/// The bound arguments of a call. Accessors take the place of a parameter in the signature; what was not given has its
/// default.
class Args {
public:
    Args(const Signature& signature, PyObject* const* values) : m_signature(signature), m_values(values) {}
    /// Where a list was given as numbers or tensors one by one.
    PyObject* const* extra = nullptr;
    std::size_t extraCount = 0;
    bool method = false; ///< messages do not count self
    /// Of a long operation: its tensors, which run() works on without the interpreter's lock. See unlocked.h.
    Pinned* pinned = nullptr;

    /// f(), without the interpreter's lock where the operation is long. `f` touches Python through this object only.
    template <class F>
    auto run(F f) const {
        const Released released(pinned);
        return f();
    }

    bool has(std::size_t i) const { return m_values[i] != nullptr; }
    PyObject* object(std::size_t i) const { return m_values[i]; }
    /// A new reference to the first argument, for what works in place.
    PyObject* self() const { return Py_NewRef(m_values[0]); }

    Tensor& tensor(std::size_t i) const { return pinned ? pinned->at(i) : tensorOf(m_values[i]); }
    std::optional<Tensor> optionalTensor(std::size_t i) const;
    std::vector<Tensor> tensors(std::size_t i) const;
    /// A tensor, or a number.
    MathInput input(std::size_t i) const { return isTensor(m_values[i]) ? MathInput(tensor(i)) : MathInput(scalar(i)); }
    /// The tensor given as `out`.
    Tensor& out() const { return tensorOf(m_values[m_signature.out]); }
    /// Its dtype, for what computes in that.
    std::optional<DType> outDType() const {
        PyObject* given = m_signature.out < 0 ? nullptr : m_values[m_signature.out];
        return given && isTensor(given) && tensorOf(given).defined() ? std::optional<DType>(tensorOf(given).dtype())
                                                                     : std::nullopt;
    }
    bool isTensorAt(std::size_t i) const { return m_values[i] && isTensor(m_values[i]); }

    Index index(std::size_t i) const {
        if (!m_values[i]) return m_signature.params[i].number;
        const Interpreter held(pinned);
        return toIndex(m_values[i]);
    }
    /// The step of a slice outside of brackets, which PyTorch refuses in words and a kind of its own.
    Index sliceStep(std::size_t i) const {
        const Index step = index(i);
        if (step < 1) raise(PyExc_RuntimeError, "slice step must be positive");
        return step;
    }
    std::optional<Index> optionalIndex(std::size_t i) const {
        return m_values[i] ? std::optional<Index>(index(i)) : std::nullopt;
    }
    Dims dims(std::size_t i) const;
    std::optional<Dims> optionalDims(std::size_t i) const {
        return given(i) ? std::optional<Dims>(dims(i)) : std::nullopt;
    }
    ReduceDims reduceDims(std::size_t i) const;
    double number(std::size_t i) const {
        if (!m_values[i]) return m_signature.params[i].real;
        const Interpreter held(pinned);
        return toDouble(m_values[i]);
    }
    std::optional<double> optionalNumber(std::size_t i) const {
        return m_values[i] ? std::optional<double>(number(i)) : std::nullopt;
    }
    Scalar scalar(std::size_t i) const;
    bool flag(std::size_t i) const { return m_values[i] ? m_values[i] == Py_True : m_signature.params[i].truth; }
    bool isText(std::size_t i) const { return m_values[i] && PyUnicode_Check(m_values[i]); }
    std::string text(std::size_t i) const {
        if (!m_values[i]) return m_signature.params[i].text;
        const Interpreter held(pinned);
        return std::string(textOf(m_values[i]));
    }
    Device device(std::size_t i) const {
        const Interpreter held(pinned);
        return toDevice(m_values[i]);
    }
    std::optional<DType> dtype(std::size_t i) const { return m_values[i] ? asDType(m_values[i]) : std::nullopt; }
    Generator& generator(std::size_t i) const;
    /// dtype, layout, device, pin_memory and requires_grad, which stand side by side from `first` on.
    TensorOptions options(std::size_t first) const;
    /// The same, and memory_format behind them where the signature has it.
    LikeOptions likeOptions(std::size_t first) const;
    MemoryFormat format(std::size_t i, MemoryFormat otherwise) const {
        return m_values[i] ? toMemoryFormat(m_values[i]) : otherwise;
    }

private:
    bool given(std::size_t i) const { return m_values[i] || (extra && static_cast<int>(i) == m_signature.varargs); }
    void requireDefaults(std::size_t first) const;

    const Signature& m_signature;
    PyObject* const* m_values;
};
/// What options() reads.
#define OPTIONS                                                                                                        \
    "dtype? dtype=None, layout? layout=None, device? device=None, bool pin_memory=False, bool requires_grad=False"
/// What PyTorch's functions with named dims take besides; anything but None is refused.
#define NAMES "object? names=None"

struct Definition {
    std::string name;      ///< as Python knows it; "linalg.solve"
    std::string operation; ///< its name in the operation table; for second names that of the first
    std::string shownName; ///< in messages: "linalg_solve" as PyTorch has it
    std::vector<Signature> signatures;
    Where where = Where::Both;
    OutRule out = OutRule::None;
    bool ownDType = false; ///< its dtype argument is not that of `out` where none is given
    bool views = false;    ///< gives another view: what it gives must be inside its storage, not what it is given
    std::string doc;
};

struct Entry {
    const char* signature;
    Handler handler;
    /// The same written straight to `out`, without a result in between. Taken only where `out` and all tensors have one
    /// shape and one floating dtype, and share no memory unless they are the same view. Gives nothing back.
    Handler direct = nullptr;
};
struct Alias {
    const char* name;
    const char* of;
};

/// All definitions, made from the tables once.
const std::map<std::string, Definition>& definitions();
/// Adds the types of functions, and the functions to `module` (names with a dot in `module._functions`) and to Tensor.
void addFunctions(PyObject* module);

// --- Results ------------------------------------------------------------------------------------------------------
inline PyObject* wrap(bool value) {
    return PyBool_FromLong(value);
}
inline PyObject* wrap(Index value) {
    return PyLong_FromLongLong(value);
}
/// The first argument itself where `result` is just that, as PyTorch's contiguous(), to() and cpu() give it.
PyObject* sameOrNew(const Args& a, Tensor&& result);
/// A tuple whose items have names: torch.return_types.max.
PyObject* named(const char* type, std::initializer_list<const char*> fields, std::vector<Tensor>&& values);
inline PyObject* named(const char* type, ValuesAndIndices result) {
    return named(type, {"values", "indices"}, {std::move(result.values), std::move(result.indices)});
}
/// The types made by `named` so far, as a dict by name.
PyObject* returnTypes();

// --- Refused calls (call_errors.cpp) --------------------------------------------------------------------------------
/// PyTorch's warning for an order of arguments from its first years. @throws PythonError where warnings are errors.
void warnOfOldForm(const Definition& definition, const Signature& used, bool method);
/// Sets PyTorch's TypeError for arguments that no overload takes.
void refuseCall(const Definition& definition, bool method, PyObject* const* args, std::size_t count,
                PyObject* keywords);
bool accepts(const Param& param, PyObject* object);
/// The parameter that keyword `key` means, or -1.
int findParam(const Signature& signature, PyObject* key);

// NOLINTBEGIN(bugprone-macro-parentheses)
/// What an operation computes, apart from how its result becomes an object of Python.
#define RUN(expression) a.run([&] { return expression; })
/// A function whose result is wrapped.
#define FN(signature, expression)                                                                                      \
    Entry {                                                                                                            \
        signature, []([[maybe_unused]] Args& a) -> PyObject* { return wrap(RUN(expression)); }                         \
    }
/// The same with a way to write straight to `out`.
#define FN_OUT(signature, expression, outExpression)                                                                   \
    Entry {                                                                                                            \
        signature, [](Args& a) -> PyObject* { return wrap(RUN(expression)); }, [](Args& a) -> PyObject* {              \
            outExpression;                                                                                             \
            return nullptr;                                                                                            \
        }                                                                                                              \
    }
/// A function that makes its Python object itself.
#define PY(signature, expression)                                                                                      \
    Entry {                                                                                                            \
        signature, []([[maybe_unused]] Args& a) -> PyObject* { return expression; }                                    \
    }
/// A function that may give its first argument back.
#define SAME(signature, expression)                                                                                    \
    Entry {                                                                                                            \
        signature, [](Args& a) -> PyObject* { return sameOrNew(a, RUN(expression)); }                                  \
    }
/// Something done in place: gives the first argument back.
#define IN(signature, expression)                                                                                      \
    Entry {                                                                                                            \
        signature, [](Args& a) -> PyObject* {                                                                          \
            a.run([&] { expression; });                                                                                \
            return a.self();                                                                                           \
        }                                                                                                              \
    }
// NOLINTEND(bugprone-macro-parentheses)

namespace tables {
// One file each.
std::vector<Entry> creation();
std::vector<Entry> random();
std::vector<Entry> views();
std::vector<Entry> viewCopies();
std::vector<Entry> copies();
std::vector<Entry> joining();
std::vector<Entry> indexing();
std::vector<Entry> pointwise();
std::vector<Entry> mathematics();
std::vector<Entry> activations();
std::vector<Entry> specialFunctions();
std::vector<Entry> reductions();
std::vector<Entry> sorting();
std::vector<Entry> products();
std::vector<Entry> linearAlgebra();
std::vector<Entry> fourier();
std::vector<Entry> complexNumbers();
std::vector<Entry> images();
std::vector<Entry> files();
std::vector<Entry> settings();
std::vector<Entry> devices();
std::vector<Alias> aliases();
} // namespace tables

} // namespace stridescope::python
