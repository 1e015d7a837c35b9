#pragma once
// Compares a tensor, element by element, with what a formula over coords says.

#include "core/tensor/element.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_model.h"

#include <string>

namespace stridescope::test {

/// Empty, or the first difference: "at (1, 2): 3, expected 4". `wanted`: (const Sizes& coord) -> Scalar.
template <class Wanted>
std::string differenceFrom(const Tensor& got, const Sizes& shape, Wanted wanted) {
    if (Sizes(got.shape().begin(), got.shape().end()) != shape)
        return "shape " + toString(got.shape()) + ", expected " + toString(Dims(std::span<const Index>(shape)));
    std::string difference;
    forEachCoord(shape, [&](const Sizes& coord) {
        if (!difference.empty()) return;
        const Scalar value = readElement(got, coord), plain = wanted(coord);
        const Scalar expected = value.isComplex() ? Scalar(Complex<double>{plain.toDouble(), plain.imag()})
                                                  : slowConvert(plain, got.dtype());
        if (!sameElement(value, expected))
            difference = "at " + toString(std::span<const Index>(coord)) + ": " + toString(value) + ", expected " +
                         toString(expected);
    });
    return difference;
}

inline Sizes sizesOf(const Tensor& t) {
    return {t.shape().begin(), t.shape().end()};
}

} // namespace stridescope::test
