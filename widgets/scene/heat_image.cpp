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

/// Memory for one picture, kept from frame to frame: fresh pages cost more than painting into them. The part in use is
/// the top left one.
QImage& scratchImage(int width, int height) {
    static thread_local QImage image;
    if (image.width() < width || image.height() < height) {
        image = QImage(std::max(width, image.width()), std::max(height, image.height()), QImage::Format_RGB32);
    }
    return image;
}

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

void drawScratch(PaintContext& c, const DeviceRegion& region, const QImage& image) {
    if (c.vector) {
        // SVG files would hold the whole memory instead of the part in use.
        c.painter.drawImage(region.rect, image.copy(0, 0, region.width, region.height));
    } else {
        c.painter.drawImage(region.rect, image, QRectF(0, 0, region.width, region.height));
    }
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
    const Inks inks(c, grid.colour, grid.heatLow, grid.heatHigh);
    QImage& image = scratchImage(region.width, region.height);
    const std::size_t scanBytes = static_cast<std::size_t>(region.width) * sizeof(QRgb);
    std::vector<QRgb> colours(xs.cells.size());
    const uchar* shown = nullptr; // the scan line that the rest of the row repeats
    for (int y = 0; y < region.height; ++y) {
        const auto aty = static_cast<std::size_t>(y);
        const Index row = ys.cells[static_cast<std::size_t>(ys.of[aty])];
        const bool fresh = y == 0 || ys.of[aty] != ys.of[aty - 1];
        const bool ruled = !tiny && ys.first[aty] != 0;
        if (fresh) {
            shown = nullptr;
            const SlotRange inside = values.inside(grid.base + row * grid.rowStride, grid.colStride, grid.cols);
            std::size_t from = xs.cells.size(), to = 0; // cells with an element
            for (std::size_t k = 0; k < xs.cells.size(); ++k) {
                const Index col = xs.cells[k];
                if (row < 0 || col < 0) {
                    colours[k] = inks.stage;
                } else if (col < inside.first || col >= inside.last) {
                    colours[k] = (row + col) % 2 == 0 ? inks.error : inks.stage;
                } else {
                    from = std::min(from, k);
                    to = k + 1;
                    if (!heat) colours[k] = grid.ghost || gridRepeats(grid, row, col) ? inks.ghost : inks.fill;
                }
            }
            if (heat && from < to) {
                const Index* cols = xs.cells.data() + from;
                QRgb* out = colours.data() + from;
                const auto paint = [&inks, out, cols, row](Index k, double value) {
                    out[k] = inks.value(value, (row + cols[k]) % 2 == 0);
                };
                const auto n = static_cast<Index>(to - from);
                const Index start = grid.base + row * grid.rowStride;
                if (cols[n - 1] - cols[0] == n - 1) { // no cell left out: plain steps are quicker
                    values.forEach(
                        start + cols[0] * grid.colStride, grid.colStride, n, [](Index k) { return k; }, paint);
                } else {
                    values.forEach(
                        start, grid.colStride, n, [cols](Index k) { return cols[k]; }, paint);
                }
            }
        }
        uchar* bytes = image.scanLine(y);
        if (shown && !ruled) {
            std::memcpy(bytes, shown, scanBytes);
            continue;
        }
        auto* scan = reinterpret_cast<QRgb*>(bytes);
        if (row >= 0 && ruled) {
            for (int x = 0; x < region.width; ++x) {
                const auto k = static_cast<std::size_t>(xs.of[static_cast<std::size_t>(x)]);
                scan[x] = xs.cells[k] >= 0 ? darker(colours[k]) : colours[k];
            }
            continue;
        }
        if (xs.cells.size() == xs.of.size()) {
            std::memcpy(scan, colours.data(), scanBytes);
        } else {
            for (int x = 0; x < region.width; ++x)
                scan[x] = colours[static_cast<std::size_t>(xs.of[static_cast<std::size_t>(x)])];
        }
        if (!tiny) {
            for (int x = 0; x < region.width; ++x) {
                if (xs.first[static_cast<std::size_t>(x)] != 0) scan[x] = darker(scan[x]);
            }
        }
        shown = bytes;
    }
    drawScratch(c, region, image);
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
    drawScratch(c, region, image);
}

} // namespace stridescope
