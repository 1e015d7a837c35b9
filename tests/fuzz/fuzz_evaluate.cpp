// Lines of tensor code on small tensors: no crash, nothing outside a storage, no write in a dry run, no long refusal.

#include "core/backend/cpu/thread_pool.h"
#include "core/storage/memory_budget.h"
#include "tests/core/expr/exercise_lines.h"
#include "tests/fuzz/line_seeds.h"

#include <cstdint>

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    fuzz::writeSeedsIfAsked(fuzz::lineSeeds());
    stridescope::setNumThreads(1);
    stridescope::setMemoryLimit(1 << 20);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::lines({reinterpret_cast<const char*>(data), size});
    return 0;
}
