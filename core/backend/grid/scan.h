#pragma once
// Running sums, products, extremes and logarithms of sums along the lines of a dim.
//
// Many lines: a thread each. Few long ones: a block for each slice of a line; first the total of every slice, then each
// block starts with the totals of the slices before its own.

#include "core/backend/cpu/reduce_space.h"
#include "core/backend/grid/copy.h"
#include "core/backend/grid/fold.h"
#include "core/backend/grid/tile_walk.h"

namespace stridescope::grid {

/// Where results of a line go. Positions are those of running extrema.
struct ScanOut {
    std::byte* out = nullptr;
    Index* positions = nullptr;
};

template <FoldOp Op, class T>
struct RunningFold {
    using Policy = Additive<Op, T>;
    using Acc = typename Policy::Acc;
    Policy policy;
    STRIDESCOPE_HD Acc neutral() const { return policy.neutral(); }
    STRIDESCOPE_HD void step(Acc& acc, ReadAs<T> x, Index position) const { policy.step(acc, x, position); }
    STRIDESCOPE_HD void operator()(Acc& acc, const Acc& other) const { policy.join(acc, other); }
    STRIDESCOPE_HD void store(const ScanOut& to, Index place, const Acc& acc) const {
        reinterpret_cast<T*>(to.out)[place] = static_cast<T>(acc);
    }
};

template <class T>
struct RunningComplexProduct {
    using Policy = ComplexProduct<T>;
    using Acc = typename Policy::Acc;
    Policy policy;
    STRIDESCOPE_HD Acc neutral() const { return policy.neutral(); }
    STRIDESCOPE_HD void step(Acc& acc, T x, Index position) const { policy.step(acc, x, position); }
    STRIDESCOPE_HD void operator()(Acc& acc, const Acc& other) const { policy.join(acc, other); }
    STRIDESCOPE_HD void store(const ScanOut& to, Index place, const Acc& acc) const {
        using Part = typename T::Part;
        reinterpret_cast<T*>(to.out)[place] = {static_cast<Part>(acc.re), static_cast<Part>(acc.im)};
    }
};

/// The extreme so far and its position: of equals the later, and NaN stays until the next one.
template <class T>
struct RunningExtreme {
    struct Acc {
        T value;
        Index position;
    };
    bool maximum = true;
    STRIDESCOPE_HD Acc neutral() const { return {T(0), -1}; }
    STRIDESCOPE_HD void step(Acc& acc, T x, Index position) const { (*this)(acc, {x, position}); }
    STRIDESCOPE_HD void operator()(Acc& acc, const Acc& later) const {
        if (later.position < 0) return;
        const bool reaches = maximum ? later.value >= acc.value : later.value <= acc.value;
        if (acc.position < 0 || isNan(later.value) || (!isNan(acc.value) && reaches)) acc = later;
    }
    STRIDESCOPE_HD void store(const ScanOut& to, Index place, const Acc& acc) const {
        reinterpret_cast<T*>(to.out)[place] = acc.value;
        to.positions[place] = acc.position;
    }
};

template <class T>
struct RunningLogSumExp {
    using Acc = double;
    STRIDESCOPE_HD Acc neutral() const { return -std::numeric_limits<double>::infinity(); }
    STRIDESCOPE_HD void step(Acc& acc, T x, Index) const { (*this)(acc, static_cast<double>(x)); }
    STRIDESCOPE_HD void operator()(Acc& acc, double other) const {
        if (isNan(acc) || isNan(other)) {
            acc = std::numeric_limits<double>::quiet_NaN();
            return;
        }
        const double low = other < acc ? other : acc, high = other < acc ? acc : other;
        const bool same = low == high && (low - low != 0); // two equal infinities
        acc = same ? low : high + std::log1p(std::exp(low - high));
    }
    STRIDESCOPE_HD void store(const ScanOut& to, Index place, Acc acc) const {
        reinterpret_cast<T*>(to.out)[place] = static_cast<T>(acc);
    }
};

/// What both bodies know of the lines.
struct ScanLines {
    OffsetMap<2> kept; ///< bytes of the input, elements of the result
    const std::byte* in = nullptr;
    Index lines = 1, length = 1;
    Index inStep = 0, outStep = 0;
    ScanOut out;
};

template <class Policy, class T>
struct ScanByThread {
    Policy policy;
    ScanLines of;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index line = lane.global(); line < of.lines; line += lane.step()) {
            Index at[2];
            of.kept(line, at);
            auto acc = policy.neutral();
            for (Index i = 0; i < of.length; ++i) {
                policy.step(acc, readElement<T>(of.in + at[0] + i * of.inStep), i);
                policy.store(of.out, at[1] + i * of.outStep, acc);
            }
        }
    }
};

template <class Policy, class T>
struct ScanByBlock {
    using Acc = typename Policy::Acc;
    using Walk = TileWalk<Acc>;
    static constexpr int kBefore = kLogThreads + 2; ///< phases that join the totals of earlier slices

    Policy policy;
    ScanLines of;
    Index slices = 1, perSlice = 1; ///< at most kThreads slices
    std::byte* totals = nullptr;
    bool totalsOnly = false;

    struct Local {};
    struct Shared {
        typename Walk::Shared walk;
    };

    STRIDESCOPE_HD Index sliceLength(Index block) const {
        const Index first = (block - blockQuotient(block, slices) * slices) * perSlice;
        return first + perSlice < of.length ? perSlice : of.length - first;
    }
    STRIDESCOPE_HD int phases(Index block) const { return kBefore + Walk::phases(sliceLength(block)); }

    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local&, Shared& shared) const {
        const Index line = blockQuotient(lane.block, slices), slice = lane.block - line * slices;
        const Index first = slice * perSlice;
        if (phase < kBefore) {
            before(phase, lane.thread, line, slice, shared.walk);
            return;
        }
        Index at[2];
        of.kept(line, at);
        const std::byte* const in = of.in + at[0] + first * of.inStep;
        const Index to = at[1] + first * of.outStep, length = sliceLength(lane.block);
        Walk::phase(
            phase - kBefore, lane.thread, length, shared.walk, policy,
            [&](Index begin, Index end) {
                Acc acc = policy.neutral();
                for (Index i = begin; i < end; ++i) policy.step(acc, readElement<T>(in + i * of.inStep), first + i);
                return acc;
            },
            [&](Index begin, Index end, Acc acc) {
                if (totalsOnly) {
                    if (begin < end && end == length) {
                        for (Index i = begin; i < end; ++i)
                            policy.step(acc, readElement<T>(in + i * of.inStep), first + i);
                        reinterpret_cast<Acc*>(totals)[lane.block] = acc;
                    }
                    return;
                }
                for (Index i = begin; i < end; ++i) {
                    policy.step(acc, readElement<T>(in + i * of.inStep), first + i);
                    policy.store(of.out, to + i * of.outStep, acc);
                }
            });
    }

private:
    /// carry[0] becomes what the slices before this one come to, joined in order: neighbours first.
    STRIDESCOPE_HD void before(int phase, int thread, Index line, Index slice, typename Walk::Shared& shared) const {
        Acc* const own = shared.own[0];
        if (phase == 0) {
            own[thread] = !totalsOnly && thread < slice ? reinterpret_cast<const Acc*>(totals)[line * slices + thread]
                                                        : policy.neutral();
        } else if (phase <= kLogThreads) {
            const int distance = 1 << (phase - 1);
            if (thread % (2 * distance) == 0) policy(own[thread], own[thread + distance]);
        } else if (thread == 0) {
            shared.carry[0] = own[0];
        }
    }
};

template <class T, class Queue, class Policy>
void scanLines(Queue& queue, const Strided& in, const ScanArgs& args, const Policy& policy) {
    const cpu::ReduceSpace space = cpu::lineSpace(in.view, in.base, itemSize(in.dtype), args.dim);
    const Loops<2> kept = levelsOf<2>(space.keptLevel, space.kept);
    const HeldMap held(queue, kept);
    ScanLines lines;
    lines.kept = held.map;
    lines.in = space.in;
    lines.lines = kept.count();
    if (space.reduced > 0) {
        lines.length = space.reducedLevel[0].size;
        lines.inStep = space.reducedLevel[0].in;
        lines.outStep = space.reducedLevel[0].out;
    }
    lines.out = {args.out, args.positions};
    constexpr Index kShortLine = 64;
    if (lines.length <= kShortLine || lines.lines >= static_cast<Index>(queue.multiprocessors()) * kThreads) {
        queue.launch("scan", blocksFor(queue, lines.lines), ScanByThread<Policy, T>{policy, lines});
        return;
    }
    using Body = ScanByBlock<Policy, T>;
    const Index tile = Body::Walk::kTile, tiles = (lines.length + tile - 1) / tile;
    const Index wanted = static_cast<Index>(queue.multiprocessors()) * 4 / lines.lines;
    const Index most = std::clamp<Index>(wanted, 1, std::min<Index>(tiles, kThreads));
    Body body;
    body.policy = policy;
    body.of = lines;
    body.perSlice = (tiles + most - 1) / most * tile;
    body.slices = (lines.length + body.perSlice - 1) / body.perSlice;
    const Room<Queue> totals(
        queue, body.slices > 1 ? static_cast<std::size_t>(lines.lines * body.slices) * sizeof(typename Body::Acc) : 0);
    body.totals = totals.data();
    if (body.slices > 1) {
        body.totalsOnly = true;
        queue.launch("scan", lines.lines * body.slices, body);
        body.totalsOnly = false;
    }
    queue.launch("scan", lines.lines * body.slices, body);
}

template <class Queue>
void softmaxEntry(const ScanArgs& args);

template <class Queue>
void scanEntry(const ScanArgs& args) {
    if (args.op == ScanOp::Softmax || args.op == ScanOp::LogSoftmax) return softmaxEntry<Queue>(args);
    Queue queue;
    const InDType<Queue> in(queue, args.in, args.outType);
    visitAnyDType(args.outType, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (kIsComplex<T>) {
            if (args.op == ScanOp::Prod) scanLines<T>(queue, in.view, args, RunningComplexProduct<T>{});
        } else if constexpr (!std::is_same_v<T, Half>) {
            if (args.op == ScanOp::Max || args.op == ScanOp::Min) {
                RunningExtreme<T> policy;
                policy.maximum = args.op == ScanOp::Max;
                scanLines<T>(queue, in.view, args, policy);
                return;
            }
            if constexpr (!std::is_same_v<T, bool>) {
                if (args.op == ScanOp::Sum) scanLines<T>(queue, in.view, args, RunningFold<FoldOp::Sum, T>{});
                if (args.op == ScanOp::Prod) scanLines<T>(queue, in.view, args, RunningFold<FoldOp::Prod, T>{});
            }
            if constexpr (std::is_floating_point_v<T>)
                if (args.op == ScanOp::LogSumExp) scanLines<T>(queue, in.view, args, RunningLogSumExp<T>{});
        }
    });
}

} // namespace stridescope::grid
