#include "core/backend/cpu/isa/isa_common.h"
#include "core/backend/cpu/math_loops.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

void fillMathUnary(IsaTable& table) {
    bindMath(table.math, CheapFloatOps{});
    bindMath(table.math, CheapUnaryOps{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
