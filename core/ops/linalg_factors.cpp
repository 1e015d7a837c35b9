// Factors in LAPACK's packed forms, and what is made of them: Householder reflectors, L D L^T, the older
// triangular_solve.

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/linalg.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/patterns.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/trace/op_record.h"
#include "core/view/broadcast.h"

#include <algorithm>

namespace stridescope {

namespace {

using linalg::LapackInfo;
using linalg::Matrices;
using linalg::Pivots;
using linalg::refuse;
using linalg::requireSquare;

void requireTwoDims(const std::string& name, const char* which, const Tensor& t) {
    elementwise::requireDefined(t, name.c_str());
    if (t.dim() < 2)
        refuse("LINALG-01", name + ": " + which + " must have at least 2 dimensions.",
               "It has " + std::to_string(t.dim()) + ".");
}

/// PyTorch's words for dtypes that LAPACK does not know.
void requireKernel(const char* kernel, const Tensor& t) {
    const bool half = t.dtype() == DType::Float16;
    if ((isFloating(t.dtype()) || isComplex(t.dtype())) && !half) return;
    refuse(half ? "LINALG-04" : "LINALG-03",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(t.dtype())) + "'",
           "Convert it first: x.float().");
}

void requireSameBatch(const std::string& name, const char* which, const Tensor& t, std::size_t ownDims,
                      const Tensor& a) {
    const Dims batch = linalg::batchOf(a);
    Dims own = t.shape();
    for (std::size_t i = 0; i < ownDims; ++i) own.erase(own.size() - 1);
    if (own == batch) return;
    refuse("LINALG-05",
           name + ": Expected batch dimensions of " + which + " to be equal to input.shape[:-2], but got " +
               toListString(std::span<const Index>(own)),
           "The input has " + toListString(std::span<const Index>(batch)) + ".");
}

/// One tau for each reflector of each matrix.
void requireTau(const std::string& name, const Tensor& a, const Tensor& tau) {
    if (a.dim() - tau.dim() != 1)
        refuse("LINALG-05",
               name + ": Expected tau to have one dimension less than input, but got tau.ndim equal to " +
                   std::to_string(tau.dim()) + " and input.ndim is equal to " + std::to_string(a.dim()),
               "Both come from geqrf.");
}

/// tau as the reflectors are worked on.
Tensor tauFor(const Matrices& reflectors, const Tensor& tau) {
    return contiguous(to(tau, reflectors.work()));
}

/// Both in one dtype: matrices of unlike sizes may be widened differently.
void bringTogether(const Matrices& fixed, Matrices& other) {
    if (other.work() != fixed.work()) other.tensor = to(other.tensor, fixed.work());
}

struct Ldl {
    Matrices packed;
    Pivots pivots;
    LapackInfo info;
};

Ldl ldlOf(const Tensor& a, bool hermitian) {
    Ldl f;
    f.packed = linalg::columnMajor(a);
    f.info = linalg::ldlFactor(f.packed, f.pivots, hermitian);
    return f;
}

LdlFactorInfo ldlFactorInfo(const char* name, const Tensor& a, bool hermitian, bool check) {
    requireSquare("torch.linalg.ldl_factor_ex", a);
    const trace::Nested nested;
    const Ldl f = ldlOf(a, hermitian);
    if (check && !f.info.ok())
        refuse("LINALG-13",
               "torch." + std::string(name) + ": " + linalg::batchText(a, f.info) + "D[" + std::to_string(f.info.info) +
                   "," + std::to_string(f.info.info) +
                   "] is zero: the factorization is complete, but ldl_solve would divide by zero",
               "linalg.ldl_factor_ex gives the factors all the same.");
    const Dims batch = linalg::batchOf(a);
    Dims shape = batch;
    shape.push_back(a.size(-1));
    return {f.packed.result(), f.pivots.tensor(shape), linalg::infoTensor(f.info, batch, a.device())};
}

/// Exchanges that LAPACK can follow: row k with itself or one below, or a pair of equal numbers below 0 for a block of
/// 2 by 2. Others would lead it out of the matrix.
void requirePivots(const std::vector<int>& pivots, Index n) {
    for (Index i = 0; i < static_cast<Index>(pivots.size()); ++i) {
        const Index k = i % n, p = pivots[static_cast<std::size_t>(i)];
        const Index next = k + 1 < n ? pivots[static_cast<std::size_t>(i + 1)] : 0;
        if (p > 0 && p <= n) continue;
        if (p < 0 && p >= -n && next == p) {
            ++i;
            continue;
        }
        refuse("LINALG-11",
               "torch.linalg.ldl_solve: pivots must be those of ldl_factor: from 1 to " + std::to_string(n) +
                   ", or pairs of equal negative numbers, but number " + std::to_string(k) + " is " + std::to_string(p),
               "Both LD and pivots come from linalg.ldl_factor.");
    }
}

/// PyTorch's conditions on LD, its pivots and a right side.
void requireLdlSystem(const Tensor& factors, const Tensor& pivots, const Tensor& b) {
    const std::string name = "torch.linalg.ldl_solve";
    requireSquare(name.c_str(), factors);
    requireTwoDims(name, "input B", b);
    elementwise::requireDefined(pivots, name.c_str());
    linalg::requireSameDevice(factors, b);
    linalg::requireSameDevice(factors, pivots);
    linalg::requireOldSystem(name, factors, b);
    Dims wanted = linalg::batchOf(factors);
    wanted.push_back(factors.size(-1));
    if (!(pivots.shape() == wanted))
        refuse("LINALG-11",
               name + ": Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape " +
                   toListString(std::span<const Index>(pivots.shape())) + " instead",
               "LD has " + toListString(std::span<const Index>(factors.shape())) + ".");
    if (isFloating(pivots.dtype()) || isComplex(pivots.dtype()) || pivots.dtype() == DType::Bool)
        refuse("LINALG-11",
               name + ": Expected pivots to be integers. Got " + std::string(scalarTypeName(pivots.dtype())),
               "They come from linalg.ldl_factor.");
}

} // namespace

// --- Householder reflectors -----------------------------------------------------------------------------------------

Reflectors geqrf(const Tensor& a) {
    requireTwoDims("torch.geqrf", "input", a);
    requireKernel("geqrf_cpu", a);
    const Observation observation;
    Reflectors result = [&] {
        const trace::Nested nested;
        Matrices packed = linalg::columnMajor(a);
        Tensor tau;
        linalg::qrFactor(packed, tau);
        return Reflectors{packed.result(), to(tau, a.dtype())};
    }();
    linalg::publish(observation, "geqrf", {&a}, {&result.a, &result.tau});
    return result;
}

Tensor householderProduct(const Tensor& a, const Tensor& tau) {
    const std::string name = "torch.linalg.householder_product";
    requireTwoDims(name, "input", a);
    elementwise::requireDefined(tau, name.c_str());
    linalg::requireSameDevice(a, tau);
    if (a.size(-2) < a.size(-1))
        refuse("LINALG-05", name + ": input.shape[-2] must be greater than or equal to input.shape[-1]",
               "They are " + std::to_string(a.size(-2)) + " and " + std::to_string(a.size(-1)) + ".");
    if (tau.dim() > 0 && a.size(-1) < tau.size(-1))
        refuse("LINALG-05", name + ": input.shape[-1] must be greater than or equal to tau.shape[-1]",
               "They are " + std::to_string(a.size(-1)) + " and " + std::to_string(tau.size(-1)) + ".");
    requireTau(name, a, tau);
    requireSameBatch(name, "tau", tau, 1, a);
    if (tau.dtype() != a.dtype())
        refuse("LINALG-06",
               name + ": tau dtype " + std::string(scalarTypeName(tau.dtype())) + " does not match input dtype " +
                   std::string(scalarTypeName(a.dtype())),
               "Convert one with to().");
    requireKernel("orgqr_cpu", a);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        Matrices q = linalg::columnMajor(a);
        linalg::qrMultiply(q, tauFor(q, tau), tau.size(-1));
        return q.result();
    }();
    linalg::publish(observation, "linalg.householder_product", {&a, &tau}, {&result});
    return result;
}

Tensor ormqr(const Tensor& a, const Tensor& tau, const Tensor& other, bool left, bool transpose) {
    const std::string name = "torch.ormqr";
    requireTwoDims(name, "input", a);
    requireTwoDims(name, "other", other);
    linalg::requireSameDevice(a, other);
    elementwise::requireDefined(tau, name.c_str());
    linalg::requireSameDevice(a, tau);
    const Index side = left ? -2 : -1;
    const std::string size = "other.shape[" + std::to_string(side) + "]";
    if (tau.dim() > 0 && other.size(side) < tau.size(-1))
        refuse("LINALG-05", name + ": " + size + " must be greater than or equal to tau.shape[-1]",
               "They are " + std::to_string(other.size(side)) + " and " + std::to_string(tau.size(-1)) + ".");
    if (other.size(side) != a.size(-2))
        refuse("LINALG-05", name + ": " + size + " must be equal to input.shape[-2]",
               "They are " + std::to_string(other.size(side)) + " and " + std::to_string(a.size(-2)) + ".");
    requireTau(name, a, tau);
    if (a.dim() != other.dim())
        refuse("LINALG-05",
               name + ": Expected other to have the same number of dimensions as input, but got other.ndim equal to " +
                   std::to_string(other.dim()) + " and input.ndim is equal to " + std::to_string(a.dim()),
               "expand() repeats one of them.");
    requireSameBatch(name, "tau", tau, 1, a);
    requireSameBatch(name, "other", other, 2, a);
    for (const auto& [t, which] : {std::pair{&tau, "tau"}, std::pair{&other, "other"}})
        if (t->dtype() != a.dtype())
            refuse("LINALG-06",
                   name + ": Expected input and " + which + " to have the same dtype, but input has dtype" +
                       std::string(scalarTypeName(a.dtype())) + " and " + which + " has dtype " +
                       std::string(scalarTypeName(t->dtype())),
                   "Convert one with to().");
    requireKernel("ormqr_cpu", a);
    // PyTorch leaves this to LAPACK, which would read beyond the matrix.
    if (tau.size(-1) > a.size(-1))
        refuse("LINALG-05", name + ": input.shape[-1] must be greater than or equal to tau.shape[-1]",
               "They are " + std::to_string(a.size(-1)) + " and " + std::to_string(tau.size(-1)) + ".");
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const Matrices reflectors = linalg::columnMajor(a);
        Matrices product = linalg::columnMajor(other);
        bringTogether(reflectors, product);
        linalg::qrApply(reflectors, tauFor(reflectors, tau), tau.size(-1), product, left, transpose);
        return product.result();
    }();
    linalg::publish(observation, "ormqr", {&a, &tau, &other}, {&result},
                    std::string(left ? "" : "left=False") + (left || !transpose ? "" : ", ") +
                        (transpose ? "transpose=True" : ""));
    return result;
}

// --- L D L^T --------------------------------------------------------------------------------------------------------

LdlFactor ldlFactor(const Tensor& a, bool hermitian) {
    const Observation observation;
    const LdlFactorInfo found = ldlFactorInfo("linalg.ldl_factor", a, hermitian, true);
    linalg::publish(observation, "linalg.ldl_factor", {&a}, {&found.ld, &found.pivots},
                    hermitian ? "hermitian=True" : "");
    return {found.ld, found.pivots};
}

LdlFactorInfo ldlFactorEx(const Tensor& a, bool hermitian, bool check) {
    const Observation observation;
    LdlFactorInfo found = ldlFactorInfo("linalg.ldl_factor_ex", a, hermitian, check);
    linalg::publish(observation, "linalg.ldl_factor_ex", {&a}, {&found.ld, &found.pivots, &found.info},
                    hermitian ? "hermitian=True" : "");
    return found;
}

Tensor ldlSolve(const Tensor& factors, const Tensor& pivots, const Tensor& b, bool hermitian) {
    requireLdlSystem(factors, pivots, b);
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        const Index n = factors.size(-1);
        const Dims batch = broadcastShapes(linalg::batchOf(factors), linalg::batchOf(b)).valueOrThrow();
        Dims pivotShape = batch;
        pivotShape.push_back(n);
        const Tensor exchanges = contiguous(expand(to(pivots, DType::Int32), pivotShape));
        const Pivots rows(exchanges, n);
        requirePivots(rows.read(), n);
        const Matrices packed = linalg::columnMajor(linalg::withBatch(factors, batch));
        Matrices x = linalg::columnMajor(linalg::withBatch(b, batch));
        bringTogether(packed, x);
        linalg::ldlSolve(packed, rows, x, hermitian);
        return x.result();
    }();
    linalg::publish(observation, "linalg.ldl_solve", {&factors, &pivots, &b}, {&result},
                    hermitian ? "hermitian=True" : "");
    return result;
}

// --- The older solver of triangles ----------------------------------------------------------------------------------

static std::string triangleText(bool upper, bool transposed, bool unitriangular) {
    std::string text;
    const auto add = [&text](const char* argument) { text += (text.empty() ? "" : ", ") + std::string(argument); };
    if (!upper) add("upper=False");
    if (transposed) add("transpose=True");
    if (unitriangular) add("unitriangular=True");
    return text;
}

TriangularSolution triangularSolve(const Tensor& b, const Tensor& a, bool upper, bool transposed, bool unitriangular) {
    const std::string name = "torch.triangular_solve";
    for (const auto& [t, which] : {std::pair{&b, "b"}, std::pair{&a, "A"}}) {
        elementwise::requireDefined(*t, name.c_str());
        if (t->dim() < 2)
            refuse("LINALG-01",
                   name + ": Expected " + which + " to have at least 2 dimensions, but it has " +
                       std::to_string(t->dim()) + " dimensions instead",
                   "unsqueeze() adds one.");
    }
    linalg::requireSameDevice(b, a);
    linalg::requireOldSystem("triangular_solve", a, b);
    requireKernel("triangular_solve_cpu", a);
    const Observation observation;
    TriangularSolution result = [&] {
        const trace::Nested nested;
        const Dims batch = broadcastShapes(linalg::batchOf(b), linalg::batchOf(a)).valueOrThrow();
        const Tensor matrix = transposed ? transpose(a, -1, -2) : a;
        Matrices copy = linalg::columnMajor(linalg::withBatch(a, batch));
        return TriangularSolution{solveTriangular(matrix, b, upper != transposed, true, unitriangular), copy.result()};
    }();
    linalg::publish(observation, "triangular_solve", {&b, &a}, {&result.solution, &result.coefficient},
                    triangleText(upper, transposed, unitriangular));
    return result;
}

} // namespace stridescope
