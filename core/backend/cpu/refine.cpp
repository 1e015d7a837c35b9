#include "core/backend/cpu/refine.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/backend/loop/lu_walk.h"
#include "core/backend/loop/refine_walk.h"

#include <algorithm>
#include <vector>

namespace stridescope::cpu {

using namespace refinewalk;

void luDeterminant(const LinalgArgs& args) {
    const Index n = args.a.rows;
    visitAnyDType(args.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T> || kIsComplex<T>)
            for (Index i = 0; i < args.batch; ++i)
                reinterpret_cast<T*>(args.values)[i] =
                    luwalk::determinant(reinterpret_cast<const T*>(args.a.data) + i * n * n, args.pivots + i * n, n);
    });
}

void luLogDeterminant(const LinalgArgs& args) {
    const Index n = args.a.rows;
    const auto as = [&]<class T>(TypeTag<T>) {
        for (Index i = 0; i < args.batch; ++i)
            luwalk::logDeterminant(reinterpret_cast<const T*>(args.a.data) + i * n * n, args.pivots + i * n, n,
                                   reinterpret_cast<T*>(args.values)[i], reinterpret_cast<double*>(args.more)[i]);
    };
    args.dtype == DType::Complex128 ? as(TypeTag<Complex<double>>{}) : as(TypeTag<double>{});
}

void luExchanges(const LinalgArgs& args) {
    const Index m = args.a.rows, each = args.a.cols;
    std::vector<Index> order(static_cast<std::size_t>(m));
    for (Index i = 0; i < args.batch; ++i)
        luwalk::exchange(args.pivots + i * each, each, m, order.data(),
                         reinterpret_cast<double*>(args.values) + i * m * m);
}

void refineSystem(const LinalgArgs& args) {
    const Index n = args.a.rows, sides = args.c.cols;
    const auto* const matrices = reinterpret_cast<const double*>(args.a.data);
    const auto* const factors = reinterpret_cast<const double*>(args.values);
    const auto* const wanted = reinterpret_cast<const double*>(args.b.data);
    auto* const found = reinterpret_cast<double*>(args.c.data);
    parallelFor(0, args.batch, std::max<Index>(1, kParallelThreshold / (8 * n * n * sides)),
                [&](Index begin, Index end) {
                    std::vector<double> memory(static_cast<std::size_t>(Room::doubles(n, n)));
                    const Room room = Room::in(memory.data(), n, n);
                    for (Index i = begin; i < end; ++i)
                        for (Index s = 0; s < sides; ++s) {
                            const ByFactors correct{factors + i * n * n, args.pivots + i * n, n, args.transpose};
                            const System<ByFactors> system{matrices + i * n * n,       n,     n,
                                                           wanted + i * n * sides + s, sides, correct};
                            refine(system, found + (i * sides + s) * n, room);
                        }
                });
}

void refineLeastSquares(const LinalgArgs& args) {
    const Index m = args.a.rows, n = args.a.cols, sides = args.c.cols;
    std::vector<double> factor(static_cast<std::size_t>(n * n)), memory(static_cast<std::size_t>(Room::doubles(m, n)));
    const Room room = Room::in(memory.data(), m, n);
    for (Index i = 0; i < args.batch; ++i) {
        const double* const matrix = reinterpret_cast<const double*>(args.a.data) + i * m * n;
        if (!normalFactor(matrix, m, n, factor.data())) {
            args.info[i] = 1;
            return;
        }
        if (!leastSquares(matrix, m, n, reinterpret_cast<const double*>(args.b.data) + i * m * sides, sides,
                          reinterpret_cast<double*>(args.c.data) + i * sides * args.c.rows, args.c.rows,
                          reinterpret_cast<double*>(args.values) + i * sides, factor.data(), room))
            args.info[i] = 1;
    }
}

} // namespace stridescope::cpu
