#pragma once
// What mapped files lost while they were looked at (see Note [Truncated mappings] in mapped_file.cpp).

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace stridescope {

/// How often pages of a mapping turned out to have no bytes in their file any more, and became zeros. Who reads values
/// can ask after every act: it costs one load.
inline std::atomic<std::uint64_t> g_lostPages{0};
inline std::uint64_t lostPages() {
    return g_lostPages.load(std::memory_order_relaxed);
}

/// The names, safe to show, of the mapped files that lost pages and were not named here before.
std::vector<std::string> takeTruncatedFiles();

} // namespace stridescope
