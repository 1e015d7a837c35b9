#pragma once
// Element-by-element functions of one or two inputs in lines of code: torch.exp(x), x.sqrt(), x ** 2, x.exp_(). One
// table, made from what core declares (BinaryOps, UnaryOps, kMathOps) with the parameters of core's operation table.
// Internal to core/expr.

#include "core/expr/context.h"
#include "core/ops/pointwise_math.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::expr {

/// Where a number may stand for a tensor: as in PyTorch, which lets a torch.maximum(x, 2) fail.
enum class TakesNumbers : std::uint8_t { Nowhere, Second, Either };

/// What stands in a call besides its inputs, "decimals=2"; null where there are only inputs.
using PointwiseOptions = const Bound*;

struct PointwiseCall {
    std::string name;        ///< PyTorch's, after "torch."
    int inputs = 1;          ///< 1 or 2
    TakesNumbers numbers{};  ///< of functions and methods; signs take numbers on both sides
    bool otherFirst = false; ///< the result is laid out as that of (b, a): rsub
    /// Is the result row-major whatever the strides of its inputs? Null: never.
    bool (*rowMajor)(const MathInput& a, const MathInput& b) = nullptr;
    std::vector<Parameter> parameters; ///< inputs first, then options
    /// The result; of one input, `b` is not looked at.
    std::function<Tensor(const MathInput& a, const MathInput& b, PointwiseOptions options)> make;
    /// Into its first tensor; empty where PyTorch has no name_.
    std::function<void(const Tensor& a, const MathInput& b, PointwiseOptions options)> write;
};

/// Null when there is none of that name.
const PointwiseCall* findPointwise(std::string_view name);
/// As findPointwise() of "exp" for "exp_", where it can be written in place.
const PointwiseCall* findPointwiseInPlace(std::string_view name);
/// The names of all, for tests and completion.
std::vector<std::string> pointwiseNames();
/// "add" for "+", "pow" for "**" and so on; null for what is no sign of tensors.
const PointwiseCall* pointwiseOfSign(std::string_view sign);

/// Carries out `call` on tensors and numbers, of which one is a tensor; in a dry run only its layout, with the same
/// refusals as far as they are not about values. `right` of one-input calls: None.
Value pointwise(Context& context, const PointwiseCall& call, const Value& left, const Value& right,
                PointwiseOptions options = nullptr);
/// The same into `target`.
/// @throws ShapeError (EXPR-23) when the result would not fit into it.
void writePointwise(Context& context, const PointwiseCall& call, const TensorValue& target, const Value& right,
                    PointwiseOptions options = nullptr);
/// x.name(arguments), or with `self` null torch.name(arguments); binds and checks the arguments.
Value callPointwise(Context& context, const PointwiseCall& call, const TensorValue* self, const Arguments& arguments);
/// x.name_(arguments).
Value callPointwiseInPlace(Context& context, const PointwiseCall& call, const TensorValue& self,
                           const Arguments& arguments);

} // namespace stridescope::expr
