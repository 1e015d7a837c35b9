#pragma once
// What the tables of timed calls share. Each table is in a file of its own, timed_*.cpp.

#include "core/ops/creation.h"
#include "core/timing/timed_operation.h"

#include <algorithm>
#include <cmath>

namespace stridescope::timing::calls {

using In = std::span<const Tensor>;

inline std::vector<Tensor> one(const Tensor& t) {
    return {t};
}
inline std::vector<Tensor> many(std::vector<Tensor>&& list) {
    return std::move(list);
}
/// The dtype and device of `t`, for what makes tensors from sizes.
inline TensorOptions like(const Tensor& t) {
    return {t.dtype(), t.device()};
}

/// Operations of one call for a size n, real ones.
namespace flops {
inline double each(double n) {
    return n * n;
}
inline double eachTwice(double n) {
    return 2 * n * n;
}
inline double eachThrice(double n) {
    return 3 * n * n;
}
inline double vectorTwice(double n) {
    return 2 * n;
}
inline double product(double n) {
    return 2 * n * n * n;
}
inline double twoProducts(double n) {
    return 2 * product(n);
}
inline double batch(double n) {
    return 8 * product(n);
}
/// LU; LAPACK Users' Guide, as the next two.
inline double factor(double n) {
    return 2 * n * n * n / 3;
}
inline double halfFactor(double n) {
    return n * n * n / 3;
}
inline double orthogonal(double n) {
    return 4 * n * n * n / 3;
}
/// n transforms of n, and one of n by n: 5 N log2 N is what is counted by custom.
inline double rowTransforms(double n) {
    return n > 1 ? n * 5 * n * std::log2(n) : 0;
}
inline double transform(double n) {
    return 2 * rowTransforms(n);
}
} // namespace flops

std::span<const TimedOperation> pointwise();
std::span<const TimedOperation> special();
std::span<const TimedOperation> reductions();
std::span<const TimedOperation> algebra();
std::span<const TimedOperation> making();
std::span<const TimedOperation> shaping();

} // namespace stridescope::timing::calls
