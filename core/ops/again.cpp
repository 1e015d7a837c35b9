#include "core/ops/again.h"

#include "core/ops/again_rules.h"
#include "core/ops/extrema.h"
#include "core/ops/matmul.h"
#include "core/ops/order_statistics.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"

#include <string_view>
#include <unordered_map>

namespace stridescope {

namespace {

using again::Asked;
using again::Results;
using again::Rule;

Results both(ValuesAndIndices&& pair) {
    return {std::move(pair.values), std::move(pair.indices)};
}

ReduceDims dimsOf(const Asked& asked) {
    Dims dims;
    for (const Index dim : asked.call.numbers("dim").value_or(std::vector<Index>())) dims.push_back(dim);
    return dims;
}

/// Those that take all elements, or a line along a dim each.
template <class All, class Along>
Results allOrAlong(const Asked& asked, All all, Along along) {
    return asked.dim() ? both(along(*asked.dim())) : Results{all()};
}

Results distinct(const Asked& asked) {
    const UniqueOptions options{asked.flag("return_inverse"), asked.flag("return_counts")};
    UniqueValues found = asked.dim() ? uniqueAlong(asked.x(), *asked.dim(), options) : unique(asked.x(), options);
    Results results{std::move(found.values)};
    if (options.inverse) results.push_back(std::move(found.inverse));
    if (options.counts) results.push_back(std::move(found.counts));
    return results;
}

Results product(const Asked& asked) {
    return {matmul(asked.x(), asked.inputs[1])};
}

Rule ruleFor(std::string_view name) {
    static const std::unordered_map<std::string_view, Rule> kRules = {
        {"sort", {[](const Asked& a) { return both(sort(a.x(), a.dimOr(-1), a.flag("descending"))); }}},
        {"argsort", {[](const Asked& a) { return Results{argsort(a.x(), a.dimOr(-1), a.flag("descending"))}; }}},
        {"topk",
         {[](const Asked& a) { return both(topk(a.x(), a.k(), a.dimOr(-1), a.flag("largest"), a.flag("sorted"))); }}},
        {"kthvalue", {[](const Asked& a) { return both(kthvalue(a.x(), a.k(), a.dimOr(-1), a.keepdim())); }}},
        {"mode", {[](const Asked& a) { return both(mode(a.x(), a.dimOr(-1), a.keepdim())); }}},
        {"max", {[](const Asked& a) {
             return allOrAlong(
                 a, [&] { return max(a.x()); }, [&](Index d) { return max(a.x(), d, a.keepdim()); });
         }}},
        {"min", {[](const Asked& a) {
             return allOrAlong(
                 a, [&] { return min(a.x()); }, [&](Index d) { return min(a.x(), d, a.keepdim()); });
         }}},
        {"median", {[](const Asked& a) {
             return allOrAlong(
                 a, [&] { return median(a.x()); }, [&](Index d) { return median(a.x(), d, a.keepdim()); });
         }}},
        {"nanmedian", {[](const Asked& a) {
             return allOrAlong(
                 a, [&] { return nanmedian(a.x()); }, [&](Index d) { return nanmedian(a.x(), d, a.keepdim()); });
         }}},
        {"aminmax", {[](const Asked& a) {
             MinAndMax found = aminmax(a.x(), a.dim(), a.keepdim());
             return Results{std::move(found.min), std::move(found.max)};
         }}},
        {"argmax", {[](const Asked& a) { return Results{argmax(a.x(), a.dim(), a.keepdim())}; }}},
        {"argmin", {[](const Asked& a) { return Results{argmin(a.x(), a.dim(), a.keepdim())}; }}},
        {"cummax", {[](const Asked& a) { return both(cummax(a.x(), a.dimOr(0))); }}},
        {"cummin", {[](const Asked& a) { return both(cummin(a.x(), a.dimOr(0))); }}},
        {"unique", {distinct}},
        {"sum", {[](const Asked& a) { return Results{sum(a.x(), dimsOf(a), a.keepdim(), a.made)}; }}},
        {"prod", {[](const Asked& a) { return Results{prod(a.x(), dimsOf(a), a.keepdim(), a.made)}; }}},
        {"mean", {[](const Asked& a) { return Results{mean(a.x(), dimsOf(a), a.keepdim(), a.made)}; }}},
        {"amax", {[](const Asked& a) { return Results{amax(a.x(), dimsOf(a), a.keepdim())}; }}},
        {"amin", {[](const Asked& a) { return Results{amin(a.x(), dimsOf(a), a.keepdim())}; }}},
        {"matmul", {product, 2}},
        {"mm", {product, 2}},
        {"bmm", {product, 2}},
        {"mv", {product, 2}},
        {"dot", {product, 2}},
    };
    const auto it = kRules.find(name);
    return it == kRules.end() ? again::algebraRule(name) : it->second;
}

} // namespace

std::string again::Asked::word(std::string_view name) const {
    std::string text = call.text(name);
    const bool quoted = text.size() > 1 && (text.front() == '\'' || text.front() == '"');
    return quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<std::vector<Tensor>> carriedOutAgain(const OpRecord& record, std::span<const Tensor> inputs) {
    const Rule rule = ruleFor(record.name);
    if (!rule.make || inputs.size() != rule.inputs || record.effect != OpEffect::Alloc || record.outputs.empty())
        return std::nullopt;
    const provenance::Call call(findOperation(record.name), record.arguments);
    Results results = rule.make({inputs, call, record.outputs[0].dtype});
    if (results.size() != record.outputs.size()) return std::nullopt;
    return results;
}

} // namespace stridescope
