// A sweep's parts as text, and what cannot be run.

#include "core/backend/backend.h"
#include "core/storage/memory_budget.h"
#include "core/timing/sweep.h"
#include "core/timing/timed_operation.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace stridescope::timing {

namespace {

constexpr std::size_t kMostSizes = 1000;
constexpr Index kGreatestSize = Index{1} << 40;

Refusal refuse(std::string id, std::string message, std::string hint) {
    return {ErrorKind::Value, std::move(id), std::move(message), std::move(hint), {}};
}

std::vector<std::string_view> partsOf(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0;;) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, comma - at));
        if (comma == text.size()) return parts;
        at = comma + 1;
    }
}

bool readWhole(std::string_view text, Index& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text.substr(0, 60)) + "'";
}

/// How many letters have to be changed, put in or taken out.
std::size_t lettersApart(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string namesNear(std::string_view text) {
    std::string near;
    int count = 0;
    for (const TimedOperation& operation : timedOperations()) {
        const bool isNear = (text.size() > 1 && operation.name.find(text) != std::string_view::npos) ||
                            lettersApart(text, operation.name) <= (text.size() > 3 ? 2u : 1u);
        if (isNear && ++count <= 6) near += (near.empty() ? "" : ", ") + std::string(operation.name);
    }
    return near;
}

/// Every part by `one`, each once.
template <class T, class One>
Result<std::vector<T>> listFromText(std::string_view text, One one) {
    std::vector<T> list;
    for (const std::string_view part : partsOf(text)) {
        Result<T> value = one(part);
        if (!value) return value.takeRefusal();
        if (std::find(list.begin(), list.end(), *value) == list.end()) list.push_back(std::move(*value));
    }
    return list;
}

template <class T, class Name>
std::string joined(const std::vector<T>& list, Name name) {
    std::string text;
    for (const T& item : list) text += (text.empty() ? "" : ",") + std::string(name(item));
    return text;
}

Refusal badSizes(std::string_view part) {
    return refuse("BENCH-01", "sizes: " + quoted(part) + " is neither a size nor FROM:TO:xFACTOR nor FROM:TO:+STEP",
                  "Sizes are 1 to 2^40: 64:8192:x2, 100:1000:+100 or 64,500,5000.");
}

} // namespace

Result<std::vector<Index>> sizesFromText(std::string_view text) {
    std::vector<Index> sizes;
    for (const std::string_view part : partsOf(text)) {
        const std::size_t colon = part.find(':');
        Index from = 0;
        if (!readWhole(part.substr(0, colon), from) || from < 1 || from > kGreatestSize) return badSizes(part);
        sizes.push_back(from);
        if (colon != std::string_view::npos) {
            const std::size_t second = part.find(':', colon + 1);
            Index to = 0, by = 0;
            if (second == std::string_view::npos || !readWhole(part.substr(colon + 1, second - colon - 1), to) ||
                second + 2 >= part.size() || !readWhole(part.substr(second + 2), by))
                return badSizes(part);
            const char kind = part[second + 1];
            if ((kind != 'x' && kind != '+') || by < (kind == 'x' ? 2 : 1) || to < from || to > kGreatestSize)
                return badSizes(part);
            for (Index n = from; n <= (kind == 'x' ? to / by : to - by) && sizes.size() <= kMostSizes;)
                sizes.push_back(n = kind == 'x' ? n * by : n + by);
        }
        if (sizes.size() > kMostSizes)
            return refuse("BENCH-01", "sizes: " + quoted(text) + " are more than " + std::to_string(kMostSizes),
                          "Take a greater factor or step.");
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

Result<std::vector<std::string>> operationsFromText(std::string_view text) {
    return listFromText<std::string>(text, [](std::string_view part) -> Result<std::string> {
        if (findTimedOperation(part)) return std::string(part);
        if (const std::string why = whyNotTimed(part); !why.empty())
            return refuse("BENCH-02", "operations: " + why, "stridescope bench --list names those that can be timed.");
        const std::string near = namesNear(part);
        return refuse("BENCH-02", "operations: there is no " + quoted(part) + (near.empty() ? "" : "; near: " + near),
                      "stridescope bench --list names all.");
    });
}

Result<std::vector<DType>> dtypesFromText(std::string_view text) {
    return listFromText<DType>(text, [](std::string_view part) -> Result<DType> {
        std::string known;
        for (const DType t : kAllDTypes) {
            if (part == name(t)) return t;
            known += (known.empty() ? "" : ", ") + std::string(name(t));
        }
        return refuse("BENCH-03", "dtypes: there is no " + quoted(part), "Known: " + known + ".");
    });
}

Result<std::vector<Layout>> layoutsFromText(std::string_view text) {
    return listFromText<Layout>(text, [](std::string_view part) -> Result<Layout> {
        for (const Layout layout : {Layout::Contiguous, Layout::Transposed, Layout::Stepped, Layout::Expanded})
            if (part == name(layout)) return layout;
        return refuse("BENCH-04", "layouts: there is no " + quoted(part),
                      "Known: contiguous, transposed, stepped, expanded.");
    });
}

Result<std::vector<Device>> devicesFromText(std::string_view text) {
    return listFromText<Device>(text, [](std::string_view part) -> Result<Device> {
        Result<Device> device = deviceFromString(part);
        if (!device)
            return refuse("BENCH-05", "devices: " + quoted(part) + " is no device", "Known: cpu, cuda:0, cuda:1, …");
        if (device->type == DeviceType::Sim)
            return refuse("BENCH-06", "devices: " + quoted(part) + " is simulated; its times say nothing about any GPU",
                          "Take cpu or cuda:0.");
        return *device;
    });
}

Result<std::vector<int>> threadsFromText(std::string_view text) {
    return listFromText<int>(text, [](std::string_view part) -> Result<int> {
        Index count = 0;
        if (readWhole(part, count) && count >= 1 && count <= 1024) return static_cast<int>(count);
        return refuse("BENCH-07", "threads: " + quoted(part) + " is no number from 1 to 1024", "Such as 1,2.");
    });
}

std::string textOfSizes(const std::vector<Index>& sizes) {
    if (sizes.size() > 2) {
        const Index factor = sizes[0] > 0 && sizes[1] % sizes[0] == 0 ? sizes[1] / sizes[0] : 0;
        const Index step = sizes[1] - sizes[0];
        bool byFactor = factor >= 2, byStep = step >= 1;
        for (std::size_t i = 1; i < sizes.size(); ++i) {
            byFactor = byFactor && sizes[i] == sizes[i - 1] * factor;
            byStep = byStep && sizes[i] == sizes[i - 1] + step;
        }
        const std::string ends = std::to_string(sizes.front()) + ":" + std::to_string(sizes.back()) + ":";
        if (byFactor) return ends + "x" + std::to_string(factor);
        if (byStep) return ends + "+" + std::to_string(step);
    }
    return joined(sizes, [](Index n) { return std::to_string(n); });
}

std::string commandOf(const SweepRequest& request) {
    std::string text = "stridescope bench --op " + joined(request.operations, [](const std::string& op) { return op; });
    text += " --sizes " + textOfSizes(request.sizes);
    text += " --dtype " + joined(request.dtypes, [](DType t) { return name(t); });
    text += " --layout " + joined(request.layouts, [](Layout layout) { return name(layout); });
    text += " --devices " + joined(request.devices, [](Device d) { return toString(d); });
    text += " --threads " + joined(request.threads, [](int count) { return std::to_string(count); });
    if (request.cache != Cache::ByOperation) text += std::string(" --cache ") + name(request.cache);
    if (!request.transfers) text += " --no-transfers";
    if (!request.ceilings) text += " --no-peaks";
    const MeasureOptions standard;
    const auto number = [](double x) {
        char digits[32];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
    };
    if (request.measure.maxSeconds != standard.maxSeconds) text += " --max-time " + number(request.measure.maxSeconds);
    if (request.measure.maxRounds != standard.maxRounds)
        text += " --rounds " + std::to_string(request.measure.maxRounds);
    const double warmUp = request.measure.warmUp ? request.measure.warmUpSeconds : 0;
    if (warmUp != standard.warmUpSeconds) text += " --warm-up " + number(warmUp);
    if (request.measure.precision != standard.precision) text += " --precision " + number(request.measure.precision);
    if (request.measure.seed != standard.seed) text += " --seed " + std::to_string(request.measure.seed);
    return text;
}

namespace {

std::optional<Refusal> deviceProblem(Device device, bool allowSimulated) {
    if (device.isCpu()) return std::nullopt;
    Backend* backend = backendOf(device.type);
    if (!backend && device.type == DeviceType::Cuda)
        return refuse(
            "BENCH-11", toString(device) + " is not available: " + cudaUnavailableReason(),
            "stridescope devices tells what is missing; time on cpu, or open a run that was recorded elsewhere.");
    if (!backend || device.index >= backend->deviceCount())
        return refuse("BENCH-11",
                      toString(device) + " is not there: " + std::to_string(backend ? backend->deviceCount() : 0) +
                          " devices of that kind",
                      "stridescope devices lists those that are.");
    if (!allowSimulated && backend->about(device).simulated)
        return refuse("BENCH-06", toString(device) + " is simulated; its times say nothing about any GPU",
                      "Take cpu or a real device.");
    return std::nullopt;
}

std::optional<Refusal> operationProblem(const SweepRequest& request, const std::string& name) {
    const Result<std::vector<std::string>> known = operationsFromText(name);
    if (!known) return known.refusal();
    const TimedOperation& operation = *findTimedOperation(name);
    for (const DType t : request.dtypes)
        if (!operation.dtypes.has(t))
            return refuse("BENCH-09", name + " does not take " + std::string(stridescope::name(t)),
                          "It takes: " + dtypes::text(operation.dtypes) + ".");
    for (const Layout layout : request.layouts)
        if (!canHave(operation.operands, layout))
            return refuse("BENCH-10", name + ": its operands cannot be " + timing::name(layout), "Take contiguous.");
    const double most = static_cast<double>(availableMemory()) / 4;
    for (const DType t : request.dtypes)
        for (const Index n : request.sizes) {
            const double bytes = operandBytes(operation.operands, n, t);
            if (bytes <= most) continue;
            char text[160];
            std::snprintf(text, sizeof text,
                          "operands for n = %lld have %.3g GB, a quarter of the memory available is %.3g GB",
                          static_cast<long long>(n), bytes / 1e9, most / 1e9);
            return refuse("BENCH-12", name + ": " + text, "Take smaller sizes.");
        }
    return std::nullopt;
}

} // namespace

std::optional<Refusal> problemOf(const SweepRequest& request) {
    if (request.operations.empty()) return refuse("BENCH-02", "operations: there is none", "Such as mm.");
    if (request.sizes.empty() ||
        std::any_of(request.sizes.begin(), request.sizes.end(), [](Index n) { return n < 1 || n > kGreatestSize; }))
        return refuse("BENCH-01", "sizes: there is none, or one is not 1 to 2^40", "Such as 64:1024:x2.");
    if (request.dtypes.empty()) return refuse("BENCH-03", "dtypes: there is none", "Such as float32.");
    if (request.layouts.empty()) return refuse("BENCH-04", "layouts: there is none", "Such as contiguous.");
    if (request.devices.empty()) return refuse("BENCH-05", "devices: there is none", "Such as cpu.");
    if (request.threads.empty() || std::any_of(request.threads.begin(), request.threads.end(),
                                               [](int count) { return count < 1 || count > 1024; }))
        return refuse("BENCH-07", "threads: there is none, or one is not 1 to 1024", "Such as 1,2.");
    const std::size_t points =
        request.operations.size() * request.sizes.size() * request.dtypes.size() * request.layouts.size();
    if (points > kMaxPoints)
        return refuse("BENCH-08",
                      "the sweep has " + std::to_string(points) + " points, at most " + std::to_string(kMaxPoints),
                      "Take fewer operations, sizes, dtypes or layouts.");
    for (const Device device : request.devices)
        if (auto problem = deviceProblem(device, request.allowSimulated)) return problem;
    for (const std::string& name : request.operations)
        if (auto problem = operationProblem(request, name)) return problem;
    return std::nullopt;
}

} // namespace stridescope::timing
