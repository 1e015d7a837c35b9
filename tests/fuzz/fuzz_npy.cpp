// The .npy reader on whatever bytes: a tensor inside its storage, or a refusal in words; never more memory than the
// budget.

#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/npy_corpus.h"
#include "tests/fuzz/seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::vector<std::string> seeds;
    for (const corpus::Case& c : corpus::npyCases()) seeds.push_back(c.bytes);
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::npy({reinterpret_cast<const char*>(data), size});
    return 0;
}
