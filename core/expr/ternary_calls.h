#pragma once
// Element-by-element functions whose third input broadcasts, too: torch.where(c, a, b), x.clamp(low, high),
// torch.lerp(a, b, weight), x.masked_fill(mask, value), torch.addcmul(a, b, c), and clamp's halves. Internal to
// core/expr.

#include "core/expr/ast.h"
#include "core/expr/context.h"

#include <string>
#include <string_view>
#include <vector>

namespace stridescope::expr {

struct TernaryCall {
    std::string_view name;
    std::vector<Parameter> parameters; ///< inputs first, as the function has them, then options
    std::size_t inputs = 3;
    std::size_t self = 0; ///< the input that a method is called on: that of x.where(condition, other) is 1
    bool masks = false;   ///< the result is a contiguous copy, and refusals name the mask first
    Tensor (*make)(const Bound& arguments) = nullptr;
    void (*write)(const Tensor& target, const Bound& arguments) = nullptr; ///< null where PyTorch has no name_
};

/// Null when there is none of that name.
const TernaryCall* findTernary(std::string_view name);
/// As findTernary() of "clamp" for "clamp_", where it can be written in place.
const TernaryCall* findTernaryInPlace(std::string_view name);

/// An input of a call as it is written: which parameter it is, and the keyword that it needs to be that.
struct TernaryInput {
    const Node* node = nullptr;
    std::size_t parameter = 0;
    std::string keyword;
};
/// The inputs of torch.where(c, a, b), or with `method` of x.where(c, b), in the order of the line. Nothing where the
/// evaluator has something to say about them.
std::vector<TernaryInput> ternaryInputs(const Node& node, const TernaryCall& call, bool method);

/// x.name(arguments), or with `self` null torch.name(arguments); in a dry run only the layout of the result, with the
/// same refusals as far as they are not about values.
Value callTernary(Context& context, const TernaryCall& call, const TensorValue* self, const Arguments& arguments);
/// x.name_(arguments).
/// @throws ShapeError (SHAPE-OUT) when the result would not fit into `self`.
Value callTernaryInPlace(Context& context, const TernaryCall& call, const TensorValue& self,
                         const Arguments& arguments);

} // namespace stridescope::expr
