#pragma once
// Records of the zip format. All numbers are little-endian and unaligned.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace stridescope::io::zip {

inline constexpr std::uint32_t kLocalSignature = 0x04034b50, kCentralSignature = 0x02014b50, kEndSignature = 0x06054b50,
                               kEnd64Signature = 0x06064b50, kLocator64Signature = 0x07064b50;
inline constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64Bytes = 56,
                             kLocator64Bytes = 20;
inline constexpr std::uint16_t kZip64Extra = 0x0001;
inline constexpr std::uint16_t kEncrypted = 1u << 0, kSizesFollow = 1u << 3, kUtf8 = 1u << 11;
inline constexpr std::uint16_t kStored = 0, kDeflated = 8;
inline constexpr std::uint16_t kSee64In16 = 0xFFFF;
inline constexpr std::uint32_t kSee64 = 0xFFFFFFFF;

template <class T>
T get(std::span<const std::byte> bytes, std::size_t at) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>(value | static_cast<T>(std::to_integer<T>(bytes[at + i]) << (8 * i)));
    }
    return value;
}

template <class T>
void put(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

} // namespace stridescope::io::zip
