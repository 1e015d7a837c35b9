#include "app/cli/devices.h"

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/backend/cuda/loader.h"
#include "core/storage/memory_budget.h"

#include <fstream>

namespace stridescope {

std::string processorName() {
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        if (line.rfind("model name", 0) != 0) continue;
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
    }
    return "unknown processor";
}

std::string cpuText() {
    return processorName() + ", " + std::to_string(numThreads()) + " threads, " + cpu::isa().name + " instructions";
}

std::string devicesText() {
    std::string text = "cpu: " + cpuText() + ", " + formatBytes(availableMemory()) + " of memory available\n";
    const CudaProbe& probe = cudaProbe();
    if (probe.state == CudaState::Ready) {
        for (int i = 0; i < probe.deviceCount; ++i) {
            const cuda::DeviceProperties device = cudaDeviceProperties(i);
            text += "cuda:" + std::to_string(i) + ": " + device.name + ", compute capability " +
                    std::to_string(device.major) + "." + std::to_string(device.minor) + ", " +
                    formatBytes(static_cast<Index>(device.memoryBytes)) + " of memory\n";
        }
    } else {
        text += "cuda: not available: " + probe.reason + "\n      " + probe.remedy + "\n";
    }
    for (const CudaCheck& check : probe.checks) {
        text += std::string(check.ok ? "      ✓ " : "      ✗ ") + check.what + ": " + check.found + "\n";
    }
    return text;
}

} // namespace stridescope
