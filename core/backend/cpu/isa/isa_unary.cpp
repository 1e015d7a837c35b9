#include "core/backend/cpu/isa/isa_common.h"

namespace stridescope::cpu::STRIDESCOPE_ISA {

namespace {

template <class Op, class T>
void unaryLoop(void* out, const void* a, Index n) {
    auto* const o = static_cast<Stored<T>*>(out);
    auto* const pa = static_cast<const Stored<T>*>(a);
    STRIDESCOPE_INDEPENDENT
    for (Index i = 0; i < n; ++i) o[i] = Element<T>::store(Op{}(Element<T>::load(pa[i])));
}

template <class Op, class... Ts>
void bindUnary(IsaTable& table, TypeList<Ts...>) {
    ((table.unary[UnaryOps::indexOf<Op>()][indexOf(DTypeOf<Ts>::value)] = unaryLoop<Op, Ts>), ...);
}

template <class... Ops>
void bindList(IsaTable& table, OpList<Ops...>) {
    (bindUnary<Ops>(table, ComputeTypes{}), ...);
}

IsaTable makeTable() {
    IsaTable t{};
#define STRIDESCOPE_TEXT2(x) #x
#define STRIDESCOPE_TEXT(x) STRIDESCOPE_TEXT2(x)
    t.name = STRIDESCOPE_TEXT(STRIDESCOPE_ISA);
    fillArithmetic(t);
    fillComparisons(t);
    fillUnary(t);
    fillMathUnary(t);
    fillMathBinary(t);
    fillMathFast(t);
    fillMathWide(t);
    fillMathDivide(t);
    fillMathDouble(t);
    fillMathSpecial(t);
    fillComplex(t);
    fillConversions(t);
    fillMovement(t);
    fillRandom(t);
    fillReductions(t);
    fillExpSums(t);
    fillScans(t);
    fillMasks(t);
    return t;
}

} // namespace

void fillUnary(IsaTable& table) {
    bindList(table, UnaryOps{});
}

const IsaTable& table();
const IsaTable& table() {
    static const IsaTable instance = makeTable();
    return instance;
}

} // namespace stridescope::cpu::STRIDESCOPE_ISA
