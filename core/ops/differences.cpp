#include "core/ops/differences.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/joining.h"
#include "core/ops/matmul.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/view_ops.h"

#include <algorithm>

namespace stridescope {

namespace {

using elementwise::requireDefined;
using observed::Inputs;
using observed::newTensors;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

std::string dimText(Index dim, std::string before = {}) {
    if (dim == -1) return before;
    return before + (before.empty() ? "" : ", ") + "dim=" + std::to_string(dim);
}

/// Without the first, and without the last, slice along a dim.
Tensor later(const Tensor& t, Index dim) {
    return narrow(t, dim, std::min<Index>(1, t.size(dim)), std::max<Index>(t.size(dim) - 1, 0));
}
Tensor earlier(const Tensor& t, Index dim) {
    return narrow(t, dim, 0, std::max<Index>(t.size(dim) - 1, 0));
}

/// The heights between neighbours, times two, and their widths.
Tensor pairs(const Tensor& y, Index dim) {
    return add(later(y, dim), earlier(y, dim));
}
Tensor widths(const Tensor& y, const Tensor& x, Index dim) {
    Tensor places = x;
    if (x.dim() == 1 && y.dim() > 1) { // along the dim of y
        Dims shape(static_cast<std::size_t>(y.dim()), 1);
        shape[static_cast<std::size_t>(dim)] = x.size(0);
        places = reshape(x, shape);
    }
    const Index along = places.dim() - (y.dim() - dim);
    const Index d = wrapDim(along, places.dim()).valueOrThrow();
    return sub(later(places, d), earlier(places, d));
}

/// The areas between neighbours. `y` of integers becomes float first.
Tensor areas(const Tensor& y, const Tensor* x, double dx, Index dim) {
    requireDefined(y, "trapezoid");
    if (x) requireDefined(*x, "trapezoid");
    if (y.dim() == 0)
        refuse("DIFF-01", "trapezoid: expected a tensor of at least one dim, but got one of none",
               "One number has no neighbours.");
    const Index d = wrapDim(dim, y.dim()).valueOrThrow();
    const Tensor sums = pairs(y, d);
    return x ? div(mul(sums, widths(y, *x, d)), 2) : mul(sums, dx / 2);
}

} // namespace

Tensor diff(const Tensor& t, Index n, Index dim, const Tensor& prepend, const Tensor& append) {
    requireDefined(t, "diff");
    if (t.dim() == 0)
        refuse("DIFF-01", "diff expects input to be at least one-dimensional", "One number has no neighbours.");
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    return newTensors(
        "diff",
        [&] {
            Inputs inputs{&t};
            for (const Tensor* more : {&prepend, &append})
                if (more->defined()) inputs.push_back(more);
            return inputs;
        },
        [&] {
            Tensor x = t;
            if (prepend.defined()) x = cat({prepend, x}, d);
            if (append.defined()) x = cat({x, append}, d);
            for (Index i = 0; i < n && x.size(d) > 0; ++i)
                x = t.dtype() == DType::Bool ? logicalXor(later(x, d), earlier(x, d)) : sub(later(x, d), earlier(x, d));
            return x.storage() == t.storage() ? clone(x) : x;
        },
        [&] { return dimText(dim, n == 1 ? "" : std::to_string(n)); });
}

Tensor trapezoid(const Tensor& y, double dx, Index dim) {
    return newTensors(
        "trapezoid", [&] { return Inputs{&y}; }, [&] { return sum(areas(y, nullptr, dx, dim), dim); },
        [&] { return dimText(dim, dx == 1 ? "" : "dx=" + toString(Scalar(dx))); });
}
Tensor trapezoid(const Tensor& y, const Tensor& x, Index dim) {
    return newTensors(
        "trapezoid",
        [&] {
            return Inputs{&y, &x};
        },
        [&] { return sum(areas(y, &x, 1, dim), dim); }, [&] { return dimText(dim); });
}
Tensor cumulativeTrapezoid(const Tensor& y, double dx, Index dim) {
    return newTensors(
        "cumulative_trapezoid", [&] { return Inputs{&y}; }, [&] { return cumsum(areas(y, nullptr, dx, dim), dim); },
        [&] { return dimText(dim, dx == 1 ? "" : "dx=" + toString(Scalar(dx))); });
}
Tensor cumulativeTrapezoid(const Tensor& y, const Tensor& x, Index dim) {
    return newTensors(
        "cumulative_trapezoid",
        [&] {
            return Inputs{&y, &x};
        },
        [&] { return cumsum(areas(y, &x, 1, dim), dim); }, [&] { return dimText(dim); });
}

Tensor cov(const Tensor& t, Index correction) {
    requireDefined(t, "cov");
    if (t.dim() > 2)
        refuse("DIFF-03",
               "cov(): expected input to have two or fewer dimensions but got an input with " +
                   std::to_string(t.dim()) + " dimensions",
               "Rows are variables, columns observations.");
    if (t.dtype() == DType::Bool)
        refuse("DIFF-02", "cov(): bool dtype is not supported for input", "Convert it first: x.float().");
    return newTensors(
        "cov", [&] { return Inputs{&t}; },
        [&] {
            const bool whole = !isFloating(t.dtype()) && !isComplex(t.dtype());
            const Tensor rows = reshape(whole ? to(t, defaultDType()) : t, {t.dim() < 2 ? 1 : t.size(0), -1});
            const Tensor centred = sub(rows, mean(rows, 1, true));
            const double count = std::max(static_cast<double>(rows.size(1) - correction), 0.0);
            const Tensor result = div(matmul(centred, conj(transpose(centred, 0, 1))), count);
            return rows.size(0) == 1 ? reshape(result, {}) : result; // one variable: its variance
        },
        [&] { return correction == 1 ? std::string() : "correction=" + std::to_string(correction); });
}

Tensor corrcoef(const Tensor& t) {
    requireDefined(t, "corrcoef");
    if (t.dim() > 2)
        refuse("DIFF-03",
               "corrcoef(): expected input to have two or fewer dimensions but got an input with " +
                   std::to_string(t.dim()) + " dimensions",
               "Rows are variables, columns observations.");
    return newTensors(
        "corrcoef", [&] { return Inputs{&t}; },
        [&] {
            const Tensor c = cov(t);
            if (c.dim() == 0) return div(c, c);
            const Tensor deviations = sqrt(real(diagonal(c)));
            const Tensor scaled = div(div(c, unsqueeze(deviations, 1)), unsqueeze(deviations, 0));
            if (isComplex(scaled.dtype())) return scaled;
            return clamp(scaled, MathInput(-1), MathInput(1)); // rounding may lead a little beyond
        },
        [] { return std::string(); });
}

Tensor cdist(const Tensor& a, const Tensor& b, double p) {
    requireDefined(a, "cdist");
    requireDefined(b, "cdist");
    const std::pair<const Tensor*, const char*> both[] = {{&a, "X1"}, {&b, "X2"}};
    for (const auto& [t, name] : both)
        if (!isFloating(t->dtype()))
            refuse("DIFF-02",
                   std::string("cdist only supports floating-point dtypes, ") + name +
                       " got: " + std::string(scalarTypeName(t->dtype())),
                   "Convert it first: x.float().");
    for (const auto& [t, name] : both)
        if (t->dim() < 2)
            refuse("DIFF-02",
                   std::string("cdist only supports at least 2D tensors, ") + name +
                       " got: " + std::to_string(t->dim()) + "D",
                   "Rows are points.");
    if (!(p >= 0)) refuse("DIFF-04", "cdist only supports non-negative p values", "p is " + toString(Scalar(p)) + ".");
    if (a.size(-1) != b.size(-1))
        refuse("DIFF-04",
               "X1 and X2 must have the same number of columns. X1: " + std::to_string(a.size(-1)) +
                   " X2: " + std::to_string(b.size(-1)),
               "Points of one space have as many numbers.");
    return newTensors(
        "cdist",
        [&] {
            return Inputs{&a, &b};
        },
        [&] { return norm(sub(unsqueeze(a, -2), unsqueeze(b, -3)), p, -1); },
        [&] { return p == 2 ? std::string() : "p=" + toString(Scalar(p)); });
}

} // namespace stridescope
