// Numbers typed into cells: what is taken, and the words for what is not.

#include "core/tensor/element.h"

#include <QTest>

#include <cmath>

using namespace stridescope;

class TestParseScalar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void roundsOnce();
};

void TestParseScalar::accepts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("value"); // as Python prints it
    const auto row = [](const char* text, const char* dtype, const char* value) {
        QTest::addRow("%s '%s'", dtype, text) << QString::fromUtf8(text) << dtype << value;
    };
    row("5", "int64", "5");
    row("  -5\t", "int8", "-5");
    row("+7", "uint8", "7");
    row("007", "int32", "7");
    row("-128", "int8", "-128");
    row("255", "uint8", "255");
    row("9223372036854775807", "int64", "9223372036854775807");
    row("-9223372036854775808", "int64", "-9223372036854775808");
    row("-0", "int16", "0");
    row("1.5", "float32", "1.5");
    row("-.5", "float64", "-0.5");
    row("5.", "float64", "5.0");
    row("1e3", "float32", "1000.0");
    row("1E-3", "float64", "0.001");
    row("+2.5e+2", "float16", "250.0");
    row("0.1", "float64", "0.1");
    row("-0.0", "float32", "-0.0");
    row("0e999", "float32", "0.0");
    row("inf", "float32", "inf");
    row("-Infinity", "float16", "-inf");
    row("NaN", "float64", "nan");
    row("-nan", "float32", "nan");
    row("65504", "float16", "65504.0");
    row("65519", "float16", "65504.0");
    row("3.4028235e38", "float32", "3.4028234663852886e+38");
    row("5e-324", "float64", "5e-324");
    row("True", "bool", "True");
    row("false", "bool", "False");
    row("1", "bool", "True");
    row(" 0 ", "bool", "False");
}

void TestParseScalar::accepts() {
    QFETCH(QString, text);
    QFETCH(QString, dtype);
    QFETCH(QString, value);
    const auto parsed = parseScalar(text.toStdString(), *dtypeFromName(dtype.toStdString()));
    QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.refusal().message.c_str());
    QCOMPARE(QString::fromStdString(toString(*parsed)), value);
}

void TestParseScalar::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("position");
    QTest::addColumn<QString>("words"); // in message or hint
    const auto row = [](const char* text, const char* dtype, const char* id, int position, const char* words) {
        QTest::addRow("%s '%s'", dtype, text)
            << QString::fromUtf8(text) << dtype << id << position << QString::fromUtf8(words);
    };
    row("", "int64", "PARSE-S01", 0, "empty");
    row("   ", "float32", "PARSE-S01", 0, "empty");
    row("abc", "int64", "PARSE-S02", 0, "'abc'");
    row("--5", "int64", "PARSE-S02", 1, "position 1");
    row("5 5", "int64", "PARSE-S02", 1, "position 1");
    row("+", "int32", "PARSE-S02", 1, "digit");
    row(" 12x", "float32", "PARSE-S02", 3, "position 3");
    row("1e", "float64", "PARSE-S02", 1, "'1e'");
    row(".", "float64", "PARSE-S02", 0, "'.'");
    row("infx", "float64", "PARSE-S02", 0, "'infx'");
    row("nan(1)", "float64", "PARSE-S02", 0, "'nan(1)'");
    row("0x10", "int64", "PARSE-S03", 0, "Type 16.");
    row("-0x1F", "float32", "PARSE-S03", 1, "Type -31.");
    row("0b101", "uint8", "PARSE-S03", 0, "Type 5.");
    row("1_000", "int64", "PARSE-S03", 1, "Type 1000.");
    row("1_0.5", "float32", "PARSE-S03", 1, "Type 10.5.");
    row("\u0663", "int64", "PARSE-S04", 0, "use digits 0-9");
    row("\uff11\uff12", "float32", "PARSE-S04", 0, "use digits 0-9");
    row("\u22125", "int8", "PARSE-S04", 0, "use digits 0-9");
    row("nan", "int32", "PARSE-S05", 0, "int32 has no 'nan'");
    row("-inf", "uint8", "PARSE-S05", 0, "uint8 has no '-inf'");
    row("1.5", "int64", "PARSE-S06", 1, "whole number");
    row("1e3", "int64", "PARSE-S06", 1, "whole number");
    row("3.0", "uint8", "PARSE-S06", 1, "whole number");
    row("256", "uint8", "PARSE-S07", 0, "0 to 255");
    row("-1", "uint8", "PARSE-S07", 0, "0 to 255");
    row("-129", "int8", "PARSE-S07", 0, "-128 to 127");
    row("99999999999999999999", "int64", "PARSE-S07", 0, "9223372036854775807");
    row("1e400", "float64", "PARSE-S07", 0, "too large");
    row("1e-400", "float64", "PARSE-S07", 0, "too small");
    row("1e39", "float32", "PARSE-S07", 0, "3.4028235e+38");
    row("-1e-50", "float32", "PARSE-S07", 0, "become 0");
    row("65520", "float16", "PARSE-S07", 0, "65504");
    row("1e-9", "float16", "PARSE-S07", 0, "become 0");
    row("2", "bool", "PARSE-S02", 0, "True, False, 1 or 0");
    row("yes", "bool", "PARSE-S02", 0, "'yes'");
}

void TestParseScalar::refuses() {
    QFETCH(QString, text);
    QFETCH(QString, dtype);
    QFETCH(QString, id);
    QFETCH(int, position);
    QFETCH(QString, words);
    const auto parsed = parseScalar(text.toStdString(), *dtypeFromName(dtype.toStdString()));
    QVERIFY2(!parsed.ok(), parsed.ok() ? toString(*parsed).c_str() : "");
    const Refusal& refusal = parsed.refusal();
    QCOMPARE(QString::fromStdString(refusal.id), id);
    const auto* place = std::get_if<InputPosition>(&refusal.detail);
    QVERIFY(place);
    QCOMPARE(int(place->position), position);
    const QString said = QString::fromStdString(refusal.message + " " + refusal.hint);
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY(refusal.message.size() <= 140);
}

void TestParseScalar::roundsOnce() {
    // Just above the middle of two floats, but rounded to the middle as a double: through double it would go down.
    const auto parsed = parseScalar("1.00000005960464477540", DType::Float32);
    QVERIFY(parsed.ok());
    QCOMPARE(parsed->toDouble(), static_cast<double>(std::nextafter(1.0F, 2.0F)));
}

QTEST_GUILESS_MAIN(TestParseScalar)
#include "tst_parse_scalar.moc"
