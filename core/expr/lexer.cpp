#include "core/expr/lexer.h"

#include <charconv>
#include <cstdio>
#include <limits>

namespace stridescope::expr {

namespace {

constexpr std::size_t kOpenBracketsMax = 200;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
}

/// The character at `at` for a message: itself, or U+XXXX when it is not printable ASCII.
std::string shownCharacter(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first >= 0x20 && first < 0x7f) return std::string("'") + text[at] + "'";
    unsigned code = first;
    const std::size_t extra = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    if (extra > 0 && at + extra < text.size()) {
        code = first & (0x3fu >> extra);
        for (std::size_t i = 1; i <= extra; ++i) code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3f);
    }
    char shown[16];
    std::snprintf(shown, sizeof shown, "U+%04X", code & 0x1fffffu);
    return shown;
}

/// True for what Python takes for a number beyond decimal digits: 2j, 0x10, 0b11, 0o17, 1_000.
bool isNumeralOfPython(std::string_view word) {
    if (!word.empty() && (word.back() == 'j' || word.back() == 'J')) word.remove_suffix(1);
    std::string_view digits = "0123456789";
    const std::string_view prefix = word.substr(0, 2);
    if (prefix == "0x" || prefix == "0X") digits = "0123456789abcdefABCDEF";
    if (prefix == "0b" || prefix == "0B") digits = "01";
    if (prefix == "0o" || prefix == "0O") digits = "01234567";
    const bool decimal = digits.size() == 10;
    if (!decimal) word.remove_prefix(2);
    char before = decimal ? '_' : '0'; // 0x_10 is a number, _10 a name
    for (const char c : word) {
        const bool digit = digits.find(c) != std::string_view::npos || (decimal && c == '.');
        const bool afterDigit = before != '_' && before != 'e' && before != '-';
        const bool exponent = decimal && (c == 'e' || c == 'E') && afterDigit;
        const bool sign = (c == '+' || c == '-') && before == 'e';
        if (!digit && !exponent && !sign && !(c == '_' && afterDigit)) return false;
        before = digit ? '0' : exponent ? 'e' : sign ? '-' : '_';
    }
    return !word.empty() && before == '0';
}

} // namespace

std::string positionText(Index position) {
    return "position " + std::to_string(position + 1);
}

Refusal syntaxRefusal(std::string id, std::string message, std::string hint, Index position) {
    return {ErrorKind::Value, std::move(id), std::move(message), std::move(hint), InputPosition{position}};
}

void Lexer::skipBlanks() {
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        const bool lineEnd = c == '\n';
        if (m_lineStart && (m_text.substr(m_at, 4) == ">>> " || m_text.substr(m_at, 4) == "... ")) {
            m_at += 4;
            m_lineStart = false;
        } else if (c == ' ' || c == '\t' || c == '\r' || (lineEnd && !m_brackets.empty())) {
            ++m_at;
            if (lineEnd) m_lineStart = true;
        } else if (c == '#') {
            while (m_at < m_text.size() && m_text[m_at] != '\n') ++m_at;
        } else {
            return;
        }
    }
}

Result<Token> Lexer::next() {
    skipBlanks();
    Token token;
    token.begin = token.end = static_cast<Index>(m_at);
    if (m_at >= m_text.size()) return token;
    const char c = m_text[m_at];
    m_lineStart = false;
    if (c == '\n') {
        ++m_at;
        m_lineStart = true;
        token.kind = TokenKind::Newline;
        token.end = static_cast<Index>(m_at);
        return token;
    }
    if (isNameStart(c)) {
        std::size_t end = m_at;
        while (end < m_text.size() && isNamePart(m_text[end])) ++end;
        token.kind = TokenKind::Name;
        token.text = m_text.substr(m_at, end - m_at);
        m_at = end;
        token.end = static_cast<Index>(end);
        return token;
    }
    if (isDigit(c) || (c == '.' && m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1]))) return number();
    if (c == '"' || c == '\'') return string(c);
    return op();
}

Result<Token> Lexer::number() {
    const std::size_t begin = m_at;
    const auto position = static_cast<Index>(begin);
    std::size_t end = begin;
    bool isFloat = false;
    const auto digits = [&] {
        while (end < m_text.size() && isDigit(m_text[end])) ++end;
    };
    digits();
    if (end < m_text.size() && m_text[end] == '.') {
        isFloat = true;
        ++end;
        digits();
    }
    if (end < m_text.size() && (m_text[end] == 'e' || m_text[end] == 'E')) {
        std::size_t exponent = end + 1;
        if (exponent < m_text.size() && (m_text[exponent] == '+' || m_text[exponent] == '-')) ++exponent;
        if (exponent < m_text.size() && isDigit(m_text[exponent])) {
            isFloat = true;
            end = exponent;
            digits();
        }
    }
    if (end < m_text.size() && isNamePart(m_text[end])) {
        std::size_t wordEnd = end;
        while (wordEnd < m_text.size() && isNamePart(m_text[wordEnd])) ++wordEnd;
        const std::string word(m_text.substr(begin, std::min<std::size_t>(wordEnd - begin, 30)));
        if (isNumeralOfPython(m_text.substr(begin, wordEnd - begin)))
            return syntaxRefusal("EXPR-06",
                                 "the numeral '" + word + "' at " + positionText(position) + " is not read here",
                                 "Write real numbers in decimal digits: 16, 1000, 2.5, 1e-3.", position);
        return syntaxRefusal("EXPR-03", "'" + word + "' is not a number, at " + positionText(position),
                             "Write decimal digits, with a point or exponent for floats: 16, 1000, 2.5, 1e-3.",
                             position);
    }
    Token token;
    token.begin = position;
    token.end = static_cast<Index>(end);
    const std::string_view digitsText = m_text.substr(begin, end - begin);
    m_at = end;
    if (isFloat) {
        token.kind = TokenKind::Float;
        const auto result = std::from_chars(digitsText.data(), digitsText.data() + digitsText.size(), token.number);
        if (result.ec == std::errc::result_out_of_range) {
            // As Python: 1e400 is inf, 1e-400 is 0.
            const std::size_t e = digitsText.find_first_of("eE");
            const bool tiny = e != std::string_view::npos && digitsText[e + 1] == '-';
            token.number = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        }
        return token;
    }
    token.kind = TokenKind::Integer;
    if (digitsText.size() > 1 && digitsText[0] == '0' && digitsText.find_first_not_of('0') != std::string_view::npos)
        return syntaxRefusal("EXPR-03", "a number may not begin with 0, at " + positionText(position),
                             "Leave the leading zeros out.", position);
    std::uint64_t wide = 0;
    const auto result = std::from_chars(digitsText.data(), digitsText.data() + digitsText.size(), wide);
    constexpr std::uint64_t kTwoTo63 = std::uint64_t{1} << 63;
    if (result.ec != std::errc() || wide > kTwoTo63)
        return syntaxRefusal("EXPR-03",
                             "the number at " + positionText(position) + " is too large for 64 bits (" +
                                 std::to_string(digitsText.size()) + " digits)",
                             "Integers go to 9223372036854775807.", position);
    token.isLowest = wide == kTwoTo63;
    token.integer = token.isLowest ? std::numeric_limits<Index>::min() : static_cast<Index>(wide);
    return token;
}

Result<Token> Lexer::string(char quote) {
    const auto position = static_cast<Index>(m_at);
    std::size_t end = m_at + 1;
    while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n') {
        if (m_text[end] == '\\') {
            const char next = end + 1 < m_text.size() ? m_text[end + 1] : '\0';
            if (next != '\\' && next != '\'' && next != '"')
                return syntaxRefusal("EXPR-04",
                                     "a backslash in a string stands before \\ or a quote here; found another at " +
                                         positionText(static_cast<Index>(end)),
                                     "Write \\\\ for a backslash.", static_cast<Index>(end));
            ++end;
        }
        ++end;
    }
    if (end >= m_text.size() || m_text[end] != quote)
        return syntaxRefusal("EXPR-04", "the string that begins at " + positionText(position) + " is not closed",
                             std::string("Add ") + quote + " after its last character.", position);
    Token token;
    token.kind = TokenKind::Text;
    token.begin = position;
    for (std::size_t i = m_at + 1; i < end; ++i) {
        if (m_text[i] == '\\') ++i; // what follows stands for itself
        token.text += m_text[i];
    }
    m_at = end + 1;
    token.end = static_cast<Index>(m_at);
    return token;
}

Result<Token> Lexer::op() {
    const auto position = static_cast<Index>(m_at);
    Token token;
    token.kind = TokenKind::Op;
    token.begin = position;
    for (const std::string_view candidate :
         {"...", "**=", "//=", "<<=", ">>=", "**", "//", "<<", ">>", "+=", "-=", "*=", "/=", "%=",
          "&=",  "|=",  "^=",  "==",  "!=",  "<=", ">=", "(",  ")",  "[",  "]",  ",",  ":",  ";",
          ".",   "=",   "+",   "-",   "*",   "/",  "%",  "@",  "<",  ">",  "&",  "|",  "^",  "~"}) {
        if (m_text.substr(m_at, candidate.size()) == candidate) {
            token.text = candidate;
            break;
        }
    }
    if (token.text.empty()) {
        const bool ascii = static_cast<unsigned char>(m_text[m_at]) < 0x80;
        return syntaxRefusal("EXPR-02",
                             shownCharacter(m_text, m_at) + " has no meaning here, at " + positionText(position),
                             ascii ? "Lines are made of names, numbers, brackets and + - * / % @ & | ^ ~ < > = ."
                                   : "Use plain letters a-z and digits 0-9.",
                             position);
    }
    m_at += token.text.size();
    token.end = static_cast<Index>(m_at);
    const char c = token.text[0];
    if (c == '(' || c == '[') {
        if (m_brackets.size() >= kOpenBracketsMax)
            return syntaxRefusal("EXPR-07",
                                 std::to_string(kOpenBracketsMax) + " brackets are open at " + positionText(position),
                                 "Make the expression in steps, with names for the parts.", position);
        m_brackets.push_back({c, position});
    } else if (c == ')' || c == ']') {
        if (m_brackets.empty())
            return syntaxRefusal("EXPR-05", "'" + token.text + "' at " + positionText(position) + " closes no bracket",
                                 "Remove it or open one before it.", position);
        const Bracket open = m_brackets.back();
        const char wanted = open.kind == '(' ? ')' : ']';
        if (wanted != c)
            return syntaxRefusal(
                "EXPR-05",
                std::string("expected '") + wanted + "' at " + positionText(position) + ", found '" + c + "'",
                std::string("The bracket '") + open.kind + "' opened at " + positionText(open.position) + ".",
                position);
        m_brackets.pop_back();
    }
    return token;
}

} // namespace stridescope::expr
