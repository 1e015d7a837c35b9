#pragma once
// Frames of a picture that is a function of time, from the scene to pixels: what the benchmarks of screens that move
// share.

#include "widgets/scene/scene_painter.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

namespace stridescope::bench {

inline constexpr QSize kScreen(1920, 1080);

inline double processorMs() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

inline double percentile(std::vector<double> times, double share) {
    std::sort(times.begin(), times.end());
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

/// Draws all of a motion and prints the times of its frames.
inline void measureFrames(const char* line, const Theme& theme, int frames, const std::function<Scene(qreal t)>& at) {
    QImage image(kScreen, QImage::Format_RGB32);
    std::vector<double> wall, cpu, making;
    for (int f = -10; f < frames; ++f) { // 10 frames to warm up
        const double cpu0 = processorMs();
        const auto start = std::chrono::steady_clock::now();
        const Scene scene = at(static_cast<qreal>(std::abs(f)) / static_cast<qreal>(frames - 1));
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

/// `measure` is called with the theme and the number of frames, the program's first argument.
inline int runFrames(int argc, char** argv, const std::function<void(const Theme&, int frames)>& measure) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    const int frames = argc > 1 ? std::max(20, std::atoi(argv[1])) : 300;
    std::printf("%d frames each, %d x %d, software painter; 16 ms is 60 frames a second\n", frames, kScreen.width(),
                kScreen.height());
    measure(Theme(), frames);
    return 0;
}

} // namespace stridescope::bench
