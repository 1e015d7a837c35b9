#pragma once
// The view zoo: one of each kind of layout, over storages of any dtype. Every operation is run over all of it.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace stridescope::test {

/// A layout with a name that reads as a case.
struct ZooView {
    std::string name;
    View view;
    Index slots = 0;       ///< elements of the storage: more than the view reaches, so that stray writes show
    bool overlaps = false; ///< some slot has more than one coord
    bool negative = false; ///< has a negative stride: legal in a View, not made by PyTorch's operations
};

/// Contiguous, transposed, permuted, offset, step, negative stride, stride 0, size-1 dims with odd strides, empty, 0-d,
/// overlapping; up to 8 dims, and two large enough for threads and vector loops.
const std::vector<ZooView>& zooViews();

/// The value in slot `slot` of every zoo storage: small, of both signs where the dtype has them, with fractions where
/// it has those. Exact in every dtype.
Scalar zooValue(DType dtype, Index slot);

/// A tensor of that layout over a fresh storage of `slots` elements filled with zooValue.
Tensor zooTensor(const ZooView& layout, DType dtype);
/// A fresh CPU storage of `slots` elements of `dtype`, filled with zooValue.
StoragePtr zooStorage(DType dtype, Index slots);

/// All elements in row-major order, read one by one.
std::vector<Scalar> elementsOf(const Tensor& t);
/// All bytes of the storage.
std::vector<std::byte> bytesOf(const Tensor& t);

} // namespace stridescope::test
