#pragma once
// MD5, to compare a file with the sum that its makers published. It finds damage, not attackers.
// Source: RFC 1321.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace stridescope {

class Md5 {
public:
    void add(std::span<const std::byte> bytes);
    /// 32 hexadecimal digits for the bytes added so far.
    std::string hex() const;

private:
    void block(const std::byte* bytes);

    std::array<std::uint32_t, 4> m_state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    std::array<std::byte, 64> m_pending{};
    std::uint64_t m_length = 0;
};

} // namespace stridescope
