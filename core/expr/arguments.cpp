#include "core/expr/context.h"

namespace stridescope::expr {

namespace {

std::string acceptedText(Accepts accepts) {
    constexpr const char* kTexts[] = {
        "int",    "a number",           "bool", "tuple of ints", "int or tuple of ints", "torch.dtype",
        "Tensor", "Tensor or a number", "str",  "anything"};
    return kTexts[static_cast<std::size_t>(accepts)];
}

bool fits(const Value& value, Accepts accepts) {
    const auto* scalar = value.as<Scalar>();
    switch (accepts) {
    case Accepts::Int:
        return asIndex(value).has_value() && !scalar->isBool();
    case Accepts::Number:
        return scalar != nullptr;
    case Accepts::Bool:
        return scalar != nullptr && scalar->isBool();
    case Accepts::Ints:
        return asDims(value).has_value();
    case Accepts::IntOrInts:
        return asDims(value).has_value() || asIndex(value).has_value();
    case Accepts::DTypeArg:
        return value.is<DType>();
    case Accepts::TensorArg:
        return value.is<TensorValue>();
    case Accepts::TensorOrNumber:
        return value.is<TensorValue>() || scalar != nullptr;
    case Accepts::Text:
        return value.is<std::string>();
    case Accepts::Any:
        break;
    }
    return true;
}

/// All arguments from `first` on, when every one is an integer.
std::optional<Value> restAsList(const std::vector<Value>& positional, std::size_t first) {
    Dims numbers;
    for (std::size_t i = first; i < positional.size(); ++i) {
        const auto number = asIndex(positional[i]);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return tupleOf(numbers);
}

} // namespace

std::string givenText(const Arguments& arguments) {
    std::string text;
    const auto append = [&](const std::string& part) {
        if (!text.empty()) text += ", ";
        text += part;
    };
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < arguments.positional.size() && i <= kShown; ++i)
        append(i == kShown ? "..." : typeName(arguments.positional[i]));
    for (const auto& named : arguments.named) append(named.first.substr(0, 20) + "=" + typeName(named.second));
    return "(" + text + ")";
}

Bound::Bound(std::string function, std::span<const Parameter> parameters, const Arguments& arguments)
    : m_function(std::move(function)), m_parameters(parameters), m_values(parameters.size()) {
    std::size_t next = 0, places = 0;
    while (places < parameters.size() && !parameters[places].keywordOnly) ++places;
    for (std::size_t i = 0; i < places && next < arguments.positional.size(); ++i) {
        const Value& given = arguments.positional[next];
        if (parameters[i].variadic && asIndex(given)) {
            auto rest = restAsList(arguments.positional, next);
            if (rest) {
                m_values[i] = std::move(*rest);
                next = arguments.positional.size();
                break;
            }
        }
        m_values[i] = given;
        ++next;
    }
    if (next < arguments.positional.size())
        refuse(ErrorKind::Type, "EXPR-22",
               m_function + "() takes " + std::to_string(places) + " positional arguments but " +
                   std::to_string(arguments.positional.size()) + " were given",
               "Given: " + givenText(arguments) + ".");
    for (const auto& [name, value] : arguments.named) {
        std::size_t i = 0;
        while (i < parameters.size() && name != parameters[i].name) ++i;
        if (i == parameters.size())
            refuse(ErrorKind::Type, "EXPR-22",
                   m_function + "() got an unexpected keyword argument '" + name.substr(0, 40) + "'");
        if (m_values[i])
            refuse(ErrorKind::Type, "EXPR-22", m_function + "() got multiple values for argument '" + name + "'");
        m_values[i] = value;
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) check(i);
}

void Bound::check(std::size_t i) const {
    const Parameter& parameter = m_parameters[i];
    if (!m_values[i] || (m_values[i]->isNone() && !parameter.required)) {
        if (!parameter.required) return;
        refuse(ErrorKind::Type, "EXPR-22",
               m_function + "() missing required argument '" + parameter.name + "' (position " + std::to_string(i + 1) +
                   ")",
               "It must be " + acceptedText(parameter.accepts) + ".");
    }
    if (fits(*m_values[i], parameter.accepts)) return;
    const auto isFloat = [](const Value& value) {
        const auto* scalar = value.as<Scalar>();
        return scalar && scalar->isFloat();
    };
    const auto* sequence = m_values[i]->as<Sequence>();
    const bool floats =
        isFloat(*m_values[i]) || (sequence && std::any_of(sequence->items.begin(), sequence->items.end(), isFloat));
    refuse(ErrorKind::Type, "EXPR-22",
           m_function + "(): argument '" + parameter.name + "' (position " + std::to_string(i + 1) + ") must be " +
               acceptedText(parameter.accepts) + ", not " + typeName(*m_values[i]),
           floats ? "Write whole numbers without point and exponent: 3, not 3.0 or 3e0." : std::string());
}

Dims Bound::dims(std::size_t i) const {
    if (const auto number = asIndex(value(i))) return Dims{*number};
    return *asDims(value(i));
}

OpArgs bindTableArguments(const ViewOp& op, const Arguments& arguments) {
    std::vector<Parameter> parameters;
    for (std::size_t i = 0; i < op.params.size(); ++i) {
        const OpParam& param = op.params[i];
        Parameter parameter{param.name, Accepts::Int, param.required};
        const bool list = param.kind == ParamKind::IntList || param.kind == ParamKind::DimList;
        // view(2, 3) is view((2, 3)) where the list comes last.
        if (list || param.kind == ParamKind::IntOrIntList) parameter.accepts = Accepts::IntOrInts;
        parameter.variadic = list && i + 1 == op.params.size();
        parameters.push_back(parameter);
    }
    const Bound bound(op.name, parameters, arguments);
    OpArgs args;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const ParamKind kind = op.params[i].kind;
        if (!bound.has(i))
            args.emplace_back(std::monostate{});
        else if (kind == ParamKind::IntList || kind == ParamKind::DimList)
            args.emplace_back(bound.dims(i));
        else if (kind == ParamKind::IntOrIntList && !asIndex(bound.value(i)))
            args.emplace_back(bound.dims(i));
        else
            args.emplace_back(bound.index(i));
    }
    return args;
}

} // namespace stridescope::expr
