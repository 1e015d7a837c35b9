#pragma once
// One element of an element-wise operation, as every device computes it: load with conversion, compute, round, store.
// Slow on a CPU (a switch for each operand) but free next to a device's memory; tests run it on the CPU.

#include "core/backend/kernel_table.h"
#include "core/backend/loop/index_math.h"
#include "core/dtype/convert.h"
#include "core/dtype/dtype.h"

namespace stridescope {

/// The type in which arithmetic on `Compute` is done.
template <class Compute>
struct WorkOf {
    using type = Compute;
};
template <>
struct WorkOf<Half> {
    using type = float;
};
template <class Compute>
using Work = typename WorkOf<Compute>::type;

/// The element at `p`, rounded to Compute as copy_ would, then widened to the work type.
template <class Compute>
STRIDESCOPE_HD Work<Compute> loadAs(const std::byte* p, DType from) {
    return visitDType(from, [p](auto tag) -> Work<Compute> {
        using From = typename decltype(tag)::type;
        return static_cast<Work<Compute>>(convertValue<Compute>(*reinterpret_cast<const From*>(p)));
    });
}

/// Stores a result of type `Result` (bool of a comparison, else the compute type) as `to`.
template <class Result>
STRIDESCOPE_HD void storeAs(std::byte* p, DType to, Result value) {
    visitDType(to, [p, value](auto tag) {
        using To = typename decltype(tag)::type;
        *reinterpret_cast<To*>(p) = convertValue<To>(value);
    });
}

/// The stored type of Op's result on Compute.
template <class Op, class Compute>
using ResultOf = std::conditional_t<Op::result == ResultKind::Comparison, bool, Compute>;

/// Op on work values, rounded to the stored type: what one thread does between load and store.
template <class Op, class Compute>
STRIDESCOPE_HD ResultOf<Op, Compute> computeBinary(Work<Compute> a, Work<Compute> b) {
    return static_cast<ResultOf<Op, Compute>>(Op{}(a, b));
}
template <class Op, class Compute>
STRIDESCOPE_HD ResultOf<Op, Compute> computeUnary(Work<Compute> a) {
    return static_cast<ResultOf<Op, Compute>>(Op{}(a));
}

} // namespace stridescope
