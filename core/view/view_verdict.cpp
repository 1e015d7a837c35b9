#include "core/view/view_verdict.h"

#include "core/view/checked.h"
#include "core/view/view_ops.h"

#include <numeric>

namespace stridescope {

namespace {

/// Divisors between 2 and n / 2 that are found quickly: the small ones and their partners, from small to large.
std::vector<Index> someDivisors(Index n) {
    constexpr Index kTried = 64;
    std::vector<Index> low;
    std::vector<Index> high;
    for (Index d = 2; d <= kTried && d <= n / d; ++d) {
        if (n % d != 0) continue;
        low.push_back(d);
        if (d != n / d) high.push_back(n / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

/// Collects shapes without repeats.
class Candidates {
public:
    Candidates(const View& v, std::size_t limit) : m_view(v), m_limit(limit) {}

    bool full() const { return m_found.size() >= m_limit; }
    void add(const Dims& shape) {
        if (full() || static_cast<Index>(shape.size()) > kMaxDims) return;
        for (const ShapeCandidate& known : m_found)
            if (known.shape == shape) return;
        const auto made = viewAs(m_view, shape);
        if (!made && !std::holds_alternative<ViewMergeFailure>(made.refusal().detail)) return;
        ShapeCandidate candidate;
        candidate.shape = shape;
        candidate.isView = made.ok();
        if (made) candidate.stride = made->stride;
        m_found.push_back(std::move(candidate));
    }
    std::vector<ShapeCandidate> take() { return std::move(m_found); }

private:
    const View& m_view;
    std::size_t m_limit;
    std::vector<ShapeCandidate> m_found;
};

Dims split(const Dims& shape, std::size_t d, Index first) {
    Dims result = shape;
    result[d] = first;
    result.insert(d + 1, shape[d] / first);
    return result;
}

Dims withOne(const Dims& shape, std::size_t at) {
    Dims result = shape;
    result.insert(at, 1);
    return result;
}

/// The wanted shape with those dims split that cross from one run to the next, so that `view` can give it; nullopt when
/// a size does not divide where it would have to.
std::optional<Dims> commonRefinement(const Dims& runs, const Dims& wanted) {
    Dims reversed;
    std::size_t run = runs.size();
    Index inRun = 1; // what is left of the current run
    for (std::size_t w = wanted.size(); w-- > 0;) {
        Index left = wanted[w];
        if (left == 1) reversed.push_back(1);
        while (left > 1) {
            while (inRun == 1) {
                if (run == 0) return std::nullopt;
                inRun = runs[--run];
            }
            const Index part = std::gcd(left, inRun);
            if (part != left && part != inRun) return std::nullopt;
            reversed.push_back(part);
            left /= part;
            inRun /= part;
        }
    }
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
}

} // namespace

std::vector<MergeRule> mergeRules(const View& v) {
    std::vector<MergeRule> rules;
    const bool isEmpty = v.numel() == 0;
    for (std::size_t d = 0; d + 1 < v.shape.size(); ++d) {
        const WideIndex wanted = WideIndex{v.stride[d + 1]} * v.shape[d + 1];
        MergeRule rule;
        rule.dim = static_cast<Index>(d);
        rule.stride = v.stride[d];
        rule.innerStride = v.stride[d + 1];
        rule.innerSize = v.shape[d + 1];
        rule.wantedStride = clampToIndex(wanted);
        rule.isFree = isEmpty || v.shape[d] == 1 || v.shape[d + 1] == 1;
        rule.merges = rule.isFree || WideIndex{v.stride[d]} == wanted;
        rules.push_back(rule);
    }
    return rules;
}

View mergedRuns(const View& v) {
    View merged;
    merged.offset = v.offset;
    if (v.numel() == 0) {
        merged.shape = Dims{0};
        merged.stride = Dims{1};
        return merged;
    }
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] == 1) continue;
        const bool fits =
            !merged.shape.empty() && WideIndex{merged.stride.back()} == WideIndex{v.stride[d]} * v.shape[d];
        if (fits) {
            merged.shape.back() *= v.shape[d];
            merged.stride.back() = v.stride[d];
        } else {
            merged.shape.push_back(v.shape[d]);
            merged.stride.push_back(v.stride[d]);
        }
    }
    return merged;
}

std::vector<ShapeCandidate> shapeCandidates(const View& v, const Dims& wanted, std::size_t limit) {
    Candidates candidates(v, limit);
    const Index numel = v.numel();
    candidates.add(wanted);
    candidates.add(Dims{numel});
    const std::vector<Index> divisors = someDivisors(numel);
    // Both ways of two small pairs; a whole table of pairs would leave no room for the rest.
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < divisors.size() && pairs < 2; ++i, ++pairs) {
        candidates.add(Dims{divisors[i], numel / divisors[i]});
        candidates.add(Dims{numel / divisors[i], divisors[i]});
    }
    candidates.add(v.shape);
    for (std::size_t d = 0; d < v.shape.size() && numel > 0; ++d) {
        const std::vector<Index> parts = someDivisors(v.shape[d]);
        if (!parts.empty()) candidates.add(split(v.shape, d, parts.front()));
    }
    for (std::size_t at = v.shape.size() + 1; at-- > 0;) candidates.add(withOne(v.shape, at));
    for (const Index first : divisors) {
        if (candidates.full()) break;
        for (const Index second : someDivisors(numel / first))
            candidates.add(Dims{first, second, numel / first / second});
    }
    return candidates.take();
}

std::vector<WayOut> waysOut(const View& v, const Dims& wanted) {
    std::vector<WayOut> ways;
    const auto refused = viewAs(v, wanted);
    if (refused || !std::holds_alternative<ViewMergeFailure>(refused.refusal().detail)) return ways;
    const auto copy = contiguousView(wanted);
    if (!copy) return ways;
    ways.push_back({WayOutKind::Reshape, wanted, copy->stride, v.numel(), {}});
    ways.push_back({WayOutKind::ContiguousView, wanted, copy->stride, v.numel(), {}});

    // Nearest to the wish: its own dims, split where they cross a run. Then whatever else of the table is a view.
    std::vector<Dims> shapes;
    const auto offer = [&](const Dims& shape) {
        const bool known = std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
        if (!known && shape != v.shape && viewAs(v, shape).ok()) shapes.push_back(shape);
    };
    if (const auto refined = commonRefinement(mergedRuns(v).shape, wanted)) offer(*refined);
    constexpr std::size_t kSearched = 24;
    for (const ShapeCandidate& candidate : shapeCandidates(v, wanted, kSearched))
        if (candidate.isView) offer(candidate.shape);
    if (shapes.empty()) return ways;
    WayOut other;
    other.kind = WayOutKind::OtherShape;
    other.shape = shapes.front();
    other.stride = viewAs(v, other.shape)->stride;
    constexpr std::size_t kMore = 3;
    other.alsoFit.assign(shapes.begin() + 1,
                         shapes.begin() + static_cast<std::ptrdiff_t>(std::min(shapes.size(), kMore + 1)));
    ways.push_back(std::move(other));
    return ways;
}

} // namespace stridescope
