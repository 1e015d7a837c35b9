#include "core/timing/crossover.h"

#include <algorithm>
#include <cmath>

namespace stridescope::timing {

std::vector<CurvePoint> curveOf(const Run& run, const Measurement& like) {
    std::vector<CurvePoint> curve;
    for (const Measurement& m : run.measurements) {
        if (m.operation != like.operation || m.statement != like.statement || m.device != like.device ||
            m.threads != like.threads || m.part != like.part || m.dtype != like.dtype || m.layout != like.layout ||
            m.cache != like.cache || m.times().count == 0)
            continue;
        const Summary& s = m.times();
        // Too few samples for an interval of 95 %: all that is known is where they lie.
        curve.push_back({m.n, s.median, m.interval.value_or(Interval{s.least, s.greatest})});
    }
    std::stable_sort(curve.begin(), curve.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.n < b.n; });
    return curve;
}

std::optional<Crossover> crossoverOf(const std::vector<CurvePoint>& first, const std::vector<CurvePoint>& second) {
    struct Pair {
        const CurvePoint *a, *b;
        bool firstSure, secondSure;
    };
    std::vector<Pair> pairs; // at the sizes of both
    for (const CurvePoint& a : first) {
        const auto b = std::find_if(second.begin(), second.end(), [&](const CurvePoint& p) { return p.n == a.n; });
        if (b != second.end())
            pairs.push_back({&a, &*b, a.interval.high < b->interval.low, b->interval.high < a.interval.low});
    }
    if (pairs.size() < 2) return std::nullopt;
    // The second's run of sure wins that reaches the last size, and the last sure win of the first before it.
    std::size_t from = pairs.size();
    while (from > 0 && pairs[from - 1].secondSure) --from;
    if (from == pairs.size()) return std::nullopt;
    std::size_t last = from;
    while (last > 0 && !pairs[last - 1].firstSure) --last;
    if (last == 0) return std::nullopt;
    Crossover crossing{pairs[last - 1].a->n, pairs[from].a->n, 0};
    for (std::size_t i = last; i <= from; ++i) { // the first step on which the medians change places
        const Pair &p = pairs[i - 1], &q = pairs[i];
        const double before = std::log(p.b->median / p.a->median), after = std::log(q.b->median / q.a->median);
        if (before < 0 || after > 0 || before == after) continue;
        const double x = std::log(static_cast<double>(p.a->n)), y = std::log(static_cast<double>(q.a->n));
        crossing.estimate = std::exp(x + (y - x) * before / (before - after));
        break;
    }
    return crossing;
}

} // namespace stridescope::timing
