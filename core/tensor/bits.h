#pragma once
// The bits of one element, named: what an inspector draws.

#include "core/dtype/dtype.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace stridescope {

enum class BitRole : std::uint8_t { Sign, Exponent, Mantissa, Magnitude, Truth };

/// Neighbouring bits of one meaning. Bit 0 has the lowest weight.
struct BitField {
    BitRole role = BitRole::Magnitude;
    int highest = 0, lowest = 0;
    int width() const { return highest - lowest + 1; }
    friend bool operator==(const BitField&, const BitField&) = default;
};

enum class FloatClass : std::uint8_t { Zero, Subnormal, Normal, Infinity, NaN };

/// One element taken apart. Everything about floats is 0 for other dtypes.
struct ElementBits {
    DType dtype = DType::Float32;
    int width = 0;         ///< bits
    std::uint64_t raw = 0; ///< the bits as a number
    bool negative = false; ///< the sign bit of a float, or a negative integer

    int exponentBits = 0, mantissaBits = 0;
    int bias = 0;
    std::uint64_t exponentField = 0, mantissaField = 0;
    FloatClass floatClass = FloatClass::Zero;
    int exponent = 0; ///< of two: value = ±significand * 2^exponent; exponentField - bias, subnormals 1 - bias

    bool bit(int i) const { return (raw >> i) & 1u; }
    /// From the highest bit to the lowest. Floats: sign, exponent, mantissa; signed integers: sign, magnitude.
    std::vector<BitField> fields() const;
    /// Weight of bit `i` in an integer: 2^i, and -2^i for the sign bit of two's complement.
    double weight(int i) const;
    /// Bytes in memory order (little-endian), width / 8 of them.
    std::array<std::uint8_t, 8> bytes() const;
    /// The bits with a blank between fields: "0 10000000 10010010000111111011011".
    std::string binaryText() const;
    /// "40490fdb", width / 4 digits.
    std::string hexText() const;
    /// How the value follows from the fields: "+1.5707963705062866 × 2^1", "-0.5 × 2^-14", "+0", "-inf", "nan";
    /// integers: "-128 + 64 + 1"; bool: "1 = True".
    std::string formula() const;
};

/// The element at `address` (any alignment). `dtype` is not complex: such an element has two parts.
ElementBits bitsOf(const std::byte* address, DType dtype);

/// The parts of the element at `address` in memory order: itself, or the real and the imaginary part of a complex one.
std::vector<ElementBits> partsOf(const std::byte* address, DType dtype);

} // namespace stridescope
