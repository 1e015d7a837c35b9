// Shapes and number lists as people type them.

#include "core/view/parse.h"

#include <QTest>

#include <random>

using namespace stridescope;

namespace {

QByteArray words(const Result<Dims>& result) {
    if (result) return QByteArray::fromStdString(toString(*result));
    const auto* place = std::get_if<InputPosition>(&result.refusal().detail);
    return QByteArray::fromStdString(result.refusal().id) + " at " +
           QByteArray::number(place != nullptr ? place->position : -1);
}

/// Printable: some of the texts are control characters or bytes of other scripts.
QByteArray rowName(const char* text) {
    return "'" + QByteArray(text).toPercentEncoding(" ,;()[]*+") + "'";
}

} // namespace

class TestViewParse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shapes_data();
    void shapes();
    void integers_data();
    void integers();
    void inferredSizes();
    void wordsNameTheFault_data();
    void wordsNameTheFault();
    void manyNumbers();
    void printedShapesAreReadBack();
    void anyBytesAreAnswered();
};

void TestViewParse::shapes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected"); // the tuple, or id and position from 0
    const auto row = [](const char* text, const char* expected) {
        QTest::newRow(rowName(text).constData()) << QByteArray(text) << QByteArray(expected);
    };
    row("", "()");
    row("   ", "()");
    row("()", "()");
    row("[]", "()");
    row("( )", "()");
    row("5", "(5,)");
    row("(5,)", "(5,)");
    row("5,", "(5,)");
    row("[5,]", "(5,)");
    row("2, 3", "(2, 3)");
    row("(2,3)", "(2, 3)");
    row("[2, 3]", "(2, 3)");
    row(" [ 2 ,3 ] ", "(2, 3)");
    row("2 x 3", "(2, 3)");
    row("2x3X4", "(2, 3, 4)");
    row("2\xC3\x97"
        "3",
        "(2, 3)");
    row("2 \xC3\x97 3", "(2, 3)");
    row("2*3", "(2, 3)");
    row("10 x 0 x 2", "(10, 0, 2)");
    row("0", "(0,)");
    row("0,3", "(0, 3)");
    row("007", "(7,)");
    row("-0", "(0,)");
    row("\t2,\n3\r\n", "(2, 3)");
    row("9223372036854775807", "(9223372036854775807,)");

    row("2,3,,4", "VIEW-40 at 4");
    row("2 3", "VIEW-44 at 2");
    row("(2,3", "VIEW-43 at 4");
    row("(2,3]", "VIEW-43 at 4");
    row("[2,3)", "VIEW-43 at 4");
    row("2,3)", "VIEW-44 at 3");
    row("(2,3))", "VIEW-44 at 5");
    row("(2,3) 4", "VIEW-44 at 6");
    row("(", "VIEW-40 at 1");
    row(")", "VIEW-40 at 0");
    row(",", "VIEW-40 at 0");
    row("(,)", "VIEW-40 at 1");
    row("2,,", "VIEW-40 at 2");
    row("2 x", "VIEW-40 at 3");
    row("2 x x 3", "VIEW-40 at 4");
    row("((2))", "VIEW-40 at 1");
    row("x3", "VIEW-40 at 0");
    row("a", "VIEW-40 at 0");
    row("2, b", "VIEW-40 at 3");
    row("-", "VIEW-40 at 1");
    row("--2", "VIEW-40 at 1");
    row("+2", "VIEW-40 at 0");
    row("2;3", "VIEW-44 at 1");
    row("nan", "VIEW-40 at 0");
    row("inf", "VIEW-40 at 0");
    row(".5", "VIEW-40 at 0");
    row("1e9", "VIEW-41 at 1");
    row("1.5", "VIEW-41 at 1");
    row("0x10", "VIEW-41 at 1");
    row("2, 0x10", "VIEW-41 at 4");
    row("1_000", "VIEW-41 at 1");
    row("3L", "VIEW-41 at 1");
    row("2, 3a", "VIEW-41 at 4");
    row("\xD9\xA3", "VIEW-41 at 0"); // Arabic-Indic 3
    row("2, \xD9\xA3", "VIEW-41 at 3");
    row("\xEF\xBC\x93", "VIEW-41 at 0"); // full-width 3
    row("\xEF\xBC\x93, 4", "VIEW-41 at 0");
    row("4\xEF\xBC\x93", "VIEW-41 at 1");
    row("2\xC3\x97\xD9\xA3", "VIEW-41 at 2"); // positions count characters, not bytes
    row("\xE2\x88\x92"
        "1",
        "VIEW-41 at 0"); // minus sign that is no hyphen
    row("9223372036854775808", "VIEW-42 at 0");
    row("99999999999999999999", "VIEW-42 at 0");
    row("1, 99999999999999999999", "VIEW-42 at 3");
    row("-9223372036854775809", "VIEW-42 at 0");
    row("-1", "VIEW-45 at 0");
    row("2, -5", "VIEW-45 at 3");
    row("(-9223372036854775808)", "VIEW-45 at 1");
}

void TestViewParse::shapes() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto result = parseShape(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QCOMPARE(words(result), expected);
    if (!result) {
        QVERIFY(result.refusal().kind == ErrorKind::Value);
        QVERIFY(!result.refusal().hint.empty());
    }
}

void TestViewParse::integers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* text, const char* expected) {
        QTest::newRow(rowName(text).constData()) << QByteArray(text) << QByteArray(expected);
    };
    row("-1, 2", "(-1, 2)");
    row("(4, -1)", "(4, -1)");
    row("-9223372036854775808", "(-9223372036854775808,)");
    row("9223372036854775807", "(9223372036854775807,)");
    row("-9223372036854775809", "VIEW-42 at 0");
    row("1 -2", "VIEW-44 at 2");
    row("1, - 2", "VIEW-40 at 4");
}

void TestViewParse::integers() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(words(parseIntegers(text.toStdString())), expected);
}

void TestViewParse::inferredSizes() {
    QCOMPARE(words(parseShape("2, -1", true)), QByteArray("(2, -1)"));
    QCOMPARE(words(parseShape("-1, -1", true)), QByteArray("(-1, -1)")); // the operation tells that one is enough
    QCOMPARE(words(parseShape("2, -2", true)), QByteArray("VIEW-45 at 3"));
}

void TestViewParse::wordsNameTheFault_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("contains");
    QTest::newRow("missing number") << QByteArray("2,3,,4") << QByteArray("expected a number at position 5");
    QTest::newRow("missing comma") << QByteArray("2 3") << QByteArray("expected a comma at position 3");
    QTest::newRow("missing bracket") << QByteArray("(2,3") << QByteArray("expected ')' at position 5");
    QTest::newRow("digits") << QByteArray("\xD9\xA3") << QByteArray("use digits 0-9");
    QTest::newRow("too large") << QByteArray("99999999999999999999") << QByteArray("too large for 64 bits");
    QTest::newRow("size") << QByteArray("3, -5") << QByteArray("size of dim 1 is -5; sizes are 0 or more");
}

void TestViewParse::wordsNameTheFault() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, contains);
    const auto result = parseShape(text.toStdString());
    QVERIFY(!result.ok());
    const QByteArray message = QByteArray::fromStdString(result.refusal().message);
    QVERIFY2(message.contains(contains), message.constData());
}

void TestViewParse::manyNumbers() {
    std::string text = "1";
    for (int i = 1; i < 64; ++i) text += ",1";
    QCOMPARE(parseShape(text)->size(), std::size_t{64});
    const auto one = parseShape(text + ",1");
    QCOMPARE(words(one), QByteArray("VIEW-46 at 128"));
    QVERIFY(one.refusal().message.find("65 dims; limit 64") != std::string::npos);
    for (int i = 64; i < 1000; ++i) text += ",1";
    QVERIFY(parseShape(text).refusal().message.find("1000 dims; limit 64") != std::string::npos);
    const std::string longNumber(100'000, '9');
    const auto large = parseShape(longNumber);
    QCOMPARE(words(large), QByteArray("VIEW-42 at 0"));
    QVERIFY(large.refusal().message.size() <= 140);
}

void TestViewParse::printedShapesAreReadBack() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
        Dims dims;
        for (int d = static_cast<int>(random() % 9); d > 0; --d)
            dims.push_back(static_cast<Index>(random() >> (random() % 64)));
        QVERIFY(*parseIntegers(toString(dims)) == dims);
        QVERIFY(*parseIntegers(toListString(dims)) == dims);
    }
}

void TestViewParse::anyBytesAreAnswered() {
    std::mt19937_64 random(2);
    const std::string alphabet = "0123456789,,,  ()[]-x*\xC3\x97\xD9\xA3_e.\n";
    int accepted = 0;
    for (int i = 0; i < 200'000; ++i) {
        std::string text;
        for (int n = static_cast<int>(random() % 10); n > 0; --n) text += alphabet[random() % alphabet.size()];
        const auto result = parseShape(text, true);
        accepted += result.ok();
        if (result) {
            for (const Index size : *result) QVERIFY(size >= -1);
            continue;
        }
        const auto* place = std::get_if<InputPosition>(&result.refusal().detail);
        QVERIFY(place != nullptr);
        QVERIFY(place->position >= 0 && place->position <= static_cast<Index>(text.size()));
        QVERIFY(result.refusal().message.size() <= 140);
    }
    QVERIFY(accepted > 1000);
}

QTEST_GUILESS_MAIN(TestViewParse)
#include "tst_view_parse.moc"
