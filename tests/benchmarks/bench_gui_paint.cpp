// How long a frame takes to paint, by pixels a cell and by tensor size. Percentiles over many frames of a scripted
// scroll with a moving hover; wall time and the thread's own processor time, since other programs may run.
//
// Usage: bench_gui_paint [frames [pixels a cell]]

#include "widgets/scene/scene_painter.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <sys/mman.h>

using namespace stridescope;

namespace {

constexpr QSize kScreen(1920, 1080);

/// `n` float32 without memory behind them but zero pages, so that 10^9 elements need no 4 GB.
Tensor lazyFloats(Index n) {
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) {
        std::perror("mmap");
        std::exit(1);
    }
    StoragePtr storage = Storage::wrap(
        data, bytes, Device(), [data, bytes] { munmap(data, bytes); }, "lazy");
    View view;
    view.shape = Dims{n};
    view.stride = Dims{1};
    return Tensor(std::move(storage), std::move(view), DType::Float32);
}

void fillValues(const Tensor& tensor, Index count) {
    auto* data = tensor.storageData<float>();
    for (Index i = 0; i < count; ++i) data[i] = static_cast<float>((i * 7919) % 2003) / 16.0f - 40.0f;
}

struct Setup {
    Tensor tensor;
    Index rows, cols;
    QSizeF cell;
    bool heat;
    int links;
};

/// A card of one panel over the strip, 24 links and a hover that wanders.
Scene frameOf(const Setup& setup, int frame) {
    Scene scene;
    scene.size = kScreen;
    const quint64 id = setup.tensor.storage()->id();
    const Index step = frame * 3;
    GridItem grid;
    grid.area = QRectF(20, 20, 1880, 820);
    grid.cell = setup.cell;
    grid.rows = setup.rows;
    grid.cols = setup.cols;
    const auto shownRows = static_cast<Index>(grid.area.height() / setup.cell.height());
    const auto shownCols = static_cast<Index>(grid.area.width() / setup.cell.width());
    grid.firstRow = grid.rows > shownRows ? step % (grid.rows - shownRows) : 0;
    grid.firstCol = grid.cols > shownCols ? step % (grid.cols - shownCols) : 0;
    grid.origin = grid.area.topLeft() - QPointF(frame % 7, frame % 5);
    grid.rowStride = setup.cols;
    grid.colStride = 1;
    grid.source = setup.tensor;
    grid.colour = 1;
    grid.heat = setup.heat;
    grid.heatLow = -40;
    grid.heatHigh = 85;
    const Index hoverRow = std::min(grid.firstRow + 1 + frame % 3, grid.rows - 1);
    const Index hoverCol = std::min(grid.firstCol + 1 + frame % 5, grid.cols - 1);
    grid.marks.push_back({hoverRow * grid.cols + hoverCol, MarkKind::Ring, 0});
    scene.nodes.push_back({Part{PartKind::CardCells, 2, id, -1}, grid});

    StripItem strip;
    strip.source = setup.tensor;
    strip.storageId = id;
    strip.layout.cellCount = setup.tensor.storageNumel();
    strip.layout.perRow = strip.layout.cellCount;
    strip.layout.area = QRectF(140, 960, 1760, 62);
    strip.layout.cellWidth = setup.cell.width();
    strip.layout.cellHeight = 42;
    const auto visible = static_cast<Index>(1760 / strip.layout.cellWidth);
    if (strip.layout.cellCount > visible) strip.layout.firstColumn = (step * 11) % (strip.layout.cellCount - visible);
    View view;
    view.shape = Dims{setup.rows, (setup.cols + 1) / 2};
    view.stride = Dims{setup.cols, 2};
    strip.reach = StripReach{2, 1, view};
    strip.heatLow = -40;
    strip.heatHigh = 85;
    strip.marks.push_back({strip.layout.firstColumn + 1 + frame % 5, MarkKind::Ring, 0});
    scene.nodes.push_back({Part{PartKind::StripCells, 0, id, -1}, strip});
    for (int k = 0; k < setup.links; ++k) {
        PathItem link;
        link.path.moveTo(100 + 70 * k, 842);
        link.path.lineTo(100 + 70 * k, 870);
        link.path.cubicTo(100 + 70 * k, 920, 400 + 40 * k + frame % 9, 900, 400 + 40 * k + frame % 9, 958);
        link.casing = true;
        scene.nodes.push_back({{}, link});
    }
    return scene;
}

double processorMs() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double percentile(std::vector<double>& times, double share) {
    std::sort(times.begin(), times.end());
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

struct Figures {
    double wall50, wall95, wall99, cpu50;
};

Figures measure(const std::string& name, const Setup& setup, const Theme& theme, int frames, QSize screen = kScreen) {
    QImage image(screen, QImage::Format_RGB32);
    std::vector<double> wall, cpu;
    for (int f = -20; f < frames; ++f) { // 20 frames to warm up
        const Scene scene = frameOf(setup, std::abs(f));
        const double cpu0 = processorMs();
        const auto start = std::chrono::steady_clock::now();
        QPainter painter(&image);
        paintScene(painter, scene, theme);
        painter.end();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        if (f < 0) continue;
        wall.push_back(took.count());
        cpu.push_back(processorMs() - cpu0);
    }
    const Figures figures{percentile(wall, 0.5), percentile(wall, 0.95), percentile(wall, 0.99), percentile(cpu, 0.5)};
    const double cpu99 = percentile(cpu, 0.99);
    std::printf("%-44s wall p50 %6.2f  p95 %6.2f  p99 %6.2f   cpu p50 %6.2f  p99 %6.2f ms\n", name.c_str(),
                figures.wall50, figures.wall95, figures.wall99, figures.cpu50, cpu99);
    std::fflush(stdout);
    return figures;
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const int frames = argc > 1 ? std::max(20, std::atoi(argv[1])) : 600;
    const int only = argc > 2 ? std::atoi(argv[2]) : 0;
    const Theme theme;
    std::printf("%d frames each, %d x %d, software painter, 24 links\n", frames, kScreen.width(), kScreen.height());

    const Tensor small = lazyFloats(20), medium = lazyFloats(10000), large = lazyFloats(1000000000);
    fillValues(small, 20);
    fillValues(medium, 10000);
    fillValues(large, 4000000);
    for (const int px : {1, 3, 6, 20, 42, 120}) {
        if (only > 0 && px != only) continue;
        const QSizeF cell(px, px >= 42 ? px * 0.75 : px);
        const Figures few =
            measure("20 elements, " + std::to_string(px) + " px a cell", {small, 4, 5, cell, false, 24}, theme, frames);
        const Figures some = measure("10^4 elements, " + std::to_string(px) + " px a cell",
                                     {medium, 100, 100, cell, false, 24}, theme, frames);
        const Figures many = measure("10^9 elements, " + std::to_string(px) + " px a cell",
                                     {large, 31250, 32000, cell, false, 24}, theme, frames);
        std::printf("%44s 10^9 : 10^4 = %.2f, 10^9 : 20 = %.2f (processor time)\n", "", many.cpu50 / some.cpu50,
                    many.cpu50 / few.cpu50);
    }
    if (only > 0) return 0;
    for (const double px : {0.1, 0.5, 1.0, 3.0, 8.0}) {
        char name[64];
        std::snprintf(name, sizeof name, "heat map, 10^9 elements, %.1f px a cell", px);
        measure(name, {large, 31250, 32000, QSizeF(px, px), true, 0}, theme, frames);
    }
    // As many numbered cells as the painter ever draws; they need more room than one full-HD screen.
    measure("2 600 numbered cells 34 x 22", {large, 31250, 32000, QSizeF(34, 22), false, 24}, theme, frames);
    measure("2 600 numbered cells 34 x 22, heat", {large, 31250, 32000, QSizeF(34, 22), true, 24}, theme, frames);
    return 0;
}
