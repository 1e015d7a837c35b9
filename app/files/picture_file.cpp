#include "app/files/picture_file.h"

#include "core/io/image_tensor.h"
#include "core/storage/memory_budget.h"

#include <QFile>
#include <QImageReader>

#include <algorithm>
#include <cctype>
#include <optional>

namespace stridescope {

namespace {

const char* formatOf(FileKind kind) {
    switch (kind) {
    case FileKind::Png:
        return "png";
    case FileKind::Jpeg:
        return "jpeg";
    case FileKind::Bmp:
        return "bmp";
    case FileKind::Pnm:
        return "ppm";
    default:
        return "";
    }
}

/// What the file holds when it is not plain 8-bit grey, RGB or RGBA.
void noteConversion(const QImage& image, QStringList& notes) {
    switch (image.format()) {
    case QImage::Format_Mono:
    case QImage::Format_MonoLSB:
        notes << QObject::tr("1-bit pixels became 0 and 255.");
        break;
    case QImage::Format_Indexed8:
        if (!image.isGrayscale()) notes << QObject::tr("Palette colours became RGB values.");
        break;
    case QImage::Format_Grayscale16:
    case QImage::Format_RGBX64:
    case QImage::Format_RGBA64:
    case QImage::Format_RGBA64_Premultiplied:
        notes << QObject::tr("16-bit values were reduced to 8 bits.");
        break;
    default:
        break;
    }
}

/// The largest value that the head of a PPM or PGM file names; nothing of bitmaps, which have none. The head is three
/// numbers in text after the kind, with comments between them.
std::optional<int> pnmMaximum(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray head = file.read(4096);
    if (head.size() < 3 || head[0] != 'P' || head[1] == '1' || head[1] == '4') return std::nullopt;
    int numbers[3] = {}, found = 0;
    for (qsizetype i = 2; i < head.size() && found < 3;) {
        const auto c = static_cast<unsigned char>(head[i]);
        if (c == '#') {
            while (i < head.size() && head[i] != '\n') ++i;
        } else if (std::isdigit(c)) {
            for (; i < head.size() && std::isdigit(static_cast<unsigned char>(head[i])); ++i)
                numbers[found] = std::min(numbers[found], 100'000'000) * 10 + (head[i] - '0');
            ++found;
        } else {
            ++i;
        }
    }
    return found == 3 ? std::optional(numbers[2]) : std::nullopt;
}

/// Qt's decoder scales values of any range to 0 … 255 and says nothing.
void notePnmRange(const QString& path, QStringList& notes) {
    const std::optional<int> most = pnmMaximum(path);
    if (!most || *most == 255) return;
    notes << (*most > 255 ? QObject::tr("Values of 0 … %1 were reduced to 8 bits, 0 … 255.").arg(*most)
                          : QObject::tr("Values of 0 … %1 were spread over 0 … 255.").arg(*most));
}

/// Whether a JPEG file ends with its end mark. Decoders fill what is missing with grey and say nothing.
bool jpegEnds(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return true; // the decoder tells
    const QByteArray bytes = file.readAll();
    const auto at = [&bytes](qsizetype i) { return static_cast<unsigned char>(bytes[i]); };
    bool entropy = false; // after a scan's header its data run up to the next mark
    for (qsizetype i = 2; i + 1 < bytes.size();) {
        if (at(i) != 0xFF) {
            if (!entropy) return true; // not laid out as known: the decoder tells
            i = bytes.indexOf('\xFF', i);
            if (i < 0) return false;
            continue;
        }
        const unsigned char mark = at(i + 1);
        if (mark == 0xD9) return true;
        const bool alone = mark == 0 || mark == 0xFF || mark == 1 || (mark >= 0xD0 && mark <= 0xD8);
        if (alone) {
            i += mark == 0xFF ? 1 : 2;
            continue;
        }
        if (i + 3 >= bytes.size()) return false;
        entropy = mark == 0xDA;
        i += 2 + (at(i + 2) << 8 | at(i + 3));
    }
    return false;
}

/// Of one channel in the file. Colours that happen to be grey are three all the same: pictures of one folder would be
/// of two shapes else.
bool isGrey(const QImage& image) {
    if (image.hasAlphaChannel()) return false;
    if (image.depth() == 1) return image.allGray();
    if (image.format() == QImage::Format_Indexed8) return image.isGrayscale();
    return image.format() == QImage::Format_Grayscale8 || image.format() == QImage::Format_Grayscale16;
}

Result<DecodedPicture> plainPixels(const QImage& image) {
    DecodedPicture picture;
    noteConversion(image, picture.notes);
    const QImage::Format format = isGrey(image)             ? QImage::Format_Grayscale8
                                  : image.hasAlphaChannel() ? QImage::Format_RGBA8888
                                                            : QImage::Format_RGB888;
    picture.pixels = image.convertToFormat(format);
    if (picture.pixels.isNull())
        return Refusal{ErrorKind::Memory,
                       "PIC-01",
                       "the picture could not be converted: not enough memory",
                       "Use a smaller picture.",
                       {}};
    return picture;
}

} // namespace

Result<OpenedPicture> pictureTensor(const DecodedPicture& decoded, const Budget& budget) {
    const QImage& plain = decoded.pixels;
    const auto bytes =
        std::span(reinterpret_cast<const std::byte*>(plain.constBits()), static_cast<std::size_t>(plain.sizeInBytes()));
    auto tensor = imageTensor(bytes, plain.width(), plain.height(), plain.depth() / 8, plain.bytesPerLine(), budget);
    if (!tensor) return tensor.takeRefusal();
    return OpenedPicture{*std::move(tensor), decoded.notes};
}

Result<OpenedPicture> pictureTensor(const QImage& image, const Budget& budget) {
    auto plain = plainPixels(image);
    if (!plain) return plain.takeRefusal();
    return pictureTensor(*plain, budget);
}

Result<DecodedPicture> decodePicture(const QString& path, FileKind kind) {
    const QByteArray format = formatOf(kind);
    if (format.isEmpty() || !QImageReader::supportedImageFormats().contains(format))
        return Refusal{ErrorKind::Io,
                       "PIC-03",
                       "no decoder for " + describe(kind) + " is installed",
                       "Convert the picture to PNG.",
                       {}};
    QImageReader reader(path, format);
    reader.setAutoDetectImageFormat(false);
    reader.setDecideFormatFromContent(false);
    reader.setAutoTransform(false);
    QImageReader::setAllocationLimit(static_cast<int>(kLargestPicture >> 20));
    const QSize size = reader.size();
    const auto damaged = [&reader] {
        const bool known = reader.error() != QImageReader::UnknownError;
        const std::string reason = known ? reader.errorString().toStdString()
                                         : std::string("its data are cut short or not as its kind has them");
        return Refusal{ErrorKind::Io,
                       "PIC-02",
                       "the picture could not be read: " + reason,
                       "The file is damaged or of a variety that is not supported.",
                       {}};
    };
    if (!size.isValid() || size.isEmpty()) return damaged();
    const qint64 needed = qint64{size.width()} * size.height() * 4;
    if (needed > kLargestPicture)
        return Refusal{ErrorKind::Memory, "PIC-01",
                       std::to_string(size.width()) + "×" + std::to_string(size.height()) + " pixels need " +
                           formatBytes(needed) + "; the limit is " + formatBytes(kLargestPicture),
                       "Scale the picture down first.", BytesExceeded{needed, kLargestPicture}};
    const bool turned = reader.transformation() != QImageIOHandler::TransformationNone;
    const QImage image = reader.read();
    if (image.isNull()) return damaged();
    auto picture = plainPixels(image);
    if (!picture) return picture;
    DecodedPicture noted = *std::move(picture);
    if (turned) noted.notes << QObject::tr("The camera's turn mark (EXIF) was left alone: pixels lie as in the file.");
    if (kind == FileKind::Pnm) notePnmRange(path, noted.notes);
    if (kind == FileKind::Jpeg && !jpegEnds(path))
        noted.notes << QObject::tr("The file ends early: the pixels that are missing are filled with grey.");
    return noted;
}

QString conversionInCode(const Tensor& picture, const QStringList& notes) {
    if (notes.isEmpty()) return {};
    return picture.dim() == 2      ? QStringLiteral(".convert(\"L\")")
           : picture.size(-1) == 3 ? QStringLiteral(".convert(\"RGB\")")
                                   : QStringLiteral(".convert(\"RGBA\")");
}

} // namespace stridescope
