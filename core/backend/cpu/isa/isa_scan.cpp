// Running sums and products. A float is added up in double and rounded as each result is written.

#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class T>
using Running = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

template <bool Product, class A>
STRIDESCOPE_INLINE A stepped(A a, A x) {
    return Product ? a * x : a + x;
}
template <bool Product, class T>
void clear(void* accumulators, Index n) {
    auto* const a = static_cast<Running<T>*>(accumulators);
    for (Index i = 0; i < n; ++i) a[i] = Product ? 1 : 0;
}
template <bool Product, class T>
void scanRow(void* accumulator, void* out, const void* in, Index n) {
    using A = Running<T>;
    A a = *static_cast<A*>(accumulator);
    auto* const o = static_cast<T*>(out);
    auto* const p = static_cast<const T*>(in);
    for (Index i = 0; i < n; ++i) {
        a = stepped<Product>(a, static_cast<A>(p[i]));
        o[i] = static_cast<T>(a);
    }
    *static_cast<A*>(accumulator) = a;
}
template <bool Product, class T>
void scanColumns(void* accumulators, void* out, Index outRow, const void* in, Index inRow, Index rows, Index cols) {
    using A = Running<T>;
    auto* const a = static_cast<A*>(accumulators);
    for (Index r = 0; r < rows; ++r) {
        auto* const o = reinterpret_cast<T*>(static_cast<std::byte*>(out) + r * outRow);
        auto* const p = reinterpret_cast<const T*>(static_cast<const std::byte*>(in) + r * inRow);
        STRIDESCOPE_INDEPENDENT
        for (Index j = 0; j < cols; ++j) {
            const A x = stepped<Product>(a[j], static_cast<A>(p[j]));
            a[j] = x;
            o[j] = static_cast<T>(x);
        }
    }
}

template <bool Product, class... Ts>
void bind(ReduceTable& table, TypeList<Ts...>) {
    ((table.scan[Product][indexOf(DTypeOf<Ts>::value)] = {sizeof(Running<Ts>), clear<Product, Ts>, scanRow<Product, Ts>,
                                                          scanColumns<Product, Ts>}),
     ...);
}

using Types = TypeList<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;

} // namespace

void fillScans(IsaTable& isa) {
    bind<false>(isa.reduce, Types{});
    bind<true>(isa.reduce, Types{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
