#pragma once
// What reductions share before they call a kernel: dims, shapes of results, checks, records.
// Internal to core/ops.

#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/reduction_types.h"
#include "core/tensor/tensor.h"

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace stridescope::reduction {

/// Defined. @throws ValueError (TENSOR-02).
inline void requireInput(const char* operation, const Tensor& t) {
    elementwise::requireDefined(t, operation);
}

[[noreturn]] void refuse(ErrorKind kind, const char* id, std::string message, std::string hint);
/// RED-07, PyTorch's words: "prod_cpu" not implemented for 'Half'.
[[noreturn]] void refuseDType(const char* kernel, DType dtype);

/// The dims as bits; none given: all. @throws IndexError (VIEW-01), ShapeError (RED-01).
DimMask maskOf(const Tensor& t, const ReduceDims& dims);
inline bool isReduced(DimMask mask, std::size_t d) {
    return (mask >> d & 1) != 0;
}
/// How many elements each result is made of.
Index reducedCount(const Tensor& t, DimMask mask);
/// Sizes of the result.
Dims resultShape(const Dims& shape, DimMask mask, bool keepdim);
/// A row-major result, not initialised.
Tensor newResult(const Tensor& t, DimMask mask, bool keepdim, DType dtype);

/// "amax(): Expected reduction dim 1 to have non-zero size." (RED-04, IndexError) when a reduced dim is empty.
void requireNonEmptyDims(const char* operation, const Tensor& t, DimMask mask);

/// One result of a few neighbouring elements: a case that needs no plan of loops.
bool isShortRun(const Tensor& t, Index results);

/// How elements of `t` (real) become results.
struct FoldCall {
    FoldOp op = FoldOp::Sum;
    DType via = DType::Float32; ///< elements are converted to it first
    double parameter = 0;
    Finish finish = Finish::Convert;
    double number = 0; ///< of `finish`
};
/// One fold of all elements into each element of `out`, which is dense; `means` as in FoldArgs, may be undefined.
/// Results of no elements are made of neutral accumulators.
void foldInto(const Tensor& t, DimMask mask, const FoldCall& call, const Tensor& out, const Tensor& means = Tensor());

bool repeatsResults(const Tensor& t, DimMask mask);
/// The tensor without repetitions.
Tensor withoutRepeats(const Tensor& t, DimMask mask);
Tensor repeated(const Tensor& result, const Dims& shape);

/// Kept dims of stride 0 repeat one result: `compute` gets a tensor in which they have size 1, and what it returns is
/// repeated. It returns a tensor with those dims, or an array of up to two.
template <class Compute>
auto computeOnce(const Tensor& t, DimMask mask, bool keepdim, Compute compute) {
    const trace::Nested nested;
    if (!repeatsResults(t, mask)) return compute(t);
    auto results = compute(withoutRepeats(t, mask));
    const Dims shape = resultShape(t.shape(), mask, keepdim);
    if constexpr (std::is_same_v<decltype(results), Tensor>) {
        results = repeated(results, shape);
    } else {
        for (Tensor& result : results)
            if (result.defined()) result = repeated(result, shape);
    }
    return results;
}

/// "0, keepdim=True", "(0, 1)", "dtype=torch.int64".
std::string argumentsText(const ReduceDims& dims, bool keepdim, std::optional<DType> dtype = std::nullopt);
/// `text`, and `more` after a comma if both hold something.
std::string joined(std::string text, const std::string& more);

/// Runs `make` (a tensor, or an array of up to two) as one observed operation. What it returns is made where it stays.
template <class Make, class Arguments>
auto observed(const char* name, const Tensor& t, Arguments arguments, Make make) {
    const Observation observation;
    auto results = make();
    if (observation) [[unlikely]] {
        const Tensor *first = nullptr, *second = nullptr;
        if constexpr (std::is_same_v<decltype(results), Tensor>) {
            first = &results;
        } else {
            first = &results[0];
            if (results[1].defined()) second = &results[1];
        }
        const Index bytes = first->nbytes() + (second ? second->nbytes() : 0);
        const std::array<const Tensor*, 2> outputs{first, second};
        observation.publish(name, arguments(), {&t}, std::span(outputs.data(), second ? 2 : 1), OpEffect::Alloc,
                            {t.nbytes(), bytes, bytes});
    }
    return results;
}

/// Refuses an output that is read-only or names a slot twice (WRITE-01, OVERLAP-01, OVERLAP-02).
void requireOutput(const char* operation, const Tensor& out);
/// Writes `result` to `out`. @throws ShapeError (SHAPE-OUT) for another shape.
void writeOutput(const Tensor& out, const Tensor& result);

/// Runs `make` (() -> Tensor) as one observed operation that writes its result to `out`.
template <class Make, class Arguments>
const Tensor& observedOut(const char* name, const Tensor& t, const Tensor& out, Arguments arguments, Make make) {
    requireInput(name, t);
    requireInput(name, out);
    requireOutput(name, out);
    const Observation observation;
    {
        const trace::Nested nested;
        writeOutput(out, make());
    }
    if (observation)
        observation.publish(name, arguments(), {&t}, out, OpEffect::InPlace, {t.nbytes(), out.nbytes(), 0});
    return out;
}

} // namespace stridescope::reduction
