// + - * / and comparisons, of numbers as in Python and of tensors as in PyTorch.

#include "core/expr/context.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/view/broadcast.h"

#include <cmath>

namespace stridescope::expr {

namespace {

[[noreturn]] void refuseOperands(const std::string& op, const Value& left, const Value& right) {
    refuse(ErrorKind::Type, "EXPR-23",
           "unsupported operand type(s) for " + op + ": '" + typeName(left) + "' and '" + typeName(right) + "'");
}

Index checkedInteger(const std::string& op, Index a, Index b) {
    Index result = 0;
    const bool overflow = op == "+"   ? __builtin_add_overflow(a, b, &result)
                          : op == "-" ? __builtin_sub_overflow(a, b, &result)
                                      : __builtin_mul_overflow(a, b, &result);
    if (overflow)
        refuse(ErrorKind::Value, "EXPR-23",
               std::to_string(a) + " " + op + " " + std::to_string(b) + " does not fit 64 bits");
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

Value numbers(const std::string& op, Scalar a, Scalar b) {
    const bool floats = a.isFloat() || b.isFloat();
    if (isComparison(op)) {
        return floats ? compare(op, a.toDouble(), b.toDouble()) : compare(op, a.toInt(), b.toInt());
    }
    if ((op == "/" || op == "//" || op == "%") && b.toDouble() == 0)
        refuse(ErrorKind::Value, "EXPR-27", op == "%" ? "modulo by zero" : "division by zero");
    if (op == "/") return a.toDouble() / b.toDouble();
    if (floats) {
        const double x = a.toDouble(), y = b.toDouble();
        if (op == "+") return x + y;
        if (op == "-") return x - y;
        if (op == "*") return x * y;
        if (op == "//") return std::floor(x / y);
        return x - std::floor(x / y) * y;
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

const char* operatorFunction(const std::string& op) {
    constexpr std::pair<const char*, const char*> kNames[] = {{"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"},
                                                              {"==", "eq"}, {"!=", "ne"}, {"<", "lt"},  {"<=", "le"},
                                                              {">", "gt"},  {">=", "ge"}};
    for (const auto& [symbol, name] : kNames) {
        if (op == symbol) return name;
    }
    return nullptr;
}

std::optional<BinaryOp> findPointwise(std::string_view wanted) {
    for (std::size_t i = 0; i < BinaryOps::size; ++i) {
        if (wanted == BinaryOps::names[i]) return static_cast<BinaryOp>(i);
    }
    return std::nullopt;
}

/// Dtype of the result of tensors and numbers under an operation of that kind.
DType resultDType(ResultKind kind, DType common) {
    if (kind == ResultKind::Comparison) return DType::Bool;
    if (kind == ResultKind::Float && !isFloating(common)) return defaultDType();
    return common;
}

Value layoutOnly(Context& context, const Dims& shape, DType dtype, Device device) {
    return fresh(unmade(context, contiguousView(shape).valueOrThrow(), dtype, device));
}

} // namespace

bool isPointwise(std::string_view name) {
    return findPointwise(name).has_value();
}

Value pointwise(Context& context, std::string_view name, const Value& left, const Value& right) {
    const BinaryOp op = *findPointwise(name);
    const auto *a = left.as<TensorValue>(), *b = right.as<TensorValue>();
    const auto *x = left.as<Scalar>(), *y = right.as<Scalar>();
    if (!(a || x) || !(b || y) || !(a || b))
        refuse(ErrorKind::Type, "EXPR-22", std::string(name) + "() needs tensors or a tensor and a number",
               "Given: " + typeName(left) + ", " + typeName(right) + ".");
    if (context.options.dryRun) {
        const Tensor& first = a ? a->tensor : b->tensor;
        const DType common = a && b ? resultType(a->tensor, b->tensor) : resultType(first, a ? *y : *x);
        const Dims shape =
            a && b ? broadcastShapes(a->tensor.shape(), b->tensor.shape()).valueOrThrow() : first.shape();
        return layoutOnly(context, shape, resultDType(resultKind(op), common), first.device());
    }
    if (a && b) return fresh(stridescope::binary(op, a->tensor, b->tensor));
    if (a) return fresh(stridescope::binary(op, a->tensor, *y));
    return fresh(stridescope::binary(op, *x, b->tensor));
}

Value binary(Context& context, const std::string& op, const Value& left, const Value& right) {
    const auto *x = left.as<Scalar>(), *y = right.as<Scalar>();
    if (x && y) return numbers(op, *x, *y);
    const bool tensors = left.is<TensorValue>() || right.is<TensorValue>();
    const bool numeric = (left.is<TensorValue>() || x) && (right.is<TensorValue>() || y);
    if (tensors && numeric) {
        const char* function = operatorFunction(op);
        if (!function)
            refuse(ErrorKind::NotImplemented, "EXPR-23", "'" + op + "' of tensors is not read here",
                   "There are + - * / and comparisons.");
        return pointwise(context, function, left, right);
    }
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

Value negate(Context& context, const Value& value) {
    if (const auto* scalar = value.as<Scalar>()) {
        if (scalar->isFloat()) return -scalar->toDouble();
        return checkedInteger("-", 0, scalar->toInt());
    }
    const auto* tensor = value.as<TensorValue>();
    if (!tensor) refuse(ErrorKind::Type, "EXPR-23", "bad operand type for unary -: '" + typeName(value) + "'");
    if (context.options.dryRun)
        return layoutOnly(context, tensor->tensor.shape(), tensor->tensor.dtype(), tensor->tensor.device());
    return fresh(neg(tensor->tensor));
}

void augment(Context& context, const TensorValue& target, const std::string& op, const Value& value) {
    Tensor out = target.tensor;
    const auto* scalar = value.as<Scalar>();
    const auto* other = value.as<TensorValue>();
    if (!scalar && !other) refuseOperands(op + "=", Value(target), value);
    if (other) {
        const Dims shape = broadcastShapes(out.shape(), other->tensor.shape()).valueOrThrow();
        if (!(shape == out.shape()))
            refuse(ErrorKind::Runtime, "EXPR-23",
                   "output with shape " + toListString(out.shape()) + " doesn't match the broadcast shape " +
                       toListString(shape),
                   "The result of an in-place operation must fit into its target.");
    }
    const BinaryOp function = *findPointwise(operatorFunction(op));
    writeInto(context, out, [&] {
        if (scalar)
            binary_(function, out, *scalar);
        else
            binary_(function, out, other->tensor);
    });
}

} // namespace stridescope::expr
