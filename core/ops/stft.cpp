#include "core/ops/stft.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/extrema.h"
#include "core/ops/fft.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/warning.h"

namespace stridescope {

namespace {

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {}) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

struct Sizes {
    Index fft, hop, win;
    Index left() const { return (fft - win) / 2; } ///< zeros in front of the window
};
Sizes sizesOf(Index nFft, const StftOptions& options) {
    return {nFft, options.hop.value_or(nFft / 4), options.win.value_or(nFft)};
}

bool isComplexWindow(const StftOptions& options) {
    return options.window.defined() && isComplex(options.window.dtype());
}

/// The window, or ones, in the middle of `fft` elements.
Tensor placedWindow(const StftOptions& options, const Sizes& sizes, DType dtype, Device device) {
    const Tensor window = options.window.defined() ? options.window : ones({sizes.win}, {dtype, device});
    if (sizes.win == sizes.fft) return window;
    const Tensor placed = zeros({sizes.fft}, {window.dtype(), window.device()});
    copy_(narrow(placed, 0, sizes.left(), sizes.win), window);
    return placed;
}

/// The last dim made longer by `by` on both sides.
Tensor padded(const Tensor& t, Index by, const std::string& mode) {
    const Index n = t.size(-1);
    if (mode == "constant") {
        Dims shape = t.shape();
        shape.back() = by;
        const Tensor side = zeros(shape, {t.dtype(), t.device()});
        return cat({side, t, side}, -1);
    }
    const bool reflect = mode == "reflect", circular = mode == "circular";
    if (!reflect && !circular && mode != "replicate")
        throwRefusal({ErrorKind::NotImplemented,
                      "STFT-06",
                      "Unrecognised padding mode " + mode,
                      "Known are reflect, constant, replicate and circular.",
                      {}});
    if (reflect ? by >= n : circular ? by > n : n == 0)
        refuse("STFT-06",
               reflect
                   ? "Padding size should be less than the corresponding input dimension, but got: padding (" +
                         std::to_string(by) + ", " + std::to_string(by) + ") at dimension " +
                         std::to_string(t.dim() - 1) + " of input " + toListString(std::span<const Index>(t.shape()))
                   : "Padding value causes wrapping around more than once.",
               "Make n_fft smaller, or set center=False.");
    const Tensor index = empty({n + 2 * by}, {DType::Int64, Device{}});
    for (Index i = 0; i < n + 2 * by; ++i) {
        Index from = i - by;
        if (reflect)
            from = from < 0 ? -from : from >= n ? 2 * (n - 1) - from : from;
        else if (circular)
            from = from < 0 ? from + n : from >= n ? from - n : from;
        else
            from = std::clamp<Index>(from, 0, n - 1);
        index.data<std::int64_t>()[i] = from;
    }
    return indexSelect(t, -1, t.device().isCpu() ? index : to(index, t.device()));
}

/// {batch, n} -> {batch, fft sizes, stretches}.
Tensor spectra(const Tensor& signal, const Sizes& sizes, const StftOptions& options) {
    const Index n = signal.size(-1);
    if (sizes.fft <= 0 || sizes.fft > n)
        refuse("STFT-02",
               "stft: expected 0 < n_fft < " + std::to_string(n) + ", but got n_fft=" + std::to_string(sizes.fft),
               "The signal has " + std::to_string(n) + " elements.");
    if (sizes.hop <= 0)
        refuse("STFT-02", "stft: expected hop_length > 0, but got hop_length=" + std::to_string(sizes.hop),
               "Give hop_length.");
    if (sizes.win <= 0 || sizes.win > sizes.fft)
        refuse("STFT-02", "stft: expected 0 < win_length <= n_fft, but got win_length=" + std::to_string(sizes.win));
    const Tensor& window = options.window;
    if (window.defined() && (window.dim() != 1 || window.size(0) != sizes.win))
        refuse("STFT-03", "stft: expected a 1D window tensor of size equal to win_length=" + std::to_string(sizes.win) +
                              ", but got window with size " + toListString(std::span<const Index>(window.shape())));
    Tensor stretches = unfold(signal, -1, sizes.fft, sizes.hop);
    if (window.defined() || sizes.win < sizes.fft)
        stretches = mul(stretches, placedWindow(options, sizes, signal.dtype(), signal.device()));
    const bool complex = isComplex(stretches.dtype()), half = options.onesided.value_or(!complex);
    if (complex && half)
        refuse("STFT-05", "Cannot have onesided output if window or input is complex",
               "Only the spectra of real numbers follow from their first half.");
    const char* norm = options.normalized ? "ortho" : "backward";
    return transpose(half ? fft::rfft(stretches, {}, -1, norm) : fft::fft(stretches, {}, -1, norm), 1, 2);
}

std::string number(std::optional<Index> value) {
    return value ? std::to_string(*value) : "None";
}
std::string flag(bool value) {
    return value ? "True" : "False";
}

/// Both take what is not usual by name.
std::string argumentsText(Index nFft, const StftOptions& options, bool back) {
    std::string text = "{0}, " + std::to_string(nFft);
    if (options.hop || options.win) text += ", " + number(options.hop) + ", " + number(options.win);
    if (options.window.defined()) text += ", window={1}";
    if (!options.center) text += ", center=False";
    if (!back && options.padding != "reflect") text += ", pad_mode='" + options.padding + "'";
    if (options.normalized) text += ", normalized=True";
    if (options.onesided) text += ", onesided=" + flag(*options.onesided);
    if (options.length) text += ", length=" + std::to_string(*options.length);
    if (options.complex) text += ", return_complex=" + flag(*options.complex);
    return text;
}

observed::Inputs inputsOf(const Tensor& t, const StftOptions& options) {
    observed::Inputs inputs{&t};
    if (options.window.defined()) inputs.push_back(&options.window);
    return inputs;
}

/// The stretches {batch, count, size} added up where they overlap.
Tensor overlapped(const Tensor& stretches, Index hop) {
    const Index count = stretches.size(1), size = stretches.size(2);
    const Tensor sum = zeros({stretches.size(0), size + hop * (count - 1)}, {stretches.dtype(), stretches.device()});
    for (Index i = 0; i < count; ++i) add_(narrow(sum, 1, i * hop, size), select(stretches, 1, i));
    return sum;
}

void requireSpectra(const Tensor& t, const Sizes& sizes, const StftOptions& options, bool half) {
    if (t.numel() == 0) refuse("STFT-01", "istft: input tensor cannot be empty.");
    if (t.dim() != 2 && t.dim() != 3) // PyTorch counts the pairs as a dim
        refuse("STFT-01", "istft: expected a tensor with 3 or 4 dimensions, but got " + std::to_string(t.dim() + 1),
               "Real and imaginary part count as a dim.");
    const std::string got = ", but got " + std::to_string(t.size(-2));
    if (half && sizes.fft / 2 + 1 != t.size(-2))
        refuse("STFT-02",
               "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft "
               "/ 2 + 1 when onesided=True" +
                   got);
    if (!half && sizes.fft != t.size(-2))
        refuse("STFT-02",
               "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft "
               "when onsided=False" +
                   got);
    if (sizes.hop <= 0 || sizes.hop > sizes.win)
        refuse("STFT-02", "istft: expected 0 < hop_length <= win_length",
               "They are " + std::to_string(sizes.hop) + " and " + std::to_string(sizes.win) + ".");
    if (sizes.win <= 0 || sizes.win > sizes.fft)
        refuse("STFT-02", "istft: expected 0 < win_length <= n_fft",
               "They are " + std::to_string(sizes.win) + " and " + std::to_string(sizes.fft) + ".");
    const Tensor& window = options.window;
    if (window.defined() && (window.dim() != 1 || window.size(0) != sizes.win))
        refuse("STFT-03", "istft: Invalid window shape. window has to be 1D and length of `win_length`",
               "It has shape " + toListString(std::span<const Index>(window.shape())) + ", win_length is " +
                   std::to_string(sizes.win) + ".");
}

/// {batch, fft sizes, stretches} -> {batch, n}.
Tensor signalOf(const Tensor& t, const Sizes& sizes, const StftOptions& options, bool half) {
    const bool complex = options.complex.value_or(false);
    if (complex && half)
        refuse("STFT-05", "Cannot have onesided output if window or input is complex",
               "Only the spectra of real numbers follow from their first half.");
    if (!complex && isComplexWindow(options))
        refuse("STFT-05", "Complex windows are incompatible with return_complex=False", "Set return_complex=True.");
    const char* norm = options.normalized ? "ortho" : "backward";
    Tensor lines = transpose(t, 1, 2);
    if (!complex && !half) lines = narrow(lines, -1, 0, sizes.fft / 2 + 1);
    Tensor stretches = complex ? fft::ifft(lines, {}, -1, norm) : fft::irfft(lines, sizes.fft, -1, norm);
    const Tensor window = placedWindow(options, sizes, realPartDType(t.dtype()), t.device());
    const Tensor sum = overlapped(mul(stretches, window), sizes.hop);
    const Index count = stretches.size(1), whole = sum.size(1);
    const Tensor weights = overlapped(expand(mul(window, window), {1, count, sizes.fft}), sizes.hop);
    const Index start = options.center ? sizes.fft / 2 : 0;
    Index end = options.length ? start + *options.length : options.center ? whole - sizes.fft / 2 : whole;
    end = std::max(std::min(end, whole), start);
    const Tensor part = narrow(sum, 1, start, end - start), weight = narrow(weights, 1, start, end - start);
    if (weight.numel() == 0 || !(item(amin(abs(weight))).toDouble() > 1e-11))
        refuse("STFT-04",
               "istft: window overlap add min: " +
                   (weight.numel() == 0 ? std::string("nothing") : toString(item(amin(abs(weight))))),
               "Where all windows are 0 the signal is lost: choose another window, a smaller hop_length or "
               "center=True.");
    const Tensor signal = div(part, weight);
    if (!options.length || signal.size(1) >= *options.length) return signal;
    warn("The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
         "Please check your center and hop_length settings.");
    return cat({signal, zeros({signal.size(0), *options.length - signal.size(1)}, {signal.dtype(), signal.device()})},
               1);
}

} // namespace

Tensor stft(const Tensor& t, Index nFft, const StftOptions& options) {
    elementwise::requireDefined(t, "stft");
    const bool complexInput = isComplex(t.dtype()) || isComplexWindow(options);
    if (!options.complex && !complexInput)
        warn("stft will soon require the return_complex parameter be given for real inputs, and will further require "
             "that return_complex=True in a future PyTorch release.");
    if (!isFloating(t.dtype()) && !isComplex(t.dtype()))
        refuse("STFT-01", "stft: expected a tensor of floating point or complex values", "Convert it: x.float().");
    if (t.dim() != 1 && t.dim() != 2)
        refuse("STFT-01", "stft: expected a 1D or 2D tensor", "It has " + std::to_string(t.dim()) + " dims.");
    return observed::newTensors(
        "stft", [&] { return inputsOf(t, options); },
        [&] {
            Tensor signal = t.dim() == 1 ? unsqueeze(t, 0) : t;
            if (options.center && nFft > 0) signal = padded(signal, nFft / 2, options.padding);
            Tensor result = spectra(signal, sizesOf(nFft, options), options);
            if (t.dim() == 1) result = squeeze(result, 0);
            return options.complex.value_or(complexInput) ? result : viewAsReal(result);
        },
        [&] { return argumentsText(nFft, options, false); });
}

Tensor istft(const Tensor& t, Index nFft, const StftOptions& options) {
    elementwise::requireDefined(t, "istft");
    Tensor spectrum = t;
    if (!isComplex(t.dtype())) {
        warn("istft will require a complex-valued input tensor in a future PyTorch release. Matching the output from "
             "stft with return_complex=True. ");
        if (t.dim() == 0 || t.size(-1) != 2)
            refuse("STFT-01", "istft: expected the last dimension to be 2 (corresponding to real and imaginary parts), "
                              "but got " +
                                  std::to_string(t.dim() == 0 ? 0 : t.size(-1)));
        const trace::Nested nested;
        spectrum = viewAsComplex(contiguous(t));
    }
    const Sizes sizes = sizesOf(nFft, options);
    const bool half = options.onesided.value_or(spectrum.dim() < 2 || spectrum.size(-2) != nFft);
    requireSpectra(spectrum, sizes, options, half);
    return observed::newTensors(
        "istft", [&] { return inputsOf(t, options); },
        [&] {
            const Tensor signal =
                signalOf(spectrum.dim() == 2 ? unsqueeze(spectrum, 0) : spectrum, sizes, options, half);
            return spectrum.dim() == 2 ? squeeze(signal, 0) : signal;
        },
        [&] { return argumentsText(nFft, options, true); });
}

} // namespace stridescope
