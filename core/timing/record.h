#pragma once
// A recorded run: what was timed, on which machine, every sample, and what follows from them.

#include "core/dtype/dtype.h"
#include "core/index.h"
#include "core/timing/measure.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stridescope::timing {

/// How the operands lie in memory.
enum class Layout : std::uint8_t {
    Contiguous,
    Transposed, ///< the last two dims swapped in memory
    Stepped,    ///< every second element of the last dim
    Expanded,   ///< one row, repeated with stride 0
};
/// "contiguous", "transposed", "stepped", "expanded".
const char* name(Layout layout);

enum class Cache : std::uint8_t {
    ByOperation, ///< warm for products and algebra, cold for what moves memory
    Warm,        ///< one set of operands, again and again
    Cold,        ///< sets of operands in turn, together larger than the last cache
};
/// "default", "warm", "cold".
const char* name(Cache cache);

/// Which part of the way.
enum class Part : std::uint8_t {
    Compute,   ///< operands are where it computes
    Upload,    ///< the operands, host to device
    Download,  ///< the result, device to host
    RoundTrip, ///< upload, compute and download, as one
};
/// "compute", "upload", "download", "round trip".
const char* name(Part part);

/// One operation at one size on one device with one number of threads.
struct Measurement {
    // What
    std::string operation; ///< name in the operation table, or "statement"
    std::string statement; ///< as code: "torch.mm(A, B)"
    std::string setup;     ///< of a statement
    Index n = 0;           ///< the size; 0 where there is none
    std::string shapes;    ///< of the operands: "{64, 64} {64, 64}"
    DType dtype = DType::Float32;
    Layout layout = Layout::Contiguous;
    Cache cache = Cache::Warm; ///< never ByOperation
    std::string device = "cpu";
    int threads = 1; ///< 0: not this machine's threads (a device)
    Part part = Part::Compute;
    double bytes = 0; ///< that one call has to read and write; 0: not known
    double flops = 0; ///< of one call; 0: not known, or none
    // How
    Measured measured;
    Stop stop = Stop::Rounds;
    double clockCost = 0;
    bool mayWait = false;
    bool busy = false;     ///< too much was dropped: do not trust
    std::size_t group = 0; ///< measurements with one number were taken in turns: their rounds are pairs
    // Is it the same work?
    std::string comparedWith;            ///< the device and threads whose result it was compared with; empty: the first
    double relativeError = kNotMeasured; ///< the greatest, of all elements
    std::string productMode;             ///< "", "TF32"
    std::vector<std::string> notes;      ///< what a reader has to know: "stopped by time", "clock fell by 14 %"
    // What follows; filled by judge()
    Summary host;                     ///< seconds of one call
    std::optional<Summary> onDevice;  ///< by events
    std::optional<Summary> launch;    ///< host seconds of one call until it returned
    std::optional<Interval> interval; ///< 95 %, of the median that counts
    std::size_t dropped = 0;

    /// The times that count: the device's own where there are some (of a round trip, the host's).
    bool byDevice() const { return onDevice && part != Part::RoundTrip; }
    const Summary& times() const { return byDevice() ? *onDevice : host; }
    /// "CPU, 2 threads", "cuda:0", "cuda:0 with transfers".
    std::string label() const;
    /// Should not be trusted: busy, or the quartiles are more than a quarter of the median apart.
    bool doubtful() const { return busy || times().spread() > 0.25; }
    double flopsPerSecond() const { return times().median > 0 ? flops / times().median : 0; }
    double bytesPerSecond() const { return times().median > 0 ? bytes / times().median : 0; }
};
/// Computes what follows from the samples. Safe to call again.
void judge(Measurement& m);

/// Two measurements of one group, sample by sample.
struct Comparison {
    std::size_t first = 0, second = 0; ///< places in Run::measurements
    Verdict verdict;
};

/// The first measurement of each group beside the others that compute (alone, or with transfers). `before`: how many
/// measurements stand before these in their run, of which none is in the same group.
std::vector<Comparison> comparisonsOf(std::span<const Measurement> measurements, std::size_t before = 0);

/// The most that this machine was seen to do, by measuring.
struct Ceiling {
    bool isOf(const Ceiling& other) const {
        return device == other.device && threads == other.threads && what == other.what && dtype == other.dtype;
    }
    std::string device = "cpu";
    int threads = 1;  ///< 0: a device
    std::string what; ///< "copy", "gemm"
    DType dtype = DType::Float32;
    double perSecond = 0; ///< bytes read and written (copy), operations (gemm)
    double spread = 0;    ///< iqr / median
};

/// Under which conditions it was measured.
struct Conditions {
    std::string machine;                            ///< host name
    std::string processor;                          ///< "AMD EPYC 9654"
    int processors = 0;                             ///< that the process may run on
    std::string instructions;                       ///< "avx512": the set of our own kernels
    std::string blasKernels;                        ///< of OpenBLAS: "Cooperlake"
    std::string governor;                           ///< "performance"; empty: the system does not say
    double megahertzBefore = 0, megahertzAfter = 0; ///< 0: not told
    std::string system;                             ///< "Linux 6.1.0"
    std::string memory;                             ///< "23.5 GiB"
    Index lastCacheBytes = 0;
    std::vector<std::string> devices; ///< "cuda:0: NVIDIA H100, compute capability 9.0, driver 550.54"
    std::string version;              ///< of this program
    std::string date;                 ///< "2026-10-12T14:03:22Z"
};
Conditions conditionsNow();
/// Clock frequency of the processors now, the greatest, in MHz; 0 where the system does not say.
double megahertzNow();

/// A whole run. Records from other machines have the same form.
struct Run {
    std::string title;   ///< given by whoever recorded it; may be empty
    std::string command; ///< that measured it
    Conditions conditions;
    std::vector<Ceiling> ceilings;
    std::vector<Measurement> measurements;
    std::vector<Comparison> comparisons;
    std::vector<std::string> refused; ///< what could not be measured, and why, one line each

    /// "host, AMD EPYC, 2026-10-12, version 0.9": belongs beside every figure of a recorded run.
    std::string label() const;
    /// The ceiling that belongs to `m`; null when it was not measured.
    const Ceiling* copyCeiling(const Measurement& m) const;
    const Ceiling* gemmCeiling(const Measurement& m) const;
};
/// Share of the ceiling that bounds `m`: of GEMM for products, of copying for what moves memory; the greater of the
/// two. Nothing where there is no ceiling or no count. Copying bounds only what comes from memory: operands that stay
/// in a cache may move faster.
struct ShareOfPeak {
    /// A peak that something else beats by more than this was measured while the machine was busy.
    static constexpr double kMost = 1.1;
    double share = 0;
    bool ofGemm = false;
    bool isTrusted() const { return share <= kMost; }
};
std::optional<ShareOfPeak> shareOfPeak(const Run& run, const Measurement& m);

} // namespace stridescope::timing
