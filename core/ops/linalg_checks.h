#pragma once
// What the linear algebra operations check before they touch LAPACK. Internal to core/ops.

#include "core/ops/linalg_matrices.h"
#include "core/ops/observation.h"
#include "core/tensor/tensor.h"

#include <string>

namespace stridescope::linalg {

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {});

/// On one device (DEV-03).
void requireSameDevice(const Tensor& a, const Tensor& b);
enum class Elements : std::uint8_t { FloatOrComplex, Any };
/// Defined, two dims at least, of such elements. `operation` as PyTorch writes it, "linalg.inv".
void requireMatrices(const char* operation, const Tensor& a, Elements elements = Elements::FloatOrComplex);
void requireSquare(const char* operation, const Tensor& a);
/// Square in the last two dims, of whatever elements.
void requireSquareShape(const char* operation, const Tensor& a);
/// LAPACK's iterative routines need finite numbers. PyTorch's words, LINALG-10.
void requireFinite(const char* operation, const Tensor& a);
/// "(Batch element 1): " for a tensor with batch dims, else empty.
std::string batchText(const Tensor& a, const LapackInfo& info);
/// One dtype for both sides of a system (LINALG-06).
void requireSameDType(const char* operation, const Tensor& a, const Tensor& b);
/// Sides that do not fit (LINALG-05).
[[noreturn]] void refuseSystem(const char* operation, const Tensor& a, const Tensor& b, bool left = true);
/// What PyTorch's older functions want of a system: one dtype (LINALG-06), square matrices (LINALG-02), as many rows
/// (LINALG-05), in their words.
void requireOldSystem(const std::string& operation, const Tensor& a, const Tensor& b);
/// B stands for vectors when it is 1-d or has A's shape without the last size.
bool isVectorCase(const Tensor& a, const Tensor& b);
/// The last two dims of `t` for every index of the batch.
Tensor withBatch(const Tensor& t, const Dims& batch);
/// Whether PyTorch hands A's rows to LAPACK as columns, which is no copy, and works with the factors of A^T: real and
/// contiguous. It decides the sign of zeros and whether rounding makes a singular matrix regular.
inline bool factorsTransposed(const Tensor& a) {
    return !isComplex(a.dtype()) && a.isContiguous();
}
/// Says so when what is solved with `factors` of `a` (L U, or Q R as LAPACK leaves them) has few or no right digits.
/// The diagonal is a cheap first look; what it makes doubtful is decided by singular values.
void warnOfCondition(const char* name, const Tensor& a, const Matrices& factors);
/// The dims before the last two.
Dims batchOf(const Tensor& a);
/// The record of an operation that makes new tensors, when somebody listens.
void publish(const Observation& observation, const char* name, std::initializer_list<const Tensor*> inputs,
             std::initializer_list<const Tensor*> outputs, std::string arguments = {});

} // namespace stridescope::linalg
