#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class... Ops>
void bindList(IsaTable& table, OpList<Ops...>) {
    const auto bind = [&table]<class Op>(Op) {
        if constexpr (Op::result == ResultKind::Comparison) bindBinary<Op>(table, ComputeTypes{});
    };
    (bind(Ops{}), ...);
}

} // namespace

void fillComparisons(IsaTable& table) {
    bindList(table, BinaryOps{});
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
