#pragma once
// The element types, and the one way to go from a run-time DType to a C++ type.

#include "core/dtype/complex.h"
#include "core/dtype/half.h"
#include "core/error.h"
#include "core/host_device.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace stridescope {

/// The complex ones come last: tables over real dtypes (kernels) end before them.
enum class DType : std::uint8_t {
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Float32,
    Float64,
    Bool,
    Complex64,
    Complex128
};
inline constexpr std::array kAllDTypes{DType::UInt8, DType::Int8,      DType::Int16,     DType::Int32,
                                       DType::Int64, DType::Float16,   DType::Float32,   DType::Float64,
                                       DType::Bool,  DType::Complex64, DType::Complex128};
inline constexpr std::array kRealDTypes{DType::UInt8,   DType::Int8,    DType::Int16,   DType::Int32, DType::Int64,
                                        DType::Float16, DType::Float32, DType::Float64, DType::Bool};

/// Bytes of one element.
constexpr std::size_t itemSize(DType t) {
    constexpr std::array<std::uint8_t, kAllDTypes.size()> sizes{1, 1, 2, 4, 8, 2, 4, 8, 1, 8, 16};
    return sizes[static_cast<std::size_t>(t)];
}
/// "float32", "int64", "bool": what follows "torch." in PyTorch.
std::string_view name(DType t);
/// The inverse; second names ("float", "double", "long", "half", …) are understood too, and a leading "torch.".
std::optional<DType> dtypeFromName(std::string_view name);
constexpr bool isFloating(DType t) {
    return t == DType::Float16 || t == DType::Float32 || t == DType::Float64;
}
constexpr bool isComplex(DType t) {
    return t == DType::Complex64 || t == DType::Complex128;
}
constexpr bool isIntegral(DType t) {
    return t <= DType::Int64;
}
/// The dtype of the parts of a complex one: float32 for complex64. Others give themselves.
constexpr DType realPartDType(DType t) {
    return t == DType::Complex64 ? DType::Float32 : t == DType::Complex128 ? DType::Float64 : t;
}
/// The complex dtype whose parts hold `t`: complex128 for float64, complex64 for all others.
constexpr DType complexDType(DType t) {
    return t == DType::Float64 || t == DType::Complex128 ? DType::Complex128 : DType::Complex64;
}

/// Storage type of each DType. Bool is one byte, 0 or 1.
template <DType>
struct CppTypeOf;
template <>
struct CppTypeOf<DType::UInt8> {
    using type = std::uint8_t;
};
template <>
struct CppTypeOf<DType::Int8> {
    using type = std::int8_t;
};
template <>
struct CppTypeOf<DType::Int16> {
    using type = std::int16_t;
};
template <>
struct CppTypeOf<DType::Int32> {
    using type = std::int32_t;
};
template <>
struct CppTypeOf<DType::Int64> {
    using type = std::int64_t;
};
template <>
struct CppTypeOf<DType::Float16> {
    using type = Half;
};
template <>
struct CppTypeOf<DType::Float32> {
    using type = float;
};
template <>
struct CppTypeOf<DType::Float64> {
    using type = double;
};
template <>
struct CppTypeOf<DType::Bool> {
    using type = bool;
};

template <>
struct CppTypeOf<DType::Complex64> {
    using type = Complex<float>;
};
template <>
struct CppTypeOf<DType::Complex128> {
    using type = Complex<double>;
};

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<std::uint8_t> : std::integral_constant<DType, DType::UInt8> {};
template <>
struct DTypeOf<std::int8_t> : std::integral_constant<DType, DType::Int8> {};
template <>
struct DTypeOf<std::int16_t> : std::integral_constant<DType, DType::Int16> {};
template <>
struct DTypeOf<std::int32_t> : std::integral_constant<DType, DType::Int32> {};
template <>
struct DTypeOf<std::int64_t> : std::integral_constant<DType, DType::Int64> {};
template <>
struct DTypeOf<Half> : std::integral_constant<DType, DType::Float16> {};
template <>
struct DTypeOf<float> : std::integral_constant<DType, DType::Float32> {};
template <>
struct DTypeOf<double> : std::integral_constant<DType, DType::Float64> {};
template <>
struct DTypeOf<bool> : std::integral_constant<DType, DType::Bool> {};
template <>
struct DTypeOf<Complex<float>> : std::integral_constant<DType, DType::Complex64> {};
template <>
struct DTypeOf<Complex<double>> : std::integral_constant<DType, DType::Complex128> {};

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<Complex<T>> = true;

template <class T>
struct TypeTag {
    using type = T;
};

/// @throws NotImplementedError (DTYPE-07): something for real numbers was asked of a complex dtype.
[[noreturn]] void throwComplexNotImplemented(DType t);

/// Calls `f(TypeTag<T>{})` with the C++ type of `t`, complex ones included. The only switch over DType in the project.
template <class F>
STRIDESCOPE_HD constexpr decltype(auto) visitAnyDType(DType t, F&& f) {
    switch (t) {
    case DType::UInt8:
        return f(TypeTag<std::uint8_t>{});
    case DType::Int8:
        return f(TypeTag<std::int8_t>{});
    case DType::Int16:
        return f(TypeTag<std::int16_t>{});
    case DType::Int32:
        return f(TypeTag<std::int32_t>{});
    case DType::Int64:
        return f(TypeTag<std::int64_t>{});
    case DType::Float16:
        return f(TypeTag<Half>{});
    case DType::Float32:
        return f(TypeTag<float>{});
    case DType::Float64:
        return f(TypeTag<double>{});
    case DType::Complex64:
        return f(TypeTag<Complex<float>>{});
    case DType::Complex128:
        return f(TypeTag<Complex<double>>{});
    case DType::Bool:
        break;
    }
    return f(TypeTag<bool>{});
}

/// As visitAnyDType, for what is defined on real numbers only: `f` never sees a complex type.
/// @throws NotImplementedError (DTYPE-07) for complex dtypes, on the CPU; a device must not be asked.
template <class F>
STRIDESCOPE_HD constexpr decltype(auto) visitDType(DType t, F&& f) {
#ifndef __CUDA_ARCH__
    if (isComplex(t)) throwComplexNotImplemented(t);
#endif
    return visitAnyDType(t, [&f](auto tag) -> decltype(auto) {
        if constexpr (kIsComplex<typename decltype(tag)::type>) {
            return f(TypeTag<bool>{}); // not reached
        } else {
            return f(tag);
        }
    });
}

/// PyTorch's result type of two tensors with dims: bool < integers < floats < complex; uint8 with a signed type gives
/// the next wider signed type (uint8 + int8 -> int16).
DType promoteTypes(DType a, DType b);

} // namespace stridescope
