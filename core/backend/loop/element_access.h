#pragma once
// One element of any dtype, as every device reads and writes it: load with conversion, store with conversion.
// Slow on a CPU (a switch for each operand) but free next to a device's memory; tests run it on the CPU.

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

} // namespace stridescope
