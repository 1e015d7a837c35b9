#include "core/ops/promotion.h"

#include "core/ops/creation.h"

#include <array>
#include <optional>

namespace stridescope {

namespace {

using Family = std::optional<DType>; ///< absent: no operand of that kind

Family promoted(Family a, DType b) {
    return a ? promoteTypes(*a, b) : b;
}

/// `lower` joins in only when its family is above that of `higher`.
Family combined(Family higher, Family lower) {
    if (!higher || !lower) return higher ? higher : lower;
    if (isComplex(*higher)) return higher;
    // A complex number of lower kind makes the others complex and keeps their precision.
    if (isComplex(*lower)) return isFloating(*higher) ? complexDType(*higher) : *lower;
    if (isFloating(*higher)) return higher;
    if (*higher == DType::Bool || isFloating(*lower)) return promoteTypes(*higher, *lower);
    return higher;
}

} // namespace

DType resultType(std::span<const PromotionOperand> operands) {
    std::array<Family, 3> families;
    for (const PromotionOperand& o : operands) {
        Family& family = families[static_cast<std::size_t>(o.kind)];
        family = promoted(family, o.dtype);
    }
    return combined(combined(families[0], families[1]), families[2]).value_or(defaultDType());
}

DType resultType(const Tensor& a, const Tensor& b) {
    return resultType(std::array{promotionOperand(a), promotionOperand(b)});
}

DType resultType(const Tensor& a, Scalar b) {
    return resultType(std::array{promotionOperand(a), promotionOperand(b)});
}

bool canCast(DType from, DType to) {
    if (isComplex(from) && !isComplex(to)) return false;
    if (isFloating(from) && isIntegral(to)) return false;
    return from == DType::Bool || to != DType::Bool;
}

PromotionOperand promotionOperand(const Tensor& t) {
    return {t.dtype(), t.shape().empty() ? OperandKind::ZeroDim : OperandKind::Tensor};
}

PromotionOperand promotionOperand(Scalar number) {
    const DType dtype = number.isBool()      ? DType::Bool
                        : number.isInt()     ? DType::Int64
                        : number.isComplex() ? complexDType(defaultDType())
                                             : defaultDType();
    return {dtype, OperandKind::Number};
}

std::string_view scalarTypeName(DType t) {
    constexpr std::array<std::string_view, kAllDTypes.size()> names{
        "Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double", "Bool", "ComplexFloat", "ComplexDouble"};
    return names[static_cast<std::size_t>(t)];
}

const char* elementTypeName(DType t) {
    static constexpr std::array<const char*, kAllDTypes.size()> kNames{
        "unsigned char",       "signed char", "short int", "int",  "long int",
        "c10::Half",           "float",       "double",    "bool", "c10::complex<float>",
        "c10::complex<double>"};
    return kNames[static_cast<std::size_t>(t)];
}

} // namespace stridescope
