// Table entries: element by element, products, linear algebra, Fourier transforms, complex numbers.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/einsum.h"
#include "core/ops/fft.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/norms.h"
#include "core/ops/operation_table.h"
#include "core/ops/pointwise.h"
#include "core/ops/stft.h"
#include "core/ops/views.h"

#include <cmath>

namespace stridescope::operation_table {

namespace {

using dtypes::all;
using dtypes::complexes;
using dtypes::floats;
using dtypes::integers;
using dtypes::reals;
using dtypes::wideFloats;

using In = std::span<const Tensor>;
using Out = std::vector<Tensor>;

constexpr DTypeSet kProducts = integers | wideFloats | complexes;
constexpr DTypeSet kAlgebra = wideFloats | complexes;
constexpr DTypeSet kSpectral = all.without(DType::Float16);
constexpr DTypeSet kRealSpectral = reals.without(DType::Float16);

/// The first matrix of a batch, for operations that take no batches.
Tensor firstMatrix(const Tensor& t) {
    return t.dim() > 2 ? firstMatrix(select(t, 0, 0)) : t;
}

/// Stretches of two elements, one after the other, for signals of any length.
const StftOptions kStretches = [] {
    StftOptions options;
    options.hop = 1;
    options.padding = "constant";
    options.onesided = false;
    options.complex = true;
    return options;
}();

} // namespace

std::span<const Operation> pointwise() {
    static const Operation kTable[] = {
        {"add", "(input, other)", "Sum; bool: or.", "broadcast", all, OpGives::New, "", SampleInputs::Two,
         [](In in) { return Out{add(in[0], in[1])}; }},
        {"sub", "(input, other)", "Difference.", "broadcast", all.without(DType::Bool), OpGives::New,
         "BOOL-01, BOOL-02", SampleInputs::Two, [](In in) { return Out{sub(in[0], in[1])}; }},
        {"mul", "(input, other)", "Product; bool: and.", "broadcast", all, OpGives::New, "", SampleInputs::Two,
         [](In in) { return Out{mul(in[0], in[1])}; }},
        {"div", "(input, other)", "True division: integers give floats.", "broadcast", all, OpGives::New, "",
         SampleInputs::Two, [](In in) { return Out{div(in[0], in[1])}; }},
        {"maximum", "(input, other)", "The larger one; NaN wins.", "broadcast", reals, OpGives::New, "CPLX-05",
         SampleInputs::Two, [](In in) { return Out{maximum(in[0], in[1])}; }},
        {"minimum", "(input, other)", "The smaller one; NaN wins.", "broadcast", reals, OpGives::New, "CPLX-05",
         SampleInputs::Two, [](In in) { return Out{minimum(in[0], in[1])}; }},
        {"eq", "(input, other)", "Equal?", "broadcast -> bool", all, OpGives::New, "", SampleInputs::Two,
         [](In in) { return Out{eq(in[0], in[1])}; }},
        {"ne", "(input, other)", "Different?", "broadcast -> bool", all, OpGives::New, "", SampleInputs::Two,
         [](In in) { return Out{ne(in[0], in[1])}; }},
        {"lt", "(input, other)", "Less?", "broadcast -> bool", reals, OpGives::New, "CPLX-05", SampleInputs::Two,
         [](In in) { return Out{lt(in[0], in[1])}; }},
        {"le", "(input, other)", "Less or equal?", "broadcast -> bool", reals, OpGives::New, "CPLX-05",
         SampleInputs::Two, [](In in) { return Out{le(in[0], in[1])}; }},
        {"gt", "(input, other)", "Greater?", "broadcast -> bool", reals, OpGives::New, "CPLX-05", SampleInputs::Two,
         [](In in) { return Out{gt(in[0], in[1])}; }},
        {"ge", "(input, other)", "Greater or equal?", "broadcast -> bool", reals, OpGives::New, "CPLX-05",
         SampleInputs::Two, [](In in) { return Out{ge(in[0], in[1])}; }},
        {"neg", "(input)", "The sign turned.", "{...} -> {...}", all.without(DType::Bool), OpGives::New, "BOOL-03",
         SampleInputs::One, [](In in) { return Out{neg(in[0])}; }},
        {"abs", "(input)", "The magnitude.", "{...} -> {...}", all.without(DType::Bool), OpGives::New,
         "BOOL-04, CPLX-06", SampleInputs::One, [](In in) { return Out{abs(in[0])}; }},
    };
    return kTable;
}

std::span<const Operation> products() {
    static const Operation kTable[] = {
        {"dot", "(input, other)", "Sum of the products of two vectors.", "{n} {n} -> {}", kProducts, OpGives::New,
         "MM-01 … MM-04", SampleInputs::Lines, [](In in) { return Out{dot(in[0], in[1])}; }},
        {"vdot", "(input, other)", "As dot, of the conjugate of the first.", "{n} {n} -> {}", kProducts, OpGives::New,
         "MM-01 … MM-04", SampleInputs::Lines, [](In in) { return Out{vdot(in[0], in[1])}; }},
        {"mv", "(input, vec)", "Matrix times vector.", "{m, k} {k} -> {m}", kProducts, OpGives::New, "MM-01 … MM-04",
         SampleInputs::MatrixAndLine, [](In in) { return Out{mv(in[0], in[1])}; }},
        {"mm", "(input, mat2)", "Matrix times matrix.", "{m, k} {k, n} -> {m, n}", kProducts, OpGives::New,
         "MM-01 … MM-04", SampleInputs::TwoMatrices, [](In in) { return Out{mm(in[0], in[1])}; }},
        {"bmm", "(input, mat2)", "A product for each index of the first dim.", "{b, m, k} {b, k, n} -> {b, m, n}",
         kProducts, OpGives::New, "MM-01 … MM-04", SampleInputs::Batches, [](In in) { return Out{bmm(in[0], in[1])}; }},
        {"matmul", "(input, other)", "By the dims of both; batches broadcast.",
         "{..., m, k} {..., k, n} -> {..., m, n}", kProducts, OpGives::New, "MM-01 … MM-04", SampleInputs::Factors,
         [](In in) { return Out{matmul(in[0], in[1])}; }},
        {"addmm", "(input, mat1, mat2, beta=1, alpha=1)", "beta * input + alpha * (mat1 @ mat2).",
         "{m, n} {m, k} {k, n} -> {m, n}", kProducts, OpGives::New, "MM-01 … MM-04", SampleInputs::TwoMatrices,
         [](In in) { return Out{addmm(select(in[1], 0, 0), in[0], in[1], 2, 3)}; }},
        {"addmv", "(input, mat, vec, beta=1, alpha=1)", "beta * input + alpha * (mat @ vec).", "{m} {m, k} {k} -> {m}",
         kProducts, OpGives::New, "MM-01 … MM-04", SampleInputs::MatrixAndLine,
         [](In in) { return Out{addmv(select(in[0], 1, 0), in[0], in[1])}; }},
        {"baddbmm", "(input, batch1, batch2, beta=1, alpha=1)", "As addmm, for batches.",
         "{b, m, n} {b, m, k} {b, k, n} -> {b, m, n}", kProducts, OpGives::New, "MM-01 … MM-04", SampleInputs::Batches,
         [](In in) { return Out{baddbmm(narrow(in[1], 1, 0, 1), in[0], in[1])}; }},
        {"addbmm", "(input, batch1, batch2, beta=1, alpha=1)",
         "beta * input + alpha * (the sum of a batch's products).", "{m, n} {b, m, k} {b, k, n} -> {m, n}", kProducts,
         OpGives::New, "MM-01 … MM-04", SampleInputs::Batches,
         [](In in) { return Out{addbmm(select(select(in[1], 1, 0), 0, 0), in[0], in[1])}; }},
        {"addr", "(input, vec1, vec2, beta=1, alpha=1)", "beta * input + alpha * outer(vec1, vec2).",
         "{m, n} {m} {n} -> {m, n}", all, OpGives::New, "ALPHA-01, MM-02, VIEW-19, VIEW-20", SampleInputs::Lines,
         [](In in) { return Out{addr(in[0], in[0], in[1])}; }},
        {"outer", "(input, vec2)", "Every pair's product.", "{n} {m} -> {n, m}", all, OpGives::New, "MM-02",
         SampleInputs::Lines, [](In in) { return Out{outer(in[0], in[1])}; }},
        {"inner", "(input, other)", "Sum over the last dim of both.", "{..., k} {...', k} -> {..., ...'}", kProducts,
         OpGives::New, "MM-01, MM-03, MM-04", SampleInputs::Line, [](In in) { return Out{inner(in[0], in[0])}; }},
        {"tensordot", "(a, b, dims=2)", "Sum over pairs of dims.", "the dims that are left", kProducts, OpGives::New,
         "MM-01, MM-03, MM-05", SampleInputs::Batches,
         [](In in) {
             return Out{tensordot(in[0], in[1], Dims{0, 2}, Dims{0, 1}), tensordot(in[0], select(in[1], 0, 0), 1)};
         }},
        {"kron", "(input, other)", "Kronecker product.", "sizes multiply", all, OpGives::New, "", SampleInputs::Two,
         [](In in) { return Out{kron(in[0], in[1])}; }},
        {"trace", "(input)", "Sum of the diagonal; integers give int64.", "{m, n} -> {}", kProducts, OpGives::New,
         "MM-02, MM-04", SampleInputs::TwoMatrices, [](In in) { return Out{matrixTrace(in[0])}; }},
        {"cross", "(input, other, dim=None)", "Vector product along a dim of size 3.", "broadcast",
         all.without(DTypeSet(DType::Bool) | DType::Float16), OpGives::New, "MM-01 … MM-04", SampleInputs::Triples,
         [](In in) { return Out{cross(in[0], in[1])}; }},
        {"einsum", "(equation, *operands)", "Products and sums told by letters.", "as the letters say", dtypes::all,
         OpGives::ViewOrCopy, "CPLX-05, EINSUM-01 … EINSUM-06, MM-03, MM-04", SampleInputs::Batches,
         [](In in) {
             return Out{einsum("bij->ji", {in[0]}), einsum("...j->j...", {in[1]})};
         }},
        {"chain_matmul", "(*matrices)", "linalg.multi_dot by its old name. Deprecated.", "{m, k} {k, n} .. -> {m, z}",
         all.without(DTypeSet(DType::Bool) | DType::Float16), OpGives::New, "MM-01 … MM-05", SampleInputs::TwoMatrices,
         [](In in) {
             return Out{multiDot({in[0], in[1], transpose(in[1], 0, 1)})};
         }},
        {"linalg.multi_dot", "(tensors)", "A chain of products with the fewest multiplications.",
         "{a, b} {b, c} … -> {a, z}", kProducts, OpGives::New, "MM-01 … MM-05", SampleInputs::TwoMatrices,
         [](In in) {
             return Out{multiDot({select(in[0], 0, 0), in[1], transpose(in[1], 0, 1), select(in[1], 1, 0)})};
         }},
    };
    return kTable;
}

std::span<const Operation> linearAlgebra() {
    static const Operation kTable[] = {
        {"linalg.solve", "(A, B, *, left=True)", "The X with A X = B, or X A = B.",
         "{..., n, n} {..., n, k} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-07",
         SampleInputs::SquareAndSide, [](In in) { return Out{solve(in[0], in[1])}; }},
        {"linalg.solve_ex", "(A, B, *, left=True, check_errors=False)",
         "The same with a number for each matrix: 0, or where it is singular.",
         "{..., n, n} {..., n, k} -> {..., n, k} {...}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-07",
         SampleInputs::SquareAndSide,
         [](In in) {
             const ResultAndInfo found = solveEx(in[0], in[1]);
             return Out{found.result, found.info};
         }},
        {"linalg.solve_triangular", "(A, B, *, upper, left=True, unitriangular=False)", "The same for a triangle of A.",
         "{..., n, n} {..., n, k} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-06",
         SampleInputs::SquareAndSide, [](In in) { return Out{solveTriangular(in[0], in[1], true)}; }},
        {"linalg.inv", "(A)", "The inverse; also torch.inverse.", "{..., n, n} -> {..., n, n}", kAlgebra, OpGives::New,
         "LINALG-01 … LINALG-04, LINALG-07", SampleInputs::Square, [](In in) { return Out{inv(in[0])}; }},
        {"linalg.inv_ex", "(A, *, check_errors=False)", "The same with a number for each matrix.",
         "{..., n, n} -> {..., n, n} {...}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-07",
         SampleInputs::Square,
         [](In in) {
             const ResultAndInfo found = invEx(in[0]);
             return Out{found.result, found.info};
         }},
        {"linalg.lstsq", "(A, B, rcond=None, *, driver='gelsy')", "The X that makes |A X - B| least.",
         "{..., m, n} {..., m, k} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-08",
         SampleInputs::SquareAndSide, [](In in) { return Out{lstsq(in[0], in[1]).solution}; }},
        {"gels", "(B, A)", "Least squares of the older interface: solution and QR factors.",
         "{m, k} {m, n} -> {max(m, n), k} {m, n}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-07",
         SampleInputs::Square,
         [](In in) {
             const auto [solution, factors] = gels(narrow(firstMatrix(in[0]), 1, 0, 1), firstMatrix(in[0]));
             return Out{solution, factors};
         }},
        {"linalg.qr", "(A, mode='reduced')", "A = Q R, Q orthogonal and R upper triangular.",
         "{..., m, n} -> {..., m, min} {..., min, n}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-08",
         SampleInputs::Matrices,
         [](In in) {
             const Qr parts = qr(in[0]);
             return Out{matmul(parts.q, parts.r)};
         }},
        {"linalg.cholesky", "(A, *, upper=False)", "The triangular L with L Lᴴ = A.", "{..., n, n} -> {..., n, n}",
         kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-07", SampleInputs::Positive,
         [](In in) { return Out{cholesky(in[0])}; }},
        {"linalg.cholesky_ex", "(A, *, upper=False, check_errors=False)", "The same with a number for each matrix.",
         "{..., n, n} -> {..., n, n} {...}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-07",
         SampleInputs::Positive,
         [](In in) {
             const ResultAndInfo found = choleskyEx(in[0]);
             return Out{found.result, found.info};
         }},
        {"linalg.svd", "(A, full_matrices=True)", "A = U diag(S) Vh, S descending.",
         "{..., m, n} -> {..., m, m} {..., min} {..., n, n}", kAlgebra, OpGives::New,
         "LINALG-01 … LINALG-04, LINALG-07", SampleInputs::Matrices, [](In in) { return Out{svd(in[0]).s}; }},
        {"linalg.svdvals", "(A)", "Singular values, descending.", "{..., m, n} -> {..., min}", kAlgebra, OpGives::New,
         "LINALG-01 … LINALG-04, LINALG-07", SampleInputs::Matrices, [](In in) { return Out{svdvals(in[0])}; }},
        {"linalg.lu_factor", "(A, *, pivot=True)", "Rows exchanged, A = L U, packed in one matrix.",
         "{..., m, n} -> {..., m, n} {..., min}", kAlgebra, OpGives::New, "LINALG-01, LINALG-03, LINALG-04, LINALG-13",
         SampleInputs::Square,
         [](In in) {
             const LuFactor factors = luFactor(in[0]);
             return Out{factors.lu, factors.pivots};
         }},
        {"linalg.lu_factor_ex", "(A, *, pivot=True, check_errors=False)",
         "The same of any matrix, with the place of the first zero on U's diagonal.",
         "{..., m, n} -> {..., m, n} {..., min} {...}", kAlgebra, OpGives::New,
         "LINALG-01, LINALG-03, LINALG-04, LINALG-13", SampleInputs::Matrices,
         [](In in) {
             const LuFactorInfo factors = luFactorEx(in[0]);
             return Out{factors.lu, factors.pivots, factors.info};
         }},
        {"linalg.lu", "(A)", "A = P L U.", "{..., m, n} -> {..., m, m} {..., m, min} {..., min, n}", kAlgebra,
         OpGives::New, "LINALG-01, LINALG-03, LINALG-04", SampleInputs::Matrices,
         [](In in) {
             const LuParts parts = lu(in[0]);
             return Out{parts.p, parts.l, parts.u};
         }},
        {"lu_unpack", "(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True)", "P, L and U of packed factors.",
         "{..., m, n} {..., min} -> {..., m, m} {..., m, min} {..., min, n}", all, OpGives::New, "LINALG-01, LINALG-11",
         SampleInputs::Matrices,
         [](In in) {
             Dims shape;
             for (Index d = 0; d + 2 < in[0].dim(); ++d) shape.push_back(in[0].size(d));
             const Index rows = in[0].size(-2);
             shape.push_back(std::min(rows, in[0].size(-1)));
             const LuParts parts = luUnpack(in[0], full(shape, rows, {DType::Int32, in[0].device()}));
             return Out{parts.p, parts.l, parts.u};
         }},
        {"linalg.lu_solve", "(LU, pivots, B, *, left=True, adjoint=False)", "The X with A X = B from A's factors.",
         "{..., n, n} {..., n} {..., n, k} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-06, LINALG-11",
         SampleInputs::SquareAndSide,
         [](In in) {
             const LuFactor factors = luFactor(in[0]);
             return Out{luSolve(factors.lu, factors.pivots, in[1])};
         }},
        {"lu_solve", "(b, LU_data, LU_pivots)", "The older form of linalg.lu_solve.",
         "{..., n, k} {..., n, n} {..., n} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-06, LINALG-11",
         SampleInputs::SquareAndSide,
         [](In in) {
             const LuFactor factors = luFactor(in[0]);
             return Out{luSolve(factors.lu, factors.pivots, in[1])};
         }},
        {"triangular_solve", "(b, A, upper=True, transpose=False, unitriangular=False)",
         "The older form of linalg.solve_triangular, with a copy of A.",
         "{..., n, k} {..., n, n} -> {..., n, k} {..., n, n}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-06",
         SampleInputs::SquareAndSide,
         [](In in) {
             const TriangularSolution found = triangularSolve(in[1], in[0], false, true);
             return Out{found.solution, found.coefficient};
         }},
        {"geqrf", "(input)", "A = Q R as LAPACK packs it: R above, reflectors below the diagonal.",
         "{..., m, n} -> {..., m, n} {..., min}", kAlgebra, OpGives::New, "LINALG-01, LINALG-03, LINALG-04",
         SampleInputs::Matrices,
         [](In in) {
             const Reflectors packed = geqrf(in[0]);
             return Out{packed.a, packed.tau};
         }},
        {"linalg.householder_product", "(A, tau)", "The first n columns of the Q that geqrf packed; also torch.orgqr.",
         "{..., m, n} {..., k} -> {..., m, n}", kAlgebra, OpGives::New, "LINALG-01, LINALG-03 … LINALG-06",
         SampleInputs::Square,
         [](In in) {
             const Reflectors packed = geqrf(in[0]);
             return Out{householderProduct(packed.a, packed.tau)};
         }},
        {"ormqr", "(input, tau, other, left=True, transpose=False)", "Q that geqrf packed times other.",
         "{..., m, n} {..., k} {..., m, p} -> {..., m, p}", kAlgebra, OpGives::New, "LINALG-01, LINALG-03 … LINALG-06",
         SampleInputs::Square,
         [](In in) {
             const Reflectors packed = geqrf(in[0]);
             return Out{ormqr(packed.a, packed.tau, in[0], true, true), ormqr(packed.a, packed.tau, in[0], false)};
         }},
        {"linalg.ldl_factor", "(A, *, hermitian=False)", "A = L D L^T (or L D L^H), packed, of symmetric matrices.",
         "{..., n, n} -> {..., n, n} {..., n}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-13",
         SampleInputs::Positive,
         [](In in) {
             const LdlFactor factors = ldlFactor(in[0], true);
             return Out{factors.ld, factors.pivots};
         }},
        {"linalg.ldl_factor_ex", "(A, *, hermitian=False, check_errors=False)",
         "The same with the place of the first zero on D's diagonal.", "{..., n, n} -> {..., n, n} {..., n} {...}",
         kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-13", SampleInputs::Positive,
         [](In in) {
             const LdlFactorInfo factors = ldlFactorEx(in[0]);
             return Out{factors.ld, factors.pivots, factors.info};
         }},
        {"linalg.ldl_solve", "(LD, pivots, B, *, hermitian=False)", "The X with A X = B from A's factors.",
         "{..., n, n} {..., n} {..., n, k} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-06, LINALG-11",
         SampleInputs::SquareAndSide,
         [](In in) {
             const LdlFactorInfo factors = ldlFactorEx(in[0]);
             return Out{ldlSolve(factors.ld, factors.pivots, in[1])};
         }},
        {"cholesky_solve", "(B, L, upper=False)", "The X with A X = B from A's Cholesky factor.",
         "{..., n, k} {..., n, n} -> {..., n, k}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-06",
         SampleInputs::SquareAndSide, [](In in) { return Out{choleskySolve(in[1], in[0])}; }},
        {"cholesky_inverse", "(L, upper=False)", "The inverse of A from its Cholesky factor.",
         "{..., n, n} -> {..., n, n}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-07", SampleInputs::Square,
         [](In in) { return Out{choleskyInverse(in[0])}; }},
        {"linalg.eig", "(A)", "Eigenvalues and eigenvectors, complex.", "{..., n, n} -> {..., n} {..., n, n}", kAlgebra,
         OpGives::New, "LINALG-01 … LINALG-04, LINALG-10", SampleInputs::Square,
         [](In in) {
             const Eigen found = eig(in[0]);
             return Out{matmul(found.vectors, mul(unsqueeze(found.values, -1), inv(found.vectors)))};
         }},
        {"linalg.eigvals", "(A)", "Eigenvalues, complex.", "{..., n, n} -> {..., n}", kAlgebra, OpGives::New,
         "LINALG-01 … LINALG-04, LINALG-10", SampleInputs::Square, [](In in) { return Out{eigvals(in[0])}; }},
        {"linalg.eigh", "(A, UPLO='L')", "Eigenvalues (real, ascending) and vectors of a Hermitian matrix.",
         "{..., n, n} -> {..., n} {..., n, n}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-08",
         SampleInputs::Positive, [](In in) { return Out{eigh(in[0]).values}; }},
        {"linalg.eigvalsh", "(A, UPLO='L')", "The same without vectors.", "{..., n, n} -> {..., n}", kAlgebra,
         OpGives::New, "LINALG-01 … LINALG-04, LINALG-08", SampleInputs::Positive,
         [](In in) { return Out{eigvalsh(in[0])}; }},
        {"eig", "(input, eigenvectors=False)", "The older interface: {n, 2} real numbers, vectors in columns.",
         "{n, n} -> {n, 2} {n, n}", wideFloats, OpGives::New, "LINALG-01 … LINALG-05, LINALG-10", SampleInputs::Square,
         [](In in) { return Out{oldEig(firstMatrix(in[0])).values}; }},
        {"linalg.det", "(A)", "Determinant.", "{..., n, n} -> {...}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04",
         SampleInputs::Square, [](In in) { return Out{det(in[0])}; }},
        {"linalg.slogdet", "(A)", "Sign and logarithm of the determinant.", "{..., n, n} -> {...} {...}", kAlgebra,
         OpGives::New, "LINALG-01 … LINALG-04", SampleInputs::Square,
         [](In in) {
             const SignLogDet parts = slogdet(in[0]);
             return Out{parts.sign, parts.logabsdet};
         }},
        {"logdet", "(A)", "Logarithm of the determinant; NaN where that is negative.", "{..., n, n} -> {...}",
         wideFloats | complexes, OpGives::New, "LINALG-01 … LINALG-04", SampleInputs::Square,
         [](In in) { return Out{logdet(in[0])}; }},
        {"linalg.matrix_exp", "(A)", "e to the power of square matrices.", "{..., n, n} -> {..., n, n}", kAlgebra,
         OpGives::New, "LINALG-01 … LINALG-04", SampleInputs::Matrices,
         [](In in) { return Out{matrixExp(matmul(div(in[0], 100), transpose(in[0], -1, -2)))}; }},
        {"linalg.vecdot", "(x, y, *, dim=-1)", "Sum of conj(x) * y along a dim.", "broadcast, without the dim",
         floats | complexes, OpGives::New, "LINALG-03, LINALG-06", SampleInputs::Line,
         [](In in) {
             return Out{vecdot(in[0], in[0]), vecdot(in[0], in[0], 0)};
         }},
        {"linalg.matrix_rank", "(A, *, atol=None, rtol=None, hermitian=False)",
         "Singular values that count as more than 0.", "{..., m, n} -> {...}", kAlgebra, OpGives::New,
         "LINALG-01, LINALG-03, LINALG-04, LINALG-10, LINALG-12", SampleInputs::Matrices,
         [](In in) { return Out{matrixRank(in[0])}; }},
        {"linalg.pinv", "(A, *, atol=None, rtol=None, hermitian=False)", "Pseudo-inverse.",
         "{..., m, n} -> {..., n, m}", kAlgebra, OpGives::New,
         "LINALG-01, LINALG-03, LINALG-04, LINALG-07, LINALG-10, LINALG-12", SampleInputs::Square,
         [](In in) { return Out{pinv(in[0])}; }},
        {"pinverse", "(input, rcond=1e-15)", "linalg.pinv by its old name.", "{..., m, n} -> {..., n, m}", kAlgebra,
         OpGives::New, "LINALG-01, LINALG-03, LINALG-04, LINALG-10, LINALG-12", SampleInputs::Square,
         [](In in) { return Out{pinv(in[0])}; }},
        {"linalg.matrix_power", "(A, n)", "A to a whole power; below 0 of the inverse.", "{..., n, n} -> {..., n, n}",
         kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-07, MM-04", SampleInputs::Square,
         [](In in) {
             return Out{matrixPower(in[0], 2), matrixPower(in[0], -1)};
         }},
        {"linalg.tensorsolve", "(A, B, dims=None)", "The X with tensordot(A, X) = B.", "{b..., x...} {b...} -> {x...}",
         kAlgebra, OpGives::New, "LINALG-03 … LINALG-07", SampleInputs::SquareAndSide,
         [](In in) { return Out{tensorsolve(firstMatrix(in[0]), select(firstMatrix(in[1]), 1, 0))}; }},
        {"linalg.tensorinv", "(A, ind=2)", "The inverse for tensordot.", "{a..., b...} -> {b..., a...}", kAlgebra,
         OpGives::New, "LINALG-03 … LINALG-05, LINALG-07, LINALG-09", SampleInputs::Square,
         [](In in) { return Out{tensorinv(firstMatrix(in[0]), 1)}; }},
        {"linalg.norm", "(A, ord=None, dim=None, keepdim=False, *, dtype=None)",
         "Of vectors for one dim, of matrices for two; without ord the 2-norm of all.", "{...} -> without the dims",
         floats | complexes, OpGives::New, "NORM-01 … NORM-03, RED-01, RED-02", SampleInputs::Line,
         [](In in) { return Out{linalgNorm(in[0]), linalgNorm(in[0], 3, Dims{-1})}; }},
        {"linalg.vector_norm", "(x, ord=2, dim=None, keepdim=False, *, dtype=None)",
         "(sum of |x|^ord)^(1/ord); inf and -inf: largest and smallest |x|.", "{...} -> {} or without the dims",
         floats | complexes, OpGives::New, "NORM-03, RED-01, RED-02", SampleInputs::Line,
         [](In in) { return Out{vectorNorm(in[0]), vectorNorm(in[0], 1, 0), vectorNorm(in[0], HUGE_VAL, -1, true)}; }},
        {"linalg.matrix_norm", "(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None)",
         "'fro', 'nuc', by sums of rows (inf) or columns (1), by singular values (2).", "{..., m, n} -> {...}",
         kAlgebra, OpGives::New, "LINALG-04, LINALG-10, NORM-01, NORM-02, RED-02, RED-04", SampleInputs::Matrices,
         [](In in) {
             return Out{matrixNorm(in[0]), matrixNorm(in[0], "nuc"), matrixNorm(in[0], HUGE_VAL), matrixNorm(in[0], 2)};
         }},
        {"renorm", "(input, p, dim, maxnorm)", "Slices along dim shrunk to a norm.", "{...} -> {...}",
         floats | complexes, OpGives::New, "NORM-04, RED-02", SampleInputs::Matrices,
         [](In in) { return Out{renorm(in[0], 2, 0, 3)}; }},
        {"linalg.cond", "(A, p=None)", "Condition number: how much a system magnifies errors; inf if singular.",
         "{..., m, n} -> {...}", kAlgebra, OpGives::New, "LINALG-01 … LINALG-04, LINALG-10, NORM-01",
         SampleInputs::Square, [](In in) { return Out{cond(in[0]), cond(in[0], 1)}; }},
    };
    return kTable;
}

std::span<const Operation> fourier() {
    static const Operation kTable[] = {
        {"fft.fft", "(input, n=None, dim=-1, norm=None)", "Discrete Fourier transform along a dim.",
         "{..., n} -> {..., n}", kSpectral, OpGives::New, "FFT-01 … FFT-03", SampleInputs::Line,
         [](In in) { return Out{fft::fft(in[0])}; }},
        {"fft.ifft", "(input, n=None, dim=-1, norm=None)", "Its inverse.", "{..., n} -> {..., n}", kSpectral,
         OpGives::New, "FFT-01 … FFT-03", SampleInputs::Line, [](In in) { return Out{fft::ifft(in[0])}; }},
        {"fft.rfft", "(input, n=None, dim=-1, norm=None)", "Of real numbers: the first half of the result.",
         "{..., n} -> {..., n/2 + 1}", kRealSpectral, OpGives::New, "FFT-01 … FFT-03", SampleInputs::Line,
         [](In in) { return Out{fft::rfft(in[0])}; }},
        {"fft.irfft", "(input, n=None, dim=-1, norm=None)", "The inverse of rfft, real.", "{..., m} -> {..., 2(m - 1)}",
         kSpectral, OpGives::New, "FFT-01 … FFT-03", SampleInputs::Line,
         [](In in) { return Out{fft::irfft(in[0], 4)}; }},
        {"fft.hfft", "(input, n=None, dim=-1, norm=None)", "Transform of a half-given Hermitian signal, real.",
         "{..., m} -> {..., 2(m - 1)}", kSpectral, OpGives::New, "FFT-01 … FFT-03", SampleInputs::Line,
         [](In in) { return Out{fft::hfft(in[0], 5)}; }},
        {"fft.ihfft", "(input, n=None, dim=-1, norm=None)", "The inverse of hfft.", "{..., n} -> {..., n/2 + 1}",
         kRealSpectral, OpGives::New, "FFT-01 … FFT-03", SampleInputs::Line,
         [](In in) { return Out{fft::ihfft(in[0])}; }},
        {"fft.fftn", "(input, s=None, dim=None, norm=None)", "Along several dims.", "{...} -> {...}", kSpectral,
         OpGives::New, "FFT-01 … FFT-05", SampleInputs::Line, [](In in) { return Out{fft::fftn(in[0])}; }},
        {"fft.ifftn", "(input, s=None, dim=None, norm=None)", "Its inverse.", "{...} -> {...}", kSpectral, OpGives::New,
         "FFT-01 … FFT-05", SampleInputs::Line, [](In in) { return Out{fft::ifftn(in[0])}; }},
        {"fft.rfftn", "(input, s=None, dim=None, norm=None)", "The last dim as rfft, the others as fft.",
         "{..., n} -> {..., n/2 + 1}", kRealSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Line,
         [](In in) { return Out{fft::rfftn(in[0])}; }},
        {"fft.irfftn", "(input, s=None, dim=None, norm=None)", "Its inverse, real.", "{..., m} -> {..., 2(m - 1)}",
         kSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Line,
         [](In in) { return Out{fft::irfftn(in[0], Dims{4}, Dims{-1})}; }},
        {"fft.fft2", "(input, s=None, dim=(-2, -1), norm=None)", "fftn along the last two dims.",
         "{..., m, n} -> {..., m, n}", kSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Matrices,
         [](In in) {
             return Out{fft::fftn(in[0], {}, Dims{-2, -1})};
         }},
        {"fft.ifft2", "(input, s=None, dim=(-2, -1), norm=None)", "Its inverse.", "{..., m, n} -> {..., m, n}",
         kSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Matrices,
         [](In in) {
             return Out{fft::ifftn(in[0], {}, Dims{-2, -1})};
         }},
        {"fft.rfft2", "(input, s=None, dim=(-2, -1), norm=None)", "rfftn along the last two dims.",
         "{..., m, n} -> {..., m, n/2 + 1}", kRealSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Matrices,
         [](In in) {
             return Out{fft::rfftn(in[0], {}, Dims{-2, -1})};
         }},
        {"fft.irfft2", "(input, s=None, dim=(-2, -1), norm=None)", "Its inverse, real.",
         "{..., m, n} -> {..., m, 2(n - 1)}", kSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Matrices,
         [](In in) {
             return Out{fft::irfftn(in[0], Dims{in[0].size(-2), 4}, Dims{-2, -1})};
         }},
        {"fft.hfftn", "(input, s=None, dim=None, norm=None)", "The last dim as hfft, the others as fft.",
         "{..., m} -> {..., 2(m - 1)}", kSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Line,
         [](In in) { return Out{fft::hfftn(in[0], Dims{4}, Dims{-1})}; }},
        {"fft.ihfftn", "(input, s=None, dim=None, norm=None)", "Its inverse.", "{..., n} -> {..., n/2 + 1}",
         kRealSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Line,
         [](In in) { return Out{fft::ihfftn(in[0])}; }},
        {"fft.hfft2", "(input, s=None, dim=(-2, -1), norm=None)", "hfftn along the last two dims.",
         "{..., m, n} -> {..., m, 2(n - 1)}", kSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Matrices,
         [](In in) {
             return Out{fft::hfftn(in[0], Dims{in[0].size(-2), 4}, Dims{-2, -1})};
         }},
        {"fft.ihfft2", "(input, s=None, dim=(-2, -1), norm=None)", "Its inverse.", "{..., m, n} -> {..., m, n/2 + 1}",
         kRealSpectral, OpGives::New, "FFT-01 … FFT-05", SampleInputs::Matrices,
         [](In in) {
             return Out{fft::ihfftn(in[0], {}, Dims{-2, -1})};
         }},
        {"stft",
         "(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect', "
         "normalized=False, onesided=None, return_complex=None)",
         "The spectra of overlapping stretches of a signal.", "{..., n} -> {..., n_fft/2 + 1, stretches}",
         wideFloats | complexes, OpGives::New, "FFT-03, STFT-01 … STFT-06", SampleInputs::Line,
         [](In in) { return Out{stft(reshape(in[0], {-1}), 2, kStretches)}; }},
        {"istft",
         "(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, "
         "length=None, return_complex=False)",
         "The signal with these spectra.", "{..., n_fft/2 + 1, stretches} -> {..., n}", wideFloats | complexes,
         OpGives::New, "CPLX-02, STFT-01 … STFT-05", SampleInputs::Line,
         [](In in) { return Out{istft(stft(reshape(in[0], {-1}), 2, kStretches), 2, kStretches)}; }},
        {"fft.fftfreq", "(n, d=1.0)", "The frequencies of fft's results.", "-> {n}", floats, OpGives::New, "FFT-01"},
        {"fft.rfftfreq", "(n, d=1.0)", "The frequencies of rfft's results.", "-> {n/2 + 1}", floats, OpGives::New,
         "CREATE-05, FFT-01"},
        {"fft.fftshift", "(input, dim=None)", "Frequency 0 to the middle.", "{...} -> {...}", all, OpGives::New, "",
         SampleInputs::One, [](In in) { return Out{fft::fftshift(in[0])}; }},
        {"fft.ifftshift", "(input, dim=None)", "Frequency 0 back to the front.", "{...} -> {...}", all, OpGives::New,
         "", SampleInputs::One, [](In in) { return Out{fft::ifftshift(in[0])}; }},
    };
    return kTable;
}

std::span<const Operation> complexNumbers() {
    static const Operation kTable[] = {
        {"view_as_real", "(input)", "Real and imaginary part as a last dim.", "{...} -> {..., 2}", complexes,
         OpGives::View, "CPLX-01", SampleInputs::One, [](In in) { return Out{viewAsReal(in[0])}; }},
        {"view_as_complex", "(input)", "Pairs of floats as complex numbers.", "{..., 2} -> {...}", wideFloats,
         OpGives::View, "CPLX-02"},
        {"real", "(input)", "The real parts; of real tensors the tensor itself.", "{...} -> {...}", all, OpGives::View,
         "", SampleInputs::One, [](In in) { return Out{real(in[0])}; }},
        {"imag", "(input)", "The imaginary parts.", "{...} -> {...}", complexes, OpGives::View, "CPLX-03",
         SampleInputs::One, [](In in) { return Out{imag(in[0])}; }},
        {"conj", "(input)", "The imaginary part's sign turned.", "{...} -> {...}", all, OpGives::SameOrNew, "",
         SampleInputs::One, [](In in) { return Out{conj(in[0])}; }},
        {"angle", "(input)", "Angle in radians.", "{...} -> {...}", all, OpGives::New, "", SampleInputs::One,
         [](In in) { return Out{angle(in[0])}; }},
        {"complex", "(real, imag)", "From two real tensors.", "broadcast", wideFloats, OpGives::New, "CPLX-04",
         SampleInputs::Two, [](In in) { return Out{complex(in[0], in[1])}; }},
        {"polar", "(abs, angle)", "From magnitude and angle.", "broadcast", wideFloats, OpGives::New, "CPLX-04",
         SampleInputs::Two, [](In in) { return Out{polar(in[0], in[1])}; }},
    };
    return kTable;
}

} // namespace stridescope::operation_table
