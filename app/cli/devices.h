#pragma once
// What can compute here, in words.

#include <string>

namespace stridescope {

/// One paragraph for the CPU, one for CUDA: what there is, or why not. Looks for CUDA, so it may take a moment.
std::string devicesText();
/// "Intel(R) Xeon(R) Processor, 2 threads, avx2 instructions": of the CPU, as devicesText() has it.
std::string cpuText();
/// "Intel(R) Xeon(R) Processor", as the system names it.
std::string processorName();

} // namespace stridescope
