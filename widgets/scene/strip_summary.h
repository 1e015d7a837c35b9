#pragma once
// StripSummary: the lowest and highest values of blocks of a storage, for pictures in which many cells share a pixel.
// Filled tile by tile by a thread of its own (widgets/stage/summary_maker.h), read by whoever draws.

#include "core/tensor/tensor.h"
#include "widgets/scene/strip_layout.h"

#include <QtGlobal>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace stridescope {

class CellValues;
class Job;

/// Up to so many cells of a pixel column are read one by one whenever they are drawn.
inline constexpr Index kReadEachTime = 16;
/// Level of the blocks that serve cells of so many pixels: 8 to 15 blocks of 2^level cells to a pixel. 0: no blocks.
int summaryLevel(qreal cellWidth);
inline Index summaryBlock(qreal cellWidth) {
    return Index{1} << summaryLevel(cellWidth);
}

/// How much is known of some cells.
enum class Known : quint8 {
    Nothing,
    Samples, ///< the values are those of some of the cells, or of neighbours of theirs too
    All,
};

/// What columns of pixels show. NaN where there is no number.
struct Extents {
    std::vector<double> low, high;
    std::vector<bool> nan; ///< some value is NaN
    std::vector<Known> known;

    explicit Extents(std::size_t n) : low(n), high(n), nan(n), known(n) {}
    std::size_t size() const { return low.size(); }
};

/// Neighbouring blocks of one level.
struct SummaryTile {
    static constexpr Index kBlocks = 4096;
    std::vector<double> low, high; ///< of each block; low > high where there is no number
    std::vector<quint8> nan;
    bool exact = false; ///< of all cells, not of samples

    void resize(std::size_t blocks);
};
using SummaryTilePtr = std::shared_ptr<const SummaryTile>;

/// Tile `index` of a level, from all of its cells, or from samples: runs that are spread evenly over it. Null when
/// `job` was cancelled. Precondition: `values` are readable, and the tile has cells.
SummaryTilePtr summarise(const CellValues& values, int level, Index index, bool exact, const Job& job);

/// Of one storage, read as one dtype. All functions may be called from any thread.
class StripSummary {
public:
    explicit StripSummary(Index cellCount) : m_count(cellCount) {}

    Index cellCount() const { return m_count; }
    static Index tileCells(int level) { return SummaryTile::kBlocks << level; }
    /// Tiles of a level that `cells` lie in.
    static SlotRange tilesOf(int level, SlotRange cells);

    Known known(int level, Index tile) const;
    /// How much of the tiles that `cells` lie in is exact, 0 … 1.
    double exactShare(int level, SlotRange cells) const;
    void put(int level, Index tile, SummaryTilePtr made);
    /// Makes the tile of those of finer levels where they are all known; false where they are not.
    bool putMerged(int level, Index tile);
    /// The storage was written to: what is known is no more than a sample of what was there.
    void age();
    /// Forgets tiles that none of the ranges touches, when there are many.
    struct Range {
        int level = 0;
        SlotRange cells;
    };
    void keepOnly(const std::vector<Range>& ranges);
    /// Grows with every change.
    quint64 generation() const;

    /// Extents of the blocks that begin in each of `columns`, ascending ranges of cells. Where the level is not known
    /// yet, those of the nearest other level: then they are samples.
    Extents read(int level, const std::vector<SlotRange>& columns) const;

private:
    struct Entry {
        SummaryTilePtr tile;
        bool old = false;
        bool isExact() const { return tile && tile->exact && !old; }
    };
    using Key = std::pair<int, Index>;
    const Entry* find(int level, Index tile) const;

    const Index m_count;
    mutable std::mutex m_mutex;
    std::map<Key, Entry> m_tiles;
    quint64 m_generation = 0;
};

/// What a picture has of it: the generation tells pictures apart.
struct SummaryState {
    std::shared_ptr<const StripSummary> table;
    quint64 generation = 0;
    friend bool operator==(const SummaryState&, const SummaryState&) = default;
};

/// The summaries of several storages at one time, as state from which pictures are made.
class Summaries {
public:
    /// Without a table for storages that have none.
    SummaryState of(const Tensor& source) const;
    void add(const Tensor& source, SummaryState state);

private:
    struct Entry {
        quint64 storage = 0;
        DType dtype = DType::Float32;
        SummaryState state;
    };
    std::vector<Entry> m_entries;
};

/// Are all of the cells read in the end? Of a mapped file no more than kMostFileBytes are: then samples stay.
bool isReadWhole(const Tensor& source, SlotRange cells);

/// Extents of columns: of all cells where these are few, of `summary` where there is one, else of at most
/// `samplesPerColumn` cells of each. Precondition: `values` are readable.
Extents readColumns(const CellValues& values, const StripSummary* summary, qreal cellWidth,
                    const std::vector<SlotRange>& columns, Index samplesPerColumn);

} // namespace stridescope
