#pragma once
// Solutions to the last digit, one matrix after the other: on the CPU in a loop, on a GPU a thread for each.
// What it is for, and the sources: core/ops/linalg_refine.h. Matrices are row-major, factors and unknowns column-major.

#include "core/host_device.h"
#include "core/index.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace stridescope::refinewalk {

/// An unevaluated sum of two doubles, some 106 bits: error-free sums and products (Knuth, Dekker).
struct Twice {
    double high = 0, low = 0;

    STRIDESCOPE_HD void add(double value) {
        const double sum = high + value, part = sum - high;
        low += (high - (sum - part)) + (value - part);
        high = sum;
    }
    STRIDESCOPE_HD void addProduct(double x, double y) {
#ifdef __CUDA_ARCH__
        const double product = __dmul_rn(x, y); // which is not fused with the sum that it goes into
#else
        const double product = x * y;
#endif
        add(product);
        low += std::fma(x, y, -product);
    }
    STRIDESCOPE_HD double value() const {
        return high + low;
    }
};

/// What one right side needs besides.
struct Room {
    Twice* rest = nullptr;    ///< m residuals
    double* change = nullptr; ///< n numbers each
    double* before = nullptr;
    double* rounded = nullptr;
    static constexpr Index doubles(Index m, Index n) { return 2 * m + 3 * n; }
    STRIDESCOPE_HD static Room in(double* memory, Index m, Index n) {
        double* const behind = memory + 2 * m;
        return {reinterpret_cast<Twice*>(memory), behind, behind + n, behind + 2 * n};
    }
};

/// A^T A = L L^T, the n x n lower triangle by rows; false where that breaks down.
STRIDESCOPE_HD bool normalFactor(const double* a, Index m, Index n, double* l) {
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
            Twice sum;
            for (Index r = 0; r < m; ++r) sum.addProduct(a[r * n + i], a[r * n + j]);
            for (Index k = 0; k < j; ++k) sum.addProduct(-l[i * n + k], l[j * n + k]);
            if (i != j) {
                l[i * n + j] = sum.value() / l[j * n + j];
                continue;
            }
            if (!(sum.value() > 0)) return false;
            l[i * n + i] = std::sqrt(sum.value());
        }
    return true;
}

/// Solves L L^T d = g in place.
STRIDESCOPE_HD void normalSolve(const double* l, Index n, double* g) {
    for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < i; ++k) g[i] -= l[i * n + k] * g[k];
        g[i] /= l[i * n + i];
    }
    for (Index i = n; i-- > 0;) {
        for (Index k = i + 1; k < n; ++k) g[i] -= l[k * n + i] * g[k];
        g[i] /= l[i * n + i];
    }
}

/// What is to be solved, A {m, n} by rows and one right side B with `stepB` from row to row, and what a change of the
/// unknowns must be to take a residual away.
template <class Correct>
struct System {
    const double* a;
    Index m, n;
    const double* b;
    Index stepB;
    Correct correct; ///< (residuals, change): m residuals to n corrections

    STRIDESCOPE_HD void residuals(const double* x, Twice* rest) const {
        for (Index r = 0; r < m; ++r) {
            Twice sum;
            sum.add(b[r * stepB]);
            for (Index j = 0; j < n; ++j) sum.addProduct(-a[r * n + j], x[j]);
            rest[r] = sum;
        }
    }
};

STRIDESCOPE_HD double larger(double a, double b) {
    return a < b ? b : a;
}

/// Unknowns that are nothing beside the largest become 0 if then nothing at all is left of the residuals.
template <class Correct>
STRIDESCOPE_HD bool tryZeros(const System<Correct>& system, double* x, const Room& room) {
    constexpr double kNothing = 1e-12;
    double most = 0;
    for (Index j = 0; j < system.n; ++j) most = larger(most, std::fabs(x[j]));
    bool any = false;
    for (Index j = 0; j < system.n; ++j) {
        const bool drop = x[j] != 0 && std::fabs(x[j]) < kNothing * most;
        room.rounded[j] = drop ? 0 : x[j];
        any = any || drop;
    }
    if (!any) return false;
    system.residuals(room.rounded, room.rest);
    for (Index r = 0; r < system.m; ++r)
        if (room.rest[r].value() != 0) return false;
    for (Index j = 0; j < system.n; ++j) x[j] = room.rounded[j];
    return true;
}

/// What LAPACK found to be 0 and is 0 keeps its sign, which PyTorch prints.
STRIDESCOPE_HD void keepZeros(const double* before, double* x, Index n) {
    for (Index j = 0; j < n; ++j)
        if (x[j] == 0 && before[j] == 0) x[j] = before[j];
}

/// `x`: the n unknowns. Leaves A x - b in the room's `rest`. False where the corrections do not shrink; then x is as it
/// was.
template <class Correct>
STRIDESCOPE_HD bool refine(const System<Correct>& system, double* x, const Room& room) {
    // An unknown that is 0 loses some 50 bits with each step: 1e-15, 1e-30, ... so many steps take it to the last.
    constexpr int kSteps = 32;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const Index n = system.n;
    for (Index j = 0; j < n; ++j) room.before[j] = x[j];
    double last = kInfinite;
    for (int step = 0; step < kSteps; ++step) {
        if (tryZeros(system, x, room)) {
            keepZeros(room.before, x, n);
            return true;
        }
        system.residuals(x, room.rest);
        system.correct(room.rest, room.change);
        double size = 0, most = 0;
        bool moved = false;
        for (Index j = 0; j < n; ++j) {
            const double by = room.change[j], next = x[j] + by;
            moved = moved || next != x[j];
            most = larger(most, std::fabs(next));
            size = std::isfinite(by) ? larger(size, std::fabs(by)) : kInfinite;
            if (!std::isfinite(size)) break;
        }
        // The first change must be no more than the error of a good solution, the others less and less.
        if (!std::isfinite(size) || (step == 0 && size > 1e-6 * most)) {
            for (Index j = 0; j < n; ++j) x[j] = room.before[j];
            return false;
        }
        if (!moved || size >= last) break;
        last = size;
        for (Index j = 0; j < n; ++j) x[j] += room.change[j];
    }
    for (Index j = 0; j < n; ++j) // as far down as doubles go: it stays there
        if (std::fabs(x[j]) < std::numeric_limits<double>::min()) x[j] = 0;
    keepZeros(room.before, x, n);
    system.residuals(x, room.rest);
    return true;
}

/// Solves P L U d = r, or (P L U)^T d = r, with LAPACK's factors (exchanges counted from 1).
STRIDESCOPE_HD void factorSolve(const double* lu, const std::int32_t* pivots, Index n, bool transpose, const Twice* r,
                                double* d) {
    const auto exchange = [d](Index a, Index b) {
        const double kept = d[a];
        d[a] = d[b];
        d[b] = kept;
    };
    for (Index i = 0; i < n; ++i) d[i] = r[i].value();
    if (transpose) {
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i < j; ++i) d[j] -= lu[j * n + i] * d[i];
            d[j] /= lu[j * n + j];
        }
        for (Index j = n; j-- > 0;)
            for (Index i = j + 1; i < n; ++i) d[j] -= lu[j * n + i] * d[i];
        for (Index i = n; i-- > 0;) exchange(i, pivots[i] - 1);
        return;
    }
    for (Index i = 0; i < n; ++i) exchange(i, pivots[i] - 1);
    for (Index j = 0; j < n; ++j)
        for (Index i = j + 1; i < n; ++i) d[i] -= lu[j * n + i] * d[j];
    for (Index j = n; j-- > 0;) {
        d[j] /= lu[j * n + j];
        for (Index i = 0; i < j; ++i) d[i] -= lu[j * n + i] * d[j];
    }
}

/// The correction of a square system from its LU factors.
struct ByFactors {
    const double* lu;
    const std::int32_t* pivots;
    Index n;
    bool transpose;
    STRIDESCOPE_HD void operator()(const Twice* rest, double* change) const {
        factorSolve(lu, pivots, n, transpose, rest, change);
    }
};

/// The correction of least squares by the seminormal equations.
struct ByNormal {
    const double* a;
    const double* factor;
    Index m, n;
    STRIDESCOPE_HD void operator()(const Twice* rest, double* change) const {
        for (Index j = 0; j < n; ++j) {
            Twice sum;
            for (Index r = 0; r < m; ++r) {
                sum.addProduct(a[r * n + j], rest[r].high);
                sum.addProduct(a[r * n + j], rest[r].low);
            }
            change[j] = sum.value();
        }
        normalSolve(factor, n, change);
    }
};

/// All right sides of one least squares problem: x from column to column `stepX`, `squares` of what is left of each.
/// `factor` is room for n * n numbers. False where not all of it could be done.
STRIDESCOPE_HD bool leastSquares(const double* a, Index m, Index n, const double* b, Index sides, double* x,
                                 Index stepX, double* squares, double* factor, const Room& room) {
    bool all = true;
    for (Index s = 0; s < sides; ++s) {
        const System<ByNormal> system{a, m, n, b + s, sides, {a, factor, m, n}};
        const bool good = refine(system, x + s * stepX, room);
        Twice sum;
        for (Index r = 0; r < m; ++r) sum.addProduct(room.rest[r].value(), room.rest[r].value());
        all = all && good;
        squares[s] = good ? sum.value() : 0;
    }
    return all;
}

} // namespace stridescope::refinewalk
