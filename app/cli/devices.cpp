#include "app/cli/devices.h"

#include "core/backend/backend.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
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

std::string devicesText() {
    std::string text = "cpu: " + processorName() + ", " + std::to_string(numThreads()) + " threads, " +
                       cpu::isa().name + " instructions, " + formatBytes(availableMemory()) + " of memory available\n";
    if (Backend* cuda = cudaBackend()) {
        for (int i = 0; i < cuda->deviceCount(); ++i) text += "cuda:" + std::to_string(i) + ": " + cuda->name() + "\n";
    } else {
        text += "cuda: " + cudaUnavailableReason() + "\n";
    }
    return text;
}

} // namespace stridescope
