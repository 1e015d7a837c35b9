#pragma once
// Times an operation and publishes its record, when somebody listens. Internal to core/ops.

#include "core/trace/clock.h"
#include "core/trace/record_parts.h"

#include <initializer_list>
#include <span>
#include <string_view>

namespace stridescope {

/// Made at the start of an operation; unobserved it costs one branch.
class Observation {
public:
    Observation() {
        if (trace::observed()) [[unlikely]]
            m_start = trace::begin();
    }
    explicit operator bool() const { return m_start != trace::Clock::time_point{}; }

    struct Bytes {
        Index read = 0, written = 0, allocated = 0;
    };

    /// Publishes the record. Precondition: observed (the conversion to bool gives true).
    void publish(std::string_view name, std::string_view arguments, std::initializer_list<const Tensor*> inputs,
                 const Tensor& output, OpEffect effect, Bytes bytes) const {
        const Tensor* const outputs[] = {&output};
        publish(name, arguments, std::span(inputs.begin(), inputs.size()), outputs, effect, bytes);
    }
    void publish(std::string_view name, std::string_view arguments, std::initializer_list<const Tensor*> inputs,
                 std::span<const Tensor* const> outputs, OpEffect effect, Bytes bytes) const {
        publish(name, arguments, std::span(inputs.begin(), inputs.size()), outputs, effect, bytes);
    }
    void publish(std::string_view name, std::string_view arguments, std::span<const Tensor* const> inputs,
                 std::span<const Tensor* const> outputs, OpEffect effect, Bytes bytes) const {
        trace::publish(RecordParts{name, arguments, inputs, outputs, effect, bytes.read, bytes.written, bytes.allocated,
                                   trace::since(m_start)});
    }

private:
    trace::Clock::time_point m_start{};
};

} // namespace stridescope
