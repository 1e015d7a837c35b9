#pragma once
// What did it refuse?

#include "core/error.h"

#include <optional>
#include <string>

namespace stridescope {

/// The refusal that `action` throws; absent when it throws nothing.
template <class Action>
std::optional<Refusal> refusalOf(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.refusal();
    }
    return std::nullopt;
}

/// "MM-01 sizes do not fit": id and message of the refusal; empty when there is none. For rows of expected texts.
template <class Action>
std::string refusalText(Action action) {
    const std::optional<Refusal> refusal = refusalOf(action);
    return refusal ? refusal->id + " " + refusal->message : std::string();
}

} // namespace stridescope
