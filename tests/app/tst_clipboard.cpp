// The clipboard: tables that come back the same, and owners that never answer.

#include "app/files/clipboard_reader.h"
#include "app/files/paste_text.h"
#include "app/files/tensor_table.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUrl>

#include <climits>
#include <limits>

using namespace stridescope;

class TestClipboard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tables_data() {
        QTest::addColumn<Tensor>("tensor");
        QTest::addColumn<QString>("text");
        const Tensor six = arange(Scalar(6));
        QTest::newRow("one dim") << six << QStringLiteral("0\t1\t2\t3\t4\t5");
        QTest::newRow("two dims") << six.withView(contiguousView(Dims{2, 3}).valueOrThrow())
                                  << QStringLiteral("0\t1\t2\n3\t4\t5");
        QTest::newRow("transposed") << six.withView(View{{3, 2}, {1, 3}, 0}) << QStringLiteral("0\t3\n1\t4\n2\t5");
        QTest::newRow("no dims") << six.withView(View{{}, {}, 4}) << QStringLiteral("4");
        QTest::newRow("three dims") << six.withView(View{{3, 1, 2}, {2, 2, 1}, 0})
                                    << QStringLiteral("A[0]:\n0\t1\n\nA[1]:\n2\t3\n\nA[2]:\n4\t5");
        QTest::newRow("five dims") << six.withView(View{{1, 2, 1, 1, 3}, {6, 3, 3, 3, 1}, 0})
                                   << QStringLiteral("A[0, 0, 0]:\n0\t1\t2\n\nA[0, 1, 0]:\n3\t4\t5");
        QTest::newRow("empty") << six.withView(View{{0, 3}, {3, 1}, 0}) << QStringLiteral("A: 0 elements");
        const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
        QTest::newRow("floats") << tensorFrom(NestedList::list({NestedList(Scalar(0.1)), NestedList(Scalar(-inf)),
                                                                NestedList(Scalar(nan)), NestedList(Scalar(1e-7))}),
                                              {DType::Float64, {}})
                                << QStringLiteral("0.1\t-inf\tnan\t1e-07");
        QTest::newRow("bool") << tensorFrom(NestedList::list({NestedList(Scalar(true)), NestedList(Scalar(false))}), {})
                              << QStringLiteral("True\tFalse");
    }
    void tables() {
        QFETCH(Tensor, tensor);
        QFETCH(QString, text);
        const auto table = tensorTable(tensor, QStringLiteral("A"));
        QVERIFY(table.ok());
        QCOMPARE(*table, text);
        if (tensor.dim() == 0 || tensor.dim() > 2 || tensor.numel() == 0) return;
        // What was copied pastes as the same values.
        const auto back = readPastedNumbers(table->toStdString());
        QVERIFY(back.ok());
        TensorOptions options;
        options.dtype = tensor.dtype();
        const Tensor again = tensorFrom(back->values, options);
        QCOMPARE(again.shape(), tensor.shape());
        const auto second = tensorTable(again, QStringLiteral("A"));
        QCOMPARE(*second, text);
    }

    void largeTablesAreRefused() {
        const Tensor tensor = zeros(Dims{1}).withView(View{{1001, 100}, {0, 0}, 0});
        const auto table = tensorTable(tensor, QStringLiteral("A"));
        QVERIFY(!table.ok());
        QCOMPARE(QString::fromStdString(table.refusal().id), QStringLiteral("TABLE-01"));
        QVERIFY(table.refusal().message.find("100100") != std::string::npos);
        QVERIFY(table.refusal().message.find("100000") != std::string::npos);
    }

    void contentsTravel() {
        QMimeData data;
        data.setText(QString::fromUtf8("1\t2 größe"));
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/a b.npy"))});
        QImage image(3, 2, QImage::Format_RGB32);
        image.fill(qRgb(1, 2, 3));
        data.setImageData(image);
        const ClipboardContents there = ClipboardReader::contentsOf(&data);
        const ClipboardContents back = ClipboardReader::unpacked(ClipboardReader::packed(there));
        QCOMPARE(back.urls, there.urls);
        QVERIFY(back.hasText);
        QCOMPARE(back.text, there.text);
        QCOMPARE(back.image.size(), QSize(3, 2));
        QCOMPARE(back.image.pixel(2, 1), qRgb(1, 2, 3));
        // Bytes of nobody's, and cut ones, are nothing.
        const QByteArray bytes = ClipboardReader::packed(there);
        for (qsizetype size = 0; size < bytes.size(); ++size)
            QVERIFY(ClipboardReader::unpacked(bytes.left(size)).isEmpty());
        QVERIFY(ClipboardReader::unpacked(QByteArray(64, '\xff')).isEmpty());
        // Sizes whose product is beyond 64 bits make no picture.
        QByteArray wide;
        QDataStream stream(&wide, QIODevice::WriteOnly);
        stream << QByteArray() << true << qint64{0} << QString() << INT_MAX << INT_MAX << QByteArray(16, '\0');
        QVERIFY(ClipboardReader::unpacked(wide).image.isNull());
    }

    void largeTextsStayThere() {
        QMimeData data;
        data.setText(QString(static_cast<qsizetype>(kLargestPaste) + 1, QLatin1Char('7')));
        const ClipboardContents contents = ClipboardReader::contentsOf(&data);
        QVERIFY(contents.hasText);
        QVERIFY(contents.text.isEmpty());
        QCOMPARE(contents.textBytes, static_cast<qint64>(kLargestPaste) + 1);
    }

    void silentOwnersAreLeft() {
        ClipboardReader reader;
        reader.setHelper(QStringLiteral("/bin/sleep"), {QStringLiteral("600")});
        int answers = 0;
        ClipboardContents contents;
        QElapsedTimer heart;
        qint64 longest = 0;
        QTimer beat;
        connect(&beat, &QTimer::timeout, this, [&] { longest = std::max(longest, heart.restart()); });
        heart.start();
        beat.start(5);
        reader.read([&](const ClipboardContents& found) {
            ++answers;
            contents = found;
        });
        QCOMPARE(answers, 0); // asking does not wait
        QTRY_COMPARE_WITH_TIMEOUT(answers, 1, 20000);
        QVERIFY(contents.timedOut);
        QVERIFY(contents.isEmpty());
        QVERIFY(longest > 0 && longest < ClipboardReader::kLimit); // the window went on
        // The answer to an older question is not waited for.
        reader.read([&](const ClipboardContents&) { QFAIL("dropped"); });
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("answer")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        ClipboardContents sent;
        sent.hasText = true;
        sent.text = QStringLiteral("1 2 3");
        sent.textBytes = 5;
        file.write(ClipboardReader::packed(sent));
        file.close();
        reader.setHelper(QStringLiteral("/bin/cat"), {file.fileName()});
        QString text;
        reader.read([&](const ClipboardContents& found) { text = found.text; });
        QTRY_COMPARE_WITH_TIMEOUT(text, QStringLiteral("1 2 3"), 20000);
    }

    void helpersThatCannotStart() {
        QGuiApplication::clipboard()->setText(QStringLiteral("5 6"));
        ClipboardReader reader;
        reader.setHelper(QStringLiteral("/nonexistent/program"), {});
        QString text;
        reader.read([&](const ClipboardContents& found) { text = found.text; });
        QTRY_COMPARE(text, QStringLiteral("5 6"));
    }
};

QTEST_MAIN(TestClipboard)
#include "tst_clipboard.moc"
