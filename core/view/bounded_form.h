#pragma once
// The equation  sum over d of coord[d] * stride[d] == target,  0 <= coord[d] <= maxCoord[d].
//
// Both questions about slots are of this kind: which coords land in a slot, and do two coords share one.

#include "core/index.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace stridescope {

/// One unknown. Unsigned: |stride| of the lowest Index fits, and so does any reach that the equation is asked about.
struct FormDim {
    std::uint64_t stride = 0;   ///< > 0
    std::uint64_t maxCoord = 0; ///< > 0
    std::size_t viewDim = 0;    ///< where it came from
    bool reversed = false;      ///< stands for a negative stride: the view's coord is maxCoord - coord

    // Filled by `prepareForm`, over the dims after this one.
    std::uint64_t reachAfter = 0; ///< sum of stride * maxCoord
    std::uint64_t strideGcd = 0;  ///< gcd of their strides; 0 for none
    std::uint64_t commonGcd = 0;  ///< gcd of that and this stride
    std::uint64_t period = 1;     ///< solutions for this coord are `period` apart
    std::uint64_t inverse = 0;    ///< of stride / commonGcd, modulo period
};

/// The values that a coord can still take: first, first + step, ... up to last; none when last < first.
struct FormCandidates {
    std::uint64_t first = 1, last = 0, step = 1;
};

__extension__ using WideUnsigned = unsigned __int128;

/// a^-1 modulo m for coprime a and m; 0 for m == 1. By Euclid's algorithm.
inline std::uint64_t inverseModulo(std::uint64_t a, std::uint64_t m) {
    __extension__ using Wide = __int128;
    Wide remainder = m, nextRemainder = a % m;
    Wide factor = 0, nextFactor = 1;
    while (nextRemainder != 0) {
        const Wide quotient = remainder / nextRemainder;
        std::swap(remainder, nextRemainder);
        nextRemainder -= quotient * remainder;
        std::swap(factor, nextFactor);
        nextFactor -= quotient * factor;
    }
    return static_cast<std::uint64_t>(factor < 0 ? factor + m : factor);
}

/// Sorts the longest strides to the front, where they cut the search most, and fills the helpers.
/// Precondition: the sum of stride * maxCoord fits 64 bits.
inline void prepareForm(std::vector<FormDim>& dims) {
    std::stable_sort(dims.begin(), dims.end(), [](const FormDim& a, const FormDim& b) { return a.stride > b.stride; });
    std::uint64_t reachAfter = 0;
    std::uint64_t strideGcd = 0;
    for (std::size_t i = dims.size(); i-- > 0;) {
        FormDim& dim = dims[i];
        dim.reachAfter = reachAfter;
        dim.strideGcd = strideGcd;
        dim.commonGcd = std::gcd(dim.stride, strideGcd);
        dim.period = strideGcd == 0 ? 1 : strideGcd / dim.commonGcd;
        dim.inverse = inverseModulo(dim.stride / dim.commonGcd, dim.period);
        reachAfter += dim.stride * dim.maxCoord;
        strideGcd = dim.commonGcd;
    }
}

/// Values of `dim` that leave a rest which the later dims can reach, by size and by divisibility. For the last two dims
/// every candidate belongs to a solution.
inline FormCandidates candidates(const FormDim& dim, std::uint64_t target) {
    if (dim.strideGcd == 0) {
        const std::uint64_t coord = target / dim.stride;
        if (coord * dim.stride != target || coord > dim.maxCoord) return {};
        return {coord, coord, 1};
    }
    if (target % dim.commonGcd != 0) return {};
    FormCandidates found;
    found.last = std::min(dim.maxCoord, target / dim.stride);
    found.step = dim.period;
    std::uint64_t lowest = 0;
    if (target > dim.reachAfter) {
        const std::uint64_t missing = target - dim.reachAfter;
        lowest = (missing - 1) / dim.stride + 1;
    }
    if (lowest > found.last) return {};
    if (dim.period == 1) {
        found.first = lowest;
        return found;
    }
    const std::uint64_t rest = (target / dim.commonGcd) % dim.period;
    const auto residue = static_cast<std::uint64_t>(WideUnsigned{rest} * dim.inverse % dim.period);
    const std::uint64_t lowestResidue = lowest % dim.period;
    const std::uint64_t ahead =
        residue >= lowestResidue ? residue - lowestResidue : dim.period - (lowestResidue - residue);
    if (ahead > found.last - lowest) return {};
    found.first = lowest + ahead;
    return found;
}

} // namespace stridescope
