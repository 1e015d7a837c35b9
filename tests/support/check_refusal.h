#pragma once
// What did it refuse?

#include "core/error.h"

#include <optional>

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

} // namespace stridescope
