#include "core/timing/report.h"

#include "core/timing/crossover.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <set>

namespace stridescope::timing {

namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(text, sizeof text, pattern, arguments);
    va_end(arguments);
    return text;
}

/// Three significant digits without an exponent, 1 <= x < 1000.
std::string threeDigits(double x) {
    return format(x < 9.995 ? "%.2f" : x < 99.95 ? "%.1f" : "%.0f", x);
}

std::string whatOf(const Measurement& m) {
    std::string text = m.operation == "statement" ? m.statement : m.operation;
    if (m.layout != Layout::Contiguous) text += std::string(" ") + name(m.layout);
    return shortened(text, 22);
}

} // namespace

std::string shortened(const std::string& text, std::size_t bytes) {
    const std::size_t line = text.find('\n');
    std::string out = text.substr(0, line);
    if (out.size() <= bytes && line == std::string::npos) return out;
    std::size_t end = std::min(out.size(), bytes - 3);
    while (end > 0 && end < out.size() && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
    return out.substr(0, end) + "...";
}

std::string timeText(double seconds) {
    if (!std::isfinite(seconds)) return "-";
    if (seconds < 999.5e-9)
        return seconds < 1e-9 ? format("%.2f ns", seconds * 1e9) : threeDigits(seconds * 1e9) + " ns";
    if (seconds < 999.5e-6) return threeDigits(seconds * 1e6) + " us";
    if (seconds < 0.9995) return threeDigits(seconds * 1e3) + " ms";
    return seconds < 1000 ? threeDigits(seconds) + " s" : format("%.0f s", seconds);
}

std::string rateText(double perSecond, const char* unit) {
    if (!(perSecond > 0)) return "-";
    const double giga = perSecond / 1e9;
    if (giga < 0.995) return format("%.2g G%s", giga, unit);
    return (giga < 999.5 ? threeDigits(giga) : format("%.0f", giga)) + " G" + unit;
}

std::string tableHead() {
    return format("%8s  %-22s  %-9s  %-26s  %9s  %-19s  %5s  %7s  %12s  %10s  %5s  %s\n", "n", "operation", "dtype",
                  "where", "median", "middle half", "runs", "dropped", "flop/s", "byte/s", "peak", "");
}

std::string tableRow(const Run& run, const Measurement& m) {
    const Summary& s = m.times();
    const std::string half = timeText(s.lowerQuartile) + " - " + timeText(s.upperQuartile);
    const auto share = shareOfPeak(run, m);
    std::string remarks = m.cache == Cache::Cold ? "cold" : "warm";
    remarks += format(", spread %.0f %%", 100 * s.spread());
    if (m.doubtful()) remarks += ", do not trust";
    if (share && !share->isTrusted()) remarks += ", above the measured peak: that was measured on a busy machine";
    for (const std::string& note : m.notes) remarks += ", " + note;
    return format("%8lld  %-22s  %-9s  %-26s  %9s  %-19s  %5zu  %7zu  %12s  %10s  %5s  %s\n",
                  static_cast<long long>(m.n), whatOf(m).c_str(), std::string(stridescope::name(m.dtype)).c_str(),
                  m.label().c_str(), timeText(s.median).c_str(), half.c_str(), m.measured.samples.size(), m.dropped,
                  rateText(m.flopsPerSecond(), "FLOP/s").c_str(), rateText(m.bytesPerSecond(), "B/s").c_str(),
                  share && share->isTrusted() ? format("%.0f %%", 100 * share->share).c_str() : "-", remarks.c_str());
}

std::string conditionsText(const Run& run) {
    const Conditions& c = run.conditions;
    std::string text = c.processor + ", " + std::to_string(c.processors) + " processors, " + c.instructions +
                       " instructions, OpenBLAS kernels " + c.blasKernels + "\n";
    text += c.system + ", " + c.memory + " of memory, version " + c.version + ", " + c.date + "\n";
    text += "governor " + (c.governor.empty() ? std::string("not told") : c.governor);
    if (c.megahertzBefore > 0)
        text += format(", clock %.0f MHz before, %.0f after", c.megahertzBefore, c.megahertzAfter);
    text += "\n";
    for (const std::string& device : c.devices) text += device + "\n";
    for (const Ceiling& ceiling : run.ceilings) {
        const bool isCopy = ceiling.what == "copy";
        text += "peak of " + ceiling.what + ", " + ceiling.device +
                (ceiling.threads > 0
                     ? ", " + std::to_string(ceiling.threads) + (ceiling.threads == 1 ? " thread" : " threads")
                     : std::string()) +
                ", " + std::string(stridescope::name(ceiling.dtype)) + ": " +
                rateText(ceiling.perSecond, isCopy ? "B/s" : "FLOP/s") + "\n";
    }
    return text;
}

std::string conclusionsText(const Run& run) {
    std::string text;
    for (const Comparison& c : run.comparisons) {
        const Measurement &a = run.measurements[c.first], &b = run.measurements[c.second];
        text += (a.n > 0 ? format("n = %lld, ", static_cast<long long>(a.n)) : std::string()) + whatOf(a) + ": " +
                timing::textOf(c.verdict, a.label(), b.label());
        if (!std::isnan(b.relativeError)) text += format("; results differ by %.2g", b.relativeError);
        text += "\n";
    }
    // Each pair of curves once, by the measurements at their first size.
    std::set<std::string> told;
    for (const Comparison& c : run.comparisons) {
        const Measurement &a = run.measurements[c.first], &b = run.measurements[c.second];
        const std::string pair =
            whatOf(a) + ", " + std::string(stridescope::name(a.dtype)) + ": " + a.label() + " and " + b.label();
        if (!told.insert(pair).second) continue;
        const auto forwards = crossoverOf(curveOf(run, a), curveOf(run, b));
        const auto back = forwards ? std::nullopt : crossoverOf(curveOf(run, b), curveOf(run, a));
        if (!forwards && !back) continue;
        const Crossover& x = forwards ? *forwards : *back;
        text += pair + " cross between n = " + std::to_string(x.below) + " and " + std::to_string(x.above) +
                (x.estimate > 0 ? format(", near %.0f", x.estimate) : std::string()) + "; from there " +
                (forwards ? b : a).label() + " is faster\n";
    }
    for (const std::string& line : run.refused) text += "not measured: " + line + "\n";
    return text;
}

} // namespace stridescope::timing
