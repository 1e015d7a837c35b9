// What the random operations refuse: by id, with PyTorch's words, and nothing changes, the generator included.

#include "core/backend/backend.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

TensorOptions as(DType dtype) {
    return {dtype, Device{}};
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

} // namespace

class TestRandomRefusals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { manualSeed(0); }

    void overlapIsRefused_data();
    void overlapIsRefused();
    void refuses_data();
    void refuses();
};

void TestRandomRefusals::overlapIsRefused_data() {
    QTest::addColumn<std::size_t>("layout");
    for (std::size_t i = 0; i < zooViews().size(); ++i)
        if (zooViews()[i].overlaps) QTest::newRow(zooViews()[i].name.c_str()) << i;
}

void TestRandomRefusals::overlapIsRefused() {
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

void TestRandomRefusals::refuses_data() {
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
        const Tensor both = full({5}, 0.5);
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
        "no such device", F32, backendOf(DeviceType::Cuda) ? "DEV-01" : "DEV-13", "cuda:77",
        [](const Tensor&) {
            (void)rand({2}, {std::nullopt, Device{DeviceType::Cuda, 77}});
        },
        ErrorKind::Device);
}

void TestRandomRefusals::refuses() {
    using Action = std::function<void(const Tensor&)>;
    QFETCH(Action, action);
    QFETCH(DType, dtype);
    QFETCH(QString, id);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    const Tensor t(zooStorage(dtype, 4), View{{4}, {1}, 0}, dtype);
    const auto before = bytesOf(t);
    defaultGenerator().keepNormal(0.125);
    const auto state = bytesOf(rngState());
    const auto refusal = refusalOf([&] { action(t); });
    QVERIFY(bytesOf(rngState()) == state);
    QVERIFY(refusal);
    QCOMPARE(QString::fromStdString(refusal->id), id);
    QCOMPARE(refusal->kind, kind);
    QVERIFY2(QString::fromStdString(refusal->message).contains(words), refusal->message.c_str());
    // Short but for PyTorch's own words on overlaps.
    QVERIFY2(QString::fromStdString(refusal->message).section('\n', 0, 0).size() <= 190, refusal->message.c_str());
    QVERIFY(bytesOf(t) == before);
}

QTEST_GUILESS_MAIN(TestRandomRefusals)
#include "tst_random_refusals.moc"
