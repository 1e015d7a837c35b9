// x.sum(dim, keepdim=…) and its kin, as far as one tensor comes out.

#include "core/expr/context.h"

#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/reductions.h"

namespace stridescope::expr {

namespace {

using Reduce = Tensor (*)(const Tensor&, const ReduceDims&, bool);
struct Reduction {
    std::string_view name;
    Reduce reduce;
};
constexpr Reduction kReductions[] = {
    {"sum", [](const Tensor& t, const ReduceDims& d, bool keep) { return sum(t, d, keep); }},
    {"mean", [](const Tensor& t, const ReduceDims& d, bool keep) { return mean(t, d, keep); }},
    {"prod", [](const Tensor& t, const ReduceDims& d, bool keep) { return prod(t, d, keep); }},
    {"amax", [](const Tensor& t, const ReduceDims& d, bool keep) { return amax(t, d, keep); }},
    {"amin", [](const Tensor& t, const ReduceDims& d, bool keep) { return amin(t, d, keep); }},
    {"std", [](const Tensor& t, const ReduceDims& d, bool keep) { return stddev(t, d, 1, keep); }},
    {"var", [](const Tensor& t, const ReduceDims& d, bool keep) { return var(t, d, 1, keep); }},
};

const Reduction* findReduction(std::string_view name) {
    for (const Reduction& each : kReductions) {
        if (each.name == name) return &each;
    }
    return nullptr;
}

/// Shape and dtype of the result, or its refusal, from a tensor of the same rank that is cheap to reduce.
Tensor reducedLayout(Context& context, const Reduction& reduction, const Tensor& tensor, const ReduceDims& dims,
                     bool keepdim) {
    const Tensor probe = ones(Dims(tensor.shape().size(), 1), {tensor.dtype(), {}});
    const DType dtype = reduction.reduce(probe, dims, keepdim).dtype();
    Dims shape = tensor.shape(), left;
    std::vector<bool> gone(shape.size(), dims.all());
    for (const Index dim : dims.dims())
        if (!shape.empty()) gone[static_cast<std::size_t>(dim < 0 ? dim + tensor.dim() : dim)] = true;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (!gone[d])
            left.push_back(shape[d]);
        else if (keepdim)
            left.push_back(1);
    }
    return unmade(context, contiguousView(left).valueOrThrow(), dtype, tensor.device());
}

} // namespace

bool isReduction(std::string_view name) {
    return findReduction(name) != nullptr;
}

Value reduce(Context& context, const std::string& name, const TensorValue& self, const Arguments& arguments) {
    static const std::vector<Parameter> kParameters{{"dim", Accepts::IntOrInts, false},
                                                    {"keepdim", Accepts::Bool, false}};
    const Bound bound(name, kParameters, arguments);
    ReduceDims dims;
    if (bound.has(0)) {
        const std::optional<Index> single = asIndex(bound.value(0));
        dims = single ? ReduceDims(*single) : ReduceDims(bound.dims(0));
    }
    const bool keepdim = bound.has(1) && bound.scalar(1).toBool();
    const Reduction& reduction = *findReduction(name);
    if (context.options.dryRun) return fresh(reducedLayout(context, reduction, self.tensor, dims, keepdim));
    requireValues(context, self.tensor);
    return fresh(reduction.reduce(self.tensor, dims, keepdim));
}

} // namespace stridescope::expr
