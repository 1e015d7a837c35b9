// Random numbers: bit for bit those of PyTorch 1.13 on the CPU, on every layout.

#include "core/backend/cpu/isa_table.h"
#include "core/job.h"
#include "core/ops/copy.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/tensor/walk.h"
#include "core/trace/code.h"
#include "tests/support/check_refusal.h"
#include "tests/support/test_paths.h"
#include "tests/support/view_zoo.h"

#include <QFile>
#include <QTest>

#include <cmath>
#include <thread>

using namespace stridescope;
using namespace stridescope::test;

namespace {

TensorOptions as(DType dtype) {
    return {dtype, Device{}};
}

/// The elements of the whole storage as a vector.
Tensor wholeStorage(const Tensor& t) {
    return t.withView(View{{t.storageNumel()}, {1}, 0});
}

/// Up to four elements of the storage as bits and a hash (FNV-1a) of all its bytes, as the cases have it.
QString fingerprint(const Tensor& t) {
    const auto bytes = bytesOf(t);
    QString text;
    for (std::size_t i = 0; i < 4 && (i + 1) * t.itemSize() <= bytes.size(); ++i) {
        for (std::size_t b = t.itemSize(); b-- > 0;)
            text += QString("%1").arg(static_cast<int>(bytes[i * t.itemSize() + b]), 2, 16, QChar('0'));
        text += ' ';
    }
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::byte b : bytes) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
    return text + QString("%1").arg(hash, 16, 16, QChar('0'));
}

Dims dimsOf(const QString& text) {
    Dims dims;
    if (text != "-")
        for (const QString& part : text.split(',')) dims.push_back(part.toLongLong());
    return dims;
}

/// One call of the case file; see generate_random_cases.py.
class Call {
public:
    explicit Call(const QString& line) : m_words(line.split(' ')) {}

    bool isSeed() const { return m_words[0] == "seed"; }
    std::uint64_t seed() const { return m_words[1].toULongLong(); }

    Tensor run() const {
        if (m_words[0] == "state") return rngState();
        const DType dtype = *dtypeFromName(m_words[1].toStdString());
        if (const Tensor t = made(m_words[0], dtype); t.defined()) return t;
        const Tensor base = zeros({whole(5)}, as(dtype));
        return onLayout(m_words[0], base, base.withView(View{dimsOf(m_words[2]), dimsOf(m_words[3]), whole(4)}));
    }

private:
    Index whole(int i) const { return m_words[i].toLongLong(); }
    double real(int i) const { return m_words[i].toDouble(); }

    Tensor made(const QString& name, DType dtype) const {
        if (name == "randperm") return randperm(whole(2), as(dtype));
        const auto shape = [&] { return dimsOf(m_words[2]); };
        if (name == "rand") return rand(shape(), as(dtype));
        if (name == "randn") return randn(shape(), as(dtype));
        if (name == "randint") return randint(whole(3), whole(4), shape(), as(dtype));
        if (name == "normal") return normal(real(3), real(4), shape(), as(dtype));
        return {};
    }

    Tensor onLayout(const QString& name, const Tensor& base, const Tensor& t) const {
        if (name == "rand_like") return randLike(t);
        if (name == "randn_like") return randnLike(t);
        if (name == "randint_like") return randintLike(t, whole(6), whole(7));
        if (name == "bernoulli") return bernoulli(uniform_(t));
        if (name == "normal_mean") return normal(normal_(t), real(6));
        if (name == "normal_std") return normal(real(6), uniform_(t));
        if (name == "normal_both") {
            normal_(t);
            return normal(t, rand(t.dim() ? Dims{t.size(-1)} : Dims{}, as(DType::Float64)));
        }
        if (name == "multinomial") return multinomial(uniform_(t), whole(6), whole(7) == 1);
        if (name == "uniform_")
            uniform_(t, real(6), real(7));
        else if (name == "normal_")
            normal_(t, real(6), real(7));
        else if (name == "log_normal_")
            logNormal_(t, real(6), real(7));
        else if (name == "cauchy_")
            cauchy_(t, real(6), real(7));
        else if (name == "exponential_")
            exponential_(t, real(6));
        else if (name == "geometric_")
            geometric_(t, real(6));
        else if (name == "bernoulli_")
            bernoulli_(t, real(6));
        else if (name == "bernoulli_p") {
            Dims shape = t.shape();
            if (!shape.empty()) shape[0] = 1;
            bernoulli_(t, rand(shape, as(*dtypeFromName(m_words[6].toStdString()))));
        } else if (name == "random_" && m_words.size() == 6)
            random_(t);
        else if (name == "random_")
            random_(t, whole(6), m_words[7] == "None" ? std::nullopt : std::optional(whole(7)));
        else
            return {};
        return base;
    }

    QStringList m_words;
};

} // namespace

class TestRandom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_isa = cpu::isa().name; }
    void init() { manualSeed(0); }
    void cleanup() { cpu::forceIsa(*cpu::isaByName(m_isa.c_str())); }

    void sameNumbersAsPyTorch_data();
    void sameNumbersAsPyTorch();
    void firstNumberOfTheLecture();
    void largeBlocksAreThoseOfOneThread();
    void fillsTheNamedSlots_data();
    void fillsTheNamedSlots();
    void emptyTensorsTakeNoDraws();
    void ownGenerators();
    void statesAsTensors();
    void probabilitiesMayBeTheOutput();
    void likesKeepLayout();
    void newTensorsAreWritten();
    void publishes_data();
    void publishes();
    void threadsShareTheGenerator();
    void cancelledJobsEnd();

private:
    std::string m_isa;
};

void TestRandom::sameNumbersAsPyTorch_data() {
    QTest::addColumn<QString>("isa");
    for (const char* isa : {"plain", "avx2", "avx512"})
        if (cpu::isaByName(isa)) QTest::newRow(isa) << isa;
}

void TestRandom::sameNumbersAsPyTorch() {
    QFETCH(QString, isa);
    cpu::forceIsa(*cpu::isaByName(isa.toUtf8().constData()));
    QFile file(QString::fromStdString(test::sourcePath("tests/core/ops/data/random_cases.txt")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int calls = 0;
    while (!file.atEnd()) {
        const QStringList sides = QString::fromUtf8(file.readLine()).trimmed().split(" = ");
        const Call call(sides[0]);
        if (call.isSeed()) {
            manualSeed(call.seed());
            continue;
        }
        const Tensor result = call.run();
        QVERIFY2(result.defined(), qPrintable(sides[0]));
        const QString got = fingerprint(result);
        // The first difference is told; draws that went wrong spoil all that follow.
        QVERIFY2(got == sides[1], qPrintable(sides[0] + "\n  PyTorch " + sides[1] + "\n  here    " + got));
        ++calls;
    }
    QVERIFY(calls > 2000);
}

void TestRandom::firstNumberOfTheLecture() {
    QCOMPARE(item(rand({1})).toDouble(), 0.49625658988952637);
    manualSeed(0);
    QCOMPARE(item(rand({})).toDouble(), 0.49625658988952637);
    QCOMPARE(initialSeed(), std::uint64_t{0});
    const std::uint64_t seeded = seed();
    QCOMPARE(initialSeed(), seeded);
}

void TestRandom::largeBlocksAreThoseOfOneThread() {
    // Larger than what one round of blocks holds, with a rest; PyTorch's bits of the last elements and of all.
    const Tensor t = randn({2'000'003});
    const Tensor tail = slice(t, 0, -4, std::nullopt);
    manualSeed(0);
    const Tensor again = zeros({2'000'003});
    Generator generator(0);
    normal_(again, 0, 1, generator);
    QVERIFY(bytesOf(t) == bytesOf(again));
    QCOMPARE(fingerprint(clone(tail)), QString("3e3dd87f bdf6854a 3f2d6358 be878b9a 3facf9890df6b582"));
    QCOMPARE(fingerprint(t), QString("bf901b85 bf93808a be804bd6 bede255d 6f0f4d7c24060769"));
}

void TestRandom::fillsTheNamedSlots_data() {
    QTest::addColumn<std::size_t>("layout");
    for (std::size_t i = 0; i < zooViews().size(); ++i)
        if (!zooViews()[i].overlaps) QTest::newRow(zooViews()[i].name.c_str()) << i;
}

void TestRandom::fillsTheNamedSlots() {
    QFETCH(std::size_t, layout);
    const ZooView& zoo = zooViews()[layout];
    struct Filler {
        const char* name;
        std::function<bool(DType)> takes;
        std::function<void(const Tensor&)> fill;
    };
    const auto floats = [](DType d) { return isFloating(d); };
    const auto all = [](DType) { return true; };
    const Filler fillers[] = {
        {"uniform_", floats, [](const Tensor& t) { uniform_(t, 100, 200); }},
        {"normal_", floats, [](const Tensor& t) { normal_(t, 100, 1); }},
        {"log_normal_", floats, [](const Tensor& t) { logNormal_(t, 4, 0.1); }},
        {"exponential_", floats, [](const Tensor& t) { exponential_(t, 0.001); }},
        {"cauchy_", floats, [](const Tensor& t) { cauchy_(t, 100, 0.001); }},
        {"geometric_", [](DType d) { return d != DType::Bool; }, [](const Tensor& t) { geometric_(t, 0.001); }},
        {"random_", [](DType d) { return d != DType::Bool; }, [](const Tensor& t) { random_(t, 100, 120); }},
        {"bernoulli_", [](DType d) { return d != DType::Float16; }, [](const Tensor& t) { bernoulli_(t, 1.0); }},
        {"random_ all", all, [](const Tensor& t) { random_(t); }},
    };
    for (const DType dtype : kRealDTypes) {
        for (const Filler& filler : fillers) {
            if (!filler.takes(dtype)) continue;
            const Tensor t = zooTensor(zoo, dtype);
            const std::vector<Scalar> before = elementsOf(wholeStorage(t));
            const std::uint64_t version = t.storage()->version();
            // The same numbers for a contiguous tensor of the same count, in the order of memory. Blocks apart.
            const bool blocks = filler.name == std::string("normal_") && t.numel() >= 16 && !t.isContiguous();
            const Tensor plain = zeros({t.numel()}, as(dtype));
            manualSeed(4);
            filler.fill(t);
            const Tensor stateAfter = rngState();
            manualSeed(4);
            filler.fill(plain);
            std::vector<Index> named;
            forEachSlot(t.view(), [&](Index slot) { named.push_back(slot); });
            std::sort(named.begin(), named.end());
            const std::vector<Scalar> after = elementsOf(wholeStorage(t)), expected = elementsOf(plain);
            const std::string what = zoo.name + ", " + filler.name + ", " + std::string(::name(dtype));
            if (!blocks) {
                QVERIFY2(bytesOf(rngState()) == bytesOf(stateAfter), what.c_str());
                for (std::size_t i = 0; i < named.size(); ++i)
                    QVERIFY2(after[static_cast<std::size_t>(named[i])] == expected[i], what.c_str());
            }
            for (Index slot = 0; slot < t.storageNumel(); ++slot)
                if (!std::binary_search(named.begin(), named.end(), slot))
                    QVERIFY2(after[static_cast<std::size_t>(slot)] == before[static_cast<std::size_t>(slot)],
                             what.c_str());
            QVERIFY2(t.storage()->version() > version, what.c_str());
        }
    }
}

void TestRandom::emptyTensorsTakeNoDraws() {
    const auto state = bytesOf(rngState());
    for (const Dims& shape : {Dims{0}, Dims{3, 0}}) {
        (void)rand(shape);
        (void)randn(shape);
        (void)randint(5, shape);
        (void)bernoulli(zeros(shape));
        (void)normal(zeros(shape), ones(shape));
        const Tensor t = zeros(shape);
        random_(exponential_(cauchy_(logNormal_(geometric_(bernoulli_(t, tensorFrom(2.0)), 0.5)))));
    }
    (void)randperm(0);
    (void)randperm(1);
    (void)multinomial(ones({0, 3}), 2, true);
    QVERIFY(bytesOf(rngState()) == state);
}

void TestRandom::ownGenerators() {
    const auto state = bytesOf(rngState());
    Generator a(42), b(42);
    const Tensor x = randn({5}, {}, a), y = randn({5}, {}, b);
    QVERIFY(bytesOf(x) == bytesOf(y));
    QVERIFY(a.state() == b.state());
    (void)rand({3}, {}, a);
    (void)randint(0, 9, {3}, {}, a);
    (void)randperm(9, {}, a);
    (void)multinomial(ones({4}), 2, false, a);
    (void)normal(zeros({3}), 1, a);
    QVERIFY(bytesOf(rngState()) == state);
    QVERIFY(a.state() != b.state());
}

void TestRandom::statesAsTensors() {
    (void)randn({3});
    const Tensor state = rngState();
    QCOMPARE(state.dtype(), DType::UInt8);
    QVERIFY(state.shape() == Dims{5056});
    const Tensor first = randn({3});
    // Any layout holds a state: here every second byte of a storage of twice the size.
    const Tensor wide = zeros({2 * 5056}, as(DType::UInt8)).withView(View{{5056}, {2}, 1});
    copy_(wide, state);
    setRngState(wide);
    QVERIFY(bytesOf(randn({3})) == bytesOf(first));
}

void TestRandom::probabilitiesMayBeTheOutput() {
    const Tensor p = rand({100});
    const Tensor kept = clone(p);
    Generator a(1), b(1);
    bernoulli_(p, p, a);
    QVERIFY(bytesOf(p) == bytesOf(bernoulli(kept, b)));
    const Tensor ones01 = bernoulli(tensorFrom({0.0, 1.0, 1.0, 0.0}));
    QVERIFY(elementsOf(ones01) == elementsOf(tensorFrom({0.0, 1.0, 1.0, 0.0})));
}

void TestRandom::likesKeepLayout() {
    const Tensor t = transpose(zeros({3, 4}), 0, 1);
    QVERIFY(randLike(t).stride() == t.stride());
    QVERIFY(randnLike(t).stride() == t.stride());
    QVERIFY(randintLike(t, 5).stride() == t.stride());
    QCOMPARE(randLike(t, {DType::Float64, std::nullopt}).dtype(), DType::Float64);
    QCOMPARE(randintLike(t, 5, {DType::UInt8, std::nullopt}).dtype(), DType::UInt8);
    QVERIFY(bernoulli(t).stride() == Dims({3, 1}));
    QVERIFY(bernoulli(t, 0.5).stride() == Dims({3, 1}));
    QVERIFY(normal(t).stride() == Dims({3, 1}));
    QVERIFY(normal(0.5, t).stride() == Dims({3, 1}));
    QVERIFY(normal(zeros({3, 1}), ones({2})).shape() == Dims({3, 2}));
    QCOMPARE(randint(3, {2}).dtype(), DType::Int64);
    setDefaultDType(DType::Float64);
    QCOMPARE(rand({1}).dtype(), DType::Float64);
    QCOMPARE(randn({1}).dtype(), DType::Float64);
    setDefaultDType(DType::Float32);
}

void TestRandom::newTensorsAreWritten() {
    for (const Tensor& t : {rand({2}), randn({2}), randint(5, {2}), randperm(2), bernoulli(zeros({2})),
                            normal(zeros({2})), multinomial(ones({3}), 2), multinomial(ones({3}), 2, true)})
        QVERIFY(!t.storage()->isUnwritten());
}

void TestRandom::publishes_data() {
    QTest::addColumn<std::function<void(const Tensor&)>>("action");
    QTest::addColumn<QString>("line");
    QTest::addColumn<OpEffect>("effect");
    QTest::addColumn<int>("allocated");
    QTest::addColumn<int>("written");
    const auto row = [](const char* line, OpEffect effect, int bytes, std::function<void(const Tensor&)> action) {
        QTest::newRow(line) << std::move(action) << line << effect << (effect == OpEffect::Alloc ? bytes : 0) << bytes;
    };
    constexpr OpEffect Alloc = OpEffect::Alloc, InPlace = OpEffect::InPlace;
    row("torch.rand(2, 3)", Alloc, 24, [](const Tensor&) { (void)rand({2, 3}); });
    row("torch.rand(())", Alloc, 4, [](const Tensor&) { (void)rand({}); });
    row("torch.randn(2, dtype=torch.float64)", Alloc, 16, [](const Tensor&) { (void)randn({2}, as(DType::Float64)); });
    row("torch.randint(5, (2,))", Alloc, 16, [](const Tensor&) { (void)randint(5, {2}); });
    row("torch.randint(-1, 5, (2, 2), dtype=torch.int8)", Alloc, 4, [](const Tensor&) {
        (void)randint(-1, 5, {2, 2}, as(DType::Int8));
    });
    row("torch.randperm(4)", Alloc, 32, [](const Tensor&) { (void)randperm(4); });
    row("torch.normal(0.5, 2.0, (3,))", Alloc, 12, [](const Tensor&) { (void)normal(0.5, 2, Dims{3}); });
    row("torch.normal(x, 2.0)", Alloc, 16, [](const Tensor& t) { (void)normal(t, 2); });
    row("torch.normal(std=x, mean=0.5)", Alloc, 16, [](const Tensor& t) { (void)normal(0.5, t); });
    row("torch.normal(x, x2)", Alloc, 16, [](const Tensor& t) { (void)normal(t, t); });
    row("torch.rand_like(x)", Alloc, 16, [](const Tensor& t) { (void)randLike(t); });
    row("torch.randn_like(x, dtype=torch.float64)", Alloc, 32, [](const Tensor& t) {
        (void)randnLike(t, {DType::Float64, std::nullopt});
    });
    row("torch.randint_like(x, 3, 7)", Alloc, 16, [](const Tensor& t) { (void)randintLike(t, 3, 7); });
    row("x.bernoulli()", Alloc, 16, [](const Tensor& t) { (void)bernoulli(t); });
    row("x.bernoulli(0.25)", Alloc, 16, [](const Tensor& t) { (void)bernoulli(t, 0.25); });
    row("x.multinomial(2, replacement=True)", Alloc, 16, [](const Tensor& t) { (void)multinomial(t, 2, true); });
    row("x.uniform_()", InPlace, 16, [](const Tensor& t) { uniform_(t); });
    row("x.uniform_(-1.0, 1.5)", InPlace, 16, [](const Tensor& t) { uniform_(t, -1, 1.5); });
    row("x.normal_(0.0, 2.0)", InPlace, 16, [](const Tensor& t) { normal_(t, 0, 2); });
    row("x.random_()", InPlace, 16, [](const Tensor& t) { random_(t); });
    row("x.random_(0, 7)", InPlace, 16, [](const Tensor& t) { random_(t, 7); });
    row("x.random_(3, None)", InPlace, 16, [](const Tensor& t) { random_(t, 3, std::nullopt); });
    row("x.bernoulli_(0.5)", InPlace, 16, [](const Tensor& t) { bernoulli_(t); });
    row("x.bernoulli_(x2)", InPlace, 16, [](const Tensor& t) { bernoulli_(t, t); });
    row("x.exponential_(2.0)", InPlace, 16, [](const Tensor& t) { exponential_(t, 2); });
    row("x.geometric_(0.5)", InPlace, 16, [](const Tensor& t) { geometric_(t, 0.5); });
    row("x.log_normal_()", InPlace, 16, [](const Tensor& t) { logNormal_(t); });
    row("x.cauchy_()", InPlace, 16, [](const Tensor& t) { cauchy_(t); });
}

void TestRandom::publishes() {
    using Action = std::function<void(const Tensor&)>;
    QFETCH(Action, action);
    QFETCH(QString, line);
    QFETCH(OpEffect, effect);
    QFETCH(int, allocated);
    QFETCH(int, written);
    const Tensor t = full({4}, 0.5);
    std::vector<OpRecord> records;
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        action(t);
    }
    QCOMPARE(records.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(code::expression(records[0], {})), line);
    QCOMPARE(records[0].effect, effect);
    QCOMPARE(int(records[0].bytesAllocated), allocated);
    QCOMPARE(int(records[0].bytesWritten), written);
    QCOMPARE(records[0].outputs.size(), std::size_t{1});
}

void TestRandom::threadsShareTheGenerator() {
    // Together, two threads draw what one would: no number twice, none lost.
    constexpr int kCalls = 200;
    std::vector<std::uint32_t> drawn[2];
    std::vector<std::thread> threads;
    for (auto& numbers : drawn) {
        threads.emplace_back([&numbers] {
            for (int i = 0; i < kCalls; ++i) {
                const Tensor t = randint(Index{1} << 32, {7}, as(DType::Float64));
                for (const Scalar s : elementsOf(t)) numbers.push_back(static_cast<std::uint32_t>(s.toDouble()));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<std::uint32_t> together = drawn[0];
    together.insert(together.end(), drawn[1].begin(), drawn[1].end());
    Generator reference(0);
    std::vector<std::uint32_t> words(2 * 7 * 2 * kCalls), expected;
    reference.fill(words);
    for (std::size_t i = 1; i < words.size(); i += 2) expected.push_back(words[i]); // modulo 2^32: the lower halves
    std::sort(together.begin(), together.end());
    std::sort(expected.begin(), expected.end());
    QVERIFY(together == expected);
}

void TestRandom::cancelledJobsEnd() {
    const Tensor t = zeros({3 << 18}), strided = slice(zeros({3 << 19}), 0, std::nullopt, std::nullopt, 2);
    const std::function<void()> actions[] = {
        [&] { uniform_(t); },      [&] { uniform_(strided); },         [&] { normal_(t); },
        [&] { normal_(strided); }, [&] { (void)randperm(t.numel()); }, [&] { bernoulli_(t, 0.5); }};
    for (const auto& action : actions) {
        Job job;
        job.cancel();
        const JobScope scope(job);
        const auto refusal = refusalOf(action);
        QVERIFY(refusal);
        QCOMPARE(refusal->id, std::string("JOB-01"));
    }
    uniform_(t); // the generator is free again
}

QTEST_GUILESS_MAIN(TestRandom)
#include "tst_random.moc"
