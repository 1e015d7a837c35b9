// How long a frame of the Motion screen takes, plan to pixels, at 1920 x 1080: through whole motions with as many cells
// as are moved one by one, 4,096 on a card, and with fewer.
//
// Usage: bench_gui_motion [frames a line]

#include "app/workspace/workspace.h"
#include "tests/benchmarks/frames.h"
#include "widgets/motion/motion_scene.h"
#include "widgets/motion/motion_view.h"

using namespace stridescope;

namespace {

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
    const MotionLayout layout = motionLayout(plan, bench::kScreen);
    const std::chrono::duration<double, std::milli> planned = std::chrono::steady_clock::now() - begin;
    bench::measureFrames(line, theme, frames, [&](qreal t) { return motionScene(plan, layout, t); });
    std::printf("%52s plan %.1f ms\n", "", planned.count());
}

/// The same in the window's widget, which shows a part of a picture that is larger than it.
void measureScrolled(const char* before, const char* line, const Theme& theme, int frames) {
    WorkspaceModel model;
    Workspace workspace(&model);
    workspace.run(QString::fromLatin1(before), Naming::Auto);
    workspace.run(QString::fromLatin1(line), Naming::Auto);
    const int step = workspace.position() - 1;
    auto input = workspace.motion(step, workspace.operationsOf(step).size() - 1);
    if (!input) return;
    MotionView view;
    view.setTheme(theme);
    view.resize(bench::kScreen);
    view.setPlan(std::make_shared<const MotionPlan>(motionPlan(*std::move(input))));
    QImage image(bench::kScreen, QImage::Format_RGB32);
    std::vector<double> wall, cpu;
    for (int f = -10; f < frames; ++f) {
        const double cpu0 = bench::processorMs();
        const auto start = std::chrono::steady_clock::now();
        view.setTime(static_cast<qreal>(std::abs(f)) / static_cast<qreal>(frames - 1));
        view.render(&image);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        if (f < 0) continue;
        wall.push_back(took.count());
        cpu.push_back(bench::processorMs() - cpu0);
    }
    std::printf("%-43s scrolled wall p50 %6.2f  p99 %6.2f   cpu p50 %6.2f  p99 %6.2f   page %.0f x %.0f\n", line,
                bench::percentile(wall, 0.5), bench::percentile(wall, 0.99), bench::percentile(cpu, 0.5),
                bench::percentile(cpu, 0.99), view.sceneSize().width(), view.sceneSize().height());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    return bench::runFrames(argc, argv, [](const Theme& theme, int frames) {
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
        measureScrolled(large, "y = x.t()", theme, frames);
        measureScrolled(large, "y = x.t().contiguous()", theme, frames);
        measureScrolled(large, "y = x.sum(1)", theme, frames);
    });
}
