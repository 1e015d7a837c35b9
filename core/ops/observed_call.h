#pragma once
// Runs an operation that is made of others, or of a kernel of its own, as one that is observed. Internal to core/ops
// and to the short ways of core/python.

#include "core/trace/clock.h"
#include "core/trace/op_record.h"

#include <cstddef>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stridescope::observed {

using Inputs = std::vector<const Tensor*>;

/// Now, when somebody listens.
inline trace::Clock::time_point startTime() {
    return trace::observed() ? trace::begin() : trace::Clock::time_point{};
}

inline bool isObserved(trace::Clock::time_point start) {
    return start != trace::Clock::time_point{};
}

/// Publishes one record. What an output shares with an input counts as no bytes. Precondition: somebody listens.
void publishCall(std::string_view name, std::string_view arguments, std::span<const Tensor* const> inputs,
                 std::span<const Tensor> outputs, OpEffect effect, trace::Clock::time_point start,
                 const ElementSet* written = nullptr);

/// The elements that `mark` sets in bools of the shape of `target`; none said where those would not be told.
ElementSet markedBy(const std::function<void(const Tensor&)>& mark, const Tensor& target);

/// `make` (() -> Tensor or std::vector<Tensor>) makes new tensors. `inputs` (() -> Inputs) and `arguments`
/// (() -> std::string) run only when somebody listens.
template <class InputsOf, class Make, class Arguments>
auto newTensors(const char* name, InputsOf inputs, Make make, Arguments arguments) {
    const auto start = startTime();
    auto result = [&] {
        const trace::Nested nested;
        return make();
    }();
    if (isObserved(start)) {
        if constexpr (std::is_same_v<decltype(result), Tensor>)
            publishCall(name, arguments(), inputs(), {&result, 1}, OpEffect::Alloc, start);
        else
            publishCall(name, arguments(), inputs(), result, OpEffect::Alloc, start);
    }
    return result;
}

/// `write` (() -> void) writes into `target`, which is an input too: into those of its elements that indices or a mask
/// choose. `mark` (const Tensor& -> void) sets the same elements of a tensor of bools; null: all are written, or the
/// arguments tell which.
template <class InputsOf, class Write, class Mark, class Arguments>
const Tensor& chosenInPlace(const char* name, const Tensor& target, InputsOf inputs, Write write, Mark mark,
                            Arguments arguments) {
    auto start = startTime();
    ElementSet written;
    if constexpr (!std::is_same_v<Mark, std::nullptr_t>) {
        // Before the write: an index may be what is written to.
        if (isObserved(start) && !trace::isNested()) {
            written = markedBy(mark, target);
            start = startTime();
        }
    }
    {
        const trace::Nested nested;
        write();
    }
    if (isObserved(start)) {
        try {
            publishCall(name, arguments(), inputs(), {&target, 1}, OpEffect::InPlace, start, &written);
        } catch (const std::bad_alloc&) {
            // What is written is written: to refuse it now would be a lie. Its record is lost, as where a ring is full.
        }
    }
    return target;
}

/// As chosenInPlace(), of a write that reaches all elements or those that the arguments tell.
template <class InputsOf, class Write, class Arguments>
const Tensor& inPlace(const char* name, const Tensor& target, InputsOf inputs, Write write, Arguments arguments) {
    return chosenInPlace(name, target, inputs, write, nullptr, arguments);
}

} // namespace stridescope::observed
