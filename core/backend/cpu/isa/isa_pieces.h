#pragma once
// Loops over functors whose quick way is not for all arguments. A functor has `quick` and, unless that is always right,
// `isQuick`, which says whether it is, and `slow` for the rest. Pieces of a run are quick as a whole or looked at one
// by one, so that an element's result does not depend on its neighbours.

#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class F, class... Ts>
STRIDESCOPE_INLINE bool isQuick(Ts... values) {
    if constexpr (requires { F::isQuick(values...); })
        return F::isQuick(values...);
    else
        return true;
}
template <class F, class... Ts>
STRIDESCOPE_INLINE auto valueOf(Ts... values) {
    if constexpr (requires { F::isQuick(values...); }) {
        if (!F::isQuick(values...)) return F::slow(values...);
    }
    return F::quick(values...);
}

constexpr Index kPiece = 256;

template <class F, class Result, class T>
STRIDESCOPE_INLINE void runPieces(Result* o, const T* a, Index n) {
    for (Index done = 0; done < n; done += kPiece) {
        const Index end = done + kPiece < n ? done + kPiece : n;
        int far = 0;
        for (Index i = done; i < end; ++i) far |= static_cast<int>(!isQuick<F>(a[i]));
        if (far == 0) {
            STRIDESCOPE_INDEPENDENT
            for (Index i = done; i < end; ++i) o[i] = F::quick(a[i]);
        } else {
            for (Index i = done; i < end; ++i) o[i] = valueOf<F>(a[i]);
        }
    }
}

/// `Step` of an input is 0 where it is one value for all, else 1.
template <class F, int Step0, int Step1, class Result, class T>
STRIDESCOPE_INLINE void runPieces(Result* o, const T* a, const T* b, Index n) {
    const T a0 = a[0], b0 = b[0]; // in registers while the output is written
    for (Index done = 0; done < n; done += kPiece) {
        const Index end = done + kPiece < n ? done + kPiece : n;
        int far = 0;
        for (Index i = done; i < end; ++i) far |= static_cast<int>(!isQuick<F>(Step0 ? a[i] : a0, Step1 ? b[i] : b0));
        if (far == 0) {
            STRIDESCOPE_INDEPENDENT
            for (Index i = done; i < end; ++i) o[i] = F::quick(Step0 ? a[i] : a0, Step1 ? b[i] : b0);
        } else {
            for (Index i = done; i < end; ++i) o[i] = valueOf<F>(Step0 ? a[i] : a0, Step1 ? b[i] : b0);
        }
    }
}
template <class F, class Result, class T>
STRIDESCOPE_INLINE void runPieces(Result* o, const T* a, const T* b, unsigned scalars, Index n) {
    if (scalars == 0) return runPieces<F, 1, 1>(o, a, b, n);
    if (scalars == 1) return runPieces<F, 0, 1>(o, a, b, n);
    runPieces<F, 1, 0>(o, a, b, n);
}

} // namespace

} // namespace stridescope::cpu::STRIDESCOPE_ISA
