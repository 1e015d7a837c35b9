// The .safetensors reader on whatever bytes: tensors inside their storages, or a refusal in words; never more memory
// than the budget.

#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/safetensors_corpus.h"
#include "tests/fuzz/seeds.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::vector<std::string> seeds;
    for (const corpus::SafetensorsCase& c : corpus::safetensorsCases()) seeds.push_back(c.bytes);
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    exercise::safetensors({reinterpret_cast<const char*>(data), size});
    return 0;
}
