#pragma once
// The line language knows torch without an import; Python does not. What of the one a line brings to the other.

#include <QString>

namespace stridescope {

/// Is there an `import torch` among its statements?
bool importsTorch(const QString& line);
/// `text`, which may be a transcript, behind imports of the modules that it names and does not import itself.
QString withImports(const QString& text);

} // namespace stridescope
