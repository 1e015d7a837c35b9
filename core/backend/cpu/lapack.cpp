#include "core/backend/cpu/lapack.h"

#include "core/backend/cpu/inside_blas.h"
#include "core/backend/cpu/refine.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/error.h"

#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float ::stridescope::Complex<float>
#define lapack_complex_double ::stridescope::Complex<double>
#include <algorithm>
#include <cblas.h>
#include <lapacke.h>
#include <string>
#include <vector>

namespace stridescope::cpu {

namespace {

// One name for the four types of each routine.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define STRIDESCOPE_REAL_AND_COMPLEX(name, real, hermitian)                                                            \
    template <class T, class... Args>                                                                                  \
    lapack_int name(TypeTag<T>, Args... args) {                                                                        \
        if constexpr (std::is_same_v<T, float>)                                                                        \
            return LAPACKE_s##real(LAPACK_COL_MAJOR, args...);                                                         \
        else if constexpr (std::is_same_v<T, double>)                                                                  \
            return LAPACKE_d##real(LAPACK_COL_MAJOR, args...);                                                         \
        else if constexpr (std::is_same_v<T, Complex<float>>)                                                          \
            return LAPACKE_c##hermitian(LAPACK_COL_MAJOR, args...);                                                    \
        else                                                                                                           \
            return LAPACKE_z##hermitian(LAPACK_COL_MAJOR, args...);                                                    \
    }
STRIDESCOPE_REAL_AND_COMPLEX(getrf, getrf, getrf)
STRIDESCOPE_REAL_AND_COMPLEX(getrs, getrs, getrs)
STRIDESCOPE_REAL_AND_COMPLEX(getri, getri, getri)
STRIDESCOPE_REAL_AND_COMPLEX(potrf, potrf, potrf)
STRIDESCOPE_REAL_AND_COMPLEX(syevd, syevd, heevd)
STRIDESCOPE_REAL_AND_COMPLEX(gesdd, gesdd, gesdd)
STRIDESCOPE_REAL_AND_COMPLEX(geqrf, geqrf, geqrf)
STRIDESCOPE_REAL_AND_COMPLEX(orgqr, orgqr, ungqr)
STRIDESCOPE_REAL_AND_COMPLEX(ormqr, ormqr, unmqr)
STRIDESCOPE_REAL_AND_COMPLEX(sytrf, sytrf, sytrf)
STRIDESCOPE_REAL_AND_COMPLEX(hetrf, sytrf, hetrf)
STRIDESCOPE_REAL_AND_COMPLEX(sytrs, sytrs, sytrs)
STRIDESCOPE_REAL_AND_COMPLEX(hetrs, sytrs, hetrs)
STRIDESCOPE_REAL_AND_COMPLEX(gels, gels, gels)
STRIDESCOPE_REAL_AND_COMPLEX(gelsy, gelsy, gelsy)
STRIDESCOPE_REAL_AND_COMPLEX(gelsd, gelsd, gelsd)
#undef STRIDESCOPE_REAL_AND_COMPLEX
// NOLINTEND(bugprone-macro-parentheses)

template <class T>
struct PartOf {
    using type = T;
};
template <class T>
struct PartOf<Complex<T>> {
    using type = T;
};
/// float for Complex<float>, itself for real types.
template <class T>
using Part = typename PartOf<T>::type;

lapack_int asInt(Index value) {
    return static_cast<lapack_int>(value);
}
/// LAPACK wants at least 1, for empty matrices too.
lapack_int leading(Index rows) {
    return asInt(std::max<Index>(rows, 1));
}

/// LAPACK's own threads: none for small problems, where they cost more than they give.
void setThreads(Index order) {
    constexpr Index kThreaded = 512;
    setBlasThreads(order < kThreaded ? 1 : numThreads());
}

/// `f(TypeTag<T>, i)` -> info for every matrix of the batch, also behind one that failed.
/// A negative info is a mistake in our arguments, not in the numbers.
template <class F>
void forEach(const LinalgArgs& args, const char* routine, F&& f) {
    // NaN goes through as in every other operation; what would not end on it is checked before.
    static const bool kNoNanCheck = (LAPACKE_set_nancheck(0), true);
    (void)kNoNanCheck;
    const InsideBlas inside;
    setThreads(std::max(args.a.rows, args.a.cols));
    visitAnyDType(args.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T> || kIsComplex<T>) {
            for (Index i = 0; i < args.batch; ++i) {
                const lapack_int info = f(tag, i);
                if (info < 0)
                    throwRefusal(
                        {ErrorKind::Runtime,
                         "LAPACK-01",
                         std::string(routine) + ": argument " + std::to_string(-info) + " had an illegal value",
                         "The matrix may hold NaN or infinities.",
                         {}});
                if (args.info) args.info[i] = info;
            }
        }
    });
}

template <class T>
T* matrix(const MatrixBatch& m, Index i) {
    return reinterpret_cast<T*>(m.data) + i * m.rows * m.cols;
}
/// Numbers of matrix i, `each` for one.
template <class T>
T* numbers(std::byte* data, Index i, Index each) {
    return reinterpret_cast<T*>(data) + i * each;
}

// --- LU -----------------------------------------------------------------------------------------------------------

void luFactor(const LinalgArgs& args) {
    const MatrixBatch& a = args.a;
    const Index least = std::min(a.rows, a.cols);
    forEach(args, "getrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return getrf(tag, asInt(a.rows), asInt(a.cols), matrix<T>(a, i), leading(a.rows), args.pivots + i * least);
    });
}

void luSolve(const LinalgArgs& args) {
    const MatrixBatch &lu = args.a, &b = args.b;
    forEach(args, "getrs", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return getrs(tag, args.transpose ? 'T' : 'N', asInt(lu.rows), asInt(b.cols),
                     static_cast<const T*>(matrix<T>(lu, i)), leading(lu.rows),
                     static_cast<const lapack_int*>(args.pivots + i * lu.rows), matrix<T>(b, i), leading(b.rows));
    });
}

void luInvert(const LinalgArgs& args) {
    const MatrixBatch& lu = args.a;
    forEach(args, "getri", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return getri(tag, asInt(lu.rows), matrix<T>(lu, i), leading(lu.rows),
                     static_cast<const lapack_int*>(args.pivots + i * lu.rows));
    });
}

// --- Triangles ----------------------------------------------------------------------------------------------------

void cholesky(const LinalgArgs& args) {
    const MatrixBatch& a = args.a;
    forEach(args, "potrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        T* const m = matrix<T>(a, i);
        const lapack_int info = potrf(tag, args.upper ? 'U' : 'L', asInt(a.rows), m, leading(a.rows));
        for (Index col = 0; col < a.cols; ++col)
            for (Index row = 0; row < a.rows; ++row)
                if (args.upper ? row > col : row < col) m[col * a.rows + row] = T{};
        return info;
    });
}

void triangularSolve(const LinalgArgs& args) {
    // Not LAPACK's trtrs, which stops at a zero on the diagonal: here that gives infinities.
    const MatrixBatch &a = args.a, &b = args.b;
    forEach(args, "trsm", [&](auto tag, Index i) -> lapack_int {
        using T = typename decltype(tag)::type;
        const auto side = CblasLeft;
        const auto triangle = args.upper ? CblasUpper : CblasLower;
        const auto turned = args.transpose ? CblasTrans : CblasNoTrans;
        const auto diagonal = args.unit ? CblasUnit : CblasNonUnit;
        const int rows = asInt(std::min(a.rows, a.cols)), cols = asInt(b.cols), step = leading(a.rows),
                  stepB = leading(b.rows);
        const T* const from = matrix<T>(a, i);
        T* const to = matrix<T>(b, i);
        if constexpr (std::is_same_v<T, float>)
            cblas_strsm(CblasColMajor, side, triangle, turned, diagonal, rows, cols, 1, from, step, to, stepB);
        else if constexpr (std::is_same_v<T, double>)
            cblas_dtrsm(CblasColMajor, side, triangle, turned, diagonal, rows, cols, 1, from, step, to, stepB);
        else {
            const T one{1, 0};
            if constexpr (std::is_same_v<T, Complex<float>>)
                cblas_ctrsm(CblasColMajor, side, triangle, turned, diagonal, rows, cols, &one, from, step, to, stepB);
            else
                cblas_ztrsm(CblasColMajor, side, triangle, turned, diagonal, rows, cols, &one, from, step, to, stepB);
        }
        return 0;
    });
}

template <bool Hermitian>
void ldlFactor(const LinalgArgs& args) {
    const Index n = args.a.rows;
    forEach(args, "sytrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        T* const m = matrix<T>(args.a, i);
        int* const rows = args.pivots + i * n;
        for (Index col = 1; col < n; ++col) std::fill_n(m + col * n, col, T{});
        return Hermitian ? hetrf(tag, 'L', asInt(n), m, leading(n), rows)
                         : sytrf(tag, 'L', asInt(n), m, leading(n), rows);
    });
}

template <bool Hermitian>
void ldlSolve(const LinalgArgs& args) {
    const MatrixBatch &ld = args.a, &b = args.b;
    forEach(args, "sytrs", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        const T* const m = matrix<T>(ld, i);
        const int* const rows = args.pivots + i * ld.rows;
        const lapack_int n = asInt(ld.rows), step = leading(ld.rows), sides = asInt(b.cols);
        return Hermitian ? hetrs(tag, 'L', n, sides, m, step, rows, matrix<T>(b, i), leading(b.rows))
                         : sytrs(tag, 'L', n, sides, m, step, rows, matrix<T>(b, i), leading(b.rows));
    });
}

// --- Eigenvalues and singular values ------------------------------------------------------------------------------

void eigenSymmetric(const LinalgArgs& args) {
    const MatrixBatch& a = args.a;
    forEach(args, "syevd", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return syevd(tag, args.vectors ? 'V' : 'N', args.upper ? 'U' : 'L', asInt(a.rows), matrix<T>(a, i),
                     leading(a.rows), numbers<Part<T>>(args.values, i, a.rows));
    });
}

/// Of real matrices: a pair of conjugate eigenvalues shares two real columns, x + iy and x - iy.
template <class P>
void pairColumns(const P* v, const std::vector<P>& im, Index n, Complex<P>* out) {
    for (Index j = 0; j < n; ++j) {
        const bool pair = im[static_cast<std::size_t>(j)] != 0 && j + 1 < n;
        for (Index row = 0; row < n; ++row) {
            const P x = v[j * n + row], y = pair ? v[(j + 1) * n + row] : P{0};
            out[j * n + row] = {x, y};
            if (pair) out[(j + 1) * n + row] = {x, -y};
        }
        j += pair;
    }
}

void eigenGeneral(const LinalgArgs& args) {
    const Index n = args.a.rows;
    const char job = args.vectors ? 'V' : 'N';
    const lapack_int order = asInt(n), ld = leading(args.vectors ? n : 1);
    forEach(args, "geev", [&](auto tag, Index i) -> lapack_int {
        using T = typename decltype(tag)::type;
        using P = Part<T>;
        Complex<P>* const lambda = numbers<Complex<P>>(args.values, i, n);
        Complex<P>* const out = args.vectors ? matrix<Complex<P>>(args.b, i) : nullptr;
        T* const m = matrix<T>(args.a, i);
        T* const v = matrix<T>(args.c, args.vectors ? i : 0);
        lapack_int info = 0;
        if constexpr (kIsComplex<T>) {
            if constexpr (std::is_same_v<P, float>)
                info = LAPACKE_cgeev(LAPACK_COL_MAJOR, 'N', job, order, m, leading(n), lambda, nullptr, 1, v, ld);
            else
                info = LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', job, order, m, leading(n), lambda, nullptr, 1, v, ld);
            if (out) std::copy(v, v + n * n, out);
        } else {
            std::vector<P> re(static_cast<std::size_t>(n)), im(static_cast<std::size_t>(n));
            if constexpr (std::is_same_v<P, float>)
                info = LAPACKE_sgeev(LAPACK_COL_MAJOR, 'N', job, order, m, leading(n), re.data(), im.data(), nullptr, 1,
                                     v, ld);
            else
                info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', job, order, m, leading(n), re.data(), im.data(), nullptr, 1,
                                     v, ld);
            for (std::size_t j = 0; j < re.size(); ++j) lambda[j] = {re[j], im[j]};
            if (out) pairColumns(v, im, n, out);
        }
        return info;
    });
}

void singular(const LinalgArgs& args) {
    const MatrixBatch &a = args.a, &u = args.b, &vh = args.c;
    const Index least = std::min(a.rows, a.cols);
    const char job = !args.vectors ? 'N' : args.full ? 'A' : 'S';
    forEach(args, "gesdd", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return gesdd(tag, job, asInt(a.rows), asInt(a.cols), matrix<T>(a, i), leading(a.rows),
                     numbers<Part<T>>(args.values, i, least), args.vectors ? matrix<T>(u, i) : nullptr,
                     leading(args.vectors ? u.rows : 1), args.vectors ? matrix<T>(vh, i) : nullptr,
                     leading(args.vectors ? vh.rows : 1));
    });
}

// --- QR and least squares -----------------------------------------------------------------------------------------

void qrFactor(const LinalgArgs& args) {
    const MatrixBatch& a = args.a;
    forEach(args, "geqrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return geqrf(tag, asInt(a.rows), asInt(a.cols), matrix<T>(a, i), leading(a.rows),
                     numbers<T>(args.values, i, std::min(a.rows, a.cols)));
    });
}

void qrMultiply(const LinalgArgs& args) {
    const MatrixBatch& a = args.a;
    forEach(args, "orgqr", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return orgqr(tag, asInt(a.rows), asInt(a.cols), asInt(args.reflectors), matrix<T>(a, i), leading(a.rows),
                     static_cast<const T*>(numbers<T>(args.values, i, args.reflectors)));
    });
}

void qrApply(const LinalgArgs& args) {
    const MatrixBatch &a = args.a, &c = args.b;
    forEach(args, "ormqr", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        const char turned = kIsComplex<T> ? 'C' : 'T';
        return ormqr(tag, args.left ? 'L' : 'R', args.transpose ? turned : 'N', asInt(c.rows), asInt(c.cols),
                     asInt(args.reflectors), static_cast<const T*>(matrix<T>(a, i)), leading(a.rows),
                     static_cast<const T*>(numbers<T>(args.values, i, args.reflectors)), matrix<T>(c, i),
                     leading(c.rows));
    });
}

void leastSquaresFull(const LinalgArgs& args) {
    const MatrixBatch &a = args.a, &b = args.b;
    forEach(args, "gels", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return gels(tag, 'N', asInt(a.rows), asInt(a.cols), asInt(b.cols), matrix<T>(a, i), leading(a.rows),
                    matrix<T>(b, i), leading(b.rows));
    });
}

template <bool BySingularValues>
void leastSquares(const LinalgArgs& args) {
    const MatrixBatch &a = args.a, &b = args.b;
    const Index least = std::min(a.rows, a.cols);
    std::vector<lapack_int> pivots(static_cast<std::size_t>(std::max<Index>(a.cols, 1)));
    forEach(args, BySingularValues ? "gelsd" : "gelsy", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        lapack_int rank = 0, info = 0;
        if (BySingularValues) {
            info = gelsd(tag, asInt(a.rows), asInt(a.cols), asInt(b.cols), matrix<T>(a, i), leading(a.rows),
                         matrix<T>(b, i), leading(b.rows), numbers<Part<T>>(args.values, i, least),
                         static_cast<Part<T>>(args.rcond), &rank);
        } else {
            std::fill(pivots.begin(), pivots.end(), 0);
            info = gelsy(tag, asInt(a.rows), asInt(a.cols), asInt(b.cols), matrix<T>(a, i), leading(a.rows),
                         matrix<T>(b, i), leading(b.rows), pivots.data(), static_cast<Part<T>>(args.rcond), &rank);
        }
        args.ranks[i] = rank;
        return info;
    });
}

} // namespace

void bindLinalg(KernelTable& table) {
    using R = LinalgRoutine;
    const auto bind = [&table](R routine, LinalgKernel kernel) {
        table.linalg[static_cast<std::size_t>(routine)] = kernel;
    };
    bind(R::LuFactor, luFactor);
    bind(R::LuSolve, luSolve);
    bind(R::LuInvert, luInvert);
    bind(R::LuDeterminant, luDeterminant);
    bind(R::LuLogDeterminant, luLogDeterminant);
    bind(R::LuExchanges, luExchanges);
    bind(R::RefineSystem, refineSystem);
    bind(R::RefineLeastSquares, refineLeastSquares);
    bind(R::Cholesky, cholesky);
    bind(R::TriangularSolve, triangularSolve);
    bind(R::EigenSymmetric, eigenSymmetric);
    bind(R::EigenGeneral, eigenGeneral);
    bind(R::Singular, singular);
    bind(R::QrFactor, qrFactor);
    bind(R::QrMultiply, qrMultiply);
    bind(R::QrApply, qrApply);
    bind(R::LdlFactor, ldlFactor<false>);
    bind(R::LdlSolve, ldlSolve<false>);
    bind(R::HermitianFactor, ldlFactor<true>);
    bind(R::HermitianSolve, ldlSolve<true>);
    bind(R::LeastSquaresFull, leastSquaresFull);
    bind(R::LeastSquaresPivoted, leastSquares<false>);
    bind(R::LeastSquaresSingular, leastSquares<true>);
}

} // namespace stridescope::cpu
