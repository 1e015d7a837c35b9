// The reader of CIFAR's binary files on whatever bytes: a view inside the file or a refusal in words.

#include "tests/core/io/cifar_corpus.h"
#include "tests/core/io/exercise_archives.h"
#include "tests/fuzz/seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const std::vector<std::string> seeds{corpus::cifarBinary(2), corpus::cifar100Binary(2),
                                         corpus::cifarBinary(2).substr(1)};
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::cifar({reinterpret_cast<const char*>(data), size});
    return 0;
}
