#pragma once
// The kernel table of a Queue (see grid.h), family by family, so that they can be compiled side by side.

#include "core/backend/grid/elementwise.h"
#include "core/backend/grid/fold.h"
#include "core/backend/grid/fourier.h"
#include "core/backend/grid/indexed.h"
#include "core/backend/grid/linalg.h"
#include "core/backend/grid/masks.h"
#include "core/backend/grid/order.h"
#include "core/backend/grid/products.h"
#include "core/backend/grid/random.h"
#include "core/backend/grid/scan.h"
#include "core/backend/grid/softmax.h"

namespace stridescope::grid {

template <class Queue>
void bindMoves(KernelTable& table) {
    table.copy = copyEntry<Queue>;
    table.fill = fillEntry<Queue>;
    table.indexed = indexedEntry<Queue>;
    table.mask = {countMaskEntry<Queue>,   selectMaskedEntry<Queue>, scatterMaskedEntry<Queue>,
                  fillMaskedEntry<Queue>,  chooseEntry<Queue>,       countNonzeroEntry<Queue>,
                  findNonzeroEntry<Queue>, holdsOnlyBitsEntry<Queue>};
    table.order = orderEntry<Queue>;
    table.place = placeEntry<Queue>;
}

template <class Queue>
void bindScans(KernelTable& table) {
    table.scan = scanEntry<Queue>;
    table.products = productsEntry<Queue>;
    table.random = randomEntry<Queue>;
}

template <class Queue>
void bindFolds(KernelTable& table) {
    table.fold = foldEntry<Queue>;
    table.extremum = extremumEntry<Queue>;
}

template <class Queue>
void bindAlgebra(KernelTable& table) {
    bindLinalg<Queue>(table);
    table.fourier = fourierEntry<Queue>;
}

} // namespace stridescope::grid
