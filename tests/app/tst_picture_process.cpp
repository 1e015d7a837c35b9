// Pictures decoded in a process of their own, the program itself: what comes over, and what a decoder that crashes,
// lies or never ends does to the window (row I5 of the list of what must not go wrong).

#include "app/files/picture_process.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/heartbeat.h"
#include "tests/support/test_paths.h"

#include <QBuffer>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QtEndian>

#include <csignal>
#include <thread>

#include <zlib.h>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QImage coloured(int width, int height, QImage::Format format) {
    QImage image(width, height, QImage::Format_ARGB32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.setPixel(x, y, qRgba(x * 7 % 256, y * 5 % 256, (x + y) % 256, 255));
    return image.convertToFormat(format);
}

QByteArray bytesOf(const Tensor& t) {
    return {reinterpret_cast<const char*>(t.storage()->data()), static_cast<qsizetype>(t.storage()->bytes())};
}

bool lives(qint64 process) {
    return kill(static_cast<pid_t>(process), 0) == 0;
}

} // namespace

class TestPictureProcess : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_program = QString::fromStdString(buildPath("bin/stridescope"));
        if (!QFile::exists(m_program)) QSKIP("the program is not built; this test drives it");
        QVERIFY(m_folder.isValid());
    }
    void init() { setPictureProgram(m_program); }
    void cleanup() { setPictureProgram({}); }

    /// The same tensors and notes as without a process, and one process for all of them.
    void whatComesOver() {
        PictureReader reader;
        qint64 process = 0;
        const QImage::Format formats[] = {QImage::Format_RGB32, QImage::Format_ARGB32, QImage::Format_Grayscale8,
                                          QImage::Format_Mono,  QImage::Format_RGBX64, QImage::Format_Grayscale16,
                                          QImage::Format_RGBA64};
        for (const QImage::Format format : formats)
            for (const QSize size : {QSize(1, 1), QSize(5, 3), QSize(400, 301)}) {
                const QString path = save(coloured(size.width(), size.height(), format), "png");
                const auto there = reader.read(path, FileKind::Png);
                QVERIFY2(there, there ? "" : there.refusal().message.c_str());
                const auto here = pictureTensor(*decodePicture(path, FileKind::Png));
                QCOMPARE(there->tensor.shape(), here->tensor.shape());
                QVERIFY(bytesOf(there->tensor) == bytesOf(here->tensor));
                QCOMPARE(there->notes, here->notes);
                if (process != 0) QCOMPARE(reader.processId(), process);
                process = reader.processId();
                QVERIFY(process > 0);
            }
        const auto jpeg = reader.read(save(coloured(31, 20, QImage::Format_RGB32), "jpg"), FileKind::Jpeg);
        QVERIFY(jpeg);
        QCOMPARE(jpeg->tensor.shape(), (Dims{20, 31, 3}));
    }

    /// Refusals come over with their numbers, and the process lives on.
    void refusalsComeOver() {
        PictureReader reader;
        QByteArray png; // 60000 x 60000 in its head
        QBuffer buffer(&png);
        QVERIFY(coloured(2, 2, QImage::Format_RGB32).save(&buffer, "png"));
        constexpr qsizetype kHead = 12, kSum = kHead + 4 + 13; // "IHDR", its content, and their sum
        for (const qsizetype at : {kHead + 4, kHead + 8}) qToBigEndian<quint32>(60'000, png.data() + at);
        const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(png.constData() + kHead), kSum - kHead);
        qToBigEndian<quint32>(static_cast<quint32>(sum), png.data() + kSum);
        const auto large = reader.read(write("large.png", png), FileKind::Png);
        QVERIFY(!large);
        QCOMPARE(QString::fromStdString(large.refusal().id), QStringLiteral("PIC-01"));
        const auto* numbers = std::get_if<BytesExceeded>(&large.refusal().detail);
        QVERIFY(numbers);
        QCOMPARE(numbers->wanted, Index{14'400'000'000});
        QCOMPARE(numbers->limit, Index{kLargestPicture});
        const qint64 process = reader.processId();
        const auto damaged = reader.read(write("cut.png", "\x89PNG\r\n\x1a\n"), FileKind::Png);
        QVERIFY(!damaged);
        QCOMPARE(QString::fromStdString(damaged.refusal().id), QStringLiteral("PIC-02"));
        QVERIFY(!damaged.refusal().hint.empty());
        QCOMPARE(reader.processId(), process);
    }

    /// Killed while it decodes: said so at once, and the next picture has a new process.
    void killedWhileItDecodes() {
        PictureReader reader;
        const QString path = save(coloured(50, 40, QImage::Format_RGB32), "png");
        QVERIFY(reader.start());
        const qint64 process = reader.processId();
        kill(static_cast<pid_t>(process), SIGSTOP);
        std::thread killer([process] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            kill(static_cast<pid_t>(process), SIGKILL);
        });
        const auto picture = reader.read(path, FileKind::Png);
        killer.join();
        QVERIFY(!picture);
        QCOMPARE(QString::fromStdString(picture.refusal().id), QStringLiteral("PIC-04"));
        const QString words = QString::fromStdString(picture.refusal().message);
        QVERIFY2(words.contains(QStringLiteral("could not be read: the decoder failed (ended by signal 9)")),
                 qPrintable(words));
        QVERIFY(reader.read(path, FileKind::Png));
        QVERIFY(reader.processId() != process);
    }

    void decodersThatFail_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        // A head as picture_process.cpp has it: magic, refused, kind of error, text; width, height, channels, -;
        // numbers.
        const auto head = [](const char* sizes) {
            return QStringLiteral("printf 'SPIC\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0%1\\0\\0\\0\\0\\0\\0\\0\\0"
                                  "\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'\n")
                .arg(QString::fromLatin1(sizes));
        };
        const char* small = "\\2\\0\\0\\0\\2\\0\\0\\0\\3\\0\\0\\0";
        QTest::newRow("segmentation fault") << QStringLiteral("kill -SEGV $$") << QStringLiteral("ended by signal 11");
        QTest::newRow("ends") << QStringLiteral("exit 3") << QStringLiteral("ended with code 3");
        QTest::newRow("rubbish") << QStringLiteral("head -c 100000 /dev/zero; cat") << QStringLiteral("no picture");
        QTest::newRow("huge sizes") << head("\\377\\377\\377\\177\\377\\377\\377\\177\\3\\0\\0\\0") +
                                           QStringLiteral("cat")
                                    << QStringLiteral("no picture");
        QTest::newRow("sizes below 0") << head("\\377\\377\\377\\377\\2\\0\\0\\0\\3\\0\\0\\0") + QStringLiteral("cat")
                                       << QStringLiteral("no picture");
        QTest::newRow("two channels") << head("\\2\\0\\0\\0\\2\\0\\0\\0\\2\\0\\0\\0") + QStringLiteral("cat")
                                      << QStringLiteral("no picture");
        QTest::newRow("ends before its pixels do")
            << head(small) + QStringLiteral("printf abcde") << QStringLiteral("ended with code 0");
        QTest::newRow("a whole picture") << head(small) + QStringLiteral("printf abcdefghijkl") << QString();
    }
    void decodersThatFail() {
        QFETCH(QString, script);
        QFETCH(QString, words);
        setPictureProgram(program(script));
        PictureReader reader;
        QElapsedTimer since;
        since.start();
        const auto picture = reader.read(m_folder.filePath(QStringLiteral("none.png")), FileKind::Png);
        if (words.isEmpty()) { // so that the rows above fail for what they say
            QVERIFY2(picture, picture ? "" : picture.refusal().message.c_str());
            QCOMPARE(picture->tensor.shape(), (Dims{2, 2, 3}));
            QVERIFY(bytesOf(picture->tensor) == "abcdefghijkl");
            return;
        }
        QVERIFY(!picture);
        QCOMPARE(QString::fromStdString(picture.refusal().id), QStringLiteral("PIC-04"));
        const QString told = QString::fromStdString(picture.refusal().message);
        QVERIFY2(told.contains(words), qPrintable(told));
        QVERIFY(since.elapsed() < 4000);
    }

    void stopsInTime() {
        PictureReader reader(std::chrono::milliseconds(300));
        QVERIFY(reader.start());
        const qint64 process = reader.processId();
        kill(static_cast<pid_t>(process), SIGSTOP);
        QElapsedTimer since;
        since.start();
        const auto picture = reader.read(m_folder.filePath(QStringLiteral("none.png")), FileKind::Png);
        QVERIFY(!picture);
        QCOMPARE(QString::fromStdString(picture.refusal().id), QStringLiteral("PIC-05"));
        QVERIFY2(since.elapsed() >= 290 && since.elapsed() < 1500, qPrintable(QString::number(since.elapsed())));
        QVERIFY(!lives(process));
    }

    void isCancelled() {
        PictureReader reader;
        QVERIFY(reader.start());
        const qint64 process = reader.processId();
        kill(static_cast<pid_t>(process), SIGSTOP);
        QElapsedTimer since;
        since.start();
        Budget budget;
        budget.progress = [&since](std::uint64_t, std::uint64_t) { return since.elapsed() < 100; };
        const auto picture = reader.read(m_folder.filePath(QStringLiteral("none.png")), FileKind::Png, budget);
        QVERIFY(!picture);
        QCOMPARE(QString::fromStdString(picture.refusal().id), QStringLiteral("IO-08"));
        QVERIFY2(since.elapsed() < 300, qPrintable(QString::number(since.elapsed())));
        QVERIFY(!lives(process));
    }

    /// Memory is limited, no file can be written, and it is gone with its reader.
    void limits() {
        qint64 process = 0;
        {
            PictureReader reader;
            QVERIFY(reader.read(save(coloured(3, 3, QImage::Format_RGB32), "png"), FileKind::Png));
            process = reader.processId();
            QFile file(QStringLiteral("/proc/%1/limits").arg(process));
            QVERIFY(file.open(QIODevice::ReadOnly));
            int found = 0;
            for (const QByteArray& line : file.readAll().split('\n')) {
                const QList<QByteArray> fields = line.simplified().split(' ');
                if (line.startsWith("Max file size")) {
                    QCOMPARE(fields.value(3), QByteArray("0"));
                    ++found;
                } else if (line.startsWith("Max address space")) {
                    QVERIFY2(fields.value(3).toULongLong() > 0, line.constData());
                    ++found;
                }
            }
            QCOMPARE(found, 2);
        }
        QVERIFY(!lives(process));
    }

    void withoutAProgram() {
        setPictureProgram(QStringLiteral("/no/such/program"));
        const auto picture = PictureReader().read(save(coloured(3, 3, QImage::Format_RGB32), "png"), FileKind::Png);
        QVERIFY(!picture);
        QCOMPARE(QString::fromStdString(picture.refusal().id), QStringLiteral("PIC-06"));
    }

    /// In the window: words at the message, nothing else changes, and the loop of events is never held up.
    void theWindowStays() {
        openWindow(QSize(1280, 720));
        const QString path = save(coloured(40, 30, QImage::Format_RGB32), "png");
        test::Heartbeat beats;
        QTimer heart;
        connect(&heart, &QTimer::timeout, this, [&] { beats.beat(); });
        setPictureProgram(program(QStringLiteral("sleep 0.3; kill -SEGV $$")));
        heart.start(5);
        beats.start();
        m_window->openFiles({path});
        QTRY_VERIFY(!m_window->isOpening() && message()->isVisible());
        heart.stop();
        const QString words = message()->title() + QLatin1Char(' ') + message()->detail();
        QVERIFY2(words.contains(QStringLiteral("the decoder failed (ended by signal 11)")), qPrintable(words));
        QVERIFY(m_window->workspace()->model()->snapshot()->tensors.empty());
        QVERIFY2(beats.longest() < test::kLongestBeat, qPrintable(QString::number(beats.longest())));
        setPictureProgram(m_program);
        m_window->openFiles({path});
        QTRY_COMPARE(m_window->workspace()->model()->snapshot()->tensors.size(), std::size_t{1});
        closeWindow();
    }

    /// A folder of pictures is read to its end though one of them ends its decoder.
    void aFolder() {
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("set")));
        for (int i = 0; i < 4; ++i)
            QVERIFY(coloured(6, 5, QImage::Format_RGB32).save(m_folder.filePath(QStringLiteral("set/%1.png").arg(i))));
        // The real program, but for the second picture.
        const QString counter = m_folder.filePath(QStringLiteral("count"));
        setPictureProgram(program(
            QStringLiteral("if [ -e %1 ]; then exec %2 \"$@\"; fi; touch %1; kill -ABRT $$").arg(counter, m_program)));
        const OpenedFile file = openFile(m_folder.filePath(QStringLiteral("set")));
        QVERIFY2(!file.refusal, file.refusal ? file.refusal->message.c_str() : "");
        QCOMPARE(file.tensors.front().tensor.shape(), (Dims{3, 5, 6, 3}));
        const QString notes = file.notes.join(QLatin1Char(' '));
        QVERIFY2(notes.contains(QStringLiteral("1 picture could not be read")) &&
                     notes.contains(QStringLiteral("0.png: ")) && notes.contains(QStringLiteral("signal 6")),
                 qPrintable(notes));
    }

private:
    QString write(const char* name, const QByteArray& content) {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("no file");
        return file.fileName();
    }
    QString save(const QImage& image, const char* format) {
        const QString path = m_folder.filePath(QStringLiteral("picture.%1").arg(QString::fromLatin1(format)));
        if (!image.save(path, format)) qFatal("no file");
        return path;
    }
    QString program(const QString& script) {
        const QString path = write("decoder.sh", "#!/bin/sh\n" + script.toUtf8() + "\n");
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }

    QTemporaryDir m_folder;
    QString m_program;
};

QTEST_MAIN(TestPictureProcess)
#include "tst_picture_process.moc"
