#pragma once
// An independent, slow, obviously right model of element arithmetic: one element at a time, in wide types, knowing
// nothing of the library's functors and conversions.

#include "core/dtype/dtype.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <string>
#include <string_view>
#include <vector>

namespace stridescope::test {

/// `value` as an element of `to`, by the rules of PyTorch on x86.
Scalar slowConvert(Scalar value, DType to);

/// `a op b` for elements: both converted to `compute` first; the result is an element of `compute`, or a bool for
/// comparisons. Names are those of the functions: "add", "lt", "maximum".
Scalar slowBinary(std::string_view op, Scalar a, Scalar b, DType compute);
Scalar slowUnary(std::string_view op, Scalar a, DType compute);

/// Row-major strides by counting.
Dims slowStrides(const Dims& shape);

/// Elements in row-major order of `t` broadcast to `shape`.
std::vector<Scalar> broadcastElements(const Tensor& t, const Dims& shape);

/// Equal, or both NaN; of the same kind.
bool sameElement(Scalar a, Scalar b);
/// "3", "2.5", "nan".
std::string show(Scalar s);

} // namespace stridescope::test
