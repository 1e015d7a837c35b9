#include "core/print/float_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace stridescope {

namespace {

/// Writes "d.ddde±xx" in Python's way: a plain number for exponents -4 … 15.
std::string arrange(std::string_view scientific) {
    std::string sign;
    if (scientific.front() == '-') {
        sign = "-";
        scientific.remove_prefix(1);
    }
    const std::size_t mark = scientific.find('e');
    std::string digits(1, scientific[0]);
    if (mark > 2) digits += scientific.substr(2, mark - 2);
    std::string_view power = scientific.substr(mark + 1);
    if (power.front() == '+') power.remove_prefix(1);
    int exponent = 0;
    std::from_chars(power.data(), power.data() + power.size(), exponent);

    constexpr int kLeastPlain = -4, kMostPlain = 15;
    const int count = static_cast<int>(digits.size());
    if (exponent < kLeastPlain || exponent > kMostPlain) {
        std::string text = sign + digits[0];
        if (count > 1) text += "." + digits.substr(1);
        const std::string magnitude = std::to_string(std::abs(exponent));
        return text + (exponent < 0 ? "e-" : "e+") + (magnitude.size() < 2 ? "0" : "") + magnitude;
    }
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent + 1);
    if (count <= exponent + 1) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
    return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

/// Whole numbers below this are written without an exponent.
constexpr double kPlainBelow = 1e16;

/// All digits of a whole number: the shortest ones that give a float32 back would fill up with zeros, and 123456792
/// would read 123456790.0. Empty for other numbers.
std::string wholeText(double value) {
    if (!(std::fabs(value) < kPlainBelow) || value != std::trunc(value)) return {};
    std::array<char, 32> text;
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
    return {text.data(), result.ptr};
}

template <class T>
std::string shortest(T value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (std::string whole = wholeText(static_cast<double>(value)); !whole.empty()) return whole;
    std::array<char, 64> text;
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    return arrange({text.data(), static_cast<std::size_t>(result.ptr - text.data())});
}

} // namespace

std::string shortestText(double value) {
    return shortest(value);
}
std::string shortestText(float value) {
    return shortest(value);
}

std::string shortestText(Half value) {
    const float wide = value;
    if (!std::isfinite(wide) || wide == std::trunc(wide)) return shortest(wide);
    // 5 digits always tell halves apart; the first count that reads back is the shortest.
    std::array<char, 64> text;
    std::string_view found;
    for (int digits = 0; digits <= 4; ++digits) {
        const auto result =
            std::to_chars(text.data(), text.data() + text.size(), wide, std::chars_format::scientific, digits);
        found = {text.data(), static_cast<std::size_t>(result.ptr - text.data())};
        float back = 0;
        std::from_chars(found.data(), found.data() + found.size(), back, std::chars_format::scientific);
        if (Half(back).bits == value.bits) break;
    }
    // "1.50e+00" cannot occur: a shorter count would have read back.
    return arrange(found);
}

} // namespace stridescope
