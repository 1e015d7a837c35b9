// safetensors: files by hand, damaged ones, and what we write read back.

#include "core/io/safetensors.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/core/io/exercise_readers.h"
#include "tests/support/view_zoo.h"

#include <QtTest>

#include <cstring>
#include <fstream>
#include <random>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

std::string file(const std::string& json, const std::string& data) {
    std::string bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>((json.size() >> (8 * i)) & 0xFF);
    return bytes + json + data;
}

std::string entry(const char* dtype, const char* shape, const char* offsets) {
    return std::string("{\"dtype\":\"") + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

const std::string kData(16, '\x01');

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads();
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

void TestSafetensors::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* name, const std::string& bytes, const char* id) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << id;
    };
    const auto one = [](const std::string& described) { return file("{\"a\":" + described + "}", kData); };
    row("empty", "", "ST-01");
    row("seven bytes", "1234567", "ST-01");
    row("endless header", std::string(8, '\xff') + "{}", "ST-02");
    row("header cut", file("{}", "").substr(0, 9), "ST-03");
    row("not json", file("[1]", ""), "ST-04");
    row("no end", file("{\"a\":", ""), "ST-04");
    row("something behind", file("{} x", ""), "ST-04");
    row("unknown key", one("{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16],\"x\":1}"), "ST-04");
    row("key twice", one("{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}"), "ST-04");
    row("key missing", one("{\"dtype\":\"F32\",\"shape\":[4]}"), "ST-04");
    row("negative size", one(entry("F32", "[-4]", "[0,16]")), "ST-04");
    row("fraction", one(entry("F32", "[4.0]", "[0,16]")), "ST-04");
    row("leading zero", one(entry("F32", "[04]", "[0,16]")), "ST-04");
    row("above 64 bits", one(entry("F32", "[99999999999999999999]", "[0,16]")), "ST-04");
    row("65 dims",
        one(entry("F32",
                  ("[" + std::string("1,") +
                   [] {
                       std::string s;
                       for (int i = 0; i < 63; ++i) s += "1,";
                       return s;
                   }() +
                   "4]")
                      .c_str(),
                  "[0,16]")),
        "ST-04");
    row("three offsets", one(entry("F32", "[4]", "[0,16,16]")), "ST-04");
    row("bad escape", file("{\"\\q\":1}", ""), "ST-04");
    row("lone surrogate", file("{\"\\ud800\":1}", ""), "ST-04");
    row("not utf-8", file("{\"\xff\":1}", ""), "ST-04");
    row("name twice",
        file("{\"a\":" + entry("F32", "[4]", "[0,16]") + ",\"a\":" + entry("F32", "[4]", "[0,16]") + "}", kData),
        "ST-06");
    row("unknown dtype", one(entry("F31", "[4]", "[0,16]")), "ST-07");
    row("sizes overflow", one(entry("F64", "[4611686018427387904,4]", "[0,16]")), "ST-08");
    row("sizes and offsets", one(entry("F32", "[3]", "[0,16]")), "ST-09");
    row("offsets backwards", one(entry("F32", "[4]", "[16,0]")), "ST-09");
    row("hole", one(entry("F32", "[2]", "[8,16]")), "ST-10");
    row("shared bytes",
        file("{\"a\":" + entry("F32", "[2]", "[0,8]") + ",\"b\":" + entry("F32", "[3]", "[4,16]") + "}", kData),
        "ST-10");
    row("data cut", file("{\"a\":" + entry("F32", "[8]", "[0,32]") + "}", kData), "ST-11");
    row("bytes of nobody", one(entry("F32", "[3]", "[0,12]")), "ST-12");
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
    const std::string good =
        file("{\"a\":" + entry("F64", "[1]", "[0,8]") + ",\"b\":" + entry("BOOL", "[8]", "[8,16]") + "}", kData);
    std::mt19937 random(3);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = good.substr(0, round % 4 == 0 ? random() % (good.size() + 1) : good.size());
        for (unsigned i = 0; i < random() % 4 && !bytes.empty(); ++i)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto opened = safetensorsFromBytes(exercise::inMemory(bytes));
        if (!opened) {
            exercise::checkRefusal(opened.refusal());
            continue;
        }
        for (const OpenedArray& array : opened->arrays) exercise::checkTensor(array.tensor);
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
