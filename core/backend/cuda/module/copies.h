#pragma once
// Copies of bytes between host and devices.

#include <cstddef>

namespace stridescope::cuda {

void copyFromHost(int device, void* to, const void* from, std::size_t bytes, bool early);
void copyToHost(int device, void* to, const void* from, std::size_t bytes, bool early);
/// In the order of both devices' current streams; does not wait.
void copyPeer(int toDevice, void* to, int fromDevice, const void* from, std::size_t bytes);

} // namespace stridescope::cuda
