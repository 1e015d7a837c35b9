#pragma once
// Times an operation and publishes its record, when somebody listens. Internal to core/ops.

#include "core/trace/op_record.h"

#include <chrono>
#include <initializer_list>
#include <span>

namespace stridescope {

/// Made at the start of an operation; unobserved it costs one branch.
class Observation {
public:
    Observation() {
        if (trace::observed()) [[unlikely]]
            m_start = std::chrono::steady_clock::now();
    }
    explicit operator bool() const { return m_start != std::chrono::steady_clock::time_point{}; }

    struct Bytes {
        Index read = 0, written = 0, allocated = 0;
    };

    /// Publishes the record. Precondition: observed (the conversion to bool gives true).
    void publish(const char* name, std::string arguments, std::initializer_list<const Tensor*> inputs,
                 const Tensor& output, OpEffect effect, Bytes bytes) const {
        const Tensor* const outputs[] = {&output};
        publish(name, std::move(arguments), inputs, outputs, effect, bytes);
    }
    void publish(const char* name, std::string arguments, std::initializer_list<const Tensor*> inputs,
                 std::span<const Tensor* const> outputs, OpEffect effect, Bytes bytes) const {
        OpRecord record;
        record.duration = std::chrono::steady_clock::now() - m_start;
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

private:
    std::chrono::steady_clock::time_point m_start{};
};

} // namespace stridescope
