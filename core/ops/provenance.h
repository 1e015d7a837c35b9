#pragma once
// Where an element came from: of which elements of its inputs one operation made it, told by the record alone.

#include "core/trace/op_record.h"

#include <optional>
#include <span>
#include <vector>

namespace stridescope {

/// Elements of one input: `length[d]` coords from `start[d]` on along each dim d.
struct SourceBox {
    std::size_t input = 0;
    Dims start, length;
    Index numel() const;
    bool contains(const Dims& coord) const;
};

enum class SourceKind : std::uint8_t {
    Made,   ///< of no tensor: a creation, a number, a random draw
    Same,   ///< a view: the same storage cell under other coords
    Each,   ///< one element of each input: pointwise, moved or copied
    All,    ///< all of these together: a sum, a product of matrices
    Chosen, ///< some of these; values decide which
    Mixed,  ///< the record does not tell: anything in the inputs may have had a part
};

struct Sources {
    SourceKind kind = SourceKind::Made;
    std::vector<SourceBox> boxes; ///< never one without elements
};

/// The sources of element `coord` of `record.outputs[output]`. Precondition: `coord` lies inside that output.
/// An element that is not in any box has no influence on it.
Sources sourcesOf(const OpRecord& record, std::size_t output, const Dims& coord);

/// Are the elements that come out those of the first input, moved or converted, none computed? Views too.
bool movesElements(const OpRecord& record);

/// An element of an output of one of several records.
struct WrittenElement {
    std::size_t record = 0, output = 0;
    Dims coord;
};

/// The element of an output of `record` that lies over the byte, if the record made that storage or may have written
/// there; its `record` is 0. Slices, indices and masks tell which part of the output was written.
std::optional<WrittenElement> elementWritten(const OpRecord& record, std::uint64_t storageId, Index byte);

/// Which of the first `end` records, oldest first, wrote the byte at `byte` of storage `storageId` last: made that
/// storage or wrote into it. Views write nothing. Nothing when none of them did.
std::optional<WrittenElement> lastWriter(std::span<const OpRecord> records, std::size_t end, std::uint64_t storageId,
                                         Index byte);

} // namespace stridescope
