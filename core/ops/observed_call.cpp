#include "core/ops/observed_call.h"

#include "core/trace/draft.h"

#include <algorithm>

namespace stridescope::observed {

void publishCall(const char* name, std::string arguments, const Inputs& inputs, std::span<const Tensor> outputs,
                 OpEffect effect, trace::Clock::time_point start) {
    OpRecord& record = trace::draft();
    record.duration = trace::Clock::now() - start;
    record.name = name;
    record.arguments = std::move(arguments);
    const auto sharesWithInput = [&](const Tensor& output) {
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](const Tensor* input) { return input->storage() == output.storage(); });
    };
    bool moved = effect == OpEffect::InPlace;
    for (const Tensor& output : outputs) {
        record.outputs.push_back(trace::record(output));
        if (effect != OpEffect::InPlace && sharesWithInput(output)) continue;
        moved = true;
        record.bytesWritten += output.nbytes();
        if (effect == OpEffect::Alloc) record.bytesAllocated += static_cast<Index>(output.storage()->bytes());
    }
    for (const Tensor* input : inputs) {
        record.inputs.push_back(trace::record(*input));
        if (moved) record.bytesRead += input->nbytes();
    }
    record.effect = effect;
    if (!moved && !outputs.empty())
        record.effect = outputs[0].view() == inputs[0]->view() ? OpEffect::Alias : OpEffect::View;
    trace::publish(record);
}

} // namespace stridescope::observed
