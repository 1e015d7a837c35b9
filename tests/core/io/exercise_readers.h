#pragma once
// What the fuzzers do with one input; a normal test does the same with every case of the corpora.

#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace exercise {

inline void require(bool condition) {
    if (!condition) std::abort();
}

/// Small limits, so that a fuzzer with a bound on memory can tell a bad allocation from a legal one.
inline stridescope::Budget smallBudget() {
    stridescope::Budget budget;
    budget.maxBytes = budget.maxArchiveBytes = 16u << 20;
    budget.alwaysUnpacked = 4u << 20;
    return budget;
}

inline stridescope::FileBytes inMemory(std::string_view bytes) {
    auto copy = std::shared_ptr<std::byte>(static_cast<std::byte*>(std::malloc(bytes.size() + 1)), &std::free);
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    return {std::span(copy.get(), bytes.size()), copy, "heap", true};
}

inline void checkRefusal(const stridescope::Refusal& refusal) {
    require(!refusal.id.empty() && !refusal.message.empty());
    std::size_t characters = 0; // of the first line
    for (const char c : refusal.message.substr(0, refusal.message.find('\n'))) {
        require(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f');
        characters += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
    }
    require(characters <= 140);
}

/// Every element of the tensor is readable, and the tensor is inside its storage.
inline void checkTensor(const stridescope::Tensor& t) {
    const auto bounded = stridescope::Tensor::fromStorage(t.storage(), t.view(), t.dtype());
    require(bounded.ok());
    unsigned sum = 0;
    for (std::size_t i = 0; i < t.storage()->bytes(); ++i) sum += std::to_integer<unsigned>(t.storage()->data()[i]);
    if (t.dtype() == stridescope::DType::Bool) require(sum <= t.storage()->bytes());
    volatile unsigned sink = sum;
    static_cast<void>(sink);
}

inline void npy(std::string_view bytes) {
    stridescope::Budget budget = smallBudget();
    budget.maxBytes = 4096; // so that a small file can ask for a copy that is too large
    const auto array = stridescope::npyFromBytes(inMemory(bytes), "fuzz", budget);
    if (!array) return checkRefusal(array.refusal());
    checkTensor(array->tensor);
    // What was read can be written, and reads back as the same.
    const std::string header = stridescope::npyHeaderFor(array->tensor);
    const auto again = stridescope::parseNpyHeader(std::as_bytes(std::span(header)), smallBudget());
    require(again.ok() && again->dataOffset == header.size());
    require(again->dtype == array->tensor.dtype() && again->shape == array->tensor.shape());
}

inline void npz(std::string_view bytes) {
    const auto archive = stridescope::npzFromBytes(inMemory(bytes), smallBudget());
    if (!archive) return checkRefusal(archive.refusal());
    for (const auto& array : archive->arrays) checkTensor(array.tensor);
    for (const auto& skipped : archive->skipped) checkRefusal(skipped.refusal);
}

inline void safetensors(std::string_view bytes) {
    const auto opened = stridescope::safetensorsFromBytes(inMemory(bytes), smallBudget());
    if (!opened) return checkRefusal(opened.refusal());
    for (const auto& array : opened->arrays) checkTensor(array.tensor);
    for (const auto& skipped : opened->skipped) checkRefusal(skipped.refusal);
}

} // namespace exercise
