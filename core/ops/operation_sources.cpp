// Where each operation's definition and algorithm come from, as far as it is more than PyTorch's documentation.

#include "core/ops/operation_table.h"

#include <algorithm>

namespace stridescope {

namespace {

/// Names, parted by blanks, that share a source.
struct SourceRow {
    std::string_view names, source;
};

constexpr SourceRow kRows[] = {
    {"rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial Tensor.uniform_ "
     "Tensor.normal_ Tensor.random_ Tensor.bernoulli_ Tensor.exponential_ Tensor.geometric_ Tensor.log_normal_ "
     "Tensor.cauchy_",
     "MT19937 (Matsumoto and Nishimura 1998) on the CPU, Philox (Salmon and others 2011) on devices"},
    {"poisson", "MT19937; Hörmann's PTRS (1993)"},
    {"binomial", "MT19937; Hörmann's BTRS (1993)"},
    {"linalg.solve linalg.solve_ex solve linalg.tensorsolve", "LAPACK getrf, getrs"},
    {"linalg.lu_solve lu_solve", "LAPACK getrs"},
    {"linalg.inv linalg.inv_ex linalg.tensorinv linalg.matrix_power", "LAPACK getrf, getri"},
    {"linalg.lu_factor linalg.lu_factor_ex linalg.lu lu linalg.det linalg.slogdet slogdet logdet", "LAPACK getrf"},
    {"linalg.solve_triangular triangular_solve cholesky_solve cholesky_inverse", "BLAS trsm"},
    {"linalg.cholesky linalg.cholesky_ex cholesky", "LAPACK potrf"},
    {"linalg.ldl_factor linalg.ldl_factor_ex", "LAPACK sytrf, hetrf"},
    {"linalg.ldl_solve", "LAPACK sytrs, hetrs"},
    {"linalg.qr qr", "LAPACK geqrf, orgqr"},
    {"geqrf", "LAPACK geqrf"},
    {"linalg.householder_product", "LAPACK orgqr"},
    {"ormqr", "LAPACK ormqr"},
    {"linalg.lstsq lstsq", "LAPACK gelsy, gels or gelsd; Björck 1996, 2.9 and Wilkinson 1963 for refinement"},
    {"gels", "LAPACK gels"},
    {"linalg.svd linalg.svdvals svd linalg.cond linalg.matrix_rank matrix_rank linalg.pinv pinverse "
     "linalg.matrix_norm nuclear_norm",
     "LAPACK gesdd"},
    {"linalg.eig linalg.eigvals eig", "LAPACK geev"},
    {"linalg.eigh linalg.eigvalsh symeig", "LAPACK syevd, heevd"},
    {"linalg.matrix_exp", "Taylor's series, scaled and squared (Golub and Van Loan, 9.3)"},
    {"dot vdot mv mm bmm matmul addmm addmv baddbmm addbmm inner tensordot einsum chain_matmul linalg.multi_dot",
     "BLAS gemm, gemv, dot; integers by own kernels"},
    {"fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fftn fft.ifftn fft.rfftn fft.irfftn fft.hfftn "
     "fft.ihfftn fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 fft.hfft2 fft.ihfft2 stft istft",
     "kissfft; Bluestein's convolution"},
    {"var std var_mean std_mean cov corrcoef", "Chan, Golub and LeVeque 1979 for joining moments"},
    {"special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1 special.modified_bessel_i0 "
     "special.modified_bessel_i1 special.spherical_bessel_j0 special.airy_ai i0 special.i0e special.i1 special.i1e "
     "kaiser_window",
     "Abramowitz and Stegun, 9 and 10"},
    {"special.modified_bessel_k0 special.modified_bessel_k1 special.scaled_modified_bessel_k0 "
     "special.scaled_modified_bessel_k1",
     "Abramowitz and Stegun, 9; Trefethen and Weideman 2014"},
    {"special.chebyshev_polynomial_t special.chebyshev_polynomial_u special.chebyshev_polynomial_v "
     "special.chebyshev_polynomial_w special.shifted_chebyshev_polynomial_t special.shifted_chebyshev_polynomial_u "
     "special.shifted_chebyshev_polynomial_v special.shifted_chebyshev_polynomial_w special.hermite_polynomial_h "
     "special.hermite_polynomial_he special.laguerre_polynomial_l special.legendre_polynomial_p",
     "Abramowitz and Stegun, 22.7 (recurrences)"},
    {"special.ndtr special.ndtri special.log_ndtr special.erfcx special.entr mvlgamma digamma lgamma polygamma "
     "special.zeta",
     "Abramowitz and Stegun, 6, 7, 23 and 26"},
    {"igamma igammac", "Abramowitz and Stegun, 6; DLMF 8.7, 8.9, 8.12 (Temme)"},
    {"load_npy save_npy load_npz save_npz", "NumPy, NEP 1 (the .npy format)"},
    {"load_safetensors save_safetensors", "the safetensors format"},
    {"from_dlpack to_dlpack", "the DLPack specification"},
};

std::vector<std::string_view> namesIn(std::string_view list) {
    std::vector<std::string_view> names;
    for (std::size_t end = 0; !list.empty(); list.remove_prefix(std::min(end + 1, list.size()))) {
        end = std::min(list.find(' '), list.size());
        names.push_back(list.substr(0, end));
    }
    return names;
}

} // namespace

std::string sourceText(std::string_view name) {
    if (name == "show" || name == "install_as_torch") return "Stridescope";
    for (const auto& [names, source] : kRows) {
        const auto listed = namesIn(names);
        if (std::find(listed.begin(), listed.end(), name) != listed.end()) return "PyTorch; " + std::string(source);
    }
    return "PyTorch";
}

std::vector<std::string_view> namesWithSources() {
    std::vector<std::string_view> all;
    for (const SourceRow& row : kRows)
        for (const std::string_view name : namesIn(row.names)) all.push_back(name);
    return all;
}

} // namespace stridescope
