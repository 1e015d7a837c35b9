#include "core/ops/extrema.h"

#include "core/backend/cpu/isa_table.h"
#include "core/ops/copy.h"
#include "core/ops/reduce_call.h"

#include <cstring>

namespace stridescope {

using namespace reduction;

namespace {

[[noreturn]] void refuseNothing(const char* operation) {
    refuse(ErrorKind::Runtime, "RED-03",
           std::string(operation) + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                                    "reduction dim with the 'dim' argument.",
           "Nothing is no number's largest or smallest.");
}

void foldExtremum(const Tensor& t, DimMask mask, bool maximum, const Tensor& out) {
    foldInto(t, mask, {maximum ? FoldOp::Max : FoldOp::Min, t.dtype()}, out);
}

/// max() and min() of everything.
Tensor extremum(const char* name, const char* kernel, bool maximum, const Tensor& t) {
    requireInput(name, t);
    if (t.numel() == 0) refuseNothing(name);
    if (isComplex(t.dtype())) refuseDType(kernel, t.dtype());
    return observed(
        name, t, [] { return std::string(); },
        [&] {
            const DimMask mask = maskOf(t, {});
            Tensor out = newResult(t, mask, false, t.dtype());
            foldExtremum(t, mask, maximum, out);
            return out;
        });
}

/// Positions, and values where a tensor for them is given.
Tensor positionsIn(const Tensor& x, DimMask mask, bool keepdim, bool maximum, const Tensor& values) {
    Tensor indices = newResult(x, mask, keepdim, DType::Int64);
    if (x.device().isCpu() && isShortRun(x, indices.numel()) && x.dtype() != DType::Float16) {
        const auto size = static_cast<Index>(x.itemSize());
        alignas(8) std::byte best[8];
        *indices.data<Index>() = cpu::isa().reduce.arg[maximum][cpu::indexOf(x.dtype())].row(
            best, x.storage()->data() + x.storageOffset() * size, x.numel());
        if (values.defined()) std::memcpy(values.storage()->data(), best, x.itemSize());
    } else if (indices.numel() != 0) {
        elementwise::require(kernelTable(x.device()).extremum, maximum ? "max" : "min", x)(
            {elementwise::stridedOf(x), mask, maximum, values.defined() ? values.storage()->data() : nullptr,
             reinterpret_cast<Index*>(indices.storage()->data())});
    }
    return indices;
}

ValuesAndIndices extremumAlong(const char* name, bool maximum, const Tensor& t, Index dim, bool keepdim) {
    requireInput(name, t);
    const DimMask mask = maskOf(t, dim);
    requireNonEmptyDims((std::string(name) + "()").c_str(), t, mask);
    if (isComplex(t.dtype()))
        refuse(ErrorKind::Runtime, "RED-07", std::string(name) + "(): does not support complex input",
               "Complex numbers have no order; take x.abs().");
    std::array<Tensor, 2> results = observed(
        name, t, [&] { return argumentsText(dim, keepdim); },
        [&] {
            return computeOnce(t, mask, keepdim, [&](const Tensor& x) {
                Tensor values = newResult(x, mask, keepdim, x.dtype());
                Tensor indices = positionsIn(x, mask, keepdim, maximum, values);
                return std::array<Tensor, 2>{std::move(values), std::move(indices)};
            });
        });
    return {std::move(results[0]), std::move(results[1])};
}

Tensor values(const char* name, const char* kernel, bool maximum, const Tensor& t, const ReduceDims& dims,
              bool keepdim) {
    requireInput(name, t);
    const DimMask mask = maskOf(t, dims);
    if (dims.all() && t.numel() == 0) refuseNothing(name);
    requireNonEmptyDims((std::string(name) + "()").c_str(), t, mask);
    if (isComplex(t.dtype())) refuseDType(kernel, t.dtype());
    return observed(
        name, t, [&] { return argumentsText(dims, keepdim); },
        [&] {
            return computeOnce(t, mask, keepdim, [&](const Tensor& x) {
                Tensor out = newResult(x, mask, keepdim, x.dtype());
                foldExtremum(x, mask, maximum, out);
                return out;
            });
        });
}

Tensor position(const char* name, const char* kernel, bool maximum, const Tensor& t, std::optional<Index> dim,
                bool keepdim) {
    requireInput(name, t);
    const ReduceDims dims = dim ? ReduceDims(*dim) : ReduceDims();
    const DimMask mask = maskOf(t, dims);
    if (!dim && t.numel() == 0)
        refuse(ErrorKind::Index, "RED-03",
               std::string(name) + "(): Expected reduction dim to be specified for input.numel() == 0.",
               "Nothing has no position.");
    if (dim) requireNonEmptyDims((std::string(name) + "()").c_str(), t, mask);
    // Along a dim of size 1 nothing is compared.
    const bool single = dim && t.dim() != 0 && t.size(*dim) == 1;
    if (!single && t.numel() != 0 && (isComplex(t.dtype()) || t.dtype() == DType::Bool)) refuseDType(kernel, t.dtype());
    return observed(
        name, t, [&] { return argumentsText(dims, keepdim); },
        [&] {
            if (single) {
                const trace::Nested nested;
                Tensor first = newResult(t, mask, keepdim, DType::Int64);
                fill_(first, Scalar(Index{0}));
                return first;
            }
            return computeOnce(t, mask, keepdim,
                               [&](const Tensor& x) { return positionsIn(x, mask, keepdim, maximum, Tensor()); });
        });
}

} // namespace

Tensor max(const Tensor& t) {
    return extremum("max", "max_all", true, t);
}
Tensor min(const Tensor& t) {
    return extremum("min", "min_all", false, t);
}
ValuesAndIndices max(const Tensor& t, Index dim, bool keepdim) {
    return extremumAlong("max", true, t, dim, keepdim);
}
ValuesAndIndices min(const Tensor& t, Index dim, bool keepdim) {
    return extremumAlong("min", false, t, dim, keepdim);
}
Tensor amax(const Tensor& t, const ReduceDims& dims, bool keepdim) {
    return values("amax", "max_values_cpu", true, t, dims, keepdim);
}
Tensor amin(const Tensor& t, const ReduceDims& dims, bool keepdim) {
    return values("amin", "min_values_cpu", false, t, dims, keepdim);
}

MinAndMax aminmax(const Tensor& t, std::optional<Index> dim, bool keepdim) {
    requireInput("aminmax", t);
    const ReduceDims dims = dim ? ReduceDims(*dim) : ReduceDims();
    const DimMask mask = maskOf(t, dims);
    if (!dim && t.numel() == 0)
        refuse(ErrorKind::Runtime, "RED-03",
               "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
               "Nothing is no number's largest or smallest.");
    requireNonEmptyDims("aminmax", t, mask);
    if (isComplex(t.dtype()) || t.dtype() == DType::Float16) refuseDType("aminmax_cpu", t.dtype());
    const auto arguments = [&] {
        return joined(dim ? "dim=" + std::to_string(*dim) : std::string(), keepdim ? "keepdim=True" : "");
    };
    std::array<Tensor, 2> results = observed("aminmax", t, arguments, [&] {
        return computeOnce(t, mask, keepdim, [&](const Tensor& x) {
            std::array<Tensor, 2> both{newResult(x, mask, keepdim, x.dtype()), newResult(x, mask, keepdim, x.dtype())};
            foldExtremum(x, mask, false, both[0]);
            foldExtremum(x, mask, true, both[1]);
            // As PyTorch (amin and amax keep the shape {}).
            if (dim && keepdim && x.dim() == 0)
                for (Tensor& t1 : both) t1 = t1.withView(View{{1}, {1}, t1.storageOffset()});
            return both;
        });
    });
    return {std::move(results[0]), std::move(results[1])};
}

Tensor argmax(const Tensor& t, std::optional<Index> dim, bool keepdim) {
    return position("argmax", "argmax_cpu", true, t, dim, keepdim);
}
Tensor argmin(const Tensor& t, std::optional<Index> dim, bool keepdim) {
    return position("argmin", "argmin_cpu", false, t, dim, keepdim);
}

} // namespace stridescope
