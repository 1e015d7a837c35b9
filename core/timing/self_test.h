#pragma once
// Does the engine tell the truth on this machine? What is known beforehand, measured.

#include "core/job.h"
#include "core/timing/clock.h"

#include <string>
#include <vector>

namespace stridescope::timing {

struct SelfTestResult {
    std::string name; ///< "sleep 10 ms", "empty call", "A against A"
    bool passed = false;
    double found = 0;   ///< seconds; of "A against A" the share that was told apart
    std::string wanted; ///< "10 ± 0.2 ms"
    std::string text;   ///< one line
};
/// `comparisons`: how often A is compared with itself.
std::vector<SelfTestResult> selfTest(Job& job, int comparisons = 200,
                                     const Instruments& instruments = systemInstruments());

} // namespace stridescope::timing
