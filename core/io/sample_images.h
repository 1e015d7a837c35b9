#pragma once
// Pictures to try things on, drawn by this program: nothing has to be fetched.

#include "core/result.h"

#include <array>
#include <cstddef>
#include <vector>

namespace stridescope {

/// Names of the ten classes of sampleImages(), by label.
const std::array<const char*, 10>& sampleClasses();
inline constexpr int kSampleImages = 600;

/// kSampleImages pictures in the layout of CIFAR-10's binary version: records of one label byte and 3072 bytes, label
/// i % 10. Each is one shape of its class in its own place, size and colours, before a ground that runs from one shade
/// to another, with a little noise. The same bytes everywhere: only integers are computed with.
std::vector<std::byte> sampleImages();

} // namespace stridescope
