// DType: names, sizes, promotion, conversion of single values; Device names.

#include "core/device/device.h"
#include "core/dtype/convert.h"
#include "core/dtype/dtype.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace stridescope;

class TestDType : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesRoundTrip();
    void understandsSecondNames();
    void refusesUnknownNames();
    void visitGivesTheStorageType();
    void promotesAsPyTorch();
    void convertsEdgeValues();
    void halfRoundsToNearestEven();
    void halfRoundTripsAllBits();
    void readsDevices_data();
    void readsDevices();
};

void TestDType::namesRoundTrip() {
    for (const DType t : kAllDTypes) {
        QCOMPARE(dtypeFromName(name(t)), std::optional(t));
        QCOMPARE(dtypeFromName("torch." + std::string(name(t))), std::optional(t));
    }
}

void TestDType::understandsSecondNames() {
    QCOMPARE(dtypeFromName("float"), std::optional(DType::Float32));
    QCOMPARE(dtypeFromName("double"), std::optional(DType::Float64));
    QCOMPARE(dtypeFromName("half"), std::optional(DType::Float16));
    QCOMPARE(dtypeFromName("torch.long"), std::optional(DType::Int64));
    QCOMPARE(dtypeFromName("int"), std::optional(DType::Int32));
    QCOMPARE(dtypeFromName("short"), std::optional(DType::Int16));
}

void TestDType::refusesUnknownNames() {
    for (const char* text : {"", "torch.", "float3", "FLOAT", "complex32", "torch.torch.int64", "int64 "}) {
        QVERIFY2(!dtypeFromName(text), text);
    }
}

void TestDType::visitGivesTheStorageType() {
    for (const DType t : kAllDTypes) {
        const auto size = visitAnyDType(t, [](auto tag) { return sizeof(typename decltype(tag)::type); });
        const auto back = visitAnyDType(t, [](auto tag) { return DTypeOf<typename decltype(tag)::type>::value; });
        QCOMPARE(size, itemSize(t));
        QCOMPARE(back, t);
    }
    for (const DType t : kRealDTypes)
        QCOMPARE(visitDType(t, [](auto tag) { return DTypeOf<typename decltype(tag)::type>::value; }), t);
    for (const DType t : {DType::Complex64, DType::Complex128})
        QVERIFY_THROWS_EXCEPTION(NotImplementedError, visitDType(t, [](auto) {}));
}

void TestDType::promotesAsPyTorch() {
    // Rows and columns: uint8 int8 int16 int32 int64 float16 float32 float64 bool complex64 complex128. Numbers are
    // positions in that list, taken from torch.promote_types; float16 with complex64 is complex64 here, too.
    constexpr int expected[11][11] = {
        {0, 2, 2, 3, 4, 5, 6, 7, 0, 9, 10},           {2, 1, 2, 3, 4, 5, 6, 7, 1, 9, 10},
        {2, 2, 2, 3, 4, 5, 6, 7, 2, 9, 10},           {3, 3, 3, 3, 4, 5, 6, 7, 3, 9, 10},
        {4, 4, 4, 4, 4, 5, 6, 7, 4, 9, 10},           {5, 5, 5, 5, 5, 5, 6, 7, 5, 9, 10},
        {6, 6, 6, 6, 6, 6, 6, 7, 6, 9, 10},           {7, 7, 7, 7, 7, 7, 7, 7, 7, 10, 10},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},           {9, 9, 9, 9, 9, 9, 9, 10, 9, 9, 10},
        {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10},
    };
    for (std::size_t a = 0; a < kAllDTypes.size(); ++a) {
        for (std::size_t b = 0; b < kAllDTypes.size(); ++b) {
            const DType result = promoteTypes(kAllDTypes[a], kAllDTypes[b]);
            QCOMPARE(static_cast<int>(result), expected[a][b]);
        }
    }
}

void TestDType::convertsEdgeValues() {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    QCOMPARE(int{convertValue<std::uint8_t>(-1.0F)}, 255);
    QCOMPARE(int{convertValue<std::uint8_t>(300.7F)}, 44);
    QCOMPARE(int{convertValue<std::uint8_t>(kNan)}, 0);
    QCOMPARE(int{convertValue<std::int8_t>(200.0F)}, -56);
    QCOMPARE(convertValue<std::int32_t>(3e9F), std::numeric_limits<std::int32_t>::min());
    QCOMPARE(convertValue<std::int32_t>(-2147483648.0F), std::numeric_limits<std::int32_t>::min());
    QCOMPARE(convertValue<std::int64_t>(kInf), std::numeric_limits<std::int64_t>::min());
    QCOMPARE(convertValue<std::int64_t>(kNan), std::numeric_limits<std::int64_t>::min());
    QCOMPARE(convertValue<std::int64_t>(-1.9), std::int64_t{-1});
    QCOMPARE(int{convertValue<std::int8_t>(std::int64_t{0x1ff})}, -1);
    QVERIFY(convertValue<bool>(kNan));
    QVERIFY(convertValue<bool>(Half(-0.5F)));
    QVERIFY(!convertValue<bool>(-0.0));
    QCOMPARE(float(convertValue<Half>(1e6)), kInf);
    QCOMPARE(convertValue<double>(Half(1.5F)), 1.5);
}

void TestDType::halfRoundsToNearestEven() {
    QCOMPARE(Half(1.0F).bits, std::uint16_t{0x3c00});
    QCOMPARE(Half(1.0F + 1.0F / 2048.0F).bits, std::uint16_t{0x3c00}); // a tie: down to even
    QCOMPARE(Half(1.0F + 3.0F / 2048.0F).bits, std::uint16_t{0x3c02}); // a tie: up to even
    QCOMPARE(Half(65504.0F).bits, std::uint16_t{0x7bff});              // the largest
    QCOMPARE(Half(65519.99F).bits, std::uint16_t{0x7bff});
    QCOMPARE(Half(65520.0F).bits, std::uint16_t{0x7c00});         // rounds to infinity
    QCOMPARE(Half(std::ldexp(1.0F, -24)).bits, std::uint16_t{1}); // the least above 0
    QCOMPARE(Half(std::ldexp(1.0F, -25)).bits, std::uint16_t{0}); // a tie with 0
    QCOMPARE(Half(std::ldexp(1.0F, -25) * 1.0001F).bits, std::uint16_t{1});
    QCOMPARE(Half(-0.0F).bits, std::uint16_t{0x8000});
}

void TestDType::halfRoundTripsAllBits() {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float value = Half::toFloat(static_cast<std::uint16_t>(bits));
        const std::uint16_t back = Half(value).bits;
        if (std::isnan(value)) {
            QVERIFY(std::isnan(Half::toFloat(back)));
        } else {
            QCOMPARE(std::uint32_t{back}, bits);
        }
    }
}

void TestDType::readsDevices_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical"); // empty: refused
    QTest::newRow("cpu") << "cpu"
                         << "cpu";
    QTest::newRow("cpu with a number") << "cpu:0"
                                       << "cpu";
    QTest::newRow("cuda") << "cuda"
                          << "cuda:0";
    QTest::newRow("second card") << "cuda:1"
                                 << "cuda:1";
    QTest::newRow("last card") << "cuda:127"
                               << "cuda:127";
    for (const char* text :
         {"", "CPU", "cpu:", "cpu:01", "cuda:", "cuda:-1", "cuda:128", "cuda:1x", "gpu", "cuda1", " cpu"}) {
        QTest::newRow(text[0] ? text : "empty") << text << "";
    }
}

void TestDType::readsDevices() {
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    const auto device = deviceFromString(text.toStdString());
    if (canonical.isEmpty()) {
        QVERIFY(!device);
        QCOMPARE(device.refusal().id, std::string("DEV-10"));
        QVERIFY(device.refusal().message.find("'" + text.toStdString() + "'") != std::string::npos);
    } else {
        QVERIFY(device.ok());
        QCOMPARE(toString(*device), canonical.toStdString());
    }
}

QTEST_GUILESS_MAIN(TestDType)
#include "tst_dtype.moc"
