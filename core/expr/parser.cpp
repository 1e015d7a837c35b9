#include "core/expr/parser.h"

#include "core/expr/lexer.h"

#include <algorithm>
#include <array>

namespace stridescope::expr {

namespace {

constexpr std::array<std::string_view, 35> kPythonWords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool isPythonWord(std::string_view word) {
    return std::find(kPythonWords.begin(), kPythonWords.end(), word) != kPythonWords.end();
}

/// Thrown inside this file only; parseProgram turns it into a Result.
struct Refused {
    Refusal refusal;
};

class Parser {
public:
    Parser(std::string_view text, const ParseLimits& limits) : m_lexer(text), m_limits(limits) { advance(); }

    Program program() {
        Program result;
        while (true) {
            while (m_token.kind == TokenKind::Newline || isOp(";")) advance();
            if (m_token.kind == TokenKind::End) break;
            result.statements.push_back(statement());
            if (m_token.kind != TokenKind::End && m_token.kind != TokenKind::Newline && !isOp(";"))
                fail("the end of the statement");
        }
        if (m_lexer.openBracket() >= 0) failOpenBracket();
        return result;
    }

private:
    // --- Tokens ---
    void advance() {
        m_lastEnd = m_token.end;
        auto token = m_lexer.next();
        if (!token) throw Refused{token.refusal()};
        m_token = *std::move(token);
    }
    bool isOp(std::string_view op) const { return m_token.kind == TokenKind::Op && m_token.text == op; }
    bool isName(std::string_view name) const { return m_token.kind == TokenKind::Name && m_token.text == name; }
    bool accept(std::string_view op) {
        if (!isOp(op)) return false;
        advance();
        return true;
    }
    void expect(std::string_view op) {
        if (!accept(op)) fail("'" + std::string(op) + "'");
    }

    // --- Refusals ---
    [[noreturn]] void failOpenBracket() {
        const Index position = m_lexer.openBracket();
        throw Refused{syntaxRefusal("EXPR-08", "the bracket opened at " + positionText(position) + " is not closed",
                                    "Add the closing bracket.", position)};
    }
    [[noreturn]] void fail(const std::string& wanted) {
        if (m_token.kind == TokenKind::End && m_lexer.openBracket() >= 0) failOpenBracket();
        std::string found = "the end of the line";
        if (m_token.kind == TokenKind::Integer || m_token.kind == TokenKind::Float) found = "a number";
        if (m_token.kind == TokenKind::Text) found = "a string";
        if (m_token.kind == TokenKind::Op) found = "'" + m_token.text + "'";
        if (m_token.kind == TokenKind::Name) {
            found = "'" + m_token.text.substr(0, 30) + "'";
            if (isPythonWord(m_token.text)) failWord();
        }
        const bool mark = m_token.kind == TokenKind::Op;
        const char* hint = m_token.kind == TokenKind::End ? "Write the rest of the line."
                           : mark && m_token.text == ","  ? "Put a value before the comma, or take the comma away."
                           : mark                         ? "Take it away, or put a value before it."
                                                          : "Put a comma or an operator before it.";
        throw Refused{syntaxRefusal("EXPR-05",
                                    "expected " + wanted + " at " + positionText(m_token.begin) + ", found " + found,
                                    hint, m_token.begin)};
    }
    [[noreturn]] void failWord() {
        throw Refused{syntaxRefusal(
            "EXPR-06",
            "'" + m_token.text + "' at " + positionText(m_token.begin) + " is Python that this line does not read",
            "Lines are assignments, calls, indexing and arithmetic on tensors.", m_token.begin)};
    }
    Node finish(Node node) {
        node.end = std::max(node.end, m_lastEnd);
        int below = 0;
        for (const Node& child : node.children) below = std::max(below, child.height);
        node.height = below + 1;
        if (node.height > m_limits.depth)
            throw Refused{syntaxRefusal("EXPR-07",
                                        "the expression at " + positionText(node.begin) + " is nested deeper than " +
                                            std::to_string(m_limits.depth),
                                        "Make it in steps, with names for the parts.", node.begin)};
        if (++m_nodes > m_limits.nodes)
            throw Refused{syntaxRefusal(
                "EXPR-01", "more than " + std::to_string(m_limits.nodes) + " parts at " + positionText(node.begin),
                "Open large data from a file.", node.begin)};
        return node;
    }
    Node begin(NodeKind kind) const {
        Node node;
        node.kind = kind;
        node.begin = m_token.begin;
        node.end = m_token.end;
        return node;
    }

    // --- Statements ---
    Statement statement() {
        Statement result;
        result.begin = m_token.begin;
        if (isName("del")) {
            deleteStatement(result);
        } else if (isName("import")) {
            importStatement(result);
        } else {
            if (m_token.kind == TokenKind::Name && isPythonWord(m_token.text) && !isValueWord(m_token.text)) failWord();
            bool isTuple = false;
            Node first = expressionList(isTuple);
            if (isOp("=")) {
                assignment(result, std::move(first), isTuple);
            } else if (m_token.kind == TokenKind::Op && m_token.text.size() >= 2 && m_token.text.back() == '=' &&
                       !isComparison(m_token.text)) {
                augmented(result, std::move(first));
            } else {
                result.value = std::move(first);
            }
        }
        result.end = m_lastEnd;
        return result;
    }
    void deleteStatement(Statement& result) {
        result.kind = StatementKind::Delete;
        do {
            advance();
            if (m_token.kind != TokenKind::Name || !isIdentifier(m_token.text)) fail("a name to delete");
            Node name = begin(NodeKind::Name);
            name.text = m_token.text;
            advance();
            result.targets.push_back(finish(std::move(name)));
        } while (isOp(","));
    }
    void importStatement(Statement& result) {
        result.kind = StatementKind::Import;
        const Token word = m_token;
        advance();
        const bool torch = isName("torch");
        if (torch) advance();
        if (!torch || isOp(",") || isOp(".") || isName("as")) {
            m_token = word;
            failWord();
        }
    }
    void assignment(Statement& result, Node first, bool isTuple) {
        result.kind = StatementKind::Assign;
        result.unpack = isTuple;
        if (isTuple)
            result.targets = std::move(first.children);
        else
            result.targets.push_back(std::move(first));
        for (const Node& target : result.targets) checkTarget(target, isTuple);
        advance();
        bool valueIsTuple = false;
        result.value = expressionList(valueIsTuple);
        if (isOp("="))
            throw Refused{syntaxRefusal("EXPR-06",
                                        "a second '=' at " + positionText(m_token.begin) + " is not read here",
                                        "Assign in two statements: b = ...; a = b.", m_token.begin)};
    }
    void augmented(Statement& result, Node target) {
        result.kind = StatementKind::Augment;
        result.op = m_token.text.substr(0, m_token.text.size() - 1);
        checkTarget(target, false);
        result.targets.push_back(std::move(target));
        advance();
        bool valueIsTuple = false;
        result.value = expressionList(valueIsTuple);
    }
    static bool isComparison(std::string_view op) { return op == "==" || op == "!=" || op == "<=" || op == ">="; }
    static bool isValueWord(std::string_view word) {
        return word == "True" || word == "False" || word == "None" || word == "not";
    }
    void checkTarget(const Node& target, bool unpacked) {
        const bool name = target.kind == NodeKind::Name && isIdentifier(target.text);
        if (name || (target.kind == NodeKind::Subscript && !unpacked)) return;
        const std::string what = target.kind == NodeKind::Name ? "'" + target.text.substr(0, 60) + "'" : "this";
        throw Refused{syntaxRefusal("EXPR-09", "cannot assign to " + what + " at " + positionText(target.begin),
                                    "Assign to a name (B = ...) or to elements (B[1] = 7).", target.begin)};
    }

    // --- Expressions, loosest first ---
    /// "a" or "a, b" (a tuple without brackets).
    Node expressionList(bool& isTuple) {
        Node tuple = begin(NodeKind::Tuple);
        Node first = expression();
        isTuple = isOp(",");
        if (!isTuple) return first;
        tuple.children.push_back(std::move(first));
        while (accept(",")) {
            if (m_token.kind == TokenKind::End || m_token.kind == TokenKind::Newline || isOp(";") || isOp("=")) break;
            tuple.children.push_back(expression());
        }
        return finish(std::move(tuple));
    }
    Node expression() {
        Depth guard(*this);
        return comparison();
    }
    Node comparison() {
        Node left = chain(0);
        bool compared = false;
        while (m_token.kind == TokenKind::Op && (isComparison(m_token.text) || isOp("<") || isOp(">"))) {
            if (compared)
                throw Refused{syntaxRefusal(
                    "EXPR-06", "a chain of comparisons at " + positionText(m_token.begin) + " is not read here",
                    "Compare two values at a time.", m_token.begin)};
            compared = true;
            left = binary(std::move(left), [this] { return chain(0); });
        }
        return left;
    }
    /// Operators that are read from left to right, each level binding more tightly than the one before: Python's order.
    static constexpr std::array<std::array<std::string_view, 5>, 6> kLevels{
        {{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}};
    bool isOpOf(std::size_t level) const {
        const auto& signs = kLevels[level];
        return m_token.kind == TokenKind::Op && std::find(signs.begin(), signs.end(), m_token.text) != signs.end();
    }
    Node chain(std::size_t level) {
        if (level == kLevels.size()) return unary();
        Node left = chain(level + 1);
        while (isOpOf(level)) left = binary(std::move(left), [this, level] { return chain(level + 1); });
        return left;
    }
    template <class Operand>
    Node binary(Node left, Operand operand) {
        Node node;
        node.kind = NodeKind::Binary;
        node.begin = left.begin;
        node.text = m_token.text;
        advance();
        node.children.push_back(std::move(left));
        node.children.push_back(operand());
        return finish(std::move(node));
    }
    Node unary() {
        if (!isOp("-") && !isOp("+") && !isOp("~")) return power();
        Depth guard(*this);
        Node node = begin(NodeKind::Unary);
        node.text = m_token.text;
        advance();
        if (node.text == "-" && m_token.kind == TokenKind::Integer) {
            // "-9223372036854775808" is one number: its positive twin does not exist.
            const Token token = m_token;
            Node number = begin(NodeKind::Integer);
            advance();
            if (isOp(".") || isOp("[") || isOp("(")) fail("an operator after the number");
            if (!isOp("**")) {
                number.begin = node.begin;
                number.integer = token.isLowest ? token.integer : -token.integer;
                return finish(std::move(number));
            }
            // -2 ** 2 is -(2 ** 2).
            if (token.isLowest) failTooLarge(token);
            number.integer = token.integer;
            node.children.push_back(powerOf(finish(std::move(number))));
            return finish(std::move(node));
        }
        node.children.push_back(unary());
        return finish(std::move(node));
    }
    Node power() { return powerOf(postfix()); }
    /// `base` to what follows: from right to left, and the exponent may have a sign of its own.
    Node powerOf(Node base) {
        if (!isOp("**")) return base;
        Depth guard(*this);
        return binary(std::move(base), [this] { return unary(); });
    }
    [[noreturn]] static void failTooLarge(const Token& token) {
        throw Refused{syntaxRefusal("EXPR-03",
                                    "the number at " + positionText(token.begin) + " is too large for 64 bits",
                                    "Integers go to 9223372036854775807.", token.begin)};
    }
    Node postfix() {
        Node node = atom();
        while (true) {
            if (isOp(".")) {
                advance();
                if (m_token.kind != TokenKind::Name) fail("a name after '.'");
                Node attribute = begin(NodeKind::Attribute);
                attribute.begin = node.begin;
                attribute.text = m_token.text;
                attribute.children.push_back(std::move(node));
                advance();
                node = finish(std::move(attribute));
            } else if (isOp("(")) {
                node = call(std::move(node));
            } else if (isOp("[")) {
                node = subscript(std::move(node));
            } else {
                return node;
            }
        }
    }
    Node call(Node callee) {
        Node node = begin(NodeKind::Call);
        node.begin = callee.begin;
        node.children.push_back(std::move(callee));
        advance();
        while (!isOp(")")) {
            std::string keyword;
            if (isOp("*") || isOp("**"))
                throw Refused{syntaxRefusal("EXPR-06",
                                            "'" + m_token.text + "' before an argument at " +
                                                positionText(m_token.begin) + " is not read here",
                                            "Write the arguments out.", m_token.begin)};
            Node value = expression();
            if (isOp("=")) {
                if (value.kind != NodeKind::Name)
                    throw Refused{syntaxRefusal("EXPR-10",
                                                "the name of an argument is expected at " + positionText(value.begin),
                                                "", value.begin)};
                keyword = value.text;
                if (std::find(node.keywords.begin(), node.keywords.end(), keyword) != node.keywords.end())
                    throw Refused{syntaxRefusal("EXPR-10",
                                                "the argument '" + keyword.substr(0, 60) + "' is given twice, at " +
                                                    positionText(value.begin),
                                                "", value.begin)};
                advance();
                value = expression();
            } else if (!node.keywords.empty() && !node.keywords.back().empty()) {
                throw Refused{syntaxRefusal(
                    "EXPR-10", "a positional argument follows a named one, at " + positionText(value.begin),
                    "Put it before the named ones.", value.begin)};
            }
            node.children.push_back(std::move(value));
            node.keywords.push_back(std::move(keyword));
            if (!accept(",")) break;
        }
        expect(")");
        return finish(std::move(node));
    }
    Node subscript(Node object) {
        Node node = begin(NodeKind::Subscript);
        node.begin = object.begin;
        node.children.push_back(std::move(object));
        advance();
        if (isOp("]")) fail("an index");
        while (!isOp("]")) {
            node.children.push_back(subscriptItem());
            if (!accept(",")) break;
        }
        expect("]");
        return finish(std::move(node));
    }
    Node subscriptItem() {
        Node slice = begin(NodeKind::Slice);
        Node bound = isOp(":") ? missing() : expression();
        if (!isOp(":")) return bound;
        slice.children.push_back(std::move(bound));
        for (int part = 0; part < 2; ++part) {
            const bool given = accept(":") && !isOp(":") && !isOp(",") && !isOp("]");
            slice.children.push_back(given ? expression() : missing());
        }
        return finish(std::move(slice));
    }
    Node missing() { return begin(NodeKind::Missing); }

    Node atom() {
        switch (m_token.kind) {
        case TokenKind::Integer:
        case TokenKind::Float: {
            if (m_token.isLowest) failTooLarge(m_token);
            Node node = begin(m_token.kind == TokenKind::Integer ? NodeKind::Integer : NodeKind::Float);
            node.integer = m_token.integer;
            node.number = m_token.number;
            advance();
            return finish(std::move(node));
        }
        case TokenKind::Text: {
            Node node = begin(NodeKind::Text);
            node.text = m_token.text;
            advance();
            return finish(std::move(node));
        }
        case TokenKind::Name:
            return nameOrWord();
        case TokenKind::Op:
            if (isOp("(")) return bracketed(")", NodeKind::Tuple);
            if (isOp("[")) return bracketed("]", NodeKind::List);
            if (isOp("...")) {
                Node node = begin(NodeKind::Ellipsis);
                advance();
                return finish(std::move(node));
            }
            break;
        default:
            break;
        }
        fail("a value");
    }
    Node nameOrWord() {
        Node node = begin(NodeKind::Name);
        node.text = m_token.text;
        if (node.text == "True" || node.text == "False") {
            node.kind = NodeKind::Bool;
            node.integer = node.text == "True" ? 1 : 0;
        } else if (node.text == "None") {
            node.kind = NodeKind::None;
        } else if (isPythonWord(node.text)) {
            failWord();
        }
        advance();
        return finish(std::move(node));
    }
    /// "(a)" is a; "(a,)", "(a, b)" and "()" are tuples; square brackets always make a list.
    Node bracketed(std::string_view close, NodeKind kind) {
        Node node = begin(kind);
        advance();
        bool comma = false;
        while (!isOp(close)) {
            node.children.push_back(expression());
            if (m_token.kind == TokenKind::Name && isName("for")) failWord();
            if (!accept(",")) break;
            comma = true;
        }
        expect(close);
        if (kind == NodeKind::Tuple && node.children.size() == 1 && !comma) {
            Node inner = std::move(node.children.front());
            inner.begin = node.begin;
            inner.end = m_lastEnd;
            return inner;
        }
        return finish(std::move(node));
    }

    /// Bounds the recursion of this parser itself.
    class Depth {
    public:
        explicit Depth(Parser& parser) : m_parser(parser) {
            if (++m_parser.m_depth > m_parser.m_limits.depth)
                throw Refused{syntaxRefusal("EXPR-07",
                                            "the expression is nested deeper than " +
                                                std::to_string(m_parser.m_limits.depth) + " at " +
                                                positionText(m_parser.m_token.begin),
                                            "Make it in steps, with names for the parts.", m_parser.m_token.begin)};
        }
        ~Depth() { --m_parser.m_depth; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

    private:
        Parser& m_parser;
    };

    Lexer m_lexer;
    ParseLimits m_limits;
    Token m_token;
    Index m_lastEnd = 0;
    int m_depth = 0;
    std::size_t m_nodes = 0;
};

} // namespace

Result<Program> parseProgram(std::string_view text, const ParseLimits& limits) {
    if (text.size() > limits.characters)
        return syntaxRefusal("EXPR-01",
                             "the text has " + std::to_string(text.size()) + " characters; the limit is " +
                                 std::to_string(limits.characters),
                             "Open large data from a file.", static_cast<Index>(limits.characters));
    try {
        return Parser(text, limits).program();
    } catch (Refused& refused) {
        return std::move(refused.refusal);
    }
}

bool isIncomplete(std::string_view text) {
    const auto program = parseProgram(text);
    return !program && program.refusal().id == "EXPR-08";
}

bool isIdentifier(std::string_view text) {
    if (text.empty() || text.size() > 200 || (text[0] >= '0' && text[0] <= '9')) return false;
    for (const char c : text) {
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
    }
    return text != "torch" && !isPythonWord(text);
}

} // namespace stridescope::expr
