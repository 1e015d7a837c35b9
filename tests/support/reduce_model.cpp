#include "tests/support/reduce_model.h"

#include "tests/support/view_zoo.h"

#include <algorithm>
#include <cmath>

namespace stridescope::test {

namespace {
bool contains(const std::vector<Index>& dims, std::size_t d) {
    return std::find(dims.begin(), dims.end(), static_cast<Index>(d)) != dims.end();
}
} // namespace

std::vector<std::vector<Scalar>> groupsOf(const Tensor& t, const std::vector<Index>& reducedDims) {
    const Dims& shape = t.shape();
    Index groups = 1;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (!contains(reducedDims, d)) groups *= shape[d];
    std::vector<std::vector<Scalar>> result(static_cast<std::size_t>(groups));
    Index position = 0;
    for (const Scalar value : elementsOf(t)) {
        Index rest = position++, group = 0, weight = 1;
        for (std::size_t d = shape.size(); d-- > 0;) {
            const Index coord = rest % shape[d];
            rest /= shape[d];
            if (contains(reducedDims, d)) continue;
            group += coord * weight;
            weight *= shape[d];
        }
        result[static_cast<std::size_t>(group)].push_back(value);
    }
    return result;
}

Dims reducedShape(const Tensor& t, const std::vector<Index>& reducedDims, bool keepdim) {
    Dims shape;
    for (std::size_t d = 0; d < t.shape().size(); ++d) {
        if (!contains(reducedDims, d))
            shape.push_back(t.shape()[d]);
        else if (keepdim)
            shape.push_back(1);
    }
    return shape;
}

std::vector<std::vector<Index>> dimChoices(Index ndim) {
    std::vector<std::vector<Index>> choices{{}};
    for (Index d = 0; d < ndim; ++d) choices.push_back({d});
    if (ndim >= 2) choices.push_back({0, 1});
    if (ndim >= 3) choices.push_back({0, ndim - 1});
    return choices;
}

std::vector<Index> namedDims(const Tensor& t, const std::vector<Index>& dims) {
    if (!dims.empty()) return dims;
    std::vector<Index> all;
    for (Index d = 0; d < t.dim(); ++d) all.push_back(d);
    return all;
}

bool near(double a, double b, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

double toleranceOf(DType dtype) {
    switch (dtype) {
    case DType::Float16:
        return 2e-3;
    case DType::Float32:
        return 1e-6;
    case DType::Float64:
        return 1e-13;
    default:
        return 0;
    }
}

} // namespace stridescope::test
