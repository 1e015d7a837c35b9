#pragma once
// Reductions on the CPU: folds, positions of extrema.
//
// Results do not depend on the number of threads: what is cut into parts is cut by sizes alone, and the parts are
// joined in order.

#include "core/backend/cpu/reduce_loops.h"
#include "core/backend/cpu/reduce_space.h"

#include <type_traits>

namespace stridescope::cpu {

/// Takes `n` accumulators, results `first`, `first + step`, … (in elements of the result).
struct TakeResults {
    void (*call)(const void* state, const void* accumulators, Index n, Index first, Index step) = nullptr;
    const void* state = nullptr;
};
/// `f(accumulators, n, first, step)` as TakeResults; `f` must live as long.
template <class F>
TakeResults finishWith(const F& f) {
    return {[](const void* state, const void* accumulators, Index n, Index first, Index step) {
                (*static_cast<const F*>(state))(accumulators, n, first, step);
            },
            &f};
}

struct FoldPlan {
    const ReduceSpace* space = nullptr; ///< made with ReduceOrder::Any
    DType dtype = DType::Float32;       ///< of the input
    DType via = DType::Float32;         ///< elements are converted to it before they are folded
    FoldOp op = FoldOp::Sum;
    const FoldLoops* loops = nullptr; ///< instead of those of `op`
    double parameter = 0;             ///< handed to the loops
    TakeResults finish;
};

/// The kernels of the table.
void foldKernel(const FoldArgs& args);
void extremumKernel(const ExtremumArgs& args);
void scanKernel(const ScanArgs& args);
/// Of the accumulators of a fold: float64 or int64, bool, or the work type.
DType accumulatorType(FoldOp op, DType via);

/// Folds along a plan. Precondition: the fold exists for the work type of `via`; the space has elements.
void fold(const FoldPlan& args);

/// Sum of |x|^parameter over float32 or float64, in double. Not in the table: it waits for the library's pow anyway.
const FoldLoops& powerSumLoops(DType work);

struct ArgPlan {
    const ReduceSpace* space = nullptr; ///< made with ReduceOrder::RowMajor
    DType dtype = DType::Float32;
    bool maximum = true;
    std::byte* values = nullptr; ///< results of the input's dtype; may be null
    Index* positions = nullptr;
};
/// Value and position (in row-major order of the reduced dims) of the extremum.
void argExtremum(const ArgPlan& args);

} // namespace stridescope::cpu
