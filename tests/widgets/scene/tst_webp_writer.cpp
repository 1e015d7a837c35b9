// Animated WebP, read back by libwebp's own reader.

#include "widgets/scene/animation.h"
#include "widgets/scene/webp_writer.h"
#include "widgets/theme/theme.h"

#include <QRandomGenerator>
#include <QTest>

#include <webp/demux.h>

using namespace stridescope;

namespace {

struct Frame {
    QImage image;
    int until = 0; ///< milliseconds
};

struct Read {
    std::vector<Frame> frames;
    QSize size;
    int loops = -1;
};

Read readBack(const QByteArray& bytes) {
    Read read;
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return read;
    options.color_mode = MODE_BGRA;
    const WebPData data{reinterpret_cast<const uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())};
    WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, &options);
    WebPAnimInfo info;
    if (!decoder || !WebPAnimDecoderGetInfo(decoder, &info)) return read;
    read.size = QSize(static_cast<int>(info.canvas_width), static_cast<int>(info.canvas_height));
    read.loops = static_cast<int>(info.loop_count);
    uint8_t* pixels = nullptr;
    for (int until = 0; WebPAnimDecoderGetNext(decoder, &pixels, &until);)
        read.frames.push_back({QImage(pixels, read.size.width(), read.size.height(), QImage::Format_ARGB32)
                                   .convertToFormat(QImage::Format_RGB32),
                               until});
    WebPAnimDecoderDelete(decoder);
    return read;
}

QImage noise(QSize size, quint32 seed) {
    QRandomGenerator random(seed);
    QImage image(size, QImage::Format_RGB32);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x) image.setPixel(x, y, random.generate() | 0xff000000u);
    return image;
}

QByteArray webpOf(const std::vector<QImage>& images) {
    WebpWriter writer(images.front().size());
    int hundredths = 4;
    for (const QImage& image : images) writer.add(image, hundredths++);
    return writer.finish().value();
}

} // namespace

class TestWebpWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsEveryPixelAndTheTimes() {
        for (const QSize size : {QSize(1, 1), QSize(37, 5), QSize(200, 120)}) {
            QImage spot = noise(size, 1);
            spot.setPixel(0, 0, qRgb(1, 2, 3));
            const std::vector<QImage> images{noise(size, 1), noise(size, 2), spot, noise(size, 1)};
            const Read read = readBack(webpOf(images));
            QCOMPARE(read.size, size);
            QCOMPARE(read.frames.size(), images.size());
            int until = 0;
            for (std::size_t i = 0; i < images.size(); ++i) {
                QVERIFY(read.frames[i].image == images[i]);
                QCOMPARE(read.frames[i].until, until += 40 + 10 * static_cast<int>(i));
            }
            QCOMPARE(read.loops, 0);
        }
    }

    void isDeterministic() {
        const std::vector<QImage> images{noise({90, 70}, 3), noise({90, 70}, 4), noise({90, 70}, 5)};
        QCOMPARE(webpOf(images), webpOf(images));
    }

    void framesHoldWhatChanges() {
        const QImage first = noise({300, 200}, 7);
        QImage second = first;
        second.setPixel(150, 60, qRgb(255, 0, 0));
        QVERIFY(webpOf({first, second}).size() < webpOf({first}).size() + 200);
    }

    void anAnimationIsWrittenWhole() {
        Animation animation;
        animation.seconds = 1;
        animation.stops = animation.rests = {0, 0.5, 1};
        // Stands still in its second half: those pictures are one.
        animation.at = [](qreal t) {
            Scene scene;
            scene.size = QSizeF(60, 40);
            scene.nodes.push_back({{}, BoxItem{QRectF(40 * std::min(t, 0.5), 5, 20, 20), Tone::Ink}});
            return scene;
        };
        const Theme theme;
        const auto bytes = animatedWebp(animation, theme);
        QVERIFY(bytes);
        QCOMPARE(animatedWebp(animation, theme).value(), *bytes);
        const Read read = readBack(*bytes);
        QCOMPARE(read.size, QSize(60, 40));
        int all = 0;
        for (const AnimationMoment& moment : momentsOf(animation, {})) all += 10 * moment.hundredths;
        QCOMPARE(read.frames.back().until, all);
        QCOMPARE(read.frames.size(), std::size_t{7});
        QVERIFY(isMovingFile(QStringLiteral("a.WEBP")));
        AnimationOptions large;
        large.scale = 300; // 18,000 pixels: a GIF could have them
        const auto refused = animatedWebp(animation, theme, large);
        QVERIFY(!refused);
        QCOMPARE(refused.refusal().id, std::string("EXPORT-06"));
    }
};

QTEST_MAIN(TestWebpWriter)
#include "tst_webp_writer.moc"
