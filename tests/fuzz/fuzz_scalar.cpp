// The parser of single numbers: the first byte chooses the dtype, the rest is the text. No crash; what is accepted fits
// the dtype, survives being stored, and reads back from its own text; a refusal names a place inside the text.

#include "core/tensor/element.h"
#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace stridescope;

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

bool same(Scalar a, Scalar b) {
    if (a.isFloat() && b.isFloat() && std::isnan(a.toDouble())) return std::isnan(b.toDouble());
    return a == b;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::vector<std::string> seeds;
    for (std::size_t dtype = 0; dtype < kRealDTypes.size(); ++dtype) {
        for (const char* text : {"0", "-1", "255", "1.5", "1e400", "nan", "-inf", "True", " 7 ", "0x10", "1_000", "--2",
                                 "9223372036854775807", "65520", "0.1"})
            seeds.push_back(static_cast<char>(dtype) + std::string(text));
    }
    fuzz::writeSeedsIfAsked(seeds);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const DType dtype = kRealDTypes[data[0] % kRealDTypes.size()];
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto parsed = parseScalar(text, dtype);
    if (!parsed) {
        const Refusal& refusal = parsed.refusal();
        check(!refusal.id.empty() && !refusal.message.empty());
        check(std::min(refusal.message.find('\n'), refusal.message.size()) <= 140);
        const auto* place = std::get_if<InputPosition>(&refusal.detail);
        check(place && place->position >= 0 && place->position <= static_cast<Index>(text.size()));
        return 0;
    }
    check(fitScalar(*parsed, dtype).ok());
    std::byte memory[8];
    storeElement(memory, dtype, *parsed);
    check(same(loadElement(memory, dtype), *parsed));
    const auto again = parseScalar(toString(*parsed), dtype);
    check(again.ok() && same(*again, *parsed));
    return 0;
}
