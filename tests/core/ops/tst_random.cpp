// Random numbers: bit for bit those of PyTorch 1.13 on the CPU, on every layout; refusals leave all as it was.

#include "core/backend/cpu/isa_table.h"
#include "core/ops/copy.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/tensor/walk.h"
#include "core/trace/code.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QtTest>

#include <cmath>
#include <limits>
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

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

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
    void overlapIsRefused_data();
    void overlapIsRefused();
    void refuses_data();
    void refuses();
    void emptyTensorsTakeNoDraws();
    void ownGenerators();
    void statesAsTensors();
    void probabilitiesMayBeTheOutput();
    void likesKeepLayout();
    void newTensorsAreWritten();
    void publishes_data();
    void publishes();
    void threadsShareTheGenerator();

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
    QFile file(STRIDESCOPE_TEST_DATA "/core/ops/data/random_cases.txt");
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
    for (const DType dtype : kAllDTypes) {
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

void TestRandom::overlapIsRefused_data() {
    QTest::addColumn<std::size_t>("layout");
    for (std::size_t i = 0; i < zooViews().size(); ++i)
        if (zooViews()[i].overlaps) QTest::newRow(zooViews()[i].name.c_str()) << i;
}

void TestRandom::overlapIsRefused() {
    QFETCH(std::size_t, layout);
    const Tensor t = zooTensor(zooViews()[layout], DType::Float32);
    const auto before = bytesOf(t);
    const auto state = bytesOf(rngState());
    const std::function<void()> actions[] = {
        [&] { uniform_(t); },        [&] { normal_(t); },
        [&] { logNormal_(t); },      [&] { exponential_(t); },
        [&] { cauchy_(t); },         [&] { geometric_(t, 0.5); },
        [&] { random_(t); },         [&] { random_(t, 5); },
        [&] { bernoulli_(t, 0.5); }, [&] { bernoulli_(t, tensorFrom(0.5)); },
    };
    for (const auto& action : actions) {
        const auto refusal = refusalOf(action);
        QVERIFY(refusal);
        QCOMPARE(refusal->id, std::string("OVERLAP-01"));
        QVERIFY(bytesOf(t) == before);
        QVERIFY(bytesOf(rngState()) == state);
    }
}

void TestRandom::refuses_data() {
    QTest::addColumn<std::function<void(const Tensor&)>>("action");
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<QString>("id");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    using Action = std::function<void(const Tensor&)>;
    const auto row = [](const char* name, DType dtype, const char* id, const char* words, Action action,
                        ErrorKind kind = ErrorKind::Runtime) {
        QTest::newRow(name) << std::move(action) << dtype << id << kind << words;
    };
    constexpr DType U8 = DType::UInt8, I8 = DType::Int8, I16 = DType::Int16, I32 = DType::Int32, I64 = DType::Int64,
                    F16 = DType::Float16, F32 = DType::Float32, F64 = DType::Float64, B = DType::Bool;
    constexpr ErrorKind NotImplemented = ErrorKind::NotImplemented;
    constexpr Index kLowest = std::numeric_limits<Index>::min();

    row("from is to", I64, "RNG-01", "'from' to be less than 'to', but got from=5 >= to=5",
        [](const Tensor& t) { random_(t, 5, 5); });
    row("from above to", I64, "RNG-01", "from=5 >= to=3", [](const Tensor&) { (void)randint(5, 3, {2}); });
    row("to 0", I64, "RNG-01", "from=0 >= to=0", [](const Tensor& t) { random_(t, 0); });
    row("to below 0", I64, "RNG-01", "from=0 >= to=-3", [](const Tensor&) { (void)randint(-3, {2}); });
    row("like, from above to", F32, "RNG-01", "from=5 >= to=3", [](const Tensor& t) { (void)randintLike(t, 5, 3); });
    row("to past uint8", U8, "RNG-02", "to - 1 is out of bounds for unsigned char",
        [](const Tensor& t) { random_(t, 0, 257); });
    row("below uint8", U8, "RNG-02", "from is out of bounds for unsigned char",
        [](const Tensor& t) { random_(t, -1, 3); });
    row("below uint8, open", U8, "RNG-02", "from is out of bounds for unsigned char",
        [](const Tensor& t) { random_(t, -5, std::nullopt); });
    row("below int8", I8, "RNG-02", "from is out of bounds for signed char",
        [](const Tensor& t) { random_(t, -129, 3); });
    row("past int16", I16, "RNG-02", "to - 1 is out of bounds for short int",
        [](const Tensor& t) { random_(t, 0, 32769); });
    row("past int32", I32, "RNG-02", "to - 1 is out of bounds for int",
        [](const Tensor& t) { random_(t, 0, Index{1} << 40); });
    row("past bool", B, "RNG-02", "to - 1 is out of bounds for bool", [](const Tensor& t) { random_(t, 0, 3); });
    row("past bool, no elements", B, "RNG-02", "out of bounds",
        [](const Tensor&) { (void)randint(0, 10, {0}, as(DType::Bool)); });
    row("past float16", F16, "RNG-02", "to - 1 is out of bounds for c10::Half",
        [](const Tensor& t) { random_(t, 0, 70000); });
    row("from past float16", F16, "RNG-02", "from is out of bounds for c10::Half",
        [](const Tensor& t) { random_(t, 70000, 80000); });
    row("open, past float16's bits", F16, "RNG-03", "but got from=2048 > to_inc=2048",
        [](const Tensor& t) { random_(t, 2048, std::nullopt); });
    row("all bits of int32", I32, "RNG-14", "handles only int64, double, float and bfloat16",
        [](const Tensor& t) { random_(t, kLowest, std::nullopt); });
    row(
        "all bits of float16", F16, "RNG-13", "\"random_full_64_bits_range_kernel_cpu\" not implemented for 'Half'",
        [](const Tensor& t) { random_(t, kLowest, std::nullopt); }, NotImplemented);

    row(
        "uniform of int", I64, "RNG-13", "\"check_uniform_bounds\" not implemented for 'Long'",
        [](const Tensor& t) { uniform_(t); }, NotImplemented);
    row(
        "rand of int", I32, "RNG-13", "\"check_uniform_bounds\" not implemented for 'Int'",
        [](const Tensor&) { (void)rand({2}, as(DType::Int32)); }, NotImplemented);
    row(
        "rand of int, no elements", I32, "RNG-13", "not implemented for 'Int'",
        [](const Tensor&) { (void)rand({0}, as(DType::Int32)); }, NotImplemented);
    row(
        "rand_like of bool", B, "RNG-13", "not implemented for 'Bool'", [](const Tensor& t) { (void)randLike(t); },
        NotImplemented);
    row("uniform, swapped", F32, "RNG-04", "but found from=3 > to=2", [](const Tensor& t) { uniform_(t, 3, 2); });
    row("uniform from nan", F32, "RNG-02", "from is out of bounds for float",
        [](const Tensor& t) { uniform_(t, kNan, 2); });
    row("uniform to inf", F32, "RNG-02", "to is out of bounds for float",
        [](const Tensor& t) { uniform_(t, 0, kInf); });
    row("uniform past float16", F16, "RNG-02", "to is out of bounds for c10::Half",
        [](const Tensor& t) { uniform_(t, 0, 70000); });
    row("uniform too wide", F32, "RNG-05", "numeric_limits<Float>::max(), but found to=3e+38 and from=-3e+38",
        [](const Tensor& t) { uniform_(t, -3e38, 3e38); });
    row("uniform too wide, double", F64, "RNG-05", "numeric_limits<Double>::max()",
        [](const Tensor& t) { uniform_(t, -1e308, 1e308); });

    row("std below 0", F32, "RNG-06", "normal expects std >= 0.0, but found std -1",
        [](const Tensor& t) { normal_(t, 0, -1); });
    row("std nan", F32, "RNG-06", "but found std nan", [](const Tensor& t) { normal_(t, 0, kNan); });
    row("std below 0, no elements", F32, "RNG-06", "std -1", [](const Tensor&) { normal_(zeros({0}), 0, -1); });
    row("normal of mean, std below 0", F32, "RNG-06", "std -0.5", [](const Tensor& t) { (void)normal(t, -0.5); });
    row("normal of numbers", F32, "RNG-06", "std -2", [](const Tensor&) { (void)normal(0, -2, Dims{2}); });
    row("stds below 0", F32, "RNG-07", "normal expects all elements of std >= 0.0", [](const Tensor& t) {
        (void)normal(t, tensorFrom({1.0, -1.0, 1.0, 1.0}));
    });
    row("stds nan", F32, "RNG-07", "all elements of std >= 0.0", [](const Tensor&) {
        (void)normal(0.5, tensorFrom({1.0, kNan}));
    });
    row("mean and std apart", F32, "VIEW-34", "must match the size",
        [](const Tensor& t) { (void)normal(t, ones({3})); });
    row(
        "normal of int", I64, "RNG-13", "\"normal_kernel_cpu\" not implemented for 'Long'",
        [](const Tensor& t) { normal_(t); }, NotImplemented);
    row(
        "normal, int mean", I64, "RNG-13", "\"normal_kernel_cpu\" not implemented for 'Long'",
        [](const Tensor& t) { (void)normal(t, 1.0); }, NotImplemented);
    row(
        "randn of int, no elements", U8, "RNG-13", "\"normal_kernel_cpu\" not implemented for 'Byte'",
        [](const Tensor&) { (void)randn({0}, as(DType::UInt8)); }, NotImplemented);
    row("log_normal std 0", F32, "RNG-08", "log_normal_ expects std > 0.0, but found std=0",
        [](const Tensor& t) { logNormal_(t, 0, 0); });
    row(
        "log_normal of int", I8, "RNG-13", "\"log_normal_cpu\" not implemented for 'Char'",
        [](const Tensor& t) { logNormal_(t); }, NotImplemented);

    row("lambda below 0", F32, "RNG-09", "exponential_ expects lambda >= 0.0, but found lambda=-1",
        [](const Tensor& t) { exponential_(t, -1); });
    row("lambda nan", F32, "RNG-09", "lambda=nan", [](const Tensor& t) { exponential_(t, kNan); });
    row(
        "exponential of int", I16, "RNG-13", "\"exponential_cpu\" not implemented for 'Short'",
        [](const Tensor& t) { exponential_(t); }, NotImplemented);
    row("geometric 0", F32, "RNG-10", "geometric_ expects p to be in (0, 1), but got p=0",
        [](const Tensor& t) { geometric_(t, 0); });
    row("geometric 1", F32, "RNG-10", "but got p=1", [](const Tensor& t) { geometric_(t, 1); });
    row(
        "geometric of bool", B, "RNG-13", "\"geometric_cpu\" not implemented for 'Bool'",
        [](const Tensor& t) { geometric_(t, 0.5); }, NotImplemented);
    row(
        "cauchy of bool", B, "RNG-13", "\"cauchy_cpu\" not implemented for 'Bool'", [](const Tensor& t) { cauchy_(t); },
        NotImplemented);

    row("p below 0", F32, "RNG-11", "bernoulli_ expects p to be in [0, 1], but got p=-0.1",
        [](const Tensor& t) { bernoulli_(t, -0.1); });
    row("p nan", F32, "RNG-11", "but got p=nan", [](const Tensor& t) { (void)bernoulli(t, kNan); });
    row(
        "bernoulli of float16", F16, "RNG-13", "\"bernoulli_scalar_cpu_\" not implemented for 'Half'",
        [](const Tensor& t) { bernoulli_(t, 0.5); }, NotImplemented);
    row("one p above 1", F32, "RNG-12", "Expected p_in >= 0 && p_in <= 1 to be true, but got false.",
        [](const Tensor& t) {
            bernoulli_(t, tensorFrom({0.5, 0.5, 0.5, 1.5}));
        });
    row("one p nan", F32, "RNG-12", "p_in >= 0", [](const Tensor&) { (void)bernoulli(tensorFrom({0.5, kNan})); });
    row(
        "p of ints", F32, "RNG-13", "\"bernoulli_tensor_cpu_p_\" not implemented for 'Long'",
        [](const Tensor& t) {
            bernoulli_(t, tensorFrom({1, 0, 0, 1}));
        },
        NotImplemented);
    row(
        "p of float16", F32, "RNG-13", "\"bernoulli_tensor_cpu_p_\" not implemented for 'Half'",
        [](const Tensor& t) { bernoulli_(t, zeros({4}, as(DType::Float16))); }, NotImplemented);
    row(
        "p for float16", F16, "RNG-13", "\"bernoulli_tensor_cpu_self_\" not implemented for 'Half'",
        [](const Tensor& t) { bernoulli_(t, zeros({4})); }, NotImplemented);
    row("p of another shape", F32, "VIEW-20", "must match the existing size (3)",
        [](const Tensor& t) { bernoulli_(t, zeros({3})); });
    row("p with more dims", F32, "VIEW-19", "", [](const Tensor& t) { bernoulli_(t, zeros({2, 4})); });
    row("p overlaps in part", F32, "OVERLAP-03", "refer to a single memory location", [](const Tensor&) {
        const Tensor both = rand({5});
        bernoulli_(narrow(both, 0, 1, 4), narrow(both, 0, 0, 4));
    });

    row("randperm below 0", I64, "VIEW-12", "-1", [](const Tensor&) { (void)randperm(-1); });
    row("randperm past uint8", I64, "RNG-15", "without overflow",
        [](const Tensor&) { (void)randperm(257, as(DType::UInt8)); });
    row("randperm past float16", I64, "RNG-15", "n cannot be greater than 2049 for Half type.",
        [](const Tensor&) { (void)randperm(2050, as(DType::Float16)); });
    row(
        "randperm of bool", B, "RNG-13", "\"randperm\" not implemented for 'Bool'",
        [](const Tensor&) { (void)randperm(2, as(DType::Bool)); }, NotImplemented);

    row("weights of three dims", F32, "RNG-16", "prob_dist must be 1 or 2 dim", [](const Tensor&) {
        (void)multinomial(ones({2, 2, 2}), 1);
    });
    row("weights without dims", F32, "RNG-16", "prob_dist must be 1 or 2 dim",
        [](const Tensor&) { (void)multinomial(ones({}), 1); });
    row("no samples", F32, "RNG-17", "cannot sample n_sample <= 0 samples",
        [](const Tensor& t) { (void)multinomial(t, 0); });
    row("too many samples", F32, "RNG-18", "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
        [](const Tensor& t) { (void)multinomial(t, 5); });
    row("too many categories", F32, "RNG-19", "number of categories cannot exceed 2^24",
        [](const Tensor&) { (void)multinomial(expand(ones({1}), {(1 << 24) + 1}), 1); });
    row("weight below 0", F32, "RNG-20", "probability tensor contains either `inf`, `nan` or element < 0",
        [](const Tensor&) {
            (void)multinomial(tensorFrom({1.0, -1.0}), 1);
        });
    row("weight inf", F32, "RNG-20", "encountering probability entry = infinity or NaN", [](const Tensor&) {
        (void)multinomial(tensorFrom({1.0, kInf}), 1, true);
    });
    row("weight nan", F32, "RNG-20", "encountering probability entry < 0", [](const Tensor&) {
        (void)multinomial(tensorFrom({1.0, kNan}), 1, true);
    });
    row("a row of zeros", F32, "RNG-21", "sum of probabilities <= 0", [](const Tensor&) {
        (void)multinomial(tensorFrom({{1.0, 1.0}, {0.0, 0.0}}), 1, true);
    });
    row("no categories", F32, "RNG-21", "sum of probabilities <= 0", [](const Tensor&) {
        (void)multinomial(zeros({3, 0}), 1, true);
    });
    row(
        "weights of ints", I64, "RNG-22", "multinomial only supports floating-point dtypes for input, got: Long",
        [](const Tensor& t) { (void)multinomial(t, 1); }, NotImplemented);
    row(
        "weights of float16", F16, "RNG-22", "multinomial is not implemented for half on CPU",
        [](const Tensor& t) { (void)multinomial(t, 1); }, NotImplemented);

    row(
        "state of floats", F32, "RNG-25", "RNG state must be a torch.ByteTensor",
        [](const Tensor& t) { setRngState(t); }, ErrorKind::Type);
    row("state too short", U8, "RNG-23", "but found the input RNG state size to be 4",
        [](const Tensor& t) { setRngState(t); });
    row("state of zeros", U8, "RNG-24", "Invalid mt19937 state",
        [](const Tensor&) { setRngState(zeros({5056}, as(DType::UInt8))); });
    row(
        "undefined", F32, "TENSOR-02", "undefined", [](const Tensor&) { uniform_(Tensor()); }, ErrorKind::Value);
    row(
        "undefined p", F32, "TENSOR-02", "undefined", [](const Tensor& t) { bernoulli_(t, Tensor()); },
        ErrorKind::Value);
    row("negative size", F32, "VIEW-12", "-1", [](const Tensor&) { (void)rand({2, -1}); });
    row("read-only", F32, "WRITE-01", "read-only", [](const Tensor&) {
        static float memory[4] = {};
        const StoragePtr storage = Storage::wrap(
            memory, sizeof memory, Device{}, [] {}, "constant", false);
        normal_(Tensor(storage, View{{4}, {1}, 0}, DType::Float32));
    });
    row(
        "no such device", F32, "DEV-02", "cuda",
        [](const Tensor&) {
            (void)rand({2}, {std::nullopt, Device{DeviceType::Cuda, 77}});
        },
        NotImplemented);
}

void TestRandom::refuses() {
    using Action = std::function<void(const Tensor&)>;
    QFETCH(Action, action);
    QFETCH(DType, dtype);
    QFETCH(QString, id);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    const Tensor t(zooStorage(dtype, 4), View{{4}, {1}, 0}, dtype);
    const auto before = bytesOf(t);
    defaultGenerator().keepNormal(0.125);
    const auto refusal = [&] {
        if (id != "OVERLAP-03") {
            const auto state = bytesOf(rngState());
            const auto result = refusalOf([&] { action(t); });
            if (bytesOf(rngState()) != state) qWarning("the generator has moved");
            return bytesOf(rngState()) == state ? result : std::nullopt;
        }
        return refusalOf([&] { action(t); });
    }();
    QVERIFY(refusal);
    QCOMPARE(QString::fromStdString(refusal->id), id);
    QCOMPARE(refusal->kind, kind);
    QVERIFY2(QString::fromStdString(refusal->message).contains(words), refusal->message.c_str());
    QVERIFY2(QString::fromStdString(refusal->message).section('\n', 0, 0).size() <= 140, refusal->message.c_str());
    QVERIFY(bytesOf(t) == before);
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
    row("x.bernoulli_()", InPlace, 16, [](const Tensor& t) { bernoulli_(t); });
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

QTEST_GUILESS_MAIN(TestRandom)
#include "tst_random.moc"
