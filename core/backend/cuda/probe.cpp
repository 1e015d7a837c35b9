#include "core/backend/cuda/probe.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace stridescope {

namespace {

/// The oldest driver that serves the runtime inside the module.
constexpr int kNeededVersion = 13000;

// Codes of the driver interface that have a remedy of their own. Source: CUDA Driver API, CUresult.
constexpr int kNoDevice = 100;
constexpr int kDeviceUnavailable = 46;
constexpr int kNotPermitted = 800;
constexpr int kMismatch = 803;
constexpr int kCompatUnsupported = 804;
constexpr int kUnknown = 999;

struct DriverFunctions {
    int (*init)(unsigned) = nullptr;
    int (*driverGetVersion)(int*) = nullptr;
    int (*deviceGetCount)(int*) = nullptr;
    int (*getErrorString)(int, const char**) = nullptr;
};

std::string driverWords(const DriverFunctions& driver, int code) {
    const char* text = nullptr;
    std::string words = "error " + std::to_string(code);
    if (driver.getErrorString && driver.getErrorString(code, &text) == 0 && text)
        words += " (" + std::string(text) + ")";
    return words;
}

std::string remedyFor(int code) {
    switch (code) {
    case kNoDevice:
        return "Check with `nvidia-smi` that the GPU is seen, and that CUDA_VISIBLE_DEVICES does not hide it.";
    case kDeviceUnavailable:
        return "Another program holds the GPU alone; end it, or set the compute mode to Default.";
    case kNotPermitted:
        return "Ask for access to /dev/nvidia* (often: membership of the group video or render).";
    case kMismatch:
        return "Driver files of two versions are mixed: restart the computer or install the driver again.";
    case kCompatUnsupported:
        return "This GPU needs the driver itself updated; the compatibility package is not enough.";
    case kUnknown:
        return "Restart the computer; if that does not help, install the NVIDIA driver again.";
    default:
        return "See the NVIDIA driver's log (dmesg).";
    }
}

std::string programFolder() {
    std::array<char, 4096> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    if (length <= 0) return {};
    const std::string program(path.data(), static_cast<std::size_t>(length));
    return program.substr(0, program.rfind('/'));
}

void stop(CudaProbe& probe, CudaState state, std::string reason, std::string remedy) {
    probe.state = state;
    probe.reason = std::move(reason);
    probe.remedy = std::move(remedy);
}

/// Driver, its version and its devices. False when the probe ends here.
bool probeDriver(const CudaProbePaths& paths, CudaProbe& probe) {
    void* library = dlopen(paths.driver.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = dlerror();
        probe.checks.push_back({"driver", false, why ? why : "libcuda.so.1 cannot be loaded"});
        stop(probe, CudaState::NoDriver, "no NVIDIA driver (libcuda.so.1 was not found)",
             "Install the NVIDIA driver of version 580 or newer; nothing else of Stridescope needs it.");
        return false;
    }
    DriverFunctions driver;
    driver.init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
    driver.driverGetVersion = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
    driver.deviceGetCount = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
    driver.getErrorString = reinterpret_cast<int (*)(int, const char**)>(dlsym(library, "cuGetErrorString"));
    if (!driver.init || !driver.driverGetVersion || !driver.deviceGetCount) {
        probe.checks.push_back({"driver", false, "libcuda.so.1 lacks cuInit, cuDriverGetVersion or cuDeviceGetCount"});
        stop(probe, CudaState::DriverFailed, "libcuda.so.1 is not a usable NVIDIA driver",
             "Install the NVIDIA driver again.");
        return false;
    }
    probe.checks.push_back({"driver", true, "libcuda.so.1 found"});
    const int versionCode = driver.driverGetVersion(&probe.driverVersion);
    if (versionCode != 0) {
        probe.checks.push_back({"driver version", false, driverWords(driver, versionCode)});
        stop(probe, CudaState::DriverFailed,
             "the NVIDIA driver does not tell its version: " + driverWords(driver, versionCode),
             remedyFor(versionCode));
        return false;
    }
    const std::string version = cudaVersionText(probe.driverVersion);
    if (probe.driverVersion < kNeededVersion) {
        probe.checks.push_back({"driver version", false, version + ", needs " + cudaVersionText(kNeededVersion)});
        stop(probe, CudaState::DriverTooOld,
             "the NVIDIA driver is too old: it serves CUDA " + version + ", needs " + cudaVersionText(kNeededVersion),
             "Install the NVIDIA driver of version 580 or newer.");
        return false;
    }
    probe.checks.push_back({"driver version", true, version + " (needs " + cudaVersionText(kNeededVersion) + ")"});
    const int initCode = driver.init(0);
    int count = 0;
    const int countCode = initCode != 0 ? initCode : driver.deviceGetCount(&count);
    if (countCode != 0 && countCode != kNoDevice) {
        probe.checks.push_back({"devices", false, driverWords(driver, countCode)});
        stop(probe, CudaState::DriverFailed, "the NVIDIA driver could not start: " + driverWords(driver, countCode),
             remedyFor(countCode));
        return false;
    }
    if (countCode == kNoDevice || count == 0) {
        const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
        const std::string hidden = visible ? " (CUDA_VISIBLE_DEVICES is \"" + std::string(visible) + "\")" : "";
        probe.checks.push_back({"devices", false, "none" + hidden});
        stop(probe, CudaState::NoDevice, "the NVIDIA driver finds no device" + hidden, remedyFor(kNoDevice));
        return false;
    }
    probe.deviceCount = count;
    probe.checks.push_back({"devices", true, std::to_string(count)});
    return true;
}

} // namespace

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::vector<std::string> defaultModulePaths() {
    std::vector<std::string> paths;
    if (const char* chosen = std::getenv("STRIDESCOPE_CUDA_MODULE"); chosen && *chosen) paths.emplace_back(chosen);
    const std::string folder = programFolder();
    for (const char* place : {"/", "/../lib/", "/../../lib/", "/../lib/stridescope/"}) {
        paths.push_back(folder + place + "libstridescope_cuda.so");
    }
    return paths;
}

CudaProbe probeCuda(const CudaProbePaths& paths) {
    CudaProbe probe;
    const bool driver = probeDriver(paths, probe);
    const std::vector<std::string> candidates = paths.modules.empty() ? defaultModulePaths() : paths.modules;
    for (const std::string& candidate : candidates) {
        if (access(candidate.c_str(), R_OK) == 0) {
            probe.modulePath = candidate;
            break;
        }
    }
    if (!probe.modulePath.empty()) {
        probe.checks.push_back({"CUDA module", true, "libstridescope_cuda.so found"});
        if (driver) probe.state = CudaState::Ready;
        return probe;
    }
#ifdef STRIDESCOPE_CUDA_BUILT
    probe.checks.push_back(
        {"CUDA module", false, "libstridescope_cuda.so not found next to the program or in its lib folder"});
    if (driver) {
        stop(probe, CudaState::ModuleMissing, "the CUDA module libstridescope_cuda.so was not found",
             "Install it next to the program, or name it in STRIDESCOPE_CUDA_MODULE.");
    }
#else
    probe.checks.push_back({"CUDA module", false, "this build has none"});
    if (driver) {
        stop(probe, CudaState::NotBuilt, "this build of Stridescope has no CUDA module",
             "Build again with the CUDA Toolkit 13.0 or newer on the PATH.");
    }
#endif
    return probe;
}

} // namespace stridescope
