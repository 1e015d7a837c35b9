// What the command palette finds first.

#include "widgets/panels/fuzzy_match.h"

#include <QTest>

using namespace stridescope;

class TestFuzzyMatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finds_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("found");
        QTest::newRow("empty") << QString() << QStringLiteral("Undo") << true;
        QTest::newRow("empty text") << QStringLiteral("u") << QString() << false;
        QTest::newRow("prefix") << QStringLiteral("un") << QStringLiteral("Undo") << true;
        QTest::newRow("any case") << QStringLiteral("UNDO") << QStringLiteral("undo") << true;
        QTest::newRow("initials") << QStringLiteral("rl") << QStringLiteral("Reset layout") << true;
        QTest::newRow("blanks") << QStringLiteral("reset lay") << QStringLiteral("Reset layout") << true;
        QTest::newRow("wrong order") << QStringLiteral("odnu") << QStringLiteral("undo") << false;
        QTest::newRow("too many") << QStringLiteral("undoo") << QStringLiteral("undo") << false;
        QTest::newRow("long") << QString(5000, QLatin1Char('a')) << QString(5000, QLatin1Char('a')) << true;
    }
    void finds() {
        QFETCH(QString, pattern);
        QFETCH(QString, text);
        QFETCH(bool, found);
        QCOMPARE(fuzzyScore(pattern, text).has_value(), found);
    }

    void ranks_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        const auto row = [](const char* pattern, const char* better, const char* worse) {
            QTest::newRow(pattern) << QString::fromLatin1(pattern) << QString::fromLatin1(better)
                                   << QString::fromLatin1(worse);
        };
        row("tr", "C.transpose(0, 1)", "Wrap the strip: row");
        row("undo", "Undo", "Unfold and dolly");
        row("rl", "Reset layout", "Serial");
        row("open", "Open", "Stop the pen");
        row("fit", "Fit", "Wrap the strip: fit");
    }
    void ranks() {
        QFETCH(QString, pattern);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        const auto a = fuzzyScore(pattern, better), b = fuzzyScore(pattern, worse);
        QVERIFY(a.has_value());
        QVERIFY(!b || *a > *b);
    }
};

QTEST_GUILESS_MAIN(TestFuzzyMatch)
#include "tst_fuzzy_match.moc"
