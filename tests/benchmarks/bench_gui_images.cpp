// 60,000 images of 32 x 32 pixels in the Images screen, in the files of CIFAR-10's binary version (random bytes, six
// batches of 10,000): opening them, the first picture, frames while panning and zooming at 1920 x 1080, a channel
// overwritten in all of them, and the memory that all this takes.
//
// Usage: bench_gui_images [frames] ; writes 184 MB below the temporary folder and removes them.

#include "app/images/image_chain.h"
#include "app/images/image_operations.h"
#include "core/io/cifar.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/touched_strip.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <utility>
#include <vector>

using namespace stridescope;

namespace {

constexpr int kBatches = 6, kOfBatch = 10'000;

double milliseconds(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/// Kilobytes of a line of /proc/self/status: "VmRSS", "RssAnon", "RssFile".
double memory(const char* name) {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith(name))
            return line.mid(static_cast<qsizetype>(std::strlen(name)) + 1).trimmed().split(' ')[0].toDouble();
    return 0;
}

double percentile(std::vector<double> times, double share) {
    std::sort(times.begin(), times.end());
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

void writeBatches(const QString& folder) {
    std::mt19937_64 random(1);
    QByteArray records(cifarRecordBytes(CifarKind::Ten) * kOfBatch, Qt::Uninitialized);
    for (int batch = 0; batch < kBatches; ++batch) {
        auto* words = reinterpret_cast<std::uint64_t*>(records.data());
        for (qsizetype i = 0; i < records.size() / 8; ++i) words[i] = random();
        for (int i = 0; i < kOfBatch; ++i) records[i * 3073] = static_cast<char>(i % 10);
        const QString name = batch < 5 ? QStringLiteral("data_batch_%1.bin").arg(batch + 1) : QStringLiteral("all.bin");
        QFile file(folder + QLatin1Char('/') + name);
        if (file.open(QIODevice::WriteOnly)) file.write(records);
    }
    // One file with all of them, which is mapped and not read.
    QFile whole(folder + QStringLiteral("/whole.bin"));
    if (!whole.open(QIODevice::WriteOnly)) return;
    for (int batch = 0; batch < kBatches; ++batch) whole.write(records);
}

double processorMs() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// Frames of one movement; each is asked for, painted and counted to the end of its paint.
template <class Move>
void measure(const char* name, QWidget& view, int frames, Move move) {
    std::vector<double> times, cpu;
    QImage picture(view.size(), QImage::Format_RGB32);
    for (int i = 0; i < frames; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double cpu0 = processorMs();
        move(i);
        view.render(&picture);
        times.push_back(milliseconds(start));
        cpu.push_back(processorMs() - cpu0);
    }
    std::printf("%-44s wall p50 %6.2f  p99 %6.2f  worst %6.2f   cpu p50 %6.2f  p99 %6.2f ms\n", name,
                percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1), percentile(cpu, 0.5),
                percentile(cpu, 0.99));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const int frames = argc > 1 ? std::max(50, std::atoi(argv[1])) : 600;
    QTemporaryDir folder;
    writeBatches(folder.path());
    const double data = 60'000.0 * 3072 / 1024;
    const double before = memory("VmRSS");
    const std::pair memoryBefore(memory("RssAnon"), memory("RssFile"));
    std::printf("60,000 images 32 x 32 x 3, %.0f MB; %d frames a line at 1920 x 1080, software painter\n", data / 1000,
                frames);

    auto start = std::chrono::steady_clock::now();
    const auto mapped = fileBytes((folder.path() + QStringLiteral("/whole.bin")).toStdString());
    if (!mapped) return 1;
    const Tensor records = view(*mapped, {-1, 3073});
    const Tensor images = view(narrow(records, 1, 1, 3072), {-1, 3, 32, 32});
    std::printf("open, one binary file (mapped)                %8.2f ms\n", milliseconds(start));

    start = std::chrono::steady_clock::now();
    const auto set = openCifar(folder.path().toStdString(), CifarKind::Ten, true);
    std::printf("open, the five binary files of the training set as torchvision's array: %.0f ms%s\n",
                milliseconds(start), set ? "" : " (refused)");
    const double afterSet = memory("VmRSS");
    const double setShare = (afterSet - before) / (50'000.0 * 3072 / 1024);

    start = std::chrono::steady_clock::now();
    ImageGridView grid;
    grid.resize(1920, 1080);
    grid.setTheme(Theme());
    grid.setLook(usualLook(DType::UInt8));
    grid.setSheets(ImageSheet(images, 327, 2));
    grid.show();
    QImage picture(grid.size(), QImage::Format_RGB32);
    int turns = 0;
    do {
        grid.render(&picture);
        if (turns == 0) std::printf("first picture, all images in sight            %8.2f ms\n", milliseconds(start));
        ++turns;
    } while (grid.isWaiting() && turns < 1000);
    std::printf("the same with every piece in its own detail   %8.2f ms, %d frames\n", milliseconds(start), turns);

    const QPointF middle(960, 540);
    const double fit = grid.zoom();
    measure("zooming in and out, all to 8 x", grid, frames, [&](int i) {
        const double share = std::abs(static_cast<double>(i % 240) / 120 - 1);
        grid.zoomTo(fit * std::pow(8 / fit, 1 - share), middle);
    });
    for (const double zoom : {0.25, 0.5, 1.0, 3.0, 12.0}) {
        grid.zoomTo(zoom, middle);
        std::printf("zoom %5.2f: ", zoom);
        measure("panning 40 pixels a frame", grid, frames, [&](int i) {
            const double angle = i * 0.01;
            grid.showPlace(zoom, QPointF(3000 + 40 * i / zoom * 0.7, 2000 + 40 * i / zoom * std::sin(angle) * 0.7));
        });
    }
    const double afterGrid = memory("VmRSS");
    {
        TouchedStrip strip;
        strip.setTheme(Theme());
        strip.resize(1340, strip.sizeHint().height());
        const Tensor green = narrow(images, 1, 1, 1);
        measure("the strip below the grid, another list", strip, frames, [&](int) { strip.show({images, green, {}}); });
        measure("the strip, its cells moved along the storage", strip, frames,
                [&](int i) { strip.showFrom(Index{300'000} * i); });
    }
    // What a list with a step that writes holds beside the mapped file: its own memory, and pages that are the file's.
    const auto held = [&](const char* name, const Tensor& of, const std::vector<ChainStep>& steps, double kilobytes) {
        const double anonymous = memory("RssAnon"), file = memory("RssFile");
        start = std::chrono::steady_clock::now();
        const ChainResult result = runChain(of, steps);
        std::printf("%-52s %7.2f ms, own memory %+5.2f of the data, pages of files %+5.2f%s\n", name,
                    milliseconds(start), (memory("RssAnon") - anonymous) / kilobytes,
                    (memory("RssFile") - file) / kilobytes, result.refused < 0 ? "" : " (refused)");
    };
    const ChainStep kill{QStringLiteral(".narrow(1, 1, 1).fill_(0)")}, first{QStringLiteral(".narrow(0, 0, 48)")};
    std::printf(
        "the list of steps on 60,000 mapped images, before it: own memory %.2f of the data, pages of files %.2f\n",
        (memory("RssAnon") - memoryBefore.first) / data - (set ? setShare * 5 / 6 : 0),
        (memory("RssFile") - memoryBefore.second) / data);
    held("  a channel overwritten in all of them", images, {kill}, data);
    held("  a channel overwritten in the first 48", images, {first, kill}, data);
    const std::vector<ChainStep> many{kill,
                                      {QStringLiteral(".transpose(2, 3)")},
                                      {QStringLiteral(".narrow(1, 2, 1).mul_(2)")},
                                      {QStringLiteral("[::2, 0] += 20")},
                                      {QStringLiteral(".clamp_(16, 235)")}};
    held("  four steps that write, on all of them", images, many, data);
    {
        const double anonymous = memory("RssAnon");
        const ChainResult result = runChain(images, many);
        grid.setSheets(ImageSheet(result.last, 327, 2, {}, result.overwrites()),
                       ImageSheet(result.steps[0].tensor, 327, 2, {}, result.steps[0].overwrites));
        measure("zooming with four steps that write", grid, frames, [&](int i) {
            const double share = std::abs(static_cast<double>(i % 240) / 120 - 1);
            grid.zoomTo(fit * std::pow(8 / fit, 1 - share), middle);
        });
        measure("zoom 1: panning 40 pixels a frame", grid, frames,
                [&](int i) { grid.showPlace(1, QPointF(3000 + 28 * i, 2000 + 28 * i * std::sin(i * 0.01))); });
        std::printf("memory meanwhile: the images in pages of their file, own memory %+5.2f of the data; all of it, "
                    "without torchvision's array: %.2f of the data\n",
                    (memory("RssAnon") - anonymous) / data,
                    (memory("RssAnon") - memoryBefore.first + memory("RssFile") - memoryBefore.second) / data -
                        (set ? setShare * 5 / 6 : 0));
    }
    // What copies comes last: the allocator keeps some of what is given back.
    if (set) {
        held("  a channel overwritten in torchvision's array", permute(set->data, {0, 3, 1, 2}), {kill}, data * 5 / 6);
        held("  channels put in another order, a copy", permute(set->data, {0, 3, 1, 2}),
             {{QStringLiteral(".index_select(1, torch.tensor([2, 1, 0]))")}}, data * 5 / 6);
        held("  a channel overwritten, then floats of all of them", permute(set->data, {0, 3, 1, 2}),
             {kill, {QStringLiteral(".float()")}}, data * 5 / 6);
    }

    // The channel, in place, as a line does it; one warm pass before, as the file's pages are copied on the first
    // write.
    const Tensor own = clone(images);
    const Tensor channels[] = {narrow(own, 1, 0, 1), narrow(permute(own, {0, 2, 3, 1}), 3, 1, 1)};
    std::vector<double> kills;
    for (int i = 0; i < 21; ++i) {
        start = std::chrono::steady_clock::now();
        fill_(channels[0], Scalar(Index{0}));
        if (i > 0) kills.push_back(milliseconds(start));
    }
    std::printf("kill one channel of (n, c, h, w): 61 MB written     p50 %6.2f ms, best %6.2f, %.1f GB/s\n",
                percentile(kills, 0.5), percentile(kills, 0), 61.44 / percentile(kills, 0.5));
    const Tensor hwc = contiguous(permute(own, {0, 2, 3, 1}));
    const Tensor every = narrow(hwc, 3, 1, 1);
    kills.clear();
    for (int i = 0; i < 21; ++i) {
        start = std::chrono::steady_clock::now();
        fill_(every, Scalar(Index{0}));
        if (i > 0) kills.push_back(milliseconds(start));
    }
    std::printf("kill one channel of (n, h, w, c): every third byte  p50 %6.2f ms, best %6.2f, %.1f GB/s of lines\n",
                percentile(kills, 0.5), percentile(kills, 0), 2 * 184.32 / percentile(kills, 0.5));
    kills.clear();
    for (int i = 0; i < 5; ++i) {
        start = std::chrono::steady_clock::now();
        const ChainResult result = runChain(own, {{QStringLiteral(".narrow(1, 1, 1).fill_(0)")}});
        kills.push_back(milliseconds(start));
    }
    std::printf("the same as a step of the list, which is worked out where it is seen: p50 %6.2f ms\n",
                percentile(kills, 0.5));
    std::printf("memory: torchvision's array %.2f of its data; 60,000 mapped images after all frames %.2f of theirs, "
                "pages of the file and the grid's pieces together\n",
                setShare, (afterGrid - afterSet) / data);
    return 0;
}
