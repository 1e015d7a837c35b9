#pragma once
// Short-time Fourier transform: the spectra of overlapping stretches of a signal, and the way back.
//
// Source: PyTorch documentation (torch.stft, torch.istft); behaviour checked against version 1.13. Both @throw
// ValueError (TENSOR-02); NotImplementedError (DEV-02) where a device cannot; ShapeError with PyTorch's words for
//   STFT-01  dims or a dtype that are no signal's       STFT-04  stretches that do not cover the signal, or vanish
//   STFT-02  sizes that do not go together              STFT-05  half of the spectrum of complex numbers
//   STFT-03  a window of another size                   STFT-06  padding that the signal is too short for
// and as fft.h says.

#include "core/tensor/tensor.h"

#include <optional>
#include <string>

namespace stridescope {

struct StftOptions {
    std::optional<Index> hop{};      ///< from one stretch to the next; absent: a quarter of nFft
    std::optional<Index> win{};      ///< size of the window, in the middle of the stretch; absent: nFft
    Tensor window{};                 ///< undefined: ones
    bool center = true;              ///< the first stretch lies around the first element: the signal is padded
    std::string padding = "reflect"; ///< or "constant", "replicate", "circular"; of stft
    bool normalized = false;         ///< divided by sqrt(nFft)
    std::optional<bool> onesided{};  ///< the first half of the spectrum; absent: for real signals
    std::optional<bool> complex{};   ///< stft gives complex numbers, not pairs; istft a complex signal
    std::optional<Index> length{};   ///< of istft's signal
};

/// {n} or {batch, n} -> {nFft / 2 + 1 or nFft, stretches} or the same behind batch, with a last dim of 2 unless
/// `complex`.
Tensor stft(const Tensor& t, Index nFft, const StftOptions& options = {});
/// The signal whose stft that is: overlapping stretches are added up and divided by the sum of the windows' squares.
Tensor istft(const Tensor& t, Index nFft, const StftOptions& options = {});

} // namespace stridescope
