// The .npz reader on whatever bytes: every entry is a tensor or a refusal in words; never more memory than the budget.

#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/npz_corpus.h"
#include "tests/fuzz/seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::vector<std::string> seeds;
    for (const corpus::ArchiveCase& c : corpus::npzCases()) seeds.push_back(c.bytes);
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::npz({reinterpret_cast<const char*>(data), size});
    return 0;
}
