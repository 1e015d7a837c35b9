#pragma once
// PyTorch's type promotion: which dtype an operation on several operands computes in and gives.
// Source: PyTorch documentation, "Tensor Attributes", type promotion; behaviour checked against the library.

#include "core/dtype/dtype.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <span>
#include <string_view>

namespace stridescope {

/// An operand counts by its kind: a lower one decides only when it is of a higher family (bool < integer < float)
/// than all operands of the kinds before it.
enum class OperandKind : std::uint8_t {
    Tensor,  ///< has dims
    ZeroDim, ///< a tensor without dims
    Number,  ///< a number without a tensor around it
};

struct PromotionOperand {
    DType dtype = DType::Float32; ///< of a Number: Bool, Int64, defaultDType() or its complex twin
    OperandKind kind = OperandKind::Tensor;
};

/// Precondition: at least one operand.
/// Examples: int8 tensor + 2 -> int8; int8 tensor + 2.0 -> float32; int64 tensor + 0-d float16 -> float16.
DType resultType(std::span<const PromotionOperand> operands);
DType resultType(const Tensor& a, const Tensor& b);
DType resultType(const Tensor& a, Scalar b);

/// May a result of `from` be written into a tensor of `to`? Never complex to real, float to integer, nor anything but
/// bool to bool.
bool canCast(DType from, DType to);

PromotionOperand promotionOperand(const Tensor& t);
PromotionOperand promotionOperand(Scalar number);

/// PyTorch's name of the scalar type in messages: "Float", "Long", "Byte".
std::string_view scalarTypeName(DType t);
/// C++'s name of an element, which other messages have: "float", "long int", "unsigned char".
const char* elementTypeName(DType t);

} // namespace stridescope
