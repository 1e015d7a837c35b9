#include "core/print/format_element.h"

#include "core/print/float_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace stridescope {

namespace {

/// Digits of a float before its exponent, sign apart: value = d.ddd × 10^exponent.
struct Decimal {
    bool negative = false;
    std::string digits; ///< without zeros at either end; "0" for zero
    int exponent = 0;
};

/// Takes a finite float as Python writes it apart.
Decimal decimalOf(std::string_view text) {
    Decimal d;
    d.negative = text.front() == '-';
    if (d.negative) text.remove_prefix(1);
    if (const std::size_t mark = text.find('e'); mark != std::string_view::npos) {
        const std::size_t from = mark + (text[mark + 1] == '+' ? 2 : 1);
        std::from_chars(text.data() + from, text.data() + text.size(), d.exponent);
        text = text.substr(0, mark);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    d.exponent += static_cast<int>(point) - 1;
    for (const char c : text) {
        if (c == '.') continue;
        if (d.digits.empty() && c == '0')
            --d.exponent;
        else
            d.digits += c;
    }
    while (!d.digits.empty() && d.digits.back() == '0') d.digits.pop_back();
    if (d.digits.empty()) return {d.negative, "0", 0};
    return d;
}

constexpr std::size_t kAll = std::string::npos;

/// "12.345" with at most so many decimals; a sign for those that are left out.
std::string plainText(const Decimal& d, std::size_t decimals) {
    const std::string zeros(d.exponent < 0 ? static_cast<std::size_t>(-d.exponent) : 0, '0');
    std::string all = zeros + d.digits; // the first digit before the point
    const std::size_t whole = d.exponent < 0 ? 1 : static_cast<std::size_t>(d.exponent) + 1;
    if (all.size() < whole) all.append(whole - all.size(), '0');
    std::string text = d.negative ? "-" : "";
    text.append(all, 0, whole);
    text += '.';
    const std::size_t rest = all.size() - whole;
    text.append(all, whole, std::min(rest, decimals));
    if (rest > decimals) text += kDigitsLeftOut;
    return text;
}

/// "1.2e-05"; `brief`: "1.2e-5".
std::string powerText(const Decimal& d, std::size_t decimals, bool brief = false) {
    std::string text = d.negative ? "-" : "";
    text += d.digits[0];
    if (decimals > 0 && d.digits.size() > 1) text += '.' + d.digits.substr(1, decimals);
    if (decimals != kAll && d.digits.size() - 1 > decimals) text += kDigitsLeftOut;
    const std::string power = std::to_string(std::abs(d.exponent));
    if (d.exponent < 0 || !brief)
        text += d.exponent < 0 ? "e-" : "e+";
    else
        text += 'e';
    return text + (power.size() < 2 && !brief ? "0" : "") + power;
}

/// As many decimals as a print of tensors has, and five digits in all.
std::size_t usualDecimals(const Decimal& d) {
    return static_cast<std::size_t>(std::clamp(4 - std::max(d.exponent, 0), 0, 4));
}

/// The longest text of a finite float that fits in `most`.
std::string floatText(const Decimal& d, std::size_t most) {
    // More digits would be read by nobody, but of whole numbers all count up to where a print of tensors has powers of
    // ten: 16777217 is the first that a float32 cannot hold.
    const bool isWhole = static_cast<int>(d.digits.size()) <= d.exponent + 1;
    const std::size_t room = std::min<std::size_t>(most, (isWhole ? 9U : 8U) + (d.negative ? 1 : 0));
    const bool plain = d.exponent >= -3 && d.exponent < (isWhole ? 8 : 6);
    if (plain) {
        if (std::string text = plainText(d, kAll); text.size() <= room) return text;
    }
    if (std::string text = powerText(d, kAll); text.size() <= room) return text;
    if (plain) {
        for (std::size_t decimals = usualDecimals(d) + 1; decimals-- > 0;) {
            if (static_cast<int>(decimals) < -d.exponent) break; // nothing but zeros
            std::string text = plainText(d, decimals);
            if (text.size() <= most) return text;
        }
    }
    for (const std::size_t decimals : {std::size_t{1}, std::size_t{0}}) {
        for (const bool brief : {false, true}) {
            std::string text = powerText(d, decimals, brief);
            if (text.size() <= most) return text;
        }
    }
    return std::string(1, kDigitsLeftOut);
}

template <class T>
std::string floatText(T value, std::size_t most) {
    const std::string whole = shortestText(value);
    if (std::isfinite(static_cast<double>(value))) return floatText(decimalOf(whole), most);
    return whole.size() <= most ? whole : std::string(1, kDigitsLeftOut);
}

/// All digits of an integer; where they do not fit, the last ones: rounded to "5e+05", neighbours would read the same.
void appendInteger(std::string& out, std::int64_t value, std::size_t most) {
    std::array<char, 24> text;
    const auto done = std::to_chars(text.data(), text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(done.ptr - text.data());
    if (length <= most) {
        out.append(text.data(), length);
        return;
    }
    if (value < 0 && most > 2) {
        out += '-';
        --most;
    }
    out += kDigitsLeftOut;
    const std::size_t shown = most > 1 ? most - 1 : 0;
    out.append(done.ptr - shown, shown);
}

template <class Part>
std::string complexText(Part re, Part im, std::size_t most) {
    const bool plus = !std::signbit(im) || std::isnan(im);
    const std::string none(1, kDigitsLeftOut);
    // Both parts get shorter together.
    for (std::size_t each = std::min<std::size_t>(most, 10); each > 1; --each) {
        const std::string first = floatText(re, each), second = floatText(im, each);
        if (first == none || second == none) break;
        std::string text = first + (plus ? "+" : "") + second + "j";
        if (text.size() <= most) return text;
    }
    return none;
}

template <class T>
T load(const std::byte* address) {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return value;
}

} // namespace

void appendElement(std::string& out, const std::byte* address, DType dtype, std::size_t most) {
    visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            out += *address == std::byte{0} ? 'F' : 'T';
        } else if constexpr (kIsComplex<T>) {
            using Part = typename T::Part;
            const auto value = load<T>(address);
            out += complexText(static_cast<Part>(value.re), static_cast<Part>(value.im), most);
        } else if constexpr (std::is_integral_v<T>) {
            appendInteger(out, load<T>(address), most);
        } else {
            out += floatText(load<T>(address), most);
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
