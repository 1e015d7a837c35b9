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
    Shape,       ///< one number as {n, n}, stride 0: for what makes tensors from sizes
    Vector,      ///< {n}
    TwoVectors,  ///< {n} {n}
    Matrix,      ///< {n, n}
    AboveOne,    ///< {n, n}, 1 to 2
    TwoMatrices, ///< {n, n} {n, n}
    ThreeMatrices,
    MatrixVector,       ///< {n, n} {n}
    VectorMatrixVector, ///< {n} {n, n} {n}
    MatrixTwoVectors,   ///< {n, n} {n} {n}
    TwoBatches,         ///< {8, n, n} {8, n, n}
    ThreeBatches,
    MatrixTwoBatches,  ///< {n, n} {8, n, n} {8, n, n}
    Triples,           ///< {n, 3} {n, 3}
    Image,             ///< {4, 16, n, n}
    Square,            ///< {n, n}, far from singular
    SquareAndSide,     ///< {n, n} {n, 8}
    Positive,          ///< {n, n}, Hermitian and positive definite
    PositiveAndSide,   ///< {n, n} {n, 8}
    MatrixIndex,       ///< {n, n}, {n} int64 below n
    MatrixIndexMatrix, ///< {n, n}, {n, n} int64 below n
    MatrixIndexSource, ///< {n, n}, {n, n} int64 below n, {n, n}
    MatrixMask,        ///< {n, n}, {n, n} bool
    TwoMatricesMask,   ///< {n, n} {n, n}, {n, n} bool
    SortedAndMatrix,   ///< {n} ascending, {n, n}
    Counts,            ///< {n} int64 below n
};

struct TimedOperation {
    std::string_view name;      ///< in the operation table
    std::string_view statement; ///< as a person writes it, operands A, B, C: "A @ B"
    Operands operands = Operands::Matrix;
    /// One call. The result is let go by the caller.
    std::vector<Tensor> (*call)(std::span<const Tensor> operands) = nullptr;
    /// Floating-point operations of one call for a size n; null: not counted.
    double (*flops)(double n) = nullptr;
    bool movesMemory = false;              ///< cold by default
    bool repeatable = true;                ///< twice the same operands give twice the same result
    OpFamily family = OpFamily::Pointwise; ///< filled from the operation table
    DTypeSet dtypes = {};                  ///< the same
};

/// All of them, in the order of the operation table; those first that a course starts with are in courseOperations().
const std::vector<TimedOperation>& timedOperations();
/// Null when there is none; names of the table that cannot be timed have a reason in whyNotTimed().
const TimedOperation* findTimedOperation(std::string_view name);
/// Entries of all tables of calls; more than timedOperations() has only where one names no operation.
std::size_t timedCallsInTables();
/// Why an operation of the table has no entry: "needs Python: time it as a statement". Empty for a timed one, and for a
/// name that is not in the table.
std::string whyNotTimed(std::string_view name);
/// "mm", "add", "clone", "contiguous" (of a transposed matrix), "sum", …: a good list to choose from.
std::vector<std::string_view> courseOperations();

/// Can operands of that kind have that layout? Vectors cannot be transposed, and a repeated row has no inverse.
bool canHave(Operands operands, Layout layout);
/// Operands of an operation on `device`, random numbers of that seed.
/// @throws ShapeError BENCH-10 for a layout that these operands cannot have; MemoryError.
std::vector<Tensor> operandsFor(const TimedOperation& operation, Index n, DType dtype, Layout layout,
                                std::uint64_t seed, Device device = {});
/// Bytes that they take.
double operandBytes(Operands operands, Index n, DType dtype);
/// "{64, 64} {64}"
std::string shapesText(std::span<const Tensor> operands);
/// Bytes that one call has to move at least: each element of the operands (repeated ones once) and of the results.
double bytesOf(std::span<const Tensor> operands, std::span<const Tensor> results);

} // namespace stridescope::timing
