#include "core/io/text.h"

#include <QTest>

using namespace stridescope;

class TestIoText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shown_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& text, const char16_t* expected) {
            QTest::newRow(name) << text << QString::fromUtf16(expected);
        };
        row("empty", "", u"");
        row("plain", "weights[0]", u"weights[0]");
        row("other scripts", "größe 数 😀", u"größe 数 😀");
        row("newline and tab", "a\nb\tc\rd", u"a\\nb\\tc\\rd");
        row("escape sequence", "\x1b[2J", u"\\x1b[2J");
        row("null", QByteArray("a\0b", 3), u"a\\x00b");
        row("delete and C1", "\x7f\xc2\x9b", u"\\x7f\\x9b");
        row("bidi override",
            "a\xe2\x80\xae"
            "b",
            u"a\\u202eb");
        row("bidi isolate", "\xe2\x81\xa6", u"\\u2066");
        row("zero width", "\xe2\x80\x8b\xef\xbb\xbf", u"\\u200b\\ufeff");
        row("tag characters", "\xf3\xa0\x81\x81", u"\\U000e0041");
        row("private use", "\xee\x80\x80", u"\\ue000");
        row("lone continuation", "\x80x", u"\uFFFDx");
        row("cut in a character", "\xe6\x95", u"\uFFFD\uFFFD");
        row("overlong slash", "\xc0\xaf", u"\uFFFD\uFFFD");
        row("overlong three", "\xe0\x80\xaf", u"\uFFFD\uFFFD\uFFFD");
        row("surrogate", "\xed\xa0\x80", u"\uFFFD\uFFFD\uFFFD");
        row("beyond unicode", "\xf4\x90\x80\x80", u"\uFFFD\uFFFD\uFFFD\uFFFD");
        row("latin-1",
            "gr\xf6\xdf"
            "e",
            u"gr\uFFFD\uFFFDe");
    }
    void shown() {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(
                     sanitiseForDisplay(std::string_view(text.constData(), static_cast<std::size_t>(text.size())))),
                 expected);
    }

    void cut() {
        QCOMPARE(QString::fromStdString(sanitiseForDisplay(std::string(200, 'a'))), QString(200, QLatin1Char('a')));
        QCOMPARE(QString::fromStdString(sanitiseForDisplay(std::string(201, 'a'))),
                 QString(199, QLatin1Char('a')) + QChar(0x2026));
        QCOMPARE(QString::fromStdString(sanitiseForDisplay(std::string(1 << 20, '\n'), 8)),
                 QStringLiteral("\\n\\n\\n…"));
        QCOMPARE(QString::fromStdString(sanitiseForDisplay("abc", 0)), QString());
        QCOMPARE(QString::fromStdString(sanitiseForDisplay("abc", 1)), QStringLiteral("…"));
        QCOMPARE(QString::fromStdString(sanitiseForDisplay("abc", 3)), QStringLiteral("abc"));
    }

    /// Every pair of bytes gives valid UTF-8 without control characters.
    void neverInvalid() {
        for (int i = 0; i < 65536; ++i) {
            const std::string text{static_cast<char>(i >> 8), static_cast<char>(i & 0xFF)};
            const std::string shown = sanitiseForDisplay(text);
            const QString decoded = QString::fromStdString(shown);
            QVERIFY(decoded.toStdString() == shown);
            for (const QChar c : decoded) {
                const auto category = c.category();
                QVERIFY(category != QChar::Other_Control && category != QChar::Other_Format &&
                        category != QChar::Other_PrivateUse && category != QChar::Separator_Line);
            }
        }
    }

    void bytes_data() {
        QTest::addColumn<qulonglong>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("0") << 0ull << QStringLiteral("0 B");
        QTest::newRow("396") << 396ull << QStringLiteral("396 B");
        QTest::newRow("9999") << 9999ull << QStringLiteral("9999 B");
        QTest::newRow("30730") << 30730ull << QStringLiteral("30\u202f730 B");
        QTest::newRow("99999") << 99999ull << QStringLiteral("99\u202f999 B");
        QTest::newRow("100000") << 100000ull << QStringLiteral("100 kB");
        QTest::newRow("999499") << 999499ull << QStringLiteral("999 kB");
        QTest::newRow("999600") << 999600ull << QStringLiteral("1.00 MB");
        QTest::newRow("14.4 GB") << 14'400'000'000ull << QStringLiteral("14.4 GB");
        QTest::newRow("most") << ~0ull << QStringLiteral("18.4 EB");
    }
    void bytes() {
        QFETCH(qulonglong, bytes);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(bytesText(bytes)), expected);
    }
};

QTEST_GUILESS_MAIN(TestIoText)
#include "tst_io_text.moc"
