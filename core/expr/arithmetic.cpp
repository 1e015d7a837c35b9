// + - * / // % ** & | ^ << >> ~ and comparisons, of numbers as in Python and of tensors as in PyTorch.

#include "core/expr/pointwise_calls.h"

#include "core/ops/math_binary_ops.h"

#include <array>
#include <cmath>
#include <limits>

namespace stridescope::expr {

namespace {

constexpr int kBits = 64;

[[noreturn]] void refuseOperands(const std::string& op, const Value& left, const Value& right) {
    refuse(ErrorKind::Type, "EXPR-23",
           "unsupported operand type(s) for " + (op == "**" ? op + " or pow()" : op) + ": '" + typeName(left) +
               "' and '" + typeName(right) + "'");
}

[[noreturn]] void refuseOverflow(const std::string& op, Index a, Index b) {
    refuse(ErrorKind::Value, "EXPR-23",
           std::to_string(a) + " " + op + " " + std::to_string(b) + " does not fit 64 bits");
}

Index checkedInteger(const std::string& op, Index a, Index b) {
    Index result = 0;
    const bool overflow = op == "+"   ? __builtin_add_overflow(a, b, &result)
                          : op == "-" ? __builtin_sub_overflow(a, b, &result)
                                      : __builtin_mul_overflow(a, b, &result);
    if (overflow) refuseOverflow(op, a, b);
    return result;
}

/// Python's floor division and its remainder, which has the sign of the divisor.
Index floorDivide(Index a, Index b) {
    if (b == -1) return checkedInteger("-", 0, a);
    const Index quotient = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

template <class T>
bool compare(const std::string& op, T a, T b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    return a >= b;
}

bool isComparison(const std::string& op) {
    return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}
bool isBitwise(const std::string& op) {
    return op == "&" || op == "|" || op == "^" || op == "<<" || op == ">>";
}

/// base ** exponent of whole numbers, the exponent not negative.
Index wholePower(Index base, Index exponent) {
    Index power = 1, factor = base;
    for (Index rest = exponent; rest > 0; rest >>= 1) {
        if ((rest & 1) && __builtin_mul_overflow(power, factor, &power)) refuseOverflow("**", base, exponent);
        // The last square is not used, and may be too large.
        if (rest > 1 && __builtin_mul_overflow(factor, factor, &factor)) refuseOverflow("**", base, exponent);
    }
    return power;
}

Value power(Scalar a, Scalar b) {
    const bool whole = !a.isFloat() && !b.isFloat();
    if (whole && b.toInt() >= 0) return wholePower(a.toInt(), b.toInt());
    const double x = a.toDouble(), y = b.toDouble();
    if (x == 0 && y < 0) refuse(ErrorKind::Value, "EXPR-27", "0.0 cannot be raised to a negative power");
    if (x < 0 && std::isfinite(x) && std::isfinite(y) && y != std::floor(y))
        refuse(ErrorKind::Value, "EXPR-23", "a negative number to a fractional power is complex",
               "Numbers of lines are real; torch.complex64 has the others.");
    const double result = std::pow(x, y);
    if (std::isinf(result) && std::isfinite(x) && std::isfinite(y))
        refuse(ErrorKind::Value, "EXPR-23", "(34, 'Numerical result out of range')",
               "Floats go to about 1.8e308; use float('inf') for more.");
    return result;
}

Index shifted(const std::string& op, Index a, Index count) {
    if (count < 0) refuse(ErrorKind::Value, "EXPR-23", "negative shift count");
    if (op == ">>") return a >> std::min<Index>(count, kBits - 1);
    if (a == 0) return 0;
    Index result = 0;
    if (count >= kBits - 1 || __builtin_mul_overflow(a, Index{1} << count, &result)) {
        // Of all that reach the sign bit one fits.
        if (a == -1 && count == kBits - 1) return std::numeric_limits<Index>::min();
        refuseOverflow(op, a, count);
    }
    return result;
}

Value bitwise(const std::string& op, Scalar a, Scalar b) {
    if (a.isFloat() || b.isFloat()) refuseOperands(op, a, b);
    const Index x = a.toInt(), y = b.toInt();
    if (op == "<<" || op == ">>") return shifted(op, x, y);
    const Index result = op == "&" ? x & y : op == "|" ? x | y : x ^ y;
    return a.isBool() && b.isBool() ? Value(result != 0) : Value(result);
}

Value numbers(const std::string& op, Scalar a, Scalar b) {
    const bool floats = a.isFloat() || b.isFloat();
    if (isComparison(op)) {
        return floats ? compare(op, a.toDouble(), b.toDouble()) : compare(op, a.toInt(), b.toInt());
    }
    if (isBitwise(op)) return bitwise(op, a, b);
    if (op == "**") return power(a, b);
    if ((op == "/" || op == "//" || op == "%") && b.toDouble() == 0)
        refuse(ErrorKind::Value, "EXPR-27", op == "%" ? "modulo by zero" : "division by zero");
    if (op == "/") return a.toDouble() / b.toDouble();
    if (floats) {
        const double x = a.toDouble(), y = b.toDouble();
        if (op == "+") return x + y;
        if (op == "-") return x - y;
        if (op == "*") return x * y;
        // The quotient rounded and then floored could be one too much: 1 // 0.1 is 9.
        if (op == "//") return FloorDivide{}(x, y);
        const double rest = Remainder{}(x, y);
        return rest == 0 ? std::copysign(0.0, y) : rest;
    }
    const Index x = a.toInt(), y = b.toInt();
    if (op == "//") return floorDivide(x, y);
    if (op == "%") {
        // By way of the quotient the product could leave 64 bits.
        const Index rest = y == -1 ? 0 : x % y;
        return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
    }
    return checkedInteger(op, x, y);
}

bool sameValue(const Value& a, const Value& b) {
    const auto *x = a.as<Scalar>(), *y = b.as<Scalar>();
    if (x && y) return compare(std::string("=="), x->toDouble(), y->toDouble());
    const auto *s = a.as<Sequence>(), *t = b.as<Sequence>();
    if (s && t) {
        const bool list = s->kind == Sequence::Kind::List;
        if (list != (t->kind == Sequence::Kind::List) || s->items.size() != t->items.size()) return false;
        for (std::size_t i = 0; i < s->items.size(); ++i) {
            if (!sameValue(s->items[i], t->items[i])) return false;
        }
        return true;
    }
    if (a.isNone() && b.isNone()) return true;
    if (a.is<DType>() && b.is<DType>()) return *a.as<DType>() == *b.as<DType>();
    if (a.is<Device>() && b.is<Device>()) return *a.as<Device>() == *b.as<Device>();
    if (a.is<std::string>() && b.is<std::string>()) return *a.as<std::string>() == *b.as<std::string>();
    return false;
}

} // namespace

Value binary(Context& context, const std::string& op, const Value& left, const Value& right) {
    const auto *x = left.as<Scalar>(), *y = right.as<Scalar>();
    if (x && y && op != "@") return numbers(op, *x, *y);
    if (op == "@") {
        if (!left.is<TensorValue>() || !right.is<TensorValue>()) refuseOperands(op, left, right);
        return matrixProduct(context, *left.as<TensorValue>(), *right.as<TensorValue>());
    }
    const bool tensors = left.is<TensorValue>() || right.is<TensorValue>();
    const bool numeric = (left.is<TensorValue>() || x) && (right.is<TensorValue>() || y);
    if (tensors && numeric) return pointwise(context, *pointwiseOfSign(op), left, right);
    if (!tensors && (op == "==" || op == "!=")) return sameValue(left, right) == (op == "==");
    const auto *s = left.as<Sequence>(), *t = right.as<Sequence>();
    if (op == "+" && s && t && (s->kind == Sequence::Kind::List) == (t->kind == Sequence::Kind::List)) {
        Sequence joined = *s;
        // A torch.Size holds whole numbers alone; with anything else it becomes a tuple.
        if (joined.kind == Sequence::Kind::Size && !asDims(*t)) joined.kind = Sequence::Kind::Tuple;
        joined.items.insert(joined.items.end(), t->items.begin(), t->items.end());
        if (joined.items.size() > static_cast<std::size_t>(context.options.maxListItems))
            refuse(ErrorKind::Memory, "EXPR-26",
                   "the joined list has more than " + std::to_string(context.options.maxListItems) + " items");
        return joined;
    }
    refuseOperands(op, left, right);
}

Value unary(Context& context, const std::string& op, const Value& value) {
    const auto* number = value.as<Scalar>();
    const auto* tensor = value.as<TensorValue>();
    const bool isFloat = number && number->isFloat();
    if (!(number || tensor) || (op == "~" && isFloat))
        refuse(ErrorKind::Type, "EXPR-23", "bad operand type for unary " + op + ": '" + typeName(value) + "'");
    if (number) {
        if (op == "~") return ~number->toInt();
        if (isFloat) return op == "-" ? -number->toDouble() : number->toDouble();
        return op == "-" ? checkedInteger("-", 0, number->toInt()) : number->toInt();
    }
    const DType dtype = tensor->tensor.dtype();
    if (op == "~" && !isIntegral(dtype) && dtype != DType::Bool)
        refuse(ErrorKind::Type, "EXPR-23",
               "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
               "Convert it first: x.long() or x.bool().");
    const PointwiseCall& call = *findPointwise(op == "-" ? "neg" : op == "+" ? "positive" : "bitwise_not");
    return pointwise(context, call, value, {});
}

void augment(Context& context, const TensorValue& target, const std::string& op, const Value& value) {
    if (!value.is<Scalar>() && !value.is<TensorValue>()) refuseOperands(op + "=", Value(target), value);
    writePointwise(context, *pointwiseOfSign(op), target, value);
}

} // namespace stridescope::expr
