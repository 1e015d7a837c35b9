#pragma once
// What there is of CUDA on this machine, in words: driver, version, devices, module. Each check has its own words, and
// the first that fails is the reason.

#include <string>
#include <vector>

namespace stridescope {

enum class CudaState : unsigned char {
    NotBuilt,      ///< this build has no CUDA module
    NoDriver,      ///< libcuda.so.1 cannot be loaded
    DriverTooOld,  ///< the driver serves an older CUDA than the module needs
    DriverFailed,  ///< the driver is there but refuses to start (its own words are kept)
    NoDevice,      ///< driver without a device, or devices hidden by CUDA_VISIBLE_DEVICES
    ModuleMissing, ///< the module's file was not found, or could not be loaded
    ModuleRefused, ///< the module is of another version, or finds no device itself
    Ready,
};

/// One line of a report: what was looked at, whether it was right, and what was found.
struct CudaCheck {
    std::string what; ///< "driver"
    bool ok = false;
    std::string found; ///< "libcuda.so.1 not found: …"
};

struct CudaProbe {
    CudaState state = CudaState::NotBuilt;
    std::string reason;            ///< one sentence; empty when Ready
    std::string remedy;            ///< what to do; empty when Ready
    std::vector<CudaCheck> checks; ///< in the order in which they were made
    int driverVersion = 0;         ///< 13000 for 13.0; 0 unknown
    int deviceCount = 0;
    std::string modulePath; ///< empty unless found
};

/// Where to look; tests put stubs there.
struct CudaProbePaths {
    std::string driver = "libcuda.so.1";
    std::vector<std::string> modules; ///< candidates in order; empty: defaultModulePaths()
};

/// $STRIDESCOPE_CUDA_MODULE, then next to the program, in ../lib and in ../lib/stridescope.
std::vector<std::string> defaultModulePaths();

/// Looks without loading the module: costs a failed dlopen where there is no driver.
CudaProbe probeCuda(const CudaProbePaths& paths = {});

/// "13.0" for 13000.
std::string cudaVersionText(int version);

} // namespace stridescope
