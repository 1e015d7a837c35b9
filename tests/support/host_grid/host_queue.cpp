#include "core/backend/cpu/fft_rows.h"
#include "tests/support/host_grid/host_grid.h"

#include <algorithm>
#include <numeric>

namespace stridescope::test {

void HostQueue::sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const Index* values,
                          Index* sortedValues, Index n, int bits) {
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return (keys[a] & mask) < (keys[b] & mask); });
    for (Index i = 0; i < n; ++i) {
        sortedKeys[i] = keys[order[static_cast<std::size_t>(i)]];
        sortedValues[i] = values[order[static_cast<std::size_t>(i)]];
    }
}

/// What a library does on a GPU, the CPU's library does here.
void HostQueue::floatProducts(const ProductArgs& args) {
    cpuKernels().products(args);
}
void HostQueue::linalg(const LinalgArgs& args) {
    cpuKernels()[args.routine](args);
}
void HostQueue::fourierRows(const FourierArgs& args) {
    auto* const in = reinterpret_cast<Complex<double>*>(args.in);
    switch (args.kind) {
    case FourierKind::Complex:
        return cpu::fftRows(in, args.count, args.n, args.inverse);
    case FourierKind::Real:
        return cpu::fftRealRows(reinterpret_cast<const double*>(args.in), reinterpret_cast<Complex<double>*>(args.half),
                                args.count, args.n);
    case FourierKind::Half:
        return cpu::fftHalfRows(in, reinterpret_cast<double*>(args.out), args.count, args.n, true);
    }
}

const KernelTable& hostGridKernels() {
    static const KernelTable table = [] {
        KernelTable t;
        t.backend = "grid on the CPU";
        bindHostArithmetic(t);
        bindHostMathematics(t);
        bindHostSpecial(t);
        grid::bindMoves<HostQueue>(t);
        bindHostFolds(t);
        bindHostAlgebra(t);
        return t;
    }();
    return table;
}

} // namespace stridescope::test
