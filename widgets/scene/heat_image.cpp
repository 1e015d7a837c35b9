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
    std::vector<Index> cell; ///< -1: none
    std::vector<bool> line;  ///< first pixel of a cell
};

PixelAxis pixelAxis(int pixels, qreal start, qreal step, qreal origin, qreal size, Index first, Index count) {
    PixelAxis axis;
    axis.cell.resize(static_cast<std::size_t>(pixels));
    axis.line.assign(static_cast<std::size_t>(pixels), false);
    Index previous = std::numeric_limits<Index>::min();
    for (int i = 0; i < pixels; ++i) {
        const Index cell = first + static_cast<Index>(std::floor((start + (i + 0.5) * step - origin) / size));
        const auto at = static_cast<std::size_t>(i);
        axis.cell[at] = cell >= 0 && cell < count ? cell : -1;
        axis.line[at] = axis.cell[at] >= 0 && cell != previous && (i > 0 || start <= origin);
        previous = cell;
    }
    return axis;
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

    QRgb value(double v, bool checker) const {
        if (std::isnan(v)) return checker ? ink : stage;
        if (std::isinf(v)) return map.at(v > 0 ? 1 : 0);
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

} // namespace

void paintGridImage(PaintContext& c, const GridItem& grid, const CellValues& values) {
    QRectF wanted = gridArea(grid).intersected(c.exposed);
    wanted = wanted.intersected(gridCellRect(grid, 0, 0).united(gridCellRect(grid, grid.rows - 1, grid.cols - 1)));
    const DeviceRegion region = deviceRegion(c, wanted);
    if (region.width <= 0 || region.height <= 0) return;
    const PixelAxis xs = pixelAxis(region.width, region.rect.left(), region.step, grid.origin.x(), grid.cell.width(),
                                   grid.firstCol, grid.cols);
    const PixelAxis ys = pixelAxis(region.height, region.rect.top(), region.step, grid.origin.y(), grid.cell.height(),
                                   grid.firstRow, grid.rows);
    const Inks inks(c, grid.colour, grid.heatLow, grid.heatHigh);
    const bool tiny = grid.cell.width() < kHeatWidth || grid.cell.height() < kHeatWidth;
    const bool heat = (grid.heat || tiny) && values.readable() && !grid.ghost;
    const bool lines = !tiny;
    // Below one pixel a cell, neighbouring pixels share a sample so that the whole picture stays in the budget.
    const Index pixels = static_cast<Index>(region.width) * region.height;
    int block = 1;
    if (grid.cell.width() * grid.cell.height() < region.step * region.step) {
        while (pixels / (block * block) > kSampleBudget) ++block;
    }
    QImage image(region.width, region.height, QImage::Format_RGB32);
    std::vector<QRgb> colours(static_cast<std::size_t>(region.width));
    for (int y = 0; y < region.height; ++y) {
        auto* scan = reinterpret_cast<QRgb*>(image.scanLine(y));
        const auto aty = static_cast<std::size_t>(y);
        const Index row = ys.cell[aty];
        const bool repeat =
            y > 0 && (y % block != 0 || (row == ys.cell[aty - 1] && !ys.line[aty] && !ys.line[aty - 1]));
        if (repeat && block > 1) {
            std::memcpy(scan, image.constScanLine(y - 1), static_cast<std::size_t>(region.width) * sizeof(QRgb));
            continue;
        }
        const bool newRow = y == 0 || row != ys.cell[aty - 1];
        if (newRow || block > 1) {
            for (int x = 0; x < region.width; ++x) {
                const auto atx = static_cast<std::size_t>(x);
                const Index col = xs.cell[atx];
                if (x > 0 && (x % block != 0 || col == xs.cell[atx - 1])) {
                    colours[atx] = colours[atx - 1];
                    continue;
                }
                QRgb colour = inks.stage;
                if (row >= 0 && col >= 0) {
                    const Index slot = gridSlot(grid, row, col);
                    if (!values.holds(slot)) {
                        colour = (row + col) % 2 == 0 ? inks.error : inks.stage;
                    } else if (heat) {
                        colour = inks.value(values.at(slot), (row + col) % 2 == 0);
                    } else {
                        colour = grid.ghost || gridRepeats(grid, row, col) ? inks.ghost : inks.fill;
                    }
                }
                colours[atx] = colour;
            }
        }
        for (int x = 0; x < region.width; ++x) {
            const auto atx = static_cast<std::size_t>(x);
            const bool line = lines && row >= 0 && xs.cell[atx] >= 0 && (xs.line[atx] || ys.line[aty]);
            scan[x] = line ? darker(colours[atx]) : colours[atx];
        }
    }
    c.painter.drawImage(region.rect, image);
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

    QImage image(region.width, region.height, QImage::Format_RGB32);
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
    c.painter.drawImage(region.rect, image);
}

} // namespace stridescope
