#include "core/timing/timed_case.h"

#include "core/backend/backend.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/storage/memory_budget.h"

#include <algorithm>

namespace stridescope::timing {

namespace {

constexpr std::size_t kMostSets = 4096;

std::size_t setsWanted(double bytes, double cacheBytes) {
    // As much again for the results. Some virtual machines tell the cache of a whole socket, hundreds of MB.
    const double most = std::min(static_cast<double>(availableMemory()) / 8, 512e6);
    const double wanted = std::ceil(std::min(4 * cacheBytes, most) / std::max(bytes, 1.0));
    return static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(kMostSets)));
}

} // namespace

TimedCase::TimedCase(const TimedOperation& operation, Index n, DType dtype, Layout layout, bool cold, double cacheBytes,
                     std::uint64_t seed, Device device)
    : m_operation(operation), m_device(device) {
    const double bytes = operandBytes(operation.operands, n, dtype);
    const std::size_t sets = cold ? setsWanted(bytes, cacheBytes) : 1;
    m_sets.push_back(operandsFor(operation, n, dtype, layout, seed, device));
    for (std::size_t i = 1; i < sets; ++i) // other numbers would cost as much as the sweep
        m_sets.push_back(operandsFor(operation, n, dtype, layout, seed + i % 4, device));
    if (sets > 1) m_results.resize(sets);
}

void TimedCase::call() {
    if (m_sets.size() == 1) {
        m_operation.call(m_sets.front());
        return;
    }
    m_results[m_next] = m_operation.call(m_sets[m_next]);
    m_next = m_next + 1 == m_sets.size() ? 0 : m_next + 1;
}

void TimedCase::prepare() {
    if (++m_prepared != 2 || m_sets.size() == 1) return;
    for (std::size_t i = 0; i < m_sets.size(); ++i) call();
}

Subject deviceSubject(std::string label, std::function<void()> call, Device device, Clock& clock) {
    Backend& backend = backendFor(device);
    std::shared_ptr<DeviceEvent> start, stop;
    try {
        start = backend.newEvent(device);
        stop = backend.newEvent(device);
    } catch (const Error&) { // a backend with one queue and no events
        start = stop = nullptr;
    }
    Subject subject;
    subject.label = std::move(label);
    subject.mayWait = true;
    subject.block = [call = std::move(call), device, &clock, &backend, start, stop](std::int64_t calls) {
        constexpr std::int64_t kLaunches = 64; // beyond that a full queue makes the host wait
        const StreamId stream = backend.currentStream(device);
        backend.synchronize(device);
        if (start) start->record(stream);
        const double began = clock.now();
        const std::int64_t first = std::min(calls, kLaunches);
        for (std::int64_t i = 0; i < first; ++i) call();
        const double launched = clock.now();
        for (std::int64_t i = first; i < calls; ++i) call();
        if (stop) stop->record(stream);
        backend.synchronize(device);
        BlockTimes times{clock.now() - began};
        if (start) times.device = start->millisecondsTo(*stop) * 1e-3;
        if (first > 0) times.launch = (launched - began) * static_cast<double>(calls) / static_cast<double>(first);
        return times;
    };
    return subject;
}

Subject caseSubject(std::string label, const std::shared_ptr<TimedCase>& timed, int threads, Clock& clock) {
    const Device device = timed->device();
    if (!device.isCpu()) {
        Subject subject = deviceSubject(
            std::move(label), [timed] { timed->call(); }, device, clock);
        subject.prepare = [threads, timed] {
            setNumThreads(threads);
            timed->prepare();
        };
        return subject;
    }
    Subject subject = hostSubject(
        std::move(label), [timed] { timed->call(); }, clock, threads);
    subject.prepare = [threads, timed] {
        setNumThreads(threads);
        timed->prepare();
    };
    return subject;
}

double relativeError(std::span<const Tensor> a, std::span<const Tensor> b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    const auto plain = [](const Tensor& t) {
        const Tensor host = to(t, Device{});
        return isComplex(host.dtype()) ? viewAsReal(contiguous(to(host, DType::Complex128)))
                                       : contiguous(to(host, DType::Float64));
    };
    double difference = 0, greatest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i].defined() && !b[i].defined()) continue;
        if (!a[i].defined() || !b[i].defined() || a[i].shape() != b[i].shape())
            return std::numeric_limits<double>::infinity();
        const Tensor x = plain(a[i]), y = plain(b[i]);
        const double *p = x.data<double>(), *q = y.data<double>();
        for (Index k = 0; k < x.numel(); ++k) {
            if (std::isfinite(p[k])) greatest = std::max(greatest, std::abs(p[k]));
            if (p[k] == q[k] || (std::isnan(p[k]) && std::isnan(q[k]))) continue;
            const double d = std::abs(p[k] - q[k]);
            if (!std::isfinite(d)) return std::numeric_limits<double>::infinity();
            difference = std::max(difference, d);
        }
    }
    if (difference == 0) return 0;
    return greatest > 0 ? difference / greatest : std::numeric_limits<double>::infinity();
}

double cacheBytesOf(Device device) {
    if (!device.isCpu()) return 64e6; // no device of today has more than 60 MB of L2
    const Index bytes = conditionsNow().lastCacheBytes;
    return bytes > 0 ? static_cast<double>(bytes) : 32e6;
}

} // namespace stridescope::timing
