// The short text of cells.

#include "core/print/format_element.h"
#include "core/tensor/element.h"

#include <QTest>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

using namespace stridescope;

namespace {

std::string shown(const std::byte* memory, DType dtype, std::size_t most = kElementChars) {
    std::string text;
    appendElement(text, memory, dtype, most);
    return text;
}

/// With "…" for the sign that digits are left out.
std::string cell(Scalar value, DType dtype, std::size_t most = kElementChars) {
    std::byte memory[17];
    storeElement(memory + 1, dtype, value); // unaligned on purpose
    std::string text = shown(memory + 1, dtype, most);
    for (std::size_t at; (at = text.find(kDigitsLeftOut)) != std::string::npos;) text.replace(at, 1, "…");
    return text;
}

/// Whether a text begins with exactly that float; `end` is behind it. Read as the type itself: by way of a double it
/// would be rounded twice.
template <class T>
bool reads(const char* text, char** end, T value) {
    if constexpr (std::is_same_v<T, double>) {
        const double read = std::strtod(text, end);
        return std::isnan(value) ? std::isnan(read) : read == value && std::signbit(read) == std::signbit(value);
    } else {
        const float read = std::strtof(text, end), wanted = value;
        if (std::isnan(wanted)) return std::isnan(read);
        if constexpr (std::is_same_v<T, Half>) return Half(read).bits == value.bits;
        return read == wanted && std::signbit(read) == std::signbit(wanted);
    }
}

/// Random bits, among them many short decimals and whole numbers.
struct Elements {
    std::mt19937_64 random{20260101};
    std::byte memory[16];
    void next(DType dtype) {
        const std::uint64_t bits[2] = {random(), random()};
        std::memcpy(memory, bits, sizeof bits);
        const auto kind = bits[0] % 4;
        if (kind == 0 || dtype == DType::Bool) return;
        const double tens[] = {1, 10, 100, 1000, 1e4, 1e6};
        const double value = static_cast<double>(static_cast<std::int32_t>(bits[1]) >> (bits[0] >> 8) % 30) /
                             (kind == 1 ? 1 : tens[(bits[0] >> 16) % 6]);
        // Integers of any size have their random bits.
        if (isComplex(dtype))
            storeElement(memory, dtype, Scalar(Complex<double>{value, -value / 2}));
        else if (isFloating(dtype))
            storeElement(memory, dtype, Scalar(value));
    }
    template <class T>
    T value() const {
        T read;
        std::memcpy(&read, memory, sizeof read);
        return read;
    }
};

} // namespace

class TestFormatElement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortText_data();
    void shortText();
    void littleRoom_data();
    void littleRoom() { shortText(); }
    void saysWhatItLeavesOut_data();
    void saysWhatItLeavesOut();
    void isShortByItself();
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
    row(1.0 / 3.0, DType::Float64, "0.3333…");
    row(-12.3456789, DType::Float64, "-12.345…");
    row(1234.5, DType::Float32, "1234.5");
    row(12345.6, DType::Float64, "12345.6");
    row(15007.5, DType::Float32, "15007.5");
    row(12345.6789, DType::Float64, "12345.…");
    row(2.0 / 3.0, DType::Float32, "0.6666…"); // no digit is rounded up
    row(2.99999999, DType::Float64, "2.9999…");
    row(0.00123, DType::Float64, "0.00123");
    row(0.000123, DType::Float64, "1.23e-04");
    row(0.000123456, DType::Float64, "1.2…e-04");
    row(-320000.0, DType::Float32, "-320000.");
    row(-3200000.0, DType::Float32, "-3200000.");
    row(16777216.0, DType::Float32, "16777216.");
    row(32000000.0, DType::Float32, "32000000.");
    row(-16777216.0, DType::Float32, "-16777216.");
    row(100000000.0, DType::Float32, "1e+08");
    row(999999.7, DType::Float64, "999999.7");
    row(1e300, DType::Float64, "1e+300");
    row(-1e-300, DType::Float64, "-1e-300");
    row(std::nan(""), DType::Float32, "nan");
    row(inf, DType::Float16, "inf");
    row(-inf, DType::Float64, "-inf");
    row(0, DType::Int64, "0");
    row(-123456, DType::Int32, "-123456");
    row(1234567, DType::Int32, "1234567");
    row(12345678, DType::Int32, "12345678");
    row(INT64_MIN, DType::Int64, "-9223372036854775808");
    row(255, DType::UInt8, "255");
    row(true, DType::Bool, "T");
    row(false, DType::Bool, "F");
}

void TestFormatElement::shortText() {
    QFETCH(QString, printed);
    QFETCH(QString, expected);
    QCOMPARE(printed, expected);
}

void TestFormatElement::littleRoom_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("expected");
    const auto row = [](Scalar value, DType dtype, std::size_t most, const char* expected) {
        QTest::addRow("%s %s in %d", std::string(name(dtype)).c_str(), toString(value).c_str(), static_cast<int>(most))
            << QString::fromStdString(cell(value, dtype, most)) << QString::fromUtf8(expected);
    };
    row(15007.5, DType::Float32, 7, "15007.5");
    row(15007.5, DType::Float32, 6, "1.5…e4");
    row(-15007.5, DType::Float32, 7, "-1.5…e4");
    row(-15007.5, DType::Float32, 5, "-1…e4");
    row(-15007.5, DType::Float32, 4, "…");
    row(100000.0, DType::Float32, 5, "1e+05");
    row(1.0 / 3.0, DType::Float64, 5, "0.33…");
    row(1.0 / 3.0, DType::Float64, 4, "0.3…");
    row(0.0333333333, DType::Float64, 5, "0.03…");
    row(0.0333333333, DType::Float64, 4, "…");
    row(123456, DType::Int64, 5, "…3456");
    row(-123456, DType::Int32, 5, "-…456");
    row(123456, DType::Int64, 1, "…");
    row(Complex<double>{1, 2.5}, DType::Complex64, 24, "1.+2.5j");
    row(Complex<double>{1.0 / 3, -2.0 / 3}, DType::Complex128, 24, "0.3333…-0.6666…j");
    row(Complex<double>{1.0 / 3, -2.0 / 3}, DType::Complex128, 11, "0.33…-0.6…j");
    row(Complex<double>{1.0 / 3, -2.0 / 3}, DType::Complex128, 6, "…");
}

/// Of every dtype, in every width: what has no sign is the value itself, and what has one begins or ends like it.
void TestFormatElement::saysWhatItLeavesOut_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : kAllDTypes) QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

void TestFormatElement::saysWhatItLeavesOut() {
    QFETCH(int, dtype);
    const auto type = static_cast<DType>(dtype);
    Elements elements;
    int whole = 0, cut = 0;
    for (int i = 0; i < 20000; ++i) {
        elements.next(type);
        const std::size_t most = i % 4 == 0 ? kElementChars : 1 + static_cast<std::size_t>(i) % 13;
        const std::string text = shown(elements.memory, type, most), full = elementText(elements.memory, type);
        QVERIFY2(!text.empty() && text.size() <= most, text.c_str());
        const std::size_t sign = text.find(kDigitsLeftOut);
        if (sign == std::string::npos) {
            ++whole;
            const bool same = visitAnyDType(type, [&](auto tag) {
                using T = typename decltype(tag)::type;
                char* end = nullptr;
                if constexpr (std::is_same_v<T, bool>) {
                    return text == (full == "True" ? "T" : "F");
                } else if constexpr (kIsComplex<T>) {
                    const T value = elements.value<T>();
                    return reads(text.c_str(), &end, value.re) && reads(end, &end, value.im) && *end == 'j';
                } else if constexpr (std::is_integral_v<T>) {
                    return text == full;
                } else {
                    return reads(text.c_str(), &end, elements.value<T>()) && *end == 0;
                }
            });
            QVERIFY2(same, (text + " for " + full).c_str());
            continue;
        }
        ++cut;
        if (isComplex(type) || text.size() == 1) continue;
        if (!isFloating(type)) { // the last digits
            QVERIFY2(full.ends_with(text.substr(sign + 1)), (text + " for " + full).c_str());
            continue;
        }
        // The first digits: towards zero of the value, by less than one of the last place shown.
        const std::string head = text.substr(0, sign), power = text.substr(sign + 1);
        const double value = std::strtod(full.c_str(), nullptr);
        const double low = std::strtod((head + power).c_str(), nullptr);
        const std::size_t point = head.find('.');
        const int places = point == std::string::npos ? 0 : static_cast<int>(head.size() - point) - 1;
        const double step = std::strtod(("1e" + std::to_string(-places)).c_str(), nullptr) *
                            (power.empty() ? 1 : std::strtod(("1" + power).c_str(), nullptr));
        const double slack = 1e-12 * std::fabs(value);
        QVERIFY2(low != 0 && std::fabs(low) <= std::fabs(value) + slack &&
                     std::fabs(value) < std::fabs(low) + step + slack,
                 (text + " for " + full).c_str());
    }
    QVERIFY(whole > 1000);
    QVERIFY(type == DType::Bool || cut > 1000);
}

void TestFormatElement::isShortByItself() {
    Elements elements;
    for (int i = 0; i < 20000; ++i) {
        for (const DType dtype : kRealDTypes) {
            if (!isFloating(dtype)) continue;
            elements.next(dtype);
            const std::string text = shown(elements.memory, dtype);
            QVERIFY2(text.size() <= 10, text.c_str()); // a sign, eight characters, a third digit of the exponent
        }
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
