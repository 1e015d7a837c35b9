#include "core/io/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

namespace stridescope::io {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void appendUtf8(std::string& out, unsigned code) {
    const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

/// Bytes of the well-formed UTF-8 sequence at the start of `text`; 0 when it is none (Unicode, table 3-7).
std::size_t utf8Length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
        return follows(1, low, high) && follows(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
        return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

} // namespace

bool JsonReader::fail(std::string problem) {
    if (m_problem.empty()) m_problem = std::move(problem);
    return false;
}

void JsonReader::skipBlanks() {
    while (m_at < m_text.size() && isBlank(m_text[m_at])) ++m_at;
}

bool JsonReader::take(char c) {
    skipBlanks();
    if (failed() || m_at >= m_text.size() || m_text[m_at] != c) return false;
    ++m_at;
    return true;
}

bool JsonReader::expect(char c) {
    return take(c) || fail(std::string("'") + c + "' is missing");
}

bool JsonReader::atEnd() {
    skipBlanks();
    return !failed() && m_at == m_text.size();
}

bool JsonReader::hexUnit(unsigned& unit) {
    unit = 0;
    for (int i = 0; i < 4; ++i, ++m_at) {
        const char c = m_at < m_text.size() ? m_text[m_at] : '\0';
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return fail("\\u needs four hexadecimal digits");
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return true;
}

bool JsonReader::escape(std::string& out) {
    const char c = m_at < m_text.size() ? m_text[m_at++] : '\0';
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t which = kLetters.find(c); which != std::string_view::npos) {
        out += kMeanings[which];
        return true;
    }
    if (c != 'u') return fail("unknown escape in a text");
    unsigned unit = 0;
    if (!hexUnit(unit)) return false;
    if (unit >= 0xDC00 && unit <= 0xDFFF) return fail("half of a surrogate pair");
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        unsigned low = 0;
        if (m_text.substr(m_at, 2) != "\\u") return fail("half of a surrogate pair");
        m_at += 2;
        if (!hexUnit(low)) return false;
        if (low < 0xDC00 || low > 0xDFFF) return fail("half of a surrogate pair");
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    appendUtf8(out, unit);
    return true;
}

bool JsonReader::string(std::string& out, std::size_t maxBytes) {
    out.clear();
    if (!take('"')) return fail("a text in quotes is missing");
    while (m_at < m_text.size()) {
        if (out.size() > maxBytes) return fail("a text is longer than " + std::to_string(maxBytes) + " bytes");
        const char c = m_text[m_at];
        if (c == '"') {
            ++m_at;
            return true;
        }
        if (c == '\\') {
            ++m_at;
            if (!escape(out)) return false;
            continue;
        }
        if (static_cast<unsigned char>(c) < 0x20) return fail("a control character stands in a text");
        const std::size_t length = utf8Length(m_text.substr(m_at));
        if (length == 0) return fail("a text is not UTF-8");
        out += m_text.substr(m_at, length);
        m_at += length;
    }
    return fail("a text has no end");
}

bool JsonReader::whole(Index& out) {
    skipBlanks();
    const std::size_t start = m_at;
    out = 0;
    while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9') {
        if (__builtin_mul_overflow(out, Index{10}, &out) ||
            __builtin_add_overflow(out, Index{m_text[m_at] - '0'}, &out))
            return fail("a number is above 2^63 - 1");
        ++m_at;
    }
    if (m_at == start) return fail("a whole number is missing");
    if (m_text[start] == '0' && m_at - start > 1) return fail("a number begins with 0");
    return true;
}

bool JsonReader::integer(Index& out) {
    skipBlanks();
    if (m_at >= m_text.size() || m_text[m_at] != '-') return whole(out);
    const std::size_t start = ++m_at;
    out = 0;
    for (; m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9'; ++m_at) {
        if (__builtin_mul_overflow(out, Index{10}, &out) ||
            __builtin_sub_overflow(out, Index{m_text[m_at] - '0'}, &out))
            return fail("a number is below -2^63");
    }
    if (m_at == start || m_text[start] == '0') return fail("a whole number is missing behind its sign");
    return true;
}

bool JsonReader::word(std::string_view word) {
    if (failed() || m_text.substr(m_at, word.size()) != word) return false;
    m_at += word.size();
    return true;
}

bool JsonReader::number(double& out, bool nullIsNan) {
    skipBlanks();
    if (nullIsNan && word("null")) {
        out = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    const char *begin = m_text.data() + std::min(m_at, m_text.size()), *end = m_text.data() + m_text.size();
    const char* digits = begin != end && *begin == '-' ? begin + 1 : begin;
    // from_chars also knows "inf", "nan" and ".5", which JSON does not.
    if (digits == end || *digits < '0' || *digits > '9') return fail("a number is missing");
    if (*digits == '0' && digits + 1 != end && digits[1] >= '0' && digits[1] <= '9')
        return fail("a number begins with 0");
    const auto [stop, problem] = std::from_chars(begin, end, out);
    if (problem != std::errc()) return fail("a number is beyond what 64 bits hold");
    if (stop[-1] == '.') return fail("a number ends with a point");
    m_at += static_cast<std::size_t>(stop - begin);
    return true;
}

bool JsonReader::boolean(bool& out) {
    skipBlanks();
    out = word("true");
    return out || word("false") || fail("true or false is missing");
}

bool JsonReader::skipNumber() {
    const auto digits = [this] {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9') ++m_at;
        return m_at > start;
    };
    word("-");
    const std::size_t start = m_at;
    if (!digits() || (m_text[start] == '0' && m_at - start > 1)) return fail("a value is missing");
    if (word(".") && !digits()) return fail("a number ends in its point");
    if (word("e") || word("E")) {
        if (!word("+")) word("-");
        if (!digits()) return fail("a number has no exponent");
    }
    return true;
}

bool JsonReader::skip(std::string_view& text, int depth) {
    if (depth <= 0) return fail("values are nested too deep");
    skipBlanks();
    const std::size_t start = m_at;
    std::string ignored;
    std::string_view inner;
    constexpr std::size_t kLongest = std::size_t{16} << 20;
    const char first = m_at < m_text.size() ? m_text[m_at] : '\0';
    if (first == '"') {
        if (!string(ignored, kLongest)) return false;
    } else if (first == '[' || first == '{') {
        const char last = first == '[' ? ']' : '}';
        ++m_at;
        if (!take(last)) {
            do {
                if (first == '{' && (!string(ignored, kLongest) || !expect(':'))) return false;
                if (!skip(inner, depth - 1)) return false;
            } while (take(','));
            if (!expect(last)) return false;
        }
    } else if (!word("true") && !word("false") && !word("null") && !skipNumber()) {
        return false;
    }
    text = m_text.substr(start, m_at - start);
    return true;
}

std::string jsonQuoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += escaped;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

} // namespace stridescope::io
