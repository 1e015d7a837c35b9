#pragma once
// Order of elements on the CPU. Elements become keys, unsigned numbers in the same order; keys are sorted with their
// positions.

#include "core/backend/index_args.h"
#include "core/storage/scratch.h"

#include <cstddef>

namespace stridescope::cpu {

/// Keys and positions of one lane, and room to sort them in; used again for the next lane.
struct SortLane {
    Scratch<std::uint64_t> keys, spareKeys;
    Scratch<std::uint32_t> order, spareOrder; ///< positions
};

/// Reads `n` < 2^32 elements, `step` bytes apart, into lane.keys and counts up lane.order. NaN gets the greatest key,
/// -0 that of 0. Descending: keys turned round, so that sorting them ascends.
void loadKeys(SortLane& lane, const std::byte* data, Index step, Index n, DType dtype, bool descending);
/// Sorts lane.keys; lane.order follows. Stable.
void sortLane(SortLane& lane, DType dtype);
/// The k first of that order, sorted; the rest is in no order.
void sortFirst(SortLane& lane, Index k, DType dtype);

/// The k first (1 at least), of equal keys those and in that order that OrderArgs::stable says; the rest is in no
/// order.
void pickFirst(SortLane& lane, Index k, bool sorted);
/// Is k so small beside n that `pickFew` is the quicker way?
bool arePicksFew(Index k, Index n);
/// The same k, in lane.order alone, straight from the elements: one pass without a copy of the keys.
void pickFew(SortLane& lane, const std::byte* data, Index step, Index n, DType dtype, bool descending, Index k);

/// Brings the element of that place of the order there; what lies before and behind it is in no order.
/// Which of equal elements it is depends on the exchanges alone: they are PyTorch's.
void selectPlace(SortLane& lane, Index place);

/// The kernels of the table: the first k of the order, and the one element of place k (counted from 1).
void orderKernel(const OrderArgs& args);
void placeKernel(const OrderArgs& args);

} // namespace stridescope::cpu
