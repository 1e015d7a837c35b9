#pragma once
// A line that was refused, taken apart as far as its picture and the ways out of it need that.

#include "core/expr/parser.h"
#include "core/view/dims.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <utility>

namespace stridescope::refused {

using expr::Node;
using expr::NodeKind;

inline bool isList(const Node& node) {
    return node.kind == NodeKind::Tuple || node.kind == NodeKind::List;
}

inline std::optional<Dims> numbersOf(const std::vector<Node>& nodes) {
    Dims numbers;
    for (const Node& node : nodes) {
        if (node.kind != NodeKind::Integer) return std::nullopt;
        numbers.push_back(node.integer);
    }
    return numbers;
}

inline QString joined(const Dims& numbers) {
    QStringList parts;
    for (const Index n : numbers) parts << QString::number(n);
    return parts.join(QStringLiteral(", "));
}

/// The text in brackets, which it may have already.
inline QString inBrackets(const QString& text) {
    int depth = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        depth += text[i] == QLatin1Char('(') ? 1 : text[i] == QLatin1Char(')') ? -1 : 0;
        if (depth == 0 && i + 1 < text.size()) return QStringLiteral("(%1)").arg(text);
    }
    return text;
}

/// The text of an operand so that a method can be called on it.
inline QString asReceiver(const Node& node, const QString& text) {
    return node.kind == NodeKind::Binary || node.kind == NodeKind::Unary ? inBrackets(text) : text;
}

/// The last statement of a line.
class RefusedLine {
public:
    explicit RefusedLine(const QString& line) : m_source(line.toStdString()) {
        auto program = expr::parseProgram(m_source);
        if (!program || program->statements.empty()) return;
        m_program = std::move(*program);
        m_value = &m_program.statements.back().value;
        if (m_value->kind != NodeKind::Call || m_value->children.empty()) return;
        const Node& callee = m_value->children.front();
        if (callee.kind != NodeKind::Attribute || callee.children.empty()) return;
        m_method = callee.text;
        m_receiver = text(callee.children.front());
        for (std::size_t i = 1; i < m_value->children.size(); ++i) m_arguments.push_back(m_value->children[i]);
        m_positional = std::all_of(m_value->keywords.begin(), m_value->keywords.end(),
                                   [](const std::string& keyword) { return keyword.empty(); });
    }

    const Node* value() const { return m_value; }
    bool augments() const { return m_value && m_program.statements.back().kind == expr::StatementKind::Augment; }
    const expr::Statement& statement() const { return m_program.statements.back(); }
    /// Empty where the line does not end in a method called with positional arguments only.
    const std::string& method() const {
        static const std::string none;
        return m_positional ? m_method : none;
    }
    const QString& receiver() const { return m_receiver; }
    /// "expand(2, 7)" of "C.expand(2, 7)"; empty where the line does not end in a method.
    QString call() const {
        if (m_method.empty()) return {};
        const QString all = text(*m_value);
        return all.mid(all.indexOf(QString::fromStdString(m_method), m_receiver.size()));
    }
    const std::vector<Node>& arguments() const { return m_arguments; }
    /// The numbers of the argument list, whether in brackets or not: (2, 3) for "view(2, 3)" and "view((2, 3))".
    std::optional<Dims> numbers() const {
        return m_arguments.size() == 1 && isList(m_arguments[0]) ? numbersOf(m_arguments[0].children)
                                                                 : numbersOf(m_arguments);
    }
    std::optional<Dims> list(std::size_t argument) const {
        if (argument >= m_arguments.size() || !isList(m_arguments[argument])) return std::nullopt;
        return numbersOf(m_arguments[argument].children);
    }
    QString text(const Node& node) const {
        return QString::fromStdString(
            m_source.substr(static_cast<std::size_t>(node.begin), static_cast<std::size_t>(node.end - node.begin)));
    }
    /// "A += B" and "A[0] = B": a way out is the whole statement, else its value.
    bool stores() const {
        return augments() || (m_value && statement().kind == expr::StatementKind::Assign && !statement().unpack &&
                              statement().targets.front().kind == NodeKind::Subscript);
    }
    /// It writes into what stands on its left, or into what its method belongs to.
    bool writes() const { return stores() || m_method.ends_with('_'); }
    /// The line with some of its parts replaced, which do not overlap; without the name that it gives its value to.
    QString replaced(std::vector<std::pair<const Node*, QString>> parts) const {
        std::sort(parts.begin(), parts.end(),
                  [](const auto& a, const auto& b) { return a.first->begin > b.first->begin; });
        std::string all = m_source.substr(0, static_cast<std::size_t>(m_value->end));
        for (const auto& [node, by] : parts)
            all.replace(static_cast<std::size_t>(node->begin), static_cast<std::size_t>(node->end - node->begin),
                        by.toStdString());
        return QString::fromStdString(
            all.substr(static_cast<std::size_t>(stores() ? statement().begin : m_value->begin)));
    }
    QString replaced(const Node& node, const QString& by) const { return replaced({{&node, by}}); }

private:
    std::string m_source;
    expr::Program m_program;
    const Node* m_value = nullptr;
    std::string m_method;
    QString m_receiver;
    std::vector<Node> m_arguments;
    bool m_positional = true;
};

} // namespace stridescope::refused
