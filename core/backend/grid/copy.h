#pragma once
// Copies with and without conversion, and fills.

#include "core/backend/grid/offset_map.h"
#include "core/backend/kernel_table.h"
#include "core/backend/loop/element_access.h"

#include <cstring>

namespace stridescope::grid {

/// The loops of operands 0 … N-1 of `space`.
template <int N>
Loops<N> loopsOf(const LoopSpace& space) {
    Loops<N> loops;
    for (int level = 0; level < space.levels; ++level) {
        std::array<Index, N> stride{};
        for (int o = 0; o < N; ++o) stride[static_cast<std::size_t>(o)] = space.stride[level][o];
        loops.add(space.size[level], stride);
    }
    return loops;
}

/// Elements of Width bytes from one place to another; with `isValue` one element to all of `out`.
template <int Width>
struct Move {
    OffsetMap<2> map;
    std::byte* out = nullptr;
    const std::byte* in = nullptr;
    Raw<Width> value{};
    bool isValue = false;
    Index n = 0;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            Index at[2];
            map(i, at);
            *reinterpret_cast<Raw<Width>*>(out + at[0]) =
                isValue ? value : *reinterpret_cast<const Raw<Width>*>(in + at[1]);
        }
    }
};

/// Elements whose neighbours in the result are far apart in the source and the other way round: squares of kSide by
/// kSide go through shared memory, so that both sides are walked along their runs.
template <int Width>
struct Turn {
    static constexpr int kSide = 32, kRows = kThreads / kSide;
    OffsetMap<2> rest; ///< the levels besides the two of a square
    std::byte* out = nullptr;
    const std::byte* in = nullptr;
    Index across = 1, along = 1;   ///< sizes: of the level that is a run in the result, in the source
    Index outStep = 0, inStep = 0; ///< the other side's steps: out along `along`, in along `across`
    Index acrossTiles = 1, alongTiles = 1;

    struct Local {};
    struct Shared {
        Raw<Width> square[kSide][kSide + 1];
    };
    STRIDESCOPE_HD int phases(Index) const { return 2; }
    STRIDESCOPE_HD void operator()(int phase, const Lane& lane, Local&, Shared& shared) const {
        const Index tiles = acrossTiles * alongTiles, outer = blockQuotient(lane.block, tiles);
        const Index tile = lane.block - outer * tiles, tileRow = blockQuotient(tile, acrossTiles);
        const Index x = (tile - tileRow * acrossTiles) * kSide, y = tileRow * kSide;
        Index at[2];
        rest(outer, at);
        const int col = lane.thread % kSide, row = lane.thread / kSide;
        for (int r = row; r < kSide; r += kRows) {
            if (phase == 0 && x + r < across && y + col < along)
                shared.square[r][col] =
                    *reinterpret_cast<const Raw<Width>*>(in + at[1] + (x + r) * inStep + (y + col) * Width);
            if (phase == 1 && x + col < across && y + r < along)
                *reinterpret_cast<Raw<Width>*>(out + at[0] + (x + col) * Width + (y + r) * outStep) =
                    shared.square[col][r];
        }
    }
};

/// To dtype To from any other; real numbers.
template <class To>
struct Convert {
    static constexpr int kPack = 4;
    OffsetMap<2> map;
    std::byte* out = nullptr;
    const std::byte* in = nullptr;
    DType from = DType::Float32;
    bool flat = false; ///< both are runs whose packs are aligned
    Index n = 0;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        visitDType(from, [&](auto tag) {
            using From = typename decltype(tag)::type;
            const Index packs = flat ? n / kPack : 0;
            for (Index i = lane.global(); i < packs; i += lane.step()) {
                const Pack<From, kPack> source = loadWhole(reinterpret_cast<const Pack<From, kPack>*>(in) + i);
                Pack<To, kPack> result;
                for (int k = 0; k < kPack; ++k) result.item[k] = convertValue<To>(source.item[k]);
                storeWhole(reinterpret_cast<Pack<To, kPack>*>(out) + i, result);
            }
            for (Index i = packs * kPack + lane.global(); i < n; i += lane.step()) {
                Index at[2];
                map(i, at);
                *reinterpret_cast<To*>(out + at[0]) = convertValue<To>(*reinterpret_cast<const From*>(in + at[1]));
            }
        });
    }
};

inline bool isAligned(const void* data, Index bytes) {
    return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes) == 0;
}

/// The level of a copy that is a run in the source while level 0 is one in the result; -1: there is none.
template <int N>
int turnedLevel(const Loops<N>& loops, Index item) {
    const auto& levels = loops.levels();
    constexpr Index kLeast = 8;
    if (levels.size() < 2 || levels[0].stride[0] != item || levels[0].stride[1] == item || levels[0].size < kLeast)
        return -1;
    for (std::size_t i = 1; i < levels.size(); ++i)
        if (levels[i].stride[1] == item && levels[i].size >= kLeast) return static_cast<int>(i);
    return -1;
}

template <class Queue>
void moveElements(Queue& queue, Loops<2> loops, std::byte* out, const std::byte* in, Index item) {
    if (loops.isRun(0, item) && loops.isRun(1, item)) {
        queue.move(out, in, static_cast<std::size_t>(loops.count() * item));
        return;
    }
    if (const int turned = turnedLevel(loops, item); turned > 0) {
        auto& levels = loops.levels();
        const MapLevel<2> across = levels[0], along = levels[static_cast<std::size_t>(turned)];
        levels.erase(levels.begin() + turned);
        levels.erase(levels.begin());
        const HeldMap held(queue, loops);
        withWidth(item, [&](auto width) {
            Turn<width()> body;
            body.rest = held.map;
            body.out = out;
            body.in = in;
            body.across = across.size;
            body.along = along.size;
            body.outStep = along.stride[0];
            body.inStep = across.stride[1];
            body.acrossTiles = (across.size + body.kSide - 1) / body.kSide;
            body.alongTiles = (along.size + body.kSide - 1) / body.kSide;
            queue.launch("copy", body.acrossTiles * body.alongTiles * loops.count(), body);
        });
        return;
    }
    const int moved[] = {0, 1};
    const Index multiples[] = {static_cast<Index>(reinterpret_cast<std::uintptr_t>(out) % 16),
                               static_cast<Index>(reinterpret_cast<std::uintptr_t>(in) % 16)};
    item = widen<2>(loops, item, moved, multiples);
    const HeldMap held(queue, loops);
    withWidth(item, [&](auto width) {
        Move<width()> body;
        body.map = held.map;
        body.out = out;
        body.in = in;
        body.n = loops.count();
        queue.launch("copy", blocksFor(queue, body.n), body);
    });
}

template <class Queue>
void convertElements(Queue& queue, const Loops<2>& loops, std::byte* out, DType to, const std::byte* in, DType from) {
    if (to == from) return moveElements(queue, loops, out, in, static_cast<Index>(itemSize(to)));
    const auto outItem = static_cast<Index>(itemSize(to)), inItem = static_cast<Index>(itemSize(from));
    const HeldMap held(queue, loops);
    visitDType(to, [&](auto tag) {
        Convert<typename decltype(tag)::type> body;
        body.map = held.map;
        body.out = out;
        body.in = in;
        body.from = from;
        body.n = loops.count();
        body.flat = loops.isRun(0, outItem) && loops.isRun(1, inItem) && isAligned(out, outItem * body.kPack) &&
                    isAligned(in, inItem * body.kPack);
        queue.launch("copy", blocksFor(queue, body.flat ? body.n / body.kPack + 1 : body.n), body);
    });
}

// --- Entries of the table -----------------------------------------------------------------------------------------

template <class Queue>
void copyEntry(const ElementwiseArgs& args) {
    Queue queue;
    convertElements(queue, loopsOf<2>(args.space), args.space.data[0], args.dtype[0], args.space.data[1],
                    args.dtype[1]);
}

template <class Queue>
void fillEntry(const ElementwiseArgs& args, const void* value) {
    Queue queue;
    const auto item = static_cast<Index>(itemSize(args.dtype[0]));
    Loops<2> loops;
    for (int level = 0; level < args.space.levels; ++level)
        loops.add(args.space.size[level], {args.space.stride[level][0], 0});
    alignas(16) std::byte repeated[16];
    for (Index i = 0; i < 16; i += item) std::memcpy(repeated + i, value, static_cast<std::size_t>(item));
    const int moved[] = {0};
    const Index multiples[] = {static_cast<Index>(reinterpret_cast<std::uintptr_t>(args.space.data[0]) % 16)};
    const Index wide = widen<2>(loops, item, moved, multiples);
    const HeldMap held(queue, loops);
    withWidth(wide, [&](auto width) {
        Move<width()> body;
        body.map = held.map;
        body.out = args.space.data[0];
        std::memcpy(&body.value, repeated, sizeof body.value);
        body.isValue = true;
        body.n = loops.count();
        queue.launch("fill", blocksFor(queue, body.n), body);
    });
}

/// What a kernel reads in place of a view of another dtype: its elements in `to`, dense in row-major order.
template <class Queue>
void packAs(Queue& queue, const Strided& in, DType to, std::byte* out) {
    Dims from = in.view.stride, dense(in.view.shape.size(), 0);
    Index step = static_cast<Index>(itemSize(to));
    for (std::size_t d = in.view.shape.size(); d-- > 0;) {
        dense[d] = step;
        step *= in.view.shape[d];
        from[d] *= static_cast<Index>(itemSize(in.dtype));
    }
    convertElements(queue, rowMajorLoops<2>(in.view.shape, {&dense, &from}), out, to, in.first(), in.dtype);
}

/// A view in the dtype that a kernel works in: itself, or a packed copy that lives as long as this.
template <class Queue>
class InDType {
public:
    InDType(Queue& queue, const Strided& in, DType wanted)
        : m_room(queue, in.dtype == wanted ? 0 : static_cast<std::size_t>(in.view.numel()) * itemSize(wanted)),
          view(in) {
        if (!m_room.data()) return;
        packAs(queue, in, wanted, m_room.data());
        Index step = 1;
        for (std::size_t d = in.view.shape.size(); d-- > 0;) {
            view.view.stride[d] = step;
            step *= in.view.shape[d];
        }
        view.view.offset = 0;
        view.base = m_room.data();
        view.dtype = wanted;
    }

private:
    Room<Queue> m_room;

public:
    Strided view;
};

} // namespace stridescope::grid
