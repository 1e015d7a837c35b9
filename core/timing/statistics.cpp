#include "core/timing/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace stridescope::timing {

namespace {

std::vector<double> ascending(std::span<const double> samples) {
    std::vector<double> ordered(samples.begin(), samples.end());
    std::sort(ordered.begin(), ordered.end());
    return ordered;
}

/// The greatest k for which the k-th lowest and the k-th highest of n samples enclose the median with `confidence`; 0
/// when even the extremes do not.
std::size_t placeOfInterval(std::size_t n, double confidence) {
    const auto count = static_cast<double>(n);
    double below = 0; // that at most k - 1 of n samples lie below the median
    std::size_t k = 0;
    while (k < n / 2) {
        const auto i = static_cast<double>(k);
        below += std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) -
                          count * std::numbers::ln2);
        if (1 - 2 * below < confidence) break;
        ++k;
    }
    return k;
}

} // namespace

double quantileOf(std::span<const double> ordered, double part) {
    assert(!ordered.empty());
    const double at = part * static_cast<double>(ordered.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, ordered.size() - 1);
    return ordered[low] + (ordered[high] - ordered[low]) * (at - static_cast<double>(low));
}

Summary summaryOf(std::span<const double> samples) {
    if (samples.empty()) return {};
    const std::vector<double> ordered = ascending(samples);
    return {
        ordered.size(), quantileOf(ordered, 0.5), quantileOf(ordered, 0.25), quantileOf(ordered, 0.75), ordered.front(),
        ordered.back()};
}

std::optional<Interval> medianInterval(std::span<const double> samples, double confidence) {
    const std::size_t k = placeOfInterval(samples.size(), confidence);
    if (k == 0) return std::nullopt;
    const std::vector<double> ordered = ascending(samples);
    return Interval{ordered[k - 1], ordered[ordered.size() - k]};
}

int significantFigures(std::span<const double> samples, double clockError) {
    if (samples.empty()) return 1;
    const std::vector<double> ordered = ascending(samples);
    const double median = quantileOf(ordered, 0.5);
    if (!(median > 0)) return 1;
    const std::size_t n = ordered.size();
    const std::span<const double> middle = std::span(ordered).subspan(n / 4, (3 * n + 3) / 4 - n / 4);
    const auto count = static_cast<double>(middle.size());
    double mean = 0, squares = 0;
    for (const double x : middle) mean += x / count;
    for (const double x : middle) squares += (x - mean) * (x - mean);
    const double interval = std::max(1.645 * std::sqrt(squares / count) / std::sqrt(count), clockError);
    return std::clamp(static_cast<int>(std::floor(std::log10(median / interval))), 1, 4);
}

const char* name(Answer answer) {
    switch (answer) {
    case Answer::FirstFaster:
        return "first faster";
    case Answer::SecondFaster:
        return "second faster";
    case Answer::CannotTell:
        break;
    }
    return "cannot tell";
}

Verdict compare(std::span<const double> first, std::span<const double> second, bool machineIsBusy) {
    assert(first.size() == second.size());
    std::vector<double> ratios;
    for (std::size_t i = 0; i < first.size(); ++i)
        if (first[i] > 0 && second[i] > 0) ratios.push_back(second[i] / first[i]);
    Verdict verdict;
    verdict.pairs = ratios.size();
    if (!ratios.empty()) verdict.ratio = summaryOf(ratios).median;
    const std::optional<Interval> interval = medianInterval(ratios);
    if (interval) verdict.interval = *interval;
    if (machineIsBusy) {
        verdict.why = "this machine is busy";
    } else if (!interval) {
        verdict.why =
            "only " + std::to_string(ratios.size()) + (ratios.size() == 1 ? " pair" : " pairs") + ", 95 % needs 6";
    } else if (interval->holds(1)) {
        verdict.why = "the interval holds 1";
    } else {
        verdict.answer = verdict.ratio > 1 ? Answer::FirstFaster : Answer::SecondFaster;
    }
    return verdict;
}

std::string textOf(const Verdict& verdict, const std::string& first, const std::string& second) {
    const bool flip = verdict.answer == Answer::SecondFaster;
    const auto factor = [&](double ratio) {
        const double x = flip ? 1 / ratio : ratio;
        char text[32];
        std::snprintf(text, sizeof text, x < 1.995 ? "%.3f" : x < 99.95 ? "%.1f" : "%.0f", x);
        return std::string(text);
    };
    const bool known = verdict.interval.low > 0 && verdict.interval.high > 0;
    std::string range;
    if (known)
        range = " (" + factor(flip ? verdict.interval.high : verdict.interval.low) + " to " +
                factor(flip ? verdict.interval.low : verdict.interval.high) + ")";
    if (verdict.answer == Answer::CannotTell) {
        std::string text = "cannot tell: " + verdict.why;
        if (known) text += "; " + second + " takes " + factor(verdict.ratio) + " times as long as " + first + range;
        return text;
    }
    return (flip ? second : first) + " faster " + factor(verdict.ratio) + "x" + range;
}

} // namespace stridescope::timing
