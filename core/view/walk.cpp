#include "core/view/walk.h"

#include "core/view/checked.h"

#include <bit>
#include <numeric>

namespace stridescope {

namespace {

std::uint64_t magnitude(Index value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
}

bool isEmpty(const View& v) {
    return std::find(v.shape.begin(), v.shape.end(), Index{0}) != v.shape.end();
}

// Note [Counting lines]
// Dims are taken from the shortest stride to the longest. As long as the gap that a dim leaves is at most one line
// long, no line between the first and the last element is skipped: the block is "solid". From the first larger gap on,
// blocks follow each other with room between them ("nested"); two neighbours share at most the line in which one ends
// and the other begins. How many lines a nested block touches depends only on where in a line it begins, and those
// places repeat after at most one line's worth of blocks, so that sums over any number of blocks take constant time.

/// A dim outside of the solid block, or inside it where `solid`.
struct LineLevel {
    std::uint64_t count = 0;  ///< blocks
    std::uint64_t stride = 0; ///< slots from one to the next
    std::uint64_t span = 0;   ///< slots from the first to the last element of one block
};

class LineCounter {
public:
    LineCounter(std::uint64_t solidSpan, std::vector<LineLevel> levels, std::uint64_t perLine)
        : m_solidSpan(solidSpan), m_levels(std::move(levels)), m_perLine(perLine),
          m_known(m_levels.size() + 1, std::vector<std::uint64_t>(static_cast<std::size_t>(perLine), 0)) {}

    /// Lines touched by the block of the `depth` innermost levels that begins `start` slots after the start of a line.
    std::uint64_t lines(std::size_t depth, std::uint64_t start) {
        if (depth == 0) return (start + m_solidSpan) / m_perLine + 1;
        std::uint64_t& known = m_known[depth][static_cast<std::size_t>(start)];
        if (known != 0) return known;
        const LineLevel& level = m_levels[depth - 1];
        const std::uint64_t period = m_perLine / std::gcd(level.stride, m_perLine);
        // All blocks but the last, each without the line that it shares with the next.
        const std::uint64_t joined = level.count - 1;
        std::uint64_t wholePeriod = 0;
        std::uint64_t rest = 0;
        std::uint64_t at = start;
        for (std::uint64_t k = 0; k < std::min(period, joined); ++k) {
            const bool shares = (at + level.span) / m_perLine == (at + level.stride) / m_perLine;
            const std::uint64_t own = lines(depth - 1, at) - (shares ? 1 : 0);
            wholePeriod += own;
            if (k < joined % period) rest += own;
            at = (at + level.stride % m_perLine) % m_perLine;
        }
        const std::uint64_t last = (start + phaseOf(joined, level.stride)) % m_perLine;
        const std::uint64_t total = joined / period * wholePeriod + rest + lines(depth - 1, last);
        return known = total;
    }

private:
    std::uint64_t phaseOf(std::uint64_t steps, std::uint64_t stride) const {
        return (steps % m_perLine) * (stride % m_perLine);
    }

    std::uint64_t m_solidSpan;
    std::vector<LineLevel> m_levels;
    std::uint64_t m_perLine;
    std::vector<std::vector<std::uint64_t>> m_known; ///< [depth][start], 0 for not yet
};

/// Marks the lines of every solid block. Nothing when there are too many of them.
std::optional<std::uint64_t> linesByMarking(std::uint64_t lowest, std::uint64_t highest, std::uint64_t solidSpan,
                                            const std::vector<LineLevel>& outer, std::uint64_t perLine) {
    constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 20;
    constexpr std::uint64_t kMaxLines = std::uint64_t{1} << 26;
    const std::uint64_t firstLine = lowest / perLine;
    const std::uint64_t lineCount = highest / perLine - firstLine + 1;
    std::uint64_t blocks = 1;
    for (const LineLevel& level : outer) {
        if (level.count > kMaxBlocks / blocks) return std::nullopt;
        blocks *= level.count;
    }
    // A block that is as long as many lines is marked line by line.
    const std::uint64_t linesOfBlock = solidSpan / perLine + 2;
    if (lineCount > kMaxLines || linesOfBlock > 64 * kMaxBlocks / blocks) return std::nullopt;
    std::vector<std::uint64_t> marked(static_cast<std::size_t>(lineCount / 64 + 1), 0);
    std::vector<std::uint64_t> coord(outer.size(), 0);
    std::uint64_t at = lowest;
    while (true) {
        const std::uint64_t last = (at + solidSpan) / perLine - firstLine;
        for (std::uint64_t line = at / perLine - firstLine; line <= last; ++line)
            marked[static_cast<std::size_t>(line / 64)] |= std::uint64_t{1} << (line % 64);
        std::size_t d = 0;
        while (d < outer.size() && coord[d] + 1 == outer[d].count) {
            at -= coord[d] * outer[d].stride;
            coord[d++] = 0;
        }
        if (d == outer.size()) break;
        ++coord[d];
        at += outer[d].stride;
    }
    std::uint64_t total = 0;
    for (const std::uint64_t word : marked) total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
}

} // namespace

Walk walkOf(const View& v) {
    Walk walk;
    if (isEmpty(v)) return walk;
    walk.numel = v.numel();
    WideIndex back = 0;       // from the last to the first element of the dims to the right
    Index outer = walk.numel; // elements of the dims from here to the left
    for (std::size_t d = v.shape.size(); d-- > 0;) {
        outer /= v.shape[d];
        if (v.shape[d] > 1) {
            const Index count = (v.shape[d] - 1) * outer;
            walk.kinds.push_back({static_cast<Index>(d), clampToIndex(v.stride[d] - back), count});
        }
        back += WideIndex{v.shape[d] - 1} * v.stride[d];
    }
    if (walk.kinds.empty()) return walk;
    std::uint64_t smallest = magnitude(walk.kinds.front().step);
    for (const WalkStepKind& kind : walk.kinds) smallest = std::min(smallest, magnitude(kind.step));
    const std::uint64_t least = std::max<std::uint64_t>(smallest, 1);
    bool ahead = false; // the shortest step itself goes forwards
    for (const WalkStepKind& kind : walk.kinds) {
        walk.forward = walk.forward || (kind.step > 0 && magnitude(kind.step) <= least);
        ahead = ahead || (kind.step >= 0 && magnitude(kind.step) == smallest);
    }
    // The longest one backwards has no counterpart forwards.
    walk.smallestStep = ahead ? clampToIndex(smallest) : static_cast<Index>(0 - smallest);
    for (const WalkStepKind& kind : walk.kinds)
        if (walk.isJump(kind.step)) walk.jumps += kind.count;
    return walk;
}

bool Walk::isJump(Index step) const {
    return magnitude(step) > std::max<std::uint64_t>(magnitude(smallestStep), 1) || (step < 0 && forward);
}

Index jumpsWithin(const Walk& walk, const View& v, Index steps) {
    Index jumps = 0;
    for (const WalkStepKind& kind : walk.kinds) {
        if (!walk.isJump(kind.step)) continue;
        // Step k advances the outermost dim whose block of elements ends there.
        Index inner = 1;
        for (std::size_t d = static_cast<std::size_t>(kind.dim) + 1; d < v.shape.size(); ++d) inner *= v.shape[d];
        jumps += steps / inner - steps / (inner * v.shape[static_cast<std::size_t>(kind.dim)]);
    }
    return jumps;
}

Dims coordOfPosition(const View& v, Index position) {
    Dims coord(v.shape.size(), 0);
    for (std::size_t d = v.shape.size(); d-- > 0;) {
        coord[d] = position % v.shape[d];
        position /= v.shape[d];
    }
    return coord;
}

std::vector<Index> visitedSlots(const View& v, Index first, Index count) {
    std::vector<Index> slots;
    const Index numel = isEmpty(v) ? 0 : v.numel();
    if (first < 0 || first >= numel || count <= 0) return slots;
    count = std::min(count, numel - first);
    slots.reserve(static_cast<std::size_t>(count));
    Dims coord = coordOfPosition(v, first);
    Index at = v.slot(coord);
    while (true) {
        slots.push_back(at);
        if (--count == 0) return slots;
        std::size_t d = v.shape.size() - 1;
        while (coord[d] + 1 == v.shape[d]) {
            at -= coord[d] * v.stride[d];
            coord[d--] = 0;
        }
        ++coord[d];
        at += v.stride[d];
    }
}

CacheLines cacheLines(const View& v, Index storageNumel, Index itemsize, Index lineBytes) {
    CacheLines result;
    assert(itemsize > 0 && lineBytes % itemsize == 0);
    const auto perLine = static_cast<std::uint64_t>(lineBytes / itemsize);
    result.ofStorage = static_cast<Index>((static_cast<std::uint64_t>(storageNumel) + perLine - 1) / perLine);
    const auto touchedRange = reach(v);
    // A view that begins before its storage has no lines to speak of.
    if (!touchedRange || touchedRange->empty() || touchedRange->lowest < 0) return result;
    const auto lowest = static_cast<std::uint64_t>(touchedRange->lowest);
    const auto highest = static_cast<std::uint64_t>(touchedRange->highest);

    std::vector<LineLevel> dims;
    for (std::size_t d = 0; d < v.shape.size(); ++d)
        if (v.shape[d] > 1 && v.stride[d] != 0)
            dims.push_back({static_cast<std::uint64_t>(v.shape[d]), magnitude(v.stride[d]), 0});
    std::sort(dims.begin(), dims.end(), [](const LineLevel& a, const LineLevel& b) { return a.stride < b.stride; });

    std::uint64_t solidSpan = 0;
    std::size_t used = 0;
    for (; used < dims.size(); ++used) {
        const LineLevel& dim = dims[used];
        if (dim.stride > solidSpan && dim.stride - solidSpan > perLine) break;
        solidSpan += (dim.count - 1) * dim.stride;
    }
    std::vector<LineLevel> outer(dims.begin() + static_cast<std::ptrdiff_t>(used), dims.end());
    std::uint64_t span = solidSpan;
    bool nested = true;
    for (LineLevel& level : outer) {
        level.span = span;
        nested = nested && level.stride > span;
        span += (level.count - 1) * level.stride;
    }
    if (nested) {
        LineCounter counter(solidSpan, outer, perLine);
        result.touched = static_cast<Index>(counter.lines(outer.size(), lowest % perLine));
        return result;
    }
    if (const auto marked = linesByMarking(lowest, highest, solidSpan, outer, perLine)) {
        result.touched = static_cast<Index>(*marked);
        return result;
    }
    result.exact = false;
    result.touched = static_cast<Index>(
        std::min<std::uint64_t>(highest / perLine - lowest / perLine + 1, static_cast<std::uint64_t>(v.numel())));
    return result;
}

CacheLines cacheLinesSoFar(const View& v, Index visits, Index storageNumel, Index itemsize, Index lineBytes) {
    constexpr Index kMost = 200'000;
    CacheLines lines = cacheLines(v, storageNumel, itemsize, lineBytes);
    if (lines.touched == 0 || visits >= v.numel()) return lines;
    if (visits > kMost) {
        lines.touched = std::min(lines.touched, visits);
        lines.exact = false;
        return lines;
    }
    std::vector<Index> seen = visitedSlots(v, 0, visits);
    for (Index& slot : seen) slot /= lineBytes / itemsize;
    std::sort(seen.begin(), seen.end());
    lines.touched = static_cast<Index>(std::unique(seen.begin(), seen.end()) - seen.begin());
    lines.exact = true;
    return lines;
}

} // namespace stridescope
