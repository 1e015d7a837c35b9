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

/// Reads the picture at `path`, which is of `kind`. The size is checked before anything is decoded.
/// Refused: PIC-01 too large (with both numbers), PIC-02 damaged, PIC-03 no decoder of that kind.
Result<OpenedPicture> readPicture(const QString& path, FileKind kind, const Budget& budget = {});

/// The pixels of `image` as they are, converted to 8 bits a channel; notes say what was changed.
Result<OpenedPicture> pictureTensor(const QImage& image, const Budget& budget = {});

} // namespace stridescope
