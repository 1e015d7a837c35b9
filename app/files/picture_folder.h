#pragma once
// A folder as one tensor: a set of CIFAR's files, or pictures of one size, with folders inside as their classes.

#include "app/files/file_opener.h"

namespace stridescope {

/// Opens the folder `path` into `file`: "images" {n, h, w, c} or {n, h, w}, and "labels" where folders tell classes.
/// Pictures of another size than most of them have are left out and counted. Refused: OPEN-03 no pictures, and what
/// reading them refuses.
void openPictureFolder(OpenedFile& file, const Budget& budget);

/// Classes of a folder of pictures: the names of its folders, sorted. Empty: it has none.
QStringList pictureClasses(const QString& path);

} // namespace stridescope
