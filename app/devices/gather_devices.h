#pragma once
// The Devices picture's model from what the workspace, the kernel and the driver tell.

#include "app/kernel/kernel_values.h"
#include "widgets/devices/device_log.h"

namespace stridescope {

class Workspace;

/// What a kernel and a workspace have now. `log` has what devices told; it hears the figures of the listing.
DevicesModel gatherDevices(const Workspace& workspace, const KernelVariables& variables, DeviceLog& log);
/// What was found out of GPUs, into the model. Waits for the driver the first time.
void addProbe(DevicesModel& model);
/// Code as the title of what it gave to devices: without the imports that it begins with.
QString devicesTitle(const QString& code);

} // namespace stridescope
