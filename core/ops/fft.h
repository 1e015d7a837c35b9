#pragma once
// Discrete Fourier transforms: torch.fft.
//
// Inputs are real or complex, of any size and layout; integers and bool count as the default float. Results are new and
// contiguous, complex64 or complex128 (float32 or float64 for the c2r forms), computed in double precision and rounded
// once. `n` or `s` give the sizes along the transformed dims: longer ones are filled up with zeros, shorter ones cut;
// -1 keeps a size. `norm` says which direction is divided: "backward" the inverse by N, "forward" the other one,
// "ortho" both by sqrt(N). Source: PyTorch documentation (torch.fft); refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02); IndexError (VIEW-01) for a dim that is not there; ShapeError for sizes
// below 1 (FFT-01), another norm (FFT-02), a dtype that does not fit (FFT-03), dims given twice (FFT-04), sizes and
// dims that do not go together (FFT-05), frequencies of another dtype (FFT-06); NotImplementedError (DEV-02) where a
// device cannot.

#include "core/ops/creation.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string_view>

namespace stridescope::fft {

using Size = std::optional<Index>;
using Sizes = std::optional<Dims>;

// --- Along one dim ------------------------------------------------------------------------------------------------
Tensor fft(const Tensor& t, Size n = {}, Index dim = -1, std::string_view norm = "backward");
Tensor ifft(const Tensor& t, Size n = {}, Index dim = -1, std::string_view norm = "backward");
/// Of real numbers: the first n/2 + 1 results; the rest are their conjugates.
Tensor rfft(const Tensor& t, Size n = {}, Index dim = -1, std::string_view norm = "backward");
/// The inverse of rfft: real, n = 2 (m - 1) numbers unless n says otherwise.
Tensor irfft(const Tensor& t, Size n = {}, Index dim = -1, std::string_view norm = "backward");
/// Forward transform of a half-given Hermitian signal: real.
Tensor hfft(const Tensor& t, Size n = {}, Index dim = -1, std::string_view norm = "backward");
/// The inverse of hfft.
Tensor ihfft(const Tensor& t, Size n = {}, Index dim = -1, std::string_view norm = "backward");

// --- Along several dims: all, or the last s.size() ones, or `dims` ---------------------------------------------------
Tensor fftn(const Tensor& t, const Sizes& s = {}, const Sizes& dims = {}, std::string_view norm = "backward");
Tensor ifftn(const Tensor& t, const Sizes& s = {}, const Sizes& dims = {}, std::string_view norm = "backward");
/// The last of the dims as rfft, the others as fft.
Tensor rfftn(const Tensor& t, const Sizes& s = {}, const Sizes& dims = {}, std::string_view norm = "backward");
Tensor irfftn(const Tensor& t, const Sizes& s = {}, const Sizes& dims = {}, std::string_view norm = "backward");
/// The others as fft, the last of the dims as hfft: real; and its inverse.
Tensor hfftn(const Tensor& t, const Sizes& s = {}, const Sizes& dims = {}, std::string_view norm = "backward");
Tensor ihfftn(const Tensor& t, const Sizes& s = {}, const Sizes& dims = {}, std::string_view norm = "backward");

// --- Helpers ------------------------------------------------------------------------------------------------------
/// 0, 1, ..., -2, -1 over n * d: the frequencies of fft's results, in cycles per unit of d.
Tensor fftfreq(Index n, double d = 1, TensorOptions options = {});
/// The frequencies of rfft's results.
Tensor rfftfreq(Index n, double d = 1, TensorOptions options = {});
/// Rolls frequency 0 to the middle, in all or some dims; ifftshift rolls it back.
Tensor fftshift(const Tensor& t, const Sizes& dims = {});
Tensor ifftshift(const Tensor& t, const Sizes& dims = {});

} // namespace stridescope::fft
