#pragma once
// Runs an operation that is made of others, or of a kernel of its own, as one that is observed. Internal to core/ops.

#include "core/trace/op_record.h"

#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stridescope::observed {

using Inputs = std::vector<const Tensor*>;

/// Publishes one record. What an output shares with an input counts as no bytes. Precondition: somebody listens.
void publishCall(const char* name, std::string arguments, const Inputs& inputs, std::span<const Tensor> outputs,
                 OpEffect effect, std::chrono::steady_clock::time_point start);

/// `make` (() -> Tensor or std::vector<Tensor>) makes new tensors. `inputs` (() -> Inputs) and `arguments`
/// (() -> std::string) run only when somebody listens.
template <class InputsOf, class Make, class Arguments>
auto newTensors(const char* name, InputsOf inputs, Make make, Arguments arguments) {
    const bool observed = trace::observed();
    const auto start = observed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
    auto result = [&] {
        const trace::Nested nested;
        return make();
    }();
    if (observed) {
        if constexpr (std::is_same_v<decltype(result), Tensor>)
            publishCall(name, arguments(), inputs(), {&result, 1}, OpEffect::Alloc, start);
        else
            publishCall(name, arguments(), inputs(), result, OpEffect::Alloc, start);
    }
    return result;
}

/// `write` (() -> void) writes into `target`, which is an input too.
template <class InputsOf, class Write, class Arguments>
const Tensor& inPlace(const char* name, const Tensor& target, InputsOf inputs, Write write, Arguments arguments) {
    const bool observed = trace::observed();
    const auto start = observed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
    {
        const trace::Nested nested;
        write();
    }
    if (observed) publishCall(name, arguments(), inputs(), {&target, 1}, OpEffect::InPlace, start);
    return target;
}

} // namespace stridescope::observed
