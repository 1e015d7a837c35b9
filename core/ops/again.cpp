#include "core/ops/again.h"

#include "core/ops/extrema.h"
#include "core/ops/order_statistics.h"
#include "core/ops/provenance_call.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"

#include <string_view>
#include <unordered_map>

namespace stridescope {

namespace {

using Results = std::vector<Tensor>;

/// One call: the tensor, and what is beside it.
struct Asked {
    const Tensor& x;
    const provenance::Call& call;

    bool flag(std::string_view name) const { return call.text(name) == "True"; }
    std::optional<Index> dim() const { return call.number("dim"); }
    Index dimOr(Index otherwise) const { return dim().value_or(otherwise); }
    Index k() const { return call.number("k").value_or(1); }
    bool keepdim() const { return flag("keepdim"); }
};

using Rule = Results (*)(const Asked&);

Results both(ValuesAndIndices&& pair) {
    return {std::move(pair.values), std::move(pair.indices)};
}

/// Those that take all elements, or a line along a dim each.
template <class All, class Along>
Results allOrAlong(const Asked& asked, All all, Along along) {
    return asked.dim() ? both(along(*asked.dim())) : Results{all()};
}

Results distinct(const Asked& asked) {
    const UniqueOptions options{asked.flag("return_inverse"), asked.flag("return_counts")};
    UniqueValues found = asked.dim() ? uniqueAlong(asked.x, *asked.dim(), options) : unique(asked.x, options);
    Results results{std::move(found.values)};
    if (options.inverse) results.push_back(std::move(found.inverse));
    if (options.counts) results.push_back(std::move(found.counts));
    return results;
}

Rule ruleFor(std::string_view name) {
    static const std::unordered_map<std::string_view, Rule> kRules = {
        {"sort", [](const Asked& a) { return both(sort(a.x, a.dimOr(-1), a.flag("descending"))); }},
        {"argsort", [](const Asked& a) { return Results{argsort(a.x, a.dimOr(-1), a.flag("descending"))}; }},
        {"topk",
         [](const Asked& a) { return both(topk(a.x, a.k(), a.dimOr(-1), a.flag("largest"), a.flag("sorted"))); }},
        {"kthvalue", [](const Asked& a) { return both(kthvalue(a.x, a.k(), a.dimOr(-1), a.keepdim())); }},
        {"mode", [](const Asked& a) { return both(mode(a.x, a.dimOr(-1), a.keepdim())); }},
        {"max",
         [](const Asked& a) {
             return allOrAlong(
                 a, [&] { return max(a.x); }, [&](Index d) { return max(a.x, d, a.keepdim()); });
         }},
        {"min",
         [](const Asked& a) {
             return allOrAlong(
                 a, [&] { return min(a.x); }, [&](Index d) { return min(a.x, d, a.keepdim()); });
         }},
        {"median",
         [](const Asked& a) {
             return allOrAlong(
                 a, [&] { return median(a.x); }, [&](Index d) { return median(a.x, d, a.keepdim()); });
         }},
        {"nanmedian",
         [](const Asked& a) {
             return allOrAlong(
                 a, [&] { return nanmedian(a.x); }, [&](Index d) { return nanmedian(a.x, d, a.keepdim()); });
         }},
        {"aminmax",
         [](const Asked& a) {
             MinAndMax found = aminmax(a.x, a.dim(), a.keepdim());
             return Results{std::move(found.min), std::move(found.max)};
         }},
        {"argmax", [](const Asked& a) { return Results{argmax(a.x, a.dim(), a.keepdim())}; }},
        {"argmin", [](const Asked& a) { return Results{argmin(a.x, a.dim(), a.keepdim())}; }},
        {"cummax", [](const Asked& a) { return both(cummax(a.x, a.dimOr(0))); }},
        {"cummin", [](const Asked& a) { return both(cummin(a.x, a.dimOr(0))); }},
        {"unique", distinct},
    };
    const auto it = kRules.find(name);
    return it == kRules.end() ? nullptr : it->second;
}

} // namespace

std::optional<std::vector<Tensor>> carriedOutAgain(const OpRecord& record, std::span<const Tensor> inputs) {
    const Rule rule = ruleFor(record.name);
    if (!rule || inputs.size() != 1 || record.effect != OpEffect::Alloc) return std::nullopt;
    const provenance::Call call(findOperation(record.name), record.arguments);
    Results results = rule({inputs[0], call});
    if (results.size() != record.outputs.size()) return std::nullopt;
    return results;
}

} // namespace stridescope
