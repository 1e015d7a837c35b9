// The journal: a program that is killed at any moment loses at most a second of work.

#include "app/session/journal.h"
#include "core/io/npy.h"
#include "core/session/session_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

using namespace stridescope;

namespace {

/// Whether the wall clock of this process jumps: somebody sets it, or a laptop wakes up.
std::atomic<bool> g_clockJumps = false;

/// Seconds by which the wall clock is wrong this time: hours and years, to and fro.
time_t jump() {
    static std::atomic<unsigned> calls = 0;
    constexpr time_t kHour = 3600, kYear = 365 * 24 * kHour;
    constexpr time_t kJumps[] = {0, 10 * kYear, -10 * kYear, kHour, -kHour};
    return g_clockJumps ? kJumps[calls++ % std::size(kJumps)] : 0;
}

} // namespace

// In the place of the C library's, for all libraries of this process.
extern "C" {
[[gnu::visibility("default")]] int clock_gettime(clockid_t id, timespec* at) noexcept {
    const auto failed = static_cast<int>(syscall(SYS_clock_gettime, id, at));
    if (failed == 0 && id == CLOCK_REALTIME) at->tv_sec += jump();
    return failed;
}
[[gnu::visibility("default")]] int gettimeofday(timeval* at, void*) noexcept {
    timespec now{};
    const int failed = clock_gettime(CLOCK_REALTIME, &now);
    *at = {now.tv_sec, now.tv_nsec / 1000};
    return failed;
}
}

namespace {

struct Bench {
    WorkspaceModel model;
    Workspace workspace{&model};
    bool run(const QString& line) { return workspace.run(line, Naming::Auto).ok; }
};

QStringList journalsIn(const QString& folder) {
    return QDir(folder).entryList({QStringLiteral("*.journal*")}, QDir::Files);
}

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Waits for the journal, and for what it still wants of the event loop.
void settle(Journal& journal) {
    for (int i = 0; i < 20; ++i) {
        journal.flush();
        QCoreApplication::processEvents();
    }
}

qint64 nowMs() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); // the same clock in both processes
    return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
}

/// What a program does that will be killed: random acts in random order; now and then the session is saved to a file.
/// Each state is told on stdout as "NUMBER HASH TIME" before the journal hears of it, so that no other can come back.
int act(const QString& folder, quint32 seed) {
    Bench b;
    int number = 0;
    QObject::connect(&b.workspace, &Workspace::changed, &b.workspace, [&] {
        std::printf("%d %llu %lld\n", ++number, static_cast<unsigned long long>(b.workspace.stateHash()),
                    static_cast<long long>(nowMs()));
        std::fflush(stdout);
    });
    Journal journal(&b.workspace, folder);
    QRandomGenerator random(seed);
    QTimer timer;
    const auto next = [&] {
        const int kind = random.bounded(10);
        const auto& entries = b.model.snapshot()->tensors;
        QString name = entries.empty()
                           ? QString()
                           : entries[static_cast<std::size_t>(random.bounded(static_cast<int>(entries.size())))].name;
        const int value = random.bounded(1000);
        bool ok = true;
        if (kind < 3 || name.isEmpty())
            ok = b.run(QStringLiteral("T%1 = torch.arange(%2).view(2, -1)").arg(value % 7).arg(2 * (value + 1)));
        else if (kind == 3)
            ok = b.run(QStringLiteral("V%1 = %2.t()").arg(value % 3).arg(name));
        else if (kind < 7)
            ok = b.run(QStringLiteral("%1[0, 0] = %2").arg(name).arg(value));
        else if (kind == 7)
            ok = b.workspace.undo();
        else if (kind == 8)
            ok = b.run(QStringLiteral("n = %1").arg(value));
        else
            ok = b.run(QStringLiteral("L = torch.full((1500, 1000), %1, dtype=torch.float32)").arg(value)); // 6 MB
        if (!ok) return;
        if (number % 5 == 0) {
            Session session = b.workspace.session();
            if (!placeStorages(session)) [[maybe_unused]]
                const auto saved = writeSession(session, (folder + QStringLiteral("/x.stridescope")).toStdString());
        }
        timer.setInterval(random.bounded(30));
    };
    QObject::connect(&timer, &QTimer::timeout, &timer, next);
    timer.start(0);
    return QCoreApplication::exec();
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theClockJumps() {
        g_clockJumps = true;
        std::set<int> years;
        for (int i = 0; i < 5; ++i) years.insert(QDateTime::currentDateTimeUtc().date().year());
        g_clockJumps = false;
        QVERIFY2(years.size() >= 3, "Qt asks for the time in another way: the jumps below are none");
    }

    void whatWasDoneIsThere() {
        QTemporaryDir folder;
        Bench a;
        Journal journal(&a.workspace, folder.path());
        QVERIFY(a.run(QStringLiteral("A = torch.arange(6).view(2, 3)")));
        QVERIFY(a.run(QStringLiteral("B = A.t(); B[0, 0] = 50")));
        QVERIFY(a.run(QStringLiteral("big = torch.full((2000000,), 3.5)"))); // written by the other thread
        QVERIFY(a.run(QStringLiteral("big[7] = 1")));
        settle(journal);
        const QByteArray bytes = contentsOf(journal.path());
        const auto contents = readJournal(bytesOf(bytes), true);
        QVERIFY2(contents.ok(), contents ? "" : contents.refusal().message.c_str());
        QCOMPARE(contents->damagedBytes, std::uint64_t{0});
        Bench b;
        b.workspace.restore(contents->session, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
        // A window that runs is none that left something.
        QVERIFY(!findLeftJournal(folder.path()));
        journal.end();
        QVERIFY(journalsIn(folder.path()).isEmpty());
    }

    /// However large it is, a file that is only mapped needs no room: it is named, and nobody is told that it is lost.
    void aMappedFileIsNamed() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("large.npy"));
        constexpr qint64 kBytes = qint64{Journal::kLargest} + 4096;
        const QByteArray words =
            "{'descr': '|u1', 'fortran_order': False, 'shape': (" + QByteArray::number(kBytes) + ",), }";
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x93NUMPY\x01\x00\x76\x00", 10); // 118 bytes follow
        file.write(words.leftJustified(117, ' ') + '\n');
        QVERIFY(file.resize(128 + kBytes)); // holes
        file.close();
        auto opened = openNpy(std::filesystem::path(path.toStdString()));
        QVERIFY2(opened.ok(), opened ? "" : opened.refusal().message.c_str());
        Bench a;
        Journal journal(&a.workspace, folder.path());
        QSignalSpy leftOut(&journal, &Journal::leftOut);
        a.workspace.add({{QStringLiteral("large"), QStringLiteral("numpy.load()"), opened->tensor}},
                        QStringLiteral("Open"), path);
        settle(journal);
        QVERIFY(leftOut.isEmpty());
        QVERIFY(readJournal(bytesOf(contentsOf(journal.path())), true).ok());
    }

    void undoneBytesAreUndoneThere() {
        QTemporaryDir folder;
        Bench a;
        Journal journal(&a.workspace, folder.path());
        a.run(QStringLiteral("A = torch.arange(6)"));
        a.run(QStringLiteral("A[0] = 50"));
        QVERIFY(a.workspace.undo());
        settle(journal);
        Bench b;
        b.workspace.restore(readJournal(bytesOf(contentsOf(journal.path())), true)->session, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
    }

    /// Somebody writes to a large storage again and again: its bytes are never at rest, and yet states are kept, each
    /// as it was.
    void bytesThatNeverRestAreKept() {
        QTemporaryDir folder;
        Bench a;
        std::set<quint64> there;
        connect(&a.workspace, &Workspace::changed, this, [&] { there.insert(a.workspace.stateHash()); });
        Journal journal(&a.workspace, folder.path());
        QSignalSpy synced(&journal, &Journal::synced);
        QVERIFY(a.run(QStringLiteral("big = torch.full((1500, 1000), 1.5)"))); // 6 MB
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; clock.elapsed() < 2'500; ++i) {
            QVERIFY(a.run(QStringLiteral("big[0, %1] = %2").arg(i % 1000).arg(i)));
            QCoreApplication::processEvents();
        }
        journal.flush(); // no event loop after it: the last state need not be there
        QVERIFY2(synced.count() >= 2, qPrintable(QString::number(synced.count())));
        Bench b;
        const auto contents = readJournal(bytesOf(contentsOf(journal.path())), true);
        QVERIFY(contents.ok());
        b.workspace.restore(contents->session, {});
        QVERIFY(there.count(b.workspace.stateHash()) == 1);
    }

    /// The time that is told is that of the last state, whoever touched the file later.
    void whenIsTheLastState() {
        QTemporaryDir folder;
        {
            Bench a;
            Journal journal(&a.workspace, folder.path());
            QVERIFY(a.run(QStringLiteral("A = torch.arange(6)")));
            settle(journal);
            QVERIFY(QFile::copy(journal.path(), folder.path() + QStringLiteral("/1-1.journal")));
            journal.end();
        }
        QFile left(folder.path() + QStringLiteral("/1-1.journal"));
        QVERIFY(left.open(QIODevice::ReadWrite));
        QVERIFY(left.setFileTime(QDateTime::currentDateTime().addSecs(-90), QFileDevice::FileModificationTime));
        left.close();
        const auto found = findLeftJournal(folder.path());
        QVERIFY(found);
        QVERIFY(std::abs(found->when.secsTo(QDateTime::currentDateTime())) < 60);
    }

    void damageCostsWhatIsBehindItOnly() {
        QTemporaryDir folder;
        Bench a;
        Journal journal(&a.workspace, folder.path());
        std::vector<quint64> hashes;
        for (int i = 0; i < 12; ++i) {
            a.run(QStringLiteral("A%1 = torch.arange(%2)").arg(i % 4).arg(3 + i));
            hashes.push_back(a.workspace.stateHash());
            journal.flush();
        }
        const QByteArray whole = contentsOf(journal.path());
        QRandomGenerator random(7);
        int recovered = 0;
        for (int trial = 0; trial < 600; ++trial) {
            QByteArray damaged = whole;
            const qsizetype at = random.bounded(static_cast<int>(whole.size()));
            if (trial % 3 == 0)
                damaged.truncate(at);
            else
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.bounded(8)));
            const auto contents = readJournal(bytesOf(damaged), true);
            if (!contents) {
                QCOMPARE(QString::fromStdString(contents.refusal().id), QStringLiteral("JOUR-01"));
                continue;
            }
            ++recovered;
            Bench b;
            b.workspace.restore(contents->session, {});
            QVERIFY(std::find(hashes.begin(), hashes.end(), b.workspace.stateHash()) != hashes.end());
            QVERIFY(contents->damagedBytes > 0 || trial % 3 == 0);
        }
        QVERIFY(recovered > 300);
    }

    void itDoesNotGrowWithoutEnd() {
        QTemporaryDir folder;
        Bench a;
        Journal journal(&a.workspace, folder.path());
        a.run(QStringLiteral("A = torch.zeros(250000)")); // 1 MB, written anew with each step
        qint64 largest = 0;
        for (int i = 0; i < 200; ++i) {
            a.run(QStringLiteral("A[%1] = 1").arg(i));
            settle(journal);
            largest = std::max(largest, QFileInfo(journal.path()).size());
        }
        QVERIFY2(largest < 40'000'000, qPrintable(QString::number(largest)));
        QCOMPARE(journalsIn(folder.path()).size(), 1);
        Bench b;
        b.workspace.restore(readJournal(bytesOf(contentsOf(journal.path())), true)->session, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
    }

    void aFullDiskIsToldOnceAndTriedAgain() {
        QTemporaryDir folder;
        Bench a;
        Journal journal(&a.workspace, folder.path());
        QSignalSpy failed(&journal, &Journal::failed);
        a.run(QStringLiteral("A = torch.arange(6)"));
        settle(journal);
        // As a disk that is full: no file of this process may grow further.
        rlimit was, none;
        QVERIFY(getrlimit(RLIMIT_FSIZE, &was) == 0);
        none = was;
        none.rlim_cur = static_cast<rlim_t>(QFileInfo(journal.path()).size()) + 100;
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QVERIFY(setrlimit(RLIMIT_FSIZE, &none) == 0);
        a.run(QStringLiteral("B = torch.arange(60)"));
        settle(journal);
        a.run(QStringLiteral("C = torch.arange(60)"));
        settle(journal);
        QVERIFY(setrlimit(RLIMIT_FSIZE, &was) == 0);
        std::signal(SIGXFSZ, handler);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(readJournal(bytesOf(contentsOf(journal.path())), true)->session.tensors.size(), std::size_t{1});
        a.run(QStringLiteral("D = torch.arange(3)"));
        settle(journal);
        Bench b;
        b.workspace.restore(readJournal(bytesOf(contentsOf(journal.path())), true)->session, {});
        QCOMPARE(b.workspace.stateHash(), a.workspace.stateHash());
    }

    /// STRIDESCOPE_KILLS says how often; 30 without it.
    void killedAtRandomMoments() {
        bool set = false;
        const int kills = qEnvironmentVariableIntValue("STRIDESCOPE_KILLS", &set);
        const quint32 start = qEnvironmentVariableIsSet("STRIDESCOPE_SEED")
                                  ? static_cast<quint32>(qEnvironmentVariableIntValue("STRIDESCOPE_SEED"))
                                  : 1u;
        qint64 mostLost = 0;
        int lostActs = 0, recovered = 0, files = 0;
        const int times = set ? kills : 30;
        for (int kill = 0; kill < times; ++kill) {
            const quint32 seed = start + static_cast<quint32>(kill);
            QTemporaryDir folder;
            QProcess child;
            child.setProcessChannelMode(QProcess::SeparateChannels);
            // For every third one the clock jumps meanwhile.
            QStringList arguments{QStringLiteral("--act"), folder.path(), QString::number(seed)};
            if (kill % 3 == 2) arguments << QStringLiteral("--clock-jumps");
            child.start(QCoreApplication::applicationFilePath(), arguments);
            QVERIFY(child.waitForStarted());
            QThread::msleep(QRandomGenerator(seed).bounded(150u, 1500u));
            child.kill();
            QVERIFY(child.waitForFinished());
            const qint64 killed = nowMs();
            struct Act {
                quint64 hash;
                qint64 time;
            };
            std::vector<Act> acts;
            for (const QByteArray& line : child.readAllStandardOutput().split('\n')) {
                const QList<QByteArray> words = line.split(' ');
                if (words.size() == 3 && line.size() > 10)
                    acts.push_back({words[1].toULongLong(), words[2].toLongLong()});
            }
            const std::string saved = (folder.path() + QStringLiteral("/x.stridescope")).toStdString();
            if (std::filesystem::exists(saved)) {
                const auto session = openSession(saved, false);
                QVERIFY2(session.ok(), session ? "" : session.refusal().message.c_str());
                ++files;
            }
            if (acts.empty()) continue;
            const auto left = findLeftJournal(folder.path());
            const qint64 sinceFirst = killed - acts.front().time;
            QVERIFY2(left || sinceFirst <= 1000, qPrintable(QStringLiteral("seed %1: nothing left").arg(seed)));
            if (!left) continue;
            ++recovered;
            Bench b;
            b.workspace.restore(left->contents.session, {});
            const quint64 hash = b.workspace.stateHash();
            std::size_t at = acts.size();
            while (at > 0 && acts[at - 1].hash != hash) --at;
            // Each state that there was is told, the last one too: what comes back is one of them, whole.
            QVERIFY2(at > 0, qPrintable(QStringLiteral("seed %1: an unknown state").arg(seed)));
            for (const std::string& note : left->contents.session.notes) QFAIL(note.c_str());
            if (at == acts.size()) continue;
            const qint64 lost = killed - acts[at].time;
            lostActs += static_cast<int>(acts.size() - at);
            mostLost = std::max(mostLost, lost);
            QVERIFY2(lost <= 1000, qPrintable(QStringLiteral("seed %1: %2 ms lost").arg(seed).arg(lost)));
        }
        qInfo("%d kills: %d recovered, %d session files whole, %d acts lost in all, at most %lld ms of work", times,
              recovered, files, lostActs, static_cast<long long>(mostLost));
        QVERIFY(recovered > times / 2);
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    g_clockJumps = argc == 5;
    if (argc >= 4 && std::string_view(argv[1]) == "--act")
        return act(QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3]).toUInt());
    // Qt ends a function after five minutes, which a thousand kills do not fit into.
    bool set = false;
    const int kills = qEnvironmentVariableIntValue("STRIDESCOPE_KILLS", &set);
    if (set && !qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT"))
        qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(300'000 + 10'000 * qint64{kills}));
    TestJournal test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_journal.moc"
