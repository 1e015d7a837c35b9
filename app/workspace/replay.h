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

/// What a creation gives, made once more; nothing for those that draw numbers or take memory as it is, and for those
/// whose elements their record does not tell.
std::optional<Tensor> madeAgain(const OpRecord& record);

} // namespace stridescope
