#include "core/backend/cpu/fourier_kernel.h"

#include "core/backend/cpu/fft_rows.h"
#include "core/backend/cpu/thread_pool.h"

#include <algorithm>
#include <cmath>

namespace stridescope::cpu {

namespace {

/// How a line that was transformed in float64 becomes the one that is shown.
struct Polish {
    bool rounded = false; ///< to float32: what is only float64's noise is 0
    double by = 1;        ///< part by part: a complex product would lose the signs of zeros
};

/// Of the parts of one line. Noise is what lies 2^-45 below the largest of them; float32 itself ends at 2^-24.
void polish(double* parts, Index count, Polish p) {
    if (p.rounded) {
        double most = 0;
        for (Index k = 0; k < count; ++k) most = std::max(most, std::fabs(parts[k]));
        const double limit = most * 0x1p-45;
        for (Index k = 0; k < count; ++k)
            if (std::fabs(parts[k]) < limit) parts[k] = 0;
    }
    if (p.by != 1)
        for (Index k = 0; k < count; ++k) parts[k] *= p.by;
}

/// Calls body(row) for `count` rows of `n` numbers, in parallel.
template <class Body>
void forLines(Index count, Index n, Body body) {
    parallelFor(0, count, std::max<Index>(1, kParallelThreshold / n), [=](Index begin, Index end) {
        for (Index row = begin; row < end; ++row) body(row);
    });
}

void complexRows(const FourierArgs& args, Polish p) {
    auto* const data = reinterpret_cast<Complex<double>*>(args.in);
    const Index n = args.n;
    fftRows(data, args.count, n, args.inverse);
    if (p.rounded || p.by != 1) forLines(args.count, n, [=](Index row) { polish(&data[row * n].re, 2 * n, p); });
}

/// Of real numbers the first half is computed, and the inverse is its conjugate, as PyTorch has it: that decides the
/// signs of zeros.
void realRows(const FourierArgs& args, Polish p) {
    const Index n = args.n, half = n / 2 + 1, width = args.width;
    const bool inverse = args.inverse;
    auto* const from = reinterpret_cast<Complex<double>*>(args.half);
    auto* const to = reinterpret_cast<Complex<double>*>(args.out);
    fftRealRows(reinterpret_cast<const double*>(args.in), from, args.count, n);
    forLines(args.count, n, [=](Index row) {
        Complex<double>*line = from + row * half, *whole = to + row * width;
        polish(&line->re, 2 * half, {p.rounded, 1});
        for (Index k = 0; k < half; ++k) {
            const bool real = line[k].im == 0 || k == 0 || 2 * k == n;
            whole[k] = {line[k].re * p.by, (real ? 0.0 : line[k].im) * (inverse ? -p.by : p.by)};
        }
        for (Index k = half; k < width; ++k) whole[k] = {whole[n - k].re, -whole[n - k].im};
    });
}

void halfRows(const FourierArgs& args, Polish p) {
    auto* const to = reinterpret_cast<double*>(args.out);
    const Index n = args.n;
    fftHalfRows(reinterpret_cast<Complex<double>*>(args.in), to, args.count, n, args.inverse);
    forLines(args.count, n, [=](Index row) { polish(to + row * n, n, p); });
}

} // namespace

void fourier(const FourierArgs& args) {
    const Polish p{args.rounded, args.by};
    switch (args.kind) {
    case FourierKind::Complex:
        return complexRows(args, p);
    case FourierKind::Real:
        return realRows(args, p);
    case FourierKind::Half:
        return halfRows(args, p);
    }
}

} // namespace stridescope::cpu
