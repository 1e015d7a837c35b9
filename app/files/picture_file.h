#pragma once
// Pictures as tensors: PNG, JPEG, BMP, PPM and PGM, told apart by content, never by name.

#include "core/io/budget.h"
#include "core/io/file_kind.h"
#include "core/result.h"
#include "core/tensor/tensor.h"

#include <QImage>
#include <QString>
#include <QStringList>

namespace stridescope {

struct OpenedPicture {
    Tensor tensor; ///< uint8, (height, width) for grey, else (height, width, 3 or 4)
    QStringList notes;
};

/// The largest decoded picture, in bytes.
inline constexpr qint64 kLargestPicture = qint64{128} << 20;

/// 8 bits a channel: Format_Grayscale8, Format_RGB888 or Format_RGBA8888.
struct DecodedPicture {
    QImage pixels;
    QStringList notes;
};

/// Decodes the picture at `path`, which is of `kind`, in this process: PictureReader does it in another, and is what
/// files of others are read with. The size is checked before anything is decoded.
/// Refused: PIC-01 too large (with both numbers), PIC-02 damaged, PIC-03 no decoder of that kind.
Result<DecodedPicture> decodePicture(const QString& path, FileKind kind);

Result<OpenedPicture> pictureTensor(const DecodedPicture& decoded, const Budget& budget = {});
/// The pixels of `image` as they are, converted to 8 bits a channel; notes say what was changed.
Result<OpenedPicture> pictureTensor(const QImage& image, const Budget& budget = {});

/// ".convert("RGB")", which Pillow needs to give the same elements where something was converted; else nothing.
QString conversionInCode(const Tensor& picture, const QStringList& notes);

} // namespace stridescope
