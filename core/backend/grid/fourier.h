#pragma once
// Fourier transforms of rows on a GPU. The transform itself is the queue's:
//   void fourierRows(const FourierArgs& args);   of kind Real from `in` to `half`, of kind Half from `in` to `out` and
//                                                always inverse; nothing is rounded, scaled or completed
// What is done before and behind it is here: noise away (a block for each line), scaled, completed by conjugates.

#include "core/backend/grid/grid.h"
#include "core/backend/grid/linalg.h"

#include <cmath>

namespace stridescope::grid {

/// What lies 2^-45 below the largest of a line becomes 0, where the result is rounded to float32; then scaled.
struct PolishLines {
    double* data;
    Index length;
    bool rounded;
    double by;

    struct Local {};
    struct Shared {
        double most[kThreads];
    };
    STRIDESCOPE_HD int phases(Index) const { return kLogThreads + 2; }
    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local&, Shared& shared) const {
        double* const line = data + lane.block * length;
        double& most = shared.most[lane.thread];
        if (phase == 0) {
            most = 0;
            if (!rounded) return;
            for (Index k = lane.thread; k < length; k += kThreads) {
                const double size = std::fabs(line[k]);
                if (most < size) most = size;
            }
        } else if (phase <= kLogThreads) {
            const int half = kThreads >> phase;
            if (lane.thread < half && most < shared.most[lane.thread + half]) most = shared.most[lane.thread + half];
        } else {
            const double limit = shared.most[0] * 0x1p-45;
            for (Index k = lane.thread; k < length; k += kThreads) {
                const double value = rounded && std::fabs(line[k]) < limit ? 0 : line[k];
                line[k] = by != 1 ? value * by : value;
            }
        }
    }
};
template <class Queue>
void polishLines(Queue& queue, const FourierArgs& args, std::byte* data, Index length, double by) {
    if (!args.rounded && by == 1) return;
    constexpr Index kMost = Index{1} << 30; // blocks of one launch
    for (Index first = 0; first < args.count; first += kMost)
        queue.launch("polish", args.count - first < kMost ? args.count - first : kMost,
                     PolishLines{reinterpret_cast<double*>(data) + first * length, length, args.rounded, by});
}

/// The whole spectrum of real numbers from its first half; of a forward transform, or conjugated.
struct EachCompleted {
    const Complex<double>* half;
    Complex<double>* out;
    Index n, width;
    double by;
    bool inverse;
    STRIDESCOPE_HD void operator()(Index item) const {
        const Index row = item / width, k = item - row * width, halves = n / 2 + 1;
        const bool mirrored = k >= halves;
        const Index from = mirrored ? n - k : k;
        const Complex<double> x = half[row * halves + from];
        const bool real = x.im == 0 || from == 0 || 2 * from == n;
        const double im = (real ? 0.0 : x.im) * (inverse ? -by : by);
        out[item] = {x.re * by, mirrored ? -im : im};
    }
};

/// Half-given spectra as an inverse transform takes them: a forward one is that of the conjugates, and what must be
/// real is made so.
struct EachHalf {
    Complex<double>* data;
    Index n;
    bool inverse;
    STRIDESCOPE_HD void operator()(Index item) const {
        const Index k = item % (n / 2 + 1);
        double& im = data[item].im;
        if (k == 0 || 2 * k == n)
            im = 0;
        else if (!inverse)
            im = -im;
    }
};

template <class Queue>
void fourierEntry(const FourierArgs& args) {
    if (args.count == 0) return;
    Queue queue;
    const Index n = args.n, halves = n / 2 + 1;
    switch (args.kind) {
    case FourierKind::Complex:
        queue.fourierRows(args);
        polishLines(queue, args, args.in, 2 * n, args.by);
        return;
    case FourierKind::Real: {
        // Completing in place would read what another thread has written: then each one stands for itself.
        queue.fourierRows(args);
        polishLines(queue, args, args.half, 2 * halves, 1);
        forItems(queue, "spectrum", args.count * args.width,
                 EachCompleted{reinterpret_cast<const Complex<double>*>(args.half),
                               reinterpret_cast<Complex<double>*>(args.out), n, args.width, args.by, args.inverse});
        return;
    }
    case FourierKind::Half:
        forItems(queue, "half spectrum", args.count * halves,
                 EachHalf{reinterpret_cast<Complex<double>*>(args.in), n, args.inverse});
        queue.fourierRows(args);
        polishLines(queue, args, args.out, n, args.by);
        return;
    }
}

} // namespace stridescope::grid
