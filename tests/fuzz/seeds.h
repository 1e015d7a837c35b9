#pragma once
// Seeds of a fuzz target come out of the target itself, from the corpora that the tests use.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace fuzz {

/// With STRIDESCOPE_WRITE_SEEDS=FOLDER in the environment: writes each seed to a file in FOLDER and ends the program.
/// Call it from LLVMFuzzerInitialize.
inline void writeSeedsIfAsked(const std::vector<std::string>& seeds) {
    const char* const folder = std::getenv("STRIDESCOPE_WRITE_SEEDS");
    if (!folder) return;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        std::ofstream file(std::string(folder) + "/seed-" + std::to_string(i), std::ios::binary);
        file.write(seeds[i].data(), static_cast<std::streamsize>(seeds[i].size()));
        if (!file) std::exit(1);
    }
    std::exit(0);
}

} // namespace fuzz
