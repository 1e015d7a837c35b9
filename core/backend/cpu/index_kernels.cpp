#include "core/backend/cpu/index_kernels.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/dtype/convert.h"
#include "core/view/checked.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

namespace stridescope::cpu {

namespace {

// --- What is done with one pair of elements -----------------------------------------------------------------------

/// An element that is only moved.
template <std::size_t Width>
struct Bytes {
    std::byte bytes[Width];
};

template <std::size_t Width, bool ToPlain>
struct Move {
    static constexpr std::size_t kWidth = Width;
    static void apply(std::byte* plain, std::byte* indexed) {
        std::memcpy(ToPlain ? plain : indexed, ToPlain ? indexed : plain, Width);
    }
};

template <class T>
T added(T a, T b) {
    if constexpr (kIsComplex<T>)
        return {a.re + b.re, a.im + b.im};
    else if constexpr (std::is_same_v<T, bool>)
        return a || b;
    else if constexpr (std::is_same_v<T, Half>)
        return Half(static_cast<float>(a) + static_cast<float>(b));
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); // wraps
    else
        return a + b;
}

template <class T>
T multiplied(T a, T b) {
    if constexpr (kIsComplex<T>)
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    else if constexpr (std::is_same_v<T, bool>)
        return a && b;
    else if constexpr (std::is_same_v<T, Half>)
        return Half(static_cast<float>(a) * static_cast<float>(b));
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); // wraps
    else
        return a * b;
}

/// NaN wins.
template <class T, bool Larger>
T extreme(T a, T b) {
    if constexpr (std::is_same_v<T, Half>)
        return Half(extreme<float, Larger>(static_cast<float>(a), static_cast<float>(b)));
    else if constexpr (std::is_floating_point_v<T>)
        return std::isnan(b) || (Larger ? a < b : b < a) ? b : a;
    else
        return (Larger ? a < b : b < a) ? b : a;
}

/// `f` (T indexed, T plain) -> T.
template <class T, T (*f)(T, T)>
struct Combine {
    static constexpr std::size_t kWidth = sizeof(T);
    static void apply(std::byte* plain, std::byte* indexed) {
        T a, b;
        std::memcpy(&a, indexed, sizeof(T));
        std::memcpy(&b, plain, sizeof(T));
        a = f(a, b);
        std::memcpy(indexed, &a, sizeof(T));
    }
};

// --- The loops ----------------------------------------------------------------------------------------------------

struct SliceLoop {
    Index size, plain, indexed;
};

/// Positions of the indexed loops, a chunk at a time, as byte offsets of both sides.
class OffsetWalk {
public:
    OffsetWalk(const std::vector<IndexSource>& sources, const std::vector<const IndexedLoop*>& loops)
        : m_sources(sources), m_loops(loops), m_at(loops.size(), 0), m_index(sources.size()) {
        for (std::size_t k = 0; k < sources.size(); ++k) m_index[k] = sources[k].data;
        m_total = 1;
        for (const IndexedLoop* loop : loops) m_total *= loop->size;
    }

    Index total() const { return m_total; }

    /// Fills in up to `most` positions; 0 at the end. -1 when an index is out of range; then bad() tells which.
    Index next(Index* plain, Index* indexed, Index most) {
        Index filled = 0;
        if (m_loops.empty()) { // one position, no index moves
            if (m_done == m_total) return 0;
            if (!offsetOf(m_index.data(), 0, plain[0], indexed[0], 0)) return -1;
            m_done = 1;
            return 1;
        }
        const std::size_t inner = m_loops.size() - 1;
        const IndexedLoop& loop = *m_loops[inner];
        while (filled < most && m_done < m_total) {
            const Index count = std::min(loop.size - m_at[inner], most - filled);
            if (!run(loop, plain + filled, indexed + filled, count)) return -1;
            filled += count;
            m_done += count;
            advance(inner, count);
        }
        return filled;
    }

    BadIndex bad() const { return m_bad; }

private:
    static Index load(const IndexSource& source, const std::byte* at) {
        if (source.is32) {
            std::int32_t value;
            std::memcpy(&value, at, sizeof value);
            return value;
        }
        Index value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    bool offsetOf(const std::byte* const* index, Index step, Index& plain, Index& indexed, Index at) {
        plain = m_plain + (m_loops.empty() ? 0 : step * m_loops.back()->plain);
        Index offset = m_indexed + (m_loops.empty() ? 0 : step * m_loops.back()->indexed);
        for (std::size_t k = 0; k < m_sources.size(); ++k) {
            const IndexSource& source = m_sources[k];
            const Index given = load(source, index[k] + at * (m_loops.empty() ? 0 : m_loops.back()->index[k]));
            Index value = given;
            if (value < 0 && source.negativeFromEnd) value += source.size;
            if (static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(source.size)) {
                m_bad = {k, given};
                return false;
            }
            offset += value * source.step;
        }
        indexed = offset;
        return true;
    }

    bool run(const IndexedLoop& loop, Index* plain, Index* indexed, Index count) {
        const bool common = m_sources.size() == 1 && !m_sources[0].is32;
        if (!common) {
            for (Index i = 0; i < count; ++i)
                if (!offsetOf(m_index.data(), i, plain[i], indexed[i], i)) return false;
            return true;
        }
        const IndexSource source = m_sources[0];
        const std::byte* index = m_index[0];
        const Index indexStep = loop.index[0], wrap = source.negativeFromEnd ? source.size : 0;
        const auto size = static_cast<std::uint64_t>(source.size);
        for (Index i = 0; i < count; ++i) {
            const Index given = load(source, index + i * indexStep);
            const Index value = given + (given < 0 ? wrap : 0);
            if (static_cast<std::uint64_t>(value) >= size) {
                m_bad = {0, given};
                return false;
            }
            plain[i] = m_plain + i * loop.plain;
            indexed[i] = m_indexed + i * loop.indexed + value * source.step;
        }
        return true;
    }

    void advance(std::size_t level, Index count) {
        move(*m_loops[level], count);
        m_at[level] += count;
        while (m_at[level] == m_loops[level]->size) {
            move(*m_loops[level], -m_at[level]);
            m_at[level] = 0;
            if (level == 0) return;
            --level;
            move(*m_loops[level], 1);
            ++m_at[level];
        }
    }

    void move(const IndexedLoop& loop, Index steps) {
        m_plain += steps * loop.plain;
        m_indexed += steps * loop.indexed;
        for (std::size_t k = 0; k < m_index.size(); ++k) m_index[k] += steps * loop.index[k];
    }

    const std::vector<IndexSource>& m_sources;
    const std::vector<const IndexedLoop*>& m_loops;
    std::vector<Index> m_at;
    std::vector<const std::byte*> m_index;
    Index m_total = 1, m_done = 0, m_plain = 0, m_indexed = 0;
    BadIndex m_bad;
};

bool movesIndex(const IndexedLoop& loop) {
    return std::any_of(loop.index.begin(), loop.index.end(), [](Index step) { return step != 0; });
}

Index magnitude(Index v) {
    return v < 0 ? -v : v;
}

/// The loops that no index follows, merged where they are one run on both sides; the innermost is the last.
std::vector<SliceLoop> slicesOf(const std::vector<const IndexedLoop*>& loops) {
    std::vector<SliceLoop> slices;
    for (const IndexedLoop* loop : loops) slices.push_back({loop->size, loop->plain, loop->indexed});
    std::stable_sort(slices.begin(), slices.end(), [](const SliceLoop& a, const SliceLoop& b) {
        return std::max(magnitude(a.plain), magnitude(a.indexed)) > std::max(magnitude(b.plain), magnitude(b.indexed));
    });
    for (std::size_t i = slices.size(); i-- > 1;) {
        SliceLoop &outer = slices[i - 1], &inner = slices[i];
        if (outer.plain != inner.plain * inner.size || outer.indexed != inner.indexed * inner.size) continue;
        outer = {outer.size * inner.size, inner.plain, inner.indexed};
        slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return slices;
}

constexpr Index kChunk = 4096; ///< positions whose offsets are worked out at a time when they serve many slices
constexpr Index kShortChunk = 512;
constexpr Index kPrefetch = 32;

struct Offsets {
    Index plain[kChunk], indexed[kChunk];
};

/// Calls `visit(plain, indexed)` with the byte offsets of every position of `slices`.
template <class Visit>
void forEachSlice(std::span<const SliceLoop> slices, Visit visit) {
    std::vector<Index> at(slices.size(), 0);
    Index plain = 0, indexed = 0;
    for (;;) {
        visit(plain, indexed);
        std::size_t level = slices.size();
        for (; level > 0; --level) {
            const SliceLoop& loop = slices[level - 1];
            plain += loop.plain;
            indexed += loop.indexed;
            if (++at[level - 1] < loop.size) break;
            plain -= loop.size * loop.plain;
            indexed -= loop.size * loop.indexed;
            at[level - 1] = 0;
        }
        if (level == 0) return;
    }
}

/// One pair of elements a position.
template <class Op>
void elements(std::byte* plain, std::byte* indexed, const Offsets& offsets, Index count) {
    Index i = 0;
    for (; i + kPrefetch < count; ++i) {
        __builtin_prefetch(indexed + offsets.indexed[i + kPrefetch]);
        Op::apply(plain + offsets.plain[i], indexed + offsets.indexed[i]);
    }
    for (; i < count; ++i) Op::apply(plain + offsets.plain[i], indexed + offsets.indexed[i]);
}

/// The same where the plain side is one run and the indexed side a line that is in the cache already.
template <class Op>
void nearElements(std::byte* plain, std::byte* indexed, const Offsets& offsets, Index count) {
    std::byte* const to = plain + offsets.plain[0];
    for (Index i = 0; i < count; ++i) Op::apply(to + i * static_cast<Index>(Op::kWidth), indexed + offsets.indexed[i]);
}

constexpr Index kNear = Index{1} << 20; ///< bytes that stay in a second-level cache: nothing of them is fetched ahead

/// One run of positions that a single index names, without a list of offsets in between: steps in bytes.
struct Line {
    std::byte *plain, *indexed;
    const std::byte* index;
    Index plainStep, indexedStep, indexStep;
    Index n;
};

Index loadIndex(const std::byte* at) {
    Index value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// As most lines are: one element behind the other, named by one number behind the other.
bool isDense(const Line& line, Index width) {
    return line.plainStep == width && line.indexedStep == 0 && line.indexStep == static_cast<Index>(sizeof(Index));
}

/// False when an index is out of range; then some elements before it are done.
template <class Op, bool Ahead, bool Dense>
bool lineOf(const Line& line, const IndexSource& source) {
    const Index wrap = source.negativeFromEnd ? source.size : 0, step = source.step;
    const auto size = static_cast<std::uint64_t>(source.size);
    const Index plainStep = Dense ? static_cast<Index>(Op::kWidth) : line.plainStep;
    const Index indexStep = Dense ? static_cast<Index>(sizeof(Index)) : line.indexStep;
    const Index indexedStep = Dense ? 0 : line.indexedStep;
    for (Index i = 0; i < line.n; ++i) {
        if constexpr (Ahead) // whatever the number is: nothing is read there
            if (i + kPrefetch < line.n)
                __builtin_prefetch(reinterpret_cast<const void*>(
                    reinterpret_cast<std::uintptr_t>(line.indexed) +
                    static_cast<std::uintptr_t>(loadIndex(line.index + (i + kPrefetch) * indexStep)) *
                        static_cast<std::uintptr_t>(step)));
        const Index given = loadIndex(line.index + i * indexStep), value = given + (given < 0 ? wrap : 0);
        if (static_cast<std::uint64_t>(value) >= size) return false;
        Op::apply(line.plain + i * plainStep, line.indexed + i * indexedStep + value * step);
    }
    return true;
}

template <class Op, bool Ahead>
bool directLine(const Line& line, const IndexSource& source) {
    return isDense(line, static_cast<Index>(Op::kWidth)) ? lineOf<Op, Ahead, true>(line, source)
                                                         : lineOf<Op, Ahead, false>(line, source);
}

template <bool Dense>
bool inRange(const Line& line, const IndexSource& source) {
    // From -size on a number that counts from the end is as good as one from 0 on.
    const auto shift = static_cast<std::uint64_t>(source.negativeFromEnd ? source.size : 0);
    const std::uint64_t most = static_cast<std::uint64_t>(source.size) + shift - 1;
    const Index indexStep = Dense ? static_cast<Index>(sizeof(Index)) : line.indexStep;
    // The sign bit of v or of most - v is set where v is outside: no comparison, so that vectors can do it.
    std::uint64_t outside = 0;
    for (Index i = 0; i < line.n; ++i) {
        const std::uint64_t v = static_cast<std::uint64_t>(loadIndex(line.index + i * indexStep)) + shift;
        outside |= v | (most - v);
    }
    return outside >> 63 == 0;
}

/// Are all of them in range?
bool lineInRange(const Line& line, const IndexSource& source) {
    return line.indexStep == static_cast<Index>(sizeof(Index)) ? inRange<true>(line, source)
                                                               : inRange<false>(line, source);
}

/// Calls visit(Line) -> bool for the runs of the innermost of `loops`, in row-major order, until one is false.
template <class Visit>
bool forEachRun(const IndexedArgs& args, const std::vector<const IndexedLoop*>& loops, Visit visit) {
    const IndexedLoop& inner = *loops.back();
    Line line{args.plain, args.indexed, args.sources[0].data, inner.plain, inner.indexed, inner.index[0], inner.size};
    const auto move = [&line](const IndexedLoop& loop, Index steps) {
        line.plain += steps * loop.plain;
        line.indexed += steps * loop.indexed;
        line.index += steps * loop.index[0];
    };
    std::vector<Index> at(loops.size(), 0);
    for (;;) {
        if (!visit(line)) return false;
        std::size_t level = loops.size() - 1;
        for (; level > 0; --level) {
            move(*loops[level - 1], 1);
            if (++at[level - 1] < loops[level - 1]->size) break;
            move(*loops[level - 1], -loops[level - 1]->size);
            at[level - 1] = 0;
        }
        if (level == 0) return true;
    }
}

/// One int64 index along runs that are worth a call each?
bool hasLines(const IndexedArgs& args, const std::vector<const IndexedLoop*>& named) {
    return args.sources.size() == 1 && !args.sources[0].is32 && !named.empty() && named.back()->size >= 8;
}

using ElementLoop = void (*)(std::byte*, std::byte*, const Offsets&, Index);
using StridedLoop = void (*)(std::byte*, std::byte*, const SliceLoop&);

template <class Op>
void strided(std::byte* plain, std::byte* indexed, const SliceLoop& loop) {
    constexpr auto kWidth = static_cast<Index>(Op::kWidth);
    if (loop.plain == kWidth && loop.indexed == kWidth) {
#pragma GCC ivdep // the two sides are apart
        for (Index i = 0; i < loop.size; ++i) Op::apply(plain + i * kWidth, indexed + i * kWidth);
        return;
    }
    for (Index i = 0; i < loop.size; ++i) Op::apply(plain + i * loop.plain, indexed + i * loop.indexed);
}

using LineLoop = bool (*)(const Line&, const IndexSource&);

struct Functions {
    ElementLoop element, near;
    LineLoop line, farLine;
    StridedLoop strided;
    Index width;
};

template <class Op>
constexpr Functions functionsOf() {
    return {elements<Op>,         nearElements<Op>, directLine<Op, false>,
            directLine<Op, true>, strided<Op>,      static_cast<Index>(Op::kWidth)};
}

template <bool ToPlain>
std::optional<Functions> moves(Index width) {
    switch (width) {
    case 1:
        return functionsOf<Move<1, ToPlain>>();
    case 2:
        return functionsOf<Move<2, ToPlain>>();
    case 4:
        return functionsOf<Move<4, ToPlain>>();
    case 8:
        return functionsOf<Move<8, ToPlain>>();
    case 16:
        return functionsOf<Move<16, ToPlain>>();
    default:
        return std::nullopt;
    }
}

std::optional<Functions> functionsFor(IndexedMode mode, DType dtype, Index width) {
    if (mode == IndexedMode::Read) return moves<true>(width);
    if (mode == IndexedMode::Write) return moves<false>(width);
    if (width != static_cast<Index>(itemSize(dtype))) return std::nullopt;
    return visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!kIsComplex<T>) {
            if (mode == IndexedMode::Max) return functionsOf<Combine<T, extreme<T, true>>>();
            if (mode == IndexedMode::Min) return functionsOf<Combine<T, extreme<T, false>>>();
        }
        return mode == IndexedMode::Add ? functionsOf<Combine<T, added<T>>>()
                                        : functionsOf<Combine<T, multiplied<T>>>();
    });
}

/// One thread's part.
bool runPart(const IndexedArgs& args) {
    std::vector<const IndexedLoop*> named, sliced;
    Index leastNamed = kIndexMax;
    for (const IndexedLoop& loop : args.loops) {
        if (loop.size == 1) continue;
        (movesIndex(loop) ? named : sliced).push_back(&loop);
        if (movesIndex(loop)) {
            if (loop.plain != 0) leastNamed = std::min(leastNamed, magnitude(loop.plain));
        }
    }
    std::vector<SliceLoop> slices = slicesOf(sliced);
    const auto item = static_cast<Index>(itemSize(args.dtype));
    const bool moves = args.mode == IndexedMode::Read || args.mode == IndexedMode::Write;
    Functions functions = *functionsFor(args.mode, args.dtype, item);
    std::optional<SliceLoop> inner;
    if (!slices.empty()) {
        const SliceLoop last = slices.back();
        const bool run = last.plain == item && last.indexed == item;
        const std::optional<Functions> wide =
            moves && run ? functionsFor(args.mode, args.dtype, last.size * item) : std::nullopt;
        if (wide) {
            functions = *wide; // a short run moves as one larger element
            slices.pop_back();
        } else if (run || magnitude(last.plain) < leastNamed) {
            inner = last;
            slices.pop_back();
        }
    }
    const bool runs = inner && moves && inner->plain == item && inner->indexed == item;
    const auto runBytes = inner ? static_cast<std::size_t>(inner->size * item) : 0;

    if (!inner && slices.empty() && hasLines(args, named)) {
        const IndexSource& source = args.sources[0];
        const LineLoop line =
            source.size > kNear / std::max<Index>(magnitude(source.step), 1) ? functions.farLine : functions.line;
        return forEachRun(args, named, [&](const Line& run) { return line(run, source); });
    }
    const bool dense = !inner && named.size() == 1 && named[0]->plain == functions.width;
    const ElementLoop element = dense && !slices.empty() ? functions.near : functions.element;

    const auto offsets = std::make_unique_for_overwrite<Offsets>();
    OffsetWalk walk(args.sources, named);
    const Index chunk = slices.empty() ? kShortChunk : kChunk;
    for (;;) {
        const Index count = walk.next(offsets->plain, offsets->indexed, chunk);
        if (count < 0) return false;
        if (count == 0) return true;
        forEachSlice(slices, [&](Index plainOffset, Index indexedOffset) {
            std::byte *plain = args.plain + plainOffset, *indexed = args.indexed + indexedOffset;
            if (!inner) {
                element(plain, indexed, *offsets, count);
            } else if (runs) {
                for (Index i = 0; i < count; ++i) {
                    std::byte *p = plain + offsets->plain[i], *x = indexed + offsets->indexed[i];
                    if (args.mode == IndexedMode::Read)
                        std::memcpy(p, x, runBytes);
                    else
                        std::memcpy(x, p, runBytes);
                }
            } else {
                for (Index i = 0; i < count; ++i)
                    functions.strided(plain + offsets->plain[i], indexed + offsets->indexed[i], *inner);
            }
        });
    }
}

/// The loop that is cut for several threads: the longest of those that are safe to cut.
std::size_t loopToCut(const IndexedArgs& args) {
    std::size_t best = args.loops.size();
    for (std::size_t i = 0; i < args.loops.size(); ++i) {
        if (args.mode != IndexedMode::Read && !args.loops[i].apart) continue;
        if (best == args.loops.size() || args.loops[i].size > args.loops[best].size) best = i;
    }
    return best;
}

bool allInRange(const IndexedArgs& args) {
    std::vector<const IndexedLoop*> named;
    for (const IndexedLoop& loop : args.loops)
        if (loop.size > 1 && movesIndex(loop)) named.push_back(&loop);
    if (hasLines(args, named))
        return forEachRun(args, named, [&](const Line& run) { return lineInRange(run, args.sources[0]); });
    const auto offsets = std::make_unique_for_overwrite<Offsets>();
    OffsetWalk walk(args.sources, named);
    for (;;) {
        const Index count = walk.next(offsets->plain, offsets->indexed, kShortChunk);
        if (count <= 0) return count == 0;
    }
}

} // namespace

bool runIndexed(const IndexedArgs& args) {
    if (args.mode != IndexedMode::Read && !allInRange(args)) return false;
    Index total = 1;
    for (const IndexedLoop& loop : args.loops) total *= loop.size;
    const std::size_t cut = loopToCut(args);
    if (total < kParallelThreshold || cut == args.loops.size()) return runPart(args);
    const Index perStep = std::max<Index>(1, total / args.loops[cut].size);
    const Index grain = std::max<Index>(1, kParallelThreshold / 2 / perStep);
    std::atomic<bool> ok{true};
    parallelFor(0, args.loops[cut].size, grain, [&](Index begin, Index end) {
        if (!ok.load(std::memory_order_relaxed)) return;
        IndexedArgs part = args;
        IndexedLoop& loop = part.loops[cut];
        loop.size = end - begin;
        part.plain += begin * loop.plain;
        part.indexed += begin * loop.indexed;
        for (std::size_t k = 0; k < part.sources.size(); ++k) part.sources[k].data += begin * loop.index[k];
        if (!runPart(part)) ok.store(false, std::memory_order_relaxed);
    });
    return ok.load();
}

BadIndex firstBadIndex(const IndexedArgs& args) {
    std::vector<const IndexedLoop*> named;
    for (const IndexedLoop& loop : args.loops)
        if (loop.size > 1 && movesIndex(loop)) named.push_back(&loop);
    const auto offsets = std::make_unique_for_overwrite<Offsets>();
    OffsetWalk walk(args.sources, named);
    while (walk.next(offsets->plain, offsets->indexed, kShortChunk) > 0) {
    }
    return walk.bad();
}

bool indexed(const IndexedArgs& args, BadIndex& bad) {
    if (runIndexed(args)) return true;
    bad = firstBadIndex(args);
    return false;
}

} // namespace stridescope::cpu
