#pragma once

namespace stridescope {

/// Lets screen readers hear a DevicesView: every box, tensor, link, bar and button in it has a name. Once is enough.
void installDevicesAccessibility();

} // namespace stridescope
