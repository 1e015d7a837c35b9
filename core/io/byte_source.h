#pragma once
// ByteSource: bytes that come one after another, each once.

#include "core/result.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace stridescope::io {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Fills `out` as far as there are bytes; fewer than asked for only at the end.
    virtual Result<std::size_t> read(std::span<std::byte> out) = 0;
};

/// Bytes that are in memory.
class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::span<const std::byte> bytes) : m_left(bytes) {}
    Result<std::size_t> read(std::span<std::byte> out) override {
        const std::size_t count = std::min(out.size(), m_left.size());
        if (count > 0) std::memcpy(out.data(), m_left.data(), count);
        m_left = m_left.subspan(count);
        return count;
    }

private:
    std::span<const std::byte> m_left;
};

} // namespace stridescope::io
