#pragma once
// How operations of complex tensors call the loops of the CPU. Internal to core/ops.

#include "core/backend/cpu/complex_loops.h"
#include "core/tensor/tensor.h"

#include <initializer_list>

namespace stridescope::complexops {

/// `entry`'s loop for complex64 or complex128; may be null.
inline cpu::ComplexLoop loopOf(const cpu::ComplexLoop (&entry)[2], DType compute) {
    return entry[compute == DType::Complex128];
}

/// `loop` on the elements of one or two `inputs`, converted to `compute` and broadcast; a result of dtype `result`.
Tensor looped(cpu::ComplexLoop loop, std::initializer_list<const Tensor*> inputs, DType compute, DType result);

} // namespace stridescope::complexops
