// What the rest of the library gets where the loader of the CUDA module is not part of the build.
#include "core/backend/backend.h"

#if !__has_include("core/backend/cuda_loader.h")
namespace stridescope {

Backend* cudaBackend() {
    return nullptr;
}

std::string cudaUnavailableReason() {
    return "this program was built without the CUDA module";
}

} // namespace stridescope
#endif
