#include "core/ops/observed_call.h"

#include "core/ops/creation.h"
#include "core/trace/record_parts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace stridescope::observed {

namespace {

/// Eight at a time: a loop of assignments to a mask should not be slow for being watched.
ElementSet packed(const Tensor& marks) {
    const bool* const marked = marks.data<bool>();
    const auto count = static_cast<std::size_t>(marks.numel());
    std::string bytes(ElementSet::bytesFor(marks.numel()), '\0');
    std::size_t place = 0;
    for (; place + 8 <= count; place += 8) {
        std::uint64_t eight = 0; // bools, each 0 or 1 in a byte of its own: the product moves byte i to bit 56 + i
        std::memcpy(&eight, marked + place, sizeof eight);
        bytes[place / 8] = static_cast<char>(eight * 0x0102040810204080 >> 56);
    }
    for (; place < count; ++place)
        bytes[place / 8] = static_cast<char>(bytes[place / 8] | (marked[place] ? 1 : 0) << place % 8);
    return ElementSet::fromBytes(bytes);
}

Index countOf(const ElementSet& bits) {
    Index count = 0;
    for (const char byte : bits.bytes()) count += std::popcount(static_cast<unsigned char>(byte));
    return count;
}

} // namespace

void publishCall(std::string_view name, std::string_view arguments, std::span<const Tensor* const> inputs,
                 std::span<const Tensor> outputs, OpEffect effect, trace::Clock::time_point start,
                 const ElementSet* written) {
    RecordParts parts{name, arguments, inputs, outputs};
    if (written && !written->empty()) parts.written = written;
    parts.duration = trace::since(start);
    const auto sharesWithInput = [&](const Tensor& output) {
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](const Tensor* input) { return input->storage() == output.storage(); });
    };
    bool moved = effect == OpEffect::InPlace;
    for (const Tensor& output : outputs) {
        if (effect != OpEffect::InPlace && sharesWithInput(output)) continue;
        moved = true;
        parts.bytesWritten +=
            parts.written ? countOf(*parts.written) * static_cast<Index>(output.itemSize()) : output.nbytes();
        if (effect == OpEffect::Alloc) parts.bytesAllocated += static_cast<Index>(output.storage()->bytes());
    }
    if (moved) {
        for (const Tensor* input : inputs) parts.bytesRead += input->nbytes();
    }
    parts.effect = effect;
    if (!moved && !outputs.empty())
        parts.effect = outputs[0].view() == inputs[0]->view() ? OpEffect::Alias : OpEffect::View;
    trace::publish(parts);
}

ElementSet markedBy(const std::function<void(const Tensor&)>& mark, const Tensor& target) {
    // What lies on a device is not looked at: that would be told, too.
    if (!mark || !target.defined() || target.numel() > kMostTold || !target.device().isCpu()) return {};
    const trace::Nested nested;
    try {
        const Tensor marks = zeros(target.shape(), {DType::Bool, {}});
        mark(marks);
        return packed(marks);
    } catch (const Error&) {
        return {}; // the write itself says why
    } catch (const std::bad_alloc&) {
        return {};
    }
}

} // namespace stridescope::observed
