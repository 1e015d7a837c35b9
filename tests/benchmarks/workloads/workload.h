#pragma once
// One line of the comparison with PyTorch: what is computed, written twice, and how far we want to be ahead.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/random.h"
#include "tests/benchmarks/timing.h"

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stridescope::bench {

/// Seconds of one call, measured over a block of so many calls.
using Timed = std::function<double(long calls)>;

struct Workload {
    const char* section; ///< of the list of goals
    std::string name;
    const char* torchSetup; ///< Python, run once; `r` is torch.rand
    const char* torchCall;  ///< Python, timed; empty: PyTorch has no part in it
    double goal;            ///< most of our time / PyTorch's; 0: none
    std::function<Timed()> ours;
    double goalNanoseconds = 0;    ///< most of our own time on the machine where goals were set; 0: none
    std::function<Timed()> peer{}; ///< in this process
    const char* peerName = "";
    double peerGoal = 0; ///< most of our time / the peer's

    /// Both take a function that prepares operands and gives the call.
    template <class Prepare>
    Workload& against(const char* what, double most, Prepare prepare);
    Workload& within(double nanoseconds) {
        goalNanoseconds = nanoseconds;
        return *this;
    }
};

/// Times calls without anything between them and the clock but the loop.
template <class Call>
Timed timed(Call call) {
    return [call = std::move(call)](long calls) { return secondsOf(call, calls, Clock::Processor); };
}

template <class Prepare>
Workload& Workload::against(const char* what, double most, Prepare prepare) {
    peerName = what;
    peerGoal = most;
    peer = [prepare]() { return timed(prepare()); };
    return *this;
}

class Workloads {
public:
    explicit Workloads(const char* section) : m_section(section) {}

    /// `prepare` makes the operands and returns what is timed.
    template <class Prepare>
    Workload& add(std::string name, double goal, const char* torchSetup, const char* torchCall, Prepare prepare) {
        m_list.push_back(
            {m_section, std::move(name), torchSetup, torchCall, goal, [prepare]() { return timed(prepare()); }});
        return m_list.back();
    }
    std::vector<Workload> take() { return std::move(m_list); }

private:
    const char* m_section;
    std::vector<Workload> m_list;
};

/// A result must be computed though nobody looks at it.
inline void use(const Tensor& t) {
    touch(t.storage()->data());
}

inline Tensor integers(Index below, const Dims& shape, DType dtype) {
    return randint(0, below, shape, {dtype, Device{}});
}

/// What memcpy of so many bytes needs, as a call.
inline auto memcpyOf(Index bytes) {
    const Tensor from = integers(256, {bytes}, DType::UInt8), to = integers(256, {bytes}, DType::UInt8);
    return [=] {
        std::memcpy(to.storage()->data(), from.storage()->data(), static_cast<std::size_t>(bytes));
        use(to);
    };
}

std::vector<Workload> matrixWorkloads();
std::vector<Workload> elementwiseWorkloads();
std::vector<Workload> reductionWorkloads();
std::vector<Workload> stridedWorkloads();
std::vector<Workload> callWorkloads();
std::vector<Workload> randomWorkloads();

} // namespace stridescope::bench
