#pragma once
// Parts of the module's kernel table, compiled side by side.

#include "core/backend/kernel_table.h"

namespace stridescope::cuda {

void bindArithmetic(KernelTable& table);
void bindComparisons(KernelTable& table);
void bindMathematics(KernelTable& table);
void bindCheap(KernelTable& table);
void bindSpecial(KernelTable& table);
void bindDivisions(KernelTable& table);
void bindMoves(KernelTable& table);
void bindFolds(KernelTable& table);
void bindScans(KernelTable& table);
void bindAlgebra(KernelTable& table);

} // namespace stridescope::cuda
