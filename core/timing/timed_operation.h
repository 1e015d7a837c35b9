#pragma once
// What can be timed by name: the operations of core/ops/operation_table.h, each with its operands for a size n.

#include "core/ops/operation_table.h"
#include "core/timing/record.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stridescope::timing {

/// What an operation is given for a size n.
enum class Operands : std::uint8_t {
    None,        ///< makes its result from numbers
    Matrix,      ///< {n, n}
    TwoMatrices, ///< {n, n} twice
    ThreeMatrices,
    Vector, ///< {n}
    TwoVectors,
    MatrixVector, ///< {n, n} {n}
    Batch,        ///< {8, n, n} twice
    BatchAndMatrix,
    Square,         ///< {n, n}, well conditioned
    SquareAndSide,  ///< {n, n} {n, 8}... the right-hand sides
    Positive,       ///< {n, n}, Hermitian, positive definite
    MatrixAndIndex, ///< {n, n} and n row numbers
    MatrixAndMask,  ///< {n, n} and as many bools
    ComplexMatrix,
    ComplexSquare,
};

struct TimedOperation {
    std::string_view name;      ///< in the operation table
    std::string_view statement; ///< as a person writes it, operands A, B, C: "A @ B"
    Operands operands = Operands::Matrix;
    /// One call. The result is let go by the caller.
    std::vector<Tensor> (*call)(std::span<const Tensor> operands) = nullptr;
    /// Floating-point operations of one call for a size n; null: not counted.
    double (*flops)(double n) = nullptr;
    bool movesMemory = false;              ///< cold by default, and measured against copying
    OpFamily family = OpFamily::Pointwise; ///< filled from the operation table
    DTypeSet dtypes;                       ///< the same
};

/// All of them, in the order of the operation table; those first that a course starts with are in courseOperations().
const std::vector<TimedOperation>& timedOperations();
/// Null when there is none; names of the table that cannot be timed have a reason in whyNotTimed().
const TimedOperation* findTimedOperation(std::string_view name);
/// Why an operation of the table has no entry: "needs Python: time it as a statement". Empty for a timed one, and for a
/// name that is not in the table.
std::string whyNotTimed(std::string_view name);
/// "mm", "add", "clone", "contiguous" (of a transposed matrix), "sum", …: a good list to choose from.
std::vector<std::string_view> courseOperations();

/// Operands of an operation, seeded random numbers, on the CPU.
/// @throws ShapeError BENCH-10 for a layout that these operands cannot have, MemoryError (MEM-…) when they do not fit.
std::vector<Tensor> operandsFor(const TimedOperation& operation, Index n, DType dtype, Layout layout,
                                std::uint64_t seed);
/// Bytes that one call has to move at least: each element of the operands (repeated ones once) and of the results.
double bytesOf(std::span<const Tensor> operands, std::span<const Tensor> results);

} // namespace stridescope::timing
