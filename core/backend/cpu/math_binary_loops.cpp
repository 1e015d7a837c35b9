// Loops of the operations of two inputs that call the C library or divide.

#include "core/backend/cpu/math_loops.h"

namespace stridescope::cpu {

void fillSlowBinary(MathLoops& loops);
void fillSlowBinary(MathLoops& loops) {
    bindMath(loops.loop, SlowBinaryOps{});
    bindMath(loops.loop, FloatBinaryOps{});
    bindMath(loops.loop, PolynomialOps{});
}

} // namespace stridescope::cpu
