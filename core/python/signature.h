#pragma once
// What a function takes, read once from PyTorch's own notation:
//
//     "narrow(Tensor input, int dim, int start, int length)"
//     "sum(Tensor input, int[1]? dim, bool keepdim=False, *, dtype? dtype=None)"
//
// Types: Tensor, int, float, Scalar, bool, str, dtype, device, layout, memory_format, Generator, object;
// int[] and Tensor[] (sequences; of ints also one by one where a function takes nothing else by place, and a method
// nothing besides the tensor: x.view(2, 3)); Tensor... (tensors one by one, or a sequence of them), Tensor*... (one by
// one only); int[1] (a number or a sequence); Tensor|Scalar (either), Tensor|Number (either, and messages name one form
// for each), int|str, Scalar|str. "?" allows None. A "-> 2" at the end tells how many tensors `out` takes (one, where
// nothing is said), and
// "-> 0" that this form has no `out`, "-> n" that it takes as many as there are results, and that None is returned.
// A leading "~" hides a form of PyTorch's first years from messages, "+" one that is no overload there (numbers that
// stand for tensors). Behind it, a leading "." makes a method only, ":" a function only; a
// Tensor as the first parameter makes both, anything else a function only. The names that NumPy gives are understood
// beside PyTorch's: axis, keepdims, x.

#include "core/index.h"
#include "core/python/python.h"

#include <string>
#include <vector>

namespace stridescope::python {

class Args;
using Handler = PyObject* (*)(Args& a);

enum class Type : std::uint8_t {
    Tensor,
    Tensors,
    Int,
    Ints,
    IntOrInts,
    Float,
    Scalar,
    Bool,
    Str,
    DType,
    Device,
    Layout,
    MemoryFormat,
    Generator,
    Object,
    TensorOrScalar,
    IntOrStr,
    ScalarOrStr,
    Out,  ///< a tensor
    Outs, ///< a sequence of them
};

struct Param {
    std::string name;
    PyObject* key = nullptr; ///< the name as an interned str
    Type type = Type::Tensor;
    bool optional = false; ///< None is allowed
    bool required = true;
    bool keywordOnly = false;
    bool oneByOne = false; ///< of a sequence: its elements may be given as arguments
    bool listless = false; ///< and not otherwise
    bool twoForms = false; ///< PyTorch has an overload for a tensor and one for a number
    std::string defaultText;
    // The default as what the type says.
    Index number = 0;
    double real = 0;
    bool truth = false;
    std::string text;
};

struct Signature {
    std::string function; ///< its name in messages
    std::vector<Param> params;
    std::size_t positional = 0;           ///< parameters that can be given by place
    std::size_t required = 0;             ///< of those, how many must be
    bool needsKeyword = false;            ///< an argument that must be given, and by name
    int varargs = -1;                     ///< the parameter that takes numbers one by one
    int out = -1, dtype = -1, names = -1; ///< places of the parameters of these names
    int outs = 1;                         ///< tensors that `out` takes; -1: any number
    bool hidden = false;                  ///< an old form that works, and that messages do not offer
    bool counts = true;                   ///< as an overload when messages are chosen
    Index longFrom = 0;                   ///< elements from which on it gives the interpreter's lock away; 0: never
    bool makes = false;                   ///< its numbers say how many elements there will be
    Handler handler = nullptr;
    Handler direct = nullptr; ///< writes straight to `out`; see Entry

    /// "(Tensor input, int dim, *, Tensor out)" as PyTorch's messages show it; a method leaves the first one out.
    /// `namesDims`: the form in which dims get names, which is another function there; it has no `out`.
    std::string shown(bool method, bool namesDims = false) const { return written(method, namesDims, false); }
    /// "(Tensor input, int dim=0, *, Tensor out=None)": the same with what is taken for arguments that are left out.
    std::string documented() const { return written(false, false, true); }
    /// The place from which arguments are elements of a sequence, when `count` were given of which that one is `at`.
    bool takesOneByOne(bool method, std::size_t count) const {
        return varargs >= 0 && count > static_cast<std::size_t>(varargs) && (method || varargs == 0);
    }

private:
    std::string written(bool method, bool namesDims, bool defaults) const;
};

enum class Where : std::uint8_t { Both, Function, Method };

/// What `text` says about the function of that name. A wrong text is a programming error and ends in std::logic_error.
struct ParsedEntry {
    std::string name;
    Where where = Where::Both;
    Signature signature;
};
ParsedEntry parseSignature(std::string_view text, Handler handler, Handler direct = nullptr);

/// "int", "tuple of ints", "torch.dtype": as messages name a type.
const char* shownType(Type type);
/// "int", "Sequence[int]", "Optional[int]": as stubs name it.
std::string stubType(const Param& param);

} // namespace stridescope::python
