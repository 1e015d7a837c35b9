// The restricted pickle reader on whatever bytes: a batch, or a refusal in words; nothing is ever carried out.

#include "tests/core/io/cifar_corpus.h"
#include "tests/core/io/exercise_archives.h"
#include "tests/fuzz/seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::vector<std::string> seeds;
    for (const corpus::PickleCase& c : corpus::pickleCases())
        if (c.bytes.size() < 60'000) seeds.push_back(c.bytes);
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::pickle({reinterpret_cast<const char*>(data), size});
    return 0;
}
