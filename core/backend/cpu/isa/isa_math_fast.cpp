// exp, expm1, log, sin, cos, tanh and sigmoid as loops without branches or calls, which compilers vectorise. The
// arithmetic is in isa_math_functions.h.

#include "core/backend/cpu/isa/isa_math_functions.h"

#include <cmath>

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

struct FastExp {
    template <class T>
    STRIDESCOPE_INLINE T operator()(T x) const {
        return expOf(x);
    }
};
struct FastExpm1 {
    STRIDESCOPE_INLINE float operator()(float x) const { return expm1Of(x); }
};
struct FastSigmoid {
    template <class T>
    STRIDESCOPE_INLINE T operator()(T x) const {
        return sigmoidOf(x);
    }
};
struct FastTanh {
    template <class T>
    STRIDESCOPE_INLINE T operator()(T x) const {
        return tanhOf(x);
    }
};
struct FastLog {
    template <class T>
    STRIDESCOPE_INLINE T operator()(T x) const {
        return logOf(x);
    }
};

template <class Op, class T>
void fastLoop(void* out, const void* const* in, unsigned, Index n, const void*) {
    auto* const o = static_cast<T*>(out);
    auto* const a = static_cast<const T*>(in[0]);
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) o[i] = Op{}(a[i]);
}

/// The C library's, for one far from 0.
template <int Quarter, class T>
STRIDESCOPE_INLINE T farSineOf(T x) {
    if constexpr (std::is_same_v<T, float>)
        return Quarter == 1 ? __builtin_cosf(x) : __builtin_sinf(x);
    else
        return Quarter == 1 ? __builtin_cos(x) : __builtin_sin(x);
}

template <int Quarter, class T>
void sineLoop(void* out, const void* const* in, unsigned, Index n, const void*) {
    auto* const o = static_cast<T*>(out);
    auto* const a = static_cast<const T*>(in[0]);
    constexpr Index kPiece = 256;
    for (Index done = 0; done < n; done += kPiece) {
        const Index end = done + kPiece < n ? done + kPiece : n;
        int far = 0;
        for (Index i = done; i < end; ++i) far |= static_cast<int>(sizeOf(a[i]) > T(kMostTurned));
        if (far == 0) {
            STRIDESCOPE_INDEPENDENT
            for (Index i = done; i < end; ++i) o[i] = sineOf(a[i], Quarter);
        } else {
            for (Index i = done; i < end; ++i)
                o[i] = sizeOf(a[i]) <= T(kMostTurned) ? sineOf(a[i], Quarter) : farSineOf<Quarter>(a[i]);
        }
    }
}

template <class Op, class T>
void set(IsaTable& table, MathLoop loop) {
    table.math[MathOps::indexOf<Op>()][indexOf(DTypeOf<T>::value)] = loop;
}

} // namespace

void fillMathFast(IsaTable& table) {
    set<Exp, float>(table, fastLoop<FastExp, float>);
    set<Exp, double>(table, fastLoop<FastExp, double>);
    set<Expm1, float>(table, fastLoop<FastExpm1, float>);
    set<Sigmoid, float>(table, fastLoop<FastSigmoid, float>);
    set<Sigmoid, double>(table, fastLoop<FastSigmoid, double>);
    set<Tanh, float>(table, fastLoop<FastTanh, float>);
    set<Log, float>(table, fastLoop<FastLog, float>);
    set<Tanh, double>(table, fastLoop<FastTanh, double>);
    set<Log, double>(table, fastLoop<FastLog, double>);
    set<Sin, float>(table, sineLoop<0, float>);
    set<Sin, double>(table, sineLoop<0, double>);
    set<Cos, float>(table, sineLoop<1, float>);
    set<Cos, double>(table, sineLoop<1, double>);
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
