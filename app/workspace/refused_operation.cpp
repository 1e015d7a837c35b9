#include "app/workspace/refused_operation.h"

#include "app/workspace/line_session.h"
#include "app/workspace/refused_line.h"
#include "app/workspace/same_random_numbers.h"
#include "core/expr/parser.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace stridescope {

namespace {

/// A number, a text or a list of them as code; nothing for all else.
std::optional<QString> literal(const expr::Value& value) {
    if (const auto* sequence = value.as<expr::Sequence>()) {
        QStringList items;
        for (const expr::Value& item : sequence->items) {
            const auto text = literal(item);
            if (!text) return std::nullopt;
            items << *text;
        }
        if (sequence->kind == expr::Sequence::Kind::List)
            return QStringLiteral("[%1]").arg(items.join(QStringLiteral(", ")));
        return QStringLiteral("(%1%2)").arg(items.join(QStringLiteral(", ")),
                                            items.size() == 1 ? QStringLiteral(",") : QString());
    }
    const bool isPlain = value.isNone() || value.is<Scalar>() || value.is<std::string>();
    return isPlain ? std::optional(QString::fromStdString(expr::repr(value))) : std::nullopt;
}

/// An outcome may be kept for long: what no name keeps and is larger than this goes with the line.
constexpr std::size_t kMostKept = std::size_t{16} << 20;

Tensor keepable(const expr::TensorValue& value) {
    const bool isOwn = value.lineage == expr::Lineage::Fresh || value.lineage == expr::Lineage::Copy;
    return isOwn && value.tensor.storage()->bytes() > kMostKept ? Tensor() : value.tensor;
}

/// A part of the source and what takes its place.
struct Replacement {
    Index begin = 0, end = 0;
    QString by;
};

class Builder {
public:
    Builder(const expr::RefusedCall& call, const std::string& source) : m_call(call), m_source(source) {}

    RefusedOperation build(Index begin, Index end) {
        for (const expr::RefusedCall::Operand& operand : m_call.operands) {
            if (const auto text = replacement(operand)) m_replacements.push_back({operand.begin, operand.end, *text});
        }
        std::sort(m_replacements.begin(), m_replacements.end(),
                  [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
        Index at = begin;
        for (const Replacement& part : m_replacements) {
            m_made.line += text(at, part.begin) + part.by;
            at = part.end;
        }
        m_made.line = (m_made.line + text(at, end)).trimmed();
        return std::move(m_made);
    }

private:
    QString text(Index begin, Index end) const {
        return QString::fromStdString(
            m_source.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    }
    std::optional<QString> replacement(const expr::RefusedCall::Operand& operand) {
        const QString code = text(operand.begin, operand.end);
        if (const auto* tensor = operand.value.as<expr::TensorValue>())
            return named(operand.isName, operand.isSigned ? refused::inBrackets(code) : code, *tensor);
        const auto* sequence = operand.value.as<expr::Sequence>();
        const bool isOfTensors = sequence && !sequence->items.empty() &&
                                 std::all_of(sequence->items.begin(), sequence->items.end(),
                                             [](const expr::Value& item) { return item.is<expr::TensorValue>(); });
        if (!isOfTensors) return literal(operand.value);
        QStringList items;
        for (const expr::Value& item : sequence->items)
            items << named(false, QStringLiteral("%1[%2]").arg(code).arg(items.size()), *item.as<expr::TensorValue>());
        return QStringLiteral("[%1]").arg(items.join(QStringLiteral(", ")));
    }
    QString named(bool isName, const QString& shown, const expr::TensorValue& value) {
        const QString name = isName ? shown : QStringLiteral("_%1").arg(++m_unnamed);
        const bool isThere = std::any_of(m_made.operands.begin(), m_made.operands.end(),
                                         [&name](const auto& operand) { return operand.name == name; });
        if (!isThere) m_made.operands.push_back({name, shown, keepable(value)});
        return name;
    }
    const expr::RefusedCall& m_call;
    const std::string& m_source;
    RefusedOperation m_made;
    std::vector<Replacement> m_replacements;
    int m_unnamed = 0;
};

} // namespace

std::shared_ptr<const RefusedOperation> refusedOperation(const std::optional<expr::RefusedCall>& call,
                                                         const expr::Program& program, std::size_t number,
                                                         const std::string& source) {
    if (!call || number >= program.statements.size()) return nullptr;
    const expr::Statement& statement = program.statements[number];
    // "y = x.view(4)" is told whole; of "y = x.view(4) + 1" and "print(x.view(4))" the call alone.
    const bool isWhole = call->begin == statement.value.begin && call->end == statement.value.end && !statement.unpack;
    RefusedOperation made = isWhole ? Builder(*call, source).build(statement.begin, statement.end)
                                    : Builder(*call, source).build(call->begin, call->end);
    made.statement = number;
    return std::make_shared<const RefusedOperation>(std::move(made));
}

std::shared_ptr<const RefusedOperation> withMadeOperands(RefusedOperation operation, LineSession& session,
                                                         const QString& line) {
    const SameRandomNumbers numbers;
    const auto carryOut = [&session](const std::string& source, std::size_t most) {
        const auto program = expr::parseProgram(source);
        for (std::size_t i = 0; program && i < std::min(most, program->statements.size()); ++i)
            session.execute(program->statements[i], source, Naming::Discard);
    };
    bool isBegun = false;
    try {
        for (RefusedOperation::Operand& operand : operation.operands) {
            if (hasElements(operand.tensor)) continue;
            if (!std::exchange(isBegun, true)) carryOut(line.toStdString(), operation.statement);
            carryOut(operand.shown.toStdString(), 1);
            if (const auto& made = session.lastTensor()) operand.tensor = made->tensor;
        }
    } catch (const Error&) {
        // It would write to elements that there are, or read a file: nothing for a picture.
    } catch (const std::bad_alloc&) {
    }
    session.rollBack();
    return std::make_shared<const RefusedOperation>(std::move(operation));
}

bool hasElements(const Tensor& tensor) {
    return tensor.defined() && (tensor.numel() == 0 || tensor.storage()->data());
}

QString renamed(const QString& text, const QString& name, const QString& by) {
    const QRegularExpression whole(QStringLiteral("(?<![\\w.])%1(?!\\w)").arg(QRegularExpression::escape(name)),
                                   QRegularExpression::UseUnicodePropertiesOption);
    return QString(text).replace(whole, by);
}

} // namespace stridescope
