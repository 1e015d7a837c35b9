#pragma once
// What kernels are asked for that move elements by index tensors, by masks and by their order.

#include "core/backend/strided.h"

#include <array>
#include <cstdint>
#include <vector>

namespace stridescope {

enum class IndexedMode : std::uint8_t {
    Read,     ///< plain = indexed
    Write,    ///< indexed = plain
    Add,      ///< indexed += plain
    Multiply, ///< indexed *= plain
    Max,      ///< indexed = the larger one, NaN where one of them is; not for complex
    Min,
};

/// One loop of the operation and how far (in bytes) one step of it moves each side.
struct IndexedLoop {
    Index size = 1;
    Index plain = 0;          ///< the dense side: a result or values
    Index indexed = 0;        ///< the side whose places are named
    std::vector<Index> index; ///< each index tensor
    bool apart = true;        ///< other positions of this loop are other cells of the indexed side
};

/// One index tensor, int64 or int32. Its numbers count along a dim of the indexed side.
struct IndexSource {
    const std::byte* data = nullptr;
    bool is32 = false;
    bool negativeFromEnd = false; ///< -1 is the last one
    Index size = 0;               ///< of the dim
    Index step = 0;               ///< bytes from one number to the next on the indexed side
};

/// The element at position p of the loops: plain + sum p*plain  against  indexed + sum p*indexed + sum index[p]*step.
/// Positions count in row-major order of `loops`, and of two writes to one cell the later position wins.
struct IndexedArgs {
    IndexedMode mode = IndexedMode::Read;
    DType dtype = DType::Float32;
    std::byte* plain = nullptr;
    std::byte* indexed = nullptr;
    std::vector<IndexSource> sources;
    std::vector<IndexedLoop> loops; ///< none of size 0
};

/// The first index out of range in row-major order of the loops.
struct BadIndex {
    std::size_t source = 0;
    Index value = 0;
};

/// One side of an operation with a mask: address of the first element, strides in bytes for each dim of the shape.
struct RowOperand {
    std::byte* data = nullptr;
    Dims stride;
};

/// Positions of true elements before each block of a shape that is cut into equal blocks: what lets several threads
/// write a packed result. The last number is the count of all. In host memory.
struct MaskBlocks {
    Index blockItems = 0;
    std::vector<Index> before;
    Index total() const { return before.back(); }
};

/// One element, in host memory.
using ElementBytes = std::array<std::byte, 16>;

/// Lines along `dim` in order: ascending, NaN last; stable. All three have the same dims; a 0-d tensor counts as one
/// dim. Precondition: the lines have fewer than 2^32 elements, at least one.
struct OrderArgs {
    Strided in, values, indices; ///< indices int64; `dim` has k elements in both results
    Index dim = 0;
    Index k = 1; ///< the first k of that order
    bool descending = false;
    /// Equal elements in the order of their positions; otherwise in that of PyTorch's topk, which follows from the
    /// exchanges of std::partial_sort, or of std::nth_element and (when `sorted`) std::sort.
    bool stable = true;
    bool sorted = true;
};

} // namespace stridescope
