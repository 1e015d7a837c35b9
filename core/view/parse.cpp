#include "core/view/parse.h"

#include "core/view/checked.h"
#include "core/view/view_refusals.h"

#include <string>

namespace stridescope {

namespace {

/// What the numbers mean, which decides the ones that are legal.
enum class Numbers : std::uint8_t { Sizes, SizesOrInferred, Integers };

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isBeyondAscii(char c) {
    return static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::string_view kTimes = "\xC3\x97"; // the sign in "2 × 3"
constexpr const char* kSizesHint = "Write sizes like 2, 3 or (2, 3).";
constexpr const char* kIntegersHint = "Write numbers like 4, 1 or (4, 1).";

class ListParser {
public:
    ListParser(std::string_view text, Numbers numbers) : m_text(text), m_numbers(numbers) {}

    Result<Dims> parse() {
        skipSpace();
        char closing = '\0';
        if (peek() == '(' || peek() == '[') {
            closing = peek() == '(' ? ')' : ']';
            ++m_at;
            skipSpace();
        }
        const bool isEmpty = closing == '\0' ? atEnd() : peek() == closing;
        if (!isEmpty) {
            if (auto refusal = parseNumbers(closing)) return refusal;
        }
        if (closing != '\0') {
            if (peek() != closing) {
                return refused("VIEW-43", m_at, std::string("expected '") + closing + "'",
                               "Every opening bracket needs its closing one.");
            }
            ++m_at;
        }
        skipSpace();
        if (!atEnd()) return unexpected();
        if (m_count > kMaxDims) {
            return refuse::make(ErrorKind::Value, "VIEW-46",
                                std::to_string(m_count) + " dims; limit " + std::to_string(kMaxDims), hint(),
                                InputPosition{position(m_firstBeyond)});
        }
        return m_values;
    }

private:
    bool atEnd() const { return m_at >= m_text.size(); }
    char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
    void skipSpace() {
        while (!atEnd() && isSpace(m_text[m_at])) ++m_at;
    }
    const char* hint() const { return m_numbers == Numbers::Integers ? kIntegersHint : kSizesHint; }

    /// Characters before byte `at`: bytes that do not continue a UTF-8 sequence.
    Index position(std::size_t at) const {
        Index characters = 0;
        for (const char c : m_text.substr(0, at))
            if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++characters;
        return characters;
    }

    refuse::RefusalPtr refused(const char* id, std::size_t at, const std::string& what, std::string howTo) const {
        const Index where = position(at);
        return refuse::make(ErrorKind::Value, id, what + " at position " + std::to_string(where + 1), std::move(howTo),
                            InputPosition{where});
    }
    refuse::RefusalPtr useDigits(std::size_t at) const {
        return refused("VIEW-41", at, "use digits 0-9 for whole numbers: not one", hint());
    }
    refuse::RefusalPtr unexpected() const {
        if (isBeyondAscii(peek())) return useDigits(m_at);
        const bool number = isDigit(peek()) || peek() == '-';
        return refused("VIEW-44", m_at, number ? "expected a comma" : "expected a comma or the end", hint());
    }

    bool takeSeparator() {
        if (peek() == ',' || peek() == 'x' || peek() == 'X' || peek() == '*') {
            ++m_at;
            return true;
        }
        if (m_text.substr(m_at, kTimes.size()) == kTimes) {
            m_at += kTimes.size();
            return true;
        }
        return false;
    }

    refuse::RefusalPtr parseNumbers(char closing) {
        while (true) {
            if (auto refusal = parseNumber()) return refusal;
            skipSpace();
            const bool isComma = peek() == ',';
            if (atEnd() || peek() == closing) return nullptr;
            if (!takeSeparator()) {
                if (closing != '\0' && (peek() == ')' || peek() == ']')) return nullptr; // told by the caller
                return unexpected();
            }
            skipSpace();
            // A comma may end the list, as in Python's "(5,)".
            if (isComma && (closing == '\0' ? atEnd() : peek() == closing)) return nullptr;
        }
    }

    refuse::RefusalPtr parseNumber() {
        const std::size_t start = m_at;
        const bool negative = peek() == '-';
        if (negative) ++m_at;
        if (!isDigit(peek())) {
            if (isBeyondAscii(peek())) return useDigits(m_at);
            return refused("VIEW-40", m_at, "expected a number", hint());
        }
        // Counted downwards: the lowest Index has no positive twin.
        Index value = 0;
        bool fits = true;
        const std::size_t digits = m_at;
        for (; isDigit(peek()); ++m_at) fits = fits && mulFits(value, 10, value) && subFits(value, peek() - '0', value);
        const bool isHex = m_text.substr(digits, m_at - digits) == "0" && (peek() == 'x' || peek() == 'X');
        const bool isSeparator = (peek() == 'x' || peek() == 'X') && !isHex;
        if ((isLetter(peek()) && !isSeparator) || peek() == '.' ||
            (isBeyondAscii(peek()) && m_text.substr(m_at, kTimes.size()) != kTimes)) {
            return useDigits(m_at);
        }
        if (!negative) fits = fits && subFits(0, value, value);
        if (!fits) return tooLarge(start);
        if (value < 0 && m_numbers != Numbers::Integers && !(m_numbers == Numbers::SizesOrInferred && value == -1)) {
            return refuse::make(ErrorKind::Value, "VIEW-45",
                                "size of dim " + std::to_string(m_count) + " is " + std::to_string(value) +
                                    "; sizes are 0 or more",
                                m_numbers == Numbers::SizesOrInferred ? "Only -1 may stand for a size to be found."
                                                                      : "Use 0 or a positive size.",
                                InputPosition{position(start)});
        }
        if (m_count == kMaxDims) m_firstBeyond = start;
        if (m_count < kMaxDims) m_values.push_back(value);
        ++m_count;
        return nullptr;
    }

    refuse::RefusalPtr tooLarge(std::size_t start) const {
        constexpr std::size_t kShown = 24;
        std::string number(m_text.substr(start, std::min(m_at - start, kShown)));
        if (m_at - start > kShown) number += "...";
        return refuse::make(ErrorKind::Value, "VIEW-42",
                            number + " is too large for 64 bits, at position " + std::to_string(position(start) + 1),
                            "The largest number is 9223372036854775807.", InputPosition{position(start)});
    }

    std::string_view m_text;
    Numbers m_numbers;
    std::size_t m_at = 0;
    std::size_t m_firstBeyond = 0;
    Index m_count = 0;
    Dims m_values;
};

} // namespace

Result<Dims> parseShape(std::string_view text, bool allowInfer) {
    return ListParser(text, allowInfer ? Numbers::SizesOrInferred : Numbers::Sizes).parse();
}

Result<Dims> parseIntegers(std::string_view text) {
    return ListParser(text, Numbers::Integers).parse();
}

} // namespace stridescope
