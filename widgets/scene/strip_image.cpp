#include "widgets/scene/strip_image.h"

#include "widgets/scene/pixel_image.h"
#include "widgets/scene/reach_marks.h"
#include "widgets/scene/strip_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace stridescope {

namespace {

/// The cells under each pixel column of one strip row: one, several, or none beyond the row's ends.
struct ColumnCells {
    std::vector<SlotRange> cells;
    SlotRange seen;      ///< all of them
    bool shared = false; ///< several cells in one column

    /// Whether another cell begins in column x.
    bool begins(std::size_t x) const { return x == 0 || cells[x - 1].first != cells[x].first; }
};

ColumnCells columnCells(const StripLayout& layout, const DeviceRegion& region, Index row) {
    const Index begin = row * layout.perRow, end = std::min(begin + layout.perRow, layout.cellCount);
    const qreal perPixel = region.step / layout.cellWidth;
    const qreal start = (region.rect.left() - layout.area.left() + layout.columnShift) / layout.cellWidth;
    const auto cellAt = [&](qreal pixel) {
        return begin + layout.firstColumn + static_cast<Index>(std::floor(start + pixel * perPixel));
    };
    ColumnCells columns;
    columns.shared = layout.cellWidth < region.step;
    columns.cells.reserve(static_cast<std::size_t>(region.width));
    Index first = cellAt(0);
    for (int x = 0; x < region.width; ++x) {
        SlotRange range;
        if (columns.shared) {
            const Index next = cellAt(x + 1);
            range = {first, std::max(first + 1, next)};
            first = next;
        } else {
            const Index cell = cellAt(x + 0.5);
            range = {cell, cell + 1};
        }
        columns.cells.push_back({std::max(range.first, begin), std::min(range.last, end)});
    }
    columns.seen = {std::clamp(cellAt(0), begin, end), std::clamp(cellAt(region.width) + 1, begin, end)};
    return columns;
}

} // namespace

qreal stripHeatShare(const StripItem& strip, const CellValues& values) {
    // A strip without index is a glance at what is reached: colours would need a bar of their own.
    if (!values.readable() || !(strip.indexBelow || strip.rowIndex || strip.heat)) return 0;
    return strip.reach ? 0.7 : 1;
}

namespace {

/// What the pixels of a row depend on.
struct RowKey {
    quint64 storage = 0, version = 0;
    DType dtype = DType::Float32;
    StripLayout layout; ///< without what moves the whole row up or down
    Index row = 0, samplesPerColumn = 0;
    double heatLow = 0, heatHigh = 1;
    std::optional<StripReach> reach;
    SummaryState summary;
    bool heat = false;
    qreal left = 0, step = 1;
    int width = 0;
    std::array<QRgb, 8> theme{};

    friend bool operator==(const RowKey&, const RowKey&) = default;
};

/// One line of pixels for each part of a row.
struct RowPixels {
    RowKey key;
    std::vector<QRgb> high, low; ///< value colours; empty without them
    std::vector<QRgb> reach;
    std::vector<bool> sampled; ///< pixels of the dotted line over what samples tell
};

void colourValues(RowPixels& out, const StripItem& strip, const CellValues& values, const ColumnCells& columns,
                  const Inks& inks) {
    const std::size_t width = columns.cells.size();
    const bool tiny = strip.layout.cellWidth < kHeatWidth;
    out.high.resize(width);
    out.low.resize(width);
    out.sampled.resize(width);
    const Extents found =
        readColumns(values, strip.summary.table.get(), strip.layout.cellWidth, columns.cells, out.key.samplesPerColumn);
    inks.map.rgb(found.high.data(), width, out.high.data());
    inks.map.rgb(found.low.data(), width, out.low.data());
    for (std::size_t x = 0; x < width; ++x) {
        QRgb &high = out.high[x], &low = out.low[x];
        const bool none = found.high[x] != found.high[x]; // only NaN
        if (columns.cells[x].empty()) {
            high = low = inks.stage;
        } else if (found.known[x] == Known::Nothing) {
            high = low = inks.inset;
        } else if (none) {
            high = low = inks.value(std::nan(""), x % 2 == 0);
        } else if (found.nan[x] && x % 2 == 0) {
            high = inks.value(std::nan(""), true);
        }
        out.sampled[x] = found.known[x] == Known::Samples && x % 4 < 2;
        if (!tiny && columns.begins(x)) {
            high = darker(high);
            low = darker(low);
        }
    }
}

void colourReach(RowPixels& out, const StripItem& strip, const CellValues& values, const ColumnCells& columns,
                 const Inks& inks, QRgb hairline) {
    const std::size_t width = columns.cells.size();
    const bool tiny = strip.layout.cellWidth < kHeatWidth;
    out.reach.resize(width);
    std::optional<ReachQuery> query;
    ReachMarks marks;
    if (strip.reach) query.emplace(strip.reach->view);
    if (query && !columns.shared) marks = query->mark(columns.seen);
    const SlotRange span = query ? query->span() : SlotRange{};
    for (std::size_t x = 0; x < width; ++x) {
        const SlotRange cells = columns.cells[x];
        QRgb& reach = out.reach[x];
        if (cells.empty()) {
            reach = inks.stage;
            continue;
        }
        const bool line = !tiny && columns.begins(x);
        if (!query) {
            reach = line ? inks.control : values.readable() ? inks.stage : inks.inset;
        } else if (columns.shared ? query->any(cells) : marks.reached(cells.first)) {
            const bool many = !columns.shared && marks.overlap(cells.first) > 1;
            reach = line ? darker(inks.fill) : many && x % 4 < 2 ? inks.ghost : inks.fill;
        } else {
            const bool skipped = cells.first >= span.first && cells.first < span.last;
            reach = line ? (skipped ? hairline : inks.control) : inks.stage;
        }
    }
}

/// The pixels of a whole row, kept from frame to frame: most frames show the rows of the last one, and a row has
/// values to read for each of its columns. Kept: as many rows as a high screen shows, 30 kilobytes each.
const RowPixels& rowPixels(const PaintContext& c, const StripItem& strip, const CellValues& values, Index row,
                           const DeviceRegion& whole, Index samplesPerColumn) {
    static thread_local std::array<RowPixels, 128> known;
    static thread_local std::size_t next = 0;
    const Inks inks(c, strip.reach ? strip.reach->colour : -1, strip.heatLow, strip.heatHigh);
    const QRgb hairline = c.colour(Tone::Hairline).rgb();
    const Storage& storage = *strip.source.storage();
    const bool heat = stripHeatShare(strip, values) > 0;
    RowKey key{storage.id(),
               storage.version(),
               strip.source.dtype(),
               strip.layout,
               row,
               samplesPerColumn,
               strip.heatLow,
               strip.heatHigh,
               strip.reach,
               strip.summary,
               heat,
               whole.rect.left(),
               whole.step,
               whole.width,
               {inks.stage, inks.ink, inks.error, inks.fill, inks.ghost, inks.inset, inks.control, hairline}};
    key.layout.firstRow = 0;
    key.layout.rowShift = 0;
    for (const RowPixels& entry : known) {
        if (entry.key == key) return entry;
    }
    RowPixels& entry = known[next];
    next = (next + 1) % known.size();
    entry = RowPixels{std::move(key), {}, {}, {}, {}};
    const ColumnCells columns = columnCells(strip.layout, whole, row);
    if (heat) colourValues(entry, strip, values, columns, inks);
    if (!heat || strip.reach) colourReach(entry, strip, values, columns, inks, hairline);
    return entry;
}

} // namespace

void paintStripImage(PaintContext& c, const StripItem& strip, const CellValues& values, Index row, const QRectF& target,
                     Index samplesPerColumn) {
    const DeviceRegion whole = deviceRegion(c, target);
    const QRectF exposed(c.exposed.left(), target.top(), c.exposed.width(), target.height());
    const DeviceRegion region = deviceRegion(c, target.intersected(exposed));
    if (region.width <= 0 || region.height <= 0) return;
    const RowPixels& pixels = rowPixels(c, strip, values, row, whole, samplesPerColumn);
    const bool heat = pixels.key.heat;
    const auto from = std::clamp<long>(std::lround((region.rect.left() - whole.rect.left()) / whole.step), 0,
                                       whole.width - region.width);
    const auto width = static_cast<std::size_t>(region.width);
    // Colour above, what the view reaches below. A row that is scrolled almost out of sight has one line for both.
    const int wanted = !heat ? region.height : strip.reach ? std::max(2, region.height * 3 / 10) : 0;
    const int band = std::min(wanted, region.height);
    const int heatRows = region.height - band;
    QImage& image = scratchImage(region.width, region.height);
    const auto fillRows = [&](int first, int last, const std::vector<QRgb>& line) {
        for (int y = first; y < last; ++y) std::memcpy(image.scanLine(y), line.data() + from, width * sizeof(QRgb));
    };
    fillRows(0, heatRows / 2, pixels.high);
    fillRows(heatRows / 2, heatRows, pixels.low);
    fillRows(heatRows, region.height, pixels.reach);
    const QRgb ink = c.colour(Tone::Ink).rgb();
    auto* const top = reinterpret_cast<QRgb*>(image.scanLine(0));
    for (std::size_t x = 0; x < width && heat && heatRows > 2; ++x) {
        if (pixels.sampled[static_cast<std::size_t>(from) + x]) top[x] = ink;
    }
    if (heat && band > 0) std::fill_n(reinterpret_cast<QRgb*>(image.scanLine(heatRows)), width, ink);
    drawScratch(c, region, image, 0, region.height);
}

} // namespace stridescope
