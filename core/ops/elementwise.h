#pragma once
// What each element operation computes, written once for every device, and the lists of the operations.
//
// A new operation is one functor here, its name in a list, and one public function in pointwise.h.

#include "core/dtype/convert.h"
#include "core/host_device.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace stridescope {

/// How the element type of the result follows from the common type of the inputs.
enum class ResultKind : std::uint8_t {
    Same,       ///< the common type
    Float,      ///< the common type; integers and bool become float32 first
    Comparison, ///< bool
};

namespace detail {
/// Unsigned type in which + - * of T wrap instead of overflowing. At least 32 bits: uint16 * uint16 would be done in
/// int.
template <class T>
using WrapType = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
STRIDESCOPE_HD constexpr WrapType<T> wrap(T value) {
    return static_cast<WrapType<T>>(value);
}
template <class T>
inline constexpr bool kIsBool = std::is_same_v<T, bool>;
} // namespace detail

// Functors see bool, the integer types, float and double; Half arrives as float and is rounded after every operation.

struct Add { // integers wrap; bool: or
    static constexpr const char* name = "add";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a, T b) const {
        if constexpr (detail::kIsBool<T>)
            return a | b;
        else if constexpr (std::is_floating_point_v<T>)
            return a + b;
        else
            return static_cast<T>(detail::wrap(a) + detail::wrap(b));
    }
};
struct Sub { // integers wrap; pointwise.cpp refuses bool, as PyTorch does
    static constexpr const char* name = "sub";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a, T b) const {
        if constexpr (detail::kIsBool<T>)
            return a != b;
        else if constexpr (std::is_floating_point_v<T>)
            return a - b;
        else
            return static_cast<T>(detail::wrap(a) - detail::wrap(b));
    }
};
struct Mul { // integers wrap; bool: and
    static constexpr const char* name = "mul";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a, T b) const {
        if constexpr (detail::kIsBool<T>)
            return a & b;
        else if constexpr (std::is_floating_point_v<T>)
            return a * b;
        else
            return static_cast<T>(detail::wrap(a) * detail::wrap(b));
    }
};
struct Div { // true division: x / 0 is an infinity or NaN
    static constexpr const char* name = "div";
    static constexpr ResultKind result = ResultKind::Float;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a, T b) const {
        static_assert(std::is_floating_point_v<T>);
        return a / b;
    }
};
struct Maximum { // NaN wins
    static constexpr const char* name = "maximum";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a, T b) const {
        if constexpr (detail::kIsBool<T>)
            return a | b;
        else if constexpr (std::is_floating_point_v<T>)
            return ((a != a) | (a > b)) ? a : b; // | : both are always computed, which vectorises
        else
            return a > b ? a : b;
    }
};
struct Minimum { // NaN wins
    static constexpr const char* name = "minimum";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a, T b) const {
        if constexpr (detail::kIsBool<T>)
            return a & b;
        else if constexpr (std::is_floating_point_v<T>)
            return ((a != a) | (a < b)) ? a : b;
        else
            return a < b ? a : b;
    }
};
struct Eq {
    static constexpr const char* name = "eq";
    static constexpr ResultKind result = ResultKind::Comparison;
    template <class T>
    STRIDESCOPE_HD constexpr bool operator()(T a, T b) const {
        return a == b;
    }
};
struct Ne {
    static constexpr const char* name = "ne";
    static constexpr ResultKind result = ResultKind::Comparison;
    template <class T>
    STRIDESCOPE_HD constexpr bool operator()(T a, T b) const {
        return a != b;
    }
};
struct Lt {
    static constexpr const char* name = "lt";
    static constexpr ResultKind result = ResultKind::Comparison;
    template <class T>
    STRIDESCOPE_HD constexpr bool operator()(T a, T b) const {
        return a < b;
    }
};
struct Le {
    static constexpr const char* name = "le";
    static constexpr ResultKind result = ResultKind::Comparison;
    template <class T>
    STRIDESCOPE_HD constexpr bool operator()(T a, T b) const {
        return a <= b;
    }
};
struct Gt {
    static constexpr const char* name = "gt";
    static constexpr ResultKind result = ResultKind::Comparison;
    template <class T>
    STRIDESCOPE_HD constexpr bool operator()(T a, T b) const {
        return a > b;
    }
};
struct Ge {
    static constexpr const char* name = "ge";
    static constexpr ResultKind result = ResultKind::Comparison;
    template <class T>
    STRIDESCOPE_HD constexpr bool operator()(T a, T b) const {
        return a >= b;
    }
};

struct Neg { // integers wrap; pointwise.cpp refuses bool, as PyTorch does
    static constexpr const char* name = "neg";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a) const {
        if constexpr (detail::kIsBool<T>)
            return a;
        else if constexpr (std::is_floating_point_v<T>)
            return -a;
        else
            return static_cast<T>(detail::WrapType<T>{0} - detail::wrap(a));
    }
};
struct Abs { // the least integer has no positive twin and stays; pointwise.cpp refuses bool
    static constexpr const char* name = "abs";
    static constexpr ResultKind result = ResultKind::Same;
    template <class T>
    STRIDESCOPE_HD constexpr T operator()(T a) const {
        if constexpr (detail::kIsBool<T> || std::is_unsigned_v<T>)
            return a;
        else if constexpr (std::is_same_v<T, float>)
            return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & 0x7fffffffu);
        else if constexpr (std::is_same_v<T, double>)
            return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0x7fffffffffffffffu);
        else
            return a < 0 ? static_cast<T>(detail::WrapType<T>{0} - detail::wrap(a)) : a;
    }
};

/// A list of functors; positions are the numbers of the operations in every table.
template <class... Ops>
struct OpList {
    static constexpr std::size_t size = sizeof...(Ops);
    static constexpr const char* names[size] = {Ops::name...};
    static constexpr ResultKind results[size] = {Ops::result...};

    template <class Op>
    static consteval std::size_t indexOf() {
        constexpr bool same[size] = {std::is_same_v<Op, Ops>...};
        for (std::size_t i = 0; i < size; ++i)
            if (same[i]) return i;
        return size;
    }
};

using BinaryOps = OpList<Add, Sub, Mul, Div, Maximum, Minimum, Eq, Ne, Lt, Le, Gt, Ge>;
using UnaryOps = OpList<Neg, Abs>;

/// Number of an operation in its list. Made by `binaryOp<Add>`; no list of enumerators to keep in step.
enum class BinaryOp : std::uint8_t {};
enum class UnaryOp : std::uint8_t {};

template <class Op>
requires(BinaryOps::indexOf<Op>() <
         BinaryOps::size) inline constexpr BinaryOp binaryOp = static_cast<BinaryOp>(BinaryOps::indexOf<Op>());
template <class Op>
requires(UnaryOps::indexOf<Op>() <
         UnaryOps::size) inline constexpr UnaryOp unaryOp = static_cast<UnaryOp>(UnaryOps::indexOf<Op>());

constexpr const char* name(BinaryOp op) {
    return BinaryOps::names[static_cast<std::size_t>(op)];
}
constexpr const char* name(UnaryOp op) {
    return UnaryOps::names[static_cast<std::size_t>(op)];
}
constexpr ResultKind resultKind(BinaryOp op) {
    return BinaryOps::results[static_cast<std::size_t>(op)];
}

} // namespace stridescope
