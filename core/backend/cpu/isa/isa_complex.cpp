// Arithmetic and functions of complex numbers. An element that is out of range of the quick way, because it is 0, not
// finite or so large or small that squares of its parts would not be normal numbers, goes another one, whatever stands
// beside it.

#include "core/backend/cpu/complex_loops.h"
#include "core/backend/cpu/isa/isa_math_double.h"
#include "core/backend/cpu/isa/isa_pieces.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class T>
using C = Complex<T>;

template <class T>
STRIDESCOPE_INLINE T longer(C<T> z) {
    const T re = sizeOf(z.re), im = sizeOf(z.im);
    return im > re ? im : re; // with NaN as imaginary part: re, which isNear looks at, too
}
/// Is the square of its length, which no smaller square than T can hold changes, far from the ends of T?
template <class T>
STRIDESCOPE_INLINE bool isNear(C<T> z) {
    constexpr T kMost = std::is_same_v<T, float> ? T(0x1p100) : T(0x1p200);
    const T length = z.re * z.re + z.im * z.im;
    return (length > T(1) / kMost) & (length < kMost);
}

/// -x, by its sign bit. A difference beside a sum would be made one instruction that fuses products into both, which
/// GCC 12 does with -ffp-contract=off, too; then instruction sets would differ.
template <class T>
STRIDESCOPE_INLINE T turned(T x) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<T>(std::bit_cast<Bits>(x) ^ (Bits{1} << (8 * sizeof(T) - 1)));
}

template <class T>
STRIDESCOPE_INLINE C<T> product(C<T> p, C<T> q) {
    return {p.re * q.re + turned(p.im) * q.im, p.re * q.im + p.im * q.re};
}

/// By parts scaled by the larger one of the divisor.
template <class T>
STRIDESCOPE_INLINE C<T> scaledQuotient(C<T> p, C<T> q) {
    const T scale = longer(q), re = q.re / scale, im = q.im / scale, length = (re * re + im * im) * scale;
    return {(p.re * re + p.im * im) / length, (p.im * re + turned(p.re) * im) / length};
}

// Functors of isa_pieces.h.

/// Plus 1 * q, with 1 as a complex number: infinities become NaN as PyTorch's do.
struct ComplexAdd {
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> p, C<T> q) {
        return {p.re + (q.re - T(0) * q.im), p.im + (q.im + T(0) * q.re)};
    }
};
struct ComplexSub {
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> p, C<T> q) {
        return {p.re - (q.re - T(0) * q.im), p.im - (q.im + T(0) * q.re)};
    }
};
struct ComplexMul {
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> p, C<T> q) {
        return product(p, q);
    }
};
struct ComplexDiv {
    STRIDESCOPE_INLINE static bool isQuick(C<float>, C<float> q) { return IsFinite{}(q.re) & IsFinite{}(q.im); }
    STRIDESCOPE_INLINE static bool isQuick(C<double> p, C<double> q) {
        return isNear(q) & (p.re * p.re + p.im * p.im < 0x1p1000);
    }
    /// Of float in double, whose range no square of a float leaves. The quotient may be a product: it is rounded once
    /// more.
    STRIDESCOPE_INLINE static C<float> quick(C<float> p, C<float> q) {
        const double re = q.re, im = q.im, x = p.re, y = p.im, inverse = 1.0 / (re * re + im * im);
        return {static_cast<float>((x * re + y * im) * inverse),
                static_cast<float>((y * re + turned(x) * im) * inverse)};
    }
    STRIDESCOPE_INLINE static C<double> quick(C<double> p, C<double> q) {
        const double length = q.re * q.re + q.im * q.im;
        return {(p.re * q.re + p.im * q.im) / length, (p.im * q.re + turned(p.re) * q.im) / length};
    }
    template <class T>
    static C<T> slow(C<T> p, C<T> q) {
        return scaledQuotient(p, q);
    }
};
struct ComplexEq {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> p, C<T> q) {
        return (p.re == q.re) & (p.im == q.im);
    }
};
struct ComplexNe {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> p, C<T> q) {
        return (p.re != q.re) | (p.im != q.im);
    }
};
template <class T>
STRIDESCOPE_INLINE bool isTrue(C<T> z) {
    return (z.re != T(0)) | (z.im != T(0));
}
struct ComplexAnd {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> p, C<T> q) {
        return isTrue(p) & isTrue(q);
    }
};
struct ComplexOr {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> p, C<T> q) {
        return isTrue(p) | isTrue(q);
    }
};
struct ComplexXor {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> p, C<T> q) {
        return isTrue(p) != isTrue(q);
    }
};

struct ComplexNeg {
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        return {-z.re, -z.im};
    }
};
struct ComplexSquare {
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        return product(z, z);
    }
};
struct ComplexCube {
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        return product(product(z, z), z);
    }
};
struct ComplexAbs {
    template <class T>
    STRIDESCOPE_INLINE static bool isQuick(C<T> z) {
        return isNear(z);
    }
    STRIDESCOPE_INLINE static float quick(C<float> z) {
        const double re = z.re, im = z.im;
        return static_cast<float>(__builtin_sqrt(re * re + im * im));
    }
    STRIDESCOPE_INLINE static double quick(C<double> z) { return lengthOf(z.re, z.im); }
    template <class T>
    static T slow(C<T> z) {
        return hypotOf(z.re, z.im);
    }
};
struct ComplexSgn {
    template <class T>
    STRIDESCOPE_INLINE static bool isQuick(C<T> z) {
        return isNear(z);
    }
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        const T length = rootOf(z.re * z.re + z.im * z.im);
        return {z.re / length, z.im / length};
    }
    template <class T>
    static C<T> slow(C<T> z) {
        const T length = hypotOf(z.re, z.im);
        if (length == 0) return {0, 0};
        return {z.re / length, z.im / length};
    }
};
struct ComplexReciprocal {
    template <class T>
    STRIDESCOPE_INLINE static bool isQuick(C<T> z) {
        return isNear(z);
    }
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        const T length = z.re * z.re + z.im * z.im;
        return conjugate(z.re, z.im, length);
    }
    /// Divided by the length: (1 + 0i) conj(z) multiplied out, whose zeros have the signs that PyTorch prints.
    template <class T>
    STRIDESCOPE_INLINE static C<T> conjugate(T re, T im, T length) {
        return {(re + T(0) * im) / length, (T(0) * re - im) / length};
    }
    /// Of 0: NaN, as PyTorch gives.
    template <class T>
    static C<T> slow(C<T> z) {
        if (!isTrue(z)) return {static_cast<T>(__builtin_nan("")), static_cast<T>(__builtin_nan(""))};
        const T scale = z.im != z.im ? z.re : longer(z), re = z.re / scale, im = z.im / scale,
                length = (re * re + im * im) * scale;
        return conjugate(re, im, length);
    }
};

/// Where e^z is e^re times the turned 1, and neither factor is out of range.
template <class T>
STRIDESCOPE_INLINE bool isNearForExp(C<T> z) {
    return (sizeOf(z.re) < (std::is_same_v<T, float> ? T(80) : T(700))) & (sizeOf(z.im) < T(kMostTurned));
}
struct ComplexExp {
    template <class T>
    STRIDESCOPE_INLINE static bool isQuick(C<T> z) {
        return isNearForExp(z);
    }
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        const T size = expOf(z.re);
        return {size * sineOf(z.im, 1), size * sineOf(z.im, 0)};
    }
    template <class T>
    static C<T> slow(C<T> z) {
        return libraryExp(z);
    }
};
struct ComplexSigmoid { // 1 / (1 + e^-z)
    template <class T>
    STRIDESCOPE_INLINE static bool isQuick(C<T> z) {
        return (sizeOf(z.re) < T(30)) & (sizeOf(z.im) < T(kMostTurned));
    }
    template <class T>
    STRIDESCOPE_INLINE static C<T> quick(C<T> z) {
        const C<T> power = ComplexExp::quick(C<T>{-z.re, -z.im});
        return ComplexReciprocal::quick(C<T>{T(1) + power.re, power.im});
    }
    template <class T>
    static C<T> slow(C<T> z) {
        const C<T> power = ComplexExp::slow(C<T>{-z.re, -z.im});
        return ComplexReciprocal::slow(C<T>{T(1) + power.re, power.im});
    }
};
struct ComplexAngle {
    template <class T>
    STRIDESCOPE_INLINE static bool isQuick(C<T> z) {
        return isNearForAngle(static_cast<double>(z.im), static_cast<double>(z.re));
    }
    template <class T>
    static T slow(C<T> z) {
        return static_cast<T>(__builtin_atan2(static_cast<double>(z.im), static_cast<double>(z.re)));
    }
    template <class T>
    STRIDESCOPE_INLINE static T quick(C<T> z) {
        return static_cast<T>(angleOf(static_cast<double>(z.im), static_cast<double>(z.re)));
    }
};
struct ComplexIsNan {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> z) {
        return (z.re != z.re) | (z.im != z.im);
    }
};
struct ComplexIsInf {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> z) {
        return IsInf{}(z.re) | IsInf{}(z.im);
    }
};
struct ComplexIsFinite {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> z) {
        return IsFinite{}(z.re) & IsFinite{}(z.im);
    }
};
struct ComplexNot {
    template <class T>
    STRIDESCOPE_INLINE static bool quick(C<T> z) {
        return !isTrue(z);
    }
};

template <class F, class T>
void unaryLoop(void* out, const void* const* in, unsigned, Index n) {
    using Result = decltype(F::quick(C<T>{}));
    runPieces<F>(static_cast<Result*>(out), static_cast<const C<T>*>(in[0]), n);
}

template <class F, class T>
void binaryLoop(void* out, const void* const* in, unsigned scalars, Index n) {
    using Result = decltype(F::quick(C<T>{}, C<T>{}));
    runPieces<F>(static_cast<Result*>(out), static_cast<const C<T>*>(in[0]), static_cast<const C<T>*>(in[1]), scalars,
                 n);
}

/// In double, by factors in a fixed order whatever the width of a vector.
template <class T>
void productOf(C<double>& total, const void* in, Index n) {
    constexpr Index kLanes = 16;
    const auto* const p = static_cast<const C<T>*>(in);
    double re[kLanes], im[kLanes];
    for (Index l = 0; l < kLanes; ++l) {
        re[l] = 1;
        im[l] = 0;
    }
    const auto step = [&](Index l, double x, double y) __attribute__((always_inline)) {
        const double r = re[l];
        re[l] = r * x + turned(im[l]) * y;
        im[l] = r * y + im[l] * x;
    };
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        STRIDESCOPE_INDEPENDENT
        for (Index l = 0; l < kLanes; ++l) step(l, p[i + l].re, p[i + l].im);
    }
    for (Index l = 0; i < n; ++i, ++l) step(l, p[i].re, p[i].im);
    for (Index width = kLanes / 2; width > 0; width /= 2)
        for (Index l = 0; l < width; ++l) step(l, re[l + width], im[l + width]);
    total = product(total, C<double>{re[0], im[0]});
}

template <class F>
void setUnary(ComplexLoop (&entry)[2]) {
    entry[0] = unaryLoop<F, float>;
    entry[1] = unaryLoop<F, double>;
}
template <class F>
void setBinary(ComplexLoop (&entry)[2]) {
    entry[0] = binaryLoop<F, float>;
    entry[1] = binaryLoop<F, double>;
}

ComplexLoops makeLoops() {
    ComplexLoops loops{};
    setBinary<ComplexAdd>(loops.binary[BinaryOps::indexOf<Add>()]);
    setBinary<ComplexSub>(loops.binary[BinaryOps::indexOf<Sub>()]);
    setBinary<ComplexMul>(loops.binary[BinaryOps::indexOf<Mul>()]);
    setBinary<ComplexDiv>(loops.binary[BinaryOps::indexOf<Div>()]);
    setBinary<ComplexEq>(loops.binary[BinaryOps::indexOf<Eq>()]);
    setBinary<ComplexNe>(loops.binary[BinaryOps::indexOf<Ne>()]);
    setUnary<ComplexNeg>(loops.unary[UnaryOps::indexOf<Neg>()]);
    setUnary<ComplexAbs>(loops.unary[UnaryOps::indexOf<Abs>()]);
    setUnary<ComplexSquare>(loops.math[MathOps::indexOf<Square>()]);
    setUnary<ComplexCube>(loops.math[MathOps::indexOf<Cube>()]);
    setUnary<ComplexReciprocal>(loops.math[MathOps::indexOf<Reciprocal>()]);
    setUnary<ComplexExp>(loops.math[MathOps::indexOf<Exp>()]);
    setUnary<ComplexSigmoid>(loops.math[MathOps::indexOf<Sigmoid>()]);
    setUnary<ComplexIsNan>(loops.math[MathOps::indexOf<IsNan>()]);
    setUnary<ComplexIsInf>(loops.math[MathOps::indexOf<IsInf>()]);
    setUnary<ComplexIsFinite>(loops.math[MathOps::indexOf<IsFinite>()]);
    setUnary<ComplexNot>(loops.math[MathOps::indexOf<LogicalNot>()]);
    setBinary<ComplexAnd>(loops.math[MathOps::indexOf<LogicalAnd>()]);
    setBinary<ComplexOr>(loops.math[MathOps::indexOf<LogicalOr>()]);
    setBinary<ComplexXor>(loops.math[MathOps::indexOf<LogicalXor>()]);
    setUnary<ComplexSgn>(loops.sgn);
    setUnary<ComplexAngle>(loops.angle);
    loops.product[0] = productOf<float>;
    loops.product[1] = productOf<double>;
    return loops;
}

} // namespace

void fillComplex(IsaTable& table) {
    static const ComplexLoops loops = makeLoops();
    table.complex = &loops;
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
