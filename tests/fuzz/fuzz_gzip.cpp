// The gzip reader on whatever bytes, and what it unpacks as an archive of pictures.

#include "tests/core/io/cifar_corpus.h"
#include "tests/core/io/exercise_archives.h"
#include "tests/fuzz/seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::vector<std::string> seeds;
    for (const corpus::TarCase& c : corpus::tarCases())
        if (c.bytes.size() < 60'000) seeds.push_back(corpus::gzipped(c.bytes));
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::gzip({reinterpret_cast<const char*>(data), size});
    return 0;
}
