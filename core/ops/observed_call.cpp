#include "core/ops/observed_call.h"

#include "core/trace/record_parts.h"

#include <algorithm>

namespace stridescope::observed {

void publishCall(std::string_view name, std::string_view arguments, std::span<const Tensor* const> inputs,
                 std::span<const Tensor> outputs, OpEffect effect, trace::Clock::time_point start) {
    RecordParts parts{name, arguments, inputs, outputs};
    parts.duration = trace::since(start);
    const auto sharesWithInput = [&](const Tensor& output) {
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](const Tensor* input) { return input->storage() == output.storage(); });
    };
    bool moved = effect == OpEffect::InPlace;
    for (const Tensor& output : outputs) {
        if (effect != OpEffect::InPlace && sharesWithInput(output)) continue;
        moved = true;
        parts.bytesWritten += output.nbytes();
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

} // namespace stridescope::observed
