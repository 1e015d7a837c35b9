#pragma once
// What kernels that fold, search and scan are asked for. Plain values, no function pointers: a device can take them.

#include "core/backend/strided.h"

#include <cstdint>

namespace stridescope {

/// Which dims are reduced: bit d for dim d. kMaxDims bits.
using DimMask = std::uint64_t;

/// What many elements are folded into. Fold is the word for "start with the neutral accumulator, step by each element";
/// accumulators of parts are joined.
enum class FoldOp : std::uint8_t {
    Sum,       ///< floats in double, integers and bool in int64 (wrapping)
    Prod,      ///< the same; complex numbers too
    NanSum,    ///< NaN counts as 0; floats only
    AbsSum,    ///< floats only, as the next
    SquareSum, ///< floats only
    Moments,   ///< count, mean and sum of squared distances from it; floats only
    Min,       ///< in the type itself; NaN wins
    Max,       ///< the same
    AbsMin,    ///< floats only
    AbsMax,    ///< floats only
    NonZero,   ///< counts, in int64
    All,       ///< bool
    Any,       ///< bool
    LogSumExp, ///< the logarithm of the sum of exp(x), in double; floats only
    PowerSum,  ///< |x|^parameter in double; floats only
};

/// What is done to an accumulator before it is converted to the result's dtype. All but Convert in double.
enum class Finish : std::uint8_t {
    Convert,
    Divide,    ///< by `number`
    Root,      ///< square root
    Power,     ///< to the power `number`
    Variance,  ///< of moments: the squares by max(count - number, 0)
    Deviation, ///< its root
};

/// Folds the dims of `mask`. Results lie dense and row-major over the dims that stay, `out` being the first of them.
/// Results of no elements are made of neutral accumulators.
struct FoldArgs {
    Strided in;
    DimMask mask = 0;
    FoldOp op = FoldOp::Sum;
    DType via = DType::Float32; ///< elements are converted to it before they are folded
    double parameter = 0;
    Finish finish = Finish::Convert;
    double number = 0;
    std::byte* out = nullptr;
    std::byte* means = nullptr; ///< of Variance and Deviation: the means, where they are asked for
    DType outType = DType::Float32;
};

/// Value and position (in row-major order of the reduced dims) of an extremum: NaN wins, then the first of equals.
/// Precondition: there are elements; they are real.
struct ExtremumArgs {
    Strided in;
    DimMask mask = 0;
    bool maximum = true;
    std::byte* values = nullptr; ///< results of the input's dtype; may be null
    Index* positions = nullptr;
};

enum class ScanOp : std::uint8_t {
    Sum,  ///< running sums in the result's dtype, floats with a double in hand
    Prod, ///< the same; complex numbers too
    Max,  ///< running maxima and their positions, later ones winning; NaN stays
    Min,  ///< the same
    LogSumExp,
    Softmax,    ///< of the whole line, in the type itself
    LogSoftmax, ///< the same
};

/// One line along `dim` into another. The result is dense and row-major.
/// Precondition: there are elements; -1 for `dim` is a 0-d tensor.
struct ScanArgs {
    Strided in;
    Index dim = 0;
    ScanOp op = ScanOp::Sum;
    std::byte* out = nullptr;
    DType outType = DType::Float32; ///< that of the input for Max and Min
    Index* positions = nullptr;     ///< of Max and Min
};

} // namespace stridescope
