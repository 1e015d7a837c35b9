#pragma once
// The simulated device: memory of its own, queues with threads of their own, and the CPU's kernels. It teaches and
// tests what devices do; its times say nothing about any GPU.
//
// Note [Simulated device] What a host gives to a device is a task in a queue, and a queue is a thread. Its memory is
// one run of addresses, which only tasks may touch: with `guard` the system enforces that. Every operand of a kernel is
// looked up in it before the task is queued, so that a pointer of the host is refused and not followed.

#include "core/backend/backend.h"

#include <chrono>

namespace stridescope {

struct SimOptions {
    int devices = 1; ///< 1 to 8
    std::size_t memoryBytes = std::size_t{256} << 20;
    double linkBytesPerSecond = 0;           ///< of copies from, to and between devices; 0: as fast as they go
    std::chrono::microseconds launchDelay{}; ///< before each task
    Index failAllocation = 0;                ///< the n-th allocation finds no memory; 0: none
    Index failLaunch = 0;                    ///< after the n-th kernel nothing works any more; 0: none
    bool asCuda = false;                     ///< the devices are called cuda:0, cuda:1, … instead of sim:0
    const KernelTable* kernels = nullptr;    ///< what its queues carry out; null: the CPU's
    bool guard = false;                      ///< memory that the host may not even read while no task runs; slow
};

/// Switches the simulated devices on, or on anew: what was on them is lost then.
/// @throws ValueError (SIM-01) for options that make no sense; DeviceError (SIM-02) for asCuda beside a GPU.
void enableSim(const SimOptions& options);
/// Switches them off; tensors on them are lost.
void disableSim();
/// Null unless switched on, and called by that type.
Backend* simBackend(DeviceType type);
/// After a sticky error: throws away what was queued and everything in the device's memory, and starts it anew.
void restartSim(Device device);
/// Was it in the memory of a simulated device of that type, and is it there no more?
bool isLostOnSim(Device device, const void* data);

} // namespace stridescope
