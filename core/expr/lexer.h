#pragma once
// Tokens of the line language.

#include "core/index.h"
#include "core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace stridescope::expr {

enum class TokenKind : std::uint8_t { End, Newline, Name, Integer, Float, Text, Op };

struct Token {
    TokenKind kind = TokenKind::End;
    Index begin = 0, end = 0;
    std::string text; ///< name, operator, or content of a string
    Index integer = 0;
    double number = 0;
    bool isLowest = false; ///< the integer 2^63, legal only after a minus
};

/// "position 5" for the 0-based character 4.
std::string positionText(Index position);
/// A refusal of the parser.
Refusal syntaxRefusal(std::string id, std::string message, std::string hint, Index position);

/// Cuts a text into tokens, one at a time.
class Lexer {
public:
    explicit Lexer(std::string_view text) : m_text(text) {}
    /// The next token; line ends are tokens only outside brackets.
    Result<Token> next();
    /// Position of the innermost bracket still open, or -1.
    Index openBracket() const { return m_brackets.empty() ? -1 : m_brackets.back().position; }

private:
    struct Bracket {
        char kind;
        Index position;
    };
    void skipBlanks();
    Result<Token> number();
    Result<Token> string(char quote);
    Result<Token> op();

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_lineStart = true;
    std::vector<Bracket> m_brackets;
};

} // namespace stridescope::expr
