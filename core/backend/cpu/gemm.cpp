#include "core/backend/cpu/gemm.h"

#include "core/backend/blas_layout.h"
#include "core/backend/cpu/inside_blas.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/job.h"

#include <algorithm>
#include <cblas.h>
#include <mutex>

namespace stridescope::cpu {

namespace {

/// From here on BLAS's threads win more than they cost.
constexpr Index kThreadedProduct = Index{1} << 20;

/// OpenBLAS itself takes one thread for so little: nothing needs to be set.
constexpr Index kAlwaysAlone = Index{1} << 15;

CBLAS_TRANSPOSE transposeOf(const MatrixOperand& m, Index rows, Index cols) {
    return blasLayout(m, rows, cols).turned ? CblasTrans : CblasNoTrans;
}

/// Distance between the runs, as BLAS wants it.
blasint leading(const MatrixOperand& m, Index rows, Index cols) {
    return static_cast<blasint>(blasLayout(m, rows, cols).leading);
}

template <class T>
struct WorkType {
    using type = T;
};
template <class T>
requires std::is_integral_v<T>
struct WorkType<T> {
    using type = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
};

/// Loops with the columns of the result inside, for integers, which BLAS does not know.
template <class T>
void ownProduct(Index m, Index n, Index k, const T* a, Index aRow, Index aCol, const T* b, Index bRow, Index bCol,
                T* out) {
    // Integers wrap: unsigned arithmetic of at least 32 bits has no overflow.
    using Work = typename WorkType<T>::type;
    for (Index i = 0; i < m; ++i, a += aRow, out += n) {
        std::fill(out, out + n, T{});
        for (Index p = 0; p < k; ++p) {
            const auto left = static_cast<Work>(a[p * aCol]);
            const T* right = b + p * bRow;
            if (bCol == 1) {
                for (Index j = 0; j < n; ++j)
                    out[j] = static_cast<T>(static_cast<Work>(out[j]) + left * static_cast<Work>(right[j]));
            } else {
                for (Index j = 0; j < n; ++j)
                    out[j] = static_cast<T>(static_cast<Work>(out[j]) + left * static_cast<Work>(right[j * bCol]));
            }
        }
    }
}

/// A matrix of `rows` x `cols` times a vector whose elements are `step` apart; for float and double.
template <class T>
void blasMatrixVector(const MatrixOperand& matrix, const T* a, Index rows, Index cols, const T* x, Index step, T* out) {
    const CBLAS_TRANSPOSE transpose = transposeOf(matrix, rows, cols);
    const blasint lead = leading(matrix, rows, cols);
    // A matrix that lies in columns is the transpose of what lies there in rows.
    const bool turned = transpose == CblasTrans;
    const auto m = static_cast<blasint>(turned ? cols : rows), n = static_cast<blasint>(turned ? rows : cols);
    const auto inc = static_cast<blasint>(cols <= 1 ? 1 : step);
    if constexpr (std::is_same_v<T, float>)
        cblas_sgemv(CblasRowMajor, transpose, m, n, 1, a, lead, x, inc, 0, out, 1);
    else
        cblas_dgemv(CblasRowMajor, transpose, m, n, 1, a, lead, x, inc, 0, out, 1);
}

/// BLAS has quicker functions for vectors than for matrices with one row or column.
template <class T>
bool vectorProduct(const ProductArgs& g, const T* a, const T* b, T* out) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        if (g.m == 1 && g.n == 1 && g.a.colStride <= kMostOfBlas && g.b.rowStride <= kMostOfBlas) {
            const auto k = static_cast<blasint>(g.k);
            const auto stepA = static_cast<blasint>(g.k <= 1 ? 1 : g.a.colStride);
            const auto stepB = static_cast<blasint>(g.k <= 1 ? 1 : g.b.rowStride);
            if constexpr (std::is_same_v<T, float>)
                *out = cblas_sdot(k, a, stepA, b, stepB);
            else
                *out = cblas_ddot(k, a, stepA, b, stepB);
            return true;
        }
        if (g.n == 1) {
            blasMatrixVector<T>(g.a, a, g.m, g.k, b, g.b.rowStride, out);
            return true;
        }
        if (g.m == 1) {
            const MatrixOperand turned{g.b.data, g.b.colStride, g.b.rowStride};
            blasMatrixVector<T>(turned, b, g.n, g.k, a, g.a.colStride, out);
            return true;
        }
    }
    return false;
}

/// out = a b, or out += a b to `add`: `depth` columns of the one and as many rows of the other, from `a` and `b` on.
template <class T>
void blasCall(const ProductArgs& g, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, Index depth, const T* a, const T* b,
              bool add, T* out) {
    const auto m = static_cast<blasint>(g.m), n = static_cast<blasint>(g.n), k = static_cast<blasint>(depth);
    const blasint lda = leading(g.a, g.m, g.k), ldb = leading(g.b, g.k, g.n);
    if constexpr (std::is_same_v<T, float>) {
        cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, add ? 1 : 0, out, n);
    } else if constexpr (std::is_same_v<T, double>) {
        cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, add ? 1 : 0, out, n);
    } else {
        const T one{1, 0}, beta{add ? 1.0f : 0.0f, 0};
        if constexpr (std::is_same_v<T, Complex<float>>)
            cblas_cgemm(CblasRowMajor, ta, tb, m, n, k, &one, a, lda, b, ldb, &beta, out, n);
        else
            cblas_zgemm(CblasRowMajor, ta, tb, m, n, k, &one, a, lda, b, ldb, &beta, out, n);
    }
}

/// One call of BLAS hears no Cancel. So a long product is cut along k into calls of about so many multiplications of
/// floats, a tenth of a second of one thread, with or without somebody who could cancel: the last bits are the same for
/// all. Pieces of kDepth are what OpenBLAS takes at a time by itself, so that cutting costs nothing.
constexpr double kMultiplicationsInACall = 1e10;
constexpr Index kDepth = 384;

template <class T>
void blasProduct(const ProductArgs& g, const T* a, const T* b, T* out) {
    if (vectorProduct<T>(g, a, b, out)) return;
    const CBLAS_TRANSPOSE ta = transposeOf(g.a, g.m, g.k), tb = transposeOf(g.b, g.k, g.n);
    constexpr double kCost = sizeof(T) / 4.0 * (std::is_floating_point_v<T> ? 1 : 2); // beside that of floats
    const double area = kCost * static_cast<double>(g.m) * static_cast<double>(g.n);
    if (area * static_cast<double>(g.k) <= kMultiplicationsInACall) return blasCall(g, ta, tb, g.k, a, b, false, out);
    const Index depth = std::max(Index{1}, static_cast<Index>(kMultiplicationsInACall / area / kDepth)) * kDepth;
    Job* job = currentJob();
    for (Index k = 0; k < g.k; k += depth) {
        throwIfCancelled();
        if (job) job->setPermille(static_cast<int>(1000 * k / g.k));
        blasCall(g, ta, tb, std::min(depth, g.k - k), a + k * g.a.colStride, b + k * g.b.rowStride, k > 0, out);
    }
}

/// Nobody else changes how many threads BLAS takes while a product runs that relies on it.
class BlasThreads {
public:
    explicit BlasThreads(int threads) : m_lock(mutex()) { setBlasThreads(threads); }

private:
    static std::mutex& mutex() {
        static std::mutex m;
        return m;
    }
    std::scoped_lock<std::mutex> m_lock;
};

template <class T>
void productsOf(const ProductArgs& g) {
    const auto* a = reinterpret_cast<const T*>(g.a.data);
    const auto* b = reinterpret_cast<const T*>(g.b.data);
    auto* out = reinterpret_cast<T*>(g.out);
    const auto count = static_cast<Index>(g.aOffsets.size());
    const Index size = g.m * g.n;
    if (g.k == 0) {
        std::fill(out, out + count * size, T{});
        return;
    }
    const double work = static_cast<double>(size) * static_cast<double>(g.k);
    const auto one = [&](Index i) {
        const auto at = static_cast<std::size_t>(i);
        if constexpr (std::is_integral_v<T>)
            ownProduct<T>(g.m, g.n, g.k, a + g.aOffsets[at], g.a.rowStride, g.a.colStride, b + g.bOffsets[at],
                          g.b.rowStride, g.b.colStride, out + i * size);
        else
            blasProduct<T>(g, a + g.aOffsets[at], b + g.bOffsets[at], out + i * size);
    };
    if (count == 1) {
        if (std::is_integral_v<T> && g.m > 1 && work > kThreadedProduct) { // rows of one result
            parallelFor(0, g.m, std::max<Index>(1, kThreadedProduct / 8 / std::max<Index>(g.n * g.k, 1)),
                        [&](Index begin, Index end) {
                            if constexpr (std::is_integral_v<T>)
                                ownProduct<T>(end - begin, g.n, g.k, a + begin * g.a.rowStride, g.a.rowStride,
                                              g.a.colStride, b, g.b.rowStride, g.b.colStride, out + begin * g.n);
                        });
            return;
        }
        if constexpr (std::is_integral_v<T>) return one(0);
        const InsideBlas inside;
        if (work < kAlwaysAlone) return one(0);
        const BlasThreads threads(work < kThreadedProduct ? 1 : numThreads());
        return one(0);
    }
    // Many products: the threads share the batch, and BLAS works alone in each, unless each is large enough for all.
    if (!std::is_integral_v<T> && work >= 64.0 * kThreadedProduct && count < numThreads() * 2) {
        const InsideBlas inside;
        const BlasThreads threads(numThreads());
        for (Index i = 0; i < count; ++i) one(i);
        return;
    }
    const auto batch = [&] {
        const Index grain = std::max<Index>(1, static_cast<Index>(kParallelThreshold / std::max(work, 1.0)));
        parallelFor(0, count, grain, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) one(i);
        });
    };
    if constexpr (std::is_integral_v<T>) return batch();
    const InsideBlas inside(static_cast<int>(std::min<Index>(count, numThreads())));
    const BlasThreads threads(1);
    batch();
}

} // namespace

bool fitsBlas(Index rows, Index cols, Index rowStride, Index colStride) {
    if (rows > kMostOfBlas || cols > kMostOfBlas) return false;
    return areRuns(rows, cols, rowStride, colStride) || areRuns(cols, rows, colStride, rowStride);
}

void products(const ProductArgs& args) {
    if (args.m == 0 || args.n == 0 || args.aOffsets.empty()) return;
    visitAnyDType(args.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, Half> && !std::is_same_v<T, bool>) productsOf<T>(args);
    });
}

const char* blasKernels() {
    return openblas_get_corename();
}

} // namespace stridescope::cpu
