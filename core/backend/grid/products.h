#pragma once
// Products of integer matrices, which no library has: squares of both sides go through shared memory.

#include "core/backend/grid/grid.h"
#include "core/backend/product_args.h"
#include "core/ops/elementwise.h"

namespace stridescope::grid {

template <class T>
struct IntegerProduct {
    static constexpr int kSide = 16;
    static_assert(kSide * kSide == kThreads);
    ProductArgs args;
    const Index *aOffsets = nullptr, *bOffsets = nullptr; ///< on the device
    Index rowTiles = 1, colTiles = 1;

    struct Local {
        T sum;
    };
    struct Shared {
        T a[kSide][kSide + 1], b[kSide][kSide + 1];
    };
    STRIDESCOPE_HD Index tiles() const { return (args.k + kSide - 1) / kSide; }
    STRIDESCOPE_HD int phases(Index) const { return static_cast<int>(2 * tiles() + 1); }

    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local& local, Shared& shared) const {
        const Index perProduct = rowTiles * colTiles, which = blockQuotient(lane.block, perProduct);
        const Index tile = lane.block - which * perProduct, tileRow = blockQuotient(tile, colTiles);
        const int row = lane.thread / kSide, col = lane.thread % kSide;
        const Index m = tileRow * kSide + row, n = (tile - tileRow * colTiles) * kSide + col;
        if (phase == 0) local.sum = T(0);
        if (phase == 2 * tiles()) {
            if (m < args.m && n < args.n) reinterpret_cast<T*>(args.out)[(which * args.m + m) * args.n + n] = local.sum;
            return;
        }
        if (phase % 2 == 0) {
            const Index first = phase / 2 * kSide;
            const auto* const a = reinterpret_cast<const T*>(args.a.data) + aOffsets[which];
            const auto* const b = reinterpret_cast<const T*>(args.b.data) + bOffsets[which];
            const Index inA = first + col, inB = first + row;
            shared.a[row][col] = m < args.m && inA < args.k ? a[m * args.a.rowStride + inA * args.a.colStride] : T(0);
            shared.b[row][col] = inB < args.k && n < args.n ? b[inB * args.b.rowStride + n * args.b.colStride] : T(0);
            return;
        }
        for (int i = 0; i < kSide; ++i) local.sum = Add{}(local.sum, Mul{}(shared.a[row][i], shared.b[i][col]));
    }
};

/// Floats and complex numbers go to the queue's library.
template <class Queue>
void productsEntry(const ProductArgs& args) {
    if (args.m == 0 || args.n == 0 || args.aOffsets.empty()) return;
    Queue queue;
    if (!isIntegral(args.dtype)) return queue.floatProducts(args);
    const std::size_t bytes = args.aOffsets.size() * sizeof(Index);
    const Room<Queue> a(queue, bytes), b(queue, bytes);
    queue.upload(a.data(), args.aOffsets.data(), bytes);
    queue.upload(b.data(), args.bOffsets.data(), bytes);
    visitDType(args.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            IntegerProduct<T> body;
            body.args = args;
            body.aOffsets = a.template as<Index>();
            body.bOffsets = b.template as<Index>();
            body.rowTiles = (args.m + body.kSide - 1) / body.kSide;
            body.colTiles = (args.n + body.kSide - 1) / body.kSide;
            queue.launch("matmul", body.rowTiles * body.colTiles * static_cast<Index>(args.aOffsets.size()), body);
        }
    });
}

} // namespace stridescope::grid
