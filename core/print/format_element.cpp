#include "core/print/format_element.h"

#include "core/print/float_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace stridescope {

namespace {

using Buffer = std::array<char, 400>; // the longest fixed double has 309 digits before the point

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

/// Digits after the point that make five significant ones of a value in [10^-3, 10^6), at most four.
int decimalsFor(double magnitude) {
    if (magnitude < 10.0) return 4;
    if (magnitude < 100.0) return 3;
    if (magnitude < 1000.0) return 2;
    return magnitude < 10000.0 ? 1 : 0;
}

void appendFloat(std::string& out, double value) {
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) {
        out += "nan";
    } else if (std::isinf(value)) {
        out += value < 0 ? "-inf" : "inf";
    } else if (magnitude >= 1e6 || (magnitude < 1e-3 && value != 0)) {
        appendScientific(out, value);
    } else {
        const bool whole = value == std::floor(value);
        Buffer text;
        const auto result = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed,
                                          whole ? 0 : decimalsFor(magnitude));
        char* end = result.ptr;
        if (!whole && decimalsFor(magnitude) > 0) {
            while (end[-1] == '0') --end;
            if (end[-1] == '.') --end; // rounded to a whole number: no point, so that it does not look exact
        }
        out.append(text.data(), end);
        if (whole) out += '.';
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
    visitDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            out += *address == std::byte{0} ? 'F' : 'T';
        } else if constexpr (std::is_integral_v<T>) {
            appendInteger(out, load<T>(address));
        } else {
            appendFloat(out, static_cast<double>(
                                 static_cast<std::conditional_t<sizeof(T) == 8, double, float>>(load<T>(address))));
        }
    });
}

std::string elementText(const std::byte* address, DType dtype) {
    return visitDType(dtype, [&](auto tag) -> std::string {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            return *address == std::byte{0} ? "False" : "True";
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
