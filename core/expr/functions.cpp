// torch.f(...) and the few functions without a module.

#include "core/expr/pointwise_calls.h"
#include "core/expr/ternary_calls.h"

#include "core/io/text.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/operation_table.h"
#include "core/ops/out.h"
#include "core/ops/random.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace stridescope::expr {

namespace {

constexpr bool kOptional = false;

using Function = Value (*)(Context& context, const Bound& arguments);
struct FunctionEntry {
    const char* name;
    std::vector<Parameter> parameters;
    Function call;
};

Device deviceArgument(const Bound& arguments, std::size_t i) {
    if (!arguments.has(i)) return {};
    const Value& value = arguments.value(i);
    if (const auto* device = value.as<Device>()) return *device;
    if (const auto* text = value.as<std::string>()) return deviceFromString(*text).valueOrThrow();
    refuse(ErrorKind::Type, "EXPR-22", "argument 'device' must be torch.device or str, not " + typeName(value));
}

/// zeros, ones, empty: size, dtype, device.
template <class Make>
Value ofShape(Context& context, const Bound& arguments, Make make) {
    const Dims shape = arguments.dims(0);
    const TensorOptions options{arguments.dtypeIfAny(1), deviceArgument(arguments, 2)};
    const View layout = contiguousView(shape).valueOrThrow();
    return fresh(made(context, layout, options.dtype.value_or(defaultDType()), options.device,
                      [&] { return make(shape, options); }));
}

/// zeros_like and its kin: input, dtype.
template <class Make>
Value like(Context& context, const Bound& arguments, Make make) {
    const Tensor& input = arguments.tensor(0).tensor;
    const LikeOptions options{arguments.dtypeIfAny(1), std::nullopt};
    return fresh(made(context, denseLike(input.view()), options.dtype.value_or(input.dtype()), input.device(),
                      [&] { return make(input, options); }));
}

DType dtypeOf(Scalar value) {
    return value.isBool() ? DType::Bool : value.isInt() ? DType::Int64 : defaultDType();
}

Value fullFunction(Context& context, const Bound& arguments) {
    const Dims shape = arguments.dims(0);
    const Scalar value = arguments.scalar(1);
    const TensorOptions options{arguments.dtypeIfAny(2), deviceArgument(arguments, 3)};
    return fresh(made(context, contiguousView(shape).valueOrThrow(), options.dtype.value_or(dtypeOf(value)),
                      options.device, [&] { return full(shape, value, options); }));
}

Value arangeFunction(Context& context, const Bound& arguments) {
    const bool onlyEnd = !arguments.has(1);
    const Scalar start = onlyEnd ? Scalar(0) : arguments.scalar(0);
    const Scalar end = onlyEnd ? arguments.scalar(0) : arguments.scalar(1);
    const Scalar step = arguments.has(2) ? arguments.scalar(2) : Scalar(1);
    const TensorOptions options{arguments.dtypeIfAny(3), deviceArgument(arguments, 4)};
    if (!context.options.dryRun) return fresh(arange(start, end, step, options));
    const bool floats = start.isFloat() || end.isFloat() || step.isFloat();
    const double count = std::ceil((end.toDouble() - start.toDouble()) / step.toDouble());
    // What is wrong with the numbers is said when it is made.
    const bool sane = count >= 0 && count < 9e18;
    const Dims shape{sane ? static_cast<Index>(count) : 0};
    return fresh(unmade(context, contiguousView(shape).valueOrThrow(),
                        options.dtype.value_or(floats ? defaultDType() : DType::Int64), options.device));
}

Value tensorFunction(Context&, const Bound& arguments) {
    // Small by nature (it was typed), so a dry run makes it, too.
    const TensorOptions options{arguments.dtypeIfAny(1), deviceArgument(arguments, 2)};
    return fresh(tensorFrom(nestedFrom(arguments.value(0)), options));
}

/// randint(high, size) and randint(low, high, size).
Value randintFunction(Context& context, const Bound& arguments) {
    const bool onlyHigh = arguments.has(1) && !asIndex(arguments.value(1));
    if (onlyHigh ? arguments.has(2) || !arguments.has(0) : !arguments.has(1) || !arguments.has(2))
        refuse(ErrorKind::Type, "EXPR-22", "randint() takes (high, size) or (low, high, size)");
    const Index low = onlyHigh ? 0 : arguments.index(0, 0);
    const Index high = arguments.index(onlyHigh ? 0 : 1);
    const Dims shape = arguments.dims(onlyHigh ? 1 : 2);
    const TensorOptions options{arguments.dtypeIfAny(3).value_or(DType::Int64), Device{}};
    return fresh(made(context, contiguousView(shape).valueOrThrow(), *options.dtype, options.device,
                      [&] { return randint(low, high, shape, options); }));
}

Value randpermFunction(Context& context, const Bound& arguments) {
    const TensorOptions options{arguments.dtypeIfAny(1).value_or(DType::Int64), Device{}};
    return fresh(made(context, contiguousView(Dims{arguments.index(0)}).valueOrThrow(), *options.dtype, options.device,
                      [&] { return randperm(arguments.index(0), options); }));
}

Value manualSeedFunction(Context& context, const Bound& arguments) {
    if (!context.options.dryRun) manualSeed(static_cast<std::uint64_t>(arguments.index(0)));
    return {};
}

std::vector<Parameter> shapeParameters() {
    return {{"size", Accepts::IntOrInts, true, true},
            {"dtype", Accepts::DTypeArg, kOptional},
            {"device", Accepts::Any, kOptional}};
}
std::vector<Parameter> likeParameters() {
    return {{"input", Accepts::TensorArg}, {"dtype", Accepts::DTypeArg, kOptional}};
}

const std::vector<FunctionEntry>& functions() {
    static const std::vector<FunctionEntry> kFunctions{
        {"zeros", shapeParameters(),
         [](Context& c, const Bound& a) { return ofShape(c, a, [](auto&&... x) { return zeros(x...); }); }},
        {"ones", shapeParameters(),
         [](Context& c, const Bound& a) { return ofShape(c, a, [](auto&&... x) { return ones(x...); }); }},
        {"empty", shapeParameters(),
         [](Context& c, const Bound& a) { return ofShape(c, a, [](auto&&... x) { return empty(x...); }); }},
        {"rand", shapeParameters(),
         [](Context& c, const Bound& a) { return ofShape(c, a, [](auto&&... x) { return rand(x...); }); }},
        {"randn", shapeParameters(),
         [](Context& c, const Bound& a) { return ofShape(c, a, [](auto&&... x) { return randn(x...); }); }},
        {"randint",
         {{"low", Accepts::Int, kOptional},
          {"high", Accepts::IntOrInts, kOptional},
          {"size", Accepts::Ints, kOptional},
          {"dtype", Accepts::DTypeArg, kOptional}},
         randintFunction},
        {"randperm", {{"n", Accepts::Int}, {"dtype", Accepts::DTypeArg, kOptional}}, randpermFunction},
        {"manual_seed", {{"seed", Accepts::Int}}, manualSeedFunction},
        {"full",
         {{"size", Accepts::IntOrInts},
          {"fill_value", Accepts::Number},
          {"dtype", Accepts::DTypeArg, kOptional},
          {"device", Accepts::Any, kOptional}},
         fullFunction},
        {"arange",
         {{"start", Accepts::Number},
          {"end", Accepts::Number, kOptional},
          {"step", Accepts::Number, kOptional},
          {"dtype", Accepts::DTypeArg, kOptional},
          {"device", Accepts::Any, kOptional}},
         arangeFunction},
        {"tensor",
         {{"data", Accepts::Any}, {"dtype", Accepts::DTypeArg, kOptional}, {"device", Accepts::Any, kOptional}},
         tensorFunction},
        // Arrays are tensors here already: one storage, as from_numpy() has it in Python.
        {"from_numpy", {{"ndarray", Accepts::TensorArg}}, [](Context&, const Bound& a) { return Value(a.tensor(0)); }},
        {"zeros_like", likeParameters(),
         [](Context& c, const Bound& a) { return like(c, a, [](auto&&... x) { return zerosLike(x...); }); }},
        {"ones_like", likeParameters(),
         [](Context& c, const Bound& a) { return like(c, a, [](auto&&... x) { return onesLike(x...); }); }},
        {"empty_like", likeParameters(),
         [](Context& c, const Bound& a) { return like(c, a, [](auto&&... x) { return emptyLike(x...); }); }},
        {"full_like",
         {{"input", Accepts::TensorArg}, {"fill_value", Accepts::Number}, {"dtype", Accepts::DTypeArg, kOptional}},
         [](Context& c, const Bound& a) {
             const Tensor& input = a.tensor(0).tensor;
             const LikeOptions options{a.dtypeIfAny(2), std::nullopt};
             return fresh(made(c, denseLike(input.view()), options.dtype.value_or(input.dtype()), input.device(),
                               [&] { return fullLike(input, a.scalar(1), options); }));
         }},
        {"Size",
         {{"size", Accepts::Ints}},
         [](Context&, const Bound& a) { return tupleOf(a.dims(0), Sequence::Kind::Size); }},
        {"device", {{"type", Accepts::Any}}, [](Context&, const Bound& a) { return Value(deviceArgument(a, 0)); }},
    };
    return kFunctions;
}

const FunctionEntry* findFunction(std::string_view name) {
    for (const FunctionEntry& entry : functions()) {
        if (name == entry.name) return &entry;
    }
    return nullptr;
}

/// torch.exp_(x): the in-place functions of one input are in torch, too; those of two are methods alone.
const PointwiseCall* findInPlaceFunction(const std::string& name) {
    const PointwiseCall* call = findPointwiseInPlace(name);
    return call && call->inputs == 1 ? call : nullptr;
}

/// torch.f(x, ...) is x.f(...) for these.
bool hasFunctionForm(const std::string& name) {
    if (isReduction(name)) return true;
    const ViewOp* op = findViewOp(name);
    // PyTorch has no torch.view, torch.expand and torch.contiguous.
    return op && name != "view" && name != "expand" && name != "contiguous" && name != "slice";
}

/// The number that Python's float() reads in `text`: digits, "inf", "infinity" and "nan" in any case, with a sign and
/// blanks around; single underscores between digits. Too large is inf, too small is 0, as there.
std::optional<double> floatFrom(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\n\r\f\v";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return std::nullopt;
    text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') text.remove_prefix(1);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string low;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '_') {
            const bool between = i > 0 && i + 1 < text.size() && isDigit(text[i - 1]) && isDigit(text[i + 1]);
            if (!between) return std::nullopt;
            continue;
        }
        low += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const double sign = negative ? -1.0 : 1.0;
    if (low == "inf" || low == "infinity") return sign * std::numeric_limits<double>::infinity();
    if (low == "nan") return std::numeric_limits<double>::quiet_NaN();
    // from_chars takes a second sign, "inf" and "nan(...)" too.
    if (low.empty() || (!isDigit(low.front()) && low.front() != '.')) return std::nullopt;
    double value = 0;
    const auto [end, code] = std::from_chars(low.data(), low.data() + low.size(), value);
    if (end != low.data() + low.size()) return std::nullopt;
    if (code == std::errc::result_out_of_range) value = std::strtod(low.c_str(), nullptr);
    return sign * value;
}

Scalar numberFrom(const Value& value, const char* function) {
    if (const auto* scalar = value.as<Scalar>()) return *scalar;
    if (const auto* text = value.as<std::string>(); text && std::string_view(function) == "float") {
        if (const auto number = floatFrom(*text)) return *number;
        constexpr std::size_t kShown = 60;
        refuse(ErrorKind::Value, "EXPR-22",
               "could not convert string to float: '" + sanitiseForDisplay(*text, kShown) + "'",
               "Write digits, as in float('1e-3'), or float('nan'), float('inf'), float('-inf').");
    }
    refuse(ErrorKind::Type, "EXPR-22", std::string(function) + "() needs a number, not " + typeName(value));
}

Value lengthOf(const Value& value) {
    if (const auto* sequence = value.as<Sequence>()) return static_cast<Index>(sequence->items.size());
    const auto* tensor = value.as<TensorValue>();
    if (!tensor) refuse(ErrorKind::Type, "EXPR-22", "object of type '" + typeName(value) + "' has no len()");
    if (tensor->tensor.dim() == 0) refuse(ErrorKind::Type, "EXPR-22", "len() of a 0-d tensor");
    return tensor->tensor.size(0);
}

/// The value itself, or the only element of a tensor.
Value plainNumber(Context& context, const Value& value) {
    const auto* tensor = value.as<TensorValue>();
    return tensor ? callTensorMethod(context, *tensor, "item", {}) : value;
}

Value wholeNumber(Scalar number) {
    const double value = number.toDouble();
    if (number.isFloat() && !(value > -9.2233720368547758e18 && value < 9.2233720368547758e18))
        refuse(ErrorKind::Value, "EXPR-23", "int(): the number does not fit 64 bits");
    return number.toInt();
}

} // namespace

NestedList nestedFrom(const Value& value) {
    if (const auto* scalar = value.as<Scalar>()) return NestedList(*scalar);
    if (const auto* sequence = value.as<Sequence>()) {
        NestedList::List items;
        items.reserve(sequence->items.size());
        for (const Value& item : sequence->items) items.push_back(nestedFrom(item));
        return NestedList::list(std::move(items));
    }
    refuse(ErrorKind::Type, "EXPR-22", "tensor(): expected numbers and lists of numbers, found " + typeName(value));
}

bool hasTorchFunction(const std::string& name) {
    return findFunction(name) || hasAlgebra("torch", name) || findPointwise(name) || findTernary(name) ||
           findInPlaceFunction(name) || hasFunctionForm(name);
}

Value moduleAttribute(const std::string& module, const std::string& name) {
    if (module == "PIL" && name == "Image") return Value::Module{"PIL.Image"};
    if (module == "safetensors" && name == "torch") return Value::Module{"safetensors.torch"};
    if (module == "torchvision" && name == "datasets") return Value::Module{"torchvision.datasets"};
    if (module == "numpy" && name == "uint8") return DType::UInt8;
    if (module == "torch" && name == "linalg") return Value::Module{"torch.linalg"};
    if (hasAlgebra(module, name) && module != "torch")
        refuse(ErrorKind::Type, "EXPR-25", "'" + module + "." + name + "' is a function",
               "Call it: " + module + "." + name + "(...).");
    if (module != "torch") {
        const std::string shown = module + "." + name.substr(0, 60);
        if (hasFileFunction(module, name))
            refuse(ErrorKind::Type, "EXPR-25", "'" + shown + "' is a function", "Call it: " + shown + "(...).");
        refuse(ErrorKind::Type, "EXPR-21", "module '" + module + "' has no attribute '" + name.substr(0, 60) + "'",
               "Of torch.linalg there are inv and solve, of numpy load, fromfile and array, of PIL Image.open, of "
               "safetensors torch.load_file, of torchvision datasets.");
    }
    // "float" and "long" are dtypes here, as in PyTorch.
    if (const auto dtype = dtypeFromName(name); dtype && name.rfind("torch.", 0) != 0) return *dtype;
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (name == "pi") return 3.14159265358979323846;
    const std::string shown = name.substr(0, 60);
    if (hasTorchFunction(name))
        refuse(ErrorKind::Type, "EXPR-25", "'torch." + shown + "' is a function", "Call it: torch." + shown + "(...).");
    refuse(ErrorKind::Type, "EXPR-21", "module 'torch' has no attribute '" + shown + "'",
           "Only the part of torch that makes, views and copies tensors and computes element by element is here.");
}

namespace {

/// torch.add(a, b, out=c): what `call` makes of the other arguments, written to `out`. One of another shape would
/// become another tensor, which no name of the line would stand for.
template <class Call>
Value calledInto(Context& context, const std::string& name, const Value& out, const Arguments& rest, const Call& call) {
    const auto* target = out.as<TensorValue>();
    if (!target) refuse(ErrorKind::Type, "EXPR-22", name + "(): argument 'out' must be Tensor, not " + typeName(out));
    Context dry{context.environment, {true}, {}, {}};
    const Value layout = call(dry, rest);
    const Tensor& result = layout.as<TensorValue>()->tensor;
    if (!(result.shape() == target->tensor.shape()))
        refuse(ErrorKind::NotImplemented, "EXPR-23",
               name + "(): out has the shape " + toString(target->tensor.shape()) + ", the result " +
                   toString(result.shape()) + ": PyTorch would give it another size, which is not done here",
               "Give it an out of the result's shape.", NumelMismatch{target->tensor.numel(), result.numel()});
    const Operation* operation = findOperation(name);
    if (operation && operation->out == OutRule::Castable)
        elementwise::requireCast(result.dtype(), target->tensor.dtype());
    Tensor into = target->tensor;
    writeInto(context, into,
              [&] { outOf(name, into, [&] { return call(context, rest).template as<TensorValue>()->tensor; }); });
    return out;
}

} // namespace

Value callTorchFunction(Context& context, const std::string& name, const Arguments& arguments) {
    if (const FunctionEntry* function = findFunction(name))
        return function->call(context, Bound(name, function->parameters, arguments));
    if (hasAlgebra("torch", name)) return callAlgebra(context, "torch", name, arguments);
    Arguments rest = arguments;
    const PointwiseCall* two = findPointwise(name);
    const TernaryCall* three = two ? nullptr : findTernary(name);
    if (two || three) {
        const auto call = [&](Context& in, const Arguments& given) {
            return two ? callPointwise(in, *two, nullptr, given) : callTernary(in, *three, nullptr, given);
        };
        const auto out = std::find_if(rest.named.begin(), rest.named.end(),
                                      [](const auto& argument) { return argument.first == "out"; });
        if (out == rest.named.end()) return call(context, rest);
        const Value target = out->second;
        rest.named.erase(out);
        return target.isNone() ? call(context, rest) : calledInto(context, name, target, rest, call);
    }
    std::optional<Value> input;
    if (!rest.positional.empty()) {
        input = rest.positional.front();
        rest.positional.erase(rest.positional.begin());
    } else {
        for (std::size_t i = 0; i < rest.named.size() && !input; ++i) {
            if (rest.named[i].first != "input") continue;
            input = rest.named[i].second;
            rest.named.erase(rest.named.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    const auto* tensor = input ? input->as<TensorValue>() : nullptr;
    if (!tensor)
        refuse(ErrorKind::Type, "EXPR-22",
               name + "(): argument 'input' (position 1) must be Tensor, not " +
                   (input ? typeName(*input) : std::string("nothing")));
    return callTensorMethod(context, *tensor, name, rest);
}

bool isBuiltin(const std::string& name) {
    return name == "len" || name == "print" || name == "abs" || name == "int" || name == "float" || name == "bool";
}

std::optional<Value> callBuiltin(Context& context, const std::string& name, const Arguments& arguments) {
    if (name == "print") {
        if (!arguments.named.empty()) refuse(ErrorKind::Type, "EXPR-22", "print() takes no named arguments here");
        std::string line;
        for (const Value& value : arguments.positional) {
            if (context.options.dryRun) break;
            if (!line.empty()) line += ' ';
            line += str(value);
        }
        if (!context.options.dryRun) context.output += line + "\n";
        return Value();
    }
    static const std::vector<Parameter> kOne{{"x", Accepts::Any}};
    const Bound bound(name, kOne, arguments);
    const Value& value = bound.value(0);
    if (name == "len") return lengthOf(value);
    if (name == "abs" && value.is<TensorValue>()) return callTensorMethod(context, *value.as<TensorValue>(), "abs", {});
    const Scalar number = numberFrom(plainNumber(context, value), name.c_str());
    if (name == "abs") {
        if (number.isFloat()) return Value(std::fabs(number.toDouble()));
        return number.toInt() < 0 ? unary(context, "-", number) : Value(number.toInt());
    }
    if (name == "int") return wholeNumber(number);
    if (name == "float") return Value(number.toDouble());
    return Value(number.toBool());
}

} // namespace stridescope::expr
