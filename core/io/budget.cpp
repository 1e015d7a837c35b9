#include "core/io/budget.h"

#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/storage/memory_budget.h"

#include <algorithm>

namespace stridescope {

Budget Budget::standard() {
    Budget budget;
    const auto half = static_cast<std::uint64_t>(std::max<Index>(availableMemory() / 2, 0));
    budget.maxBytes = std::min(budget.maxBytes, half);
    budget.maxArchiveBytes = std::min(budget.maxArchiveBytes, half);
    return budget;
}

std::optional<Refusal> Budget::check(std::uint64_t done, std::uint64_t total) const {
    if (progress && !progress(done, total)) return io::refuse("IO-08", "Opening was cancelled", "Nothing was changed.");
    if (!maxTime) return std::nullopt;
    const auto spent =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started);
    if (spent < *maxTime) return std::nullopt;
    return io::refuseAmount("IO-20",
                            "Opening took longer than " + std::to_string(maxTime->count()) + " ms: " + bytesText(done) +
                                " of " + bytesText(total) + " were read",
                            "Allow more time, or open a smaller file.", total, done);
}

} // namespace stridescope
