#include "core/ops/linalg_refine.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace stridescope::linalg {

namespace {

/// An unevaluated sum of two doubles, some 106 bits: error-free sums and products (Knuth, Dekker).
struct Twice {
    double high = 0, low = 0;

    void add(double value) {
        const double sum = high + value, part = sum - high;
        low += (high - (sum - part)) + (value - part);
        high = sum;
    }
    void addProduct(double x, double y) {
        const double product = x * y;
        add(product);
        low += std::fma(x, y, -product);
    }
    double value() const { return high + low; }
};

/// A^T A = L L^T, the n x n lower triangle by rows; false where that breaks down.
bool normalFactor(const double* a, Index m, Index n, std::vector<double>& l) {
    const auto at = [n](Index i, Index j) { return static_cast<std::size_t>(i * n + j); };
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
            Twice sum;
            for (Index r = 0; r < m; ++r) sum.addProduct(a[r * n + i], a[r * n + j]);
            for (Index k = 0; k < j; ++k) sum.addProduct(-l[at(i, k)], l[at(j, k)]);
            if (i != j) {
                l[at(i, j)] = sum.value() / l[at(j, j)];
                continue;
            }
            if (!(sum.value() > 0)) return false;
            l[at(i, i)] = std::sqrt(sum.value());
        }
    return true;
}

/// Solves L L^T d = g in place.
void normalSolve(const std::vector<double>& l, Index n, std::vector<double>& g) {
    const auto at = [n](Index i, Index j) { return static_cast<std::size_t>(i * n + j); };
    for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < i; ++k) g[static_cast<std::size_t>(i)] -= l[at(i, k)] * g[static_cast<std::size_t>(k)];
        g[static_cast<std::size_t>(i)] /= l[at(i, i)];
    }
    for (Index i = n; i-- > 0;) {
        for (Index k = i + 1; k < n; ++k)
            g[static_cast<std::size_t>(i)] -= l[at(k, i)] * g[static_cast<std::size_t>(k)];
        g[static_cast<std::size_t>(i)] /= l[at(i, i)];
    }
}

/// One right side: `b` with `stepB` from row to row, `x` the n unknowns. Gives |A x - b|^2, or nothing where the
/// corrections do not shrink; then x is as it was.
std::optional<double> refined(const double* a, Index m, Index n, const std::vector<double>& l, const double* b,
                              Index stepB, double* x) {
    // An unknown that is 0 loses some 50 bits with each step: 1e-15, 1e-30, ... so many steps take it to the last.
    constexpr int kSteps = 32;
    const std::vector<double> before(x, x + n);
    std::vector<Twice> residual(static_cast<std::size_t>(m));
    const auto find = [&] {
        for (Index r = 0; r < m; ++r) {
            Twice rest;
            rest.add(b[r * stepB]);
            for (Index j = 0; j < n; ++j) rest.addProduct(-a[r * n + j], x[j]);
            residual[static_cast<std::size_t>(r)] = rest;
        }
    };
    double last = std::numeric_limits<double>::infinity();
    std::vector<double> change(static_cast<std::size_t>(n));
    for (int step = 0; step < kSteps; ++step) {
        find();
        for (Index j = 0; j < n; ++j) {
            Twice sum;
            for (Index r = 0; r < m; ++r) {
                sum.addProduct(a[r * n + j], residual[static_cast<std::size_t>(r)].high);
                sum.addProduct(a[r * n + j], residual[static_cast<std::size_t>(r)].low);
            }
            change[static_cast<std::size_t>(j)] = sum.value();
        }
        normalSolve(l, n, change);
        double size = 0, most = 0;
        bool moved = false;
        for (Index j = 0; j < n; ++j) {
            const double next = x[j] + change[static_cast<std::size_t>(j)];
            moved = moved || next != x[j];
            most = std::max(most, std::fabs(next));
            size = std::max(size, std::fabs(change[static_cast<std::size_t>(j)]));
        }
        if (!moved) break;
        // The first change must be no more than the error of a good solution, the others less and less.
        if (!std::isfinite(size) || (step == 0 && size > 1e-6 * most)) {
            std::copy(before.begin(), before.end(), x);
            return std::nullopt;
        }
        if (size >= last) break;
        last = size;
        for (Index j = 0; j < n; ++j) x[j] += change[static_cast<std::size_t>(j)];
    }
    for (Index j = 0; j < n; ++j) // as far down as doubles go: it stays there
        if (std::fabs(x[j]) < std::numeric_limits<double>::min()) x[j] = 0;
    find();
    Twice squares;
    for (const Twice& r : residual) squares.addProduct(r.value(), r.value());
    return squares.value();
}

} // namespace

Tensor refineLeastSquares(const Tensor& a, const Tensor& b, cpu::Matrices& x) {
    constexpr Index kSmall = 4096; // elements of A
    const Index m = a.size(-2), n = a.size(-1), sides = x.cols;
    if (isComplex(a.dtype()) || x.work() != DType::Float64 || m < n || n == 0 || m * n > kSmall) return {};
    const Tensor left = contiguous(to(a, DType::Float64)), right = contiguous(to(b, DType::Float64));
    Dims shape = batchOf(a);
    shape.push_back(sides);
    Tensor squares = zeros(shape, {DType::Float64, Device{}});
    std::vector<double> factor(static_cast<std::size_t>(n * n));
    bool all = true;
    for (Index i = 0; i < x.batch; ++i) {
        const double* const matrix = left.data<double>() + i * m * n;
        if (!normalFactor(matrix, m, n, factor)) return {};
        for (Index s = 0; s < sides; ++s) {
            double* const unknowns = x.tensor.data<double>() + (i * sides + s) * x.rows; // column-major
            const std::optional<double> sum =
                refined(matrix, m, n, factor, right.data<double>() + i * m * sides + s, sides, unknowns);
            all = all && sum.has_value();
            squares.data<double>()[i * sides + s] = sum.value_or(0);
        }
    }
    return all ? squares : Tensor();
}

} // namespace stridescope::linalg
