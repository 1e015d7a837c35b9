#include "core/backend/cpu/fft_rows.h"

#include "core/backend/cpu/thread_pool.h"

#include <algorithm>
#include <kissfft/kissfft.hh>
#include <vector>

namespace stridescope::cpu {

void fftRows(Complex<double>* rows, Index count, Index n, bool inverse) {
    if (n <= 1) return;
    using Number = std::complex<double>;
    static_assert(sizeof(Number) == sizeof(Complex<double>));
    const Index grain = std::max<Index>(1, kParallelThreshold / 8 / n);
    parallelFor(0, count, grain, [=](Index begin, Index end) {
        // A plan holds the roots of unity and scratch memory: one for each thread.
        kissfft<double> plan(static_cast<std::size_t>(n), inverse);
        std::vector<Number> result(static_cast<std::size_t>(n));
        for (Index i = begin; i < end; ++i) {
            auto* row = reinterpret_cast<Number*>(rows + i * n);
            plan.transform(row, result.data());
            std::copy(result.begin(), result.end(), row);
        }
    });
}

} // namespace stridescope::cpu
