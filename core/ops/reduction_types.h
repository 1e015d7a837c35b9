#pragma once
// Arguments and results that reductions share.

#include "core/tensor/tensor.h"

#include <initializer_list>

namespace stridescope {

/// The dims that are reduced. None given, or an empty list: all of them.
class ReduceDims {
public:
    ReduceDims() = default;
    ReduceDims(Index dim) : m_dims{dim}, m_single(true) {}
    ReduceDims(int dim) : ReduceDims(Index{dim}) {}
    ReduceDims(std::initializer_list<Index> dims) : m_dims(dims) {}
    ReduceDims(const Dims& dims) : m_dims(dims) {}

    const Dims& dims() const { return m_dims; }
    bool all() const { return m_dims.size() == 0; }
    /// Given as one number, not as a list of one.
    bool isSingle() const { return m_single; }

private:
    Dims m_dims;
    bool m_single = false;
};

/// What max and its kin give along a dim. `indices` is int64: positions along that dim.
struct ValuesAndIndices {
    Tensor values, indices;
};

} // namespace stridescope
