#include "widgets/scene/heat_image.h"

#include "widgets/scene/colour_map.h"
#include "widgets/scene/grid_layout.h"
#include "widgets/scene/reach_marks.h"

#include <QImage>

#include <algorithm>
#include <cmath>
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

/// `block`: so many neighbouring pixels share a cell; blocks begin `phase` pixels before the first one.
PixelAxis pixelAxis(int pixels, int block, int phase, qreal start, qreal step, qreal origin, qreal size, Index first,
                    Index count) {
    PixelAxis axis;
    axis.of.resize(static_cast<std::size_t>(pixels));
    axis.first.assign(static_cast<std::size_t>(pixels), 0);
    const auto cellAt = [&](int pixel) {
        const int sampled = block == 1 ? pixel : (pixel + phase) / block * block - phase;
        const Index cell = first + static_cast<Index>(std::floor((start + (sampled + 0.5) * step - origin) / size));
        return cell < 0 || cell >= count ? -1 : cell;
    };
    Index previous = phase > 0 ? cellAt(-1) : -1;
    for (int i = 0; i < pixels; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Index cell = cellAt(i);
        if (cell != previous || axis.cells.empty()) {
            axis.cells.push_back(cell);
            axis.first[at] = cell >= 0 && cell != previous ? 1 : 0;
        }
        previous = cell;
        axis.of[at] = static_cast<std::int32_t>(axis.cells.size()) - 1;
    }
    return axis;
}

/// Memory for one band of a picture, kept from frame to frame: fresh pages cost more than painting into them, and a
/// band that stays in the second-level cache is copied to the device from there. The part in use is the top left one.
QImage& scratchImage(int width, int height) {
    static thread_local QImage image;
    if (image.width() < width || image.height() < height) {
        image = QImage(std::max(width, image.width()), std::max(height, image.height()), QImage::Format_RGB32);
    }
    return image;
}

/// Scan lines of one band.
constexpr int kBandRows = 32;

QRgb darker(QRgb colour) {
    const auto part = [colour](int shift, int ink) {
        return (static_cast<int>((colour >> shift) & 0xFF) * 55 + ink * 45) / 100;
    };
    return qRgb(part(16, 0x15), part(8, 0x18), part(0, 0x1D));
}

/// Colours of small cells. NaN and slots outside the storage are checkered, so that they stay apart in greyscale.
struct Inks {
    ColourMap map;
    QRgb stage, ink, error, fill, ghost, inset;

    Inks(const PaintContext& c, int colour, double low, double high)
        : map(low, high), stage(c.colour(Tone::Stage).rgb()), ink(c.colour(Tone::Ink).rgb()),
          error(c.colour(Tone::Error).rgb()), fill(c.colour(Theme::viewTone(colour)).rgb()),
          ghost(c.theme.ghostFill(colour).rgb()), inset(c.colour(Tone::Inset).rgb()) {}

    /// Infinities have the colours of the ends, which is what the map gives them.
    QRgb value(double v, bool checker) const {
        if (v != v) return checker ? ink : stage;
        return map.rgb(v);
    }
};

struct DeviceRegion {
    QRectF rect; ///< scene coordinates, on the device's pixel grid
    int width = 0, height = 0;
    qreal step = 1; ///< scene pixels per device pixel
};

DeviceRegion deviceRegion(const PaintContext& c, const QRectF& wanted) {
    DeviceRegion region;
    // Vector devices get twice the screen's resolution.
    const qreal scale = c.vector ? 2 : c.deviceScale();
    region.rect = c.vector ? wanted : c.snap(wanted);
    region.step = 1 / scale;
    region.width = static_cast<int>(std::lround(region.rect.width() * scale));
    region.height = static_cast<int>(std::lround(region.rect.height() * scale));
    return region;
}

/// The first `rows` scan lines of the scratch image as the region's lines from `top` on.
void drawScratch(PaintContext& c, const DeviceRegion& region, const QImage& image, int top, int rows) {
    const QRectF target(region.rect.left(), region.rect.top() + top * region.step, region.rect.width(),
                        rows * region.step);
    if (c.vector) {
        // SVG files would hold the whole memory instead of the part in use.
        c.painter.drawImage(target, image.copy(0, 0, region.width, rows));
    } else {
        c.painter.drawImage(target, image, QRectF(0, 0, region.width, rows));
    }
}

/// The colours of a grid's cells, one row of cells at a time.
class CellColours {
public:
    CellColours(const PaintContext& c, const GridItem& grid, const CellValues& values, bool heat, const PixelAxis& axis)
        : m_grid(grid), m_values(values), m_inks(c, grid.colour, grid.heatLow, grid.heatHigh), m_heat(heat),
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

    void fillValues(Index row, std::size_t from, std::size_t n) {
        const Index* cols = m_cols.data() + from;
        const Index start = m_grid.base + row * m_grid.rowStride, stride = m_grid.colStride;
        double* read = m_read.data();
        if (cols[n - 1] - cols[0] == static_cast<Index>(n) - 1) { // no cell left out: plain steps are quicker
            m_values.read(start + cols[0] * stride, stride, static_cast<Index>(n), read);
        } else {
            for (std::size_t k = 0; k < n; ++k) read[k] = m_values.at(start + cols[k] * stride);
        }
        m_inks.map.rgb(read, n, m_colours.data() + from);
        std::size_t nans = 0;
        for (std::size_t k = 0; k < n; ++k) nans += read[k] != read[k] ? 1 : 0;
        for (std::size_t k = 0; k < n && nans > 0; ++k) {
            if (read[k] != read[k]) m_colours[from + k] = m_inks.value(read[k], checkered(row, cols[k])), --nans;
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
    if (grid.cell.width() * grid.cell.height() < region.step * region.step) {
        const Index pixels = static_cast<Index>(whole.width) * whole.height;
        while (pixels / (block * block) > kSampleBudget) ++block;
    }
    // Blocks and lines start where they would in the whole picture.
    const int phaseX = static_cast<int>(std::lround((region.rect.left() - whole.rect.left()) / region.step));
    const int phaseY = static_cast<int>(std::lround((region.rect.top() - whole.rect.top()) / region.step));
    const PixelAxis xs = pixelAxis(region.width, block, phaseX, region.rect.left(), region.step, grid.origin.x(),
                                   grid.cell.width(), grid.firstCol, grid.cols);
    const PixelAxis ys = pixelAxis(region.height, block, phaseY, region.rect.top(), region.step, grid.origin.y(),
                                   grid.cell.height(), grid.firstRow, grid.rows);
    CellColours cellColours(c, grid, values, heat, xs);
    const std::vector<QRgb>& colours = cellColours.colours();
    const auto width = static_cast<std::size_t>(region.width);
    // The scan line inside the current row of cells, and the one on its upper edge.
    const bool onePixel = tiny && xs.cells.size() == width;
    std::vector<QRgb> inner(onePixel ? 0 : width), edge(tiny ? 0 : width);
    const QRgb* plain = onePixel ? colours.data() : inner.data();
    const int bandRows = c.vector ? region.height : std::min(kBandRows, region.height);
    QImage& image = scratchImage(region.width, bandRows);
    for (int top = 0; top < region.height; top += bandRows) {
        const int rows = std::min(bandRows, region.height - top);
        for (int y = top; y < top + rows; ++y) {
            const auto aty = static_cast<std::size_t>(y);
            const Index row = ys.cells[static_cast<std::size_t>(ys.of[aty])];
            if (y == 0 || ys.of[aty] != ys.of[aty - 1]) {
                cellColours.fill(row);
                for (std::size_t x = 0; x < inner.size(); ++x) inner[x] = colours[static_cast<std::size_t>(xs.of[x])];
                for (std::size_t x = 0; x < edge.size(); ++x) {
                    const bool onGrid = row >= 0 && xs.cells[static_cast<std::size_t>(xs.of[x])] >= 0;
                    edge[x] = onGrid ? darker(plain[x]) : plain[x];
                    if (xs.first[x] != 0 && !onePixel) inner[x] = darker(inner[x]);
                }
            }
            const bool ruled = !tiny && ys.first[aty] != 0;
            std::memcpy(image.scanLine(y - top), ruled ? edge.data() : plain, width * sizeof(QRgb));
        }
        drawScratch(c, region, image, top, rows);
    }
}

void paintStripImage(PaintContext& c, const StripItem& strip, const CellValues& values, Index row, const QRectF& target,
                     Index samplesPerColumn) {
    const StripLayout& layout = strip.layout;
    const DeviceRegion region = deviceRegion(c, target);
    if (region.width <= 0 || region.height <= 0) return;
    const bool tiny = layout.cellWidth < kHeatWidth;
    const bool shared = layout.cellWidth < region.step; // several cells in one pixel column
    const Index begin = row * layout.perRow, end = std::min(begin + layout.perRow, layout.cellCount);
    const Inks inks(c, strip.reach ? strip.reach->colour : -1, strip.heatLow, strip.heatHigh);
    const QRgb control = c.colour(Tone::Control).rgb(), hairline = c.colour(Tone::Hairline).rgb();
    const bool heat = tiny && values.readable();
    // Colour above, what the view reaches below.
    const int band = !heat ? region.height : strip.reach ? std::max(2, region.height * 3 / 10) : 0;
    const int heatRows = region.height - band, upper = heatRows / 2;

    std::optional<ReachQuery> query;
    if (strip.reach) query.emplace(strip.reach->view);
    const auto columnAt = [&](qreal pixel) {
        return layout.firstColumn + static_cast<Index>(std::floor((region.rect.left() + pixel * region.step -
                                                                   layout.area.left() + layout.columnShift) /
                                                                  layout.cellWidth));
    };
    ReachMarks marks;
    const SlotRange seen{std::clamp(begin + columnAt(0), begin, end),
                         std::clamp(begin + columnAt(region.width) + 1, begin, end)};
    if (query && !shared) marks = query->mark(seen);

    QImage& image = scratchImage(region.width, region.height);
    std::vector<QRgb> high(static_cast<std::size_t>(region.width)), low(high.size()), reach(high.size());
    Index previous = -1;
    for (int x = 0; x < region.width; ++x) {
        const auto at = static_cast<std::size_t>(x);
        const Index first = begin + columnAt(shared ? x : x + 0.5);
        const Index last = shared ? std::max(first + 1, begin + columnAt(x + 1)) : first + 1;
        const SlotRange cells{std::max(first, begin), std::min(last, end)};
        if (cells.empty()) {
            high[at] = low[at] = reach[at] = inks.stage;
            previous = -1;
            continue;
        }
        const bool fresh = shared || cells.first != previous;
        previous = cells.first;
        if (heat) {
            if (!fresh) {
                high[at] = high[at - 1];
                low[at] = low[at - 1];
            } else {
                const Index n = cells.last - cells.first;
                const Index samples = std::min(n, shared ? samplesPerColumn : 1);
                double most = -std::numeric_limits<double>::infinity(), least = -most;
                bool nan = false;
                for (Index k = 0; k < samples; ++k) {
                    const Index slot = cells.first + (samples == n ? k : n / samples * k);
                    const double v = values.holds(slot) ? values.at(slot) : std::numeric_limits<double>::quiet_NaN();
                    nan = nan || std::isnan(v);
                    if (!(v <= most)) most = std::isnan(v) ? most : v;
                    if (!(v >= least)) least = std::isnan(v) ? least : v;
                }
                const bool none = most < least; // only NaN
                high[at] = none || (nan && x % 2 == 0) ? inks.value(std::nan(""), x % 2 == 0) : inks.value(most, false);
                low[at] = none ? high[at] : inks.value(least, false);
            }
        }
        if (band == 0) continue;
        const bool line = !tiny && fresh;
        if (!query) {
            reach[at] = line ? control : values.readable() ? inks.stage : inks.inset;
        } else if (shared ? query->any(cells) : marks.reached(cells.first)) {
            const bool many = !shared && marks.overlap(cells.first) > 1;
            reach[at] = line ? darker(inks.fill) : many && x % 4 < 2 ? inks.ghost : inks.fill;
        } else {
            const bool skipped = cells.first >= query->span().first && cells.first < query->span().last;
            reach[at] = line ? (skipped ? hairline : control) : inks.stage;
        }
    }
    const auto fillRows = [&image, &region](int from, int to, const std::vector<QRgb>& pixels) {
        for (int y = from; y < to; ++y) {
            std::memcpy(image.scanLine(y), pixels.data(), static_cast<std::size_t>(region.width) * sizeof(QRgb));
        }
    };
    fillRows(0, upper, high);
    fillRows(upper, heatRows, low);
    fillRows(heatRows, region.height, reach);
    if (heat && band > 0) std::fill_n(reinterpret_cast<QRgb*>(image.scanLine(heatRows)), region.width, inks.ink);
    drawScratch(c, region, image, 0, region.height);
}

} // namespace stridescope
