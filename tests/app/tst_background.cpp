// Work in other threads: lines that take long, and who must wait for whom.

#include "app/work/background.h"
#include "app/workspace/workspace.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/storage/memory_budget.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace stridescope;

namespace {

/// Tens of millions of elements: longer under way than the end of a statement here.
constexpr auto kBig = "x = torch.zeros(6000, 6000)";
constexpr auto kLong = "y = x.t().contiguous()";

struct Fixture {
    Fixture() { workspace.setPatience(-1); }
    RunOutcome run(const char* line) { return workspace.runInBackground(QString::fromLatin1(line)); }
    /// Waits for the end of a pending line.
    RunOutcome ended() {
        if (finished.isEmpty() && !finished.wait(60000)) qFatal("the line did not end");
        return finished.takeFirst().at(1).value<RunOutcome>();
    }
    WorkspaceModel model;
    Workspace workspace{&model};
    QSignalSpy finished{&workspace, &Workspace::lineFinished};
};

} // namespace

class TestBackground : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void doneIsCalledHere() {
        Background background;
        const QThread* worker = nullptr;
        bool done = false;
        background.start(
            [&](Job& job) {
                worker = QThread::currentThread();
                QCOMPARE(currentJob(), &job);
            },
            [&] {
                done = true;
                QVERIFY(QThread::currentThread() == thread());
                QVERIFY(!background.isBusy());
            });
        QVERIFY(background.isBusy());
        QTRY_VERIFY(done);
        QVERIFY(worker && worker != thread());
    }

    void waitsAndCancels() {
        Background background;
        QSignalSpy progress(&background, &Background::progress);
        std::atomic<bool> stopped{false};
        int done = 0;
        background.start(
            [&](Job& job) {
                job.setPermille(250);
                while (!job.isCancelled()) QThread::msleep(1);
                stopped = true;
            },
            [&] { ++done; });
        QVERIFY(!background.waitFor(1));
        QCOMPARE(done, 0);
        QTRY_VERIFY(!progress.isEmpty());
        QCOMPARE(progress.first().first().toInt(), 250);
        background.cancel();
        QVERIFY(background.waitFor(-1));
        QVERIFY(stopped);
        QCOMPARE(done, 1);
        QCoreApplication::processEvents(); // the thread's own end comes too late to be told twice
        QCOMPARE(done, 1);
        // The next piece of work may begin in the end of the last.
        background.start([](Job&) {}, [&] { background.start([](Job&) {}, [&] { done = 7; }); });
        QTRY_COMPARE(done, 7);
    }

    void endsWithItsOwner() {
        std::atomic<bool> stopped{false};
        bool done = false;
        {
            Background background;
            background.start(
                [&](Job& job) {
                    while (!job.isCancelled()) QThread::msleep(1);
                    stopped = true;
                },
                [&] { done = true; });
        }
        QVERIFY(stopped);
        QVERIFY(!done);
    }

    void smallLinesEndAtOnce() {
        Fixture f;
        const RunOutcome outcome = f.run("A = torch.arange(1000).view(10, 100); A += 1; print(A[0, 0].item())");
        QVERIFY(outcome.ok);
        QVERIFY(!outcome.pending);
        QCOMPARE(outcome.printed, QStringLiteral("1"));
        QVERIFY(f.finished.isEmpty());
    }

    void longLinesComeLater() {
        Fixture f;
        QVERIFY(f.run(kBig).pending);
        QVERIFY(f.ended().ok);
        const RunOutcome outcome = f.run(kLong);
        QVERIFY(outcome.pending);
        QVERIFY(f.workspace.isBusy());
        QCOMPARE(f.model.snapshot()->tensors.size(), std::size_t{1});
        // Whatever would change the state meanwhile is refused in words.
        const RunOutcome other = f.run("z = torch.zeros(2)");
        QVERIFY(!other.ok);
        QCOMPARE(QString::fromStdString(other.refusal->id), QStringLiteral("LINE-01"));
        QString reason;
        QVERIFY(!f.workspace.jump(0, &reason));
        QVERIFY(!reason.isEmpty());
        QSignalSpy refused(&f.workspace, &Workspace::changeRefused);
        f.workspace.setOnStage(f.model.snapshot()->tensors[0].id, false);
        QCOMPARE(refused.count(), 1);
        QVERIFY(f.model.snapshot()->tensors[0].onStage);
        reason.clear();
        QVERIFY(!f.workspace.rename(f.model.snapshot()->tensors[0].id, QStringLiteral("w"), &reason));
        QVERIFY(!reason.isEmpty());
        const RunOutcome end = f.ended();
        QVERIFY(end.ok);
        QCOMPARE(end.steps, 1);
        QVERIFY(!f.workspace.isBusy());
        QCOMPARE(f.model.snapshot()->tensors.size(), std::size_t{2});
        QVERIFY(f.workspace.undo());
        QCOMPARE(f.model.snapshot()->tensors.size(), std::size_t{1});
    }

    void cancelledLinesChangeNothing_data() {
        QTest::addColumn<QString>("line");
        QTest::newRow("a copy") << QString::fromLatin1(kLong);
        QTest::newRow("small steps before it") << QStringLiteral("b = x[0]; a += 1; y = x.t().contiguous()");
        QTest::newRow("a write that is kept") << QStringLiteral("x[:2000] += 1; y = x.t().contiguous()");
    }
    void cancelledLinesChangeNothing() {
        QFETCH(QString, line);
        Fixture f;
        QVERIFY(f.run("a = torch.zeros(3)").ok);
        QVERIFY(f.run(kBig).pending);
        QVERIFY(f.ended().ok);
        const quint64 before = f.workspace.stateHash();
        QVERIFY(f.workspace.runInBackground(line).pending);
        f.workspace.cancelLine();
        const RunOutcome end = f.ended();
        QVERIFY(!end.ok);
        QCOMPARE(QString::fromStdString(end.refusal->id), QStringLiteral("JOB-01"));
        QCOMPARE(end.exception, QStringLiteral("KeyboardInterrupt"));
        QVERIFY(end.notes.isEmpty());
        QCOMPARE(f.workspace.stateHash(), before);
        QVERIFY(f.run("b = a + 1").ok);
    }

    void cancelledWritesTellWhatTheyOverwrote() {
        Fixture f;
        QVERIFY(f.run(kBig).pending);
        QVERIFY(f.ended().ok);
        // 144 MB of old values are not kept: half a write cannot be taken back, but is not passed over in silence.
        QCOMPARE(f.workspace.tryOut(QStringLiteral("x.fill_(1)")).unkept, Index{144'000'000});
        QCOMPARE(f.workspace.tryOut(QStringLiteral("x[:2].fill_(1)")).unkept, Index{0});
        QVERIFY(f.run("x.fill_(1)").pending);
        f.workspace.cancelLine();
        const RunOutcome end = f.ended();
        const auto* values = f.model.snapshot()->tensors[0].tensor.data<float>();
        bool touched = false, filled = true;
        for (Index i = 0; i < 36'000'000; i += 1000) {
            touched = touched || values[i] == 1.0F;
            filled = filled && values[i] == 1.0F;
        }
        QVERIFY(!end.ok || filled);
        const bool told =
            end.notes.join(QLatin1Char(' ')).contains(QStringLiteral("144 MB of values were overwritten"));
        QVERIFY(end.ok || !touched || told);
    }

    void writesThatAMappedFileCannotBearAreRefused() {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("data.npy")).toStdString();
        QVERIFY(writeNpy(arange(Scalar(10000000)), path).ok());
        Fixture f;
        f.workspace.add({{QStringLiteral("m"), QStringLiteral("data.npy"), openNpy(path).valueOrThrow().tensor}},
                        QString(), QString());
        setMemoryLimit(Index{4000000}); // 80 MB are written
        const RunOutcome refused = f.run("m.fill_(3)"), part = f.run("m[:10].fill_(3)");
        setMemoryLimit(std::nullopt);
        QVERIFY(!refused.ok && refused.refusal);
        QCOMPARE(QString::fromStdString(refused.refusal->id), QStringLiteral("LINE-03"));
        QVERIFY(part.ok);
        QCOMPARE(f.model.snapshot()->tensors[0].tensor.data<std::int64_t>()[10], std::int64_t{10});
    }

    void lockedStoragesAreNotWritten() {
        Fixture f;
        QVERIFY(f.run("a = torch.zeros(3); b = torch.zeros(3)").ok);
        QVERIFY(f.run("a += 1").ok);
        f.workspace.lockStorages({f.model.snapshot()->tensors[0].tensor.storage()->id()});
        const quint64 before = f.workspace.stateHash();
        const RunOutcome refused = f.run("b += 1; a[0] = 7");
        QVERIFY(!refused.ok);
        QCOMPARE(QString::fromStdString(refused.refusal->id), QStringLiteral("LINE-02"));
        QCOMPARE(f.workspace.stateHash(), before);
        QString reason;
        QVERIFY(!f.workspace.jump(f.workspace.position() - 1, &reason));
        QVERIFY(!reason.isEmpty());
        QVERIFY(f.run("c = a + b").ok); // reading is free
        f.workspace.unlockStorages();
        QVERIFY(f.run("a[0] = 7").ok);
    }

    void savedMomentsAreRemembered() {
        Fixture f;
        QVERIFY(f.run("a = torch.zeros(3)").ok);
        const Workspace::Moment moment = f.workspace.moment();
        QVERIFY(f.run("a += 1").ok);
        f.workspace.setSaved(moment);
        QVERIFY(f.workspace.isModified());
        QVERIFY(f.workspace.undo());
        QVERIFY(!f.workspace.isModified());
    }

    void clearStopsTheLine() {
        Fixture f;
        QVERIFY(f.run(kBig).pending);
        QVERIFY(f.ended().ok);
        QVERIFY(f.run(kLong).pending);
        f.workspace.clear();
        QVERIFY(!f.workspace.isBusy());
        QVERIFY(f.model.snapshot()->tensors.empty());
        QCOMPARE(f.workspace.position(), 0);
    }
};

QTEST_GUILESS_MAIN(TestBackground)
#include "tst_background.moc"
