#pragma once
// Reading JSON (RFC 8259): headers of tensor files, sessions, recorded timings.

#include "core/index.h"

#include <optional>
#include <string>
#include <string_view>

namespace stridescope::io {

/// Walks over JSON text without building a tree; the caller says what must come next. After the first false answer
/// failed() holds, and problem() says what was wanted at offset().
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : m_text(text) {}

    /// The next character that is not blank is `c`: steps over it. No complaint otherwise.
    bool take(char c);
    /// As take, but anything else is a failure.
    bool expect(char c);
    /// A text in quotes, escapes resolved, at most `maxBytes` long; must be valid UTF-8 without lone surrogates.
    bool string(std::string& out, std::size_t maxBytes = 64 * 1024);
    /// A whole number from 0 to 2^63 - 1, without sign, point, exponent or leading zeros.
    bool whole(Index& out);
    /// As whole, or with a minus before it: from -2^63.
    bool integer(Index& out);
    /// Any number that a double holds; null where `nullIsNan` is NaN.
    bool number(double& out, bool nullIsNan = false);
    bool boolean(bool& out);
    /// Any value, of which nothing is kept but its text; at most `depth` lists and objects inside one another.
    bool skip(std::string_view& text, int depth = 64);
    bool skip(int depth = 32) {
        std::string_view text;
        return skip(text, depth);
    }
    /// Nothing but blanks is left.
    bool atEnd();
    bool fail(std::string problem);

    bool failed() const { return !m_problem.empty(); }
    const std::string& problem() const { return m_problem; }
    std::size_t offset() const { return m_at; }

private:
    void skipBlanks();
    bool word(std::string_view word);
    bool skipNumber();
    bool escape(std::string& out);
    bool hexUnit(unsigned& unit);

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_problem;
};

/// `text` in quotes, with everything escaped that JSON wants escaped.
std::string jsonQuoted(std::string_view text);

} // namespace stridescope::io
