#pragma once
// NVIDIA's libraries, looked for when they are first needed: where one is missing what needs it is refused, with the
// file's name, and the rest works.

#include "core/backend/cuda/module/devices.h"
#include "core/backend/linalg_args.h"
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

/// Memory of the device while work is queued.
class Scratch {
public:
    Scratch(DeviceState& device, std::size_t bytes)
        : m_device(device), m_bytes(bytes), m_data(bytes ? device.allocate(bytes) : nullptr) {}
    ~Scratch() {
        if (m_data) m_device.deallocate(m_data, m_bytes);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    void* data() const { return m_data; }
    template <class T>
    T* as() const {
        return static_cast<T*>(m_data);
    }

private:
    DeviceState& m_device;
    std::size_t m_bytes;
    void* m_data;
};

/// Products of floats and complex numbers by cuBLAS: without copies, TF32 off.
void blasProducts(DeviceState& device, cudaStream_t stream, const ProductArgs& args);
/// Triangles by cuBLAS, one matrix after the other.
void blasTriangularSolve(DeviceState& device, cudaStream_t stream, const LinalgArgs& args);

/// Has cuSOLVER (or cuBLAS) the routine? It has no LDL of Hermitian matrices, no inverse from factors, no least squares
/// for any rank.
constexpr bool solverHas(LinalgRoutine routine) {
    switch (routine) {
    case LinalgRoutine::LuInvert:
    case LinalgRoutine::HermitianFactor:
    case LinalgRoutine::HermitianSolve:
    case LinalgRoutine::LeastSquaresPivoted:
    case LinalgRoutine::LeastSquaresSingular:
        return false;
    default:
        return true;
    }
}
/// One routine by cuSOLVER, one matrix after the other (core/backend/grid/linalg.h says what it leaves to others).
/// Waits where it answers.
void solve(DeviceState& device, cudaStream_t stream, const LinalgArgs& args);

/// Rows in float64 by cuFFT (core/backend/grid/fourier.h says what it leaves to others).
void fourierRows(DeviceState& device, cudaStream_t stream, const FourierArgs& args);

} // namespace stridescope::cuda
