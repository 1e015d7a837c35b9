#include "core/backend/cpu/lapack.h"

#include "core/backend/cpu/inside_blas.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/views.h"
#include "core/trace/op_record.h"

#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float ::stridescope::Complex<float>
#define lapack_complex_double ::stridescope::Complex<double>
#include <algorithm>
#include <cblas.h>
#include <lapacke.h>

namespace stridescope::cpu {

namespace {

/// Above this order the wider work of small problems costs more than its exactness is worth.
constexpr Index kSmall = 64;

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

/// `f(TypeTag<T>, i)` -> info for every matrix of the batch, also behind one that failed; the first that did is told.
/// A negative info is a mistake in our arguments, not in the numbers.
template <class F>
LapackInfo forEach(const Matrices& a, const char* routine, F&& f) {
    // NaN goes through as in every other operation; what would not end on it is checked before.
    static const bool kNoNanCheck = (LAPACKE_set_nancheck(0), true);
    (void)kNoNanCheck;
    LapackInfo result;
    if (a.rows == 0 || a.cols == 0) return result; // LAPACK refuses some of what is merely empty
    const InsideBlas inside;
    setThreads(std::max(a.rows, a.cols));
    visitAnyDType(a.work(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T> || kIsComplex<T>) {
            for (Index i = 0; i < a.batch; ++i) {
                const lapack_int info = f(tag, i);
                if (info < 0)
                    throwRefusal(
                        {ErrorKind::Runtime,
                         "LAPACK-01",
                         std::string(routine) + ": argument " + std::to_string(-info) + " had an illegal value",
                         "The matrix may hold NaN or infinities.",
                         {}});
                if (info <= 0) continue;
                if (result.ok()) result = {i, info, std::vector<int>(static_cast<std::size_t>(a.batch), 0)};
                result.each[static_cast<std::size_t>(i)] = info;
            }
        }
    });
    return result;
}

template <class T>
T* matrix(const Matrices& m, Index i) {
    return m.tensor.data<T>() + i * m.rows * m.cols;
}

Dims batchShape(const Tensor& t) {
    Dims shape = t.shape();
    shape.erase(shape.size() - 1);
    shape.erase(shape.size() - 1);
    return shape;
}

/// {batch..., rows, cols}, column-major in the last two dims.
Tensor emptyColumnMajor(Dims shape, Index rows, Index cols, DType dtype) {
    shape.push_back(cols);
    shape.push_back(rows);
    const Tensor turned = zeros(shape, {dtype, Device{}});
    return transpose(turned, -1, -2);
}

Tensor batchVector(const Matrices& like, Index size, DType dtype) {
    Dims shape = batchShape(like.tensor);
    shape.push_back(size);
    return zeros(shape, {dtype, Device{}});
}

DType workDType(DType dtype, Index order) {
    if (order > kSmall) return dtype;
    if (dtype == DType::Float32) return DType::Float64;
    return dtype == DType::Complex64 ? DType::Complex128 : dtype;
}

} // namespace

Tensor Matrices::result() const {
    const trace::Nested nested;
    return work() == dtype ? tensor : to(tensor, dtype);
}

Matrices columnMajor(const Tensor& t, Index minRows) {
    const trace::Nested nested;
    Matrices m;
    const Index rows = t.size(-2);
    m.cols = t.size(-1);
    m.rows = std::max(rows, minRows);
    m.dtype = t.dtype();
    const Dims batch = batchShape(t);
    m.batch = View{batch, Dims(batch.size(), 0), 0}.numel();
    m.tensor = emptyColumnMajor(batch, m.rows, m.cols, workDType(t.dtype(), std::max(m.rows, m.cols)));
    copy_(narrow(m.tensor, -2, 0, rows), t);
    return m;
}

Matrices sameBatch(const Matrices& like, Index rows, Index cols) {
    const trace::Nested nested;
    Matrices m = like;
    m.rows = rows;
    m.cols = cols;
    m.tensor = emptyColumnMajor(batchShape(like.tensor), rows, cols, like.work());
    return m;
}

LapackInfo luFactor(Matrices& a, std::vector<int>& pivots) {
    const Index least = std::min(a.rows, a.cols);
    pivots.assign(static_cast<std::size_t>(std::max<Index>(a.batch * least, 1)), 0);
    return forEach(a, "getrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return getrf(tag, asInt(a.rows), asInt(a.cols), matrix<T>(a, i), leading(a.rows), pivots.data() + i * least);
    });
}

void luSolve(const Matrices& lu, const std::vector<int>& pivots, Matrices& b, bool transpose) {
    (void)forEach(lu, "getrs", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return getrs(tag, transpose ? 'T' : 'N', asInt(lu.rows), asInt(b.cols), static_cast<const T*>(matrix<T>(lu, i)),
                     leading(lu.rows), static_cast<const lapack_int*>(pivots.data() + i * lu.rows), matrix<T>(b, i),
                     leading(b.rows));
    });
}

void luInvert(Matrices& lu, const std::vector<int>& pivots) {
    (void)forEach(lu, "getri", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return getri(tag, asInt(lu.rows), matrix<T>(lu, i), leading(lu.rows),
                     static_cast<const lapack_int*>(pivots.data() + i * lu.rows));
    });
}

LapackInfo cholesky(Matrices& a, bool upper) {
    return forEach(a, "potrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        T* const m = matrix<T>(a, i);
        const lapack_int info = potrf(tag, upper ? 'U' : 'L', asInt(a.rows), m, leading(a.rows));
        for (Index col = 0; col < a.cols; ++col)
            for (Index row = 0; row < a.rows; ++row)
                if (upper ? row > col : row < col) m[col * a.rows + row] = T{};
        return info;
    });
}

void triangularSolve(const Matrices& a, Matrices& b, bool upper, bool transpose, bool unitDiagonal) {
    // Not LAPACK's trtrs, which stops at a zero on the diagonal: here that gives infinities.
    (void)forEach(a, "trsm", [&](auto tag, Index i) -> lapack_int {
        using T = typename decltype(tag)::type;
        const auto side = CblasLeft;
        const auto triangle = upper ? CblasUpper : CblasLower;
        const auto turned = transpose ? CblasTrans : CblasNoTrans;
        const auto diagonal = unitDiagonal ? CblasUnit : CblasNonUnit;
        const int rows = asInt(b.rows), cols = asInt(b.cols), step = leading(a.rows), stepB = leading(b.rows);
        const T* const from = matrix<T>(a, i);
        T* const to = matrix<T>(b, i);
        if (b.cols == 0) return 0;
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

LapackInfo eigenSymmetric(Matrices& a, Tensor& values, bool vectors, bool upper) {
    values = batchVector(a, a.rows, realPartDType(a.work()));
    return forEach(a, "syevd", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return syevd(tag, vectors ? 'V' : 'N', upper ? 'U' : 'L', asInt(a.rows), matrix<T>(a, i), leading(a.rows),
                     values.data<Part<T>>() + i * a.rows);
    });
}

LapackInfo eigenGeneral(Matrices& a, Tensor& values, Tensor* vectors) {
    const trace::Nested nested;
    const Index n = a.rows;
    const DType wide = complexDType(a.work());
    values = batchVector(a, n, wide);
    Matrices right = sameBatch(a, vectors ? n : 1, vectors ? n : 1);
    if (vectors) *vectors = emptyColumnMajor(batchShape(a.tensor), n, n, wide);
    return forEach(a, "geev", [&](auto tag, Index i) -> lapack_int {
        using T = typename decltype(tag)::type;
        using P = Part<T>;
        const char job = vectors ? 'V' : 'N';
        Complex<P>* const lambda = values.data<Complex<P>>() + i * n;
        T* const v = right.tensor.data<T>() + (vectors ? i * n * n : 0);
        const lapack_int ld = leading(vectors ? n : 1);
        if constexpr (kIsComplex<T>) {
            lapack_int info = 0;
            if constexpr (std::is_same_v<P, float>)
                info = LAPACKE_cgeev(LAPACK_COL_MAJOR, 'N', job, asInt(n), matrix<T>(a, i), leading(n), lambda, nullptr,
                                     1, v, ld);
            else
                info = LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', job, asInt(n), matrix<T>(a, i), leading(n), lambda, nullptr,
                                     1, v, ld);
            if (vectors) std::copy(v, v + n * n, vectors->data<T>() + i * n * n);
            return info;
        } else {
            std::vector<P> re(static_cast<std::size_t>(n)), im(static_cast<std::size_t>(n));
            lapack_int info = 0;
            if constexpr (std::is_same_v<P, float>)
                info = LAPACKE_sgeev(LAPACK_COL_MAJOR, 'N', job, asInt(n), matrix<T>(a, i), leading(n), re.data(),
                                     im.data(), nullptr, 1, v, ld);
            else
                info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', job, asInt(n), matrix<T>(a, i), leading(n), re.data(),
                                     im.data(), nullptr, 1, v, ld);
            for (std::size_t j = 0; j < re.size(); ++j) lambda[j] = {re[j], im[j]};
            if (!vectors) return info;
            // A pair of conjugate eigenvalues shares two real columns: x + iy and x - iy.
            Complex<P>* const out = vectors->data<Complex<P>>() + i * n * n;
            for (Index j = 0; j < n; ++j) {
                const bool pair = im[static_cast<std::size_t>(j)] != 0 && j + 1 < n;
                for (Index row = 0; row < n; ++row) {
                    const P x = v[j * n + row], y = pair ? v[(j + 1) * n + row] : P{0};
                    out[j * n + row] = {x, y};
                    if (pair) out[(j + 1) * n + row] = {x, -y};
                }
                j += pair;
            }
            return info;
        }
    });
}

LapackInfo singular(Matrices& a, Tensor& values, Matrices* u, Matrices* vh, bool full) {
    const Index least = std::min(a.rows, a.cols);
    values = batchVector(a, least, realPartDType(a.work()));
    const bool vectors = u && vh;
    if (vectors) {
        *u = sameBatch(a, a.rows, full ? a.rows : least);
        *vh = sameBatch(a, full ? a.cols : least, a.cols);
        if (least == 0) { // nothing to decompose: any orthogonal matrices do, the simplest are identities
            const trace::Nested nested;
            for (const Matrices* m : {u, vh}) fill_(diagonal(m->tensor, 0, -2, -1), 1);
        }
    }
    return forEach(a, "gesdd", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return gesdd(tag,
                     !vectors ? 'N'
                     : full   ? 'A'
                              : 'S',
                     asInt(a.rows), asInt(a.cols), matrix<T>(a, i), leading(a.rows), values.data<Part<T>>() + i * least,
                     vectors ? matrix<T>(*u, i) : nullptr, leading(vectors ? u->rows : 1),
                     vectors ? matrix<T>(*vh, i) : nullptr, leading(vectors ? vh->rows : 1));
    });
}

void qrFactor(Matrices& a, Tensor& tau) {
    const Index least = std::min(a.rows, a.cols);
    tau = batchVector(a, least, a.work());
    (void)forEach(a, "geqrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return geqrf(tag, asInt(a.rows), asInt(a.cols), matrix<T>(a, i), leading(a.rows), tau.data<T>() + i * least);
    });
}

void qrMultiply(Matrices& a, const Tensor& tau, Index reflectors) {
    (void)forEach(a, "orgqr", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return orgqr(tag, asInt(a.rows), asInt(a.cols), asInt(reflectors), matrix<T>(a, i), leading(a.rows),
                     static_cast<const T*>(tau.data<T>() + i * reflectors));
    });
}

void qrApply(const Matrices& a, const Tensor& tau, Index reflectors, Matrices& c, bool left, bool transpose) {
    if (c.rows == 0 || c.cols == 0) return;
    (void)forEach(a, "ormqr", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        const char turned = kIsComplex<T> ? 'C' : 'T';
        return ormqr(tag, left ? 'L' : 'R', transpose ? turned : 'N', asInt(c.rows), asInt(c.cols), asInt(reflectors),
                     static_cast<const T*>(matrix<T>(a, i)), leading(a.rows),
                     static_cast<const T*>(tau.data<T>() + i * reflectors), matrix<T>(c, i), leading(c.rows));
    });
}

LapackInfo ldlFactor(Matrices& a, std::vector<int>& pivots, bool hermitian) {
    const Index n = a.rows;
    pivots.assign(static_cast<std::size_t>(std::max<Index>(a.batch * n, 1)), 0);
    return forEach(a, "sytrf", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        T* const m = matrix<T>(a, i);
        int* const rows = pivots.data() + i * n;
        for (Index col = 1; col < n; ++col) std::fill_n(m + col * n, col, T{});
        return hermitian ? hetrf(tag, 'L', asInt(n), m, leading(n), rows)
                         : sytrf(tag, 'L', asInt(n), m, leading(n), rows);
    });
}

void ldlSolve(const Matrices& ld, const std::vector<int>& pivots, Matrices& b, bool hermitian) {
    if (b.cols == 0) return;
    (void)forEach(ld, "sytrs", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        const T* const m = matrix<T>(ld, i);
        const int* const rows = pivots.data() + i * ld.rows;
        const lapack_int n = asInt(ld.rows), step = leading(ld.rows), sides = asInt(b.cols);
        return hermitian ? hetrs(tag, 'L', n, sides, m, step, rows, matrix<T>(b, i), leading(b.rows))
                         : sytrs(tag, 'L', n, sides, m, step, rows, matrix<T>(b, i), leading(b.rows));
    });
}

LapackInfo leastSquaresFull(Matrices& a, Matrices& b) {
    return forEach(a, "gels", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        return gels(tag, 'N', asInt(a.rows), asInt(a.cols), asInt(b.cols), matrix<T>(a, i), leading(a.rows),
                    matrix<T>(b, i), leading(b.rows));
    });
}

LapackInfo leastSquares(Matrices& a, Matrices& b, bool bySingularValues, double rcond, std::vector<Index>& ranks,
                        Tensor& singularValues) {
    const Index least = std::min(a.rows, a.cols);
    ranks.assign(static_cast<std::size_t>(a.batch), 0);
    singularValues = batchVector(a, least, realPartDType(a.work()));
    std::vector<lapack_int> pivots(static_cast<std::size_t>(std::max<Index>(a.cols, 1)));
    return forEach(a, bySingularValues ? "gelsd" : "gelsy", [&](auto tag, Index i) {
        using T = typename decltype(tag)::type;
        lapack_int rank = 0, info = 0;
        if (bySingularValues) {
            info = gelsd(tag, asInt(a.rows), asInt(a.cols), asInt(b.cols), matrix<T>(a, i), leading(a.rows),
                         matrix<T>(b, i), leading(b.rows), singularValues.data<Part<T>>() + i * least,
                         static_cast<Part<T>>(rcond), &rank);
        } else {
            std::fill(pivots.begin(), pivots.end(), 0);
            info = gelsy(tag, asInt(a.rows), asInt(a.cols), asInt(b.cols), matrix<T>(a, i), leading(a.rows),
                         matrix<T>(b, i), leading(b.rows), pivots.data(), static_cast<Part<T>>(rcond), &rank);
        }
        ranks[static_cast<std::size_t>(i)] = rank;
        return info;
    });
}

} // namespace stridescope::cpu
