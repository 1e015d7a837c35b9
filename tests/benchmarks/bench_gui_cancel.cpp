// How long Cancel takes: long lines are started in the background as the window starts them, cancelled at a random
// moment, and timed from cancelLine() to the end of the line. The goal is 200 ms.
//
//   QT_QPA_PLATFORM=offscreen build/release/bin/benchmarks/bench_gui_cancel [rounds [million elements]]

#include "app/workspace/workspace.h"

#include <QApplication>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace stridescope;
using Clock = std::chrono::steady_clock;

namespace {

struct Outcome {
    double milliseconds = 0;
    bool cancelled = false; ///< else the line was quicker than the cancel
};

Outcome cancelOne(Workspace& workspace, const QString& line, int after) {
    Outcome outcome;
    bool over = false;
    Clock::time_point asked;
    QEventLoop loop;
    const auto connection =
        QObject::connect(&workspace, &Workspace::lineFinished, [&](const QString&, const RunOutcome& result) {
            outcome.cancelled = result.refusal && result.refusal->id == "JOB-01";
            outcome.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
            over = true;
            loop.quit();
        });
    QTimer::singleShot(after, &loop, [&] {
        asked = Clock::now();
        workspace.cancelLine();
    });
    if (workspace.runInBackground(line, Naming::Discard).pending && !over) loop.exec();
    QObject::disconnect(connection);
    return outcome;
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 10;
    const int millions = argc > 2 ? std::atoi(argv[2]) : 200;
    std::mt19937 random(7);
    std::uniform_int_distribution<int> moment(1, 120);
    const QString size = QString::number(qlonglong{millions} * 1'000'000);
    const QStringList lines{
        QStringLiteral("x = torch.arange(%1, dtype=torch.float32)").arg(size),
        QStringLiteral("x = a + 1"),
        QStringLiteral("x = a.view(1000, -1).t().contiguous()"),
        QStringLiteral("x = a.to(torch.float64)"),
        QStringLiteral("x = a * a.view(1000, -1).t().reshape(-1)"),
    };
    for (const QString& line : lines) {
        std::vector<double> times;
        int quicker = 0;
        for (int round = 0; round < rounds; ++round) {
            WorkspaceModel model;
            Workspace workspace(&model);
            workspace.setPatience(0);
            workspace.run(QStringLiteral("a = torch.zeros(%1)").arg(size), Naming::Discard);
            const Outcome outcome = cancelOne(workspace, line, moment(random));
            if (outcome.cancelled)
                times.push_back(outcome.milliseconds);
            else
                ++quicker;
        }
        std::sort(times.begin(), times.end());
        if (times.empty()) {
            std::printf("%-50s every round ended before it was cancelled\n", qPrintable(line));
            continue;
        }
        std::printf("%-50s cancelled %2zu  p50 %7.1f  max %7.1f ms   %d ended first\n", qPrintable(line), times.size(),
                    times[times.size() / 2], times.back(), quicker);
    }
    return 0;
}
