// The colour range of a storage: whole where that is cheap, and honest about what may lie beyond it.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/storage/mapped_file.h"
#include "core/tensor/element.h"
#include "widgets/scene/cell_values.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace stridescope;

class TestHeatRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outliersAreInTheRange();
    void infinitiesLieBeyond();
    void samplesMayMissSomething();
    void oneValueIsKnown();
    void cutFilesHoldWhatIsLeft();
};

void TestHeatRange::outliersAreInTheRange() {
    const Tensor t = zeros({300, 400}, {DType::Float64, {}});
    writeSlot(t, 77'777, Scalar(1000.0));
    writeSlot(t, 5, Scalar(-500.0));
    QCOMPARE(heatRange(t), std::pair(-1000.0, 1000.0));
    QCOMPARE(beyondHeat(t), std::pair(false, false));
}

void TestHeatRange::infinitiesLieBeyond() {
    const Tensor t = zeros({4}, {DType::Float32, {}});
    writeSlot(t, 1, Scalar(2.0));
    writeSlot(t, 2, Scalar(std::numeric_limits<double>::infinity()));
    QCOMPARE(heatRange(t), std::pair(0.0, 2.0));
    QCOMPARE(beyondHeat(t), std::pair(false, true));
    writeSlot(t, 3, Scalar(-std::numeric_limits<double>::infinity()));
    QCOMPARE(beyondHeat(t), std::pair(true, true));
    writeSlot(t, 3, Scalar(std::numeric_limits<double>::quiet_NaN()));
    QCOMPARE(beyondHeat(t), std::pair(false, true));
}

void TestHeatRange::samplesMayMissSomething() {
    const Tensor floats = zeros({1 << 19}, {DType::Float32, {}});
    QCOMPARE(beyondHeat(floats), std::pair(true, true));
    const Tensor bytes = zeros({1 << 19}, {DType::UInt8, {}});
    QCOMPARE(beyondHeat(bytes), std::pair(false, true)); // no byte is below 0
}

void TestHeatRange::oneValueIsKnown() {
    const Tensor t = zeros({3, 4}, {DType::Float32, {}});
    QCOMPARE(onlyValue(t), std::optional(OnlyValue{0, false}));
    // NaN and infinities have their legend.
    writeSlot(t, 1, Scalar(std::numeric_limits<double>::infinity()));
    QCOMPARE(onlyValue(t), std::optional(OnlyValue{0, false}));
    writeSlot(t, 2, Scalar(3.0));
    QVERIFY(!onlyValue(t));
    // Cards and strips of one storage have the same colours.
    QVERIFY(!onlyValue(t.withView(View{{1}, {1}, 0})));
    QCOMPARE(onlyValue(zeros({1 << 19}, {DType::Float32, {}})), std::optional(OnlyValue{0, true}));
    QVERIFY(!onlyValue(zeros({0}, {DType::Float32, {}})));
}

/// A file that becomes shorter while it is shown: cells beyond its end hold nothing, and are in no range.
void TestHeatRange::cutFilesHoldWhatIsLeft() {
    constexpr Index kCells = 60'000;
    constexpr qint64 kHead = 128, kLeft = 1000;
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("cut")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::vector<float> values(kCells);
    std::iota(values.begin(), values.end(), 5.0f);
    file.write(QByteArray(kHead, 'x'));
    file.write(reinterpret_cast<const char*>(values.data()), kCells * qint64{sizeof(float)});
    file.close();
    const auto mapped = MappedFile::open(file.fileName().toStdString()).valueOrThrow();
    const Tensor t(mapped->storage(kHead, kCells * sizeof(float)), View{{200, 300}, {300, 1}, 0}, DType::Float32);
    QVERIFY(!shorterFile(t));
    QVERIFY(CellValues(t).holds(kCells - 1));
    QCOMPARE(heatRange(t).second, 61000.0);
    QVERIFY(QFile::resize(file.fileName(), kLeft));
    t.storage()->bumpVersion(); // as the window does when the file changes
    QCOMPARE(shorterFile(t), std::optional<quint64>(kLeft));
    constexpr Index kHeld = (kLeft - kHead) / 4;
    const CellValues cut(t);
    QCOMPARE(cut.count(), kCells);
    QVERIFY(cut.holds(kHeld - 1));
    QVERIFY(!cut.holds(kHeld));
    QCOMPARE(cut.inside(0, 1, kCells).last, kHeld);
    double read[2];
    cut.read(kHeld - 1, 1, 2, read);
    QCOMPARE(read[0], static_cast<double>(kHeld) + 4);
    QVERIFY(std::isnan(read[1]));
    QCOMPARE(heatRange(t), std::pair(0.0, 230.0));
    QCOMPARE(valueText(t, kHeld), QStringLiteral("?"));
}

QTEST_GUILESS_MAIN(TestHeatRange)
#include "tst_heat_range.moc"
