#include "core/io/md5.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace stridescope {
namespace {

// T[i] = floor(2^32 |sin(i + 1)|), as the RFC defines it; a double holds 32 bits of it exactly.
const std::array<std::uint32_t, 64>& sines() {
    static const auto table = [] {
        std::array<std::uint32_t, 64> made{};
        for (std::size_t i = 0; i < made.size(); ++i)
            made[i] = static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 0x1p32));
        return made;
    }();
    return table;
}

constexpr int kTurns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

std::uint32_t wordAt(const std::byte* bytes, std::size_t i) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) word |= std::to_integer<std::uint32_t>(bytes[4 * i + k]) << (8 * k);
    return word;
}

} // namespace

void Md5::block(const std::byte* bytes) {
    std::array<std::uint32_t, 16> word{};
    for (std::size_t i = 0; i < word.size(); ++i) word[i] = wordAt(bytes, i);
    auto [a, b, c, d] = m_state;
    const auto& sine = sines();
    for (std::size_t i = 0; i < 64; ++i) {
        std::uint32_t mixed = 0;
        std::size_t from = 0;
        switch (i / 16) {
        case 0:
            mixed = (b & c) | (~b & d), from = i;
            break;
        case 1:
            mixed = (d & b) | (~d & c), from = (5 * i + 1) % 16;
            break;
        case 2:
            mixed = b ^ c ^ d, from = (3 * i + 5) % 16;
            break;
        default:
            mixed = c ^ (b | ~d), from = 7 * i % 16;
        }
        const std::uint32_t turned = std::rotl(a + mixed + sine[i] + word[from], kTurns[i / 16][i % 4]);
        a = d, d = c, c = b, b += turned;
    }
    m_state[0] += a, m_state[1] += b, m_state[2] += c, m_state[3] += d;
}

void Md5::add(std::span<const std::byte> bytes) {
    auto held = static_cast<std::size_t>(m_length % 64);
    m_length += bytes.size();
    if (held > 0) {
        const std::size_t part = std::min(64 - held, bytes.size());
        std::memcpy(m_pending.data() + held, bytes.data(), part);
        bytes = bytes.subspan(part);
        held += part;
        if (held < 64) return;
        block(m_pending.data());
    }
    for (; bytes.size() >= 64; bytes = bytes.subspan(64)) block(bytes.data());
    if (!bytes.empty()) std::memcpy(m_pending.data(), bytes.data(), bytes.size());
}

std::string Md5::hex() const {
    Md5 end = *this;
    const std::uint64_t bits = m_length * 8;
    std::array<std::byte, 72> padding{std::byte{0x80}};
    const std::size_t zeros = (m_length % 64 < 56 ? 56 : 120) - static_cast<std::size_t>(m_length % 64);
    for (std::size_t i = 0; i < 8; ++i) padding[zeros + i] = static_cast<std::byte>(bits >> (8 * i));
    end.add(std::span(padding).first(zeros + 8));
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint32_t word : end.m_state) {
        for (unsigned k = 0; k < 4; ++k) {
            const std::uint32_t byte = word >> (8 * k) & 0xFF;
            text += kDigits[byte >> 4];
            text += kDigits[byte & 15];
        }
    }
    return text;
}

} // namespace stridescope
