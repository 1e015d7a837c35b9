#pragma once
// NVIDIA's libraries, looked for when they are first needed: where one is missing what needs it is refused, with the
// file's name, and the rest works.

#include "core/backend/cuda/module/devices.h"
#include "core/backend/product_args.h"

namespace stridescope::cuda {

/// A shared library that is loaded at the first use.
class Library {
public:
    explicit constexpr Library(const char* file) : m_file(file) {}
    /// @throws (through `report`) naming the file when it or the function is missing.
    void* function(const char* name);

private:
    const char* m_file;
    std::mutex m_mutex;
    void* m_handle = nullptr;
};

/// Products of floats and complex numbers by cuBLAS: without copies, TF32 off.
void blasProducts(DeviceState& device, cudaStream_t stream, const ProductArgs& args);

} // namespace stridescope::cuda
