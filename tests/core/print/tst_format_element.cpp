// The short text of cells.

#include "core/print/format_element.h"
#include "core/tensor/element.h"

#include <QtTest>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

using namespace stridescope;

namespace {

std::string cell(Scalar value, DType dtype) {
    std::byte memory[9];
    storeElement(memory + 1, dtype, value); // unaligned on purpose
    std::string text;
    appendElement(text, memory + 1, dtype);
    return text;
}

} // namespace

class TestFormatElement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortText_data();
    void shortText();
    void staysShortAndClose();
    void roundsAsTheLibraryDoes();
    void appends();
    void fullText();
};

void TestFormatElement::shortText_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("expected");
    const auto row = [](Scalar value, DType dtype, const char* expected) {
        QTest::addRow("%s %s", std::string(name(dtype)).c_str(), toString(value).c_str())
            << QString::fromStdString(cell(value, dtype)) << expected;
    };
    const double inf = std::numeric_limits<double>::infinity();
    row(1.125, DType::Float32, "1.125");
    row(0.0, DType::Float32, "0.");
    row(-0.0, DType::Float32, "-0.");
    row(2.0, DType::Float32, "2.");
    row(-3.0, DType::Float16, "-3.");
    row(0.1, DType::Float32, "0.1");
    row(1.0 / 3.0, DType::Float64, "0.3333");
    row(-12.34567, DType::Float64, "-12.346");
    row(1234.5, DType::Float32, "1234.5");
    row(12345.6, DType::Float64, "12346");
    row(2.99999, DType::Float64, "3");
    row(0.00123, DType::Float64, "0.0012");
    row(0.000123, DType::Float64, "1.2e-04");
    row(-320000.0, DType::Float32, "-320000.");
    row(-3200000.0, DType::Float32, "-3.2e+06");
    row(999999.7, DType::Float64, "1000000");
    row(1e300, DType::Float64, "1.0e+300");
    row(-1e-300, DType::Float64, "-1.0e-300");
    row(std::nan(""), DType::Float32, "nan");
    row(inf, DType::Float16, "inf");
    row(-inf, DType::Float64, "-inf");
    row(0, DType::Int64, "0");
    row(-123456, DType::Int32, "-123456");
    row(1234567, DType::Int32, "1234567");
    row(12345678, DType::Int32, "1.2e+07");
    row(INT64_MIN, DType::Int64, "-9.2e+18");
    row(255, DType::UInt8, "255");
    row(true, DType::Bool, "T");
    row(false, DType::Bool, "F");
}

void TestFormatElement::shortText() {
    QFETCH(QString, printed);
    QFETCH(QString, expected);
    QCOMPARE(printed, expected);
}

void TestFormatElement::staysShortAndClose() {
    std::mt19937_64 random(20260101);
    for (int i = 0; i < 50000; ++i) {
        const auto bits = random();
        for (const DType dtype : kRealDTypes) {
            std::byte memory[8];
            std::memcpy(memory, &bits, sizeof bits);
            std::string text;
            appendElement(text, memory, dtype);
            const std::size_t most = dtype == DType::Float64 ? 9 : 8; // exponents of three digits
            QVERIFY2(!text.empty() && text.size() <= most, text.c_str());
            const double value = loadElement(memory, dtype).toDouble();
            if (dtype == DType::Bool || !std::isfinite(value)) continue;
            const double shown = std::strtod(text.c_str(), nullptr);
            if (!std::isfinite(shown)) continue; // rounded up past the largest double
            QVERIFY2(std::fabs(shown - value) <= 0.051 * std::fabs(value), text.c_str());
        }
    }
}

void TestFormatElement::roundsAsTheLibraryDoes() {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-3, 6);
    for (int i = 0; i < 200000; ++i) {
        double value = std::pow(10.0, exponent(random));
        if (i % 2 == 0) value = std::round(value * 20000) / 20000; // many ties
        if (value < 1e-3 || value >= 1e6 || value == std::floor(value)) continue;
        int decimals = 4;
        for (double limit = 10; value >= limit && decimals > 0; limit *= 10) --decimals;
        char printed[40];
        std::snprintf(printed, sizeof printed, "%.*f", decimals, value);
        std::string expected = printed;
        if (decimals > 0) expected.erase(expected.find_last_not_of('0') + 1);
        if (expected.back() == '.') expected.pop_back();
        QCOMPARE(QString::fromStdString(cell(value, DType::Float64)), QString::fromStdString(expected));
        QCOMPARE(QString::fromStdString(cell(-value, DType::Float64)), QString::fromStdString("-" + expected));
    }
}

void TestFormatElement::appends() {
    std::string text = "x=";
    const std::int16_t value = -5;
    appendElement(text, reinterpret_cast<const std::byte*>(&value), DType::Int16);
    QCOMPARE(text, std::string("x=-5"));
}

void TestFormatElement::fullText() {
    const auto full = [](Scalar value, DType dtype) {
        std::byte memory[8];
        storeElement(memory, dtype, value);
        return elementText(memory, dtype);
    };
    QCOMPARE(full(0.1, DType::Float32), std::string("0.1"));
    QCOMPARE(full(0.1, DType::Float64), std::string("0.1"));
    QCOMPARE(full(0.1, DType::Float16), std::string("0.1"));
    QCOMPARE(full(true, DType::Bool), std::string("True"));
    QCOMPARE(full(INT64_MIN, DType::Int64), std::string("-9223372036854775808"));
    QCOMPARE(full(200, DType::UInt8), std::string("200"));
}

QTEST_GUILESS_MAIN(TestFormatElement)
#include "tst_format_element.moc"
