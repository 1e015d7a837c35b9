#include "app/workspace/python_values.h"

#include "core/error.h"
#include "core/expr/evaluator.h"
#include "core/expr/parser.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// Literals name nothing.
class NoNames : public expr::Environment {
public:
    std::optional<expr::Value> lookup(const std::string&) override { return std::nullopt; }
    void assign(const std::string&, expr::Value, const std::string&) override {}
    void remove(const std::string&) override {}
    void aboutToWrite(const Tensor&) override {}
};

bool hasLiteral(const expr::Value& value) {
    if (const auto* number = value.as<Scalar>())
        return !number->isComplex() && (!number->isFloat() || std::isfinite(number->toDouble()));
    if (const auto* sequence = value.as<expr::Sequence>())
        return std::all_of(sequence->items.begin(), sequence->items.end(), hasLiteral);
    return value.isNone() || value.is<std::string>() || value.is<DType>();
}

} // namespace

QString literalOf(const expr::Value& value) {
    return hasLiteral(value) ? QString::fromStdString(expr::repr(value)) : QString();
}

std::optional<expr::Value> valueOfLiteral(const QString& literal) {
    const std::string source = literal.toStdString();
    const auto program = expr::parseProgram(source);
    if (!program || program->statements.size() != 1) return std::nullopt;
    NoNames names;
    try {
        expr::Value value = expr::Evaluator(names, {true}).execute(program->statements.front(), source);
        if (hasLiteral(value)) return value;
    } catch (const Error&) {
        // the line language does not have it
    }
    return std::nullopt;
}

} // namespace stridescope
