#include "core/io/image_tensor.h"
#include "core/io/png.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <fstream>
#include <zlib.h>

using namespace stridescope;
namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::byte>;

Tensor tensorOf(const Bytes& bytes, View view, DType dtype = DType::UInt8) {
    auto copy = std::make_shared<Bytes>(bytes);
    return Tensor(Storage::wrap(
                      copy->data(), copy->size(), Device{}, [copy] {}, "heap"),
                  std::move(view), dtype);
}

Bytes numbered(std::size_t count) {
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 251);
    return bytes;
}

std::uint32_t bigEndian(const Bytes& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

struct Decoded {
    std::uint32_t width = 0, height = 0;
    int depth = 0, colourType = -1;
    Bytes pixels;
};

/// A small, independent reader of PNG files without interlacing, from the PNG specification. Empty pixels: damaged.
Decoded decode(const Bytes& png) {
    Decoded out;
    Bytes packed;
    if (png.size() < 8 || std::memcmp(png.data(), "\x89PNG\r\n\x1a\n", 8) != 0) return out;
    bool ended = false;
    for (std::size_t at = 8; at + 12 <= png.size() && !ended;) {
        const std::size_t length = bigEndian(png, at);
        if (length > png.size() - at - 12) return out;
        const std::string type(reinterpret_cast<const char*>(png.data() + at + 4), 4);
        const auto crc =
            static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(png.data() + at + 4), length + 4));
        if (crc != bigEndian(png, at + 8 + length)) return out;
        if (type == "IHDR") {
            out.width = bigEndian(png, at + 8);
            out.height = bigEndian(png, at + 12);
            out.depth = std::to_integer<int>(png[at + 16]);
            out.colourType = std::to_integer<int>(png[at + 17]);
        }
        if (type == "IDAT")
            packed.insert(packed.end(), png.begin() + static_cast<long>(at) + 8,
                          png.begin() + static_cast<long>(at + 8 + length));
        ended = type == "IEND";
        at += 12 + length;
    }
    if (!ended) return out;
    const std::size_t channels = out.colourType == 0 ? 1 : out.colourType == 4 ? 2 : out.colourType == 2 ? 3 : 4;
    const std::size_t row = out.width * channels;
    Bytes filtered((row + 1) * out.height);
    auto size = static_cast<uLongf>(filtered.size());
    if (uncompress(reinterpret_cast<Bytef*>(filtered.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                   packed.size()) != Z_OK ||
        size != filtered.size()) {
        return out;
    }
    Bytes pixels(row * out.height);
    for (std::size_t y = 0; y < out.height; ++y) {
        const int filter = std::to_integer<int>(filtered[y * (row + 1)]);
        for (std::size_t x = 0; x < row; ++x) {
            const auto pixel = [&](std::size_t px, std::size_t py) {
                return std::to_integer<int>(pixels[py * row + px]);
            };
            const int left = x >= channels ? pixel(x - channels, y) : 0, up = y > 0 ? pixel(x, y - 1) : 0;
            const int corner = x >= channels && y > 0 ? pixel(x - channels, y - 1) : 0;
            const int guess = left + up - corner;
            const int paeth =
                std::abs(guess - left) <= std::abs(guess - up) && std::abs(guess - left) <= std::abs(guess - corner)
                    ? left
                : std::abs(guess - up) <= std::abs(guess - corner) ? up
                                                                   : corner;
            const int predicted[] = {0, left, up, (left + up) / 2, paeth};
            if (filter > 4) return out;
            pixels[y * row + x] =
                static_cast<std::byte>(std::to_integer<int>(filtered[y * (row + 1) + 1 + x]) + predicted[filter]);
        }
    }
    out.pixels = std::move(pixels);
    return out;
}

} // namespace

class TestPng : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pixelsComeBack_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("channels"); // 0: a tensor of two dims
        QTest::addColumn<int>("colourType");
        QTest::newRow("1 x 1 gray") << 1 << 1 << 0 << 0;
        QTest::newRow("1 x 1 RGBA") << 1 << 1 << 4 << 6;
        QTest::newRow("gray, two dims") << 17 << 23 << 0 << 0;
        QTest::newRow("gray") << 17 << 23 << 1 << 0;
        QTest::newRow("gray + alpha") << 17 << 23 << 2 << 4;
        QTest::newRow("RGB") << 17 << 23 << 3 << 2;
        QTest::newRow("RGBA") << 17 << 23 << 4 << 6;
        QTest::newRow("tall") << 3000 << 1 << 3 << 2;
        QTest::newRow("wide") << 1 << 100000 << 3 << 2;
        QTest::newRow("large") << 400 << 500 << 3 << 2;
    }
    void pixelsComeBack() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, channels);
        QFETCH(int, colourType);
        const std::size_t count = static_cast<std::size_t>(height) * static_cast<std::size_t>(width) *
                                  static_cast<std::size_t>(std::max(channels, 1));
        const Bytes bytes = numbered(count);
        Dims shape{height, width};
        if (channels > 0) shape.push_back(channels);
        for (const int level : {1, 6, 9, 100}) {
            const auto png = encodePng(tensorOf(bytes, *contiguousView(shape)), {level});
            QVERIFY(png.ok());
            const Decoded decoded = decode(*png);
            QCOMPARE(decoded.width, static_cast<std::uint32_t>(width));
            QCOMPARE(decoded.height, static_cast<std::uint32_t>(height));
            QCOMPARE(decoded.depth, 8);
            QCOMPARE(decoded.colourType, colourType);
            QVERIFY(decoded.pixels == bytes);
        }
    }

    void stridedImages_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<QList<qlonglong>>("stride");
        QTest::addColumn<qlonglong>("offset");
        using L = QList<qlonglong>;
        QTest::newRow("CHW seen as HWC") << L{10, 12, 3} << L{12, 1, 120} << 0LL;
        QTest::newRow("cropped") << L{5, 6, 3} << L{36, 3, 1} << 40LL;
        QTest::newRow("transposed") << L{12, 10, 3} << L{3, 36, 1} << 0LL;
        QTest::newRow("upside down") << L{10, 12, 3} << L{-36, 3, 1} << 324LL;
        QTest::newRow("one channel") << L{10, 12} << L{36, 3} << 2LL;
        QTest::newRow("one row repeated") << L{40, 12, 3} << L{0, 3, 1} << 0LL;
        QTest::newRow("one pixel, wild strides") << L{1, 1, 1} << L{INT64_MAX, INT64_MAX, INT64_MAX} << 9LL;
    }
    void stridedImages() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(QList<qlonglong>, stride);
        QFETCH(qlonglong, offset);
        const View view{Dims(std::vector<Index>(shape.begin(), shape.end())),
                        Dims(std::vector<Index>(stride.begin(), stride.end())), offset};
        const Bytes bytes = numbered(360);
        const auto png = encodePng(tensorOf(bytes, view));
        QVERIFY(png.ok());
        const Decoded decoded = decode(*png);
        const Index channels = shape.size() == 3 ? shape[2] : 1;
        QCOMPARE(decoded.pixels.size(), static_cast<std::size_t>(view.numel()));
        std::size_t i = 0;
        for (Index y = 0; y < shape[0]; ++y) {
            for (Index x = 0; x < shape[1]; ++x) {
                for (Index c = 0; c < channels; ++c, ++i) {
                    const Index coord[] = {y, x, c};
                    const Index slot = view.slot(std::span(coord).first(static_cast<std::size_t>(shape.size())));
                    QCOMPARE(std::to_integer<int>(decoded.pixels[i]),
                             std::to_integer<int>(bytes[static_cast<std::size_t>(slot)]));
                }
            }
        }
    }

    void refused_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QString>("id");
        using L = QList<qlonglong>;
        const auto row = [](const char* name, const L& shape, DType dtype, const char* id) {
            QTest::newRow(name) << shape << static_cast<int>(dtype) << QString::fromLatin1(id);
        };
        row("float", L{2, 2}, DType::Float32, "PNG-01");
        row("bool", L{2, 2}, DType::Bool, "PNG-01");
        row("no dims", L{}, DType::UInt8, "PNG-02");
        row("1 dim", L{4}, DType::UInt8, "PNG-02");
        row("4 dims", L{1, 2, 2, 3}, DType::UInt8, "PNG-02");
        row("5 channels", L{2, 2, 5}, DType::UInt8, "PNG-02");
        row("0 channels", L{2, 2, 0}, DType::UInt8, "PNG-02");
        row("no rows", L{0, 2, 3}, DType::UInt8, "PNG-02");
        row("no columns", L{2, 0}, DType::UInt8, "PNG-02");
        row("2 GB", L{1 << 16, 1 << 15}, DType::UInt8, "PNG-03");
        row("too wide", L{1, 1LL << 40}, DType::UInt8, "PNG-03");
        row("too high", L{1LL << 40, 1, 3}, DType::UInt8, "PNG-03");
        row("overflow", L{1LL << 31, 1LL << 31, 2}, DType::UInt8, "PNG-03");
    }
    void refused() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(int, dtype);
        QFETCH(QString, id);
        // Stride 0: as large as wanted, and one byte behind it.
        const Dims dims(std::vector<Index>(shape.begin(), shape.end()));
        const View view{dims, Dims(dims.size(), 0), 0};
        const auto png = encodePng(tensorOf(numbered(8), view, static_cast<DType>(dtype)));
        QVERIFY(!png.ok());
        QCOMPARE(QString::fromStdString(png.refusal().id), id);
        QVERIFY(png.refusal().message.size() <= 140);
    }

    void writesAFile() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "x.png";
        const Bytes bytes = numbered(2 * 3 * 3);
        const Tensor image = tensorOf(bytes, *contiguousView(Dims{2, 3, 3}));
        QVERIFY(writePng(image, path).ok());
        std::ifstream in(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto raw = std::as_bytes(std::span(text));
        QVERIFY(decode(Bytes(raw.begin(), raw.end())).pixels == bytes);
        QVERIFY(!writePng(tensorOf(bytes, *contiguousView(Dims{18})), path).ok());
        QCOMPARE(fs::file_size(path), text.size()); // a refusal leaves the old file
    }

    void rowsWithoutPadding_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("bytesPerLine");
        QTest::newRow("1 x 1") << 1 << 1 << 3 << 4;
        QTest::newRow("padded RGB") << 5 << 4 << 3 << 16;
        QTest::newRow("padded gray") << 5 << 4 << 1 << 8;
        QTest::newRow("no padding") << 4 << 4 << 4 << 16;
        QTest::newRow("1 x 100000") << 1 << 100000 << 3 << 4;
        QTest::newRow("100000 x 1") << 100000 << 1 << 3 << 300000;
    }
    void rowsWithoutPadding() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, channels);
        QFETCH(int, bytesPerLine);
        // The padding of the last row need not exist.
        const std::size_t row = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels),
                          line = static_cast<std::size_t>(bytesPerLine);
        Bytes rows(line * (static_cast<std::size_t>(height) - 1) + row, std::byte{0xEE});
        const Bytes pixels = numbered(row * static_cast<std::size_t>(height));
        for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
            std::memcpy(rows.data() + y * line, pixels.data() + y * row, row);
        const auto image = imageTensor(rows, width, height, channels, bytesPerLine);
        QVERIFY(image.ok());
        QVERIFY(image->dtype() == DType::UInt8);
        QVERIFY(image->shape() == (channels == 1 ? Dims{height, width} : Dims{height, width, channels}));
        QVERIFY(image->isContiguous());
        QCOMPARE(image->storage()->bytes(), pixels.size());
        QVERIFY(std::memcmp(image->storage()->data(), pixels.data(), pixels.size()) == 0);
    }

    void rowsRefused_data() {
        QTest::addColumn<qlonglong>("width");
        QTest::addColumn<qlonglong>("height");
        QTest::addColumn<qlonglong>("channels");
        QTest::addColumn<qlonglong>("bytesPerLine");
        QTest::addColumn<QString>("id");
        QTest::newRow("no width") << 0LL << 4LL << 3LL << 16LL << QStringLiteral("IO-19");
        QTest::newRow("negative height") << 4LL << -1LL << 3LL << 16LL << QStringLiteral("IO-19");
        QTest::newRow("5 channels") << 2LL << 2LL << 5LL << 16LL << QStringLiteral("IO-19");
        QTest::newRow("rows overlap") << 4LL << 4LL << 4LL << 15LL << QStringLiteral("IO-19");
        QTest::newRow("negative line") << 4LL << 4LL << 4LL << -16LL << QStringLiteral("IO-19");
        QTest::newRow("one byte short") << 4LL << 4LL << 4LL << 17LL << QStringLiteral("IO-19");
        QTest::newRow("overflow") << (1LL << 62) << 4LL << 4LL << 16LL << QStringLiteral("IO-19");
        QTest::newRow("overflow of lines") << 1LL << (1LL << 62) << 1LL << 16LL << QStringLiteral("IO-19");
    }
    void rowsRefused() {
        QFETCH(qlonglong, width);
        QFETCH(qlonglong, height);
        QFETCH(qlonglong, channels);
        QFETCH(qlonglong, bytesPerLine);
        QFETCH(QString, id);
        const Bytes rows(66);
        const auto image = imageTensor(rows, width, height, channels, bytesPerLine);
        QVERIFY(!image.ok());
        QCOMPARE(QString::fromStdString(image.refusal().id), id);
        Budget budget;
        budget.maxBytes = 63;
        QCOMPARE(QString::fromStdString(imageTensor(rows, 4, 4, 4, 16, budget).refusal().id), QStringLiteral("IO-18"));
    }
};

QTEST_GUILESS_MAIN(TestPng)
#include "tst_png.moc"
