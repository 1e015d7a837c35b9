#pragma once
// Marks in streams.

#include "core/backend/cuda/module/devices.h"

namespace stridescope::cuda {

void* newEvent(int device);
void deleteEvent(void* event);
void recordEvent(void* event, StreamNumber stream);
/// What the stream of the thread's device is given from now on waits; of any device.
void waitEvent(void* event, StreamNumber stream);
bool queryEvent(void* event);
void synchronizeEvent(void* event);
double millisecondsBetween(void* begin, void* end);

} // namespace stridescope::cuda
