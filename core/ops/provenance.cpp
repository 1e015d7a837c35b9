#include "core/ops/provenance.h"

#include "core/dtype/dtype.h"
#include "core/ops/provenance_rules.h"
#include "core/view/inverse.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace stridescope {

Index SourceBox::numel() const {
    Index count = 1;
    for (const Index n : length) count *= n;
    return count;
}

bool SourceBox::contains(const Dims& coord) const {
    if (coord.size() != start.size()) return false;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (coord[d] < start[d] || coord[d] >= start[d] + length[d]) return false;
    }
    return true;
}

namespace provenance {

SourceBox whole(const Asked& asked, std::size_t input) {
    const Dims& shape = asked.input(input);
    return {input, Dims(shape.size(), 0), shape};
}

SourceBox single(std::size_t input, const Dims& coord) {
    return {input, coord, Dims(coord.size(), 1)};
}

Sources mixed(const Asked& asked) {
    Sources sources{SourceKind::Mixed, {}};
    for (std::size_t i = 0; i < asked.inputs(); ++i) {
        if (SourceBox box = whole(asked, i); box.numel() > 0) sources.boxes.push_back(std::move(box));
    }
    if (sources.boxes.empty()) sources.kind = SourceKind::Made;
    return sources;
}

std::optional<SourceBox> broadcastFrom(const Asked& asked, std::size_t input) {
    const Dims& shape = asked.input(input);
    if (shape.size() > asked.coord.size()) return std::nullopt;
    const std::size_t lead = asked.coord.size() - shape.size();
    Dims coord(shape.size(), 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] != 1 && shape[d] != asked.shape[lead + d]) return std::nullopt;
        coord[d] = shape[d] == 1 ? 0 : asked.coord[lead + d];
    }
    return single(input, coord);
}

std::optional<std::vector<std::size_t>> normalised(const std::vector<Index>& dims, std::size_t rank) {
    std::vector<std::size_t> found;
    for (Index dim : dims) {
        if (dim < 0) dim += static_cast<Index>(rank);
        if (rank == 0 && (dim == 0 || dim == -1)) continue;
        if (dim < 0 || dim >= static_cast<Index>(rank)) return std::nullopt;
        found.push_back(static_cast<std::size_t>(dim));
    }
    return found;
}

std::optional<std::vector<bool>> namedDims(const Asked& asked) {
    const std::size_t rank = asked.input(0).size();
    const std::optional<std::vector<Index>> given = asked.call.numbers("dim");
    if (!given) {
        if (const std::string text = asked.call.text("dim"); !text.empty() && text != "None") return std::nullopt;
        return std::vector<bool>(rank, true);
    }
    if (given->empty()) return std::vector<bool>(rank, true);
    const auto dims = normalised(*given, rank);
    if (!dims) return std::nullopt;
    std::vector<bool> mask(rank, false);
    for (const std::size_t d : *dims) mask[d] = true;
    return mask;
}

namespace {

Answer eachOf(const Asked& asked, std::size_t first) {
    Sources sources{asked.inputs() > first ? SourceKind::Each : SourceKind::Made, {}};
    for (std::size_t i = first; i < asked.inputs(); ++i) {
        std::optional<SourceBox> box = broadcastFrom(asked, i);
        if (!box) return std::nullopt;
        sources.boxes.push_back(std::move(*box));
    }
    return sources;
}

} // namespace

Answer pointwise(const Asked& asked) {
    return eachOf(asked, 0);
}

Answer overwritten(const Asked& asked) {
    return eachOf(asked, 1);
}

namespace {

/// Rules for single operations; those of a family follow below.
Rule ruleByName(std::string_view name) {
    static const std::unordered_map<std::string_view, Rule> kRules = {{"cumsum", cumulated},
                                                                      {"cumprod", cumulated},
                                                                      {"cummax", cumulated},
                                                                      {"cummin", cumulated},
                                                                      {"logcumsumexp", cumulated},
                                                                      {"softmax", wholeLine},
                                                                      {"log_softmax", wholeLine},
                                                                      {"sort", sorted},
                                                                      {"argsort", sorted},
                                                                      {"topk", sorted},
                                                                      {"diff", neighbours},
                                                                      {"kthvalue", chosen},
                                                                      {"max", chosen},
                                                                      {"min", chosen},
                                                                      {"amax", chosen},
                                                                      {"amin", chosen},
                                                                      {"aminmax", chosen},
                                                                      {"argmax", chosen},
                                                                      {"argmin", chosen},
                                                                      {"median", chosen},
                                                                      {"nanmedian", chosen},
                                                                      {"mode", chosen},
                                                                      {"quantile", chosen},
                                                                      {"nanquantile", chosen},
                                                                      {"matmul", rowTimesColumn},
                                                                      {"mm", rowTimesColumn},
                                                                      {"bmm", rowTimesColumn},
                                                                      {"mv", rowTimesColumn},
                                                                      {"dot", rowTimesColumn},
                                                                      {"vdot", rowTimesColumn},
                                                                      {"addmm", addedProduct},
                                                                      {"addmv", addedProduct},
                                                                      {"baddbmm", addedProduct},
                                                                      {"trace", diagonal},
                                                                      {"cross", twoOfThree},
                                                                      {"tensordot", overPairs},
                                                                      {"einsum", byLabels},
                                                                      {"linalg.multi_dot", chained},
                                                                      {"kron", tiledProduct},
                                                                      {"unique", distinct},
                                                                      {"unique_consecutive", distinct},
                                                                      {"outer", everyPair},
                                                                      {"ger", everyPair},
                                                                      {"cat", joined},
                                                                      {"stack", stacked},
                                                                      {"hstack", joinedAcross},
                                                                      {"vstack", joinedDown},
                                                                      {"repeat", repeated},
                                                                      {"tile", repeated},
                                                                      {"roll", rolled},
                                                                      {"flip", flipped},
                                                                      {"fliplr", flippedAcross},
                                                                      {"flipud", flippedDown},
                                                                      {"gather", picked},
                                                                      {"take_along_dim", picked},
                                                                      {"index_select", pickedLine},
                                                                      {"where", pointwise},
                                                                      {"masked_fill", pointwise},
                                                                      {"copy_", overwritten},
                                                                      {"fill_", overwritten},
                                                                      {"zero_", overwritten},
                                                                      {"setitem", assigned},
                                                                      {"getitem", pickedItems},
                                                                      {"clone", pointwise},
                                                                      {"contiguous", pointwise},
                                                                      {"to", pointwise}};
    const auto it = kRules.find(name);
    return it == kRules.end() ? nullptr : it->second;
}

Rule ruleFor(const Operation* operation, std::string_view name) {
    if (const Rule rule = ruleByName(name)) return rule;
    if (!operation) return nullptr;
    switch (operation->family) {
    case OpFamily::Pointwise:
        return pointwise;
    case OpFamily::Reductions:
        return together;
    default:
        return nullptr;
    }
}

/// The coords of the inputs that share the element's cell.
Answer sameCell(const Asked& asked, const TensorRecord& made) {
    const Index byte = made.view.slot(asked.coord) * static_cast<Index>(itemSize(made.dtype));
    for (std::size_t i = 0; i < asked.inputs(); ++i) {
        const TensorRecord& input = asked.record.inputs[i];
        const auto item = static_cast<Index>(itemSize(input.dtype));
        if (input.storageId != made.storageId) continue;
        const InverseHits hits = coordsAt(input.view, byte / item, 1);
        if (!hits.coords.empty()) return Sources{SourceKind::Same, {single(i, hits.coords.front())}};
    }
    return std::nullopt;
}

/// In the table of operations; null for what is not there.
const Operation* operationOf(const OpRecord& record) {
    const std::string name = record.name;
    const Operation* operation = findOperation(name);
    if (!operation && name.size() > 1 && name.back() == '_') operation = findOperation(name.substr(0, name.size() - 1));
    return operation ? operation : findOperation("Tensor." + name);
}

} // namespace

} // namespace provenance

bool movesElements(const OpRecord& record) {
    if (record.effect == OpEffect::View || record.effect == OpEffect::Alias) return true;
    // Of the family of indexing the others give indices, or elements of several tensors.
    constexpr std::string_view kPicking[] = {"getitem",        "index_select", "gather",
                                             "take_along_dim", "take",         "masked_select"};
    if (std::find(std::begin(kPicking), std::end(kPicking), record.name) != std::end(kPicking)) return true;
    const Operation* operation = provenance::operationOf(record);
    if (!operation || record.inputs.size() != 1) return false;
    const OpFamily family = operation->family;
    return family == OpFamily::Views || family == OpFamily::Copies || family == OpFamily::Joining;
}

Sources sourcesOf(const OpRecord& record, std::size_t output, const Dims& coord) {
    const TensorRecord& made = record.outputs[output];
    const Operation* operation = provenance::operationOf(record);
    const provenance::Asked asked{record, operation, provenance::Call(operation, record.arguments), made.view.shape,
                                  coord};
    provenance::Answer answer;
    if (record.effect == OpEffect::View || record.effect == OpEffect::Alias) {
        answer = provenance::sameCell(asked, made);
    } else if (record.name == "reshape" || record.name == "flatten" || record.name == "ravel") {
        answer = provenance::inReadingOrder(asked);
    } else if (const provenance::Rule rule = provenance::ruleFor(operation, record.name)) {
        answer = rule(asked);
    }
    return answer ? *answer : provenance::mixed(asked);
}

namespace {

/// In reading order.
Index placeOf(const Dims& shape, const Dims& coord) {
    Index place = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) place = place * shape[d] + coord[d];
    return place;
}

} // namespace

std::optional<WrittenElement> elementWritten(const OpRecord& record, std::uint64_t storageId, Index byte) {
    if (record.effect != OpEffect::Alloc && record.effect != OpEffect::InPlace) return std::nullopt;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const TensorRecord& output = record.outputs[o];
        if (output.storageId != storageId) continue;
        const Index slot = byte / static_cast<Index>(itemSize(output.dtype));
        if (const auto part = provenance::assignedPart(record); part && !reaches(*part, slot)) continue;
        const bool chosen = o == 0 && !record.written.empty();
        InverseHits hits = coordsAt(output.view, slot, chosen ? static_cast<std::size_t>(kMostTold) : 1);
        const auto hit = std::find_if(hits.coords.begin(), hits.coords.end(), [&](const Dims& coord) {
            return !chosen || record.written.holds(placeOf(output.view.shape, coord));
        });
        if (hit != hits.coords.end()) return WrittenElement{0, o, std::move(*hit)};
    }
    return std::nullopt;
}

std::optional<WrittenElement> lastWriter(std::span<const OpRecord> records, std::size_t end, std::uint64_t storageId,
                                         Index byte) {
    for (std::size_t r = std::min(end, records.size()); r-- > 0;) {
        if (auto found = elementWritten(records[r], storageId, byte)) {
            found->record = r;
            return found;
        }
    }
    return std::nullopt;
}

} // namespace stridescope
