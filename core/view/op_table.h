#pragma once
// One table of all view operations by name: what they are called, what they take, what they cost, how to run them.
// The palette, the forms, the code lines and the tests read it, so that a new operation is one entry here.

#include "core/view/legal_ranges.h"
#include "core/view/view.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stridescope {

enum class ParamKind : std::uint8_t {
    Dim,          ///< a dim; negative counts from the right
    Int,          ///< a whole number
    OptionalInt,  ///< a whole number, or left out (a slice's ends, as_strided's offset)
    IntList,      ///< numbers: sizes, strides
    DimList,      ///< dims
    IntOrIntList, ///< split's size, or sizes
};

/// Left out (std::monostate: the default is taken), one number, or a list.
using OpArg = std::variant<std::monostate, Index, Dims>;
using OpArgs = std::vector<OpArg>;

struct OpParam {
    const char* name;
    ParamKind kind;
    bool required;
    OpArg standIn; ///< the default's value; monostate where leaving it out has a meaning of its own
    const char* doc;
};

enum class OpCost : std::uint8_t {
    View,       ///< always a view: no element moves
    ViewOrCopy, ///< a view where strides can express it, else a copy
    Copy,       ///< always a copy
};

struct ViewOp {
    const char* name;
    const char* doc; ///< one line
    std::vector<OpParam> params;
    OpCost cost;
    bool manyResults; ///< split, chunk, unbind
};

/// All operations, in the order in which a palette shows them: parts, order, number of dims, shape, repetition, pieces,
/// copies.
const std::vector<ViewOp>& viewOps();
/// Null when there is none of that name.
const ViewOp* findViewOp(std::string_view name);

struct ViewOpResult {
    std::vector<View> views; ///< one, but for split, chunk and unbind
    /// The elements are copied to a storage of their own; `views` then says how they lie in that one.
    bool copies = false;
};

/// Carries out operation `name` on `v`, a view of a storage with `storageNumel` elements. Missing trailing arguments
/// are left out. Refused: unknown names (VIEW-50), arguments of the wrong kind (VIEW-51), and as the operation says.
Result<ViewOpResult> applyViewOp(std::string_view name, std::span<const OpArg> args, const View& v, Index storageNumel);

/// The legal values of argument `param`, one number, with the arguments before it as given and the ones after it still
/// open: narrow's start is 0 … n, then its length 0 … n - start. `args` may be shorter than `param`; what is not there
/// is taken at its default. Not legal at all: an empty range. Lists and unknown names have no range: std::nullopt.
/// `storageNumel` bounds as_strided's offset; without it every offset from 0 on is legal.
std::optional<LegalRange> legalRange(std::string_view name, std::size_t param, std::span<const OpArg> args,
                                     const View& v, std::optional<Index> storageNumel = std::nullopt);
/// The same for each number of a list: of as_strided's size and stride once all three arguments are there. Others give
/// an empty list.
std::vector<LegalRange> legalRangesOfList(std::string_view name, std::size_t param, std::span<const OpArg> args,
                                          Index storageNumel);

/// The call as PyTorch code: "narrow(1, 1, 2)", "view(2, 6)", "as_strided((4, 2), (5, 1), 1)"; a slice is "[:, 1:5:2]".
/// Defaults at the end are left away.
std::string toCode(std::string_view name, std::span<const OpArg> args);
/// The same on a named tensor: "x.narrow(1, 1, 2)", "x[:, 1:5:2]".
std::string toCode(std::string_view tensor, std::string_view name, std::span<const OpArg> args);

} // namespace stridescope
