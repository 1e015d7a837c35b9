// Every allocation of C++ memory fails once, in turn: operations end in an exception and leave their inputs as they
// were.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/print/repr.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "tests/support/view_zoo.h"

#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

using namespace stridescope;
using namespace stridescope::test;

namespace {

// Counts down while armed; the allocation that finds 1 fails.
std::atomic<int> g_allocationsLeft{0};

void* allocateOrFail(std::size_t bytes) {
    if (g_allocationsLeft.load(std::memory_order_relaxed) > 0 && g_allocationsLeft.fetch_sub(1) == 1) {
        throw std::bad_alloc();
    }
    if (void* data = std::malloc(bytes == 0 ? 1 : bytes)) return data;
    throw std::bad_alloc();
}

} // namespace

void* operator new(std::size_t bytes) {
    return allocateOrFail(bytes);
}
void* operator new[](std::size_t bytes) {
    return allocateOrFail(bytes);
}
void operator delete(void* data) noexcept {
    std::free(data);
}
void operator delete[](void* data) noexcept {
    std::free(data);
}
void operator delete(void* data, std::size_t) noexcept {
    std::free(data);
}
void operator delete[](void* data, std::size_t) noexcept {
    std::free(data);
}

class TestOutOfMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void operationsSurvive_data();
    void operationsSurvive();
};

void TestOutOfMemory::operationsSurvive_data() {
    QTest::addColumn<std::function<void(const Tensor&)>>("action");
    const auto row = [](const char* name, std::function<void(const Tensor&)> action) {
        QTest::newRow(name) << std::move(action);
    };
    row("select", [](const Tensor& t) { (void)select(t, 0, 1); });
    row("permute to 8 dims", [](const Tensor& t) { (void)permute(t, {7, 6, 5, 4, 3, 2, 1, 0}); });
    row("refused view", [](const Tensor& t) { (void)view(t, {7}); });
    row("reshape with a copy", [](const Tensor& t) { (void)reshape(transpose(t, 0, 7), {-1}); });
    row("unbind", [](const Tensor& t) { (void)unbind(t, 0); });
    row("as_strided", [](const Tensor& t) { (void)asStrided(t, {1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1}, 0); });
    row("zeros", [](const Tensor&) { (void)zeros({1, 2, 1, 2, 1, 2, 1}); });
    row("full_like", [](const Tensor& t) { (void)fullLike(t, 2.0); });
    row("arange", [](const Tensor&) { (void)arange(10); });
    row("tensor", [](const Tensor&) { (void)tensorFrom({{1, 2}, {3, 4}}); });
    row("rand", [](const Tensor&) { (void)rand({3}); });
    row("randperm", [](const Tensor&) { (void)randperm(9); });
    row("normal", [](const Tensor& t) { (void)normal(0.5, fullLike(t, 2)); });
    row("multinomial", [](const Tensor&) {
        Generator generator(1);
        const Generator::State before = generator.state();
        try {
            (void)multinomial(ones({3, 4}), 2, false, generator);
        } catch (...) {
            QVERIFY(generator.state() == before);
            throw;
        }
    });
    row("clone", [](const Tensor& t) { (void)clone(t); });
    row("repr", [](const Tensor& t) { (void)repr(t); });
    row("write refused", [](const Tensor& t) { writeElement(t, Dims{9, 9, 9, 9, 9, 9, 9, 9}, 1); });
    row("parse", [](const Tensor&) { (void)parseScalar("1_000_000_000_000_000_000_000_000", DType::Int64); });
    row("observed", [](const Tensor& t) {
        const OpSubscription subscription([](const OpRecord& r) { (void)code::expression(r, {}); });
        (void)narrow(t, 0, 0, 1);
        (void)ones({3});
    });
}

void TestOutOfMemory::operationsSurvive() {
    QFETCH(std::function<void(const Tensor&)>, action);
    const Tensor t = zooTensor({"8-d", {{2, 1, 2, 1, 2, 1, 2, 2}, {16, 16, 8, 8, 4, 4, 2, 1}, 1}, 36}, DType::Float32);
    const std::vector<std::byte> before = bytesOf(t);
    const View layout = t.view();
    constexpr int kMostAllocations = 2000;
    int failures = 0, n = 1;
    for (bool reached = true; reached; ++n) {
        QVERIFY2(n < kMostAllocations, "never runs to its end");
        g_allocationsLeft = n;
        try {
            action(t);
        } catch (const Error&) {
            // its own refusal, or MemoryError
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        reached = g_allocationsLeft.exchange(0) <= 0; // else the n-th allocation was not needed any more
        QCOMPARE(t.storage()->useCount(), 1U);
        QVERIFY(t.view() == layout);
        QVERIFY(!trace::observed());
    }
    QVERIFY(bytesOf(t) == before);
    QVERIFY(failures > 0 || n == 2); // n == 2: it allocates nothing
}

QTEST_GUILESS_MAIN(TestOutOfMemory)
#include "tst_out_of_memory.moc"
