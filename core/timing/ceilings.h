#pragma once
// The most that this machine does, measured: what "fast" is a share of.

#include "core/device/device.h"
#include "core/timing/record.h"

#include <vector>

namespace stridescope::timing {

/// Copying four times the last cache, but at most 256 MB (bytes read and written counted), and the product of two
/// matrices of 1536² (of 4096² on a device), through the operations of this library. What the device cannot do is left
/// out. `again`: what was found before was too low. On a busy processor a product of 1536² finds no calm moment that is
/// long enough: one of 512² is tried, too.
std::vector<Ceiling> measureCeilings(Device device, int threads, DType dtype, Job& job, const Instruments& instruments,
                                     bool again = false);

/// `known`, where each of `found` is put in if it is higher: what was reached once can be reached.
void keepHigher(std::vector<Ceiling>& known, const std::vector<Ceiling>& found);

} // namespace stridescope::timing
