#include "widgets/scene/strip_summary.h"

#include "core/job.h"
#include "core/storage/mapped_file.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/odd_count.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stridescope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// Blocks that share one run of samples: about one run, of so many cells, for each pixel.
constexpr Index kSampledBlocks = 8, kSampledRun = 64;
/// Cells that are read at once: as doubles they stay in the first-level cache.
constexpr Index kChunk = 1024;
/// Between two looks at the job: about a millisecond.
constexpr Index kCellsPerLook = Index{1} << 19;
/// So many tiles are kept that nothing on screen needs: 70 KiB each.
constexpr std::size_t kSpareTiles = 512;

struct Extent {
    double low = kInfinity, high = -kInfinity;
    bool nan = false;

    void add(double otherLow, double otherHigh, bool otherNan) {
        low = std::min(low, otherLow);
        high = std::max(high, otherHigh);
        nan = nan || otherNan;
    }
};

/// Eight lanes: the compiler may not reorder comparisons of doubles by itself.
Extent extentOf(const double* read, Index n) {
    constexpr Index kLanes = 8;
    std::array<double, kLanes> low, high, other;
    low.fill(kInfinity);
    high.fill(-kInfinity);
    other.fill(0);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const double v = read[i + static_cast<Index>(k)];
            low[k] = v < low[k] ? v : low[k]; // false for NaN
            high[k] = v > high[k] ? v : high[k];
            other[k] += v == v ? 0.0 : 1.0;
        }
    }
    for (; i < n; ++i) {
        const double v = read[i];
        low[0] = v < low[0] ? v : low[0];
        high[0] = v > high[0] ? v : high[0];
        other[0] += v == v ? 0.0 : 1.0;
    }
    Extent all;
    for (std::size_t k = 0; k < kLanes; ++k) all.add(low[k], high[k], other[k] > 0);
    return all;
}

Index ceilShift(Index cells, int level) {
    return (cells + (Index{1} << level) - 1) >> level;
}

void set(Extents& out, std::size_t at, const Extent& extent, Known known) {
    const bool none = extent.high < extent.low;
    out.low[at] = none ? kNan : extent.low;
    out.high[at] = none ? kNan : extent.high;
    out.nan[at] = extent.nan;
    out.known[at] = known;
}

} // namespace

int summaryLevel(qreal cellWidth) {
    const double share = 1 / static_cast<double>(cellWidth);
    if (!(share > static_cast<double>(kReadEachTime))) return 0;
    return std::clamp(static_cast<int>(std::floor(std::log2(share))) - 3, 1, 50);
}

void SummaryTile::resize(std::size_t blocks) {
    low.assign(blocks, kInfinity);
    high.assign(blocks, -kInfinity);
    nan.assign(blocks, 0);
}

SummaryTilePtr summarise(const CellValues& values, int level, Index index, bool exact, const Job& job) {
    const Index block = Index{1} << level, begin = index * StripSummary::tileCells(level);
    const Index end = std::min(values.count(), begin + StripSummary::tileCells(level));
    const Index blocks = ceilShift(end - begin, level);
    auto tile = std::make_shared<SummaryTile>();
    tile->resize(static_cast<std::size_t>(blocks));
    tile->exact = exact;
    std::array<double, kChunk> read;
    const auto put = [&tile](Index at, const Extent& extent) {
        const auto i = static_cast<std::size_t>(at);
        tile->low[i] = std::min(tile->low[i], extent.low);
        tile->high[i] = std::max(tile->high[i], extent.high);
        if (extent.nan) tile->nan[i] = 1;
    };
    if (!exact) {
        for (Index at = 0; at < blocks; at += kSampledBlocks) {
            if (at % 64 == 0 && job.isCancelled()) return nullptr;
            const Index first = begin + (at << level), last = std::min(end, first + (kSampledBlocks << level));
            const Index held = values.inside(first, 1, last - first).last;
            const Index n = std::min(held, kSampledRun);
            if (n <= 0) continue;
            // In the middle: near a pixel's edge the run would stand for its neighbour's cells.
            values.read(first + (held - n) / 2, 1, n, read.data());
            const Extent extent = extentOf(read.data(), n);
            for (Index k = at; k < std::min(blocks, at + kSampledBlocks); ++k) put(k, extent);
        }
        return tile;
    }
    Index sinceLook = 0;
    for (Index at = begin; at < end; at += kChunk) {
        if ((sinceLook += kChunk) >= kCellsPerLook) {
            if (job.isCancelled()) return nullptr;
            sinceLook = 0;
        }
        // Cells that a file has lost have no values.
        const Index n = values.inside(at, 1, std::min(kChunk, end - at)).last;
        values.read(at, 1, n, read.data());
        for (Index part = 0; part < n; part += std::min(block, kChunk))
            put((at + part - begin) >> level, extentOf(read.data() + part, std::min({block, kChunk, n - part})));
    }
    return tile;
}

SlotRange StripSummary::tilesOf(int level, SlotRange cells) {
    if (cells.empty()) return {};
    return {cells.first / tileCells(level), (cells.last - 1) / tileCells(level) + 1};
}

const StripSummary::Entry* StripSummary::find(int level, Index tile) const {
    const auto found = m_tiles.find({level, tile});
    return found == m_tiles.end() ? nullptr : &found->second;
}

Known StripSummary::known(int level, Index tile) const {
    const std::lock_guard lock(m_mutex);
    const Entry* entry = find(level, tile);
    return !entry ? Known::Nothing : entry->isExact() ? Known::All : Known::Samples;
}

double StripSummary::exactShare(int level, SlotRange cells) const {
    const SlotRange tiles = tilesOf(level, cells);
    if (tiles.empty()) return 1;
    const std::lock_guard lock(m_mutex);
    Index exact = 0;
    for (auto at = m_tiles.lower_bound({level, tiles.first}); at != m_tiles.end() && at->first < Key{level, tiles.last};
         ++at)
        exact += at->second.isExact();
    return static_cast<double>(exact) / static_cast<double>(tiles.last - tiles.first);
}

void StripSummary::put(int level, Index tile, SummaryTilePtr made) {
    const std::lock_guard lock(m_mutex);
    m_tiles[{level, tile}] = {std::move(made), false};
    ++m_generation;
}

bool StripSummary::putMerged(int level, Index tile) {
    constexpr int kDeepest = 10; // 1024 tiles: finer ones are never all kept
    const Index blocks = std::min(SummaryTile::kBlocks, ceilShift(m_count, level) - tile * SummaryTile::kBlocks);
    std::vector<SummaryTilePtr> parts;
    int down = 1;
    {
        const std::lock_guard lock(m_mutex);
        for (; down <= std::min(kDeepest, level - 1); ++down) {
            const SlotRange from =
                tilesOf(level - down, {tile * tileCells(level), std::min(m_count, (tile + 1) * tileCells(level))});
            parts.clear();
            for (Index i = from.first; i < from.last; ++i) {
                const Entry* entry = find(level - down, i);
                if (!entry || !entry->isExact()) break;
                parts.push_back(entry->tile);
            }
            if (std::ssize(parts) == from.last - from.first) break;
            parts.clear();
        }
    }
    if (parts.empty()) return false;
    auto made = std::make_shared<SummaryTile>();
    made->resize(static_cast<std::size_t>(blocks));
    made->exact = true;
    std::size_t at = 0;
    for (const SummaryTilePtr& part : parts) {
        for (std::size_t i = 0; i < part->low.size(); ++i, ++at) {
            const std::size_t to = at >> down;
            made->low[to] = std::min(made->low[to], part->low[i]);
            made->high[to] = std::max(made->high[to], part->high[i]);
            made->nan[to] |= part->nan[i];
        }
    }
    put(level, tile, std::move(made));
    return true;
}

void StripSummary::age() {
    const std::lock_guard lock(m_mutex);
    for (auto& [key, entry] : m_tiles) entry.old = true;
    ++m_generation;
}

void StripSummary::keepOnly(const std::vector<Range>& ranges) {
    const std::lock_guard lock(m_mutex);
    if (m_tiles.size() <= kSpareTiles) return;
    const auto isKept = [&ranges](const Key& key) {
        return std::any_of(ranges.begin(), ranges.end(), [&key](const Range& range) {
            const SlotRange tiles = tilesOf(range.level, range.cells);
            return key.first == range.level && key.second >= tiles.first && key.second < tiles.last;
        });
    };
    std::erase_if(m_tiles, [&isKept](const auto& item) { return !isKept(item.first); });
}

quint64 StripSummary::generation() const {
    const std::lock_guard lock(m_mutex);
    return m_generation;
}

Extents StripSummary::read(int level, const std::vector<SlotRange>& columns) const {
    constexpr int kLevels = 51;
    struct Last {
        Index index = -1;
        const Entry* entry = nullptr;
    };
    std::array<Last, kLevels> last; // of each level: columns that follow one another lie in the same tile
    const std::lock_guard lock(m_mutex);
    const auto entryAt = [&](int at, Index tile) {
        Last& found = last[static_cast<std::size_t>(at)];
        if (found.index != tile) found = {tile, find(at, tile)};
        return found.entry;
    };
    // The extent of blocks [first, end) of a level; nothing where one of their tiles is missing.
    const auto extentAt = [&](int at, Index first, Index end, Extent& extent, bool& exact) {
        while (first < end) {
            const Index tile = first / SummaryTile::kBlocks;
            const Entry* entry = entryAt(at, tile);
            if (!entry) return false;
            exact = exact && entry->isExact();
            const Index to = std::min(end, (tile + 1) * SummaryTile::kBlocks);
            for (Index i = first - tile * SummaryTile::kBlocks; i < to - tile * SummaryTile::kBlocks; ++i) {
                const auto k = static_cast<std::size_t>(i);
                extent.add(entry->tile->low[k], entry->tile->high[k], entry->tile->nan[k] != 0);
            }
            first = to;
        }
        return true;
    };
    Extents out(columns.size());
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const SlotRange cells = columns[x];
        if (cells.empty()) continue;
        Extent extent;
        bool exact = true;
        const Index end = ceilShift(cells.last, level);
        // A column without a block's beginning has the block in which it lies.
        const Index first = std::min(ceilShift(cells.first, level), end - 1);
        if (extentAt(level, first, end, extent, exact)) {
            set(out, x, extent, exact ? Known::All : Known::Samples);
            continue;
        }
        set(out, x, {}, Known::Nothing);
        for (int step = 1; step < kLevels; ++step) {
            // One finer level, then the coarser ones.
            const int at = step == 1 ? level - 1 : level + step - 1;
            if (at < 1 || at >= kLevels) continue;
            extent = {};
            if (!extentAt(at, cells.first >> at, ceilShift(cells.last, at), extent, exact)) continue;
            set(out, x, extent, Known::Samples);
            break;
        }
    }
    return out;
}

SummaryState Summaries::of(const Tensor& source) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&source](const Entry& entry) {
        return entry.storage == source.storage()->id() && entry.dtype == source.dtype() &&
               entry.state.table->cellCount() == source.storageNumel();
    });
    return found == m_entries.end() ? SummaryState{} : found->state;
}

void Summaries::add(const Tensor& source, SummaryState state) {
    m_entries.push_back({source.storage()->id(), source.dtype(), std::move(state)});
}

bool isReadWhole(const Tensor& source, SlotRange cells) {
    const Index bytes = (cells.last - cells.first) * static_cast<Index>(source.itemSize());
    return bytes <= kMostFileBytes || !mappedFileOf(*source.storage());
}

Extents readColumns(const CellValues& values, const StripSummary* summary, qreal cellWidth,
                    const std::vector<SlotRange>& columns, Index samplesPerColumn) {
    const int level = summaryLevel(cellWidth);
    if (summary && level > 0) return summary->read(level, columns);
    const std::size_t n = columns.size();
    Extents out(n);
    SlotRange seen;
    for (const SlotRange& cells : columns) {
        if (cells.empty()) continue;
        if (seen.empty()) seen.first = cells.first;
        seen.last = std::max(seen.last, cells.last);
    }
    // Neighbours cost little: the whole row is read at once while it is no more than a few cells for each column.
    const Index all = seen.last - seen.first;
    const bool whole = all <= kReadEachTime * static_cast<Index>(n);
    std::vector<double> read(static_cast<std::size_t>(whole ? all : samplesPerColumn));
    if (whole) values.read(seen.first, 1, all, read.data());
    for (std::size_t x = 0; x < n; ++x) {
        const SlotRange cells = columns[x];
        if (cells.empty()) continue;
        const Index count = cells.last - cells.first, samples = whole ? count : std::min(count, samplesPerColumn);
        if (!whole) values.read(cells.first, count / samples, samples, read.data());
        set(out, x, extentOf(read.data() + (whole ? cells.first - seen.first : 0), samples),
            samples == count ? Known::All : Known::Samples);
    }
    return out;
}

} // namespace stridescope
