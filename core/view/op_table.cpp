#include "core/view/op_table.h"

#include "core/view/view_ops.h"
#include "core/view/view_refusals.h"

namespace stridescope {

namespace {

using refuse::RefusalPtr;
using Applied = Result<ViewOpResult>;

/// Arguments after checking against the table: as many as parameters, defaults filled in.
class Checked {
public:
    explicit Checked(OpArgs args) : m_args(std::move(args)) {}
    Index index(std::size_t i) const { return std::get<Index>(m_args[i]); }
    const Dims& list(std::size_t i) const { return std::get<Dims>(m_args[i]); }
    bool given(std::size_t i) const { return !std::holds_alternative<std::monostate>(m_args[i]); }
    bool isList(std::size_t i) const { return std::holds_alternative<Dims>(m_args[i]); }
    std::optional<Index> optional(std::size_t i) const {
        return given(i) ? std::optional<Index>(index(i)) : std::nullopt;
    }

private:
    OpArgs m_args;
};

Applied one(Result<View> made) {
    if (!made) return made.takeRefusal();
    return ViewOpResult{{std::move(made).value()}, false};
}

Applied many(Result<std::vector<View>> made) {
    if (!made) return made.takeRefusal();
    return ViewOpResult{std::move(made).value(), false};
}

Applied perhapsCopied(Result<ReshapeVerdict> made) {
    if (!made) return made.takeRefusal();
    const bool copies = !made->isView;
    return ViewOpResult{{std::move(made).value().view}, copies};
}

Applied copied(std::span<const Index> shape) {
    auto made = contiguousView(shape);
    if (!made) return made.takeRefusal();
    return ViewOpResult{{std::move(made).value()}, true};
}

using Apply = Applied (*)(const Checked& args, const View& v, Index storageNumel);

struct Entry {
    ViewOp op;
    Apply apply;
};

OpParam dimParam(const char* name, const char* doc) {
    return {name, ParamKind::Dim, true, std::monostate{}, doc};
}
OpParam dimParam(const char* name, Index standIn, const char* doc) {
    return {name, ParamKind::Dim, false, standIn, doc};
}
OpParam intParam(const char* name, const char* doc) {
    return {name, ParamKind::Int, true, std::monostate{}, doc};
}
OpParam intParam(const char* name, Index standIn, const char* doc) {
    return {name, ParamKind::Int, false, standIn, doc};
}
OpParam optionalInt(const char* name, const char* doc) {
    return {name, ParamKind::OptionalInt, false, std::monostate{}, doc};
}
OpParam sizesParam(const char* name, const char* doc) {
    return {name, ParamKind::IntList, true, std::monostate{}, doc};
}
OpParam dimsParam(const char* name, const char* doc) {
    return {name, ParamKind::DimList, true, std::monostate{}, doc};
}

std::vector<Entry> makeEntries() {
    const OpParam dim = dimParam("dim", "the dim");
    const OpParam dimOr0 = dimParam("dim", 0, "the dim");
    std::vector<Entry> entries;
    const auto add = [&](const char* name, const char* doc, std::vector<OpParam> params, OpCost cost, Apply apply,
                         bool manyResults = false) {
        entries.push_back({{name, doc, std::move(params), cost, manyResults}, apply});
    };

    add("select", "One index of a dim; the dim disappears",
        {dim, intParam("index", "which one; negative counts from the end")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(select(v, a.index(0), a.index(1))); });
    add("narrow", "A stretch of a dim", {dim, intParam("start", "the first index"), intParam("length", "how many")},
        OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(narrow(v, a.index(0), a.index(1), a.index(2))); });
    add("slice", "Every step-th index of a stretch, as x[start:end:step]",
        {dimOr0, optionalInt("start", "the first index"), optionalInt("end", "the index after the last"),
         intParam("step", 1, "1 or more")},
        OpCost::View, [](const Checked& a, const View& v, Index) {
            return one(slice(v, a.index(0), a.optional(1), a.optional(2), a.index(3)));
        });
    add("diagonal", "The diagonal of two dims, as a new last dim",
        {intParam("offset", 0, "above 0: over the main diagonal"), dimParam("dim1", 0, "the rows"),
         dimParam("dim2", 1, "the columns")},
        OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(diagonal(v, a.index(0), a.index(1), a.index(2))); });
    add("unfold", "Windows along a dim, as a new last dim",
        {dimParam("dimension", "the dim"), intParam("size", "elements of a window"),
         intParam("step", "from window to window")},
        OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(unfold(v, a.index(0), a.index(1), a.index(2))); });

    add("t", "Swaps the two dims of a matrix", {}, OpCost::View,
        [](const Checked&, const View& v, Index) { return one(t(v)); });
    add("transpose", "Swaps two dims", {dimParam("dim0", "one dim"), dimParam("dim1", "the other")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(transpose(v, a.index(0), a.index(1))); });
    add("swapaxes", "Swaps two dims; NumPy's name", {dimParam("axis0", "one dim"), dimParam("axis1", "the other")},
        OpCost::View, [](const Checked& a, const View& v, Index) { return one(swapaxes(v, a.index(0), a.index(1))); });
    add("swapdims", "Swaps two dims", {dimParam("dim0", "one dim"), dimParam("dim1", "the other")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(swapaxes(v, a.index(0), a.index(1))); });
    add("permute", "Puts all dims into a new order", {dimsParam("dims", "the old dims in their new order")},
        OpCost::View, [](const Checked& a, const View& v, Index) { return one(permute(v, a.list(0))); });
    add("movedim", "Moves some dims, the others keep their order",
        {dimsParam("source", "the dims to move"), dimsParam("destination", "where each one goes")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(movedim(v, a.list(0), a.list(1))); });

    add("unsqueeze", "Puts in a dim of size 1", {dimParam("dim", "where it will be")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(unsqueeze(v, a.index(0))); });
    add("squeeze", "Drops dims of size 1", {{"dim", ParamKind::Dim, false, std::monostate{}, "only this one"}},
        OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(a.given(0) ? squeeze(v, a.index(0)) : squeeze(v)); });

    add("view", "The same elements in another shape, never a copy", {sizesParam("shape", "the sizes; one may be -1")},
        OpCost::View, [](const Checked& a, const View& v, Index) { return one(viewAs(v, a.list(0))); });
    add("reshape", "The same elements in another shape, copied where strides cannot express it",
        {sizesParam("shape", "the sizes; one may be -1")}, OpCost::ViewOrCopy,
        [](const Checked& a, const View& v, Index) { return perhapsCopied(reshape(v, a.list(0))); });
    add("flatten", "Merges neighbouring dims",
        {dimParam("start_dim", 0, "the first dim"), dimParam("end_dim", -1, "the last dim")}, OpCost::ViewOrCopy,
        [](const Checked& a, const View& v, Index) { return perhapsCopied(flatten(v, a.index(0), a.index(1))); });
    add("unflatten", "Splits a dim into several", {dim, sizesParam("sizes", "its parts; one may be -1")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(unflatten(v, a.index(0), a.list(1))); });

    add("expand", "Repeats dims of size 1 without copying, by stride 0",
        {sizesParam("sizes", "the new sizes; -1 keeps one")}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return one(expand(v, a.list(0))); });
    add("as_strided", "Any sizes, strides and offset inside the storage",
        {sizesParam("size", "the sizes"), sizesParam("stride", "steps in elements"),
         optionalInt("storage_offset", "slot of the first element")},
        OpCost::View, [](const Checked& a, const View& v, Index storageNumel) {
            return one(asStrided(v, a.list(0), a.list(1), a.optional(2), storageNumel));
        });

    add(
        "split", "Pieces of one size, or of given sizes",
        {{"split_size", ParamKind::IntOrIntList, true, std::monostate{}, "a size, or all sizes"}, dimOr0}, OpCost::View,
        [](const Checked& a, const View& v, Index) {
            return many(a.isList(0) ? split(v, a.list(0), a.index(1)) : split(v, a.index(0), a.index(1)));
        },
        true);
    add(
        "chunk", "So many pieces of nearly one size", {intParam("chunks", "how many"), dimOr0}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return many(chunk(v, a.index(0), a.index(1))); }, true);
    add(
        "unbind", "Every index of a dim as a tensor of its own", {dimOr0}, OpCost::View,
        [](const Checked& a, const View& v, Index) { return many(unbind(v, a.index(0))); }, true);

    add("contiguous", "Itself where contiguous, else a row-major copy", {}, OpCost::ViewOrCopy,
        [](const Checked&, const View& v, Index) { return v.isContiguous() ? one(v) : copied(v.shape); });
    add("clone", "A copy that keeps the order of the strides", {}, OpCost::Copy,
        [](const Checked&, const View& v, Index) {
            auto made = cloneLayout(v);
            if (!made) return Applied(made.takeRefusal());
            return Applied(ViewOpResult{{std::move(made).value()}, true});
        });
    add("flip", "Turns dims round, as a copy", {dimsParam("dims", "the dims to turn round")}, OpCost::Copy,
        [](const Checked& a, const View& v, Index) {
            // The view algebra refuses a flip in any case; what is wrong with the dims must stay refused here too.
            auto verdict = flip(v, a.list(0));
            if (verdict.refusal().id != "VIEW-29") return Applied(verdict.takeRefusal());
            auto made = cloneLayout(v);
            if (!made) return Applied(made.takeRefusal());
            return Applied(ViewOpResult{{std::move(made).value()}, true});
        });
    return entries;
}

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = makeEntries();
    return all;
}

const Entry* findEntry(std::string_view name) {
    for (const Entry& entry : entries())
        if (name == entry.op.name) return &entry;
    return nullptr;
}

bool fitsKind(const OpArg& arg, ParamKind kind) {
    switch (kind) {
    case ParamKind::Dim:
    case ParamKind::Int:
        return std::holds_alternative<Index>(arg);
    case ParamKind::OptionalInt:
        return !std::holds_alternative<Dims>(arg);
    case ParamKind::IntList:
    case ParamKind::DimList:
        return std::holds_alternative<Dims>(arg);
    case ParamKind::IntOrIntList:
        return !std::holds_alternative<std::monostate>(arg);
    }
    return false;
}

const char* kindWords(ParamKind kind) {
    switch (kind) {
    case ParamKind::Dim:
        return "a dim";
    case ParamKind::Int:
        return "a whole number";
    case ParamKind::OptionalInt:
        return "a whole number or nothing";
    case ParamKind::IntList:
        return "a list of numbers";
    case ParamKind::DimList:
        return "a list of dims";
    case ParamKind::IntOrIntList:
        return "a whole number or a list of numbers";
    }
    return "";
}

Result<Checked> checkArgs(const ViewOp& op, std::span<const OpArg> args) {
    const std::string name = op.name;
    if (args.size() > op.params.size()) {
        return refuse::make(ErrorKind::Type, "VIEW-51",
                            name + "() takes " + std::to_string(op.params.size()) + " arguments, but got " +
                                std::to_string(args.size()),
                            "Leave out the last ones.");
    }
    OpArgs full(args.begin(), args.end());
    full.resize(op.params.size());
    for (std::size_t i = 0; i < full.size(); ++i) {
        const OpParam& param = op.params[i];
        if (std::holds_alternative<std::monostate>(full[i])) {
            if (!param.required) {
                full[i] = param.standIn;
                continue;
            }
            return refuse::make(ErrorKind::Type, "VIEW-51", name + "() missing argument: '" + param.name + "'",
                                std::string("Give ") + kindWords(param.kind) + ": " + param.doc + ".");
        }
        if (!fitsKind(full[i], param.kind)) {
            return refuse::make(ErrorKind::Type, "VIEW-51",
                                name + "(): argument '" + param.name + "' must be " + kindWords(param.kind),
                                std::string("It is ") + param.doc + ".");
        }
    }
    return Checked(std::move(full));
}

} // namespace

const std::vector<ViewOp>& viewOps() {
    static const std::vector<ViewOp> all = [] {
        std::vector<ViewOp> ops;
        for (const Entry& entry : entries()) ops.push_back(entry.op);
        return ops;
    }();
    return all;
}

const ViewOp* findViewOp(std::string_view name) {
    const Entry* entry = findEntry(name);
    return entry == nullptr ? nullptr : &entry->op;
}

Result<ViewOpResult> applyViewOp(std::string_view name, std::span<const OpArg> args, const View& v,
                                 Index storageNumel) {
    const Entry* entry = findEntry(name);
    if (entry == nullptr) {
        constexpr std::size_t kShown = 40;
        return refuse::make(ErrorKind::Type, "VIEW-50",
                            "no view operation is called '" + std::string(name.substr(0, kShown)) + "'",
                            "The palette lists all operations.");
    }
    auto checked = checkArgs(entry->op, args);
    if (!checked) return checked.takeRefusal();
    return entry->apply(*checked, v, storageNumel);
}

} // namespace stridescope
