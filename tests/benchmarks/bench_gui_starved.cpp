// A window on a machine whose processors are all busy with something else: two processes for each of them never rest.
// Lines are run, screens are changed, cells are pointed at, steps are undone and redone. Ends with 1 where the window
// was silent for longer than it promises (250 ms), where a line was lost, or where a state was not on the disk within a
// second.
//
//   build/release/bin/benchmarks/bench_gui_starved [seconds]        in an X session, or with QT_QPA_PLATFORM=offscreen

#include "app/session/journal.h"
#include "app/settings/settings.h"
#include "app/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <unistd.h>

using namespace stridescope;

namespace {

constexpr double kLongestBeat = 250, kLongestLoss = 1000; ///< milliseconds

/// Processes that never rest, until this goes out of scope.
class Burners {
public:
    explicit Burners(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            const pid_t child = fork();
            if (child == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (std::atomic<unsigned long> spin = 0;;) ++spin;
            }
            if (child > 0) m_children.push_back(child);
        }
    }
    ~Burners() {
        for (const pid_t child : m_children) kill(child, SIGKILL);
    }
    Burners(const Burners&) = delete;
    Burners& operator=(const Burners&) = delete;
    std::size_t count() const { return m_children.size(); }

private:
    std::vector<pid_t> m_children;
};

double share(std::vector<double> sorted, double part) {
    if (sorted.empty()) return 0;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(part * static_cast<double>(sorted.size())))];
}

} // namespace

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
    const Burners burners(2 * std::max(1u, std::thread::hardware_concurrency())); // before there are threads
    const QTemporaryDir home;
    qputenv("HOME", home.path().toUtf8());
    for (const char* folder : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(folder, home.path().toUtf8());
    QApplication application(argc, argv);
    Settings settings{QString()};
    MainWindow window(&settings);
    window.keepJournal(home.path());
    window.resize(1280, 720);
    window.show();
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 1500) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);

    std::vector<double> beats, losses;
    QElapsedTimer beat, unsynced;
    QTimer heart;
    QObject::connect(&heart, &QTimer::timeout, [&] {
        beats.push_back(static_cast<double>(beat.nsecsElapsed()) / 1e6);
        beat.start();
    });
    if (!window.journal()) {
        std::fprintf(stderr, "the window keeps no journal\n");
        return 1;
    }
    QObject::connect(window.journal(), &Journal::synced, [&] {
        if (unsynced.isValid()) losses.push_back(static_cast<double>(unsynced.nsecsElapsed()) / 1e6);
        unsynced.invalidate();
    });
    const char* screens[] = {"broadcast", "explore", "images", "explore", "timing", "explore"};
    int acts = 0, made = 0, failed = 0;
    QTimer hand;
    QObject::connect(&hand, &QTimer::timeout, [&] {
        const int act = acts++;
        if (act % 7 == 6) {
            window.showScreen(QString::fromLatin1(screens[(act / 7) % 6]));
        } else if (act % 7 == 3) {
            const QPointF at(300 + act * 37 % 700, 200 + act * 17 % 250);
            if (QWidget* under = window.childAt(at.toPoint())) {
                QMouseEvent move(QEvent::MouseMove, under->mapFrom(&window, at), window.mapToGlobal(at), Qt::NoButton,
                                 Qt::NoButton, Qt::NoModifier);
                QCoreApplication::sendEvent(under, &move);
            }
        } else {
            if (!unsynced.isValid()) unsynced.start();
            const QString line = act % 2 == 0 ? QStringLiteral("x%1 = torch.arange(%2).view(4, -1)").arg(made).arg(4096)
                                              : QStringLiteral("x%1 = torch.rand(64, 64)").arg(made);
            failed += !window.runLine(line, Naming::Discard).ok;
            ++made;
        }
    });
    beat.start();
    heart.start(5);
    hand.start(100);
    QTimer::singleShot(seconds * 1000, &application, [] { QCoreApplication::exit(0); }); // quit() would ask
    QApplication::exec();
    heart.stop();
    hand.stop();
    window.journal()->flush();

    const auto& tensors = window.model()->snapshot()->tensors;
    int kept = 0;
    for (int i = 0; i < made; ++i)
        kept += std::any_of(tensors.begin(), tensors.end(),
                            [&](const TensorEntry& entry) { return entry.name == QStringLiteral("x%1").arg(i); });
    const double longest = share(beats, 1), loss = share(losses, 1);
    std::printf("%zu busy processes on %u processors, %d s\n", burners.count(), std::thread::hardware_concurrency(),
                seconds);
    std::printf("%d acts, %d lines, %d kept, %d refused\n", acts, made, kept, failed);
    std::printf("beats      p50 %6.1f ms   p99 %6.1f ms   longest %6.1f ms   (promised: %.0f)\n", share(beats, 0.5),
                share(beats, 0.99), longest, kLongestBeat);
    std::printf("to disk    p50 %6.1f ms   p99 %6.1f ms   longest %6.1f ms   (promised: %.0f)\n", share(losses, 0.5),
                share(losses, 0.99), loss, kLongestLoss);
    return longest > kLongestBeat || loss > kLongestLoss || losses.empty() || kept != made || failed > 0;
}
