// The generator: the Mersenne Twister's stream against the standard library's, states, kept numbers.

#include "core/backend/cpu/isa_table.h"
#include "core/random/generator.h"
#include "tests/support/check_refusal.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <random>
#include <thread>

using namespace stridescope;

namespace {

std::vector<std::uint32_t> draw(Generator& generator, std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    const std::scoped_lock lock(generator.mutex());
    generator.fill(numbers);
    return numbers;
}

std::vector<std::byte> bytes(const Generator::State& state) {
    return {state.begin(), state.end()};
}

template <class T>
void put(std::vector<std::byte>& state, std::size_t at, T value) {
    std::memcpy(state.data() + at, &value, sizeof value);
}

} // namespace

class TestGenerator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { cpu::forceIsa(*cpu::isaByName(m_isa.c_str())); }
    void initTestCase() { m_isa = cpu::isa().name; }

    void streamIsTheMersenneTwister_data();
    void streamIsTheMersenneTwister();
    void knownNumbers();
    void anyCutsGiveOneStream();
    void seedsAreRemembered();
    void statesGoOn_data();
    void statesGoOn();
    void stateLayout();
    void oldStatesAreRead();
    void refusesStates_data();
    void refusesStates();
    void keepsOneNormal();
    void setsOfInstructionsAgree();

private:
    std::string m_isa;
};

void TestGenerator::streamIsTheMersenneTwister_data() {
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<QString>("isa");
    for (const char* isa : {"plain", "avx2", "avx512"}) {
        if (!cpu::isaByName(isa)) continue;
        for (const quint64 seed :
             {quint64{0}, quint64{1}, quint64{5489}, quint64{0xffffffff}, quint64{67280421310721}, ~quint64{0}})
            QTest::newRow(qPrintable(QString("%1, seed %2").arg(isa).arg(seed))) << seed << QString(isa);
    }
}

void TestGenerator::streamIsTheMersenneTwister() {
    QFETCH(quint64, seed);
    QFETCH(QString, isa);
    cpu::forceIsa(*cpu::isaByName(isa.toUtf8().constData()));
    Generator generator(seed);
    std::mt19937 reference(static_cast<std::uint32_t>(seed));
    const auto numbers = draw(generator, 5000);
    for (std::size_t i = 0; i < numbers.size(); ++i) QVERIFY2(numbers[i] == reference(), std::to_string(i).c_str());
}

void TestGenerator::knownNumbers() {
    // The C++ standard promises the 10000th number of the default seed.
    Generator generator(5489);
    const auto numbers = draw(generator, 10000);
    QCOMPARE(numbers.front(), 3499211612u);
    QCOMPARE(numbers.back(), 4123659995u);
}

void TestGenerator::anyCutsGiveOneStream() {
    Generator whole(3), parts(3);
    const auto expected = draw(whole, 3000);
    std::vector<std::uint32_t> got;
    for (std::size_t size = 0; got.size() < expected.size(); size = (size * 7 + 3) % 641) {
        const auto part = draw(parts, std::min(size, expected.size() - got.size()));
        got.insert(got.end(), part.begin(), part.end());
    }
    QVERIFY(got == expected);
    QVERIFY(whole.state() == parts.state());
}

void TestGenerator::seedsAreRemembered() {
    Generator generator;
    QCOMPARE(generator.initialSeed(), Generator::kFirstSeed);
    generator.manualSeed(~std::uint64_t{0});
    QCOMPARE(generator.initialSeed(), ~std::uint64_t{0});
    (void)draw(generator, 10);
    QCOMPARE(generator.initialSeed(), ~std::uint64_t{0});
    const std::uint64_t first = generator.seed();
    QCOMPARE(generator.initialSeed(), first);
    QVERIFY(first != generator.seed());
    QVERIFY(&defaultGenerator() == &defaultGenerator());
}

void TestGenerator::statesGoOn_data() {
    QTest::addColumn<int>("drawn");
    for (const int drawn : {0, 1, 2, 623, 624, 625, 1000, 1248}) QTest::addRow("after %d", drawn) << drawn;
}

void TestGenerator::statesGoOn() {
    QFETCH(int, drawn);
    Generator generator(11), other(99);
    (void)draw(generator, static_cast<std::size_t>(drawn));
    generator.keepNormal(0.25);
    const Generator::State state = generator.state();
    const auto expected = draw(generator, 1300);
    (void)draw(other, 5);
    other.keepNormal(7);
    QVERIFY(other.setState(state).ok());
    QVERIFY(other.state() == state);
    QCOMPARE(other.initialSeed(), std::uint64_t{11});
    QVERIFY(draw(other, 1300) == expected);
    QCOMPARE(other.takeNormal().value_or(0), 0.25);
    QVERIFY(!other.takeNormal());
}

void TestGenerator::stateLayout() {
    // Offsets of torch.get_rng_state(): after manual_seed(5) and three draws, 622 are left, the next is number 3.
    Generator generator(5);
    (void)draw(generator, 3);
    generator.keepNormal(-1.5);
    const Generator::State state = generator.state();
    const auto at = [&]<class T>(std::size_t offset, T) {
        T value;
        std::memcpy(&value, state.data() + offset, sizeof value);
        return value;
    };
    QCOMPARE(state.size(), std::size_t{5056});
    QCOMPARE(at(0, std::uint64_t{}), std::uint64_t{5});
    QCOMPARE(at(8, std::int32_t{}), 622);
    QCOMPARE(at(12, std::int32_t{}), 1);
    QCOMPARE(at(16, std::uint64_t{}), std::uint64_t{3});
    QCOMPARE(at(5024, double{}), -1.5);
    QCOMPARE(at(5040, std::int32_t{}), 1);
}

void TestGenerator::oldStatesAreRead() {
    Generator generator(5), other(6);
    (void)draw(generator, 3);
    const Generator::State state = generator.state();
    QVERIFY(other.setState(std::span(state).first(5048)).ok());
    QVERIFY(other.state() == state);
}

void TestGenerator::refusesStates_data() {
    QTest::addColumn<std::function<void(std::vector<std::byte>&)>>("change");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* name, const char* id, std::function<void(std::vector<std::byte>&)> change) {
        QTest::newRow(name) << std::move(change) << id;
    };
    using Bytes = std::vector<std::byte>;
    row("empty", "RNG-23", [](Bytes& s) { s.clear(); });
    row("one byte less", "RNG-23", [](Bytes& s) { s.pop_back(); });
    row("one byte more", "RNG-23", [](Bytes& s) { s.push_back({}); });
    row("zeros", "RNG-24", [](Bytes& s) { s.assign(s.size(), {}); });
    row("not seeded", "RNG-24", [](Bytes& s) { put(s, 12, 0); });
    row("none left", "RNG-24", [](Bytes& s) { put(s, 8, 0); });
    row("less than none", "RNG-24", [](Bytes& s) { put(s, 8, -5); });
    row("too many left", "RNG-24", [](Bytes& s) { put(s, 8, 625); });
    row("past the end", "RNG-24", [](Bytes& s) { put(s, 16, std::uint64_t{625}); });
    row("past all ends", "RNG-24", [](Bytes& s) { put(s, 16, ~std::uint64_t{0}); });
    row("more left than there are", "RNG-24", [](Bytes& s) { put(s, 16, std::uint64_t{300}); });
}

void TestGenerator::refusesStates() {
    using Change = std::function<void(std::vector<std::byte>&)>;
    QFETCH(Change, change);
    QFETCH(QString, id);
    Generator generator(5);
    (void)draw(generator, 100);
    const Generator::State before = generator.state();
    std::vector<std::byte> state = bytes(before);
    change(state);
    const auto result = generator.setState(state);
    QVERIFY(!result.ok());
    QCOMPARE(QString::fromStdString(result.refusal().id), id);
    QVERIFY(generator.state() == before);
}

void TestGenerator::keepsOneNormal() {
    Generator generator(1);
    QVERIFY(!generator.keepsNormal());
    generator.keepNormal(2.5);
    QVERIFY(generator.keepsNormal());
    generator.manualSeed(1);
    QVERIFY(!generator.keepsNormal());
}

void TestGenerator::setsOfInstructionsAgree() {
    // All inputs that a block can have: 2^24 uniform numbers, here every 37th, as radius and as angle.
    std::vector<float> uniform;
    for (std::uint32_t i = 0; i < (1u << 24); i += 37) uniform.push_back(static_cast<float>(i) * 0x1p-24f);
    uniform.push_back(1.0f - 0x1p-24f);
    while (uniform.size() % 8 != 0) uniform.push_back(0);
    std::vector<float> input;
    for (std::size_t i = 0; i < uniform.size(); i += 8) {
        input.insert(input.end(), uniform.begin() + static_cast<std::ptrdiff_t>(i),
                     uniform.begin() + static_cast<std::ptrdiff_t>(i) + 8);
        for (std::size_t k = 8; k > 0; --k) input.push_back(uniform[(i * 5 + k) % uniform.size()]);
    }
    const Index blocks = static_cast<Index>(input.size() / 16);
    std::vector<float> expected = input;
    cpu::isaByName("plain")->random.normalBlocks(expected.data(), blocks, 0.5f, 2.0f);
    for (const char* name : {"avx2", "avx512"}) {
        const cpu::IsaTable* isa = cpu::isaByName(name);
        if (!isa) continue;
        std::vector<float> got = input;
        isa->random.normalBlocks(got.data(), blocks, 0.5f, 2.0f);
        QVERIFY2(std::memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0, name);
    }
    // And they are what Box and Muller's formula says, within the precision of single numbers.
    for (std::size_t i = 0; i < expected.size(); i += 16) {
        for (std::size_t k = 0; k < 8; ++k) {
            const double radius = std::sqrt(-2.0 * std::log(1.0 - input[i + k]));
            const double angle = 2 * 3.14159265358979323846 * input[i + k + 8];
            QVERIFY(std::abs(expected[i + k] - (0.5 + 2 * radius * std::cos(angle))) < 1e-5);
            QVERIFY(std::abs(expected[i + k + 8] - (0.5 + 2 * radius * std::sin(angle))) < 1e-5);
        }
    }
}

QTEST_GUILESS_MAIN(TestGenerator)
#include "tst_generator.moc"
