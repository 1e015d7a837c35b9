// What a process prints, gathered within limits: lines that are written anew, long ones, many.
#include "app/kernel/output_buffer.h"

#include <QTest>

using namespace stridescope;

namespace {

/// What a terminal shows of all that came, in pieces of `piece` bytes, taken after each `takeEvery` of them.
QString shown(const QByteArray& bytes, qsizetype piece, int takeEvery) {
    OutputBuffer buffer;
    QString all;
    const auto take = [&] {
        for (const OutputPart& part : buffer.take().parts) all += part.text;
    };
    int count = 0;
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        buffer.append(bytes.constData() + at, std::min(piece, bytes.size() - at), false);
        if (++count % takeEvery == 0) take();
    }
    take();
    QStringList lines = all.split(QLatin1Char('\n'));
    for (QString& line : lines) line = overwritten(line);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestOutputBuffer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void returns_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("none") << QByteArray("ab\ncd") << QStringLiteral("ab\ncd");
        QTest::newRow("over the beginning") << QByteArray("abcd\rX\n") << QStringLiteral("Xbcd\n");
        QTest::newRow("goes on where it was") << QByteArray("abcd\rX\rYZ\n") << QStringLiteral("YZcd\n");
        QTest::newRow("line ends of another system") << QByteArray("ab\r\ncd\r\n") << QStringLiteral("ab\ncd\n");
        QTest::newRow("a bar") << QByteArray("\r10 %\r20 %\r100 %") << QStringLiteral("100 %");
        QTest::newRow("several at once") << QByteArray("ab\r\r\rc\n") << QStringLiteral("cb\n");
        QTest::newRow("letters of several bytes")
            << QByteArray("\xC3\xA4\xC3\xB6\r\xE2\x82\xAC\n") << QStringLiteral("€ö\n");
    }
    void returns() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, wanted);
        for (const int takeEvery : {1, 2, 1000})
            for (qsizetype piece = 1; piece <= bytes.size(); ++piece) QCOMPARE(shown(bytes, piece, takeEvery), wanted);
    }

    void aBarOfManyStepsStaysShort() {
        OutputBuffer buffer;
        for (int step = 0; step < 10'000; ++step) {
            const QByteArray text = "\rstep " + QByteArray::number(step);
            buffer.append(text.constData(), text.size(), false);
        }
        const OutputBatch batch = buffer.take();
        QCOMPARE(batch.parts.size(), 1);
        QVERIFY2(batch.parts[0].text.size() < 40, qPrintable(batch.parts[0].text.left(100)));
        QCOMPARE(overwritten(batch.parts[0].text), QStringLiteral("step 9999"));
    }

    void manyLinesAreTakenPieceByPiece() {
        OutputBuffer buffer;
        QByteArray text;
        for (int i = 0; i < 1200; ++i) text += "line " + QByteArray::number(i) + '\n';
        buffer.append(text.constData(), text.size(), false);
        QString all;
        for (const int wanted : {500, 500, 200}) {
            const OutputBatch batch = buffer.take(500);
            QCOMPARE(batch.droppedLines, 0);
            QCOMPARE(batch.parts.at(0).text.count(QLatin1Char('\n')), wanted);
            all += batch.parts.at(0).text;
        }
        QVERIFY(buffer.isEmpty());
        QCOMPARE(all, QString::fromLatin1(text));
    }

    void whatNobodyTakesIsBounded_data() {
        QTest::addColumn<int>("length");
        QTest::newRow("short lines") << 3;
        QTest::newRow("long lines") << 1500;
    }
    void whatNobodyTakesIsBounded() {
        QFETCH(int, length);
        OutputBuffer buffer;
        const QByteArray line = QByteArray(length, 'x') + '\n';
        constexpr int kCount = 25'000;
        for (int i = 0; i < kCount; ++i) buffer.append(line.constData(), line.size(), i % 2 == 1);
        const OutputBatch batch = buffer.take();
        qsizetype lines = 0, letters = 0;
        for (const OutputPart& part : batch.parts) {
            lines += part.text.count(QLatin1Char('\n'));
            letters += part.text.size();
        }
        QVERIFY(lines <= qsizetype{OutputBuffer::kLines} && letters <= OutputBuffer::kLetters);
        QVERIFY(lines == qsizetype{OutputBuffer::kLines} || letters > OutputBuffer::kLetters - line.size());
        QCOMPARE(batch.droppedLines + lines, qint64{kCount});
    }

    void whatALongLineLostIsForgottenWhenItIsWrittenAnew() {
        OutputBuffer buffer;
        const QByteArray text = QByteArray(OutputBuffer::kLineLength + 17, 'x') + "\rdone" + QByteArray(9, ' ') + "\n";
        buffer.append(text.constData(), text.size(), false);
        const QString line = buffer.take().parts.at(0).text;
        QVERIFY(overwritten(line).startsWith(QLatin1String("done")));
        QVERIFY(!line.contains(QLatin1String("more characters")));
    }
};

QTEST_GUILESS_MAIN(TestOutputBuffer)
#include "tst_output_buffer.moc"
