#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class... Ops>
void bindList(IsaTable& table, OpList<Ops...>) {
    const auto bind = [&table]<class Op>(Op) {
        if constexpr (Op::result == ResultKind::Same)
            bindBinary<Op>(table, ComputeTypes{});
        else if constexpr (Op::result == ResultKind::Float)
            bindBinary<Op>(table, FloatTypes{});
    };
    (bind(Ops{}), ...);
}

} // namespace

void fillArithmetic(IsaTable& table) {
    bindList(table, BinaryOps{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
