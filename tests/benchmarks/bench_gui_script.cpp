// What an open window costs a script: 1,000 operations run in the window's script pane, and by `stridescope run`. The
// script times itself, so that starting Python counts on neither side; what a person waits (from Enter to the end of
// `stridescope run`, from the click until the window shows the end and has painted what changed) and the processor time
// of the window's thread in between are told beside it. What does not come from operations (the click, the end, the
// pictures) shows in the script without any.
//
//   build/release/bin/benchmarks/bench_gui_script [rounds]        in an X session, or with QT_QPA_PLATFORM=offscreen

#include "app/settings/settings.h"
#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/python_console.h"
#include "app/window/script_dock.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/storage/shared_arena.h"
#include "widgets/code/code_edit.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

using namespace stridescope;

namespace {

/// The cheapest operations that there are, in a function, where Python itself is quickest: what a record costs shows.
QString cheapScript(int rounds) {
    return QStringLiteral("import time\nimport torch\n"
                          "def work():\n"
                          "    x, y = torch.ones(10), torch.zeros(10)\n"
                          "    began = time.perf_counter()\n"
                          "    for i in range(%1):\n"
                          "        z = x + y\n"
                          "        v = z.view(2, 5)\n"
                          "        y[3] = i\n"
                          "        n = v.narrow(1, 1, 2)\n"
                          "    return time.perf_counter() - began\n"
                          "print('took', work())\n")
        .arg(rounds);
}

/// Runs the event loop until a turn of it paints nothing.
class Painting : public QObject {
public:
    Painting() { qApp->installEventFilter(this); }
    void finish() {
        int before = -1;
        while (std::exchange(before, m_painted) != m_painted) QCoreApplication::processEvents();
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint || event->type() == QEvent::UpdateRequest) ++m_painted;
        return false;
    }

private:
    int m_painted = 0;
};

/// A quarter views, a quarter writes, half new tensors; every result has a name, so the window shows it.
QString script(int rows, int columns) {
    return QStringLiteral("import time\nimport torch\n"
                          "x = torch.arange(%1.).view(%2, %3)\n"
                          "began = time.perf_counter()\n"
                          "for i in range(250):\n"
                          "    y = x.t()\n"
                          "    z = y + 1\n"
                          "    x.mul_(1.0)\n"
                          "    w = z * 2\n"
                          "print('took', time.perf_counter() - began)\n")
        .arg(rows * columns)
        .arg(rows)
        .arg(columns);
}

/// Milliseconds that the last script told; negative: none.
double told(const QString& text) {
    static const QRegularExpression words(QStringLiteral("took ([0-9.e-]+)"));
    double last = -1;
    for (auto it = words.globalMatch(text); it.hasNext();) last = it.next().captured(1).toDouble() * 1e3;
    return last;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? -1 : values[values.size() / 2];
}

double processorMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

} // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
    cpuAllocator().useArena(*SharedArena::instance()); // as the program does
    Settings settings{QString()};
    settings.set(QStringLiteral("firstRunDone"), true);
    settings.set(QStringLiteral("variablesShown"), true);
    MainWindow window(&settings);
    window.resize(1920, 1040);
    window.show();
    window.finishStart();
    auto* pane = window.findChild<ScriptDock*>();
    pane->show();
    auto* python = window.findChild<PythonConsole*>();
    QTemporaryDir folder;
    Painting painting;
    std::printf("%-10s %12s %12s %7s %18s %18s %18s\n", "elements", "run, ms", "window, ms", "ratio", "run to end, ms",
                "click to painted", "window's own, ms");
    const std::vector<std::pair<QString, QString>> cases{{QStringLiteral("none"), cheapScript(0)},
                                                         {QStringLiteral("10, cheap"), cheapScript(250)},
                                                         {QStringLiteral("12"), script(3, 4)},
                                                         {QStringLiteral("10000"), script(100, 100)},
                                                         {QStringLiteral("1000000"), script(1000, 1000)}};
    for (const auto& [label, code] : cases) {
        const QString path = folder.filePath(QStringLiteral("script.py"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return 1;
        file.write(code.toUtf8());
        file.close();
        std::vector<double> alone, open, started, whole, own;
        // In turn: what else the machine does hits both.
        for (int round = 0; round <= rounds; ++round) {
            QElapsedTimer timer;
            timer.start();
            QProcess run;
            run.start(QCoreApplication::applicationDirPath() + QStringLiteral("/../stridescope"),
                      {QStringLiteral("run"), path});
            run.waitForFinished(-1);
            const double untilEnd = static_cast<double>(timer.nsecsElapsed()) / 1e6;
            pane->edit()->setText(code);
            timer.start();
            const double before = processorMilliseconds();
            QEventLoop loop;
            QObject::connect(python, &PythonConsole::stopped, &loop, &QEventLoop::quit);
            pane->run();
            loop.exec();
            painting.finish();
            if (round == 0) continue; // the first one starts Python
            started.push_back(untilEnd);
            whole.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            own.push_back(processorMilliseconds() - before);
            alone.push_back(told(QString::fromUtf8(run.readAllStandardOutput())));
            open.push_back(told(window.console()->text()));
        }
        std::printf("%-10s %12.3f %12.3f %7.2f %18.1f %18.1f %18.1f\n", qPrintable(label), median(alone), median(open),
                    median(open) / median(alone), median(started), median(whole), median(own));
        std::fflush(stdout);
    }
    return 0;
}
