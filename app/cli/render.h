#pragma once
// Pictures without a window: the same scenes as on screen, written to a file.

#include "app/cli/command_line.h"

namespace stridescope {

/// Draws what `request` asks for. Needs a QGuiApplication. Exit code: 0, or 1 with the reason on stderr.
int renderPicture(const RenderRequest& request);

} // namespace stridescope
