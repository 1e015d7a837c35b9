// Long work can be watched and stopped, and stops nothing when nobody asks.

#include "core/backend/cpu/thread_pool.h"
#include "core/error.h"
#include "core/job.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

#include <QTest>
#include <atomic>

using namespace stridescope;

class TestJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coversEverythingOnce_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("items");
        QTest::addColumn<int>("grain");
        for (const int threads : {1, 3})
            for (const int items : {1, 63, 64, 65, 129, 10'000})
                for (const int grain : {1, 7, 5000})
                    QTest::addRow("%d threads, %d items, grain %d", threads, items, grain) << threads << items << grain;
    }
    void coversEverythingOnce() {
        QFETCH(int, threads);
        QFETCH(int, items);
        QFETCH(int, grain);
        const int before = numThreads();
        setNumThreads(threads);
        Job job;
        const JobScope scope(job);
        std::vector<std::atomic<int>> hits(static_cast<std::size_t>(items));
        std::atomic<bool> multiples{true};
        parallelFor(5, 5 + items, grain, [&](Index begin, Index end) {
            if ((begin - 5) % grain != 0) multiples = false;
            for (Index i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i - 5)];
        });
        setNumThreads(before);
        QVERIFY(multiples);
        QVERIFY(std::all_of(hits.begin(), hits.end(), [](const std::atomic<int>& h) { return h == 1; }));
        QCOMPARE(job.permille(), items > grain ? 1000 : -1);
    }

    void stopsBetweenRanges() {
        Job job;
        const JobScope scope(job);
        std::atomic<Index> done{0};
        std::atomic<int> last{-1};
        QString id;
        try {
            parallelFor(0, 1'000'000, 10, [&](Index begin, Index end) {
                done += end - begin;
                if (done > 100'000) {
                    last = job.permille();
                    job.cancel();
                }
            });
        } catch (const Error& error) {
            id = QString::fromStdString(error.refusal().id);
        }
        QCOMPARE(id, QStringLiteral("JOB-01"));
        QVERIFY(done > 100'000 && done < 110'000);
        QVERIFY2(last >= 90 && last <= 110, qPrintable(QString::number(last.load())));
    }

    void copiesStop_data() {
        QTest::addColumn<int>("what");
        QTest::newRow("contiguous") << 0;
        QTest::newRow("clone") << 1;
        QTest::newRow("to") << 2;
        QTest::newRow("fill_") << 3;
        QTest::newRow("arange") << 4;
    }
    void copiesStop() {
        QFETCH(int, what);
        const Tensor t = zeros(Dims{3000, 1000});
        const auto work = [&] {
            switch (what) {
            case 0:
                contiguous(transpose(t, 0, 1));
                break;
            case 1:
                clone(t);
                break;
            case 2:
                to(t, DType::Float64);
                break;
            case 3:
                fill_(t, Scalar(7));
                break;
            default:
                arange(Scalar(3'000'000));
            }
        };
        Job job;
        const JobScope scope(job);
        work(); // with a job that nobody stops it is done
        QCOMPARE(job.permille(), 1000);
        job.cancel();
        QVERIFY_EXCEPTION_THROWN(work(), Error);
        const JobShield shield;
        work(); // what must not stop half-way goes on
    }

    void nobodyAsks() {
        Job job;
        {
            const JobScope scope(job);
            QCOMPARE(currentJob(), &job);
        }
        job.cancel();
        QVERIFY(!currentJob());
        throwIfCancelled();
        QCOMPARE(readSlot(arange(Scalar(1'000'000)), 999'999).toInt(), Index{999'999});
    }
};

QTEST_GUILESS_MAIN(TestJob)
#include "tst_job.moc"
