#include "core/ops/observation.h"

#include "core/trace/draft.h"

namespace stridescope {

void Observation::publish(const char* name, std::string arguments, std::span<const Tensor* const> inputs,
                          std::span<const Tensor* const> outputs, OpEffect effect, Bytes bytes) const {
    const auto end = trace::Clock::now();
    OpRecord& record = trace::draft();
    record.duration = end - m_start;
    record.name = name;
    record.arguments = std::move(arguments);
    for (const Tensor* t : inputs) record.inputs.push_back(trace::record(*t));
    for (const Tensor* t : outputs) record.outputs.push_back(trace::record(*t));
    record.effect = effect;
    record.bytesRead = bytes.read;
    record.bytesWritten = bytes.written;
    record.bytesAllocated = bytes.allocated;
    trace::publish(record);
}

} // namespace stridescope
