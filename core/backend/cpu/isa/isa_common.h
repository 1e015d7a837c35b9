#pragma once
// Shared by the sources that are compiled once per instruction set. Include from core/backend/cpu/isa only.
//
// Note [One definition per set] The linker keeps one copy of an inline function that several objects define, and that
// could be the AVX-512 one. So everything here has internal linkage, and what comes from shared headers (functors,
// convertValue, Half) is always inlined. No std:: algorithms. tst_isa_objects looks for weak symbols in the objects.

#include "core/backend/cpu/ahead.h"
#include "core/backend/cpu/isa_table.h"
#include "core/dtype/convert.h"
#include "core/dtype/dtype.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Elements of one loop do not depend on each other: an output is the very same view as an input, or apart from it.
#if defined(__clang__)
#define STRIDESCOPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
#define STRIDESCOPE_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define STRIDESCOPE_INLINE [[gnu::always_inline]] inline

namespace stridescope::cpu::STRIDESCOPE_ISA {

void fillArithmetic(IsaTable& table);
void fillComparisons(IsaTable& table);
void fillUnary(IsaTable& table);
void fillMathUnary(IsaTable& table);
void fillMathBinary(IsaTable& table);
void fillMathFast(IsaTable& table);
void fillMathWide(IsaTable& table);
void fillMathDivide(IsaTable& table);
void fillMathDouble(IsaTable& table);
void fillMathSpecial(IsaTable& table);
void fillComplex(IsaTable& table);
void fillExpSums(IsaTable& table);
void fillConversions(IsaTable& table);
void fillMovement(IsaTable& table);
void fillRandom(IsaTable& table);
void fillReductions(IsaTable& table);
void fillScans(IsaTable& table);
void fillMasks(IsaTable& table);

namespace {

/// Bytes as they lie in memory against the value that a functor sees: a bool is any byte that is not 0.
template <class T>
struct Element {
    using Stored = T;
    STRIDESCOPE_INLINE static T load(T v) { return v; }
    STRIDESCOPE_INLINE static T store(T v) { return v; }
};
template <>
struct Element<bool> {
    using Stored = std::uint8_t;
    STRIDESCOPE_INLINE static bool load(std::uint8_t v) { return v != 0; }
    STRIDESCOPE_INLINE static std::uint8_t store(bool v) { return v; }
};
template <class T>
using Stored = typename Element<T>::Stored;

/// Angles up to here are turned back by whole quarters in double: products of the quarters with the first part of pi /
/// 2 are exact.
constexpr float kMostTurned = 1048576.f;

template <class... Ts>
struct TypeList {};
using ComputeTypes = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double, bool>;
using FloatTypes = TypeList<float, double>;

template <Lanes L, class Op, class T>
void binaryLoop(void* out, const void* a, const void* b, Index n) {
    using R = std::conditional_t<Op::result == ResultKind::Comparison, bool, T>;
    auto* const o = static_cast<Stored<R>*>(out);
    auto* const pa = static_cast<const Stored<T>*>(a);
    auto* const pb = static_cast<const Stored<T>*>(b);
    if constexpr (L == Lanes::VectorVector) {
        STRIDESCOPE_INDEPENDENT
        for (Index i = 0; i < n; ++i) o[i] = Element<R>::store(Op{}(Element<T>::load(pa[i]), Element<T>::load(pb[i])));
    } else if constexpr (L == Lanes::VectorScalar) {
        const T y = Element<T>::load(*pb);
        STRIDESCOPE_INDEPENDENT
        for (Index i = 0; i < n; ++i) o[i] = Element<R>::store(Op{}(Element<T>::load(pa[i]), y));
    } else {
        const T x = Element<T>::load(*pa);
        STRIDESCOPE_INDEPENDENT
        for (Index i = 0; i < n; ++i) o[i] = Element<R>::store(Op{}(x, Element<T>::load(pb[i])));
    }
}

template <class Op, class T>
void bindBinary(IsaTable& table) {
    auto& entry = table.binary[BinaryOps::indexOf<Op>()][indexOf(DTypeOf<T>::value)];
    entry[0] = binaryLoop<Lanes::VectorVector, Op, T>;
    entry[1] = binaryLoop<Lanes::VectorScalar, Op, T>;
    entry[2] = binaryLoop<Lanes::ScalarVector, Op, T>;
}
template <class Op, class... Ts>
void bindBinary(IsaTable& table, TypeList<Ts...>) {
    (bindBinary<Op, Ts>(table), ...);
}

} // namespace

} // namespace stridescope::cpu::STRIDESCOPE_ISA
