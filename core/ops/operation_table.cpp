#include "core/ops/operation_table.h"

#include "core/view/op_table.h"

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
        break;
    }
    return "Complex numbers";
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
        entry.shapes = op.manyResults ? "several views" : "";
        entry.dtypes = dtypes::all;
        entry.gives = op.cost == OpCost::View         ? OpGives::View
                      : op.cost == OpCost::ViewOrCopy ? OpGives::ViewOrCopy
                                                      : OpGives::New;
        entry.family = OpFamily::Views;
        list.push_back(entry);
    }
    append(OpFamily::Copies, operation_table::copies());
    append(OpFamily::Joining, operation_table::joining());
    append(OpFamily::Indexing, operation_table::indexing());
    append(OpFamily::Pointwise, operation_table::pointwise());
    append(OpFamily::Pointwise, operation_table::mathematics());
    append(OpFamily::Reductions, operation_table::reductions());
    append(OpFamily::Sorting, operation_table::sorting());
    append(OpFamily::Products, operation_table::products());
    append(OpFamily::LinearAlgebra, operation_table::linearAlgebra());
    append(OpFamily::Fourier, operation_table::fourier());
    append(OpFamily::Complex, operation_table::complexNumbers());
    return list;
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
        "*Gives* says whether the result shares the input's storage. Ids of "
        "refusals that many operations share (TENSOR-02 undefined, DEV-01 … DEV-03 devices, MEM-01 "
        "memory, OVERLAP-01 … OVERLAP-03 writing where elements share memory, WRITE-01 read-only) are "
        "left out.\n";
    OpFamily family{};
    bool first = true;
    for (const Operation& op : operations()) {
        if (first || op.family != family) {
            family = op.family;
            first = false;
            page +=
                "\n## " + std::string(title(family)) +
                "\n\n| operation | what it does | shapes | dtypes | gives | refusals |\n|---|---|---|---|---|---|\n";
        }
        page += "| `" + cell(std::string(op.name) + std::string(op.signature)) + "` | " + cell(op.doc) + " | " +
                cell(op.shapes) + " | " + cell(dtypes::text(op.dtypes)) + " | " + std::string(title(op.gives)) + " | " +
                cell(op.errors) + " |\n";
    }
    return page;
}

} // namespace stridescope
