#pragma once
// What of an error in Python is about devices, as something to draw: who lives where, and the lines that help.

#include "app/kernel/kernel_values.h"
#include "widgets/devices/device_log.h"

namespace stridescope {

/// Nothing for errors that are not about devices. `model` has the devices with their tensors.
std::optional<DevicesRefusal> devicesRefusal(const KernelError& error, const QString& code, const DevicesModel& model,
                                             const DeviceLog& log);

} // namespace stridescope
