// Single elements: reading, writing, fitting, losing, their text and their bits.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/print/float_text.h"
#include "core/tensor/bits.h"
#include "core/tensor/element.h"
#include "core/tensor/lossy.h"
#include "core/tensor/walk.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

template <class T>
ElementBits bitsOfValue(T value) {
    std::byte memory[sizeof(T) + 1]; // off by one: unaligned on purpose
    std::memcpy(memory + 1, &value, sizeof(T));
    return bitsOf(memory + 1, DTypeOf<T>::value);
}

} // namespace

class TestElement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTheWholeZoo();
    void writesTheWholeZoo();
    void writeShowsInEveryView();
    void refusesWrongPlaces();
    void itemTakesOneElement();
    void fits_data();
    void fits();
    void publishesWrites();
    void countsLoss_data();
    void countsLoss();
    void countsLossOfTheFirstElements();
    void countsLossOverTheZoo();
    void printsShortest_data();
    void printsShortest();
    void takesFloatsApart();
    void takesIntegersApart();
    void fieldsCoverAllBits();
    void boolOfAnyByteIsTrue();
};

void TestElement::readsTheWholeZoo() {
    for (const ZooView& layout : zooViews()) {
        for (const DType dtype : kRealDTypes) {
            const Tensor t = zooTensor(layout, dtype);
            std::size_t next = 0;
            const std::vector<Scalar> elements = elementsOf(t);
            if (t.numel() > 1000) continue; // the coords of the large ones add nothing here
            const View order = contiguousView(t.shape()).valueOrThrow();
            forEachSlot(order, [&](Index position) {
                Dims coord(t.shape().size(), 0);
                for (std::size_t d = coord.size(); d-- > 0; position /= t.shape()[d])
                    coord[d] = position % t.shape()[d];
                const Index slot = t.view().slot(coord);
                QVERIFY2(readElement(t, coord) == zooValue(dtype, slot), layout.name.c_str());
                QVERIFY2(readSlot(t, slot) == zooValue(dtype, slot), layout.name.c_str());
                QVERIFY2(elements[next++] == zooValue(dtype, slot), layout.name.c_str());
                for (std::size_t d = 0; d < coord.size(); ++d) coord[d] -= t.shape()[d];
                QVERIFY2(readElement(t, coord) == zooValue(dtype, slot), layout.name.c_str());
            });
        }
    }
}

void TestElement::writesTheWholeZoo() {
    for (const ZooView& layout : zooViews()) {
        if (layout.view.numel() == 0 || layout.view.numel() > 1000) continue;
        for (const DType dtype : kRealDTypes) {
            const Tensor t = zooTensor(layout, dtype);
            std::vector<std::byte> expected = bytesOf(t);
            Dims last = t.shape();
            for (Index& i : last) --i;
            const std::uint64_t version = t.storage()->version();
            writeElement(t, last, 1);
            const auto at = static_cast<std::size_t>(t.view().slot(last)) * t.itemSize();
            storeElement(expected.data() + at, dtype, 1);
            QVERIFY2(bytesOf(t) == expected, layout.name.c_str()); // and no byte beside it
            QVERIFY(t.storage()->version() > version);
        }
    }
}

void TestElement::writeShowsInEveryView() {
    const Tensor base = zeros({3, 4});
    const Tensor column = select(base, 1, 2);
    const Tensor turned = transpose(base, 0, 1);
    writeElement(turned, Dims{2, 1}, 8.5);
    QCOMPARE(readElement(base, Dims{1, 2}).toDouble(), 8.5);
    QCOMPARE(readElement(column, Dims{1}).toDouble(), 8.5);
    writeSlot(column, 6, -1);
    QCOMPARE(readElement(turned, Dims{2, 1}).toDouble(), -1.0);
}

void TestElement::refusesWrongPlaces() {
    const Tensor t = arange(6);
    const Tensor m = view(t, {2, 3});
    const auto id = [](auto action) {
        const auto refusal = refusalOf(action);
        return refusal ? refusal->id : std::string();
    };
    QCOMPARE(id([&] { (void)readSlot(t, 6); }), std::string("ELEM-01"));
    QCOMPARE(id([&] { (void)readSlot(t, -1); }), std::string("ELEM-01"));
    QCOMPARE(id([&] { (void)readElement(m, Dims{0, 3}); }), std::string("ELEM-01"));
    QCOMPARE(id([&] { (void)readElement(m, Dims{-3, 0}); }), std::string("ELEM-01"));
    QCOMPARE(id([&] { (void)readElement(m, Dims{0}); }), std::string("ELEM-02"));
    QCOMPARE(id([&] { (void)readElement(Tensor(), Dims{}); }), std::string("TENSOR-02"));
    QCOMPARE(id([&] { writeElement(m, Dims{2, 0}, 1); }), std::string("ELEM-01"));
    QCOMPARE(id([&] { writeSlot(m, 6, 1); }), std::string("ELEM-01"));
    const auto refusal = refusalOf([&] { (void)readElement(m, Dims{0, 3}); });
    QCOMPARE(refusal->kind, ErrorKind::Index);
    QCOMPARE(refusal->message, std::string("index 3 is out of bounds for dimension 1 with size 3"));

    const std::vector<std::byte> before = bytesOf(m);
    QCOMPARE(id([&] { writeElement(m, Dims{0, 0}, 0.5); }), std::string("VALUE-02"));
    QVERIFY(bytesOf(m) == before);

    std::byte memory[8] = {};
    const Tensor locked(Storage::wrap(memory, 8, Device{}, {}, "mapped file", false), View{{1}, {1}, 0}, DType::Int64);
    QCOMPARE(id([&] { writeElement(locked, Dims{0}, 1); }), std::string("ELEM-05"));

    const Tensor elsewhere(Storage::wrap(memory, 8, Device{DeviceType::Cuda, 0}, {}, "cuda"), View{{1}, {1}, 0},
                           DType::Int64);
    QCOMPARE(id([&] { (void)readElement(elsewhere, Dims{0}); }), std::string("ELEM-03"));
}

void TestElement::itemTakesOneElement() {
    QVERIFY(item(tensorFrom(5)) == Scalar(5));
    QVERIFY(item(tensorFrom({{{2.5}}})) == Scalar(2.5));
    QVERIFY(item(select(arange(5), 0, 3)) == Scalar(3));
    QVERIFY(item(tensorFrom(true)) == Scalar(true));
    const auto refusal = refusalOf([] { (void)item(arange(2)); });
    QVERIFY(refusal);
    QCOMPARE(refusal->id, std::string("ELEM-04"));
    QCOMPARE(refusal->kind, ErrorKind::Value);
    QVERIFY(refusalOf([] { (void)item(arange(0)); }));
}

void TestElement::fits_data() {
    QTest::addColumn<QString>("got"); // the value stored, or the id of the refusal
    QTest::addColumn<QString>("expected");
    const auto row = [](Scalar value, const char* dtype, const char* expected) {
        const auto fitted = fitScalar(value, *dtypeFromName(dtype));
        const std::string got = fitted.ok() ? toString(*fitted) : fitted.refusal().id;
        QTest::addRow("%s to %s", toString(value).c_str(), dtype) << QString::fromStdString(got) << expected;
    };
    row(5, "int8", "5");
    row(127, "int8", "127");
    row(128, "int8", "VALUE-01");
    row(-129, "int8", "VALUE-01");
    row(-1, "uint8", "VALUE-01");
    row(256, "uint8", "VALUE-01");
    row(3.0, "int32", "3");
    row(3.5, "int32", "VALUE-02");
    row(3e9, "int32", "VALUE-01");
    row(9.3e18, "int64", "VALUE-01");
    row(-9223372036854775808.0, "int64", "-9223372036854775808");
    row(kNan, "int64", "VALUE-01");
    row(kInf, "uint8", "VALUE-01");
    row(true, "int16", "1");
    row(0.1, "float32", "0.10000000149011612");
    row(1e39, "float32", "VALUE-03");
    row(-1e39, "float32", "VALUE-03");
    row(kInf, "float32", "inf");
    row(kNan, "float16", "nan");
    row(65519.0, "float16", "65504.0");
    row(65520.0, "float16", "VALUE-03");
    row(1e-10, "float16", "VALUE-04");
    row(1e-50, "float32", "VALUE-04");
    row(16777217, "float32", "16777216.0");
    row(7, "bool", "True");
    row(0.0, "bool", "False");
    row(kNan, "bool", "True");
}

void TestElement::fits() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestElement::publishesWrites() {
    const Tensor t = zeros({2, 2});
    std::vector<OpRecord> records;
    {
        const OpSubscription subscription([&](const OpRecord& r) { records.push_back(r); });
        writeElement(t, Dims{1, -1}, 2.5);
        writeSlot(t, 0, 1);
        writeElement(select(select(t, 0, 0), 0, 0), Dims{}, 3);
    }
    QCOMPARE(records.size(), std::size_t{5});
    QCOMPARE(records[0].name, std::string("setitem"));
    QCOMPARE(records[0].arguments, std::string("[1, -1] = 2.5"));
    QCOMPARE(records[0].effect, OpEffect::InPlace);
    QCOMPARE(records[0].bytesWritten, Index{4});
    QCOMPARE(records[1].arguments, std::string(".storage()[0] = 1.0"));
    QCOMPARE(records[4].arguments, std::string("[()] = 3.0"));
}

void TestElement::countsLoss_data() {
    QTest::addColumn<QString>("counted");
    QTest::addColumn<QString>("expected"); // "elements rounded outOfRange" and, unless 0, "imaginary"
    const auto row = [](const char* name, const Tensor& t, DType to, const char* expected) {
        const LossCount count = countLossy(t, to);
        QString counted = QString("%1 %2 %3").arg(count.elements).arg(count.rounded).arg(count.outOfRange);
        if (count.imaginary > 0) counted += QString(" %1").arg(count.imaginary);
        QTest::newRow(name) << counted << expected;
        QCOMPARE(count.lossy(), count.rounded + count.imaginary + count.outOfRange);
    };
    row("-1, 300, NaN, 7 to uint8", tensorFrom({-1.0, 300.0, kNan, 7.0}), DType::UInt8, "4 0 3");
    row("fractions to int", tensorFrom({1.5, 2.0, -0.5}), DType::Int32, "3 2 0");
    row("255.5 to uint8", tensorFrom({255.5, 256.0, -0.5}), DType::UInt8, "3 2 1");
    row("infinities to int64", tensorFrom({kInf, -kInf, 9.3e18, -9.2e18}, {DType::Float64, Device{}}), DType::Int64,
        "4 0 3");
    row("-2^63 to int64", tensorFrom({-9223372036854775808.0}, {DType::Float64, Device{}}), DType::Int64, "1 0 0");
    row("2^63 to int64", tensorFrom({9223372036854775808.0}, {DType::Float64, Device{}}), DType::Int64, "1 0 1");
    row("int64 to int8", tensorFrom({127, 128, -128, -129}), DType::Int8, "4 0 2");
    row("int8 to uint8", tensorFrom({-1, 0, 127}, {DType::Int8, Device{}}), DType::UInt8, "3 0 1");
    row("2^24 + 1 to float32", tensorFrom({16777216, 16777217}), DType::Float32, "2 1 0");
    row("2^63 - 1 to float64", tensorFrom({INT64_MAX, INT64_MIN}), DType::Float64, "2 1 0");
    row("int to float16", tensorFrom({2048, 2049, 70000}), DType::Float16, "3 1 1");
    row("tenth to float16", tensorFrom({0.1, 0.5, kNan, kInf}), DType::Float16, "4 1 0");
    row("large to float16", tensorFrom({1e6, -1e6, 65504.0}), DType::Float16, "3 0 2");
    row("double to float32", tensorFrom({0.1, 1e300, 0.25}, {DType::Float64, Device{}}), DType::Float32, "3 1 1");
    row("numbers to bool", tensorFrom({0.0, 1.0, 2.0, -1.0}), DType::Bool, "4 2 0");
    row("bool to anything", tensorFrom({true, false}), DType::Int8, "2 0 0");
    row("same dtype", tensorFrom({kNan, 0.1}), DType::Float32, "2 0 0");
    row("expanded", expand(tensorFrom({0.5}), {1000}), DType::Int64, "1000 1000 0");
    row("empty", zeros({0}), DType::Bool, "0 0 0");
    const Tensor complex = zeros({4}, {DType::Complex128, Device{}}); // 0, 1.5, 2j, 300 + 0.1j
    writeSlot(complex, 1, 1.5);
    writeSlot(complex, 2, Complex<double>{0.0, 2.0});
    writeSlot(complex, 3, Complex<double>{300.0, 0.1});
    row("complex to float32", complex, DType::Float32, "4 0 0 2");
    row("complex to uint8", complex, DType::UInt8, "4 1 1 1");
    row("complex to bool", complex, DType::Bool, "4 3 0");
    row("complex128 to complex64", complex, DType::Complex64, "4 1 0");
    row("tenth to complex64", tensorFrom({0.1, 1e300, kNan}, {DType::Float64, Device{}}), DType::Complex64, "3 1 1");
}

void TestElement::countsLoss() {
    QFETCH(QString, counted);
    QFETCH(QString, expected);
    QCOMPARE(counted, expected);
}

void TestElement::countsLossOfTheFirstElements() {
    const Tensor t =
        transpose(tensorFrom(NestedList::list({NestedList::list({1.0, 2.0}), NestedList::list({0.5, 300.0})})), 0, 1);
    const LossCount all = countLossy(t, DType::UInt8);
    QCOMPARE(all.first, Index{1}); // in the order of the view, not of the memory
    QCOMPARE(all.lossy(), Index{2});
    const LossCount some = countLossy(t, DType::UInt8, 3);
    QCOMPARE(some.elements, Index{3});
    QCOMPARE(some.lossy(), Index{1});
    QCOMPARE(countLossy(t, DType::Float64).first, Index{-1});
    QCOMPARE(countLossy(t, DType::UInt8, 0).elements, Index{0});
    QCOMPARE(countLossy(t, DType::Float32, 3).elements, Index{3});
}

void TestElement::countsLossOverTheZoo() {
    // The model: an element is lossy when going there and back changes it.
    for (const ZooView& layout : zooViews()) {
        for (const DType from : kRealDTypes) {
            const Tensor t = zooTensor(layout, from);
            const std::vector<Scalar> elements = elementsOf(t);
            for (const DType to : kRealDTypes) {
                Index changed = 0;
                for (const Scalar value : elements) {
                    std::byte there[8];
                    storeElement(there, to, value);
                    changed += loadElement(there, to).toDouble() != value.toDouble();
                }
                const LossCount count = countLossy(t, to);
                QVERIFY2(count.lossy() == changed, (layout.name + " to " + std::string(name(to))).c_str());
                QCOMPARE(count.elements, t.numel());
            }
        }
    }
}

void TestElement::printsShortest_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, const std::string& printed) {
        QTest::newRow(expected) << QString::fromStdString(printed) << expected;
    };
    row("0.0", shortestText(0.0));
    row("-0.0", shortestText(-0.0));
    row("1.0", shortestText(1.0));
    row("-1.5", shortestText(-1.5));
    row("0.1", shortestText(0.1));
    row("0.0001", shortestText(0.0001));
    row("1e-05", shortestText(0.00001));
    row("1.25e-07", shortestText(1.25e-7));
    row("123456.789", shortestText(123456.789));
    row("1234567890123456.0", shortestText(1234567890123456.0));
    row("1e+16", shortestText(1e16));
    row("1.2345e+20", shortestText(1.2345e20));
    row("5e-324", shortestText(5e-324));
    row("1.7976931348623157e+308", shortestText(std::numeric_limits<double>::max()));
    row("inf", shortestText(kInf));
    row("-inf", shortestText(-kInf));
    row("nan", shortestText(-kNan));
    row("0.2", shortestText(0.2F));
    row("16777216.0", shortestText(16777216.0F));
    row("3.4028235e+38", shortestText(std::numeric_limits<float>::max()));
    row("0.3", shortestText(Half(0.3F)));
    row("65504.0", shortestText(Half(65504.0F)));
    row("123456792.0", shortestText(123456789.0F));
    row("10000000000.0", shortestText(1e10F));
    row("-7499999744.0", shortestText(-7499999999.0F));
    row("6e-08", shortestText(Half(5.96e-8F)));
}

void TestElement::printsShortest() {
    QFETCH(QString, printed);
    QFETCH(QString, expected);
    QCOMPARE(printed, expected);
}

void TestElement::takesFloatsApart() {
    const ElementBits pi = bitsOfValue(3.14159274F);
    QCOMPARE(pi.width, 32);
    QVERIFY(!pi.negative);
    QCOMPARE(pi.exponentField, std::uint64_t{128});
    QCOMPARE(pi.exponent, 1);
    QCOMPARE(pi.bias, 127);
    QCOMPARE(pi.mantissaBits, 23);
    QCOMPARE(pi.floatClass, FloatClass::Normal);
    QCOMPARE(pi.binaryText(), std::string("0 10000000 10010010000111111011011"));
    QCOMPARE(pi.hexText(), std::string("40490fdb"));
    QCOMPARE(pi.formula(), std::string("+1.5707963705062866 × 2^1"));
    QCOMPARE(int(pi.bytes()[0]), 0xdb);
    QCOMPARE(int(pi.bytes()[3]), 0x40);

    const ElementBits small = bitsOfValue(Half(-std::ldexp(1.0F, -15)));
    QCOMPARE(small.floatClass, FloatClass::Subnormal);
    QCOMPARE(small.exponent, -14);
    QCOMPARE(small.formula(), std::string("-0.5 × 2^-14"));
    QCOMPARE(small.binaryText(), std::string("1 00000 1000000000"));

    QCOMPARE(bitsOfValue(-0.0).formula(), std::string("-0"));
    QCOMPARE(bitsOfValue(-0.0).floatClass, FloatClass::Zero);
    QCOMPARE(bitsOfValue(-kInf).formula(), std::string("-inf"));
    QCOMPARE(bitsOfValue(kNan).floatClass, FloatClass::NaN);
    QCOMPARE(bitsOfValue(kNan).formula(), std::string("nan"));
    QCOMPARE(bitsOfValue(1.0).exponent, 0);
    QCOMPARE(bitsOfValue(1.0).bias, 1023);
    QCOMPARE(bitsOfValue(1.0).formula(), std::string("+1.0 × 2^0"));
}

void TestElement::takesIntegersApart() {
    const ElementBits value = bitsOfValue(std::int8_t{-63});
    QVERIFY(value.negative);
    QCOMPARE(value.binaryText(), std::string("1 1000001"));
    QCOMPARE(value.formula(), std::string("-128 + 64 + 1"));
    QCOMPARE(value.weight(7), -128.0);
    QCOMPARE(value.weight(6), 64.0);
    QCOMPARE(bitsOfValue(std::uint8_t{193}).formula(), std::string("128 + 64 + 1"));
    QCOMPARE(bitsOfValue(std::uint8_t{193}).weight(7), 128.0);
    QCOMPARE(bitsOfValue(std::int32_t{0}).formula(), std::string("0"));
    QCOMPARE(bitsOfValue(INT64_MIN).formula(), std::string("-9223372036854775808"));
    QCOMPARE(bitsOfValue(std::int64_t{-1}).hexText(), std::string("ffffffffffffffff"));
    QCOMPARE(bitsOfValue(true).formula(), std::string("1 = True"));
    QCOMPARE(bitsOfValue(false).binaryText(), std::string("00000000"));

    // The weights of the bits that are set add up to the value.
    for (int v = -32768; v <= 32767; v += 13) {
        const ElementBits bits = bitsOfValue(static_cast<std::int16_t>(v));
        double sum = 0;
        for (int i = 0; i < bits.width; ++i) sum += bits.bit(i) ? bits.weight(i) : 0.0;
        QCOMPARE(sum, double(v));
    }
}

void TestElement::fieldsCoverAllBits() {
    for (const DType dtype : kRealDTypes) {
        const std::byte zero[8] = {};
        const ElementBits bits = bitsOf(zero, dtype);
        int next = bits.width - 1;
        for (const BitField& field : bits.fields()) {
            QCOMPARE(field.highest, next);
            QVERIFY(field.width() > 0);
            next = field.lowest - 1;
        }
        QCOMPARE(next, -1);
    }
}

void TestElement::boolOfAnyByteIsTrue() {
    const std::byte seven[1] = {std::byte{7}};
    QVERIFY(loadElement(seven, DType::Bool) == Scalar(true));
    const Tensor bytes = tensorFrom({0, 1, 7}, {DType::UInt8, Device{}});
    const Tensor bools = viewDType(bytes, DType::Bool);
    QVERIFY(readElement(bools, Dims{2}) == Scalar(true));
    QCOMPARE(countLossy(bools, DType::Int8).lossy(), Index{0});
}

QTEST_GUILESS_MAIN(TestElement)
#include "tst_element.moc"
