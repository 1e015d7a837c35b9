#pragma once
// Elements at places that index tensors name.
//
// First every number is looked at and turned into a byte offset; the host waits for that, so that a wrong one is
// refused and nothing is written. Where several positions may name one cell, the positions are sorted by cell (stable):
// then each cell has one thread, which takes its positions in order. So of two writes the later wins, and sums have the
// bits that the CPU's have.

#include "core/backend/grid/copy.h"

#include <bit>

namespace stridescope::grid {

/// Offsets of one index tensor, added to those of the ones before.
struct ResolveIndex {
    OffsetMap<1> map;
    IndexSource source;
    Index* offsets = nullptr;
    std::uint64_t* bad = nullptr; ///< least of position * sources + this one's number, where the number is out of range
    Index sources = 1, which = 0, n = 0;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            Index at[1];
            map(i, at);
            const std::byte* const p = source.data + at[0];
            Index value = source.is32 ? *reinterpret_cast<const std::int32_t*>(p) : *reinterpret_cast<const Index*>(p);
            if (value < 0 && source.negativeFromEnd) value += source.size;
            if (static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(source.size)) {
                atomicLeast(bad, static_cast<std::uint64_t>(i * sources + which));
                value = 0;
            }
            offsets[i] = value * source.step + (which > 0 ? offsets[i] : 0);
        }
    }
};

/// Keys of the positions that share cells: where in the indexed side each lies, counted from its lowest byte.
struct CellKeys {
    OffsetMap<2> map; ///< the indexed side, the number of its offset
    const Index* offsets = nullptr;
    Index lowest = 0, n = 0;
    std::uint64_t* keys = nullptr;
    Index* positions = nullptr;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < n; i += lane.step()) {
            Index at[2];
            map(i, at);
            keys[i] = static_cast<std::uint64_t>(at[0] + offsets[at[1]] - lowest);
            positions[i] = i;
        }
    }
};

/// What the moving and combining bodies know of the two sides.
struct IndexedSides {
    OffsetMap<3> map; ///< plain, indexed, number of the offset
    std::byte *plain = nullptr, *indexed = nullptr;
    const Index* offsets = nullptr;
    Index n = 0;

    STRIDESCOPE_HD void operator()(Index position, std::byte*& p, std::byte*& x) const {
        Index at[3];
        map(position, at);
        p = plain + at[0];
        x = indexed + at[1] + offsets[at[2]];
    }
};

template <int Width>
struct MoveIndexed {
    IndexedSides sides;
    bool toPlain = true;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < sides.n; i += lane.step()) {
            std::byte *p = nullptr, *x = nullptr;
            sides(i, p, x);
            *reinterpret_cast<Raw<Width>*>(toPlain ? p : x) = *reinterpret_cast<const Raw<Width>*>(toPlain ? x : p);
        }
    }
};

/// One element combined with another; `mode` is not Read or Write.
template <class T>
STRIDESCOPE_HD T combined(IndexedMode mode, T a, T b) {
    if constexpr (kIsComplex<T>) {
        if (mode == IndexedMode::Add) return {a.re + b.re, a.im + b.im};
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    } else if constexpr (std::is_same_v<T, Half>) {
        return Half(combined<float>(mode, static_cast<float>(a), static_cast<float>(b)));
    } else {
        switch (mode) {
        case IndexedMode::Add:
            return Add{}(a, b);
        case IndexedMode::Multiply:
            return Mul{}(a, b);
        case IndexedMode::Max:
            return Maximum{}(b, a);
        default:
            return Minimum{}(b, a);
        }
    }
}

template <class T>
struct CombineIndexed {
    IndexedSides sides;
    IndexedMode mode = IndexedMode::Add;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < sides.n; i += lane.step()) {
            std::byte *p = nullptr, *x = nullptr;
            sides(i, p, x);
            *reinterpret_cast<T*>(x) =
                combined<T>(mode, *reinterpret_cast<const T*>(x), *reinterpret_cast<const T*>(p));
        }
    }
};

/// Positions sorted by cell, and what goes along without being named: `slices` elements for each position.
struct SortedCells {
    OffsetMap<1> plainOf; ///< of a sorted position
    OffsetMap<2> slice;   ///< plain, indexed
    std::byte *plain = nullptr, *indexed = nullptr;
    const std::uint64_t* keys = nullptr;
    const Index* positions = nullptr;
    FastDivider64 slices;
    Index lowest = 0, n = 0, total = 0; ///< total: n times the slices

    STRIDESCOPE_HD std::byte* plainAt(Index sorted, Index within) const {
        Index at[1];
        plainOf(positions[sorted], at);
        return plain + at[0] + within;
    }
    STRIDESCOPE_HD std::byte* cell(Index sorted, Index within) const {
        return indexed + lowest + static_cast<Index>(keys[sorted]) + within;
    }
};

template <int Width>
struct WriteSorted {
    SortedCells cells;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < cells.total; i += lane.step()) {
            const Index sorted = cells.slices.quotient(i);
            if (sorted + 1 < cells.n && cells.keys[sorted] == cells.keys[sorted + 1]) continue; // a later one writes
            Index within[2];
            cells.slice(i - sorted * cells.slices.divisor(), within);
            *reinterpret_cast<Raw<Width>*>(cells.cell(sorted, within[1])) =
                *reinterpret_cast<const Raw<Width>*>(cells.plainAt(sorted, within[0]));
        }
    }
};

template <class T>
struct CombineSorted {
    SortedCells cells;
    IndexedMode mode = IndexedMode::Add;
    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        for (Index i = lane.global(); i < cells.total; i += lane.step()) {
            const Index first = cells.slices.quotient(i);
            if (first > 0 && cells.keys[first - 1] == cells.keys[first]) continue; // the cell's first does it all
            Index within[2];
            cells.slice(i - first * cells.slices.divisor(), within);
            T* const cell = reinterpret_cast<T*>(cells.cell(first, within[1]));
            T value = *cell;
            for (Index s = first; s < cells.n && cells.keys[s] == cells.keys[first]; ++s)
                value = combined<T>(mode, value, *reinterpret_cast<const T*>(cells.plainAt(s, within[0])));
            *cell = value;
        }
    }
};

/// One operation with index tensors, from the numbers to the moves.
template <class Queue>
class IndexedCall {
public:
    IndexedCall(Queue& queue, const IndexedArgs& args)
        : m_queue(queue), m_args(args), m_offsets(queue, static_cast<std::size_t>(namedCount(args)) * sizeof(Index)) {}

    /// False, and `bad` filled in, when a number is out of range.
    bool resolve(BadIndex& bad) {
        const Index n = namedCount(m_args);
        const Room<Queue> flag(m_queue, sizeof(std::uint64_t));
        std::uint64_t least = ~std::uint64_t{0};
        m_queue.upload(flag.data(), &least, sizeof least);
        for (std::size_t k = 0; k < m_args.sources.size(); ++k) {
            Loops<1> loops;
            for (std::size_t i = m_args.loops.size(); i-- > 0;)
                if (isNamed(m_args.loops[i])) loops.add(m_args.loops[i].size, {m_args.loops[i].index[k]});
            const HeldMap held(m_queue, loops);
            ResolveIndex body;
            body.map = held.map;
            body.source = m_args.sources[k];
            body.offsets = m_offsets.template as<Index>();
            body.bad = flag.template as<std::uint64_t>();
            body.sources = static_cast<Index>(m_args.sources.size());
            body.which = static_cast<Index>(k);
            body.n = n;
            m_queue.launch("index", blocksFor(m_queue, n), body);
        }
        m_queue.download(&least, flag.data(), sizeof least);
        if (least == ~std::uint64_t{0}) return true;
        bad = badAt(static_cast<Index>(least));
        return false;
    }

    void run() {
        const bool moves = m_args.mode == IndexedMode::Read || m_args.mode == IndexedMode::Write;
        const auto item = static_cast<Index>(itemSize(m_args.dtype));
        if (m_args.mode != IndexedMode::Read && sharesCells()) return runSorted(moves, item);
        Loops<3> loops;
        for (const Numbered& at : byPlainStride()) {
            const std::array<Index, 3> steps{at.loop->plain, at.loop->indexed, at.number}; // nvcc wants a name for it
            loops.add(at.loop->size, steps);
        }
        IndexedSides sides;
        sides.plain = m_args.plain;
        sides.indexed = m_args.indexed;
        sides.offsets = m_offsets.template as<Index>();
        const Index width = moves ? widened(loops, item) : item;
        const HeldMap held(m_queue, loops);
        sides.map = held.map;
        sides.n = loops.count();
        if (moves)
            withWidth(width, [&](auto w) {
                m_queue.launch("index", blocksFor(m_queue, sides.n),
                               MoveIndexed<w()>{sides, m_args.mode == IndexedMode::Read});
            });
        else
            visitAnyDType(m_args.dtype, [&](auto tag) {
                m_queue.launch("index_put_", blocksFor(m_queue, sides.n),
                               CombineIndexed<typename decltype(tag)::type>{sides, m_args.mode});
            });
    }

private:
    static bool isNamed(const IndexedLoop& loop) {
        return std::any_of(loop.index.begin(), loop.index.end(), [](Index step) { return step != 0; });
    }
    static Index namedCount(const IndexedArgs& args) {
        Index n = 1;
        for (const IndexedLoop& loop : args.loops)
            if (isNamed(loop)) n *= loop.size;
        return n;
    }
    bool sharesCells() const {
        return std::any_of(m_args.loops.begin(), m_args.loops.end(),
                           [](const IndexedLoop& loop) { return !loop.apart && loop.size > 1; });
    }

    /// A loop with the step of its positions' number among the offsets; 0: no index follows it.
    struct Numbered {
        const IndexedLoop* loop = nullptr;
        Index number = 0;
    };
    /// In the order of the loops.
    std::vector<Numbered> numbered() const {
        std::vector<Numbered> loops(m_args.loops.size());
        Index step = 1;
        for (std::size_t i = m_args.loops.size(); i-- > 0;) {
            const IndexedLoop& loop = m_args.loops[i];
            loops[i] = {&loop, isNamed(loop) ? step : 0};
            if (isNamed(loop)) step *= loop.size;
        }
        return loops;
    }
    /// Innermost first: neighbouring threads then have neighbouring elements of the plain side.
    std::vector<Numbered> byPlainStride() const {
        auto loops = numbered();
        std::reverse(loops.begin(), loops.end());
        const auto size = [](Index v) { return v < 0 ? -v : v; };
        std::stable_sort(loops.begin(), loops.end(),
                         [&](const auto& a, const auto& b) { return size(a.loop->plain) < size(b.loop->plain); });
        return loops;
    }
    Index widened(Loops<3>& loops, Index item) const {
        std::vector<Index> multiples{static_cast<Index>(reinterpret_cast<std::uintptr_t>(m_args.plain) % 16),
                                     static_cast<Index>(reinterpret_cast<std::uintptr_t>(m_args.indexed) % 16)};
        for (const IndexSource& source : m_args.sources) multiples.push_back(source.step);
        const int moved[] = {0, 1};
        return widen<3>(loops, item, moved, multiples);
    }

    /// The number of the least bad position, and which of the tensors, as `bad` of ResolveIndex has them.
    BadIndex badAt(Index code) const {
        const auto count = static_cast<Index>(m_args.sources.size());
        BadIndex bad;
        bad.source = static_cast<std::size_t>(code % count);
        Index position = code / count, at = 0;
        for (std::size_t i = m_args.loops.size(); i-- > 0;) {
            const IndexedLoop& loop = m_args.loops[i];
            if (!isNamed(loop)) continue;
            at += position % loop.size * loop.index[bad.source];
            position /= loop.size;
        }
        const IndexSource& source = m_args.sources[bad.source];
        if (source.is32) {
            std::int32_t value = 0;
            m_queue.download(&value, source.data + at, sizeof value);
            bad.value = value;
        } else {
            m_queue.download(&bad.value, source.data + at, sizeof bad.value);
        }
        return bad;
    }

    void runSorted(bool moves, Index item) {
        Loops<2> keyed;  // indexed, number of the offset
        Loops<1> plain;  // of the same positions
        Loops<2> slices; // plain, indexed
        Index lowest = 0, highest = 0;
        const auto reach = [&](Index steps) { (steps < 0 ? lowest : highest) += steps; };
        const auto loops = numbered();
        for (std::size_t i = loops.size(); i-- > 0;) {
            const IndexedLoop& loop = *loops[i].loop;
            if (loops[i].number == 0 && loop.apart) {
                slices.add(loop.size, {loop.plain, loop.indexed});
                continue;
            }
            keyed.add(loop.size, {loop.indexed, loops[i].number});
            plain.add(loop.size, {loop.plain});
            reach((loop.size - 1) * loop.indexed);
        }
        for (const IndexSource& source : m_args.sources) reach((source.size - 1) * source.step);
        const Index n = keyed.count();
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(Index);
        const Room<Queue> keys(m_queue, bytes), positions(m_queue, bytes), sortedKeys(m_queue, bytes),
            sortedPositions(m_queue, bytes);
        const HeldMap heldKeyed(m_queue, keyed);
        const HeldMap heldPlain(m_queue, plain);
        const HeldMap heldSlices(m_queue, slices);
        CellKeys makeKeys;
        makeKeys.map = heldKeyed.map;
        makeKeys.offsets = m_offsets.template as<Index>();
        makeKeys.lowest = lowest;
        makeKeys.n = n;
        makeKeys.keys = keys.template as<std::uint64_t>();
        makeKeys.positions = positions.template as<Index>();
        m_queue.launch("index_put_", blocksFor(m_queue, n), makeKeys);
        const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(highest - lowest))));
        m_queue.sortPairs(makeKeys.keys, sortedKeys.template as<std::uint64_t>(), makeKeys.positions,
                          sortedPositions.template as<Index>(), n, bits);
        SortedCells cells;
        cells.plainOf = heldPlain.map;
        cells.slice = heldSlices.map;
        cells.plain = m_args.plain;
        cells.indexed = m_args.indexed;
        cells.keys = sortedKeys.template as<std::uint64_t>();
        cells.positions = sortedPositions.template as<Index>();
        cells.lowest = lowest;
        cells.n = n;
        cells.slices = FastDivider64(slices.count());
        cells.total = n * slices.count();
        const Index blocks = blocksFor(m_queue, cells.total);
        if (moves)
            withWidth(item, [&](auto w) { m_queue.launch("index_put_", blocks, WriteSorted<w()>{cells}); });
        else
            visitAnyDType(m_args.dtype, [&](auto tag) {
                m_queue.launch("index_put_", blocks, CombineSorted<typename decltype(tag)::type>{cells, m_args.mode});
            });
    }

    Queue& m_queue;
    const IndexedArgs& m_args;
    Room<Queue> m_offsets;
};

template <class Queue>
bool indexedEntry(const IndexedArgs& args, BadIndex& bad) {
    Queue queue;
    IndexedCall<Queue> call(queue, args);
    if (!call.resolve(bad)) return false;
    call.run();
    return true;
}

} // namespace stridescope::grid
