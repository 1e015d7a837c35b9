#pragma once
// ElementSet: some elements of a tensor, by their places in reading order.

#include "core/view/dims.h"

#include <string>
#include <string_view>

namespace stridescope {

class ElementSet {
public:
    ElementSet() = default;
    /// Of `count` elements, none.
    explicit ElementSet(Index count) : m_bytes(bytesFor(count), '\0') {}
    /// What bytes() gave.
    static ElementSet fromBytes(std::string_view bytes) {
        ElementSet bits;
        bits.m_bytes = bytes;
        return bits;
    }
    static constexpr std::size_t bytesFor(Index count) { return (static_cast<std::size_t>(count) + 7) / 8; }

    bool empty() const { return m_bytes.empty(); } ///< of no elements, or nothing is said of them
    std::string_view bytes() const { return m_bytes; }
    void insert(Index place) { m_bytes[byteOf(place)] = static_cast<char>(m_bytes[byteOf(place)] | bitOf(place)); }
    bool holds(Index place) const { return byteOf(place) < m_bytes.size() && (m_bytes[byteOf(place)] & bitOf(place)); }
    Index count() const {
        Index all = 0;
        for (Index place = 0; byteOf(place) < m_bytes.size(); ++place) all += holds(place) ? 1 : 0;
        return all;
    }

private:
    static std::size_t byteOf(Index place) { return static_cast<std::size_t>(place) / 8; }
    static int bitOf(Index place) { return 1 << (place % 8); }

    std::string m_bytes;
};

} // namespace stridescope
