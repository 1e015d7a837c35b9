// The colour range of a storage: whole where that is cheap, and honest about what may lie beyond it.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "widgets/scene/cell_values.h"

#include <QTest>

#include <limits>

using namespace stridescope;

class TestHeatRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outliersAreInTheRange();
    void infinitiesLieBeyond();
    void samplesMayMissSomething();
    void oneValueIsKnown();
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

QTEST_GUILESS_MAIN(TestHeatRange)
#include "tst_heat_range.moc"
