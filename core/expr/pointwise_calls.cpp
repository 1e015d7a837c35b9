#include "core/expr/pointwise_calls.h"

#include "core/io/text.h"
#include "core/ops/activations.h"
#include "core/ops/cast_layout.h"
#include "core/ops/complex.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/operation_table.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/trace/op_record.h"
#include "core/view/broadcast.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

namespace stridescope::expr {

namespace {

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// What PyTorch's interface leaves out though it could be computed.
constexpr std::array<std::string_view, 19> kTensorsOnly{
    "maximum",    "minimum",   "gcd",         "lcm",        "atan2",       "hypot", "logaddexp",
    "logaddexp2", "nextafter", "logical_and", "logical_or", "logical_xor", "fmax",  "fmin",
    "heaviside",  "ldexp",     "isclose",     "igamma",     "igammac"};
constexpr std::array<std::string_view, 14> kNumberFirst{"add",
                                                        "sub",
                                                        "mul",
                                                        "div",
                                                        "floor_divide",
                                                        "pow",
                                                        "remainder",
                                                        "float_power",
                                                        "bitwise_or",
                                                        "xlogy",
                                                        "bitwise_and",
                                                        "bitwise_xor",
                                                        "bitwise_left_shift",
                                                        "bitwise_right_shift"};
constexpr std::array<std::string_view, 6> kNeverInPlace{"maximum",    "minimum", "logaddexp",
                                                        "logaddexp2", "fmax",    "fmin"};

/// `f` of two inputs as the overloads of pointwise.h take them.
template <class F>
decltype(auto) withOperands(const MathInput& a, const MathInput& b, F f) {
    if (!b.tensor()) return f(*a.tensor(), b.number());
    if (!a.tensor()) return f(a.number(), *b.tensor());
    return f(*a.tensor(), *b.tensor());
}

/// All calls. Their order is that in which they are declared.
class Table {
public:
    Table() {
        addNamed();
        addUnary();
        addBinary();
        addMath(MathOps{});
    }
    const PointwiseCall* find(std::string_view name) const {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : found->second;
    }
    const std::deque<PointwiseCall>& calls() const { return m_calls; }
    /// Of "**": as pow, but that of a number keeps the order of the exponent's elements.
    const PointwiseCall* powerSign() const { return &m_powerSign; }

private:
    /// Names that core's table of operations does not know under "torch." are no functions there.
    void add(std::string_view name, int inputs, decltype(PointwiseCall::make) make,
             decltype(PointwiseCall::write) write, std::vector<Parameter> options = {}) {
        const Operation* operation = findOperation(name);
        if (!operation || m_byName.contains(name)) return;
        PointwiseCall call;
        call.name = operation->name;
        call.inputs = inputs;
        call.numbers = inputs == 1 || isOneOf(kTensorsOnly, name) ? TakesNumbers::Nowhere
                       : isOneOf(kNumberFirst, name)              ? TakesNumbers::Either
                                                                  : TakesNumbers::Second;
        const auto accepts = [&call](TakesNumbers from) {
            return call.numbers >= from ? Accepts::TensorOrNumber : Accepts::TensorArg;
        };
        call.otherFirst = name == "rsub";
        call.parameters.push_back({"input", accepts(TakesNumbers::Either)});
        if (inputs == 2) {
            // "(input, exponent)": what the second one is called.
            const std::string_view signature = operation->signature;
            const std::size_t from = signature.find(", ") + 2;
            m_words.emplace_back(signature.substr(from, signature.find_first_of(",)=", from) - from));
            call.parameters.push_back({m_words.back().c_str(), accepts(TakesNumbers::Second)});
        }
        for (Parameter& option : options) {
            option.required = false;
            call.parameters.push_back(option);
        }
        call.make = std::move(make);
        if (!isOneOf(kNeverInPlace, name)) call.write = std::move(write);
        m_calls.push_back(std::move(call));
        m_byName.emplace(m_calls.back().name, &m_calls.back());
    }

    /// Operations that core offers as functions of their own, because a number among their inputs or an option decides
    /// what is computed. These stand first: the functors of the same names know nothing of that.
    void addNamed() {
        using I = const MathInput&;
        using O = PointwiseOptions;
        using T = const Tensor&;
        const auto has = [](O o, std::size_t i) { return o && o->has(i); };
        const auto number = [has](O o, std::size_t i) {
            return has(o, i) ? std::optional<double>(o->scalar(i).toDouble()) : std::nullopt;
        };
        // A refusal quotes it.
        const auto mode = [](O o) { return std::optional(sanitiseForDisplay(*o->value(2).as<std::string>(), 40)); };
        const auto decimals = [has](O o) { return has(o, 1) ? o->index(1) : Index{0}; };
        add(
            "pow", 2, [](I a, I b, O) { return a.tensor() ? pow(*a.tensor(), b) : pow(a.number(), *b.tensor()); },
            [](T a, I b, O) { pow_(a, b); });
        m_powerSign = m_calls.back();
        m_powerSign.make = [](I a, I b, O) { return a.tensor() ? pow(*a.tensor(), b) : math(mathOp<Pow>, a, b); };
        const auto ofNumber = [](I a, I) { return !a.tensor(); };
        m_calls.back().rowMajor = ofNumber;
        add(
            "float_power", 2, [](I a, I b, O) { return floatPower(a, b); }, [](T a, I b, O) { floatPower_(a, b); });
        m_calls.back().rowMajor = ofNumber;
        add(
            "ldexp", 2, [](I a, I b, O) { return ldexp(*a.tensor(), *b.tensor()); },
            [](T a, I b, O) { ldexp_(a, *b.tensor()); });
        add(
            "sgn", 1, [](I a, I, O) { return sgn(*a.tensor()); }, [](T a, I, O) { sgn_(a); });
        add("positive", 1, [](I a, I, O) { return positive(*a.tensor()); }, {});
        add("isreal", 1, [](I a, I, O) { return isreal(*a.tensor()); }, {});
        add("angle", 1, [](I a, I, O) { return angle(*a.tensor()); }, {});
        m_calls.back().rowMajor = [](I a, I) { return isComplex(a.tensor()->dtype()); };
        add(
            "round", 1, [=](I a, I, O o) { return round(*a.tensor(), decimals(o)); },
            [=](T a, I, O o) { round_(a, decimals(o)); }, {{"decimals", Accepts::Int, false, false, true}});
        add(
            "logit", 1, [=](I a, I, O o) { return logit(*a.tensor(), number(o, 1)); },
            [=](T a, I, O o) { logit_(a, number(o, 1)); }, {{"eps", Accepts::Number}});
        add(
            "nan_to_num", 1,
            [=](I a, I, O o) { return nanToNum(*a.tensor(), number(o, 1).value_or(0), number(o, 2), number(o, 3)); },
            [=](T a, I, O o) { nanToNum_(a, number(o, 1).value_or(0), number(o, 2), number(o, 3)); },
            {{"nan", Accepts::Number}, {"posinf", Accepts::Number}, {"neginf", Accepts::Number}});
        add(
            "selu", 1, [](I a, I, O) { return selu(*a.tensor()); }, [](T a, I, O) { selu_(a); });
        add(
            "celu", 1, [=](I a, I, O o) { return celu(*a.tensor(), number(o, 1).value_or(1)); },
            [=](T a, I, O o) { celu_(a, number(o, 1).value_or(1)); }, {{"alpha", Accepts::Number}});
        add("hardshrink", 1, [=](I a, I, O o) { return hardshrink(*a.tensor(), number(o, 1).value_or(0.5)); }, {},
            {{"lambd", Accepts::Number}});
        const std::vector<Parameter> alpha{{"alpha", Accepts::Number, false, false, true}};
        add(
            "add", 2,
            [=](I a, I b, O o) {
                if (has(o, 2)) return stridescope::add(a, b, o->scalar(2));
                return withOperands(a, b, [](const auto& x, const auto& y) { return stridescope::add(x, y); });
            },
            [=](T a, I b, O o) {
                has(o, 2) ? add_(a, b, o->scalar(2)) : b.tensor() ? add_(a, *b.tensor()) : add_(a, b.number());
            },
            alpha);
        add(
            "sub", 2,
            [=](I a, I b, O o) {
                if (has(o, 2)) return sub(a, b, o->scalar(2));
                return withOperands(a, b, [](const auto& x, const auto& y) { return sub(x, y); });
            },
            [=](T a, I b, O o) {
                has(o, 2) ? sub_(a, b, o->scalar(2)) : b.tensor() ? sub_(a, *b.tensor()) : sub_(a, b.number());
            },
            alpha);
        add(
            "rsub", 2, [=](I a, I b, O o) { return rsub(*a.tensor(), b, has(o, 2) ? o->scalar(2) : Scalar(1)); }, {},
            alpha);
        add(
            "div", 2,
            [=](I a, I b, O o) {
                if (has(o, 2)) return div(a, b, mode(o));
                return withOperands(a, b, [](const auto& x, const auto& y) { return div(x, y); });
            },
            [=](T a, I b, O o) {
                has(o, 2) ? div_(a, b, mode(o)) : b.tensor() ? div_(a, *b.tensor()) : div_(a, b.number());
            },
            {{"rounding_mode", Accepts::Text, false, false, true}});
        add("isclose", 2,
            [=](I a, I b, O o) {
                return isclose(*a.tensor(), *b.tensor(), number(o, 2).value_or(1e-5), number(o, 3).value_or(1e-8),
                               has(o, 4) && o->scalar(4).toBool());
            },
            {}, {{"rtol", Accepts::Number}, {"atol", Accepts::Number}, {"equal_nan", Accepts::Bool}});
    }

    void addUnary() {
        for (std::size_t i = 0; i < UnaryOps::size; ++i) {
            const auto op = static_cast<UnaryOp>(i);
            add(
                UnaryOps::names[i], 1,
                [op](const MathInput& a, const MathInput&, PointwiseOptions) { return unary(op, *a.tensor()); },
                [op](const Tensor& a, const MathInput&, PointwiseOptions) { unary_(op, a); });
        }
    }
    void addBinary() {
        for (std::size_t i = 0; i < BinaryOps::size; ++i) {
            const auto op = static_cast<BinaryOp>(i);
            add(
                BinaryOps::names[i], 2,
                [op](const MathInput& a, const MathInput& b, PointwiseOptions) {
                    return withOperands(a, b,
                                        [op](const auto& x, const auto& y) { return stridescope::binary(op, x, y); });
                },
                [op](const Tensor& a, const MathInput& b, PointwiseOptions) {
                    if (b.tensor())
                        binary_(op, a, *b.tensor());
                    else
                        binary_(op, a, b.number());
                });
        }
    }
    template <class... Ops>
    void addMath(OpList<Ops...>) {
        (addFunctor<Ops>(), ...);
    }
    /// A functor that is called with its inputs alone. Those that want parameters have a function of their own above.
    template <class Op>
    void addFunctor() {
        if constexpr (Op::arity == 1 && std::is_invocable_v<Op, float>) {
            // Of the tests only logical_not writes its answers where the numbers were.
            constexpr bool inPlace = Op::result != ResultKind::Comparison || std::is_same_v<Op, LogicalNot>;
            add(
                Op::name, 1,
                [](const MathInput& a, const MathInput&, PointwiseOptions) { return math(mathOp<Op>, *a.tensor()); },
                inPlace ? [](const Tensor& a, const MathInput&, PointwiseOptions) { math_(mathOp<Op>, a); }
                        : decltype(PointwiseCall::write)());
        } else if constexpr (Op::arity == 2 && std::is_invocable_v<Op, float, float>) {
            add(
                Op::name, 2,
                [](const MathInput& a, const MathInput& b, PointwiseOptions) { return math(mathOp<Op>, a, b); },
                [](const Tensor& a, const MathInput& b, PointwiseOptions) { math_(mathOp<Op>, a, b); });
        }
    }

    std::deque<std::string> m_words; ///< of signatures; a deque, for parameters point into it
    std::deque<PointwiseCall> m_calls;
    PointwiseCall m_powerSign;
    std::map<std::string_view, const PointwiseCall*> m_byName;
};

const Table& table() {
    static const Table kTable;
    return kTable;
}

MathInput inputOf(const Value& value) {
    if (const auto* tensor = value.as<TensorValue>()) return tensor->tensor;
    const auto* number = value.as<Scalar>();
    return number ? MathInput(*number) : MathInput(0);
}

/// One element that stands for a tensor where its values do not count: what is refused of it is refused of the tensor.
/// `whole`: it stands for every index, so that sizes count, too; else its sizes are 1.
Tensor probeOf(const Tensor& tensor, bool whole) {
    const std::size_t rank = tensor.shape().size();
    const Tensor one = ones(Dims(rank, 1), {tensor.dtype(), tensor.device()});
    return whole ? one.withView(View{tensor.shape(), Dims(rank, 0), 0}) : one;
}

/// The inputs of a call with probes in place of tensors.
struct Probes {
    Tensor first, second;
    MathInput a{0}, b{0};

    Probes(const MathInput& left, const MathInput& right, bool whole = false) {
        if (left.tensor()) first = probeOf(*left.tensor(), whole);
        if (right.tensor()) second = probeOf(*right.tensor(), whole);
        a = left.tensor() ? MathInput(first) : left;
        b = right.tensor() ? MathInput(second) : right;
    }
    Probes(const Probes&) = delete;
    Probes& operator=(const Probes&) = delete;
};

Dims commonShape(const MathInput& a, const MathInput& b) {
    if (!a.tensor()) return b.tensor()->shape();
    if (!b.tensor()) return a.tensor()->shape();
    return broadcastShapes(a.tensor()->shape(), b.tensor()->shape()).valueOrThrow();
}

/// The result without its elements.
Value layoutOf(Context& context, const PointwiseCall& call, const MathInput& a, const MathInput& b, const Value& left,
               PointwiseOptions options) {
    const trace::Nested nested;
    Dims shape;
    try {
        shape = commonShape(a, b);
    } catch (const Error&) {
        // Some operations refuse dtypes before sizes.
        const Probes whole(a, b, true);
        call.make(whole.a, whole.b, options);
        throw;
    }
    const Probes probes(a, b);
    const Tensor probe = call.make(probes.a, probes.b, options);
    if (probes.a.tensor() && probe.storage() == probes.first.storage()) return left; // positive(x) is x
    static const View kNumber{};
    std::array<const View*, 2> views{a.tensor() ? &a.tensor()->view() : &kNumber,
                                     b.tensor() ? &b.tensor()->view() : &kNumber};
    std::array<View, 2> cast;
    if (a.tensor() && b.tensor()) {
        DType compute = resultType(*a.tensor(), *b.tensor());
        if (isFloating(probe.dtype()) && isIntegral(compute)) compute = probe.dtype();
        cast = {elementwise::castView(*a.tensor(), compute), elementwise::castView(*b.tensor(), compute)};
        views = {&cast[0], &cast[1]};
    }
    if (call.otherFirst) std::swap(views[0], views[1]);
    const std::span used(views.data(), static_cast<std::size_t>(call.inputs));
    const bool rowMajor = call.rowMajor && call.rowMajor(a, b);
    const View layout{shape, rowMajor ? elementwise::rowMajorStrides(shape) : elementwise::resultStrides(shape, used),
                      0};
    return fresh(unmade(context, layout, probe.dtype(), probe.device()));
}

[[noreturn]] void refuseNumbers(const PointwiseCall& call, const Value& left, const Value& right) {
    refuse(ErrorKind::Type, "EXPR-22", call.name + "() needs tensors or a tensor and a number",
           "Given: " + typeName(left) + (call.inputs == 2 ? ", " + typeName(right) : std::string()) + ".");
}

/// The inputs and options of a call as written. Options come as a Bound over all parameters.
Bound bind(const PointwiseCall& call, const TensorValue* self, const Arguments& arguments) {
    const std::span<const Parameter> all = call.parameters;
    if (!self) return Bound(call.name, all, arguments);
    // Bound against the parameters without self, so that refusals count as people do.
    static_cast<void>(Bound(call.name, all.subspan(1), arguments));
    Arguments whole = arguments;
    whole.positional.insert(whole.positional.begin(), Value(*self));
    return Bound(call.name, all, whole);
}

bool hasOptions(const PointwiseCall& call) {
    return call.parameters.size() > static_cast<std::size_t>(call.inputs);
}

} // namespace

const PointwiseCall* findPointwise(std::string_view name) {
    return table().find(name);
}

const PointwiseCall* findPointwiseInPlace(std::string_view name) {
    if (name.size() < 2 || name.back() != '_') return nullptr;
    const PointwiseCall* call = findPointwise(name.substr(0, name.size() - 1));
    return call && call->write ? call : nullptr;
}

std::vector<std::string> pointwiseNames() {
    std::vector<std::string> names;
    for (const PointwiseCall& call : table().calls()) names.push_back(call.name);
    return names;
}

const PointwiseCall* pointwiseOfSign(std::string_view sign) {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"+", "add"},
                                                                        {"-", "sub"},
                                                                        {"*", "mul"},
                                                                        {"/", "div"},
                                                                        {"//", "floor_divide"},
                                                                        {"%", "remainder"},
                                                                        {"&", "bitwise_and"},
                                                                        {"|", "bitwise_or"},
                                                                        {"^", "bitwise_xor"},
                                                                        {"<<", "bitwise_left_shift"},
                                                                        {">>", "bitwise_right_shift"},
                                                                        {"==", "eq"},
                                                                        {"!=", "ne"},
                                                                        {"<", "lt"},
                                                                        {"<=", "le"},
                                                                        {">", "gt"},
                                                                        {">=", "ge"}};
    if (sign == "**") return table().powerSign();
    for (const auto& [symbol, name] : kNames) {
        if (sign == symbol) return findPointwise(name);
    }
    return nullptr;
}

Value pointwise(Context& context, const PointwiseCall& call, const Value& left, const Value& right,
                PointwiseOptions options) {
    const bool isOperand = left.is<TensorValue>() || left.is<Scalar>();
    const bool otherIs = call.inputs == 1 || right.is<TensorValue>() || right.is<Scalar>();
    const bool anyTensor = left.is<TensorValue>() || (call.inputs == 2 && right.is<TensorValue>());
    if (!isOperand || !otherIs || !anyTensor) refuseNumbers(call, left, right);
    const MathInput a = inputOf(left), b = inputOf(right);
    if (context.options.dryRun) return layoutOf(context, call, a, b, left, options);
    Tensor made = call.make(a, b, options);
    const auto* self = left.as<TensorValue>();
    return self && made.storage() == self->tensor.storage() ? left : fresh(std::move(made));
}

void writePointwise(Context& context, const PointwiseCall& call, const TensorValue& target, const Value& right,
                    PointwiseOptions options) {
    const Tensor out = target.tensor;
    const MathInput b = inputOf(right);
    const Dims shape = commonShape(out, b);
    if (!(shape == out.shape()))
        refuse(ErrorKind::Runtime, "EXPR-23",
               "output with shape " + toListString(out.shape()) + " doesn't match the broadcast shape " +
                   toListString(shape),
               "The result of an in-place operation must fit into its target.");
    {
        // What no values are needed to refuse is refused before anybody is told that elements will change.
        const trace::Nested nested;
        const Probes probes(out, b);
        call.write(probes.first, probes.b, options);
    }
    writeInto(context, out, [&] { call.write(out, b, options); });
}

Value callPointwise(Context& context, const PointwiseCall& call, const TensorValue* self, const Arguments& arguments) {
    const Bound bound = bind(call, self, arguments);
    return pointwise(context, call, bound.value(0), call.inputs == 2 ? bound.value(1) : Value(),
                     hasOptions(call) ? &bound : nullptr);
}

Value callPointwiseInPlace(Context& context, const PointwiseCall& call, const TensorValue& self,
                           const Arguments& arguments) {
    const Bound bound = bind(call, &self, arguments);
    writePointwise(context, call, self, call.inputs == 2 ? bound.value(1) : Value(),
                   hasOptions(call) ? &bound : nullptr);
    return self;
}

} // namespace stridescope::expr
