// Eigenvalues and singular values.

#include "core/io/text.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/linalg.h"
#include "core/ops/linalg_checks.h"
#include "core/ops/views.h"

namespace stridescope {

namespace {

using linalg::batchText;
using linalg::LapackInfo;
using linalg::Matrices;
using linalg::publish;
using linalg::refuse;

[[noreturn]] void refuseConvergence(const char* operation, const Tensor& a, const LapackInfo& info) {
    refuse("LINALG-07",
           std::string(operation) + ": " + batchText(a, info) +
               "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
               "eigenvalues (error code: " +
               std::to_string(info.info) + ").");
}

/// 'L' or 'U', whatever the case.
char triangleOf(std::string_view uplo) {
    if (uplo == "L" || uplo == "l") return 'L';
    if (uplo == "U" || uplo == "u") return 'U';
    refuse("LINALG-08", "Expected UPLO argument to be 'L' or 'U', but got " + sanitiseForDisplay(uplo, 60));
}

/// Values alone, or with the vectors.
void publishEigen(const Observation& observation, const char* name, const Tensor& a, const Eigen& result, bool vectors,
                  std::string arguments = {}) {
    if (vectors)
        publish(observation, name, {&a}, {&result.values, &result.vectors}, std::move(arguments));
    else
        publish(observation, name, {&a}, {&result.values}, std::move(arguments));
}

Eigen general(const char* name, const Tensor& a, bool vectors) {
    linalg::requireSquare(name, a);
    linalg::requireFinite(("torch." + std::string(name)).c_str(), a);
    const Observation observation;
    Eigen result;
    {
        const trace::Nested nested;
        Matrices m = linalg::columnMajor(a);
        if (const LapackInfo info = linalg::eigenGeneral(m, result.values, vectors ? &result.vectors : nullptr);
            !info.ok())
            refuseConvergence(name, a, info);
        const DType dtype = complexDType(a.dtype());
        result.values = to(result.values, dtype);
        if (vectors) result.vectors = to(result.vectors, dtype);
    }
    publishEigen(observation, name, a, result, vectors);
    return result;
}

Eigen symmetric(const char* name, const Tensor& a, bool vectors, std::string_view uplo) {
    linalg::requireSquare(name, a);
    const char triangle = triangleOf(uplo);
    const Observation observation;
    Eigen result;
    {
        const trace::Nested nested;
        Matrices m = linalg::columnMajor(a);
        if (const LapackInfo info = linalg::eigenSymmetric(m, result.values, vectors, triangle == 'U'); !info.ok())
            refuseConvergence(name, a, info);
        result.values = to(result.values, realPartDType(a.dtype()));
        if (vectors) result.vectors = m.result();
    }
    publishEigen(observation, name, a, result, vectors, triangle == 'U' ? "UPLO='U'" : "");
    return result;
}

void requireFiniteForSvd(const Tensor& a) {
    try {
        linalg::requireFinite("linalg.svd", a);
    } catch (const Error& error) {
        Refusal refusal = error.refusal();
        refusal.id = "LINALG-07"; // in PyTorch a LinAlgError here, and only here
        refusal.message = "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite "
                          "values.";
        throwRefusal(std::move(refusal));
    }
}

} // namespace

Eigen eig(const Tensor& a) {
    return general("linalg.eig", a, true);
}

Tensor eigvals(const Tensor& a) {
    return general("linalg.eigvals", a, false).values;
}

Eigen eigh(const Tensor& a, std::string_view uplo) {
    return symmetric("linalg.eigh", a, true, uplo);
}

Tensor eigvalsh(const Tensor& a, std::string_view uplo) {
    return symmetric("linalg.eigvalsh", a, false, uplo).values;
}

Eigen oldEig(const Tensor& a, bool vectors) {
    linalg::requireSquare("eig", a);
    if (a.dim() != 2 || isComplex(a.dtype()))
        refuse("LINALG-05",
               "eig: expected one real matrix, but got a tensor of " + std::to_string(a.dim()) + " dims and " +
                   "dtype " + std::string(name(a.dtype())),
               "linalg.eig takes batches and complex matrices.");
    const Observation observation;
    Eigen result;
    {
        const trace::Nested nested;
        const Eigen now = eig(a);
        const Index n = a.size(0);
        result.values = contiguous(viewAsReal(now.values));
        result.vectors = zeros(vectors ? Dims{n, n} : Dims{0}, {a.dtype(), a.device()});
        if (vectors) {
            // Of a complex pair x + iy, x - iy the two columns are x and y.
            const Tensor re = real(now.vectors), im = imag(now.vectors);
            const Tensor parts = to(to(result.values, Device{}), DType::Float64);
            for (Index j = 0; j < n; ++j) {
                const bool pair = parts.data<double>()[2 * j + 1] != 0 && j + 1 < n;
                copy_(select(result.vectors, 1, j), select(re, 1, j));
                if (pair) copy_(select(result.vectors, 1, j + 1), select(im, 1, j));
                j += pair;
            }
        }
    }
    publishEigen(observation, "eig", a, result, true, vectors ? "eigenvectors=True" : "");
    return result;
}

Svd svd(const Tensor& a, bool fullMatrices) {
    linalg::requireMatrices("linalg.svd", a);
    requireFiniteForSvd(a);
    const Observation observation;
    Svd result;
    {
        const trace::Nested nested;
        Matrices m = linalg::columnMajor(a), u, vh;
        Tensor values;
        if (const LapackInfo info = linalg::singular(m, values, &u, &vh, fullMatrices); !info.ok())
            refuseConvergence("linalg.svd", a, info);
        result = {u.result(), to(values, realPartDType(a.dtype())), vh.result()};
    }
    publish(observation, "linalg.svd", {&a}, {&result.u, &result.s, &result.vh},
            fullMatrices ? "" : "full_matrices=False");
    return result;
}

Tensor svdvals(const Tensor& a) {
    linalg::requireMatrices("linalg.svdvals", a);
    requireFiniteForSvd(a);
    const Observation observation;
    Tensor values = [&] {
        const trace::Nested nested;
        Matrices m = linalg::columnMajor(a);
        Tensor found;
        if (const LapackInfo info = linalg::singular(m, found, nullptr, nullptr, false); !info.ok())
            refuseConvergence("linalg.svdvals", a, info);
        return to(found, realPartDType(a.dtype()));
    }();
    publish(observation, "linalg.svdvals", {&a}, {&values});
    return values;
}

} // namespace stridescope
