// Functions: products, linear algebra, Fourier transforms, complex numbers.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/einsum.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/fft.h"
#include "core/ops/linalg.h"
#include "core/ops/matmul.h"
#include "core/ops/norms.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/stft.h"
#include "core/ops/views.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

namespace {

Tensor tensordotBy(const Args& a) {
    PyObject* dims = a.object(2);
    if (!dims) return tensordot(a.tensor(0), a.tensor(1), 2);
    if (isIntLike(dims)) return tensordot(a.tensor(0), a.tensor(1), toIndex(dims));
    if (PySequence_Check(dims) && PySequence_Size(dims) == 2) {
        Ref first = Ref::take(PySequence_GetItem(dims, 0));
        Ref second = Ref::take(PySequence_GetItem(dims, 1));
        return tensordot(a.tensor(0), a.tensor(1), toDims(first.get()), toDims(second.get()));
    }
    raise(PyExc_RuntimeError, "tensordot expects dims to be int or Tuple[List[int], List[int]] or List[List[int]] "
                              "containing two lists, but got dims=" +
                                  typeName(dims));
}

/// A result into the first argument, which must have its shape.
void written(const Args& a, const Tensor& result) {
    const Tensor& target = a.tensor(0);
    if (!(target.shape() == result.shape())) elementwise::throwOutputShape(target.shape(), result.shape());
    elementwise::requireCast(result.dtype(), target.dtype());
    copy_(target, result);
}

/// einsum('ij,jk', a, b) and einsum('ij,jk', [a, b]).
Tensor einsumOf(const Args& a) {
    return einsum(a.text(0), a.tensors(1));
}

std::optional<NormOrder> order(const Args& a, std::size_t i) {
    if (!a.has(i)) return std::nullopt;
    if (a.isText(i)) return NormOrder(std::string_view(a.text(i)));
    return NormOrder(a.scalar(i));
}
/// A number or a tensor; nothing where none is given.
std::optional<MathInput> optionalInput(const Args& a, std::size_t i) {
    return a.has(i) ? std::optional<MathInput>(a.input(i)) : std::nullopt;
}
/// Where pinv and matrix_rank take one bound only, the other one is 0.
Tolerance toleranceOf(const Args& a, bool both) {
    if (both) return {optionalInput(a, 1), optionalInput(a, 2), a.flag(3)};
    return {std::nullopt, a.input(1), a.flag(2)};
}

/// Dims that were given, else the last two. On its own, as gcc 12 loses sight of the small list where it is inlined.
[[gnu::noinline]] Dims lastTwo(const Args& a, std::size_t i) {
    std::optional<Dims> dims = a.optionalDims(i);
    return dims ? *dims : Dims{-2, -1};
}

PyObject* lstsqOf(const Args& a) {
    LeastSquares r = RUN(lstsq(a.tensor(0), a.tensor(1), a.optionalNumber(2),
                               a.has(3) ? std::optional<std::string_view>(a.text(3)) : std::nullopt));
    return named("linalg_lstsq", {"solution", "residuals", "rank", "singular_values"},
                 {std::move(r.solution), std::move(r.residuals), std::move(r.rank), std::move(r.singularValues)});
}
PyObject* withInfo(const char* type, const char* field, ResultAndInfo both) {
    return named(type, {field, "info"}, {std::move(both.result), std::move(both.info)});
}
PyObject* qrOf(const char* type, Qr r) {
    return named(type, {"Q", "R"}, {std::move(r.q), std::move(r.r)});
}
/// The older torch.svd: V itself, not its transpose, and reduced unless `some` is false.
PyObject* oldSvd(const Args& a) {
    if (!a.flag(2)) {
        const Tensor& t = a.tensor(0);
        Tensor values = RUN(svdvals(t));
        const auto square = [&](Index size) {
            Dims shape = t.shape();
            shape[shape.size() - 2] = shape.back() = size;
            return zeros(shape, {t.dtype(), t.device()});
        };
        Tensor u = square(t.size(-2)), v = transpose(square(t.size(-1)), -2, -1);
        return named("svd", {"U", "S", "V"}, {std::move(u), std::move(values), std::move(v)});
    }
    Svd r = RUN(svd(a.tensor(0), !a.flag(1)));
    return named("svd", {"U", "S", "V"}, {std::move(r.u), std::move(r.s), conj(transpose(r.vh, -2, -1))});
}
Tensor oldCholesky(const Args& a) {
    warnOf("torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch "
           "release.\nL = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\n"
           "U = torch.cholesky(A, upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH().\n"
           "This transform will produce equivalent results for all valid (symmetric positive definite) inputs.");
    return cholesky(a.tensor(0), a.flag(1));
}
PyObject* eigOf(const char* type, Eigen r) {
    return named(type, {"eigenvalues", "eigenvectors"}, {std::move(r.values), std::move(r.vectors)});
}
PyObject* signLogDet(const char* type, SignLogDet r) {
    return named(type, {"sign", "logabsdet"}, {std::move(r.sign), std::move(r.logabsdet)});
}
void requirePivots(const Args& a) {
    if (!a.flag(1)) raise(PyExc_RuntimeError, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
}
/// LAPACK's drivers are chosen on a GPU only.
void requireNoDriver(const Args& a, std::size_t i) {
    if (a.has(i))
        raise(PyExc_RuntimeError, "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with "
                                  "cuSOLVER backend.");
}
PyObject* svdOf(const Args& a) {
    requireNoDriver(a, 2);
    Svd r = RUN(svd(a.tensor(0), a.flag(1)));
    return named("linalg_svd", {"U", "S", "Vh"}, {std::move(r.u), std::move(r.s), std::move(r.vh)});
}
Tensor svdvalsOf(const Args& a) {
    requireNoDriver(a, 1);
    return svdvals(a.tensor(0));
}
PyObject* luPartsOf(const char* type, LuParts r) {
    return named(type, {"P", "L", "U"}, {std::move(r.p), std::move(r.l), std::move(r.u)});
}
PyObject* luOf(const Args& a) {
    requirePivots(a);
    return luPartsOf("linalg_lu", RUN(lu(a.tensor(0))));
}
PyObject* luFactorOf(const Args& a) {
    requirePivots(a);
    LuFactor r = RUN(luFactor(a.tensor(0)));
    return named("linalg_lu_factor", {"LU", "pivots"}, {std::move(r.lu), std::move(r.pivots)});
}
PyObject* luFactorExOf(const Args& a) {
    requirePivots(a);
    LuFactorInfo r = RUN(luFactorEx(a.tensor(0), a.flag(2)));
    return named("linalg_lu_factor_ex", {"LU", "pivots", "info"},
                 {std::move(r.lu), std::move(r.pivots), std::move(r.info)});
}
/// lu_solve and triangular_solve are older names of which PyTorch warns.
Tensor oldLuSolve(const Args& a) {
    warnOf("torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch "
           "release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\n"
           "should be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)");
    return luSolve(a.tensor(1), a.tensor(2), a.tensor(0));
}
PyObject* triangularSolveOf(const Args& a) {
    warnOf("torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a "
           "future PyTorch release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a "
           "copy of one of the inputs.\nX = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
           "X = torch.linalg.solve_triangular(A, B).");
    TriangularSolution r = RUN(triangularSolve(a.tensor(0), a.tensor(1), a.flag(2), a.flag(3), a.flag(4)));
    return named("triangular_solve", {"solution", "cloned_coefficient"},
                 {std::move(r.solution), std::move(r.coefficient)});
}
PyObject* geqrfOf(const Args& a) {
    Reflectors r = RUN(geqrf(a.tensor(0)));
    return named("geqrf", {"a", "tau"}, {std::move(r.a), std::move(r.tau)});
}
PyObject* ldlFactorOf(const Args& a) {
    LdlFactor r = RUN(ldlFactor(a.tensor(0), a.flag(1)));
    return named("linalg_ldl_factor", {"LD", "pivots"}, {std::move(r.ld), std::move(r.pivots)});
}
PyObject* ldlFactorExOf(const Args& a) {
    LdlFactorInfo r = RUN(ldlFactorEx(a.tensor(0), a.flag(1), a.flag(2)));
    return named("linalg_ldl_factor_ex", {"LD", "pivots", "info"},
                 {std::move(r.ld), std::move(r.pivots), std::move(r.info)});
}
PyObject* gelsOf(const Args& a) {
    auto [solution, factors] = RUN(gels(a.tensor(0), a.tensor(1)));
    return named("gels", {"solution", "QR"}, {std::move(solution), std::move(factors)});
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses)
/// The order of PyTorch's first years: factors first, x.addmm_(beta, alpha, a, b).
#define FACTORS_FIRST(name, function, first, second)                                                                   \
    IN("~." name "(Tensor self, Scalar beta, Scalar alpha, Tensor " first ", Tensor " second ")",                      \
       written(a, function(a.tensor(0), a.tensor(3), a.tensor(4), a.scalar(1), a.scalar(2)))),                         \
        IN("~." name "(Tensor self, Scalar beta, Tensor " first ", Tensor " second ")",                                \
           written(a, function(a.tensor(0), a.tensor(2), a.tensor(3), a.scalar(1), 1)))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> products() {
    return {
        FN("dot(Tensor input, Tensor tensor)", dot(a.tensor(0), a.tensor(1))),
        FN("+dot(Tensor input, Tensor other)", dot(a.tensor(0), a.tensor(1))),
        FN("vdot(Tensor input, Tensor other)", vdot(a.tensor(0), a.tensor(1))),
        FN("mv(Tensor input, Tensor vec)", mv(a.tensor(0), a.tensor(1))),
        FN("mm(Tensor input, Tensor mat2)", mm(a.tensor(0), a.tensor(1))),
        FN("bmm(Tensor input, Tensor mat2)", bmm(a.tensor(0), a.tensor(1))),
        FN("matmul(Tensor input, Tensor other)", matmul(a.tensor(0), a.tensor(1))),
        // The order of PyTorch's first years: factors first.
        FN("addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
           addmm(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4))),
        FN("~addmm(Scalar beta, Tensor input, Scalar alpha, Tensor mat1, Tensor mat2)",
           addmm(a.tensor(1), a.tensor(3), a.tensor(4), a.scalar(0), a.scalar(2))),
        FN("~addmm(Scalar beta, Tensor input, Tensor mat1, Tensor mat2)",
           addmm(a.tensor(1), a.tensor(2), a.tensor(3), a.scalar(0), 1)),
        FN("addmv(Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)",
           addmv(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4))),
        FN("~addmv(Scalar beta, Tensor input, Scalar alpha, Tensor mat, Tensor vec)",
           addmv(a.tensor(1), a.tensor(3), a.tensor(4), a.scalar(0), a.scalar(2))),
        FN("~addmv(Scalar beta, Tensor input, Tensor mat, Tensor vec)",
           addmv(a.tensor(1), a.tensor(2), a.tensor(3), a.scalar(0), 1)),
        FN("baddbmm(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
           baddbmm(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4))),
        FN("~baddbmm(Scalar beta, Tensor input, Scalar alpha, Tensor batch1, Tensor batch2)",
           baddbmm(a.tensor(1), a.tensor(3), a.tensor(4), a.scalar(0), a.scalar(2))),
        FN("~baddbmm(Scalar beta, Tensor input, Tensor batch1, Tensor batch2)",
           baddbmm(a.tensor(1), a.tensor(2), a.tensor(3), a.scalar(0), 1)),
        FN("addbmm(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
           addbmm(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4))),
        FN("~addbmm(Scalar beta, Tensor input, Scalar alpha, Tensor batch1, Tensor batch2)",
           addbmm(a.tensor(1), a.tensor(3), a.tensor(4), a.scalar(0), a.scalar(2))),
        FN("~addbmm(Scalar beta, Tensor input, Tensor batch1, Tensor batch2)",
           addbmm(a.tensor(1), a.tensor(2), a.tensor(3), a.scalar(0), 1)),
        FACTORS_FIRST("addbmm_", addbmm, "batch1", "batch2"),
        IN(".addbmm_(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
           written(a, addbmm(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4)))),
        FN("addr(Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)",
           addr(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4))),
        FN("~addr(Scalar beta, Tensor input, Scalar alpha, Tensor vec1, Tensor vec2)",
           addr(a.tensor(1), a.tensor(3), a.tensor(4), a.scalar(0), a.scalar(2))),
        FN("~addr(Scalar beta, Tensor input, Tensor vec1, Tensor vec2)",
           addr(a.tensor(1), a.tensor(2), a.tensor(3), a.scalar(0), 1)),
        FACTORS_FIRST("addr_", addr, "vec1", "vec2"),
        IN(".addr_(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)",
           written(a, addr(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4)))),
        FACTORS_FIRST("addmm_", addmm, "mat1", "mat2"),
        IN(".addmm_(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
           written(a, addmm(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4)))),
        FACTORS_FIRST("addmv_", addmv, "mat", "vec"),
        IN(".addmv_(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)",
           written(a, addmv(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4)))),
        IN(":addmv_(Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)",
           written(a, addmv(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4)))),
        FACTORS_FIRST("baddbmm_", baddbmm, "batch1", "batch2"),
        IN(".baddbmm_(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
           written(a, baddbmm(a.tensor(0), a.tensor(1), a.tensor(2), a.scalar(3), a.scalar(4)))),
        FN("outer(Tensor input, Tensor vec2)", outer(a.tensor(0), a.tensor(1))),
        FN("inner(Tensor input, Tensor other)", inner(a.tensor(0), a.tensor(1))),
        FN(":tensordot(Tensor a, Tensor b, object dims=2)", tensordotBy(a)),
        FN("kron(Tensor input, Tensor other)", kron(a.tensor(0), a.tensor(1))),
        FN(":linalg.diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1)",
           diagonal(a.tensor(0), a.index(1), a.index(2), a.index(3))),
        FN("trace(Tensor input)", matrixTrace(a.tensor(0))),
        FN("cross(Tensor input, Tensor other, int? dim=None)", cross(a.tensor(0), a.tensor(1), a.optionalIndex(2))),
        FN(":linalg.cross(Tensor input, Tensor other, *, int dim=-1)", cross(a.tensor(0), a.tensor(1), a.index(2))),
        FN("_einsum(str equation, Tensor[] operands)", einsumOf(a)),
        FN("linalg.multi_dot(Tensor[] tensors)", multiDot(a.tensors(0))),
    };
}

std::vector<Entry> linearAlgebra() {
    return {
        FN("linalg.solve(Tensor A, Tensor B, *, bool left=True)", solve(a.tensor(0), a.tensor(1), a.flag(2))),
        PY("linalg.solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> 2",
           withInfo("linalg_solve_ex", "result", RUN(solveEx(a.tensor(0), a.tensor(1), a.flag(2), a.flag(3))))),
        PY("linalg.inv_ex(Tensor A, *, bool check_errors=False) -> 2",
           withInfo("linalg_inv_ex", "inverse", RUN(invEx(a.tensor(0), a.flag(1))))),
        PY("linalg.cholesky_ex(Tensor input, *, bool upper=False, bool check_errors=False) -> 2",
           withInfo("linalg_cholesky_ex", "L", RUN(choleskyEx(a.tensor(0), a.flag(1), a.flag(2))))),
        FN("linalg.solve_triangular(Tensor input, Tensor B, *, bool upper, bool left=True, bool unitriangular=False)",
           solveTriangular(a.tensor(0), a.tensor(1), a.flag(2), a.flag(3), a.flag(4))),
        FN("linalg.inv(Tensor A)", inv(a.tensor(0))),
        PY("linalg.lstsq(Tensor input, Tensor b, float? rcond=None, *, str? driver=None) -> 4", lstsqOf(a)),
        PY("gels(Tensor input, Tensor A) -> 2", gelsOf(a)),
        PY("linalg.qr(Tensor A, str mode='reduced') -> 2", qrOf("linalg_qr", RUN(qr(a.tensor(0), a.text(1))))),
        PY("qr(Tensor input, bool some=True) -> 2",
           (warnOf(
                "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\n"
                "The boolean parameter 'some' has been replaced with a string parameter 'mode'.\n"
                "Q, R = torch.qr(A, some)\nshould be replaced with\n"
                "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"),
            qrOf("qr", RUN(qr(a.tensor(0), a.flag(1) ? "reduced" : "complete"))))),
        FN("linalg.cholesky(Tensor input, *, bool upper=False)", cholesky(a.tensor(0), a.flag(1))),
        FN("cholesky(Tensor input, bool upper=False)", oldCholesky(a)),
        PY("linalg.svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> 3", svdOf(a)),
        PY("svd(Tensor input, bool some=True, bool compute_uv=True) -> 3", oldSvd(a)),
        FN("linalg.svdvals(Tensor A, *, str? driver=None)", svdvalsOf(a)),
        PY("linalg.lu_factor(Tensor A, *, bool pivot=True) -> 2", luFactorOf(a)),
        PY("linalg.lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> 3", luFactorExOf(a)),
        PY("linalg.lu(Tensor A, *, bool pivot=True) -> 3", luOf(a)),
        PY("lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> 3",
           luPartsOf("lu_unpack", RUN(luUnpack(a.tensor(0), a.tensor(1), a.flag(2), a.flag(3))))),
        FN("linalg.lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False)",
           luSolve(a.tensor(0), a.tensor(1), a.tensor(2), a.flag(3), a.flag(4))),
        FN("lu_solve(Tensor input, Tensor LU_data, Tensor LU_pivots)", oldLuSolve(a)),
        PY("triangular_solve(Tensor input, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) "
           "-> 2",
           triangularSolveOf(a)),
        PY("geqrf(Tensor input) -> 2", geqrfOf(a)),
        FN("linalg.householder_product(Tensor input, Tensor tau)", householderProduct(a.tensor(0), a.tensor(1))),
        FN("ormqr(Tensor input, Tensor tau, Tensor other, bool left=True, bool transpose=False)",
           ormqr(a.tensor(0), a.tensor(1), a.tensor(2), a.flag(3), a.flag(4))),
        PY("linalg.ldl_factor(Tensor input, *, bool hermitian=False) -> 2", ldlFactorOf(a)),
        PY("linalg.ldl_factor_ex(Tensor input, *, bool hermitian=False, bool check_errors=False) -> 3",
           ldlFactorExOf(a)),
        FN("linalg.ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False)",
           ldlSolve(a.tensor(0), a.tensor(1), a.tensor(2), a.flag(3))),
        FN("linalg.vander(Tensor x, *, int? N=None)", linalgVander(a.tensor(0), a.optionalIndex(1))),
        FN("cholesky_solve(Tensor input, Tensor input2, bool upper=False)",
           choleskySolve(a.tensor(0), a.tensor(1), a.flag(2))),
        FN("cholesky_inverse(Tensor input, bool upper=False)", choleskyInverse(a.tensor(0), a.flag(1))),
        PY("linalg.eig(Tensor input) -> 2", eigOf("linalg_eig", RUN(eig(a.tensor(0))))),
        FN("linalg.eigvals(Tensor input)", eigvals(a.tensor(0))),
        PY("linalg.eigh(Tensor input, str UPLO='L') -> 2", eigOf("linalg_eigh", RUN(eigh(a.tensor(0), a.text(1))))),
        FN("linalg.eigvalsh(Tensor input, str UPLO='L')", eigvalsh(a.tensor(0), a.text(1))),
        PY("eig(Tensor input, bool eigenvectors=False) -> 2", eigOf("eig", RUN(oldEig(a.tensor(0), a.flag(1))))),
        FN("linalg.det(Tensor A)", det(a.tensor(0))),
        PY("linalg.slogdet(Tensor A) -> 2", signLogDet("linalg_slogdet", RUN(slogdet(a.tensor(0))))),
        PY("slogdet(Tensor input) -> 2", signLogDet("slogdet", RUN(slogdet(a.tensor(0))))),
        FN("logdet(Tensor input)", logdet(a.tensor(0))),
        FN("linalg.matrix_exp(Tensor input)", matrixExp(a.tensor(0))),
        FN("linalg.vecdot(Tensor x, Tensor y, *, int dim=-1)", vecdot(a.tensor(0), a.tensor(1), a.index(2))),
        FN("linalg.matrix_rank(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)",
           matrixRank(a.tensor(0), toleranceOf(a, true))),
        FN("linalg.matrix_rank(Tensor input, *, float? atol=None, float? rtol=None, bool hermitian=False)",
           matrixRank(a.tensor(0), toleranceOf(a, true))),
        FN("linalg.matrix_rank(Tensor input, Tensor tol, bool hermitian=False)",
           matrixRank(a.tensor(0), {a.input(1), MathInput(0.0), a.flag(2)})),
        FN("linalg.matrix_rank(Tensor input, float tol, bool hermitian=False)",
           matrixRank(a.tensor(0), {a.input(1), MathInput(0.0), a.flag(2)})),
        FN("linalg.pinv(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False)",
           pinv(a.tensor(0), toleranceOf(a, true))),
        FN("linalg.pinv(Tensor input, *, float? atol=None, float? rtol=None, bool hermitian=False)",
           pinv(a.tensor(0), toleranceOf(a, true))),
        FN("linalg.pinv(Tensor input, Tensor rcond, bool hermitian=False)", pinv(a.tensor(0), toleranceOf(a, false))),
        FN("linalg.pinv(Tensor input, float rcond, bool hermitian=False)", pinv(a.tensor(0), toleranceOf(a, false))),
        FN("pinverse(Tensor input, float rcond=1e-15)", pinv(a.tensor(0), {std::nullopt, MathInput(a.number(1))})),
        FN("linalg.matrix_power(Tensor input, int n)", matrixPower(a.tensor(0), a.index(1))),
        FN("linalg.tensorsolve(Tensor input, Tensor other, int[]? dims=None)",
           tensorsolve(a.tensor(0), a.tensor(1), a.optionalDims(2).value_or(Dims{}))),
        FN("linalg.tensorinv(Tensor input, int ind=2)", tensorinv(a.tensor(0), a.has(1) ? a.index(1) : 2)),
        FN("linalg.norm(Tensor input, Scalar|str? ord=None, int[1]? dim=None, bool keepdim=False, *, dtype? "
           "dtype=None)",
           linalgNorm(a.tensor(0), order(a, 1), a.optionalDims(2), a.flag(3), a.dtype(4))),
        FN("linalg.vector_norm(Tensor input, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None)",
           vectorNorm(a.tensor(0), a.scalar(1), a.reduceDims(2), a.flag(3), a.dtype(4))),
        FN("linalg.matrix_norm(Tensor input, Scalar|str? ord='fro', int[]? dim=None, bool keepdim=False, *, dtype? "
           "dtype=None)",
           matrixNorm(a.tensor(0), order(a, 1).value_or(NormOrder("fro")), lastTwo(a, 2), a.flag(3), a.dtype(4))),
        FN("renorm(Tensor input, Scalar p, int dim, Scalar maxnorm)",
           renorm(a.tensor(0), a.scalar(1), a.index(2), a.scalar(3))),
        IN(".renorm_(Tensor self, Scalar p, int dim, Scalar maxnorm)",
           renorm_(a.tensor(0), a.scalar(1), a.index(2), a.scalar(3))),
        FN("linalg.cond(Tensor input, Scalar|str? p=None)", cond(a.tensor(0), order(a, 1))),
    };
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define ALONG_ONE(name, function)                                                                                      \
    FN("fft." name "(Tensor input, int? n=None, int dim=-1, str? norm='backward')",                                    \
       fft::function(a.tensor(0), a.optionalIndex(1), a.index(2), a.text(3)))
#define ALONG_SEVERAL(name, function)                                                                                  \
    FN("fft." name "(Tensor input, int[1]? s=None, int[1]? dim=None, str? norm='backward')",                           \
       fft::function(a.tensor(0), a.optionalDims(1), a.optionalDims(2), a.text(3)))
#define ALONG_TWO(name, function)                                                                                      \
    FN("fft." name "(Tensor input, int[1]? s=None, int[1]? dim=(-2, -1), str? norm='backward')",                       \
       fft::function(a.tensor(0), a.optionalDims(1), lastTwo(a, 2), a.text(3)))
// NOLINTEND(bugprone-macro-parentheses)

/// What stft and istft take alike, from hop_length at place 2 on.
StftOptions stftOptions(const Args& a, std::size_t center) {
    StftOptions options;
    options.hop = a.optionalIndex(2);
    options.win = a.optionalIndex(3);
    options.window = a.optionalTensor(4).value_or(Tensor());
    options.center = a.flag(center);
    return options;
}
std::optional<bool> optionalFlag(const Args& a, std::size_t i) {
    return a.has(i) ? std::optional<bool>(a.flag(i)) : std::nullopt;
}
Tensor stftOf(const Args& a) {
    StftOptions options = stftOptions(a, 5);
    options.padding = a.text(6);
    options.normalized = a.flag(7);
    options.onesided = optionalFlag(a, 8);
    options.complex = optionalFlag(a, 9);
    return stft(a.tensor(0), a.index(1), options);
}
Tensor istftOf(const Args& a) {
    StftOptions options = stftOptions(a, 5);
    options.normalized = a.flag(6);
    options.onesided = optionalFlag(a, 7);
    options.length = a.optionalIndex(8);
    options.complex = a.flag(9);
    return istft(a.tensor(0), a.index(1), options);
}

std::vector<Entry> fourier() {
    return {
        FN("stft(Tensor input, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
           "center=True, str pad_mode='reflect', bool normalized=False, bool? onesided=None, bool? "
           "return_complex=None)",
           stftOf(a)),
        FN("istft(Tensor input, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool "
           "center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False)",
           istftOf(a)),
        ALONG_ONE("fft", fft),
        ALONG_ONE("ifft", ifft),
        ALONG_ONE("rfft", rfft),
        ALONG_ONE("irfft", irfft),
        ALONG_ONE("hfft", hfft),
        ALONG_ONE("ihfft", ihfft),
        ALONG_SEVERAL("fftn", fftn),
        ALONG_SEVERAL("ifftn", ifftn),
        ALONG_SEVERAL("rfftn", rfftn),
        ALONG_SEVERAL("irfftn", irfftn),
        ALONG_TWO("fft2", fftn),
        ALONG_TWO("ifft2", ifftn),
        ALONG_TWO("rfft2", rfftn),
        ALONG_TWO("irfft2", irfftn),
        ALONG_SEVERAL("hfftn", hfftn),
        ALONG_SEVERAL("ihfftn", ihfftn),
        ALONG_TWO("hfft2", hfftn),
        ALONG_TWO("ihfft2", ihfftn),
        FN("fft.fftfreq(int n, float d=1.0, *, " OPTIONS ")", fft::fftfreq(a.index(0), a.number(1), a.options(2))),
        FN("fft.rfftfreq(int n, float d=1.0, *, " OPTIONS ")", fft::rfftfreq(a.index(0), a.number(1), a.options(2))),
        FN("fft.fftshift(Tensor input, int[1]? dim=None)", fft::fftshift(a.tensor(0), a.optionalDims(1))),
        FN("fft.ifftshift(Tensor input, int[1]? dim=None)", fft::ifftshift(a.tensor(0), a.optionalDims(1))),
    };
}

std::vector<Entry> complexNumbers() {
    return {
        FN("view_as_real(Tensor input)", viewAsReal(a.tensor(0))),
        FN("view_as_complex(Tensor input)", viewAsComplex(a.tensor(0))),
        SAME(":real(Tensor input)", real(a.tensor(0))),
        FN(":imag(Tensor input)", imag(a.tensor(0))),
        SAME("conj(Tensor input)", conj(a.tensor(0))),
        SAME("conj_physical(Tensor input)", conj(a.tensor(0))),
        IN("conj_physical_(Tensor input)", written(a, conj(a.tensor(0)))),
        SAME("resolve_conj(Tensor input)", Tensor(a.tensor(0))),
        FN("angle(Tensor input)", angle(a.tensor(0))),
        FN(":complex(Tensor real, Tensor imag)", complex(a.tensor(0), a.tensor(1))),
        FN(":polar(Tensor abs, Tensor angle)", polar(a.tensor(0), a.tensor(1))),
    };
}

} // namespace stridescope::python::tables
