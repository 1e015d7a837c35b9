// Records: delivered to all listeners, on all threads, to none when nobody listens; and as code.

#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/trace/clock.h"
#include "core/trace/code.h"
#include "core/trace/op_record.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace stridescope;

class TestOpRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nobodyListens();
    void allListenersGetEveryRecord();
    void endsWithTheSubscription();
    void nestedOperationsAreSilent();
    void recordsKeepNoStorageAlive();
    void deliversFromManyThreads();
    void subscribesWhileOthersPublish();
    void clockGoesWithTheSystems();
    void nothingIsLeftOfTheRecordBefore();
    void writesSlices_data();
    void writesSlices();
    void writesExpressions_data();
    void writesExpressions();
};

void TestOpRecord::nobodyListens() {
    QVERIFY(!trace::observed());
    (void)transpose(zeros({2, 3}), 0, 1);
    QVERIFY(!trace::observed());
}

void TestOpRecord::allListenersGetEveryRecord() {
    const Tensor t = zeros({2, 3});
    int first = 0;
    std::vector<OpRecord> second;
    const OpSubscription a([&](const OpRecord&) { ++first; });
    const OpSubscription b([&](const OpRecord& r) { second.push_back(r); });
    QVERIFY(trace::observed());
    const Tensor n = narrow(t, 1, 1, 2);
    QCOMPARE(first, 1);
    QCOMPARE(second.size(), std::size_t{1});
    const OpRecord& r = second[0];
    QCOMPARE(r.name, std::string("narrow"));
    QCOMPARE(r.arguments, std::string("1, 1, 2"));
    QCOMPARE(r.effect, OpEffect::View);
    QCOMPARE(r.inputs.size(), std::size_t{1});
    QCOMPARE(r.inputs[0].storageId, t.storage()->id());
    QVERIFY(r.inputs[0].view == t.view());
    QCOMPARE(r.outputs.size(), std::size_t{1});
    QCOMPARE(r.outputs[0].storageId, t.storage()->id());
    QVERIFY(r.outputs[0].view == n.view());
    QCOMPARE(r.outputs[0].dtype, DType::Float32);
    QCOMPARE(r.bytesRead + r.bytesWritten + r.bytesAllocated, Index{0});
}

void TestOpRecord::endsWithTheSubscription() {
    const Tensor t = zeros({2, 3});
    int count = 0;
    {
        const OpSubscription subscription([&](const OpRecord&) { ++count; });
        (void)unsqueeze(t, 0);
    }
    (void)unsqueeze(t, 0);
    QCOMPARE(count, 1);
    QVERIFY(!trace::observed());
}

void TestOpRecord::nestedOperationsAreSilent() {
    const Tensor t = zeros({2, 3});
    std::vector<std::string> names;
    const OpSubscription subscription([&](const OpRecord& r) { names.push_back(r.name); });
    (void)reshape(transpose(t, 0, 1), {6}); // copies by means of other operations
    QCOMPARE(names, (std::vector<std::string>{"transpose", "reshape"}));
    {
        const trace::Nested outer;
        { const trace::Nested inner; }
        (void)unsqueeze(t, 0);
    }
    (void)squeeze(t);
    QCOMPARE(names.back(), std::string("squeeze"));
    QCOMPARE(names.size(), std::size_t{3});
}

void TestOpRecord::recordsKeepNoStorageAlive() {
    const Tensor t = zeros({2, 3});
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& r) { records.push_back(r); });
    (void)unsqueeze(t, 0);
    QCOMPARE(t.storage()->useCount(), 1U);
    QCOMPARE(records.size(), std::size_t{1});
}

void TestOpRecord::deliversFromManyThreads() {
    const Tensor t = zeros({2, 3});
    std::atomic<int> count{0};
    constexpr int kThreads = 4, kEach = 500;
    {
        const OpSubscription subscription([&](const OpRecord&) { ++count; });
        std::vector<std::thread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&t] {
                for (int n = 0; n < kEach; ++n) (void)unsqueeze(t, 0);
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    QCOMPARE(count.load(), kThreads * kEach);
}

void TestOpRecord::subscribesWhileOthersPublish() {
    const Tensor t = zeros({2, 3});
    std::atomic<bool> stop{false};
    std::atomic<int> late{0};
    std::thread worker([&] {
        while (!stop) (void)unsqueeze(t, 0);
    });
    for (int i = 0; i < 300; ++i) {
        std::atomic<bool> alive{true};
        {
            const OpSubscription subscription([&](const OpRecord&) { late += !alive; });
            std::this_thread::yield();
        }
        alive = false; // no delivery after the subscription ended
    }
    stop = true;
    worker.join();
    QCOMPARE(late.load(), 0);
}

void TestOpRecord::clockGoesWithTheSystems() {
    using Steady = std::chrono::steady_clock;
    trace::Clock::prepare();
    const auto system = Steady::now();
    const auto own = trace::Clock::now();
    auto last = own;
    while (Steady::now() - system < std::chrono::milliseconds(100)) {
        const auto now = trace::Clock::now();
        QVERIFY(now >= last);
        last = now;
    }
    const auto passed = std::chrono::nanoseconds(Steady::now() - system).count();
    const auto counted = (trace::Clock::now() - own).count();
    // The two are not read at one moment, and this thread may wait in between.
    QVERIFY2(std::abs(counted - passed) < passed / 100, qPrintable(QString::number(counted - passed)));
    QVERIFY(std::abs((own.time_since_epoch() - system.time_since_epoch()).count()) < 5'000'000);
}

void TestOpRecord::nothingIsLeftOfTheRecordBefore() {
    const Tensor t = zeros({2, 3});
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& r) { records.push_back(r); });
    (void)add(t, t);
    (void)narrow(t, 1, 1, 2);
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records[0].inputs.size(), std::size_t{2});
    QCOMPARE(records[0].effect, OpEffect::Alloc);
    QVERIFY(records[0].duration.count() > 0);
    QCOMPARE(records[1].inputs.size(), std::size_t{1});
    QCOMPARE(records[1].outputs.size(), std::size_t{1});
    QCOMPARE(records[1].effect, OpEffect::View);
    QCOMPARE(records[1].bytesAllocated, Index{0});
}

void TestOpRecord::writesSlices_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, const std::string& text) {
        QTest::newRow(expected) << QString::fromStdString(text) << expected;
    };
    row("1:5", code::sliceText(0, 1, 5, 1));
    row(":, 1:5:2", code::sliceText(1, 1, 5, 2));
    row(":, :, ::3", code::sliceText(2, std::nullopt, std::nullopt, 3));
    row("..., -2:", code::sliceText(-1, -2, std::nullopt, 1));
    row("..., :4, :", code::sliceText(-2, std::nullopt, 4, 1));
}

void TestOpRecord::writesSlices() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
}

void TestOpRecord::writesExpressions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, const char* name, const char* arguments, std::size_t inputs,
                        const std::vector<std::string>& names) {
        OpRecord record;
        record.name = name;
        record.arguments = arguments;
        record.inputs.resize(inputs);
        QTest::newRow(expected) << QString::fromStdString(code::expression(record, names)) << expected;
    };
    row("a.narrow(1, 1, 2)", "narrow", "1, 1, 2", 1, {"a"});
    row("x.t()", "t", "", 1, {});
    row("a[:, 1:5]", "slice", ":, 1:5", 1, {"a"});
    row("a[0, 1] = 5", "setitem", "[0, 1] = 5", 1, {"a"});
    row("a + b", "add", "", 2, {"a", "b"});
    row("a * 2.5", "mul", "2.5", 1, {"a"});
    row("(a + b).t()", "t", "", 1, {"a + b"});
    row("(a + b) * (c + d)", "mul", "", 2, {"a + b", "c + d"});
    row("a.masked_fill_(a > 5, 9)", "masked_fill_", "9", 2, {"a", "a > 5"});
    row("a[a > 5] = 0", "setitem", "[{1}] = 0", 2, {"a", "a > 5"});
    row("a <= x2", "le", "", 2, {"a"});
    row("a.copy_(b)", "copy_", "", 2, {"a", "b"});
    row("a.lerp(b, c, 0.5)", "lerp", "0.5", 3, {"a", "b", "c"});
    row("torch.zeros(2, 3)", "zeros", "2, 3", 0, {});
    row("torch.linalg.qr(a)", "linalg.qr", "", 1, {"a"});
    row("torch.linalg.solve(a, b)", "linalg.solve", "", 2, {"a", "b"});
    row("torch.special.zeta(a, b, 1)", "special.zeta", "{1}, 1", 2, {"a", "b"});
    row("torch.tensordot(a, b, dims=((1,), (0,)))", "tensordot", "dims=((1,), (0,))", 2, {"a", "b"});
    const auto out = [](const char* expected, const char* name, const char* arguments, std::size_t inputs,
                        std::size_t outputs) {
        OpRecord record;
        record.name = name;
        record.arguments = arguments;
        record.effect = OpEffect::InPlace;
        record.inputs.resize(inputs);
        for (std::size_t i = 0; i < inputs; ++i) record.inputs[i].storageId = i + 1;
        record.outputs.resize(outputs);
        record.outputs[0].storageId = inputs; // of those that join, the last input, too
        const std::vector<std::string> names{"a", "b", "c"}, outs{"c", "d"};
        QVERIFY(code::writesIntoOut(record));
        QTest::newRow(expected) << QString::fromStdString(
                                       code::outExpression(record, names, std::span(outs).first(outputs)))
                                << expected;
    };
    out("torch.add(a, b, out=c)", "add", "", 2, 1);
    out("torch.mul(a, 2.5, out=c)", "mul", "2.5", 1, 1);
    out("torch.arange(3, out=c)", "arange", "3", 0, 1);
    out("torch.cat((a, b), 1, out=c)", "cat", "1", 3, 1);
    out("torch.where(a, 5, b, out=c)", "where", "{0}, 5, {1}", 2, 1);
    out("torch.gather(a, 0, b, out=c)", "gather", "0, {1}", 2, 1);
    out("torch.max(a, 1, out=(c, d))", "max", "1", 1, 2);
}

void TestOpRecord::writesExpressions() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
}

QTEST_GUILESS_MAIN(TestOpRecord)
#include "tst_op_record.moc"
