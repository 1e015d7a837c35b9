#include "core/ops/linalg_refine.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
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

/// What is to be solved: A {m, n} by rows, and what a change of the unknowns must be to take a residual away.
template <class Correct>
struct System {
    const double* a;
    Index m, n;
    Correct correct; ///< (residuals, change): m residuals to n corrections

    void residuals(const double* b, Index stepB, const double* x, std::vector<Twice>& rest) const {
        for (Index r = 0; r < m; ++r) {
            Twice sum;
            sum.add(b[r * stepB]);
            for (Index j = 0; j < n; ++j) sum.addProduct(-a[r * n + j], x[j]);
            rest[static_cast<std::size_t>(r)] = sum;
        }
    }
};

/// Unknowns that are nothing beside the largest become 0 if then nothing at all is left of the residuals.
template <class Correct>
bool tryZeros(const System<Correct>& system, const double* b, Index stepB, double* x, std::vector<Twice>& rest) {
    constexpr double kNothing = 1e-12;
    double most = 0;
    for (Index j = 0; j < system.n; ++j) most = std::max(most, std::fabs(x[j]));
    std::vector<double> rounded(x, x + system.n);
    bool any = false;
    for (double& value : rounded)
        if (value != 0 && std::fabs(value) < kNothing * most) {
            value = 0;
            any = true;
        }
    if (!any) return false;
    system.residuals(b, stepB, rounded.data(), rest);
    for (const Twice& r : rest)
        if (r.value() != 0) return false;
    std::copy(rounded.begin(), rounded.end(), x);
    return true;
}

/// What LAPACK found to be 0 and is 0 keeps its sign, which PyTorch prints.
void keepZeros(const std::vector<double>& before, double* x) {
    for (std::size_t j = 0; j < before.size(); ++j)
        if (x[j] == 0 && before[j] == 0) x[j] = before[j];
}

/// One right side: `b` with `stepB` from row to row, `x` the n unknowns. Leaves A x - b in `rest`. False where the
/// corrections do not shrink; then x is as it was.
template <class Correct>
bool refine(const System<Correct>& system, const double* b, Index stepB, double* x, std::vector<Twice>& rest) {
    // An unknown that is 0 loses some 50 bits with each step: 1e-15, 1e-30, ... so many steps take it to the last.
    constexpr int kSteps = 32;
    const Index n = system.n;
    const std::vector<double> before(x, x + n);
    std::vector<double> change(static_cast<std::size_t>(n));
    double last = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kSteps; ++step) {
        if (tryZeros(system, b, stepB, x, rest)) {
            keepZeros(before, x);
            return true;
        }
        system.residuals(b, stepB, x, rest);
        system.correct(rest, change);
        double size = 0, most = 0;
        bool moved = false;
        for (Index j = 0; j < n; ++j) {
            const double by = change[static_cast<std::size_t>(j)], next = x[j] + by;
            moved = moved || next != x[j];
            most = std::max(most, std::fabs(next));
            size = std::isfinite(by) ? std::max(size, std::fabs(by)) : std::numeric_limits<double>::infinity();
            if (!std::isfinite(size)) break;
        }
        // The first change must be no more than the error of a good solution, the others less and less.
        if (!std::isfinite(size) || (step == 0 && size > 1e-6 * most)) {
            std::copy(before.begin(), before.end(), x);
            return false;
        }
        if (!moved || size >= last) break;
        last = size;
        for (Index j = 0; j < n; ++j) x[j] += change[static_cast<std::size_t>(j)];
    }
    for (Index j = 0; j < n; ++j) // as far down as doubles go: it stays there
        if (std::fabs(x[j]) < std::numeric_limits<double>::min()) x[j] = 0;
    keepZeros(before, x);
    system.residuals(b, stepB, x, rest);
    return true;
}

/// Solves P L U d = r, or (P L U)^T d = r, with LAPACK's factors (column-major, exchanges counted from 1).
void factorSolve(const double* lu, const int* pivots, Index n, bool transpose, const std::vector<Twice>& r,
                 std::vector<double>& d) {
    const auto at = [&d](Index i) -> double& { return d[static_cast<std::size_t>(i)]; };
    for (Index i = 0; i < n; ++i) at(i) = r[static_cast<std::size_t>(i)].value();
    if (transpose) {
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i < j; ++i) at(j) -= lu[j * n + i] * at(i);
            at(j) /= lu[j * n + j];
        }
        for (Index j = n; j-- > 0;)
            for (Index i = j + 1; i < n; ++i) at(j) -= lu[j * n + i] * at(i);
        for (Index i = n; i-- > 0;) std::swap(at(i), at(pivots[i] - 1));
        return;
    }
    for (Index i = 0; i < n; ++i) std::swap(at(i), at(pivots[i] - 1));
    for (Index j = 0; j < n; ++j)
        for (Index i = j + 1; i < n; ++i) at(i) -= lu[j * n + i] * at(j);
    for (Index j = n; j-- > 0;) {
        at(j) /= lu[j * n + j];
        for (Index i = 0; i < j; ++i) at(i) -= lu[j * n + i] * at(j);
    }
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
    std::vector<Twice> rest(static_cast<std::size_t>(m));
    bool all = true;
    for (Index i = 0; i < x.batch; ++i) {
        const double* const matrix = left.data<double>() + i * m * n;
        if (!normalFactor(matrix, m, n, factor)) return {};
        const auto correct = [&](const std::vector<Twice>& residuals, std::vector<double>& change) {
            for (Index j = 0; j < n; ++j) {
                Twice sum;
                for (Index r = 0; r < m; ++r) {
                    sum.addProduct(matrix[r * n + j], residuals[static_cast<std::size_t>(r)].high);
                    sum.addProduct(matrix[r * n + j], residuals[static_cast<std::size_t>(r)].low);
                }
                change[static_cast<std::size_t>(j)] = sum.value();
            }
            normalSolve(factor, n, change);
        };
        const System<decltype(correct)> system{matrix, m, n, correct};
        for (Index s = 0; s < sides; ++s) {
            double* const unknowns = x.tensor.data<double>() + (i * sides + s) * x.rows; // column-major
            const bool good = refine(system, right.data<double>() + i * m * sides + s, sides, unknowns, rest);
            Twice sum;
            for (const Twice& r : rest) sum.addProduct(r.value(), r.value());
            all = all && good;
            squares.data<double>()[i * sides + s] = good ? sum.value() : 0;
        }
    }
    return all ? squares : Tensor();
}

void refineSystem(const Tensor& a, const Tensor& b, const cpu::Matrices& lu, const std::vector<int>& pivots,
                  bool transposed, cpu::Matrices& x) {
    constexpr Index kSmall = 1024; // multiplications of one correction
    const Index n = x.rows, sides = x.cols;
    if (isComplex(a.dtype()) || x.work() != DType::Float64 || lu.work() != DType::Float64) return;
    if (n == 0 || n > kSmall || n * n > kSmall || n * n * sides > kSmall) return;
    const Tensor left = contiguous(to(a, DType::Float64)), right = contiguous(to(b, DType::Float64));
    const double* const matrices = left.data<double>();
    const double* const factors = lu.tensor.data<double>();
    const double* const wanted = right.data<double>();
    double* const found = x.tensor.data<double>();
    parallelFor(0, x.batch, std::max<Index>(1, kParallelThreshold / (8 * n * n * sides)), [&](Index begin, Index end) {
        std::vector<Twice> rest(static_cast<std::size_t>(n));
        for (Index i = begin; i < end; ++i) {
            const auto correct = [&](const std::vector<Twice>& residuals, std::vector<double>& change) {
                factorSolve(factors + i * n * n, pivots.data() + i * n, n, transposed, residuals, change);
            };
            const System<decltype(correct)> system{matrices + i * n * n, n, n, correct};
            for (Index s = 0; s < sides; ++s)
                refine(system, wanted + i * n * sides + s, sides, found + (i * sides + s) * n, rest);
        }
    });
}

} // namespace stridescope::linalg
