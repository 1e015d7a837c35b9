#include "core/ops/observed_call.h"

#include "core/ops/creation.h"
#include "core/trace/record_parts.h"

#include <algorithm>

namespace stridescope::observed {

void publishCall(std::string_view name, std::string_view arguments, std::span<const Tensor* const> inputs,
                 std::span<const Tensor> outputs, OpEffect effect, trace::Clock::time_point start,
                 const ElementBits* written) {
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
            parts.written ? parts.written->count() * static_cast<Index>(output.itemSize()) : output.nbytes();
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

ElementBits markedBy(const std::function<void(const Tensor&)>& mark, const Tensor& target) {
    // What lies on a device is not looked at: that would be told, too.
    if (!mark || !target.defined() || target.numel() > kMostTold || !target.device().isCpu()) return {};
    const trace::Nested nested;
    try {
        const Tensor marks = zeros(target.shape(), {DType::Bool, {}});
        mark(marks);
        ElementBits bits(marks.numel());
        const bool* const marked = marks.data<bool>();
        for (Index place = 0; place < marks.numel(); ++place)
            if (marked[place]) bits.insert(place);
        return bits;
    } catch (const Error&) {
        return {}; // the write itself says why
    } catch (const std::bad_alloc&) {
        return {};
    }
}

} // namespace stridescope::observed
