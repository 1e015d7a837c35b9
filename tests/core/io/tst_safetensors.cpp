// safetensors: files by hand, damaged ones, and what we write read back.

#include "core/io/safetensors.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/core/io/exercise_readers.h"
#include "tests/core/io/safetensors_corpus.h"
#include "tests/support/view_zoo.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <fstream>
#include <random>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

using corpus::kData;
const auto& file = corpus::safetensorsFile;
const auto& entry = corpus::safetensorsEntry;

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads();
    void tensorsAreViewsOfOneStorage();
    void refuses_data();
    void refuses();
    void skipsWhatDoesNotExistHere();
    void survivesDamage();
    void roundTrip();
    void refusesToWrite();
};

void TestSafetensors::reads() {
    const std::string json = "{\"b\\u00e9\":" + entry("I32", "[2]", "[8,16]") +
                             " , \"__metadata__\":{\"k\":\"v\"}, \"a\":" + entry("F32", "[2,1]", "[0,8]") + "}   ";
    const auto opened = safetensorsFromBytes(exercise::inMemory(file(json, kData)));
    QVERIFY2(opened.ok(), opened ? "" : opened.refusal().message.c_str());
    QCOMPARE(opened->arrays.size(), std::size_t{2});
    QCOMPARE(QString::fromStdString(opened->arrays[0].name), QStringLiteral("a"));
    QCOMPARE(QString::fromStdString(opened->arrays[1].name), QString::fromUtf8("b\u00e9"));
    QCOMPARE(opened->arrays[1].tensor.dtype(), DType::Int32);
    QCOMPARE(readSlot(opened->arrays[1].tensor, 0).toInt(), Index{0x01010101});
    QCOMPARE(opened->metadata.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(opened->metadata[0].second), QStringLiteral("v"));
    QVERIFY(safetensorsFromBytes(exercise::inMemory(file("{}", ""))).ok());
}

void TestSafetensors::tensorsAreViewsOfOneStorage() {
    // The data begins at a multiple of 8, or one byte behind one.
    const auto opened = [](std::string json, std::size_t odd) {
        json.resize((json.size() + 7) / 8 * 8 + odd, ' ');
        return safetensorsFromBytes(exercise::inMemory(file(json, kData)));
    };
    const std::string json = "{\"a\":" + entry("F32", "[2]", "[0,8]") + ",\"b\":" + entry("I16", "[2,1]", "[8,12]") +
                             ",\"c\":" + entry("BOOL", "[4]", "[12,16]") + "}";
    const auto even = opened(json, 0);
    QVERIFY2(even.ok(), even ? "" : even.refusal().message.c_str());
    const Tensor &a = even->arrays[0].tensor, &b = even->arrays[1].tensor, &c = even->arrays[2].tensor;
    QCOMPARE(a.storage(), b.storage());
    QCOMPARE(a.storage()->bytes(), std::size_t{16});
    QCOMPARE(a.storageOffset(), Index{0});
    QCOMPARE(b.storageOffset(), Index{4});
    QVERIFY(c.storage() != a.storage()); // a copy: its bytes must be 0 or 1
    const auto odd = opened(json, 1);
    QVERIFY(odd.ok());
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor& t = odd->arrays[i].tensor;
        QVERIFY(checkInBounds(t.view(), t.storageNumel()).ok());
        QVERIFY(test::elementsOf(t) == test::elementsOf(even->arrays[i].tensor));
        QVERIFY(t.storage()->bytes() < 16); // copied, as nothing in it is aligned
    }
}

void TestSafetensors::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("id");
    for (const corpus::SafetensorsCase& c : corpus::safetensorsCases()) {
        if (!c.id.empty())
            QTest::newRow(c.name.c_str()) << QByteArray::fromStdString(c.bytes) << QString::fromStdString(c.id);
    }
}

void TestSafetensors::refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, id);
    const auto opened = safetensorsFromBytes(exercise::inMemory(bytes.toStdString()));
    QVERIFY(!opened.ok());
    QCOMPARE(QString::fromStdString(opened.refusal().id), id);
    exercise::checkRefusal(opened.refusal());
}

void TestSafetensors::skipsWhatDoesNotExistHere() {
    const auto opened = safetensorsFromBytes(exercise::inMemory(
        file("{\"a\":" + entry("BF16", "[4]", "[0,8]") + ",\"b\":" + entry("F32", "[2]", "[8,16]") + "}", kData)));
    QVERIFY(opened.ok());
    QCOMPARE(opened->arrays.size(), std::size_t{1});
    QCOMPARE(opened->skipped.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(opened->skipped[0].refusal.id), QStringLiteral("ST-13"));
    Budget small;
    small.maxEntries = 1;
    const std::string two =
        file("{\"a\":" + entry("U8", "[8]", "[0,8]") + ",\"b\":" + entry("F32", "[2]", "[8,16]") + "}", kData);
    QCOMPARE(QString::fromStdString(safetensorsFromBytes(exercise::inMemory(two), small).refusal().id),
             QStringLiteral("ST-05"));
}

void TestSafetensors::survivesDamage() {
    for (const corpus::SafetensorsCase& c : corpus::safetensorsCases()) exercise::safetensors(c.bytes);
    const std::string good =
        file("{\"a\":" + entry("F64", "[1]", "[0,8]") + ",\"b\":" + entry("BOOL", "[8]", "[8,16]") + "}", kData);
    std::mt19937 random(3);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = good.substr(0, round % 4 == 0 ? random() % (good.size() + 1) : good.size());
        for (unsigned i = 0; i < random() % 4 && !bytes.empty(); ++i)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        exercise::safetensors(bytes);
    }
}

void TestSafetensors::roundTrip() {
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
    std::vector<std::pair<std::string, Tensor>> tensors;
    for (const DType dtype : kRealDTypes)
        for (const test::ZooView& layout : test::zooViews())
            if (layout.view.numel() < 4096)
                tensors.emplace_back(std::string(name(dtype)) + " " + layout.name, test::zooTensor(layout, dtype));
    tensors.emplace_back("complex", full({3}, Scalar(Complex<double>{1, -2})));
    const std::vector<std::pair<std::string, std::string>> metadata{{"quote\"", "line\nend \u20ac"}, {"", "x"}};
    QVERIFY(writeSafetensors(tensors, metadata, path).ok());
    const auto opened = openSafetensors(path);
    QVERIFY2(opened.ok(), opened ? "" : opened.refusal().message.c_str());
    QCOMPARE(opened->metadata, metadata);
    QCOMPARE(opened->arrays.size(), tensors.size());
    for (const OpenedArray& array : opened->arrays) {
        QVERIFY(array.notes.empty()); // nothing had to be copied for its place
        const auto original =
            std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.first == array.name; });
        QVERIFY2(original != tensors.end(), array.name.c_str());
        QCOMPARE(array.tensor.dtype(), original->second.dtype());
        QCOMPARE(array.tensor.shape(), original->second.shape());
        const auto before = test::elementsOf(original->second), after = test::elementsOf(array.tensor);
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY2(before[i] == after[i] || before[i].toDouble() != before[i].toDouble(), array.name.c_str());
    }
    std::ifstream stream(path, std::ios::binary);
    std::string head(8, '\0');
    stream.read(head.data(), 8);
    std::uint64_t length = 0;
    std::memcpy(&length, head.data(), 8);
    QCOMPARE((8 + length) % 64, std::uint64_t{0});
}

void TestSafetensors::refusesToWrite() {
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "t.safetensors";
    const auto id = [&](const std::vector<std::pair<std::string, Tensor>>& tensors) {
        const auto saved = writeSafetensors(tensors, {}, path);
        return saved ? QString() : QString::fromStdString(saved.refusal().id);
    };
    QCOMPARE(id({{"", ones({1})}}), QStringLiteral("ST-14"));
    QCOMPARE(id({{"a", ones({1})}, {"a", ones({1})}}), QStringLiteral("ST-14"));
    QCOMPARE(id({{"__metadata__", ones({1})}}), QStringLiteral("ST-14"));
    QCOMPARE(id({{"a", Tensor()}}), QStringLiteral("IO-17"));
    QVERIFY(!fs::exists(path));
}

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
