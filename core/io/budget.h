#pragma once
// Budget: what one load may cost. Every parser of outside data takes one; going over it gives an error with both
// numbers.

#include "core/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace stridescope {

/// Called between blocks of a long load or save with the bytes done and the bytes in all; returning false cancels.
using ProgressFn = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// Limits of one load. Units: bytes unless said otherwise. The values here are the ones used without asking.
struct Budget {
    /// Bytes copied into memory. A file that is mapped costs nothing of it.
    std::uint64_t maxBytes = std::uint64_t{4} << 30;
    /// Elements of one array; the product of the sizes must also fit 64 bits.
    Index maxElements = INT64_MAX;
    /// Length of an .npy header without its magic, as NumPy's max_header_size.
    std::uint64_t maxHeaderBytes = 10'000;
    /// Entries of an archive.
    std::uint64_t maxEntries = 4'096;
    /// All entries of an archive together, unpacked.
    std::uint64_t maxArchiveBytes = std::uint64_t{2} << 30;
    /// An entry may grow by this factor when unpacked ...
    std::uint64_t maxExpansion = 100;
    /// ... unless it stays below this size: an array of zeros packs 1000 : 1 and harms nobody.
    std::uint64_t alwaysUnpacked = std::uint64_t{256} << 20;
    /// Lists inside lists, in text that is pasted. A tensor has at most as many dims.
    int maxDepth = 64;
    /// Time that the load may take, counted from startClock(); none: until it is done or cancelled.
    std::optional<std::chrono::milliseconds> maxTime;
    /// Asked between blocks of at most 16 MiB; may be empty.
    ProgressFn progress;

    /// The defaults, with `maxBytes` and `maxArchiveBytes` at most half of the memory that is free now.
    static Budget standard();

    /// The load begins now.
    void startClock() { started = std::chrono::steady_clock::now(); }
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    /// To be asked between blocks with the bytes done and the bytes in all: IO-08 cancelled, IO-20 out of time (with
    /// both numbers), nothing to go on.
    std::optional<Refusal> check(std::uint64_t done, std::uint64_t total) const;
};

} // namespace stridescope
