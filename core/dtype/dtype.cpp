#include "core/dtype/dtype.h"

#include <string>
#include <utility>

namespace stridescope {

std::string_view name(DType t) {
    constexpr std::array<std::string_view, kAllDTypes.size()> names{
        "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "complex64", "complex128"};
    return names[static_cast<std::size_t>(t)];
}

std::optional<DType> dtypeFromName(std::string_view text) {
    constexpr std::string_view kPrefix = "torch.";
    if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
    for (const DType t : kAllDTypes) {
        if (text == name(t)) return t;
    }
    constexpr std::array<std::pair<std::string_view, DType>, 8> kSecondNames{{{"float", DType::Float32},
                                                                              {"double", DType::Float64},
                                                                              {"half", DType::Float16},
                                                                              {"short", DType::Int16},
                                                                              {"int", DType::Int32},
                                                                              {"long", DType::Int64},
                                                                              {"cfloat", DType::Complex64},
                                                                              {"cdouble", DType::Complex128}}};
    for (const auto& second : kSecondNames) {
        if (text == second.first) return second.second;
    }
    return std::nullopt;
}

void throwComplexNotImplemented(DType t) {
    throwRefusal({ErrorKind::NotImplemented,
                  "DTYPE-07",
                  "not implemented for '" + std::string(t == DType::Complex64 ? "ComplexFloat" : "ComplexDouble") + "'",
                  "Take the real or the imaginary part, x.real or x.imag, or the magnitude, x.abs().",
                  {}});
}

DType promoteTypes(DType a, DType b) {
    if (a == b || b == DType::Bool) return a;
    if (a == DType::Bool) return b;
    if (isComplex(a) || isComplex(b)) {
        const bool wide = realPartDType(a) == DType::Float64 || realPartDType(b) == DType::Float64;
        return wide ? DType::Complex128 : DType::Complex64;
    }
    if (isFloating(a) || isFloating(b)) {
        if (!isFloating(a)) return b;
        if (!isFloating(b)) return a;
        return itemSize(a) > itemSize(b) ? a : b;
    }
    if (itemSize(a) == itemSize(b)) return DType::Int16; // uint8 with int8: no 8-bit type holds both ranges
    return itemSize(a) > itemSize(b) ? a : b;
}

} // namespace stridescope
