#pragma once
// Fills the kernel table, file by file.

#include "core/backend/kernel_table.h"

namespace stridescope::cuda {

template <class Op>
void elementwiseEntry(const ElementwiseArgs& args);

template <class... Ops>
void bindBinary(KernelTable& table) {
    ((table.binary[static_cast<std::size_t>(binaryOp<Ops>)] = elementwiseEntry<Ops>), ...);
}
template <class... Ops>
void bindUnary(KernelTable& table, OpList<Ops...>) {
    ((table.unary[static_cast<std::size_t>(unaryOp<Ops>)] = elementwiseEntry<Ops>), ...);
}

void bindArithmetic(KernelTable& table);
void bindComparison(KernelTable& table);
void bindUnaryAndCopies(KernelTable& table);

} // namespace stridescope::cuda
