#pragma once
// The inner loops of the CPU backend, compiled once per instruction set from the same sources (core/backend/cpu/isa).
// Nothing here knows shapes: a loop gets pointers, strides and counts.

#include "core/backend/cpu/mask_loops.h"
#include "core/backend/cpu/random_loops.h"
#include "core/backend/cpu/reduce_loops.h"
#include "core/dtype/dtype.h"
#include "core/index.h"
#include "core/ops/elementwise.h"
#include "core/ops/math_binary_ops.h"

#include <cstddef>

namespace stridescope::cpu {

/// Which inputs of a binary loop step and which are one value for all n.
enum class Lanes : std::uint8_t { VectorVector, VectorScalar, ScalarVector };

/// out[i] = op(a[i], b[i]) for contiguous runs of the compute type. `out` may equal `a` or `b`.
using BinaryLoop = void (*)(void* out, const void* a, const void* b, Index n);
using UnaryLoop = void (*)(void* out, const void* a, Index n);
/// out[i] = op(in[0][i], in[1][i], ...); where bit k of `scalars` is set, in[k] is one value for all. Not all of them.
using MathLoop = void (*)(void* out, const void* const* in, unsigned scalars, Index n, const void* parameters);
/// dst[r][c] = src[r][c] with conversion; every stride in bytes, of any sign or 0. The blocks do not overlap, or are
/// the very same.
using ConvertBlock = void (*)(void* dst, Index dstRow, Index dstCol, const void* src, Index srcRow, Index srcCol,
                              Index rows, Index cols);
/// dst[r][c] = src[c][r]: rows of dst and rows of src are contiguous. `stream` writes past the
/// caches: only for rows of dst that start on cache lines, and where transposesLines says so; less than a line at a
/// time would cost a read and a write of memory each.
using TransposeBlock = void (*)(void* dst, Index dstRow, const void* src, Index srcRow, Index rows, Index cols,
                                bool stream);
/// memcpy that writes past the caches; whoever reads the bytes next must come after streamFence.
using StreamCopy = void (*)(void* dst, const void* src, std::size_t bytes);

inline constexpr std::size_t kDTypes = kRealDTypes.size();

struct ComplexLoops; // complex_loops.h

/// Compute types are all dtypes but Half, which is computed as float; entries of Half are null.
struct IsaTable {
    const char* name;
    BinaryLoop binary[BinaryOps::size][kDTypes][3]; ///< [op][compute type][Lanes]
    UnaryLoop unary[UnaryOps::size][kDTypes];
    MathLoop math[MathOps::size][kDTypes];  ///< null: mathLoops() has it, for all instruction sets
    ConvertBlock convert[kDTypes][kDTypes]; ///< [from][to]
    ConvertBlock move[4];                   ///< [log2 of the element's size]; elements at any address
    TransposeBlock transpose[4];            ///< [log2 of the element's size]
    bool transposesLines[4];                ///< its stores are whole cache lines, so that it may stream
    StreamCopy streamCopy;
    void (*streamFence)();
    const ComplexLoops* complex;
    RandomLoops random;
    ReduceTable reduce;
    MaskLoops mask;
};

[[gnu::always_inline]] constexpr std::size_t indexOf(DType t) {
    return static_cast<std::size_t>(t);
}

/// Loops that gain nothing from wider registers, because they call the C library for each element; entries of the
/// others are null.
struct MathLoops {
    MathLoop loop[MathOps::size][kDTypes];
};
const MathLoops& mathLoops();

/// The best set that this machine runs, or the one that STRIDESCOPE_ISA names (plain, avx2, avx512). A name that is not
/// known or that this machine lacks is reported once on stderr and ignored.
const IsaTable& isa();
/// For tests and benchmarks: nullptr when this machine (or this build) has no such set.
const IsaTable* isaByName(const char* name);
/// For tests and benchmarks: everything that follows uses this set.
void forceIsa(const IsaTable& table);

} // namespace stridescope::cpu
