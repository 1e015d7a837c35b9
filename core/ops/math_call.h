#pragma once
// One call of a mathematical operation: its inputs and what it is called by. Internal to core/ops.

#include "core/ops/pointwise_math.h"

#include <array>
#include <span>
#include <string>

namespace stridescope::mathcall {

struct Call {
    MathOp op{};
    std::array<const MathInput*, 3> in{};
    int inputs = 0;
    const char* name = nullptr; ///< in records and refusals, where it is not the functor's
    std::string arguments;      ///< in records, after the inputs that are numbers
    std::array<Scalar, 3> parameters{};
    int parameterCount = 0;
    std::optional<DType> compute{}; ///< in place of the promoted type
    int absent = -1;                ///< the input that stands for nothing, and is not in records
    bool rowMajor = false;          ///< the result, whatever the strides of the inputs

    Call(MathOp which, const MathInput& a) : op(which), in{&a}, inputs(1), name(stridescope::name(which)) {}
    Call(MathOp which, const MathInput& a, const MathInput& b)
        : op(which), in{&a, &b}, inputs(2), name(stridescope::name(which)) {}
    Call(MathOp which, const MathInput& a, const MathInput& b, const MathInput& c)
        : op(which), in{&a, &b, &c}, inputs(3), name(stridescope::name(which)) {}
    std::span<const MathInput* const> inputList() const { return {in.data(), static_cast<std::size_t>(inputs)}; }
};

/// A new result.
Tensor made(const Call& call);
/// Into `out`; `inPlace`: it is called by the name with "_" after it.
const Tensor& into(const Call& call, const Tensor& out, bool inPlace);

[[noreturn]] void refuse(std::string id, std::string message, std::string hint = {});
/// The type that inputs promote to.
DType commonDType(std::span<const MathInput* const> inputs);

} // namespace stridescope::mathcall
