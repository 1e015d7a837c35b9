#include "core/tensor/element.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace stridescope {

namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::string lowered(std::string_view text) {
    std::string low(text);
    for (char& c : low) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return low;
}

/// For messages: at most 30 characters, control characters as "?".
std::string quoted(std::string_view text) {
    constexpr std::size_t kShown = 30;
    std::string shown(text.substr(0, kShown));
    while (!shown.empty() && text.size() > kShown && (static_cast<unsigned char>(shown.back()) & 0xC0u) == 0x80u) {
        shown.pop_back(); // do not cut a UTF-8 character in two
    }
    for (char& c : shown) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    return "'" + shown + (text.size() > kShown ? "…'" : "'");
}

/// One parse: the trimmed text, where it began in the field, and the dtype wanted.
struct Parse {
    std::string_view text;
    std::size_t start = 0;
    DType dtype = DType::Float32;

    Refusal refuse(const char* id, std::size_t at, std::string message, std::string hint = {}) const {
        return {ErrorKind::Value, id, std::move(message), std::move(hint),
                InputPosition{static_cast<Index>(start + at)}};
    }
    std::string dtypeName() const { return std::string(name(dtype)); }

    Result<Scalar> parseBool() const {
        const std::string low = lowered(text);
        if (low == "true" || low == "1") return Scalar(true);
        if (low == "false" || low == "0") return Scalar(false);
        return refuse("PARSE-S02", 0, quoted(text) + " is not a bool", "Type True, False, 1 or 0.");
    }

    /// Ways to write a number that Python has and fields have not: names the number to type.
    std::optional<Refusal> refuseOtherNotation() const {
        const std::size_t sign = text.front() == '-' || text.front() == '+' ? 1 : 0;
        const std::string low = lowered(text.substr(sign));
        if (low.size() > 2 && low[0] == '0' && (low[1] == 'x' || low[1] == 'b' || low[1] == 'o')) {
            const int base = low[1] == 'x' ? 16 : low[1] == 'b' ? 2 : 8;
            Index value = 0;
            const auto [end, code] = std::from_chars(low.data() + 2, low.data() + low.size(), value, base);
            if (end == low.data() + low.size() && code == std::errc()) {
                return refuse("PARSE-S03", sign, quoted(text) + " is not written in decimal digits",
                              "Type " + std::string(text.substr(0, sign) == "-" ? "-" : "") + std::to_string(value) +
                                  ".");
            }
        }
        const std::size_t underscore = text.find('_');
        if (underscore != std::string_view::npos) {
            std::string plain(text);
            std::erase(plain, '_');
            const bool number = !plain.empty() && plain.find_first_not_of("0123456789+-.eE") == std::string::npos;
            return refuse("PARSE-S03", underscore, quoted(text) + " has '_' in it",
                          number ? "Type " + plain + "." : "Use digits only.");
        }
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (static_cast<unsigned char>(text[i]) >= 0x80) {
                return refuse("PARSE-S04", i, quoted(text) + " has characters that are no digits: use digits 0-9");
            }
        }
        return std::nullopt;
    }

    Refusal refuseAt(std::size_t at) const {
        return refuse("PARSE-S02", at,
                      quoted(text) + " is not a number: expected a digit at position " + std::to_string(start + at));
    }

    /// What parseScalar says to a text that a float would take, but dtype is an integer.
    Result<Scalar> refuseForInteger(std::size_t at) const {
        const Parse wider{text, start, DType::Float64};
        if (!wider.parseFloat()) return refuseAt(at);
        const std::string low = lowered(text);
        if (low.find("nan") != std::string::npos || low.find("inf") != std::string::npos) {
            return refuse("PARSE-S05", 0, dtypeName() + " has no " + quoted(text),
                          "Only float dtypes have nan and inf.");
        }
        return refuse("PARSE-S06", at, quoted(text) + " is not a whole number as " + dtypeName() + " needs it",
                      "Type digits without point or exponent.");
    }

    template <class T>
    Result<Scalar> parseInteger() const {
        const std::size_t sign = text.front() == '-' || text.front() == '+' ? 1 : 0;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", sign), text.size());
        if (end != text.size()) return refuseForInteger(end);
        if (end == sign) return refuseAt(end);
        const std::string_view digits = text.front() == '+' ? text.substr(1) : text;
        Index value = 0;
        const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        using Limits = std::numeric_limits<T>;
        if (code == std::errc::result_out_of_range || value < static_cast<Index>(Limits::min()) ||
            value > static_cast<Index>(Limits::max())) {
            return refuse("PARSE-S07", 0,
                          quoted(text) + " is out of range for " + dtypeName() + ": " + std::to_string(Limits::min()) +
                              " to " + std::to_string(Limits::max()));
        }
        return Scalar(value);
    }

    Result<Scalar> parseFloat() const {
        const std::size_t sign = text.front() == '-' || text.front() == '+' ? 1 : 0;
        const std::string low = lowered(text.substr(sign));
        const double factor = text.front() == '-' ? -1.0 : 1.0;
        if (low == "inf" || low == "infinity") return Scalar(factor * std::numeric_limits<double>::infinity());
        if (low == "nan") return Scalar(std::numeric_limits<double>::quiet_NaN());
        const bool number = !low.empty() && (isDigit(low[0]) || (low[0] == '.' && low.size() > 1 && isDigit(low[1])));
        if (!number) return refuseAt(sign);
        double value = 0;
        const auto [stop, code] = std::from_chars(low.data(), low.data() + low.size(), value);
        if (stop != low.data() + low.size()) return refuseAt(sign + static_cast<std::size_t>(stop - low.data()));
        const std::string type = dtypeName();
        // Some implementations give 0 or infinity here without an error code.
        const std::string_view mantissa = std::string_view(low).substr(0, low.find('e'));
        const bool nonZero = mantissa.find_first_of("123456789") != std::string_view::npos;
        if (code == std::errc::result_out_of_range || !std::isfinite(value) || (value == 0 && nonZero)) {
            return refuse("PARSE-S07", 0, quoted(text) + " is too large or too small for " + type);
        }
        if (dtype == DType::Float32) { // read as float at once: through double some ties would round twice
            float narrow = 0;
            if (std::from_chars(low.data(), low.data() + low.size(), narrow).ec == std::errc()) {
                if (std::isfinite(narrow) && (narrow != 0 || value == 0))
                    return Scalar(factor * static_cast<double>(narrow));
            }
        }
        auto fitted = fitScalar(Scalar(factor * value), dtype);
        if (!fitted) return refuse("PARSE-S07", 0, fitted.refusal().message);
        return fitted;
    }
};

} // namespace

Result<Scalar> parseScalar(std::string_view field, DType dtype) {
    const std::size_t first = field.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return Refusal{ErrorKind::Value, "PARSE-S01", "expected a number, the field is empty", "", InputPosition{0}};
    }
    const std::size_t last = field.find_last_not_of(kBlanks);
    const Parse parse{field.substr(first, last - first + 1), first, dtype};
    if (dtype == DType::Bool) return parse.parseBool();
    if (auto other = parse.refuseOtherNotation()) return *std::move(other);
    return visitDType(dtype, [&](auto tag) -> Result<Scalar> {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T>) {
            return parse.parseInteger<T>();
        } else {
            return parse.parseFloat();
        }
    });
}

} // namespace stridescope
