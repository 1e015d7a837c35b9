#pragma once
// Does a typed pattern fit a text, and how well?

#include <QString>

#include <optional>

namespace stridescope {

/// Points for `pattern` in `text` (any case), or nothing when its characters do not occur in that order. Characters
/// that follow each other and characters that begin a word count more; of equal texts the shorter one wins. The empty
/// pattern fits everything with 0.
std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

} // namespace stridescope
