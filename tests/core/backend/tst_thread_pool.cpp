#include "core/backend/cpu/thread_pool.h"
#include "tests/support/instrumented.h"

#include <QTest>
#include <atomic>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace stridescope;

class TestThreadPool : public QObject {
    Q_OBJECT

    const int m_before = numThreads();

private Q_SLOTS:
    void cleanup() { setNumThreads(m_before); }

    void everyItemOnce_data() {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("items");
        QTest::addColumn<int>("grain");
        for (const int threads : {1, 2, 4, 7})
            for (const int items : {0, 1, 5, 1000, 12345})
                for (const int grain : {1, 64, 5000})
                    QTest::addRow("%d threads, %d items, grain %d", threads, items, grain) << threads << items << grain;
    }
    void everyItemOnce() {
        QFETCH(int, threads);
        QFETCH(int, items);
        QFETCH(int, grain);
        setNumThreads(threads);
        for (int repeat = 0; repeat < 20; ++repeat) {
            std::vector<int> hits(static_cast<std::size_t>(items), 0);
            parallelFor(0, items, grain, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
            });
            QVERIFY(std::all_of(hits.begin(), hits.end(), [](int h) { return h == 1; }));
        }
    }

    void rangesAreMultiplesOfTheGrain() {
        setNumThreads(4);
        std::atomic<bool> ok{true};
        parallelFor(10, 10 + 10000, 64, [&](Index begin, Index end) {
            if ((begin - 10) % 64 != 0 || (end != 10010 && (end - begin) % 64 != 0)) ok = false;
        });
        QVERIFY(ok);
    }

    void usesSeveralThreads() {
        setNumThreads(3);
        std::atomic<int> inside{0}, most{0};
        // Each range waits until a second thread has come, or 5 s have passed.
        parallelFor(0, 3, 1, [&](Index, Index) {
            const int now = ++inside;
            int seen = most.load();
            while (now > seen && !most.compare_exchange_weak(seen, now)) {
            }
            for (int i = 0; i < 5000 && most.load() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            --inside;
        });
        QVERIFY(most.load() >= 2);
    }

    void exceptionsComeBack() {
        setNumThreads(4);
        for (int repeat = 0; repeat < 50; ++repeat) {
            bool caught = false;
            try {
                parallelFor(0, 1000, 1, [](Index begin, Index) {
                    if (begin >= 500) throw std::runtime_error("from a range");
                });
            } catch (const std::runtime_error& e) {
                caught = std::string(e.what()) == "from a range";
            }
            QVERIFY(caught);
        }
        std::atomic<Index> sum{0};
        parallelFor(0, 1000, 1, [&](Index begin, Index end) { sum += end - begin; });
        QCOMPARE(sum.load(), Index{1000}); // works on afterwards
    }

    void nestedCallsStayOnTheirThread() {
        setNumThreads(4);
        std::atomic<Index> sum{0};
        std::atomic<bool> same{true};
        parallelFor(0, 64, 1, [&](Index begin, Index end) {
            const auto id = std::this_thread::get_id();
            parallelFor(begin * 100, end * 100, 1, [&](Index b, Index e) {
                if (std::this_thread::get_id() != id) same = false;
                sum += e - b;
            });
        });
        QVERIFY(same);
        QCOMPARE(sum.load(), Index{6400});
    }

    void callersFromSeveralThreads() {
        setNumThreads(2);
        std::atomic<Index> sum{0};
        std::vector<std::thread> callers;
        for (int t = 0; t < 4; ++t)
            callers.emplace_back([&] {
                for (int i = 0; i < 200; ++i) parallelFor(0, 100, 1, [&](Index b, Index e) { sum += e - b; });
            });
        for (std::thread& t : callers) t.join();
        QCOMPARE(sum.load(), Index{4 * 200 * 100});
    }

    void worksInAChildAfterFork() {
        if (test::kThreadSanitizer)
            QSKIP("ThreadSanitizer does not follow threads that a child of a threaded process starts");
        setNumThreads(3);
        std::atomic<Index> sum{0};
        parallelFor(0, 1000, 1, [&](Index b, Index e) { sum += e - b; });
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            std::atomic<Index> inside{0};
            parallelFor(0, 1000, 1, [&](Index b, Index e) { inside += e - b; });
            _exit(inside.load() == 1000 ? 0 : 1);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void countIsClamped() {
        setNumThreads(0);
        QCOMPARE(numThreads(), 1);
        setNumThreads(100000);
        QCOMPARE(numThreads(), 1024);
    }
};

QTEST_GUILESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
