#pragma once
// Which element of which input stands behind an element of the result: by the record, and where values decide, by them.

#include "widgets/motion/motion_input.h"

#include "core/ops/provenance.h"

namespace stridescope::motion {

/// One element of an input, by its place in reading order.
struct Source {
    std::size_t input = 0;
    Index position = 0;
};

/// The storage of the input's list that a record lies in; -1: none.
int storageOf(const MotionInput& input, const TensorRecord& record);
/// Place of a coord in reading order.
Index positionOf(const Dims& shape, const Dims& coord);
/// The places of a box of an input in reading order, at most `most`.
std::vector<Index> positionsIn(const Dims& shape, const SourceBox& box, Index most);

/// torch.empty() and its kin: there is a storage, and nothing in it.
bool leavesMemoryAsItIs(const OpRecord& record);

/// For each element of output `o` the one element that it was moved or copied from. Nothing where not all of them are
/// of that kind, or values that would decide are not known.
std::optional<std::vector<Source>> movedFrom(const MotionInput& input, std::size_t o);

/// unique() and unique_consecutive(): for each element of the first result the places of the elements that are equal to
/// it. Nothing where it is no such operation or the values are not known.
std::optional<std::vector<std::vector<Index>>> equalGroups(const MotionInput& input);

} // namespace stridescope::motion
