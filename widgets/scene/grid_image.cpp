#include "widgets/scene/grid_image.h"

#include "widgets/scene/grid_layout.h"
#include "widgets/scene/pixel_image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace stridescope {

namespace {

/// Reads that one frame may spend on cells smaller than a pixel: a few milliseconds even when each misses the cache.
constexpr Index kSampleBudget = 65536;

/// Which cell lies under each device pixel of an axis.
struct PixelAxis {
    std::vector<Index> cells;        ///< the different cells, from the first pixel on; -1 where there is none
    std::vector<std::int32_t> of;    ///< for each pixel: which of `cells`
    std::vector<std::uint8_t> first; ///< for each pixel: 1 where a cell begins
};

/// `block`: so many neighbouring pixels share a cell.
PixelAxis pixelAxis(int pixels, int block, qreal start, qreal step, qreal origin, qreal size, Index first,
                    Index count) {
    PixelAxis axis;
    axis.of.resize(static_cast<std::size_t>(pixels));
    axis.first.assign(static_cast<std::size_t>(pixels), 0);
    Index previous = -1;
    for (int i = 0; i < pixels; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int sampled = i / block * block;
        Index cell = first + static_cast<Index>(std::floor((start + (sampled + 0.5) * step - origin) / size));
        if (cell < 0 || cell >= count) cell = -1;
        if (cell != previous || axis.cells.empty()) {
            axis.cells.push_back(cell);
            axis.first[at] = cell >= 0 && cell != previous ? 1 : 0;
        }
        previous = cell;
        axis.of[at] = static_cast<std::int32_t>(axis.cells.size()) - 1;
    }
    return axis;
}

/// Scan lines of one band.
constexpr int kBandRows = 32;

/// The colours of a grid's cells, one row of cells at a time.
class CellColours {
public:
    CellColours(const PaintContext& c, const GridItem& grid, const CellValues& values, bool heat, const PixelAxis& axis)
        : m_grid(grid), m_values(values), m_inks(c, grid.colour, grid.heatLow, grid.heatHigh, grid.grey), m_heat(heat),
          m_cols(axis.cells), m_read(axis.cells.size()), m_colours(axis.cells.size()) {
        const auto outside = [](Index col) { return col < 0; };
        const auto first = std::find_if_not(m_cols.begin(), m_cols.end(), outside);
        m_first = first - m_cols.begin();
        m_last = std::find_if(first, m_cols.end(), outside) - m_cols.begin();
    }

    /// One for each cell of the axis.
    const std::vector<QRgb>& colours() const { return m_colours; }

    /// Fills `colours()` with those of the row's cells; `row` -1 is outside the grid.
    void fill(Index row) {
        if (row < 0) {
            std::fill(m_colours.begin(), m_colours.end(), m_inks.stage);
            return;
        }
        const SlotRange inside = m_values.inside(m_grid.base + row * m_grid.rowStride, m_grid.colStride, m_grid.cols);
        // Cells in the grid, and among them those with an element: columns ascend, so both are runs.
        const auto place = [this](Index col) {
            return static_cast<std::size_t>(std::lower_bound(m_cols.begin() + m_first, m_cols.begin() + m_last, col) -
                                            m_cols.begin());
        };
        const std::size_t from = place(inside.first), to = std::max(from, place(inside.last));
        std::fill(m_colours.begin(), m_colours.begin() + m_first, m_inks.stage);
        std::fill(m_colours.begin() + m_last, m_colours.end(), m_inks.stage);
        const auto beyond = [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k)
                m_colours[k] = checkered(row, m_cols[k]) ? m_inks.error : m_inks.stage;
        };
        beyond(static_cast<std::size_t>(m_first), from);
        beyond(to, static_cast<std::size_t>(m_last));
        if (m_heat) {
            if (from < to) fillValues(row, from, to - from);
            return;
        }
        for (std::size_t k = from; k < to; ++k)
            m_colours[k] = m_grid.ghost || gridRepeats(m_grid, row, m_cols[k]) ? m_inks.ghost : m_inks.fill;
    }

private:
    static bool checkered(Index row, Index col) { return (row + col) % 2 == 0; }

    /// Values of n cells of a row into `m_read`; NaN outside the storage.
    void readRow(Index start, const Index* cols, std::size_t n) {
        const Index stride = m_grid.colStride;
        double* read = m_read.data();
        if (cols[n - 1] - cols[0] == static_cast<Index>(n) - 1) { // no cell left out: plain steps are quicker
            m_values.read(start + cols[0] * stride, stride, static_cast<Index>(n), read);
            return;
        }
        for (std::size_t k = 0; k < n; ++k) {
            const Index slot = start + cols[k] * stride;
            read[k] = m_values.holds(slot) ? m_values.at(slot) : std::numeric_limits<double>::quiet_NaN();
        }
    }

    /// True colour: red, green and blue are elements of their own.
    void fillPixels(Index start, const Index* cols, std::size_t from, std::size_t n) {
        std::fill_n(m_colours.begin() + static_cast<std::ptrdiff_t>(from), n, 0xFF000000u);
        for (int channel = 0; channel < 3; ++channel) {
            readRow(start + channel * m_grid.channelStride, cols, n);
            const int shift = 16 - 8 * channel;
            for (std::size_t k = 0; k < n; ++k) {
                const double value = m_read[k] > 0 ? std::min(m_read[k], 255.0) : 0; // NaN is 0
                m_colours[from + k] |= static_cast<QRgb>(value) << shift;
            }
        }
    }

    void fillValues(Index row, std::size_t from, std::size_t n) {
        const Index* cols = m_cols.data() + from;
        const Index start = m_grid.base + row * m_grid.rowStride;
        if (m_grid.channels >= 3) {
            fillPixels(start, cols, from, n);
            return;
        }
        readRow(start, cols, n);
        const double* read = m_read.data();
        m_inks.map.rgb(read, n, m_colours.data() + from);
        std::size_t odd = 0;
        for (std::size_t k = 0; k < n; ++k) odd += m_inks.onBar(read[k]) ? 0 : 1;
        for (std::size_t k = 0; k < n && odd > 0; ++k) {
            if (!m_inks.onBar(read[k])) m_colours[from + k] = m_inks.value(read[k], checkered(row, cols[k])), --odd;
        }
    }

    const GridItem& m_grid;
    const CellValues& m_values;
    const Inks m_inks;
    const bool m_heat;
    const std::vector<Index>& m_cols;
    std::ptrdiff_t m_first = 0, m_last = 0; ///< the run of `m_cols` inside the grid
    std::vector<double> m_read;
    std::vector<QRgb> m_colours;
};

/// Colours of cells far smaller than a pixel: one sample for each block of pixels of the whole picture.
struct Samples {
    GridItem grid; ///< what they were taken of, without marks and source: a picture keeps no storage alive
    quint64 storage = 0, version = 0;
    DType dtype = DType::Float32;
    QSize blocks;
    QRgb stage = 0;
    std::vector<QRgb> colours; ///< row by row
};

bool sameCells(const GridItem& a, const GridItem& b) {
    return a.base == b.base && a.rowStride == b.rowStride && a.colStride == b.colStride && a.channels == b.channels &&
           a.channelStride == b.channelStride && a.rows == b.rows && a.cols == b.cols && a.firstRow == b.firstRow &&
           a.firstCol == b.firstCol && a.origin == b.origin && a.cell == b.cell && a.area == b.area &&
           a.heatLow == b.heatLow && a.heatHigh == b.heatHigh && a.grey == b.grey;
}

/// Samples of the picture, kept from frame to frame: each is a read from another page of a large storage, and most
/// frames change something else. Kept: the last few pictures, a quarter of a megabyte each.
const Samples& samplesOf(const GridItem& grid, const PixelAxis& xs, const PixelAxis& ys, CellColours& cells,
                         QRgb stage) {
    static thread_local std::array<Samples, 12> known;
    static thread_local std::size_t next = 0;
    const quint64 storage = grid.source.storage()->id(), version = grid.source.storage()->version();
    const DType dtype = grid.source.dtype();
    const QSize blocks(static_cast<int>(xs.cells.size()), static_cast<int>(ys.cells.size()));
    for (const Samples& entry : known) {
        if (entry.storage == storage && entry.version == version && entry.dtype == dtype && entry.blocks == blocks &&
            entry.stage == stage && !entry.colours.empty() && sameCells(entry.grid, grid))
            return entry;
    }
    Samples& entry = known[next];
    next = (next + 1) % known.size();
    entry.grid = grid;
    entry.grid.marks.clear();
    entry.grid.source = {};
    entry.storage = storage;
    entry.version = version;
    entry.dtype = dtype;
    entry.blocks = blocks;
    entry.stage = stage;
    entry.colours.clear();
    for (const Index row : ys.cells) {
        cells.fill(row);
        entry.colours.insert(entry.colours.end(), cells.colours().begin(), cells.colours().end());
    }
    return entry;
}

} // namespace

void paintGridImage(PaintContext& c, const GridItem& grid, const CellValues& values) {
    const QRectF cells = gridCellRect(grid, 0, 0).united(gridCellRect(grid, grid.rows - 1, grid.cols - 1));
    const QRectF visible = gridArea(grid).intersected(cells);
    const DeviceRegion whole = deviceRegion(c, visible);
    const DeviceRegion region = deviceRegion(c, visible.intersected(c.exposed));
    if (region.width <= 0 || region.height <= 0) return;
    const bool tiny = grid.cell.width() < kHeatWidth || grid.cell.height() < kHeatWidth;
    const bool heat = (grid.heat || tiny) && values.readable() && !grid.ghost;
    // Below one pixel a cell, neighbouring pixels share a sample so that the whole picture stays in the budget.
    int block = 1;
    if (grid.cell.width() * grid.cell.height() < whole.step * whole.step) {
        const Index pixels = static_cast<Index>(whole.width) * whole.height;
        while (pixels / (block * block) > kSampleBudget) ++block;
    }
    // Axes of the whole picture: blocks and lines lie where they would without the clipping.
    const PixelAxis xs = pixelAxis(whole.width, block, whole.rect.left(), whole.step, grid.origin.x(),
                                   grid.cell.width(), grid.firstCol, grid.cols);
    const PixelAxis ys = pixelAxis(whole.height, block, whole.rect.top(), whole.step, grid.origin.y(),
                                   grid.cell.height(), grid.firstRow, grid.rows);
    const auto left = static_cast<std::size_t>(std::clamp<long>(
        std::lround((region.rect.left() - whole.rect.left()) / whole.step), 0, whole.width - region.width));
    const auto above = static_cast<std::size_t>(std::clamp<long>(
        std::lround((region.rect.top() - whole.rect.top()) / whole.step), 0, whole.height - region.height));
    CellColours cellColours(c, grid, values, heat, xs);
    const QRgb stage = c.colour(Tone::Stage).rgb();
    const Samples* samples = heat && block > 1 ? &samplesOf(grid, xs, ys, cellColours, stage) : nullptr;
    const auto width = static_cast<std::size_t>(region.width);
    // The scan line inside the current row of cells, and the one on its upper edge.
    std::vector<QRgb> inner(width), edge(tiny ? 0 : width);
    const bool onePixel = xs.cells.size() == xs.of.size();
    const int bandRows = c.vector ? region.height : std::min(kBandRows, region.height);
    QImage& image = scratchImage(region.width, bandRows);
    for (int top = 0; top < region.height; top += bandRows) {
        const int rows = std::min(bandRows, region.height - top);
        for (int y = top; y < top + rows; ++y) {
            const std::size_t aty = above + static_cast<std::size_t>(y);
            const auto line = static_cast<std::size_t>(ys.of[aty]);
            if (y == 0 || ys.of[aty] != ys.of[aty - 1]) {
                const Index row = ys.cells[line];
                if (!samples) cellColours.fill(row);
                const QRgb* colours =
                    samples ? samples->colours.data() + line * xs.cells.size() : cellColours.colours().data();
                if (onePixel) {
                    std::copy_n(colours + left, width, inner.begin());
                } else {
                    for (std::size_t x = 0; x < width; ++x)
                        inner[x] = colours[static_cast<std::size_t>(xs.of[left + x])];
                }
                for (std::size_t x = 0; x < edge.size(); ++x) {
                    const bool onGrid = row >= 0 && xs.cells[static_cast<std::size_t>(xs.of[left + x])] >= 0;
                    edge[x] = onGrid ? darker(inner[x]) : inner[x];
                    if (xs.first[left + x] != 0) inner[x] = darker(inner[x]);
                }
            }
            const bool ruled = !tiny && ys.first[aty] != 0;
            std::memcpy(image.scanLine(y - top), ruled ? edge.data() : inner.data(), width * sizeof(QRgb));
        }
        drawScratch(c, region, image, top, rows);
    }
}

} // namespace stridescope
