// erf, erfc and erfinv, logit, and logarithms of sums of two powers of double. See isa_math_double.h; float is computed
// in double and rounded once, but for logit, which rounds where PyTorch does.

#include "core/backend/cpu/isa/isa_math_double.h"
#include "core/backend/cpu/isa/isa_pieces.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

/// One of Halley's steps: `x` nearer to where erf is `size`.
STRIDESCOPE_INLINE double betterErfInverse(double x, double size) {
    const ErfParts parts = erfPartsOf(x);
    // erf(x) - size without cancellation: beyond 0.5 by what is missing to 1.
    const double near = (parts.high - size) + parts.low, far = (1.0 - size) - erfcFarOut(x);
    const double newton = (x < 0.95 ? near : far) * expOf(x * x) * 0.88622692545275801;
    return x - newton / (1.0 + x * newton);
}

/// The inverse of erf as detail::erfInverse has it: an estimate from the logarithm of the tails (Winitzki), then
/// Halley's steps on erf or, near 1, on erfc.
STRIDESCOPE_INLINE double erfInverseOf(double y) {
    const double size = sizeOf(y), missing = 1.0 - size;
    constexpr double kA = 0.147, kFirst = 4.3307467508427556; // 2 / (pi a)
    const double tail = logOf(missing * (1.0 + size)), first = kFirst + 0.5 * tail;
    const double estimate = __builtin_sqrt(__builtin_sqrt(first * first - tail / kA) - first);
    double x = size < 1e-3 ? size * 0.88622692545275801 : estimate;
    x = betterErfInverse(betterErfInverse(betterErfInverse(x, size), size), size);
    const double result = withSignOf(x, y);
    const double inside = size < 1.0 ? result : withSignOf(__builtin_inf(), y);
    const double known = size > 1.0 ? __builtin_nan("") : inside;
    return y == y ? (y == 0.0 ? y : known) : y;
}

// Functors: `quick` of doubles.

struct QuickErf {
    STRIDESCOPE_INLINE static double quick(double x) { return erfOf(x); }
};
struct QuickErfc {
    STRIDESCOPE_INLINE static double quick(double x) { return erfcOf(x); }
};
struct QuickErfinv {
    STRIDESCOPE_INLINE static double quick(double x) { return erfInverseOf(x); }
};
/// log(base^a + base^b) for bases e and 2, from the larger one on.
template <int Base>
struct QuickLogOfSum {
    STRIDESCOPE_INLINE static double quick(double a, double b) {
        constexpr double kUnit = Base == 2 ? 0.69314718055994531 : 1.0, kScale = Base == 2 ? 1.4426950408889634 : 1.0;
        const double apart = sizeOf(a - b) * kUnit, larger = (a > b) | (a != a) ? a : b;
        const double result = larger + wideLog1pOf(expOf(-apart)) * kScale;
        return (a == b) & (sizeOf(a) == __builtin_inf()) ? a : result;
    }
};

template <class F, class T>
void unaryLoop(void* out, const void* const* in, unsigned, Index n, const void*) {
    auto* const o = static_cast<T*>(out);
    const auto* const a = static_cast<const T*>(in[0]);
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) o[i] = static_cast<T>(F::quick(static_cast<double>(a[i])));
}

template <class F>
void binaryLoop(void* out, const void* const* in, unsigned scalars, Index n, const void*) {
    runPieces<F>(static_cast<double*>(out), static_cast<const double*>(in[0]), static_cast<const double*>(in[1]),
                 scalars, n);
}

template <class T>
void logitLoop(void* out, const void* const* in, unsigned, Index n, const void* parameters) {
    auto* const o = static_cast<T*>(out);
    const auto* const a = static_cast<const T*>(in[0]);
    const T low = *static_cast<const T*>(parameters), high = T(1) - low;
    if (low < T(0)) {
        STRIDESCOPE_INDEPENDENT
        for (Index i = 0; i < n; ++i) o[i] = logOf(a[i] / (T(1) - a[i]));
        return;
    }
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        const T raised = a[i] < low ? low : a[i], x = raised > high ? high : raised;
        o[i] = logOf(x / (T(1) - x));
    }
}

template <class Op, class T>
void set(IsaTable& table, MathLoop loop) {
    table.math[MathOps::indexOf<Op>()][indexOf(DTypeOf<T>::value)] = loop;
}
template <class T>
void fillOf(IsaTable& table) {
    set<Erf, T>(table, unaryLoop<QuickErf, T>);
    set<Erfc, T>(table, unaryLoop<QuickErfc, T>);
    set<Erfinv, T>(table, unaryLoop<QuickErfinv, T>);
    set<Logit, T>(table, logitLoop<T>);
}

} // namespace

void fillMathSpecial(IsaTable& table) {
    fillOf<float>(table);
    fillOf<double>(table);
    set<Logaddexp, double>(table, binaryLoop<QuickLogOfSum<0>>);
    set<Logaddexp2, double>(table, binaryLoop<QuickLogOfSum<2>>);
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
