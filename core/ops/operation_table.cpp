#include "core/ops/operation_table.h"

#include "core/ops/operation_names.h"
#include "core/view/op_table.h"

#include <algorithm>
#include <cassert>
#include <deque>

namespace stridescope {

namespace dtypes {

std::string text(DTypeSet set) {
    if (set == all) return "all";
    std::string out;
    const auto add = [&](std::string_view word) { out += (out.empty() ? "" : ", ") + std::string(word); };
    const std::pair<DTypeSet, std::string_view> groups[] = {
        {reals, "all real ones"}, {integers, "integers"}, {floats, "floats"}, {complexes, "complex"}};
    for (const auto& [group, word] : groups) {
        if ((set | group) == set) {
            add(word);
            set = set.without(group);
        }
    }
    for (const DType t : kAllDTypes)
        if (set.has(t)) add(name(t));
    return out;
}

} // namespace dtypes

std::string_view title(OpFamily family) {
    switch (family) {
    case OpFamily::Creation:
        return "Creation";
    case OpFamily::Random:
        return "Random numbers";
    case OpFamily::Views:
        return "Views";
    case OpFamily::Copies:
        return "Copies and conversions";
    case OpFamily::Joining:
        return "Joining and repeating";
    case OpFamily::Indexing:
        return "Indexing";
    case OpFamily::Pointwise:
        return "Element by element";
    case OpFamily::Reductions:
        return "Reductions and scans";
    case OpFamily::Sorting:
        return "Sorting and counting";
    case OpFamily::Products:
        return "Products";
    case OpFamily::LinearAlgebra:
        return "Linear algebra";
    case OpFamily::Fourier:
        return "Fourier transforms";
    case OpFamily::Complex:
        return "Complex numbers";
    case OpFamily::Further:
        return "Further forms, in the Python module";
    case OpFamily::Outside:
        return "Files, NumPy and Python, in the Python module";
    case OpFamily::Settings:
        return "Questions and settings, in the Python module";
    case OpFamily::Devices:
        break;
    }
    return "Devices, in the Python module";
}

std::string_view title(OpGives gives) {
    switch (gives) {
    case OpGives::New:
        return "new";
    case OpGives::View:
        return "view";
    case OpGives::ViewOrCopy:
        return "view or copy";
    case OpGives::SameOrNew:
        return "itself or new";
    case OpGives::InPlace:
        break;
    }
    return "in place";
}

namespace {

/// "(dim, start, length)", with the defaults of the typed table.
std::string signatureOf(const ViewOp& op) {
    std::string text = "(input";
    for (const OpParam& param : op.params) {
        text += std::string(", ") + param.name;
        if (param.required) continue;
        if (const auto* number = std::get_if<Index>(&param.standIn))
            text += "=" + std::to_string(*number);
        else
            text += "=None";
    }
    return text + ")";
}

/// What a view operation does to sizes, and what it refuses.
struct ViewFacts {
    std::string_view name, shapes, errors = {};
};
ViewFacts factsOf(std::string_view name) {
    static constexpr ViewFacts kRows[] = {
        {"select", "{.., n, ..} -> {.., ..}", "VIEW-03"},
        {"narrow", "{.., n, ..} -> {.., length, ..}", "VIEW-04, ELEM-04"},
        {"slice", "{.., n, ..} -> {.., k, ..}", "VIEW-05, VIEW-27"},
        {"diagonal", "{.., n, m} -> {.., d}", "VIEW-06"},
        {"unfold", "{.., n, ..} -> {.., windows, .., size}", "VIEW-07"},
        {"t", "{m, n} -> {n, m}", "VIEW-08"},
        {"transpose", "two sizes swapped"},
        {"swapaxes", "two sizes swapped"},
        {"swapdims", "two sizes swapped"},
        {"permute", "the sizes in another order", "VIEW-09, VIEW-10"},
        {"movedim", "the sizes in another order", "VIEW-10, VIEW-11"},
        {"unsqueeze", "{.., ..} -> {.., 1, ..}"},
        {"squeeze", "{.., 1, ..} -> {.., ..}"},
        {"view", "{...} -> shape", "VIEW-13 … VIEW-16"},
        {"reshape", "{...} -> shape", "VIEW-13 … VIEW-15"},
        {"flatten", "{.., m, n, ..} -> {.., m * n, ..}", "VIEW-17"},
        {"unflatten", "{.., n, ..} -> {.., sizes, ..}", "VIEW-13, VIEW-15, VIEW-18"},
        {"expand", "{.., 1 or n, ..} -> {.., n, ..}", "VIEW-19 … VIEW-21"},
        {"as_strided", "{...} -> size", "VIEW-22 … VIEW-25"},
        {"split", "{.., n, ..} -> {.., k, ..} each", "VIEW-30, VIEW-31"},
        {"chunk", "{.., n, ..} -> {.., k, ..} each", "VIEW-32, VIEW-33"},
        {"unbind", "{.., n, ..} -> n times {.., ..}"},
        {"flip", "{...} -> {...}", "VIEW-10"},
    };
    for (const ViewFacts& row : kRows)
        if (row.name == name) return row;
    return {name, "{...} -> {...}"};
}

std::vector<Operation> collect() {
    static std::deque<std::string> signatures; // the table's texts are views
    std::vector<Operation> list;
    const auto append = [&list](OpFamily family, std::span<const Operation> entries) {
        for (Operation entry : entries) {
            entry.family = family;
            list.push_back(entry);
        }
    };
    append(OpFamily::Creation, operation_table::creation());
    append(OpFamily::Random, operation_table::random());
    for (const ViewOp& op : viewOps()) {
        Operation entry;
        entry.name = op.name;
        entry.signature = signatures.emplace_back(signatureOf(op));
        entry.doc = op.doc;
        const ViewFacts facts = factsOf(op.name);
        entry.shapes = facts.shapes;
        entry.errors = facts.errors;
        entry.dtypes = dtypes::all;
        entry.gives = op.cost == OpCost::View         ? OpGives::View
                      : op.cost == OpCost::ViewOrCopy ? OpGives::ViewOrCopy
                                                      : OpGives::New;
        entry.family = OpFamily::Views;
        list.push_back(entry);
    }
    append(OpFamily::Views, operation_table::handles());
    append(OpFamily::Copies, operation_table::copies());
    append(OpFamily::Joining, operation_table::joining());
    append(OpFamily::Indexing, operation_table::indexing());
    append(OpFamily::Pointwise, operation_table::pointwise());
    append(OpFamily::Pointwise, operation_table::mathematics());
    append(OpFamily::Pointwise, operation_table::specialFunctions());
    append(OpFamily::Reductions, operation_table::reductions());
    append(OpFamily::Sorting, operation_table::sorting());
    append(OpFamily::Products, operation_table::products());
    append(OpFamily::LinearAlgebra, operation_table::linearAlgebra());
    append(OpFamily::Fourier, operation_table::fourier());
    append(OpFamily::Complex, operation_table::complexNumbers());
    append(OpFamily::Further, operation_table::furtherForms());
    append(OpFamily::Outside, operation_table::outside());
    append(OpFamily::Settings, operation_table::settings());
    append(OpFamily::Devices, operation_table::devices());
    operation_table::addOutputs(list);
    return list;
}

std::string_view outText(OutRule rule) {
    switch (rule) {
    case OutRule::Same:
        return "same dtype";
    case OutRule::Castable:
        return "castable";
    case OutRule::Any:
        return "any dtype";
    case OutRule::Bool:
        return "bool";
    case OutRule::Truth:
        return "bool or uint8";
    case OutRule::Floating:
        return "floats";
    case OutRule::Complex:
        return "complex";
    case OutRule::ComplexSame:
        return "same complex dtype";
    case OutRule::Copied:
        return "as copy_";
    case OutRule::None:
        break;
    }
    return "";
}

/// ", also `absolute`, `abs_`".
std::string alsoText(std::string_view name) {
    std::string text = otherNames(name);
    if (text.empty()) return text;
    for (std::size_t at = 0; (at = text.find(", ", at)) != std::string::npos; at += 4) text.replace(at, 2, "`, `");
    return ", also `" + text + "`";
}

std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out.empty() ? " " : out;
}

} // namespace

const std::vector<Operation>& operations() {
    static const std::vector<Operation> list = collect();
    return list;
}

const Operation* findOperation(std::string_view name) {
    for (const Operation& operation : operations())
        if (operation.name == name) return &operation;
    return nullptr;
}

std::string operationsPage() {
    std::string page =
        "# Operations\n\n"
        "Made by `stridescope operations`; a test compares the two. Semantics and names are PyTorch 1.13's; "
        "*Gives* says whether the result shares the input's storage, *out=* what dtype a tensor to write the result to "
        "must have, where there is such an argument (it is resized to the result's shape; what is written *as copy_* "
        "broadcasts instead), *Source* where it comes from: PyTorch stands for the page of that name in its "
        "documentation "
        "(https://pytorch.org/docs/1.13/), and what follows for what computes it; the rest is computed by kernels of "
        "our "
        "own from that definition. Ids of refusals that many operations share (TENSOR-02 undefined, DEV-01 … DEV-03, "
        "DEV-12 "
        "and DEV-13 devices, MEM-01 memory, CREATE-01, VIEW-12 and VIEW-26 sizes below 0 or too many elements, VIEW-01 "
        "and VIEW-02 dims that are not there, VIEW-34 and SHAPE-OUT shapes that do not broadcast, FILL-01 numbers that "
        "a dtype cannot hold, OUT-01, OUT-02 and CAST-01 outputs of another dtype, OVERLAP-01 … OVERLAP-03 writing "
        "where elements share memory, WRITE-01 read-only) are "
        "left out. A tensor has at most 64 dims (PyTorch reduces no more); what would have more is refused. These "
        "are the library's; lines typed in the window and `render --code` know the view operations, "
        "creation, dtypes, arithmetic and, of what is done element by element, the functions of one or two inputs.\n";
    OpFamily family{};
    bool first = true;
    for (const Operation& op : operations()) {
        if (first || op.family != family) {
            family = op.family;
            first = false;
            page += "\n## " + std::string(title(family)) + "\n\n" +
                    (takesTensors(family)
                         ? "| operation | what it does | shapes | dtypes | gives | out= | refusals | source |\n"
                           "|---|---|---|---|---|---|---|---|\n"
                         : "| operation | what it does | source |\n|---|---|---|\n");
        }
        page += "| `" + cell(std::string(op.name) + std::string(op.signature)) + "`" + alsoText(op.name) + " | " +
                cell(op.doc) + " | ";
        if (takesTensors(family))
            page += cell(op.shapes) + " | " + cell(dtypes::text(op.dtypes)) + " | " + std::string(title(op.gives)) +
                    " | " + cell(outText(op.out)) + " | " + (op.errors.empty() ? "none of its own" : cell(op.errors)) +
                    " | ";
        page += cell(sourceText(op.name)) + " |\n";
    }
    return page;
}

} // namespace stridescope
