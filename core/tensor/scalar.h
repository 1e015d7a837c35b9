#pragma once
// Scalar: one number without a tensor around it: a bool, a 64-bit integer, a double or a complex pair of doubles.

#include "core/dtype/convert.h"
#include "core/dtype/dtype.h"
#include "core/index.h"

#include <type_traits>

namespace stridescope {

/// Keeps what kind of number it was, because type promotion asks: 2 + int8 is int8, 2.0 + int8 is float32.
class Scalar {
public:
    enum class Kind : std::uint8_t { Bool, Int, Float, Complex };

    Scalar() : Scalar(Index{0}) {}
    Scalar(bool value) : m_bool(value), m_kind(Kind::Bool) {}
    Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
    template <class T>
    requires std::is_floating_point_v<T> Scalar(T value) : m_float(static_cast<double>(value)), m_kind(Kind::Float) {}
    template <class T>
    Scalar(Complex<T> value)
        : m_float(static_cast<double>(value.re)), m_imag(static_cast<double>(value.im)), m_kind(Kind::Complex) {}
    /// Every integer type whose values fit 64 signed bits.
    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && (std::is_signed_v<T> || sizeof(T) < 8))
        Scalar(T value)
        : m_int(static_cast<Index>(value)), m_kind(Kind::Int) {}

    Kind kind() const { return m_kind; }
    bool isBool() const { return m_kind == Kind::Bool; }
    bool isInt() const { return m_kind == Kind::Int; }
    bool isFloat() const { return m_kind == Kind::Float; }
    bool isComplex() const { return m_kind == Kind::Complex; }

    /// The value as storage type T, converted as copy_ converts (convertValue); a real type gets the real part.
    template <class T>
    T to() const {
        if constexpr (kIsComplex<T>) {
            using Part = typename T::Part;
            return {to<Part>(), static_cast<Part>(imag())};
        } else {
            return toReal<T>();
        }
    }
    /// 0 for all but complex numbers.
    double imag() const { return m_imag; }
    double toDouble() const { return to<double>(); }
    Index toInt() const { return to<Index>(); }
    bool toBool() const { return to<bool>() || m_imag != 0; }

    /// Same kind and same value; NaN differs from itself.
    friend bool operator==(const Scalar& a, const Scalar& b) {
        if (a.m_kind != b.m_kind) return false;
        switch (a.m_kind) {
        case Kind::Bool:
            return a.m_bool == b.m_bool;
        case Kind::Int:
            return a.m_int == b.m_int;
        case Kind::Float:
        case Kind::Complex:
            break;
        }
        return a.m_float == b.m_float && a.m_imag == b.m_imag;
    }

private:
    template <class T>
    T toReal() const {
        switch (m_kind) {
        case Kind::Bool:
            return convertValue<T>(m_bool);
        case Kind::Int:
            return convertValue<T>(m_int);
        case Kind::Float:
        case Kind::Complex:
            break;
        }
        return convertValue<T>(m_float);
    }

    union {
        bool m_bool;
        Index m_int;
        double m_float;
    };
    double m_imag = 0;
    Kind m_kind;
};

} // namespace stridescope
