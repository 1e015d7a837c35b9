#pragma once
// Result<T>: a value, or the reason why there is none.

#include "core/error.h"

#include <cassert>
#include <memory>
#include <optional>
#include <utility>

namespace stridescope {

/// Either a T or a Refusal. Pure functions (view operations, parsers) return it and never throw;
/// functions that change something call `valueOrThrow`.
template <class T>
class [[nodiscard]] Result {
public:
    Result(const T& value) : m_value(value) {}
    Result(T&& value) : m_value(std::move(value)) {}
    /// A value made by its default constructor, to be filled in place.
    explicit Result(std::in_place_t) : m_value(std::in_place) {}
    Result(Refusal refusal) : m_refusal(std::make_unique<Refusal>(std::move(refusal))) {}
    Result(std::unique_ptr<Refusal> refusal) : m_refusal(std::move(refusal)) { assert(m_refusal); }

    explicit operator bool() const { return !m_refusal; }
    bool ok() const { return !m_refusal; }

    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(*m_value); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

    /// Precondition: ok().
    const T& value() const& {
        assert(ok());
        return *m_value;
    }
    /// For functions that change a value in place before they return it: cheaper than moving it in afterwards.
    T& value() & {
        assert(ok());
        return *m_value;
    }
    T&& value() && {
        assert(ok());
        return std::move(*m_value);
    }
    /// Precondition: !ok().
    const Refusal& refusal() const {
        assert(!ok());
        return *m_refusal;
    }
    /// Passes the refusal on as the failure of another Result type. Precondition: !ok().
    std::unique_ptr<Refusal> takeRefusal() { return std::move(m_refusal); }

    /// The value. @throws the exception type that belongs to the refusal's kind.
    T valueOrThrow() && {
        if (m_refusal) throwRefusal(*m_refusal);
        return std::move(*m_value);
    }

private:
    std::optional<T> m_value;
    std::unique_ptr<Refusal> m_refusal;
};

} // namespace stridescope
