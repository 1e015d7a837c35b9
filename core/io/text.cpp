#include "core/io/text.h"

#include <array>
#include <cstdio>

namespace stridescope {
namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

/// Takes one character off the front of `text`; kInvalid (one byte taken) when it is not well-formed UTF-8.
char32_t takeCharacter(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    std::size_t length = 1;
    char32_t value = first;
    char32_t least = 0;
    if (first >= 0x80) {
        if (first >= 0xC2 && first <= 0xDF) {
            length = 2;
            value = first & 0x1Fu;
            least = 0x80;
        } else if ((first & 0xF0u) == 0xE0u) {
            length = 3;
            value = first & 0x0Fu;
            least = 0x800;
        } else if (first >= 0xF0 && first <= 0xF4) {
            length = 4;
            value = first & 0x07u;
            least = 0x10000;
        } else {
            value = kInvalid;
        }
    }
    if (value != kInvalid && length > text.size()) value = kInvalid;
    for (std::size_t i = 1; value != kInvalid && i < length; ++i) {
        value = (byte(i) & 0xC0u) == 0x80u ? (value << 6 | (byte(i) & 0x3Fu)) : kInvalid;
    }
    if (value != kInvalid && (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))) {
        value = kInvalid;
    }
    text.remove_prefix(value == kInvalid ? 1 : length);
    return value;
}

/// Characters that draw nothing themselves but change what their neighbours look like.
bool isInvisible(char32_t c) {
    struct Range {
        char32_t first, last;
    };
    static constexpr std::array<Range, 18> kRanges{{{0x00, 0x1F},
                                                    {0x7F, 0x9F},
                                                    {0xAD, 0xAD},
                                                    {0x0600, 0x0605},
                                                    {0x061C, 0x061C},
                                                    {0x06DD, 0x06DD},
                                                    {0x070F, 0x070F},
                                                    {0x08E2, 0x08E2},
                                                    {0x115F, 0x1160},
                                                    {0x180B, 0x180E},
                                                    {0x200B, 0x200F},
                                                    {0x2028, 0x202E},
                                                    {0x2060, 0x206F},
                                                    {0xD800, 0xF8FF},
                                                    {0xFE00, 0xFE0F},
                                                    {0xFEFF, 0xFEFF},
                                                    {0xFFF0, 0xFFFC},
                                                    {0xE0000, 0x10FFFF}}};
    for (const Range& range : kRanges) {
        if (c >= range.first && c <= range.last) return true;
    }
    return false;
}

std::string escape(char32_t c) {
    switch (c) {
    case U'\n':
        return "\\n";
    case U'\r':
        return "\\r";
    case U'\t':
        return "\\t";
    default:
        break;
    }
    char buffer[16];
    const auto value = static_cast<unsigned>(c);
    const char* const format = value < 0x100 ? "\\x%02x" : value < 0x10000 ? "\\u%04x" : "\\U%08x";
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

} // namespace

std::string sanitiseForDisplay(std::string_view text, std::size_t maxCharacters) {
    std::string out;
    std::size_t shown = 0;
    std::size_t cutAt = 0; // bytes of `out` that leave room for the ellipsis
    while (!text.empty()) {
        const std::string_view before = text;
        const char32_t c = takeCharacter(text);
        std::string piece;
        std::size_t width = 1;
        if (c == kInvalid) {
            piece = "\uFFFD";
        } else if (isInvisible(c)) {
            piece = escape(c);
            width = piece.size();
        } else {
            piece.assign(before.substr(0, before.size() - text.size()));
        }
        if (shown + width > maxCharacters) {
            out.resize(cutAt);
            if (maxCharacters > 0) out += "…";
            return out;
        }
        shown += width;
        out += piece;
        if (shown + 1 <= maxCharacters) cutAt = out.size();
    }
    return out;
}

std::string bytesText(std::uint64_t bytes) {
    if (bytes < 100'000) {
        std::string digits = std::to_string(bytes);
        if (digits.size() > 4) digits.insert(digits.size() - 3, "\u202f"); // narrow, and no line breaks there
        return digits + " B";
    }
    static constexpr std::array<const char*, 6> kUnits{"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, kUnits[unit]);
    return buffer;
}

} // namespace stridescope
