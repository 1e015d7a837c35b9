#pragma once
// Private to provenance: one question, and the rules that answer it for a kind of operation each.

#include "core/ops/provenance.h"
#include "core/ops/provenance_call.h"

namespace stridescope::provenance {

/// One question: an element of an output of a record.
struct Asked {
    const OpRecord& record;
    const Operation* operation;
    Call call;
    const Dims& shape; ///< of the output
    const Dims& coord;

    const Dims& input(std::size_t i) const { return record.inputs[i].view.shape; }
    std::size_t inputs() const { return record.inputs.size(); }
};

using Answer = std::optional<Sources>; ///< nothing: the record is not of the form that the rule knows
using Rule = Answer (*)(const Asked&);

// --- What rules are made of ---

/// All of an input.
SourceBox whole(const Asked& asked, std::size_t input);
/// One element of it.
SourceBox single(std::size_t input, const Dims& coord);
/// Whatever there is in the inputs.
Sources mixed(const Asked& asked);
/// The element of `input` that broadcasting brings to the coord; nothing when its shape does not broadcast to the
/// output's.
std::optional<SourceBox> broadcastFrom(const Asked& asked, std::size_t input);
/// `dims` from 0 on; nothing when one is out of range.
std::optional<std::vector<std::size_t>> normalised(const std::vector<Index>& dims, std::size_t rank);
/// Which dims of its one input the call names: all of them for None.
std::optional<std::vector<bool>> namedDims(const Asked& asked);

// --- Rules ---

Answer pointwise(const Asked& asked);
Answer overwritten(const Asked& asked); ///< what was there before has no part in it
// provenance_items.cpp: x[items] and x[items] = value
Answer assigned(const Asked& asked);
Answer pickedItems(const Asked& asked); ///< the indices, and the elements that they choose from
/// Of a record of an assignment to numbers and slices: the part of its output that it wrote. Nothing for all others.
std::optional<View> assignedPart(const OpRecord& record);
// provenance_sums.cpp: many elements make one.
Answer together(const Asked& asked);       ///< all along the named dims
Answer chosen(const Asked& asked);         ///< the same, and values choose among them
Answer cumulated(const Asked& asked);      ///< along the named dim up to the element's place
Answer wholeLine(const Asked& asked);      ///< the line along the named dim in which it stands
Answer sorted(const Asked& asked);         ///< some of that line
Answer neighbours(const Asked& asked);     ///< diff()
Answer rowTimesColumn(const Asked& asked); ///< matmul() and its kin
Answer addedProduct(const Asked& asked);   ///< addmm() and its kin
Answer overPairs(const Asked& asked);      ///< tensordot()
Answer byLabels(const Asked& asked);       ///< einsum()
Answer chained(const Asked& asked);        ///< multi_dot(): a row of the first, a column of the last, all between
Answer tiledProduct(const Asked& asked);   ///< kron()
Answer distinct(const Asked& asked);       ///< unique()
Answer diagonal(const Asked& asked);       ///< trace()
Answer twoOfThree(const Asked& asked);     ///< cross(): along its dim the other two
Answer everyPair(const Asked& asked);      ///< outer()
// provenance_moves.cpp: one element, from another place.
Answer joined(const Asked& asked); ///< cat()
Answer stacked(const Asked& asked);
Answer joinedAcross(const Asked& asked); ///< hstack()
Answer joinedDown(const Asked& asked);   ///< vstack()
Answer repeated(const Asked& asked);     ///< sizes multiply: coords count modulo the input's
Answer rolled(const Asked& asked);
Answer flipped(const Asked& asked);
Answer flippedAcross(const Asked& asked);
Answer flippedDown(const Asked& asked);
Answer picked(const Asked& asked);         ///< gather(): the index, and the line of elements that it chooses from
Answer pickedLine(const Asked& asked);     ///< index_select()
Answer inReadingOrder(const Asked& asked); ///< reshape() where strides do not suffice

} // namespace stridescope::provenance
