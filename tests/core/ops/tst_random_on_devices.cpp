// Random numbers of devices: Philox against published numbers, how they are dealt out against a slow model, and the
// generators that devices have.

#include "core/backend/grid/random.h"
#include "core/backend/sim/sim.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/random.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/random/philox.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <cmath>

using namespace stridescope;

namespace {

constexpr Device kSim{DeviceType::Sim, 0};

TensorOptions on(DType dtype) {
    return {dtype, kSim};
}
std::vector<double> elements(const Tensor& there) {
    const Tensor t = contiguous(to(there, Device{}));
    std::vector<double> all;
    for (Index i = 0; i < t.numel(); ++i)
        all.push_back(
            loadElement(t.storage()->data() + (t.storageOffset() + i) * static_cast<Index>(t.itemSize()), t.dtype())
                .toDouble());
    return all;
}

} // namespace

class TestRandomOnDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        SimOptions options;
        options.devices = 2;
        options.guard = true;
        enableSim(options);
    }
    void cleanupTestCase() { disableSim(); }

    /// Source: the known answers of the authors' library Random123 (kat_vectors).
    void knownAnswers() {
        const auto same = [](const PhiloxNumbers& got, std::array<std::uint32_t, 4> wanted) {
            return std::equal(wanted.begin(), wanted.end(), got.word);
        };
        QVERIFY(same(philox(0, 0, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        const std::uint64_t all = ~std::uint64_t{0};
        QVERIFY(same(philox(all, all, all), {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
        QVERIFY(same(philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
                     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    }

    void dealtOutAsTheModelSays() {
        constexpr Index kThreads = 2048, kCount = 20000;
        manualSeed(12);
        const std::vector<double> first = elements(rand({kCount}, on(DType::Float32)));
        const std::vector<double> second = elements(rand({100}, on(DType::Float32)));
        for (Index i = 0; i < kCount; ++i) {
            const Index call = i / (4 * kThreads), which = i / kThreads % 4, thread = i % kThreads;
            const float u = philoxUniform(
                philox(12, static_cast<std::uint64_t>(call), static_cast<std::uint64_t>(thread)).word[which]);
            QCOMPARE(first[static_cast<std::size_t>(i)], static_cast<double>(u == 1 ? 0 : u));
        }
        // Three calls each, then 100 elements by one block of threads.
        for (Index i = 0; i < 100; ++i)
            QCOMPARE(second[static_cast<std::size_t>(i)],
                     static_cast<double>(philoxUniform(philox(12, 3, static_cast<std::uint64_t>(i)).word[0])));
    }

    void distributions_data() {
        QTest::addColumn<int>("dtype");
        for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64})
            QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
    }
    void distributions() {
        QFETCH(int, dtype);
        const auto type = static_cast<DType>(dtype);
        manualSeed(5);
        constexpr Index kCount = 60000;
        const auto moments = [](const std::vector<double>& x) {
            double mean = 0, square = 0;
            for (const double v : x) mean += v;
            mean /= static_cast<double>(x.size());
            for (const double v : x) square += (v - mean) * (v - mean);
            return std::pair{mean, std::sqrt(square / static_cast<double>(x.size()))};
        };
        // Within five standard errors.
        const double error = 5 / std::sqrt(static_cast<double>(kCount));
        const std::vector<double> uniform = elements(uniform_(zeros({kCount}, on(type)), -1, 3));
        QVERIFY(std::all_of(uniform.begin(), uniform.end(), [](double x) { return x >= -1 && x < 3; }));
        QVERIFY(std::abs(moments(uniform).first - 1) < error * 1.16);
        QVERIFY(std::abs(moments(uniform).second - 4 / std::sqrt(12.0)) < error);
        const std::vector<double> normal = elements(normal_(zeros({kCount}, on(type)), 2, 3));
        QVERIFY(std::abs(moments(normal).first - 2) < error * 3);
        QVERIFY(std::abs(moments(normal).second - 3) < error * 3);
        const auto beyond = std::count_if(normal.begin(), normal.end(), [](double x) { return std::abs(x - 2) > 3; });
        QVERIFY(std::abs(static_cast<double>(beyond) / kCount - 0.3173) < 0.01);
    }

    void seedsStartStreamsAnew() {
        manualSeed(7);
        const std::vector<double> a = elements(randn({50}, on(DType::Float64)));
        const std::vector<double> b = elements(randn({50}, on(DType::Float64)));
        QVERIFY(a != b);
        manualSeed(7);
        QCOMPARE(elements(randn({50}, on(DType::Float64))), a);
        // Each device has its own stream, and none takes from the CPU's.
        QCOMPARE(elements(randn({50}, {DType::Float64, Device{DeviceType::Sim, 1}})), a);
        manualSeed(7);
        const std::vector<double> host = elements(rand({5}, {DType::Float32, Device{}}));
        manualSeed(7);
        (void)rand({5}, on(DType::Float32));
        QCOMPARE(elements(rand({5}, {DType::Float32, Device{}})), host);
    }

    void viewsAreFilledInPlace() {
        manualSeed(1);
        const Tensor t = zeros({6, 10}, on(DType::Float32));
        uniform_(transpose(slice(t, 1, 0, 10, 2), 0, 1), 1, 2);
        const std::vector<double> all = elements(t);
        for (std::size_t i = 0; i < all.size(); ++i) QCOMPARE(all[i] >= 1, i % 2 == 0);
        const Tensor none = rand({0, 3}, on(DType::Float32));
        QCOMPARE(none.numel(), Index{0});
    }

    void generatorsOfTheCpuAreRefused() {
        Generator own(3);
        const std::optional<Refusal> refused = refusalOf([&] { uniform_(zeros({3}, on(DType::Float32)), 0, 1, own); });
        QVERIFY(refused);
        QCOMPARE(refused->id, std::string("RNG-28"));
        const std::optional<Refusal> others = refusalOf([] { randperm(5, {DType::Int64, kSim}); });
        QVERIFY(others);
        QCOMPARE(others->id, std::string("DEV-02")); // not yet
    }
};

QTEST_APPLESS_MAIN(TestRandomOnDevices)
#include "tst_random_on_devices.moc"
