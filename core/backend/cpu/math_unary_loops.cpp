// Loops of the operations that call the C library for each element.

#include "core/backend/cpu/math_loops.h"

namespace stridescope::cpu {

void fillSlowBinary(MathLoops& loops);

const MathLoops& mathLoops() {
    static const MathLoops instance = [] {
        MathLoops loops{};
        bindMath(loops.loop, FloatUnaryOps{});
        bindMath(loops.loop, SpecialUnaryOps{});
        bindMath(loops.loop, BesselOps{});
        bindMath(loops.loop, DistributionOps{});
        fillSlowBinary(loops);
        return loops;
    }();
    return instance;
}

} // namespace stridescope::cpu
