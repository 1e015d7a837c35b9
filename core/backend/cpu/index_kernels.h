#pragma once
// Elements at places that index tensors name: gather, scatter, index, index_put and their relatives on the CPU.

#include "core/dtype/dtype.h"
#include "core/view/view.h"

#include <cstddef>
#include <vector>

namespace stridescope::cpu {

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

/// True when all went well; false when an index is out of range, and then nothing is promised about `plain` (Read) or
/// nothing has been written (other modes).
[[nodiscard]] bool runIndexed(const IndexedArgs& args);

/// The first index out of range in row-major order of the loops.
struct BadIndex {
    std::size_t source = 0;
    Index value = 0;
};
/// Precondition: there is one.
BadIndex firstBadIndex(const IndexedArgs& args);

} // namespace stridescope::cpu
