#pragma once
// An operation with its operands, ready to be called again and again: warm or cold, on the CPU or a device.

#include "core/device/device.h"
#include "core/timing/measure.h"
#include "core/timing/timed_operation.h"

#include <functional>
#include <memory>
#include <vector>

namespace stridescope::timing {

/// Sets of operands that are taken in turn. A warm case has one, a cold one so many that together they are four times
/// as large as the last cache; the results are kept as long, so that they do not come back to the same memory.
class TimedCase {
public:
    /// @throws as operandsFor, and for a device that is not there.
    TimedCase(const TimedOperation& operation, Index n, DType dtype, Layout layout, bool cold, double cacheBytes,
              std::uint64_t seed, Device device);

    void call();
    /// Before each block, outside its time. Before the second one every set is called once: memory that a cold case
    /// has never used would cost page faults, which come once and not with each call.
    void prepare();
    /// The first set, and what the operation makes of it.
    const std::vector<Tensor>& operands() const { return m_sets.front(); }
    std::vector<Tensor> result() const { return m_operation.call(operands()); }
    Device device() const { return m_device; }
    std::size_t sets() const { return m_sets.size(); }

private:
    const TimedOperation& m_operation;
    Device m_device;
    std::vector<std::vector<Tensor>> m_sets, m_results; ///< results only of a cold case
    std::size_t m_next = 0;
    int m_prepared = 0;
};

/// Calls of `call` on a device: between two events on its queue, and by the host's clock, synchronised on both sides.
/// A backend without events gives host times alone. `keep` lives as long as the subject.
Subject deviceSubject(std::string label, std::function<void()> call, Device device, Clock& clock);
/// The case on `threads` threads of the CPU, or on its device.
Subject caseSubject(std::string label, const std::shared_ptr<TimedCase>& timed, int threads, Clock& clock);

/// The greatest |a - b| over the greatest |a|, over all results; equal infinities and two NaN differ by nothing.
/// Infinite where shapes differ, or only one is NaN.
double relativeError(std::span<const Tensor> a, std::span<const Tensor> b);

/// Cache that a cold case has to leave: the last one of the CPU, or that of a device.
double cacheBytesOf(Device device);

} // namespace stridescope::timing
