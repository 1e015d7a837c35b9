#pragma once
// Host memory that devices copy from and to by themselves.

#include <cstddef>

namespace stridescope::cuda {

void* allocatePinned(std::size_t bytes);
/// Waits for what is queued on all devices. Kept for the next one of its size.
void deallocatePinned(void* data);
bool isPinned(const void* data);

} // namespace stridescope::cuda
