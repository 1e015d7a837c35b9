#pragma once
// Loops over the functors of mathematical operations. Everything has internal linkage: the sources that are compiled
// once per instruction set include it too (see isa/isa_common.h).

#include "core/backend/cpu/isa_table.h"

#include <type_traits>

namespace stridescope::cpu {

namespace {

template <class T>
using MathStored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
[[gnu::always_inline]] inline T mathLoad(MathStored<T> v) {
    if constexpr (std::is_same_v<T, bool>)
        return v != 0;
    else
        return v;
}

/// Calls the functor, with its parameters when it asks for them.
template <class Op, class T, class... Ts>
[[gnu::always_inline]] inline auto mathCall(const void* parameters, Ts... values) {
    if constexpr (requires { Op{}(values..., static_cast<const T*>(parameters)); })
        return Op{}(values..., static_cast<const T*>(parameters));
    else if constexpr (requires { Op{}(values..., static_cast<const double*>(parameters)); })
        return Op{}(values..., static_cast<const double*>(parameters));
    else
        return Op{}(values...);
}

#if defined(__clang__)
#define STRIDESCOPE_MATH_LOOP _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define STRIDESCOPE_MATH_LOOP _Pragma("GCC ivdep")
#endif

/// `STEP` of an input is 0 where it is one value for all, else 1. As constants, so that loops can be vectorised.
template <class Op, class T, int Step0, int Step1, int Step2>
void mathLoopSteps(void* out, const void* const* in, Index n, const void* parameters) {
    using R = std::conditional_t<Op::result == ResultKind::Comparison, bool, T>;
    auto* const o = static_cast<MathStored<R>*>(out);
    auto* const a = static_cast<const MathStored<T>*>(in[0]);
    if constexpr (Op::arity == 1) {
        STRIDESCOPE_MATH_LOOP
        for (Index i = 0; i < n; ++i) o[i] = static_cast<MathStored<R>>(mathCall<Op, T>(parameters, mathLoad<T>(a[i])));
    } else if constexpr (Op::arity == 2) {
        auto* const b = static_cast<const MathStored<T>*>(in[1]);
        const T a0 = mathLoad<T>(a[0]), b0 = mathLoad<T>(b[0]); // in a register while the output is written
        STRIDESCOPE_MATH_LOOP
        for (Index i = 0; i < n; ++i)
            o[i] = static_cast<MathStored<R>>(
                mathCall<Op, T>(parameters, Step0 ? mathLoad<T>(a[i]) : a0, Step1 ? mathLoad<T>(b[i]) : b0));
    } else {
        auto* const b = static_cast<const MathStored<T>*>(in[1]);
        auto* const c = static_cast<const MathStored<T>*>(in[2]);
        const T a0 = mathLoad<T>(a[0]), b0 = mathLoad<T>(b[0]), c0 = mathLoad<T>(c[0]);
        STRIDESCOPE_MATH_LOOP
        for (Index i = 0; i < n; ++i)
            o[i] = static_cast<MathStored<R>>(mathCall<Op, T>(parameters, Step0 ? mathLoad<T>(a[i]) : a0,
                                                              Step1 ? mathLoad<T>(b[i]) : b0,
                                                              Step2 ? mathLoad<T>(c[i]) : c0));
    }
}

template <class Op, class T>
void mathLoop(void* out, const void* const* in, unsigned scalars, Index n, const void* parameters) {
    if constexpr (Op::arity == 1) {
        mathLoopSteps<Op, T, 1, 1, 1>(out, in, n, parameters);
    } else {
        const auto run = [&](auto loop) { loop(out, in, n, parameters); };
        switch (scalars) {
        case 0:
            return run(mathLoopSteps<Op, T, 1, 1, 1>);
        case 1:
            return run(mathLoopSteps<Op, T, 0, 1, 1>);
        case 2:
            return run(mathLoopSteps<Op, T, 1, 0, 1>);
        default:
            break;
        }
        if constexpr (Op::arity == 3) {
            switch (scalars) {
            case 3:
                return run(mathLoopSteps<Op, T, 0, 0, 1>);
            case 4:
                return run(mathLoopSteps<Op, T, 1, 1, 0>);
            case 5:
                return run(mathLoopSteps<Op, T, 0, 1, 0>);
            default:
                return run(mathLoopSteps<Op, T, 1, 0, 0>);
            }
        }
    }
}

template <class Op, class T>
void bindMathType(MathLoop (*table)[kDTypes]) {
    if constexpr (accepts(Op::types, DTypeOf<T>::value))
        table[MathOps::indexOf<Op>()][indexOf(DTypeOf<T>::value)] = mathLoop<Op, T>;
}

/// Every operation of the list for every type that it computes in; Half is computed as float.
template <class... Ops>
void bindMath(MathLoop (*table)[kDTypes], OpList<Ops...>) {
    const auto bind = [table]<class Op>(Op) {
        bindMathType<Op, std::uint8_t>(table);
        bindMathType<Op, std::int8_t>(table);
        bindMathType<Op, std::int16_t>(table);
        bindMathType<Op, std::int32_t>(table);
        bindMathType<Op, std::int64_t>(table);
        bindMathType<Op, float>(table);
        bindMathType<Op, double>(table);
        bindMathType<Op, bool>(table);
    };
    (bind(Ops{}), ...);
}

} // namespace

} // namespace stridescope::cpu
