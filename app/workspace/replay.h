#pragma once
// A single operation once more, on a few elements: the value of what was never kept.

#include "app/workspace/past.h"

namespace stridescope {

/// The elements of one input that have a part in it, in reading order.
struct ReplayInput {
    Dims shape;
    DType dtype = DType::Float32;
    std::vector<PastValue> values;
};

/// What the operation of `record` makes of these; nothing unless that is a single element of the record's dtype.
std::optional<PastValue> replay(const OpRecord& record, const std::vector<ReplayInput>& inputs);

/// What an operation that made new tensors made of these, once more: one for each output; nothing for those that draw
/// numbers or take memory as it is, that the line language does not know, and for creations whose elements their record
/// does not tell.
std::optional<std::vector<Tensor>> madeAgain(const OpRecord& record, const std::vector<Tensor>& inputs = {});

/// Carries out once more, on these, an operation that writes into its first input. False, and nobody knows what that
/// holds then, for those that draw numbers or that the line language does not know.
bool writtenAgain(const OpRecord& record, const std::vector<Tensor>& inputs);

} // namespace stridescope
