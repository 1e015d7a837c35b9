#pragma once
// How widgets word tensors: one spelling of shapes, dtypes, bytes and storages everywhere.

#include "widgets/model/snapshot.h"

namespace stridescope {

/// "(2, 3)", "(2,)", "()".
QString shapeText(const Dims& dims);
/// "float32".
QString dtypeText(DType dtype);
/// "160 B", "12 345 B", "30.0 GB": as core words them.
QString bytesText(quint64 bytes);
/// "1 234 567" with narrow no-break spaces from five digits on.
QString countText(Index count);
/// "7.5e9": how many, where the digits of all have no room.
QString briefCountText(Index count);
/// "[2, 1]": what follows a name; nothing for a tensor without dims, whose one element is its name.
QString coordText(const Dims& coord);
/// "1 element", "1 234 elements".
QString elementsText(Index count);
/// "20 × int64 · 160 B · cpu".
QString storageText(const StorageEntry& entry, const Storage& storage);
/// Characters that could break out of a line or change its direction are shown as \uXXXX; at most 200 characters.
QString plainName(const QString& text);

} // namespace stridescope
