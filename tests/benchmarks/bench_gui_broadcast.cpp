// How long a frame of the Broadcast screen takes, model to pixels, at 1920 x 1080: through a whole animation with the
// largest picture that is drawn with numbers, and with smaller and larger ones.
//
// Usage: bench_gui_broadcast [frames a line]

#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/scene/scene_painter.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using namespace stridescope;

namespace {

constexpr QSize kScreen(1920, 1080);

double processorMs() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double percentile(std::vector<double> times, double share) {
    std::sort(times.begin(), times.end());
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

void measure(const char* line, const Theme& theme, int frames) {
    const WorkspaceSnapshot nothing;
    const auto model = broadcastModel(nothing, QString::fromLatin1(line), QStringLiteral("C"));
    if (!model) {
        std::printf("%s: %s\n", line, model.refusal().message.c_str());
        return;
    }
    QImage image(kScreen, QImage::Format_RGB32);
    std::vector<double> wall, cpu, making;
    for (int f = -10; f < frames; ++f) { // 10 frames to warm up
        BroadcastLook look;
        look.size = kScreen;
        look.t = static_cast<qreal>(std::abs(f)) / static_cast<qreal>(frames - 1);
        const double cpu0 = processorMs();
        const auto start = std::chrono::steady_clock::now();
        const Scene scene = broadcastScene(*model, look);
        const auto made = std::chrono::steady_clock::now();
        QPainter painter(&image);
        paintScene(painter, scene, theme);
        painter.end();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        if (f < 0) continue;
        wall.push_back(took.count());
        cpu.push_back(processorMs() - cpu0);
        making.push_back(std::chrono::duration<double, std::milli>(made - start).count());
    }
    std::printf("%-52s wall p50 %6.2f  p99 %6.2f   cpu p50 %6.2f  p99 %6.2f   scene p50 %5.2f ms\n", line,
                percentile(wall, 0.5), percentile(wall, 0.99), percentile(cpu, 0.5), percentile(cpu, 0.99),
                percentile(making, 0.5));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const int frames = argc > 1 ? std::max(20, std::atoi(argv[1])) : 300;
    const Theme theme;
    std::printf("%d frames each, %d x %d, software painter; 16 ms is 60 frames a second\n", frames, kScreen.width(),
                kScreen.height());
    for (const char* line :
         {"torch.arange(4).view(4, 1) + torch.arange(5)", "torch.arange(16).view(16, 1) * torch.arange(16)",
          // As many cells as are drawn with numbers.
          "torch.arange(64).view(64, 1) + torch.arange(64)", "torch.rand(64, 1) * torch.rand(64) + torch.rand(64, 64)",
          "torch.rand(4, 1, 32, 1) * torch.rand(4, 1, 32)", "torch.zeros(1000, 1) + torch.zeros(1000)"})
        measure(line, theme, frames);
    return 0;
}
