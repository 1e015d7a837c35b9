#pragma once
// What kernels that draw random numbers are asked for.

#include "core/backend/loop/loop_space.h"
#include "core/dtype/dtype.h"

namespace stridescope {

enum class RandomOp : std::uint8_t {
    Uniform, ///< in [a, b)
    Normal,  ///< of mean a and standard deviation b
};

/// Fills operand 0 of `space`, in the order of its loops, from the stream of `seed` at `offset` (a multiple of 4).
struct RandomArgs {
    LoopSpace space;
    DType dtype = DType::Float32; ///< a floating one
    RandomOp op = RandomOp::Uniform;
    double a = 0, b = 1;
    std::uint64_t seed = 0, offset = 0;
};

} // namespace stridescope
