#pragma once
// Reductions: every block folds a slice of some results, and where a result has several slices a second launch joins
// them, in their order. Nothing depends on which thread is faster, so the same input gives the same bits every time.

#include "core/backend/cpu/reduce_space.h"
#include "core/backend/grid/copy.h"
#include "core/backend/grid/fold_policies.h"

#include <bit>

namespace stridescope::grid {

/// Stores a finished accumulator as FoldArgs wants it.
struct FoldFinish {
    Finish finish = Finish::Convert;
    double number = 0;
    std::byte *out = nullptr, *means = nullptr;
    DType outType = DType::Float32;

    template <class Policy, class Acc>
    STRIDESCOPE_HD void store(const Policy&, const Acc& acc, Index place) const {
        if constexpr (requires { acc.squares; }) {
            const double free = acc.count - number;
            const double variance = acc.squares / (free > 0 ? free : 0.0);
            put(out, place, finish == Finish::Deviation ? std::sqrt(variance) : variance);
            if (means) put(means, place, acc.count == 0 ? std::numeric_limits<double>::quiet_NaN() : acc.mean);
        } else if constexpr (requires { acc.most; }) {
            put(out, place, acc.most + std::log(acc.sum));
        } else if constexpr (requires { acc.im; }) {
            if (outType == DType::Complex64)
                reinterpret_cast<Complex<float>*>(out)[place] = {static_cast<float>(acc.re),
                                                                 static_cast<float>(acc.im)};
            else
                reinterpret_cast<Complex<double>*>(out)[place] = {acc.re, acc.im};
        } else {
            if constexpr (std::is_same_v<Acc, double>) {
                if (finish == Finish::Divide) return put(out, place, acc / number);
                if (finish == Finish::Root) return put(out, place, std::sqrt(acc));
            }
            if constexpr (kIsPowerSum<Policy>)
                if (finish == Finish::Power) return put(out, place, std::pow(acc, number));
            put(out, place, acc);
        }
    }

private:
    template <class V>
    STRIDESCOPE_HD void put(std::byte* to, Index place, V value) const {
        storeAs(to + place * static_cast<Index>(itemSize(outType)), outType, value);
    }
};

/// Stores value and position of an extremum.
struct ExtremumFinish {
    std::byte* values = nullptr;
    Index* positions = nullptr;
    DType dtype = DType::Float32;

    template <class Policy, class Acc>
    STRIDESCOPE_HD void store(const Policy&, const Acc& acc, Index place) const {
        positions[place] = acc.position;
        if (values) storeAs(values + place * static_cast<Index>(itemSize(dtype)), dtype, acc.value);
    }
};

/// Folds elements of T, or (FromParts) accumulators that lie one behind the other, slice after slice.
/// A block has 2^logWide neighbouring results side by side; the rest of its threads share their elements.
template <class Policy, class T, class Store, bool FromParts>
struct Fold {
    using Acc = typename Policy::Acc;
    static constexpr int kPack = FromParts ? 1 : 16 / sizeof(T);

    Policy policy;
    Store store;
    OffsetMap<2> kept;    ///< bytes of the input, elements of the result
    OffsetMap<1> reduced; ///< bytes of the input
    const std::byte* in = nullptr;
    std::byte* parts = nullptr; ///< where there is more than one slice
    int logWide = 0;
    bool flat = false; ///< the reduced elements are aligned runs
    Index results = 1, count = 1;
    Index slices = 1, perSlice = 1;

    struct Local {};
    struct Shared {
        Acc part[kThreads];
    };

    STRIDESCOPE_HD int phases(Index) const { return 2 + kLogThreads - logWide; }

    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local&, Shared& shared) const {
        const int wide = 1 << logWide, rows = kThreads >> logWide;
        const int col = lane.thread & (wide - 1), row = lane.thread >> logWide;
        const Index column = blockQuotient(lane.block, slices), slice = lane.block - column * slices;
        const Index result = column * wide + col;
        if (phase == 0) {
            Acc acc = policy.neutral();
            if (result < results) gather(acc, result, slice * perSlice, row, rows);
            shared.part[lane.thread] = acc;
            return;
        }
        const int half = rows >> phase;
        if (half > 0) {
            if (row < half) policy.join(shared.part[lane.thread], shared.part[lane.thread + half * wide]);
            return;
        }
        if (row != 0 || result >= results) return;
        if (slices > 1) {
            reinterpret_cast<Acc*>(parts)[slice * results + result] = shared.part[lane.thread];
            return;
        }
        Index at[2];
        kept(result, at);
        store.store(policy, shared.part[lane.thread], at[1]);
    }

private:
    STRIDESCOPE_HD void gather(Acc& acc, Index result, Index first, int row, int rows) const {
        const Index last = first + perSlice < count ? first + perSlice : count;
        if constexpr (FromParts) {
            const Acc* const from = reinterpret_cast<const Acc*>(in);
            for (Index i = first + row; i < last; i += rows) policy.join(acc, from[i * results + result]);
        } else {
            Index at[2];
            kept(result, at);
            const std::byte* const from = in + at[0];
            Index begin = first;
            if constexpr (kPack > 1) {
                if (flat) {
                    const auto* const packs = reinterpret_cast<const Pack<T, kPack>*>(from);
                    const Index end = last / kPack;
                    for (Index i = first / kPack + row; i < end; i += rows) {
                        const Pack<T, kPack> pack = loadWhole(packs + i);
                        STRIDESCOPE_UNROLL
                        for (int k = 0; k < kPack; ++k)
                            policy.step(acc, readElement<T>(reinterpret_cast<const std::byte*>(&pack.item[k])),
                                        i * kPack + k);
                    }
                    begin = end * kPack > first ? end * kPack : first;
                }
            }
            for (Index i = begin + row; i < last; i += rows) {
                Index offset[1];
                reduced(i, offset);
                policy.step(acc, readElement<T>(from + offset[0]), i);
            }
        }
    }
};

/// How many blocks share a result, and how wide a block is.
struct FoldShape {
    int logWide = 0;
    Index slices = 1, perSlice = 1;
};

/// `innerKept`: neighbouring results lie nearer to one another than neighbouring elements of one.
inline FoldShape foldShape(Index results, Index count, bool innerKept, Index blocksWanted, Index pack) {
    FoldShape shape;
    const auto logOf = [](Index n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))); };
    if (innerKept) shape.logWide = std::min(5, results > 1 ? logOf(results) : 0);
    // Short folds leave threads idle that other results can use.
    if (const int needed = count > 1 ? logOf(count) : 0; kLogThreads - needed > shape.logWide)
        shape.logWide = std::min(kLogThreads - needed, results > 1 ? logOf(results) : 0);
    const Index rows = kThreads >> shape.logWide, blocks = ((results - 1) >> shape.logWide) + 1;
    const Index least = rows * pack * 4; // less is not worth a slice
    shape.slices = std::clamp<Index>(blocksWanted / blocks, 1, std::max<Index>(1, count / least));
    shape.perSlice = (count + shape.slices - 1) / shape.slices;
    if (shape.slices > 1) shape.perSlice = (shape.perSlice + pack - 1) / pack * pack;
    shape.slices = std::max<Index>(1, (count + shape.perSlice - 1) / shape.perSlice);
    return shape;
}

template <int N>
Loops<N> levelsOf(const cpu::ReduceLevel* level, int count) {
    Loops<N> loops;
    for (int i = 0; i < count; ++i) {
        std::array<Index, N> stride{};
        stride[0] = level[i].in;
        if constexpr (N > 1) stride[1] = level[i].out;
        loops.add(level[i].size, stride);
    }
    return loops;
}

template <class T, class Queue, class Policy, class Store>
void foldSpace(Queue& queue, const char* name, const cpu::ReduceSpace& space, const Policy& policy,
               const Store& store) {
    using First = Fold<Policy, T, Store, false>;
    using Second = Fold<Policy, typename Policy::Acc, Store, true>;
    const Loops<2> kept = levelsOf<2>(space.keptLevel, space.kept);
    const Loops<1> reduced = levelsOf<1>(space.reducedLevel, space.reduced);
    const HeldMap heldKept(queue, kept);
    const HeldMap heldReduced(queue, reduced);
    constexpr auto kItem = static_cast<Index>(sizeof(T));
    First body;
    body.policy = policy;
    body.store = store;
    body.kept = heldKept.map;
    body.reduced = heldReduced.map;
    body.in = space.in;
    body.results = kept.count();
    body.count = reduced.count();
    body.flat = First::kPack > 1 && reduced.isRun(0, kItem) && isAligned(space.in, kItem * First::kPack);
    for (const MapLevel<2>& level : kept.levels()) body.flat &= level.stride[0] % (kItem * First::kPack) == 0;
    const auto magnitude = [](Index v) { return v < 0 ? -v : v; };
    const bool innerKept = !kept.levels().empty() && !reduced.levels().empty() &&
                           magnitude(kept.levels()[0].stride[0]) < magnitude(reduced.levels()[0].stride[0]);
    const FoldShape shape =
        foldShape(body.results, body.count, innerKept, static_cast<Index>(queue.multiprocessors()) * 8, First::kPack);
    body.logWide = shape.logWide;
    body.slices = shape.slices;
    body.perSlice = shape.perSlice;
    const Index columns = ((body.results - 1) >> shape.logWide) + 1;
    const Room<Queue> parts(queue, shape.slices > 1 ? static_cast<std::size_t>(shape.slices * body.results) *
                                                          sizeof(typename Policy::Acc)
                                                    : 0);
    body.parts = parts.data();
    queue.launch(name, columns * shape.slices, body);
    if (shape.slices == 1) return;
    Second second;
    second.policy = policy;
    second.store = store;
    second.kept = heldKept.map;
    second.in = parts.data();
    second.results = body.results;
    second.count = shape.slices;
    const FoldShape joined = foldShape(body.results, shape.slices, body.results > 1, 1, 1);
    second.logWide = joined.logWide;
    second.perSlice = shape.slices;
    queue.launch(name, ((body.results - 1) >> joined.logWide) + 1, second);
}

/// Results of folds without elements.
template <class Policy, class Store>
struct Neutral {
    Policy policy;
    Store store;
    Index n = 0;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) store.store(policy, policy.neutral(), i);
    }
};

template <class Queue, class T, class Policy>
void foldOf(const FoldArgs& args) {
    Queue queue;
    Policy policy;
    policy.parameter = args.parameter;
    const FoldFinish finish{args.finish, args.number, args.out, args.means, args.outType};
    Index results = 1;
    bool empty = false;
    const Dims& shape = args.in.view.shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (args.mask >> d & 1)
            empty |= shape[d] == 0;
        else
            results *= shape[d];
    }
    if (results == 0) return;
    if (empty) {
        queue.launch("reduce", blocksFor(queue, results), Neutral<Policy, FoldFinish>{policy, finish, results});
        return;
    }
    const InDType<Queue> in(queue, args.in, args.via);
    foldSpace<T>(queue, "reduce",
                 cpu::reduceSpace(in.view.view, in.view.base, itemSize(args.via), args.mask, cpu::ReduceOrder::Any),
                 policy, finish);
}

template <class Queue>
void foldEntry(const FoldArgs& args) {
    visitAnyDType(args.via, [&args](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (kIsComplex<T>) {
            foldOf<Queue, T, ComplexProduct<T>>(args);
        } else {
            switch (args.op) {
            case FoldOp::Sum:
                return foldOf<Queue, T, Additive<FoldOp::Sum, T>>(args);
            case FoldOp::Prod:
                return foldOf<Queue, T, Additive<FoldOp::Prod, T>>(args);
            case FoldOp::NonZero:
                return foldOf<Queue, T, Additive<FoldOp::NonZero, T>>(args);
            case FoldOp::Min:
                return foldOf<Queue, T, Extreme<FoldOp::Min, T>>(args);
            case FoldOp::Max:
                return foldOf<Queue, T, Extreme<FoldOp::Max, T>>(args);
            case FoldOp::All:
                return foldOf<Queue, T, Truth<FoldOp::All, T>>(args);
            case FoldOp::Any:
                return foldOf<Queue, T, Truth<FoldOp::Any, T>>(args);
            default:
                break;
            }
            if constexpr (std::is_floating_point_v<ReadAs<T>>) {
                switch (args.op) {
                case FoldOp::NanSum:
                    return foldOf<Queue, T, Additive<FoldOp::NanSum, T>>(args);
                case FoldOp::AbsSum:
                    return foldOf<Queue, T, Additive<FoldOp::AbsSum, T>>(args);
                case FoldOp::SquareSum:
                    return foldOf<Queue, T, Additive<FoldOp::SquareSum, T>>(args);
                case FoldOp::PowerSum:
                    return foldOf<Queue, T, Additive<FoldOp::PowerSum, T>>(args);
                case FoldOp::AbsMin:
                    return foldOf<Queue, T, Extreme<FoldOp::AbsMin, T>>(args);
                case FoldOp::AbsMax:
                    return foldOf<Queue, T, Extreme<FoldOp::AbsMax, T>>(args);
                case FoldOp::Moments:
                    return foldOf<Queue, T, Spread<T>>(args);
                case FoldOp::LogSumExp:
                    return foldOf<Queue, T, ExpSums<T>>(args);
                default:
                    break;
                }
            }
        }
    });
}

template <class Queue>
void extremumEntry(const ExtremumArgs& args) {
    Queue queue;
    const cpu::ReduceSpace space =
        cpu::reduceSpace(args.in.view, args.in.base, itemSize(args.in.dtype), args.mask, cpu::ReduceOrder::RowMajor);
    visitDType(args.in.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        Position<T> policy;
        policy.maximum = args.maximum;
        foldSpace<T>(queue, "extremum", space, policy, ExtremumFinish{args.values, args.positions, args.in.dtype});
    });
}

} // namespace stridescope::grid
