// Recorded timings from whatever bytes: a run or a refusal in words; what is read can be written and read again.

#include "core/timing/run_file.h"
#include "tests/core/timing/run_example.h"
#include "tests/fuzz/seeds.h"

#include <cstdlib>

using namespace stridescope::timing;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    fuzz::writeSeedsIfAsked({jsonOf(test::example()), csvOf(test::example())});
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto run = runFromJson(text); run && !runFromJson(jsonOf(*run))) std::abort();
    if (const auto run = runFromCsv(text); run && !runFromCsv(csvOf(*run))) std::abort();
    return 0;
}
