#pragma once
// The fields of a recorded run by name, for whoever writes or reads them: one list for both directions.

#include "core/timing/record.h"

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope::timing::fields {

template <class V>
void of(V& v, Conditions& c) {
    v("machine", c.machine);
    v("processor", c.processor);
    v("processors", c.processors);
    v("instructions", c.instructions);
    v("blas_kernels", c.blasKernels);
    v("governor", c.governor);
    v("megahertz_before", c.megahertzBefore);
    v("megahertz_after", c.megahertzAfter);
    v("system", c.system);
    v("memory", c.memory);
    v("last_cache_bytes", c.lastCacheBytes);
    v("devices", c.devices);
    v("version", c.version);
    v("date", c.date);
}

template <class V>
void of(V& v, Ceiling& c) {
    v("device", c.device);
    v("threads", c.threads);
    v("what", c.what);
    v("dtype", c.dtype);
    v("per_second", c.perSecond);
    v("spread", c.spread);
}

/// All but the samples, which have columns.
template <class V>
void of(V& v, Measurement& m) {
    v("operation", m.operation);
    v("statement", m.statement);
    v("setup", m.setup);
    v("n", m.n);
    v("shapes", m.shapes);
    v("dtype", m.dtype);
    v("layout", m.layout);
    v("cache", m.cache);
    v("device", m.device);
    v("threads", m.threads);
    v("part", m.part);
    v("bytes", m.bytes);
    v("flops", m.flops);
    v("group", m.group);
    v("compared_with", m.comparedWith);
    v("relative_error", m.relativeError);
    v("product_mode", m.productMode);
    v("notes", m.notes);
    v("stop", m.stop);
    v("busy", m.busy);
    v("may_wait", m.mayWait);
    v("clock_cost", m.clockCost);
    v("best_probe", m.measured.bestProbe);
    v("calls_per_block", m.measured.callsPerBlock);
    v("first_call", m.measured.firstCall);
    v("warm", m.measured.warm);
}

inline constexpr std::array<const char*, 10> kSampleColumns{
    "calls",        "host",        "device",          "launch",   "started",
    "probe_before", "probe_after", "processor_share", "switches", "dropped"};
template <class V>
void of(V& v, Sample& s) {
    v(kSampleColumns[0], s.calls);
    v(kSampleColumns[1], s.times.host);
    v(kSampleColumns[2], s.times.device);
    v(kSampleColumns[3], s.times.launch);
    v(kSampleColumns[4], s.started);
    v(kSampleColumns[5], s.probeBefore);
    v(kSampleColumns[6], s.probeAfter);
    v(kSampleColumns[7], s.processorShare);
    v(kSampleColumns[8], s.switches);
    v(kSampleColumns[9], s.dropped);
}

/// The value of an enum by its name.
template <class Enum>
std::optional<Enum> byName(std::string_view text, std::initializer_list<Enum> all) {
    for (const Enum e : all)
        if (text == name(e)) return e;
    return std::nullopt;
}
inline std::optional<Layout> valueOf(std::string_view text, Layout) {
    return byName(text, {Layout::Contiguous, Layout::Transposed, Layout::Stepped, Layout::Expanded});
}
inline std::optional<Cache> valueOf(std::string_view text, Cache) {
    return byName(text, {Cache::Warm, Cache::Cold});
}
inline std::optional<Part> valueOf(std::string_view text, Part) {
    return byName(text, {Part::Compute, Part::Upload, Part::Download, Part::RoundTrip});
}
inline std::optional<Stop> valueOf(std::string_view text, Stop) {
    return byName(text, {Stop::Precise, Stop::Time, Stop::Rounds, Stop::Cancelled});
}
inline std::optional<Dropped> valueOf(std::string_view text, Dropped) {
    return byName(text, {Dropped::No, Dropped::Probe, Dropped::Switched, Dropped::Processor});
}
inline std::optional<DType> valueOf(std::string_view text, DType) {
    for (const DType t : kAllDTypes)
        if (text == stridescope::name(t)) return t;
    return std::nullopt;
}

/// Values in text, as both kinds of files have them; what is not measured has none.
inline std::string textOf(double x) {
    if (!std::isfinite(x)) return {};
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, x).ptr);
}
inline std::string textOf(bool truth) {
    return truth ? "true" : "false";
}
template <std::integral T>
std::string textOf(T x) {
    return std::to_string(x);
}
template <class E>
requires std::is_enum_v<E> std::string textOf(E e) {
    return std::string(name(e));
}

/// What follows from the samples of a measurement that was read whole. What is wrong with it; empty where nothing is.
std::string complete(Measurement& m);
/// "there are more than 100000 measurements"
inline std::string moreThan(std::size_t most, const char* what) {
    return "there are more than " + std::to_string(most) + " " + what;
}

} // namespace stridescope::timing::fields
