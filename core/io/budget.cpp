#include "core/io/budget.h"

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

} // namespace stridescope
