// Single pictures as files that are damaged, large, odd, or something else than their names say. Rows I1 to I4 of the
// list of what must not go wrong: the names of the functions tell which.

#include "app/files/file_opener.h"
#include "app/files/picture_file.h"
#include "core/tensor/element.h"

#include <QBuffer>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

using namespace stridescope;

namespace {

QByteArray big32(quint32 value) {
    QByteArray bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
    return bytes;
}

QByteArray chunk(const QByteArray& name, const QByteArray& content) {
    const QByteArray checked = name + content;
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(checked.constData()), static_cast<uInt>(checked.size()));
    return big32(static_cast<quint32>(content.size())) + checked + big32(static_cast<quint32>(sum));
}

QByteArray pngHead(quint32 width, quint32 height) {
    return QByteArray("\x89PNG\r\n\x1a\n", 8) +
           chunk("IHDR", big32(width) + big32(height) + QByteArray("\x08\x02\x00\x00\x00", 5));
}

QByteArray encoded(const QImage& image, const char* format) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, format);
    return bytes;
}

QImage coloured(int width, int height, QImage::Format format = QImage::Format_RGB32) {
    QImage image(width, height, QImage::Format_ARGB32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.setPixel(x, y, qRgba(x * 7 % 256, y * 5 % 256, (x + y) % 256, 255));
    return image.convertToFormat(format);
}

/// Behind the head of a PNG file.
QByteArray withChunk(QByteArray png, const QByteArray& more) {
    constexpr qsizetype kHead = 8 + 25;
    return png.insert(kHead, more);
}

} // namespace

class TestPictureFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }

    /// 60000 x 60000 pixels in a file of 100 bytes: both numbers are told before anything is decoded.
    void i1LargerThanItsFile() {
        const OpenedFile file = open("large.png", pngHead(60'000, 60'000) + chunk("IDAT", QByteArray(40, 'x')));
        QVERIFY(file.refusal && file.tensors.empty());
        QCOMPARE(QString::fromStdString(file.refusal->id), QStringLiteral("PIC-01"));
        const QString words = QString::fromStdString(file.refusal->message);
        QVERIFY2(words.contains(QStringLiteral("60000×60000")) && words.contains(QStringLiteral("14.4 GB")) &&
                     words.contains(QStringLiteral("limit")),
                 qPrintable(words));
    }

    void i2ContentNotName_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("refused"); // in the message; empty: opened
        const QByteArray png = encoded(coloured(5, 4), "png");
        QTest::newRow("PNG named jpg") << QByteArray("a.jpg") << png << QString();
        QTest::newRow("PNG named npy") << QByteArray("a.npy") << png << QString();
        QTest::newRow("PNG, then a zip") << QByteArray("a.png") << png + QByteArray("PK\x03\x04rest") << QString();
        QTest::newRow("BMP") << QByteArray("a.png") << encoded(coloured(5, 4), "bmp") << QString();
        QTest::newRow("PPM") << QByteArray("a.png") << encoded(coloured(5, 4), "ppm") << QString();
        QTest::newRow("SVG") << QByteArray("a.png")
                             << QByteArray("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'>"
                                           "<image href='file:///etc/passwd'/></svg>")
                             << QStringLiteral("SVG");
        QTest::newRow("GIF") << QByteArray("a.png") << QByteArray("GIF89a\x01\x00\x01\x00") << QStringLiteral("GIF");
        QTest::newRow("HTML") << QByteArray("a.png") << QByteArray("<html><img src=x></html>") << QStringLiteral("");
    }
    void i2ContentNotName() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, refused);
        const OpenedFile file = open(name.constData(), content);
        if (refused.isEmpty() && !content.startsWith("<html")) {
            QVERIFY2(!file.refusal, file.refusal ? file.refusal->message.c_str() : "");
            QCOMPARE(file.tensors.front().tensor.shape(), (Dims{4, 5, 3}));
            return;
        }
        QVERIFY(file.refusal && file.tensors.empty());
        QVERIFY2(QString::fromStdString(file.refusal->message).contains(refused), file.refusal->message.c_str());
    }

    /// Cut anywhere, a picture is opened or refused in words, and the decoder invents no memory.
    void i3CutAnywhere() {
        for (const char* format : {"png", "jpg", "bmp", "ppm"}) {
            const QByteArray whole = encoded(coloured(19, 13), format);
            for (qsizetype size = 0; size < whole.size(); size += 7) {
                const OpenedFile file = open("cut", whole.left(size));
                QVERIFY(file.refusal.has_value() != !file.tensors.empty());
                if (file.refusal) QVERIFY(!file.refusal->message.empty());
            }
        }
    }
    void i3WrongSum() {
        QByteArray png = encoded(coloured(19, 13), "png");
        const qsizetype data = png.indexOf("IDAT");
        png[data + 12] = static_cast<char>(png[data + 12] ^ 0x55);
        const OpenedFile file = open("sum.png", png);
        QVERIFY(file.refusal);
        QCOMPARE(QString::fromStdString(file.refusal->id), QStringLiteral("PIC-02"));
    }
    void i3Varieties_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("channels"); // 0: grey
        QTest::addColumn<QString>("note");
        QTest::newRow("16 bits") << encoded(coloured(6, 4, QImage::Format_RGBX64), "png") << 3
                                 << QStringLiteral("16-bit");
        QImage palette(6, 4, QImage::Format_Indexed8);
        palette.setColorTable({qRgb(255, 0, 0), qRgb(0, 255, 0)});
        palette.fill(1);
        QTest::newRow("palette") << encoded(palette, "png") << 3 << QStringLiteral("Palette");
        QTest::newRow("alpha") << encoded(coloured(6, 4, QImage::Format_ARGB32), "png") << 4 << QString();
        QTest::newRow("grey") << encoded(coloured(6, 4, QImage::Format_Grayscale8), "png") << 0 << QString();
        QTest::newRow("one bit") << encoded(coloured(6, 4, QImage::Format_Mono), "png") << 0 << QStringLiteral("1-bit");
        const QByteArray png = encoded(coloured(6, 4), "png");
        QTest::newRow("colour profile that is none")
            << withChunk(png, chunk("iCCP", QByteArray("x\0\0", 3) + QByteArray(1000, 'z'))) << 3 << QString();
        QTest::newRow("animated") << withChunk(png, chunk("acTL", big32(1'000'000) + big32(0))) << 3 << QString();
        // A mark that the camera was turned: the pixels stay as they are in the file.
        QByteArray jpeg = encoded(coloured(6, 4), "jpg");
        const QByteArray exif =
            QByteArray("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0", 32);
        jpeg.insert(2, QByteArray("\xff\xe1") + static_cast<char>(0) + static_cast<char>(exif.size() + 2) + exif);
        QTest::newRow("turned camera") << jpeg << 3 << QStringLiteral("EXIF");
    }
    void i3Varieties() {
        QFETCH(QByteArray, content);
        QFETCH(int, channels);
        QFETCH(QString, note);
        const OpenedFile file = open("variety", content);
        QVERIFY2(!file.refusal, file.refusal ? file.refusal->message.c_str() : "");
        QCOMPARE(file.tensors.front().tensor.shape(), channels == 0 ? (Dims{4, 6}) : (Dims{4, 6, channels}));
        const QString notes = file.notes.join(QLatin1Char(' '));
        QVERIFY2(note.isEmpty() || notes.contains(note), qPrintable(notes));
        // Pillow gives palette's indices, bits as bool: the line asks it for what is shown here.
        QCOMPARE(file.tensors.front().code.contains(QStringLiteral(").convert(\"")), !file.notes.isEmpty());
    }

    /// Rows end where their pixels end, whatever the decoder puts behind them.
    void i4OddSides() {
        for (const auto& [width, height] : {std::pair(1, 1), std::pair(1, 100'000), std::pair(100'000, 1),
                                            std::pair(3, 5), std::pair(17, 2), std::pair(31, 33)}) {
            const QImage image = coloured(width, height);
            for (const char* format : {"png", "bmp"}) {
                const OpenedFile file = open("odd", encoded(image, format));
                QVERIFY2(!file.refusal, file.refusal ? file.refusal->message.c_str() : "");
                const Tensor& tensor = file.tensors.front().tensor;
                QCOMPARE(tensor.shape(), (Dims{height, width, 3}));
                QCOMPARE(static_cast<Index>(tensor.storage()->bytes()), Index{3} * width * height);
                for (int i = 0; i < 50; ++i) {
                    const int x = i * 7919 % width, y = i * 104729 % height;
                    const Index red[] = {y, x, 0}, blue[] = {y, x, 2};
                    QCOMPARE(readElement(tensor, red).toInt(), Index{qRed(image.pixel(x, y))});
                    QCOMPARE(readElement(tensor, blue).toInt(), Index{qBlue(image.pixel(x, y))});
                }
            }
        }
    }

private:
    OpenedFile open(const char* name, const QByteArray& content) {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("no file");
        file.close();
        return openFile(path);
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestPictureFiles)
#include "tst_picture_files.moc"
