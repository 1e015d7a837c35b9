// One number of bytes has one wording, wherever it stands.

#include "core/io/text.h"
#include "core/storage/memory_budget.h"
#include "widgets/figures/figure.h"

#include <QTest>

namespace stridescope {
QString bytesText(quint64 bytes); // widgets/model/words.h, whose name figure.h shares
}

using namespace stridescope;

class TestByteWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everywhereTheSame_data();
    void everywhereTheSame();
};

void TestByteWords::everywhereTheSame_data() {
    QTest::addColumn<Index>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("none") << Index{0} << "0 B";
    QTest::newRow("a few") << Index{96} << "96 B";
    QTest::newRow("1 KiB") << Index{1024} << "1024 B";
    QTest::newRow("60 × 80 × 4") << Index{19200} << QStringLiteral("19\u202f200 B");
    QTest::newRow("a picture") << Index{720'000} << "720 kB";
    QTest::newRow("30 GB") << Index{30'000'000'000} << "30.0 GB";
    QTest::newRow("27.9 GiB is 30.0 GB") << Index{29'957'000'000} << "30.0 GB";
}

void TestByteWords::everywhereTheSame() {
    QFETCH(Index, bytes);
    QFETCH(QString, words);
    QCOMPARE(QString::fromStdString(formatBytes(bytes)), words);                           // allocations, history
    QCOMPARE(QString::fromStdString(bytesText(static_cast<std::uint64_t>(bytes))), words); // files
    QCOMPARE(bytesText(static_cast<quint64>(bytes)), words); // tree, ledger, forms, strip handle
    QCOMPARE(bytesText(bytes), words);                       // figures
}

QTEST_GUILESS_MAIN(TestByteWords)
#include "tst_byte_words.moc"
