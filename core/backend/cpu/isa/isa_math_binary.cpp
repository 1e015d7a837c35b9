#include "core/backend/cpu/isa/isa_common.h"
#include "core/backend/cpu/math_loops.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

void fillMathBinary(IsaTable& table) {
    bindMath(table.math, CheapBinaryOps{});
    bindMath(table.math, TernaryOps{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
