#include "core/print/format_element.h"

#include "core/print/float_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace stridescope {

namespace {

using Buffer = std::array<char, 24>;

/// Two significant digits and an exponent: "-3.2e+05".
void appendScientific(std::string& out, double value) {
    Buffer text;
    const auto [end, code] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 1);
    out.append(text.data(), end);
}

void appendInteger(std::string& out, std::int64_t value) {
    constexpr std::size_t kMostCharacters = 7;
    Buffer text;
    const auto [end, code] = std::to_chars(text.data(), text.data() + text.size(), value);
    if (static_cast<std::size_t>(end - text.data()) > kMostCharacters) {
        appendScientific(out, static_cast<double>(value));
    } else {
        out.append(text.data(), end);
    }
}

/// A factor of ten for each digit after the point, so that a value of [10^-3, 10^6) shows at most five significant
/// digits and four decimals.
constexpr std::array<int, 5> kPowersOfTen{1, 10, 100, 1000, 10000};
int decimalsFor(double magnitude) {
    if (magnitude < 10.0) return 4;
    if (magnitude < 100.0) return 3;
    if (magnitude < 1000.0) return 2;
    return magnitude < 10000.0 ? 1 : 0;
}

/// magnitude * factor to the nearest integer, ties to even, judged by the exact product.
std::int64_t roundedProduct(double magnitude, int factor) {
    const double product = magnitude * factor;
    auto whole = static_cast<std::int64_t>(product);
    const double rest = product - static_cast<double>(whole);
    bool up = rest > 0.5;
    if (rest == 0.5) {
        const double lost = std::fma(magnitude, factor, -product); // what rounding took from the product
        up = lost > 0 || (lost == 0 && whole % 2 != 0);
    }
    return whole + (up ? 1 : 0);
}

/// A value that is not whole, of magnitude in [10^-3, 10^6). Library calls would take three times as long.
void appendDecimal(std::string& out, double value) {
    const double magnitude = std::fabs(value);
    int decimals = decimalsFor(magnitude);
    std::int64_t number = roundedProduct(magnitude, kPowersOfTen[static_cast<std::size_t>(decimals)]);
    while (decimals > 0 && number % 10 == 0) { // trailing zeros; all gone means rounded to a whole number: no point
        number /= 10;
        --decimals;
    }
    std::array<char, 16> text;
    std::size_t at = text.size();
    for (int written = 0; number > 0 || written <= decimals; ++written) {
        if (written == decimals && decimals > 0) text[--at] = '.';
        text[--at] = static_cast<char>('0' + number % 10);
        number /= 10;
    }
    if (value < 0) text[--at] = '-';
    out.append(text.data() + at, text.size() - at);
}

void appendFloat(std::string& out, double value) {
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) {
        out += "nan";
    } else if (std::isinf(value)) {
        out += value < 0 ? "-inf" : "inf";
    } else if (magnitude >= 1e6 || (magnitude < 1e-3 && value != 0)) {
        appendScientific(out, value);
    } else if (value == std::trunc(value)) {
        if (std::signbit(value)) out += '-';
        std::array<char, 8> text;
        const auto result = std::to_chars(text.data(), text.data() + text.size(), static_cast<int>(magnitude));
        out.append(text.data(), result.ptr);
        out += '.';
    } else {
        appendDecimal(out, value);
    }
}

template <class T>
T load(const std::byte* address) {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return value;
}

} // namespace

void appendElement(std::string& out, const std::byte* address, DType dtype) {
    visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            out += *address == std::byte{0} ? 'F' : 'T';
        } else if constexpr (kIsComplex<T>) {
            const auto value = load<T>(address);
            appendFloat(out, static_cast<double>(value.re));
            if (!std::signbit(value.im) || std::isnan(value.im)) out += '+';
            appendFloat(out, static_cast<double>(value.im));
            out += 'j';
        } else if constexpr (std::is_integral_v<T>) {
            appendInteger(out, load<T>(address));
        } else {
            appendFloat(out, static_cast<double>(
                                 static_cast<std::conditional_t<sizeof(T) == 8, double, float>>(load<T>(address))));
        }
    });
}

std::string elementText(const std::byte* address, DType dtype) {
    return visitAnyDType(dtype, [&](auto tag) -> std::string {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            return *address == std::byte{0} ? "False" : "True";
        } else if constexpr (kIsComplex<T>) {
            using Part = typename T::Part;
            const auto value = load<T>(address);
            const std::string im = shortestText(static_cast<Part>(value.im));
            return shortestText(static_cast<Part>(value.re)) + (im.front() == '-' ? "" : "+") + im + "j";
        } else if constexpr (std::is_integral_v<T>) {
            return std::to_string(load<T>(address));
        } else if constexpr (std::is_same_v<T, Half>) {
            return shortestText(load<Half>(address));
        } else {
            return shortestText(load<T>(address));
        }
    });
}

} // namespace stridescope
