#include "core/ops/differences.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/joining_call.h"
#include "core/ops/matmul.h"
#include "core/ops/observed_call.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/warning.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

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
Tensor widths(const char* name, const Tensor& y, const Tensor& x, Index dim) {
    if (x.dim() == 1 && x.size(0) != y.size(dim))
        refuse("DIFF-04", std::string(name) + ": There must be one `x` value for each sample point",
               "y has " + std::to_string(y.size(dim)) + " points along dim " + std::to_string(dim) + ", x has " +
                   std::to_string(x.numel()) + ".");
    // As in PyTorch `dim` is counted in y; x gets dims of size 1 in front, but of more dims than y it counts there too.
    Tensor places = x;
    if (x.dim() == 1 && y.dim() > 1) { // along the dim of y
        Dims shape(static_cast<std::size_t>(y.dim()), 1);
        shape[static_cast<std::size_t>(dim)] = x.size(0);
        places = reshape(x, shape);
    }
    while (places.dim() < y.dim()) places = unsqueeze(places, 0);
    return sub(later(places, dim), earlier(places, dim));
}

/// Numbers are what can be halved; PyTorch refuses only bools.
void requireNumbers(const std::string& name, const Tensor& y, const Tensor* x) {
    if (y.dtype() != DType::Bool && !(x && x->dtype() == DType::Bool)) return;
    refuse("DIFF-03",
           name + ": received a bool input for " + (x ? "`x` or `y`" : "`y`") + ", but bool is not supported",
           "Count with to(torch.int64) first.");
}

/// Can `more` stand before or behind `t` along dim `d`?
void requireBeside(const Tensor& t, const Tensor& more, Index d) {
    if (!more.defined()) return;
    if (more.dim() != t.dim())
        refuse("DIFF-04", "diff expects prepend or append to be the same dimension as input",
               "It has " + std::to_string(more.dim()) + " dims, input has " + std::to_string(t.dim()) + ".");
    for (Index i = 0; i < t.dim(); ++i)
        if (i != d && more.size(i) != t.size(i))
            refuse("DIFF-04",
                   "diff expects the shape of tensor to prepend or append to match that of input except along the "
                   "differencing dimension; input.size(" +
                       std::to_string(i) + ") = " + std::to_string(t.size(i)) + ", but got tensor.size(" +
                       std::to_string(i) + ") = " + std::to_string(more.size(i)),
                   "expand() repeats one row.");
}

/// Twice the areas between neighbours, but for a common width.
Tensor doubledAreas(const char* name, const Tensor& y, const Tensor* x, Index dim) {
    const Index d = wrapDim(dim, y.dim()).valueOrThrow();
    const Tensor sums = pairs(y, d);
    return x ? mul(sums, widths(name, y, *x, d)) : sums;
}

/// As areas are, after all of a line were added: one multiplication for each result. Integers become float here.
Tensor asAreas(const Tensor& doubled, const Tensor* x, double dx) {
    return x ? div(doubled, 2) : mul(doubled, dx / 2);
}

/// With one width for all, PyTorch takes half of both ends from the sum of all points: its last digit.
Tensor evenIntegral(const Tensor& y, double dx, Index dim) {
    const Tensor ends = add(select(y, dim, 0), select(y, dim, -1));
    return mul(sub(sum(y, dim), mul(ends, 0.5)), dx);
}

/// The sums of no points are zeros in the dtype of y.
Tensor integral(const Tensor& y, const Tensor* x, double dx, Index dim) {
    requireDefined(y, "trapezoid");
    if (x) requireDefined(*x, "trapezoid");
    // With x the dim is counted before the sizes are asked for; so does PyTorch.
    if (x) dim = wrapDim(dim, y.dim()).valueOrThrow();
    joining::requireDims(y, dim);
    if (y.size(dim = wrapDim(dim, y.dim()).valueOrThrow()) == 0) return sum(y, dim, false, y.dtype());
    requireNumbers("trapezoid", y, x);
    return x ? asAreas(sum(doubledAreas("trapezoid", y, x, dim), dim), x, dx) : evenIntegral(y, dx, dim);
}
Tensor running(const Tensor& y, const Tensor* x, double dx, Index dim) {
    requireDefined(y, "cumulative_trapezoid");
    if (x) requireDefined(*x, "cumulative_trapezoid");
    requireNumbers("cumulative_trapezoid", y, x);
    if (x) dim = wrapDim(dim, y.dim()).valueOrThrow();
    if (y.dim() == 0) (void)slice(y, 0, {}, {}); // refused there
    return asAreas(cumsum(doubledAreas("cumulative_trapezoid", y, x, dim), dim), x, dx);
}

} // namespace

Tensor diff(const Tensor& t, Index n, Index dim, const Tensor& prepend, const Tensor& append) {
    requireDefined(t, "diff");
    if (t.dim() == 0)
        refuse("DIFF-01", "diff expects input to be at least one-dimensional", "One number has no neighbours.");
    // Of no differences PyTorch gives a copy, whatever `dim` is, and leaves out what stands beside.
    const bool beside = prepend.defined() || append.defined();
    const Index d = n == 0 && !beside ? 0 : wrapDim(dim, t.dim()).valueOrThrow();
    for (const Tensor* more : {&prepend, &append}) requireBeside(t, *more, d);
    return newTensors(
        "diff",
        [&] {
            Inputs inputs{&t};
            for (const Tensor* more : {&prepend, &append})
                if (more->defined()) inputs.push_back(more);
            return inputs;
        },
        [&] {
            if (n == 0) return clone(t);
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
        "trapezoid", [&] { return Inputs{&y}; }, [&] { return integral(y, nullptr, dx, dim); },
        [&] { return dimText(dim, dx == 1 ? "" : "dx=" + toString(Scalar(dx))); });
}
Tensor trapezoid(const Tensor& y, const Tensor& x, Index dim) {
    return newTensors(
        "trapezoid",
        [&] {
            return Inputs{&y, &x};
        },
        [&] { return integral(y, &x, 1, dim); }, [&] { return dimText(dim); });
}
Tensor cumulativeTrapezoid(const Tensor& y, double dx, Index dim) {
    return newTensors(
        "cumulative_trapezoid", [&] { return Inputs{&y}; }, [&] { return running(y, nullptr, dx, dim); },
        [&] { return dimText(dim, dx == 1 ? "" : "dx=" + toString(Scalar(dx))); });
}
Tensor cumulativeTrapezoid(const Tensor& y, const Tensor& x, Index dim) {
    return newTensors(
        "cumulative_trapezoid",
        [&] {
            return Inputs{&y, &x};
        },
        [&] { return running(y, &x, 1, dim); }, [&] { return dimText(dim); });
}

namespace {

void requireWeights(const char* name, const Tensor& w, Index observations, bool whole) {
    const auto expected = [&](const std::string& what) {
        refuse("DIFF-04", "cov(): expected " + std::string(name) + " to have " + what,
               "One weight for each observation.");
    };
    const std::string got = " but got " + std::string(name) + " with ";
    if (w.dim() > 1) expected("one or fewer dimensions" + got + std::to_string(w.dim()) + " dimensions");
    if (whole ? !isIntegral(w.dtype()) : !isFloating(w.dtype()))
        expected(std::string(whole ? "integral" : "floating point") + " dtype" + got +
                 std::string(scalarTypeName(w.dtype())) + " dtype");
    if (w.numel() != observations)
        expected("the same numel as there are observations in the input but got " + std::to_string(w.numel()) +
                 " != " + std::to_string(observations));
    if (observations > 0 && item(min(w)).toDouble() < 0)
        refuse("DIFF-04", "cov(): " + std::string(name) + " cannot be negative", "Leave an observation out with 0.");
}

} // namespace

Tensor cov(const Tensor& t, Index correction, const Tensor& frequencies, const Tensor& weights) {
    requireDefined(t, "cov");
    if (t.dim() > 2)
        refuse("DIFF-03",
               "cov(): expected input to have two or fewer dimensions but got an input with " +
                   std::to_string(t.dim()) + " dimensions",
               "Rows are variables, columns observations.");
    if (t.dtype() == DType::Bool)
        refuse("DIFF-02", "cov(): bool dtype is not supported for input", "Convert it first: x.float().");
    const Index observations = t.dim() < 2 ? t.numel() : t.size(1);
    if (frequencies.defined()) requireWeights("fweights", frequencies, observations, true);
    if (weights.defined()) requireWeights("aweights", weights, observations, false);
    return newTensors(
        "cov",
        [&] {
            Inputs inputs{&t};
            if (frequencies.defined()) inputs.push_back(&frequencies);
            if (weights.defined()) inputs.push_back(&weights);
            return inputs;
        },
        [&] {
            const bool whole = !isFloating(t.dtype()) && !isComplex(t.dtype());
            const Tensor rows = reshape(whole ? to(t, defaultDType()) : t, {t.dim() < 2 ? 1 : t.size(0), observations});
            const Tensor w = !frequencies.defined() ? weights
                             : weights.defined()    ? mul(frequencies, weights)
                                                    : frequencies;
            const auto weighed = [&](const Tensor& x) { return w.defined() ? mul(x, w) : x; };
            const double total = w.defined() ? item(sum(w)).toDouble() : static_cast<double>(rows.size(1));
            if (w.defined() && total == 0)
                refuse("DIFF-04", "cov(): weights sum to zero, can't be normalized", "Give one that is more than 0.");
            const Tensor centred =
                sub(rows, w.defined() ? div(sum(weighed(rows), 1, true), total) : mean(rows, 1, true));
            const Tensor products = matmul(centred, conj(transpose(weighed(centred), 0, 1)));
            // In the dtype of the weights, as PyTorch rounds it: the last printed digit may depend on it.
            const Tensor less = weights.defined() && correction != 0
                                    ? div(mul(sum(mul(w, weights)), correction), sum(w))
                                    : full({}, correction);
            const double norm =
                w.defined() ? item(sub(sum(w), less)).toDouble() : total - static_cast<double>(correction);
            if (norm <= 0) warn("cov(): degrees of freedom is <= 0");
            const Tensor result = div(products, std::max(norm, 0.0));
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

namespace {

/// Euclidean distances between the rows of two float32 matrices on the CPU. Differences are rounded as sub() rounds
/// them, squares are added in float64: without the tensor of all differences, one row of results at a time. Nothing
/// where a square does not fit float32, though its root may.
std::optional<Tensor> euclideanDistances(const Tensor& a, const Tensor& b) {
    constexpr double kGreatest = std::numeric_limits<float>::max(), kLeast = std::numeric_limits<float>::min();
    constexpr Index kBlock = 512; // columns of results whose sums stay in the nearest cache
    const Index m = a.size(0), n = b.size(0), width = a.size(1);
    const Tensor rows = contiguous(a), columns = contiguous(transpose(b, 0, 1));
    const Tensor result = elementwise::newResult({m, n}, elementwise::rowMajorStrides({m, n}), DType::Float32, {});
    const float *const row = rows.data<float>(), *const column = columns.data<float>();
    float* const out = result.data<float>();
    std::array<double, kBlock> squares;
    for (Index start = 0; start < n; start += kBlock) {
        const Index count = std::min(kBlock, n - start);
        for (Index i = 0; i < m; ++i) {
            std::fill_n(squares.begin(), count, 0.0);
            const auto squared = [](float x, float y) {
                const float difference = x - y;
                return static_cast<double>(difference) * difference;
            };
            const float* const x = row + i * width;
            Index k = 0;
            for (; k + 1 < width; k += 2) { // two at a time: half as often to the sums and back
                const float *const y = column + k * n + start, *const z = y + n;
                for (Index j = 0; j < count; ++j)
                    squares[static_cast<std::size_t>(j)] += squared(x[k], y[j]) + squared(x[k + 1], z[j]);
            }
            for (; k < width; ++k) {
                const float* const y = column + k * n + start;
                for (Index j = 0; j < count; ++j) squares[static_cast<std::size_t>(j)] += squared(x[k], y[j]);
            }
            float* const to = out + i * n + start;
            bool fits = true;
            for (Index j = 0; j < count; ++j) {
                const double square = squares[static_cast<std::size_t>(j)];
                fits &= (square <= kGreatest) & ((square >= kLeast) | (square == 0));
                to[j] = static_cast<float>(square);
            }
            if (!fits) return std::nullopt;
        }
    }
    return sqrt_(result);
}

} // namespace

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
    if (a.dtype() != b.dtype() && a.size(-2) != 0 && b.size(-2) != 0)
        refuse("DIFF-02",
               "expected scalar type " + std::string(scalarTypeName(a.dtype())) + " but found " +
                   std::string(scalarTypeName(b.dtype())),
               "Convert one of them with to().");
    return newTensors(
        "cdist",
        [&] {
            return Inputs{&a, &b};
        },
        [&] {
            const bool direct = p == 2 && a.dim() == 2 && b.dim() == 2 && a.dtype() == DType::Float32 &&
                                b.dtype() == DType::Float32 && a.device().isCpu() && b.device().isCpu();
            if (direct)
                if (const std::optional<Tensor> distances = euclideanDistances(a, b)) return *distances;
            return norm(sub(unsqueeze(a, -2), unsqueeze(b, -3)), p, -1);
        },
        [&] { return p == 2 ? std::string() : "p=" + toString(Scalar(p)); });
}

Tensor pdist(const Tensor& t, double p) {
    requireDefined(t, "pdist");
    if (t.dim() != 2)
        refuse("DIFF-02", "pdist only supports 2D tensors, got: " + std::to_string(t.dim()) + "D", "Rows are points.");
    if (!isFloating(t.dtype()))
        refuse("DIFF-02", "pdist only supports floating-point dtypes", "Convert it first: x.float().");
    if (!(p >= 0)) refuse("DIFF-04", "pdist only supports non-negative p values", "p is " + toString(Scalar(p)) + ".");
    return newTensors(
        "pdist", [&] { return Inputs{&t}; },
        [&] {
            const Tensor pairs = to(triuIndices(t.size(0), t.size(0), 1), t.device());
            const Tensor first = indexSelect(t, 0, select(pairs, 0, 0)),
                         second = indexSelect(t, 0, select(pairs, 0, 1));
            // Points without coordinates are where they are: no norm of nothing is asked for.
            return t.size(1) == 0 ? zeros({first.size(0)}, {t.dtype(), t.device()}) : norm(sub(first, second), p, 1);
        },
        [&] { return p == 2 ? std::string() : "p=" + toString(Scalar(p)); });
}

Tensor pairwiseDistance(const Tensor& a, const Tensor& b, double p, double eps, bool keepdim) {
    requireDefined(a, "pairwise_distance");
    requireDefined(b, "pairwise_distance");
    return newTensors(
        "pairwise_distance",
        [&] {
            return Inputs{&a, &b};
        },
        [&] { return norm(add(sub(a, b), Scalar(eps)), p, -1, keepdim); },
        [&] { return p == 2 ? std::string() : "p=" + toString(Scalar(p)); });
}

Tensor cosineSimilarity(const Tensor& a, const Tensor& b, Index dim, double eps) {
    requireDefined(a, "cosine_similarity");
    requireDefined(b, "cosine_similarity");
    const DType common = resultType(std::array{promotionOperand(a), promotionOperand(b)});
    if (!isFloating(common))
        refuse("DIFF-02",
               "expected common dtype to be floating point, yet common dtype is " + std::string(scalarTypeName(common)),
               "Convert them first: x.float().");
    return newTensors(
        "cosine_similarity",
        [&] {
            return Inputs{&a, &b};
        },
        [&] {
            const std::vector<Tensor> both = broadcastTensors({to(a, common), to(b, common)});
            const auto unit = [&](const Tensor& t) {
                return div(t, sqrt(clamp(sum(mul(t, t), dim, true), MathInput(eps * eps), std::nullopt)));
            };
            return sum(mul(unit(both[0]), unit(both[1])), dim);
        },
        [&] { return dim == 1 ? std::string() : "dim=" + std::to_string(dim); });
}

} // namespace stridescope
