// How long a frame of the Motion screen takes, plan to pixels, at 1920 x 1080: through whole motions with as many cells
// as are moved one by one, 4,096 on a card, and with fewer.
//
// Usage: bench_gui_motion [frames a line]

#include "app/workspace/workspace.h"
#include "widgets/motion/motion_scene.h"
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

void measure(const char* before, const char* line, const Theme& theme, int frames) {
    WorkspaceModel model;
    Workspace workspace(&model);
    workspace.run(QString::fromLatin1(before), Naming::Auto);
    const RunOutcome outcome = workspace.run(QString::fromLatin1(line), Naming::Auto);
    const int step = workspace.position() - 1;
    auto input = workspace.motion(step, workspace.operationsOf(step).size() - 1);
    if (!outcome.ok || !input) {
        std::printf("%s: refused\n", line);
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    const MotionPlan plan = motionPlan(*std::move(input));
    const MotionLayout layout = motionLayout(plan, kScreen);
    const std::chrono::duration<double, std::milli> planned = std::chrono::steady_clock::now() - begin;
    QImage image(kScreen, QImage::Format_RGB32);
    std::vector<double> wall, cpu, making;
    for (int f = -10; f < frames; ++f) { // 10 frames to warm up
        const double cpu0 = processorMs();
        const auto start = std::chrono::steady_clock::now();
        const Scene scene = motionScene(plan, layout, static_cast<qreal>(std::abs(f)) / static_cast<qreal>(frames - 1));
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
    std::printf("%-44s wall p50 %6.2f  p99 %6.2f   cpu p50 %6.2f  p99 %6.2f   scene p50 %5.2f   plan %6.1f ms\n", line,
                percentile(wall, 0.5), percentile(wall, 0.99), percentile(cpu, 0.5), percentile(cpu, 0.99),
                percentile(making, 0.5), planned.count());
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
    const char* small = "x = torch.arange(24).view(2, 3, 4)";
    const char* large = "x = torch.arange(4096).view(64, 64)";
    measure(small, "y = x.narrow(1, 1, 2)", theme, frames);
    measure(small, "y = x.permute(2, 0, 1).contiguous()", theme, frames);
    measure("x = torch.arange(1024).view(32, 32)", "y = x.t().contiguous()", theme, frames);
    measure(large, "y = x.t()", theme, frames);
    measure(large, "y = x.t().contiguous()", theme, frames);
    measure(large, "y = x.sum(1)", theme, frames);
    measure(large, "x.fill_(7)", theme, frames);
    measure("x = torch.arange(64)", "y = x.expand(64, 64)", theme, frames);
}
