// Row W6 of the list of what must not go wrong: a run through the whole program asks the system for no socket of the
// internet before a download's button is pressed. The system itself tells: a filter on this process, its threads and
// the processes that it starts stops each such socket. That needs neither root nor a network of its own.

#include "app/files/download.h"
#include "app/images/download_dialog.h"
#include "app/images/images_screen.h"
#include "app/timing/timing_screen.h"
#include "app/window/prompt_field.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/test_paths.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/timing/timing_setup.h"

#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

using namespace stridescope;
using namespace stridescope::test;

namespace {

std::atomic<int> g_refused{0};

#if defined(__x86_64__)
constexpr unsigned kMachine = AUDIT_ARCH_X86_64;
void answer(ucontext_t& context, int value) {
    context.uc_mcontext.gregs[REG_RAX] = value;
}
#elif defined(__aarch64__)
constexpr unsigned kMachine = AUDIT_ARCH_AARCH64;
void answer(ucontext_t& context, int value) {
    context.uc_mcontext.regs[0] = static_cast<unsigned long long>(static_cast<long long>(value));
}
#else
constexpr unsigned kMachine = 0;
void answer(ucontext_t&, int) {}
#endif

/// Instead of the socket: counted, and refused as a firewall would. A process that was started has no such handler and
/// is ended.
void refuseSocket(int, siginfo_t*, void* context) {
    ++g_refused;
    answer(*static_cast<ucontext_t*>(context), -EACCES);
}

/// From here on no thread of this process, and none that it starts, gets a socket of IPv4 or IPv6.
bool forbidInternet() {
    if (kMachine == 0) return false;
    struct sigaction action {};
    action.sa_sigaction = refuseSocket;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
    const auto load = [](std::size_t offset) {
        return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
    };
    sock_filter program[] = {
        load(offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 0, 6),
        load(offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 4),
        load(offsetof(seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

} // namespace

class TestNoNetwork : public QObject, private PythonWindow {
    Q_OBJECT

public:
    bool m_guarded = false;

private Q_SLOTS:
    void initTestCase() {
        if (!m_guarded) QSKIP("the system has no filters on system calls here");
        QApplication::setStyle(QStringLiteral("Fusion"));
        // The guard hears what it is there for.
        QCOMPARE(socket(AF_INET, SOCK_STREAM, 0), -1);
        QCOMPARE(socket(AF_INET6, SOCK_DGRAM, 0), -1);
        QCOMPARE(errno, EACCES);
        QCOMPARE(g_refused.load(), 2);
        const int local = socket(AF_UNIX, SOCK_STREAM, 0);
        QVERIFY(local >= 0);
        close(local);
    }
    void init() {
        m_python = preparePython();
        m_folder = std::make_unique<QTemporaryDir>();
        openWindow({1280, 720});
        m_window->keepJournal(m_folder->filePath(QStringLiteral("state")));
        g_refused = 0;
    }
    void cleanup() { closeWindow(); }

    void aWholeRun() {
        const QString program = QString::fromStdString(buildPath("bin/stridescope"));
        for (const char* name : {"explore", "broadcast", "motion", "images", "timing", "lessons"}) {
            m_window->showScreen(QString::fromLatin1(name));
            QTest::qWait(50);
        }
        // Images: samples, an operation, a file, and the offer to download, which is not taken.
        m_window->showScreen(QStringLiteral("images"));
        auto* images = m_window->findChild<ImagesScreen*>();
        images->findChild<QPushButton*>(QStringLiteral("sampleImages"))->click();
        QTRY_VERIFY(images->source() != 0);
        images->addStep(QStringLiteral(".narrow(0, 0, 48)"));
        images->finishRun();
        const QString picture = m_folder->filePath(QStringLiteral("grid.png"));
        images->exportTo(picture);
        QTRY_VERIFY(!images->isExporting());
        DownloadDialog* dialog = images->offerDownload();
        QTest::qWait(300);
        dialog->reject();
        m_window->openFiles({picture});
        QTRY_VERIFY(entry("grid"));
        // A set that is not there is not fetched by a line, either.
        QVERIFY(!m_window->runLine(QStringLiteral("torchvision.datasets.CIFAR10(\"none\").data"), Naming::Auto).ok);
        // A short sweep, in its process.
        if (QFile::exists(program)) {
            m_window->showScreen(QStringLiteral("timing"));
            auto* timing = m_window->findChild<TimingScreen*>();
            timing->finishLooking();
            timing->runner()->setProgram(program);
            timing->setup()->chooseOperation(QStringLiteral("add"));
            timing->setup()->setSizes(QStringLiteral("8"));
            timing->findChild<QDoubleSpinBox*>(QStringLiteral("timedSeconds"))->setValue(0.05);
            auto* threads = timing->findChild<QLineEdit*>(QStringLiteral("timedThreads"));
            threads->setText(QStringLiteral("1"));
            timing->setup()->setSizes(QStringLiteral("8")); // what was not typed is read again
            timing->runSweep();
            QTRY_VERIFY_WITH_TIMEOUT(!timing->setup()->isRunning(), 60000);
            QCOMPARE(timing->run()->measurements.size(), std::size_t{1});
        }
        const QString session = m_folder->filePath(QStringLiteral("all.stridescope"));
        m_window->saveSessionTo(session);
        QTRY_VERIFY(!m_window->isSaving());
        m_window->openFiles({session});
        QTRY_COMPARE(m_window->sessionShownPath(), session);
        QCOMPARE(g_refused.load(), 0);
    }

    /// Python's process is under the same guard, which ends it for a socket; it needs none.
    void pythonNeedsNone() {
        if (!m_python) QSKIP("the Python module is not built");
        pythonButton()->click();
        const auto type = [this](const char* line) {
            QTRY_VERIFY_WITH_TIMEOUT(!workspace()->isBusy(), 20'000);
            console()->prompt()->setText(QString::fromLatin1(line));
            console()->prompt()->moveCursor(QTextCursor::End);
            QTest::keyClick(console()->prompt(), Qt::Key_Return);
        };
        type("import torch, torchvision");
        type("x = torch.arange(6.).view(2, 3)");
        QTRY_VERIFY_WITH_TIMEOUT(entry("x"), 20'000);
        type("y = x.numpy().sum()");
        type("z = x @ x.t()");
        QTRY_VERIFY_WITH_TIMEOUT(entry("z"), 20'000);
        QCOMPARE(g_refused.load(), 0);
    }

    /// With the click there is one: the run above would have been told.
    void aDownloadAsksForOne() {
        Download download;
        QSignalSpy ended(&download, &Download::finished);
        DownloadItem item;
        item.url = QUrl(QStringLiteral("https://127.0.0.1:9/set.tar.gz"));
        item.path = m_folder->filePath(QStringLiteral("set.tar.gz"));
        item.bytes = 1000;
        item.md5 = QString(32, QLatin1Char('0'));
        download.start(item);
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
        QVERIFY(!ended[0][0].toString().isEmpty());
        QVERIFY(g_refused > 0);
    }

private:
    bool m_python = false;
    std::unique_ptr<QTemporaryDir> m_folder;
};

int main(int argc, char** argv) {
    TestNoNetwork test;
    test.m_guarded = forbidInternet(); // before there are threads
    QApplication application(argc, argv);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_no_network.moc"
