#pragma once
// The facts that a report about a problem needs, as one block to copy.

#include <string>

namespace stridescope {

/// Several lines "name: value": program, compiler, Qt, system, processor, Python module,
/// driver. Starts neither Python nor CUDA.
std::string aboutFacts();

} // namespace stridescope
