#include "core/ops/operation_names.h"

#include <algorithm>

namespace stridescope {

namespace {

// Those whose form with "_" has no row of its own.
constexpr std::string_view kInPlace =
    "abs acos acosh add addbmm addcdiv addcmul addmm addmv addr asin asinh atan atan2 atanh baddbmm "
    "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil celu clamp "
    "clamp_max clamp_min conj_physical copysign cos cosh cumprod cumsum deg2rad detach digamma div eq erf erfc "
    "erfinv exp exp2 expm1 float_power floor floor_divide fmod frac gcd ge gt heaviside hypot i0 igamma "
    "igammac lcm ldexp le lerp lgamma log log10 log1p log2 logical_and logical_not logical_or logical_xor "
    "logit lt mul mvlgamma nan_to_num ne neg nextafter polygamma pow rad2deg reciprocal relu remainder renorm "
    "round rsqrt selu sgn sigmoid sign sin sinc sinh sqrt square sub swapaxes swapdims tan tanh threshold tril "
    "triu trunc xlogy";

bool hasInPlaceForm(std::string_view name) {
    std::string_view rest = kInPlace;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == name) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

void append(std::string& text, std::string_view name) {
    if (!text.empty()) text += ", ";
    text += name;
}

} // namespace

std::span<const OperationAlias> operationAliases() {
    static constexpr OperationAlias kAliases[] = {
        {"absolute", "abs"},
        {"absolute_", "abs_"},
        {"subtract", "sub"},
        {"subtract_", "sub_"},
        {"multiply", "mul"},
        {"multiply_", "mul_"},
        {"divide", "div"},
        {"divide_", "div_"},
        {"true_divide", "div"},
        {"true_divide_", "div_"},
        {"negative", "neg"},
        {"negative_", "neg_"},
        {"arccos", "acos"},
        {"arccos_", "acos_"},
        {"arcsin", "asin"},
        {"arcsin_", "asin_"},
        {"arctan", "atan"},
        {"arctan_", "atan_"},
        {"arccosh", "acosh"},
        {"arccosh_", "acosh_"},
        {"arcsinh", "asinh"},
        {"arcsinh_", "asinh_"},
        {"arctanh", "atanh"},
        {"arctanh_", "atanh_"},
        {"arctan2", "atan2"},
        {"arctan2_", "atan2_"},
        {"fix", "trunc"},
        {"fix_", "trunc_"},
        {"clip", "clamp"},
        {"clip_", "clamp_"},
        {"greater", "gt"},
        {"greater_", "gt_"},
        {"greater_equal", "ge"},
        {"greater_equal_", "ge_"},
        {"less", "lt"},
        {"less_", "lt_"},
        {"less_equal", "le"},
        {"less_equal_", "le_"},
        {"not_equal", "ne"},
        {"not_equal_", "ne_"},
        {"moveaxis", "movedim"},
        {"unsafe_chunk", "chunk"},
        {"unsafe_split", "split"},
        {"unsafe_split_with_sizes", "split_with_sizes"},
        {"concat", "cat"},
        {"concatenate", "cat"},
        {"row_stack", "vstack"},
        {"ger", "outer"},
        {"trapz", "trapezoid"},
        {"inverse", "linalg.inv"},
        {"det", "linalg.det"},
        {"matrix_power", "linalg.matrix_power"},
        {"matrix_exp", "linalg.matrix_exp"},
        {"linalg.matmul", "matmul"},
        {"orgqr", "linalg.householder_product"},
        {"special.digamma", "digamma"},
        {"special.erf", "erf"},
        {"special.erfc", "erfc"},
        {"special.erfinv", "erfinv"},
        {"special.exp2", "exp2"},
        {"special.expit", "sigmoid"},
        {"special.expm1", "expm1"},
        {"special.gammaln", "lgamma"},
        {"special.gammainc", "igamma"},
        {"special.gammaincc", "igammac"},
        {"special.i0", "i0"},
        {"special.log1p", "log1p"},
        {"special.log_softmax", "log_softmax"},
        {"special.logit", "logit"},
        {"special.logsumexp", "logsumexp"},
        {"special.multigammaln", "mvlgamma"},
        {"special.polygamma", "polygamma"},
        {"special.psi", "digamma"},
        {"special.round", "round"},
        {"special.sinc", "sinc"},
        {"special.softmax", "softmax"},
        {"special.xlogy", "xlogy"},
    };
    return kAliases;
}

std::string otherNames(std::string_view name) {
    std::string text;
    const auto appendNamesOf = [&](std::string_view of) {
        for (const OperationAlias& alias : operationAliases())
            if (alias.of == of) append(text, alias.name);
    };
    appendNamesOf(name);
    if (name.starts_with("Tensor.")) name.remove_prefix(7);
    if (hasInPlaceForm(name)) {
        const std::string inPlace = std::string(name) + "_";
        append(text, inPlace);
        appendNamesOf(inPlace);
    }
    return text;
}

} // namespace stridescope
