// Animated GIFs, read back by Qt's reader.

#include "widgets/scene/gif_writer.h"

#include <QBuffer>
#include <QImageReader>
#include <QPainter>
#include <QRandomGenerator>
#include <QTest>

using namespace stridescope;

namespace {

struct GifFrame {
    QImage image;
    int hundredths;
};

QByteArray gifOf(const std::vector<GifFrame>& frames, int loops = 0) {
    ColourPalette palette;
    for (const GifFrame& frame : frames) palette.add(frame.image);
    palette.settle();
    GifWriter writer(frames.front().image.size(), palette, loops);
    for (const GifFrame& frame : frames) writer.add(frame.image, frame.hundredths);
    return writer.finish();
}

struct Read {
    std::vector<QImage> frames;
    std::vector<int> delays; ///< milliseconds
    int loops = -2;
};

Read readBack(QByteArray bytes) {
    Read read;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, "gif");
    QImage image;
    while (reader.read(&image)) {
        read.frames.push_back(image.convertToFormat(QImage::Format_RGB32));
        read.delays.push_back(reader.nextImageDelay());
        read.loops = reader.loopCount();
    }
    return read;
}

QImage noise(QSize size, int colours, quint32 seed) {
    QRandomGenerator random(seed);
    QImage image(size, QImage::Format_RGB32);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x) {
            const int c = random.bounded(colours);
            image.setPixel(x, y, qRgb(c % 7 * 40, c % 11 * 25, c));
        }
    return image;
}

} // namespace

class TestGifWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsFewColoursExactly_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("colours");
        QTest::newRow("one pixel") << QSize(1, 1) << 1;
        QTest::newRow("one colour, long") << QSize(300, 200) << 1;
        QTest::newRow("two") << QSize(37, 5) << 2;
        QTest::newRow("17") << QSize(64, 64) << 17;
        // Noise fills the table of codes many times over, at every width of a code.
        QTest::newRow("256") << QSize(400, 300) << 256;
    }
    void keepsFewColoursExactly() {
        QFETCH(QSize, size);
        QFETCH(int, colours);
        std::vector<GifFrame> frames;
        for (quint32 i = 0; i < 3; ++i) frames.push_back({noise(size, colours, i), 7});
        const Read read = readBack(gifOf(frames));
        QCOMPARE(read.frames.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i) QVERIFY(read.frames[i] == frames[i].image);
    }

    void everyLengthOfCodesEndsWell() {
        for (int width = 1; width < 700; ++width) {
            const QImage image = noise(QSize(width, 9), 50, static_cast<quint32>(width));
            const Read read = readBack(gifOf({{image, 5}}));
            QCOMPARE(read.frames.size(), std::size_t{1});
            QVERIFY2(read.frames[0] == image, qPrintable(QString::number(width)));
        }
    }

    void framesHoldWhatChanges() {
        QImage first(200, 100, QImage::Format_RGB32);
        first.fill(Qt::white);
        QImage second = first;
        second.setPixel(150, 60, qRgb(255, 0, 0));
        const Read read = readBack(gifOf({{first, 10}, {second, 20}, {second, 30}, {first, 40}}));
        QCOMPARE(read.frames.size(), std::size_t{4});
        QVERIFY(read.frames[1] == second && read.frames[2] == second && read.frames[3] == first);
        QCOMPARE(read.delays, std::vector<int>({100, 200, 300, 400}));
        // Three frames of one changed pixel weigh next to nothing.
        const auto one = gifOf({{first, 10}}).size();
        QVERIFY(gifOf({{first, 10}, {second, 20}, {second, 30}, {first, 40}}).size() < one + 100);
    }

    void manyColoursStayNear() {
        QImage image(256, 256, QImage::Format_RGB32);
        for (int y = 0; y < 256; ++y)
            for (int x = 0; x < 256; ++x) image.setPixel(x, y, qRgb(x, y, (x + y) / 2));
        const Read read = readBack(gifOf({{image, 5}}));
        double sum = 0;
        for (int y = 0; y < 256; ++y)
            for (int x = 0; x < 256; ++x) {
                const QRgb a = image.pixel(x, y), b = read.frames[0].pixel(x, y);
                sum += std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
            }
        QVERIFY2(sum / 65536 < 20, qPrintable(QString::number(sum / 65536)));
    }

    void plainAreasKeepTheirColour() {
        // A gradient in a corner must not tint the ground.
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(qRgb(246, 247, 249));
        for (int y = 0; y < 60; ++y)
            for (int x = 0; x < 60; ++x) image.setPixel(x, y, qRgb(4 * x, 4 * y, 100 + x));
        const Read read = readBack(gifOf({{image, 5}}));
        QCOMPARE(read.frames[0].pixel(300, 200), qRgb(246, 247, 249));
    }

    void isDeterministic() {
        std::vector<GifFrame> frames;
        for (quint32 i = 0; i < 3; ++i) frames.push_back({noise(QSize(50, 50), 5000, i), 4});
        QCOMPARE(gifOf(frames), gifOf(frames));
    }

    void loops() {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::blue);
        QCOMPARE(readBack(gifOf({{image, 5}, {image, 5}}, 0)).loops, -1);
        QCOMPARE(readBack(gifOf({{image, 5}, {image, 5}}, 3)).loops, 3);
    }

    void indexedPicturesAreTheSame() {
        const QImage image = noise(QSize(90, 70), 200, 3);
        ColourPalette palette;
        palette.add(image);
        palette.settle();
        QVERIFY(palette.indexed(image).convertToFormat(QImage::Format_RGB32) == image);
    }
};

QTEST_GUILESS_MAIN(TestGifWriter)
#include "tst_gif_writer.moc"
