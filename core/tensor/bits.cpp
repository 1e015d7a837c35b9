#include "core/tensor/bits.h"

#include "core/print/float_text.h"

#include <cassert>
#include <cmath>
#include <cstring>

namespace stridescope {

namespace {

int mantissaBitsOf(DType dtype) {
    switch (itemSize(dtype)) {
    case 2:
        return 10;
    case 4:
        return 23;
    default:
        return 52;
    }
}

void takeFloatApart(ElementBits& bits) {
    bits.mantissaBits = mantissaBitsOf(bits.dtype);
    bits.exponentBits = bits.width - 1 - bits.mantissaBits;
    bits.bias = (1 << (bits.exponentBits - 1)) - 1;
    const std::uint64_t mantissaMask = (std::uint64_t{1} << bits.mantissaBits) - 1;
    const std::uint64_t exponentMask = (std::uint64_t{1} << bits.exponentBits) - 1;
    bits.mantissaField = bits.raw & mantissaMask;
    bits.exponentField = (bits.raw >> bits.mantissaBits) & exponentMask;
    if (bits.exponentField == exponentMask) {
        bits.floatClass = bits.mantissaField == 0 ? FloatClass::Infinity : FloatClass::NaN;
    } else if (bits.exponentField != 0) {
        bits.floatClass = FloatClass::Normal;
        bits.exponent = static_cast<int>(bits.exponentField) - bits.bias;
    } else {
        bits.floatClass = bits.mantissaField == 0 ? FloatClass::Zero : FloatClass::Subnormal;
        bits.exponent = bits.mantissaField == 0 ? 0 : 1 - bits.bias;
    }
}

std::string floatFormula(const ElementBits& bits) {
    const std::string sign = bits.negative ? "-" : "+";
    switch (bits.floatClass) {
    case FloatClass::Zero:
        return sign + "0";
    case FloatClass::Infinity:
        return sign + "inf";
    case FloatClass::NaN:
        return "nan";
    case FloatClass::Subnormal:
    case FloatClass::Normal:
        break;
    }
    const double fraction = std::ldexp(static_cast<double>(bits.mantissaField), -bits.mantissaBits);
    const double significand = bits.floatClass == FloatClass::Normal ? 1.0 + fraction : fraction;
    return sign + shortestText(significand) + " × 2^" + std::to_string(bits.exponent);
}

/// The weights of the bits that are set: "-128 + 64 + 1".
std::string integerFormula(const ElementBits& bits) {
    if (bits.raw == 0) return "0";
    const bool isSigned = bits.dtype != DType::UInt8;
    std::string text;
    for (int i = bits.width - 1; i >= 0; --i) {
        if (!bits.bit(i)) continue;
        const std::string power = std::to_string(std::uint64_t{1} << i);
        if (isSigned && i == bits.width - 1) {
            text = "-" + power;
        } else {
            text += (text.empty() ? "" : " + ") + power;
        }
    }
    return text;
}

} // namespace

ElementBits bitsOf(const std::byte* address, DType dtype) {
    assert(!isComplex(dtype));
    ElementBits bits;
    bits.dtype = dtype;
    bits.width = static_cast<int>(itemSize(dtype)) * 8;
    for (std::size_t i = 0; i < itemSize(dtype); ++i) {
        bits.raw |= std::to_integer<std::uint64_t>(address[i]) << (8 * i); // little-endian, as all supported machines
    }
    bits.negative = dtype != DType::UInt8 && dtype != DType::Bool && bits.bit(bits.width - 1);
    if (isFloating(dtype)) takeFloatApart(bits);
    return bits;
}

std::vector<ElementBits> partsOf(const std::byte* address, DType dtype) {
    if (!isComplex(dtype)) return {bitsOf(address, dtype)};
    const DType part = realPartDType(dtype);
    return {bitsOf(address, part), bitsOf(address + itemSize(part), part)};
}

std::vector<BitField> ElementBits::fields() const {
    if (isFloating(dtype)) {
        return {{BitRole::Sign, width - 1, width - 1},
                {BitRole::Exponent, width - 2, mantissaBits},
                {BitRole::Mantissa, mantissaBits - 1, 0}};
    }
    if (dtype == DType::Bool) return {{BitRole::Truth, width - 1, 0}};
    if (dtype == DType::UInt8) return {{BitRole::Magnitude, width - 1, 0}};
    return {{BitRole::Sign, width - 1, width - 1}, {BitRole::Magnitude, width - 2, 0}};
}

double ElementBits::weight(int i) const {
    const double power = std::ldexp(1.0, i);
    const bool isSigned = isIntegral(dtype) && dtype != DType::UInt8;
    return isSigned && i == width - 1 ? -power : power;
}

std::array<std::uint8_t, 8> ElementBits::bytes() const {
    std::array<std::uint8_t, 8> result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::uint8_t>(raw >> (8 * i));
    return result;
}

std::string ElementBits::binaryText() const {
    std::string text;
    for (const BitField& field : fields()) {
        if (!text.empty()) text += ' ';
        for (int i = field.highest; i >= field.lowest; --i) text += bit(i) ? '1' : '0';
    }
    return text;
}

std::string ElementBits::hexText() const {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = width - 4; shift >= 0; shift -= 4) text += kDigits[(raw >> shift) & 15u];
    return text;
}

std::string ElementBits::formula() const {
    if (isFloating(dtype)) return floatFormula(*this);
    if (dtype == DType::Bool) return std::to_string(raw) + (raw != 0 ? " = True" : " = False");
    return integerFormula(*this);
}

} // namespace stridescope
