// Inverse trigonometry, tan, hyperbolic functions, logarithms to base 2 and 10, log1p and expm1 of double, hypot of
// both: loops over isa_math_double.h. Arguments that its functions are not for go to the C library.

#include "core/backend/cpu/isa/isa_math_double.h"
#include "core/backend/cpu/isa/isa_pieces.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

// Functors of isa_pieces.h.

#define STRIDESCOPE_QUICK(Functor, function)                                                                           \
    struct Functor {                                                                                                   \
        STRIDESCOPE_INLINE static double quick(double x) { return function(x); }                                       \
    };
STRIDESCOPE_QUICK(QuickAsin, asinOf)
STRIDESCOPE_QUICK(QuickAcos, acosOf)
STRIDESCOPE_QUICK(QuickAtan, wideAtanOf)
STRIDESCOPE_QUICK(QuickExpm1, wideExpm1Of)
STRIDESCOPE_QUICK(QuickSinh, wideSinhOf)
STRIDESCOPE_QUICK(QuickCosh, wideCoshOf)
STRIDESCOPE_QUICK(QuickLog2, wideLog2Of)
STRIDESCOPE_QUICK(QuickLog10, wideLog10Of)
STRIDESCOPE_QUICK(QuickLog1p, wideLog1pOf)
#undef STRIDESCOPE_QUICK

struct QuickTan {
    STRIDESCOPE_INLINE static bool isQuick(double x) { return sizeOf(x) <= static_cast<double>(kMostTurned); }
    STRIDESCOPE_INLINE static double quick(double x) { return wideTanOf(x); }
    STRIDESCOPE_INLINE static double slow(double x) { return __builtin_tan(x); }
};
struct QuickAtan2 {
    STRIDESCOPE_INLINE static bool isQuick(double y, double x) { return isNearForAngle(y, x); }
    STRIDESCOPE_INLINE static double quick(double y, double x) { return angleOf(y, x); }
    STRIDESCOPE_INLINE static double slow(double y, double x) { return __builtin_atan2(y, x); }
};
struct QuickHypot {
    STRIDESCOPE_INLINE static bool isQuick(double x, double y) {
        const double a = sizeOf(x), b = sizeOf(y), most = a > b ? a : b;
        return (most > 0x1p-100) & (most < 0x1p100) & (b == b);
    }
    STRIDESCOPE_INLINE static double quick(double x, double y) { return lengthOf(x, y); }
    STRIDESCOPE_INLINE static double slow(double x, double y) { return hypotOf(x, y); }
};
struct QuickHypotFloat {
    /// Squares of float neither overflow nor round in double. An infinity wins over NaN.
    STRIDESCOPE_INLINE static float quick(float x, float y) {
        const double a = x, b = y, length = __builtin_sqrt(a * a + b * b);
        return IsInf{}(x) | IsInf{}(y) ? __builtin_inff() : static_cast<float>(length);
    }
};

template <class F>
void unaryLoop(void* out, const void* const* in, unsigned, Index n, const void*) {
    runPieces<F>(static_cast<double*>(out), static_cast<const double*>(in[0]), n);
}
template <class F, class T>
void binaryLoop(void* out, const void* const* in, unsigned scalars, Index n, const void*) {
    runPieces<F>(static_cast<T*>(out), static_cast<const T*>(in[0]), static_cast<const T*>(in[1]), scalars, n);
}

template <class Op, class T>
void set(IsaTable& table, MathLoop loop) {
    table.math[MathOps::indexOf<Op>()][indexOf(DTypeOf<T>::value)] = loop;
}

} // namespace

void fillMathDouble(IsaTable& table) {
    set<Asin, double>(table, unaryLoop<QuickAsin>);
    set<Acos, double>(table, unaryLoop<QuickAcos>);
    set<Atan, double>(table, unaryLoop<QuickAtan>);
    set<Tan, double>(table, unaryLoop<QuickTan>);
    set<Sinh, double>(table, unaryLoop<QuickSinh>);
    set<Cosh, double>(table, unaryLoop<QuickCosh>);
    set<Expm1, double>(table, unaryLoop<QuickExpm1>);
    set<Log1p, double>(table, unaryLoop<QuickLog1p>);
    set<Log2, double>(table, unaryLoop<QuickLog2>);
    set<Log10, double>(table, unaryLoop<QuickLog10>);
    set<Atan2, double>(table, binaryLoop<QuickAtan2, double>);
    set<Hypot, double>(table, binaryLoop<QuickHypot, double>);
    set<Hypot, float>(table, binaryLoop<QuickHypotFloat, float>);
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
