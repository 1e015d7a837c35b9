#include "core/timing/record.h"

#include "core/backend/cpu/gemm.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cuda/loader.h"
#include "core/storage/memory_budget.h"
#include "core/timing/report.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <thread>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace stridescope::timing {

const char* name(Layout layout) {
    switch (layout) {
    case Layout::Transposed:
        return "transposed";
    case Layout::Stepped:
        return "stepped";
    case Layout::Expanded:
        return "expanded";
    case Layout::Contiguous:
        break;
    }
    return "contiguous";
}

const char* name(Cache cache) {
    switch (cache) {
    case Cache::Warm:
        return "warm";
    case Cache::Cold:
        return "cold";
    case Cache::ByOperation:
        break;
    }
    return "default";
}

const char* name(Part part) {
    switch (part) {
    case Part::Upload:
        return "upload";
    case Part::Download:
        return "download";
    case Part::RoundTrip:
        return "round trip";
    case Part::Compute:
        break;
    }
    return "compute";
}

std::string Measurement::label() const {
    std::string text = device;
    if (operation == "statement") { // several are measured in turns: their code tells them apart
        text = shortened(statement, 40);
        if (threads > 1) text += ", " + std::to_string(threads) + " threads";
    } else if (device == "cpu")
        text = "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    switch (part) {
    case Part::Upload:
        return "upload to " + text;
    case Part::Download:
        return "download from " + text;
    case Part::RoundTrip:
        return text + " with transfers";
    case Part::Compute:
        break;
    }
    return text;
}

void judge(Measurement& m) {
    const std::span<const Sample> samples = m.measured.samples;
    m.dropped = static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.dropped != Dropped::No; }));
    m.host = summaryOf(keptTimes(samples));
    m.onDevice.reset();
    m.launch.reset();
    const auto has = [&](double BlockTimes::*which) {
        return !samples.empty() && std::none_of(samples.begin(), samples.end(),
                                                [&](const Sample& s) { return std::isnan(s.times.*which); });
    };
    if (has(&BlockTimes::device)) m.onDevice = summaryOf(keptTimes(samples, true));
    if (has(&BlockTimes::launch)) {
        std::vector<double> launches;
        for (const Sample& s : samples)
            if (s.calls > 0) launches.push_back(s.times.launch / static_cast<double>(s.calls));
        m.launch = summaryOf(launches);
    }
    m.interval = medianInterval(keptTimes(samples, m.byDevice()));
}

std::vector<Comparison> comparisonsOf(std::span<const Measurement> measurements, std::size_t before) {
    std::vector<Comparison> comparisons;
    std::map<std::size_t, std::size_t> firstOf; // group: place
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        const Measurement& m = measurements[i];
        if (m.part != Part::Compute && m.part != Part::RoundTrip) continue;
        const auto [at, isFirst] = firstOf.emplace(m.group, i);
        if (isFirst) continue;
        const Measurement& first = measurements[at->second];
        if (m.host.count == 0 || first.host.count == 0) continue;
        comparisons.push_back({before + at->second, before + i,
                               compareRounds(first.measured.samples, m.measured.samples, first.busy || m.busy, true)});
    }
    return comparisons;
}

namespace {

std::string firstLine(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// Lines of /proc/cpuinfo that begin with `key`: what stands behind the colon.
std::vector<std::string> processorFacts(std::string_view key) {
    std::ifstream info("/proc/cpuinfo");
    std::vector<std::string> facts;
    std::string line;
    while (std::getline(info, line)) {
        const std::size_t colon = line.find(':');
        if (line.rfind(key, 0) == 0 && colon != std::string::npos && colon + 2 <= line.size())
            facts.push_back(line.substr(colon + 2));
    }
    return facts;
}

double numberIn(const std::string& text) {
    double value = 0;
    return std::sscanf(text.c_str(), "%lf", &value) == 1 && value > 0 ? value : 0;
}

Index lastCache() {
    Index largest = 0;
    for (int i = 0; i < 8; ++i) {
        const std::string size =
            firstLine("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/size"); // "32768K"
        long long number = 0;
        char unit = 0;
        if (std::sscanf(size.c_str(), "%lld%c", &number, &unit) < 1 || number <= 0 || number > (1 << 30)) continue;
        largest = std::max<Index>(largest, number * (unit == 'M' ? 1 << 20 : unit == 'K' ? 1 << 10 : 1));
    }
    return largest;
}

std::string driverVersion() {
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  …": the first word that is a number with points.
    const std::string line = firstLine("/proc/driver/nvidia/version");
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        const std::string word = line.substr(at, end - at);
        if (!word.empty() && word.find_first_not_of("0123456789.") == std::string::npos &&
            word.find('.') != std::string::npos)
            return word;
        at = end + 1;
    }
    return {};
}

} // namespace

double megahertzNow() {
    double greatest = 0;
    for (const std::string& text : processorFacts("cpu MHz")) greatest = std::max(greatest, numberIn(text));
    if (greatest > 0) return greatest;
    return numberIn(firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq")) / 1000;
}

Conditions conditionsNow() {
    Conditions c;
    char host[256] = {};
    if (gethostname(host, sizeof host - 1) == 0) c.machine = host;
    const auto names = processorFacts("model name");
    c.processor = names.empty() ? "unknown processor" : names.front();
    cpu_set_t set;
    CPU_ZERO(&set);
    c.processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                               : static_cast<int>(std::thread::hardware_concurrency());
    c.instructions = cpu::isa().name;
    c.blasKernels = cpu::blasKernels();
    c.governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    c.megahertzBefore = c.megahertzAfter = megahertzNow();
    utsname system{};
    if (uname(&system) == 0) c.system = std::string(system.sysname) + " " + system.release;
    const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)),
                 page = static_cast<double>(sysconf(_SC_PAGESIZE));
    if (pages > 0) c.memory = formatBytes(static_cast<Index>(pages * page));
    c.lastCacheBytes = lastCache();
    const CudaProbe& probe = cudaProbe();
    if (probe.state == CudaState::Ready) {
        const std::string driver = driverVersion();
        for (int i = 0; i < probe.deviceCount; ++i) {
            const cuda::DeviceProperties device = cudaDeviceProperties(i);
            c.devices.push_back("cuda:" + std::to_string(i) + ": " + device.name + ", compute capability " +
                                std::to_string(device.major) + "." + std::to_string(device.minor) +
                                (driver.empty() ? "" : ", driver " + driver));
        }
    }
    c.version = STRIDESCOPE_VERSION;
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    c.date = date;
    return c;
}

std::string Run::label() const {
    std::string text = conditions.machine.empty() ? "unknown machine" : conditions.machine;
    if (!conditions.processor.empty()) text += ", " + conditions.processor;
    for (const std::string& device : conditions.devices) text += ", " + device.substr(0, device.find(','));
    if (!conditions.date.empty()) text += ", " + conditions.date.substr(0, 10);
    if (!conditions.version.empty()) text += ", version " + conditions.version;
    return text;
}

namespace {

/// That of the same device and threads; of GEMM also of the dtype. Complex products are not measured.
const Ceiling* ceilingOf(const Run& run, const Measurement& m, std::string_view what) {
    for (const Ceiling& c : run.ceilings) {
        if (c.what != what || c.device != m.device || (c.device == "cpu" && c.threads != m.threads)) continue;
        if (what == "gemm" && c.dtype != m.dtype) continue;
        return &c;
    }
    return nullptr;
}

} // namespace

const Ceiling* Run::copyCeiling(const Measurement& m) const {
    return ceilingOf(*this, m, "copy");
}

const Ceiling* Run::gemmCeiling(const Measurement& m) const {
    return ceilingOf(*this, m, "gemm");
}

std::optional<ShareOfPeak> shareOfPeak(const Run& run, const Measurement& m) {
    if (m.part != Part::Compute) return std::nullopt;
    std::optional<ShareOfPeak> best;
    const Ceiling *gemm = run.gemmCeiling(m), *copy = run.copyCeiling(m);
    if (gemm && m.flops > 0) best = ShareOfPeak{m.flopsPerSecond() / gemm->perSecond, true};
    // What the cache of a device holds is not in the record: there, too, only what is cold is known to come from
    // memory.
    const double cache = static_cast<double>(run.conditions.lastCacheBytes);
    const bool fromMemory = m.cache == Cache::Cold || (m.device == "cpu" && cache > 0 && m.bytes > cache);
    if (copy && m.bytes > 0 && fromMemory) {
        const double share = m.bytesPerSecond() / copy->perSecond;
        if (!best || share > best->share) best = ShareOfPeak{share, false};
    }
    return best;
}

} // namespace stridescope::timing
