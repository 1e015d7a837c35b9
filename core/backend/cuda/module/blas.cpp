#include "core/backend/blas_layout.h"
#include "core/backend/cuda/module/libraries.h"

#include <cublas_v2.h>
#include <map>
#include <vector>

namespace stridescope::cuda {

namespace {

#define STRIDESCOPE_QUOTED_AS_IS(x) #x
#define STRIDESCOPE_QUOTED(x) STRIDESCOPE_QUOTED_AS_IS(x)

Library& library() {
    static Library cublas("libcublas.so." STRIDESCOPE_QUOTED(CUBLAS_VER_MAJOR));
    return cublas;
}

void checkBlas(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    Failure failure;
    failure.code = static_cast<int>(status);
    failure.call = call;
    failure.text = status == CUBLAS_STATUS_NOT_INITIALIZED ? "cuBLAS could not start (often: no memory left)"
                   : status == CUBLAS_STATUS_ALLOC_FAILED  ? "cuBLAS found no memory"
                                                           : "cuBLAS refused";
    report(failure);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a name is pasted.
#define STRIDESCOPE_BLAS(name) reinterpret_cast<decltype(&name)>(library().function(STRIDESCOPE_QUOTED(name)))
// NOLINTEND(bugprone-macro-parentheses)

/// Looked up once. cublas_v2.h renames some of them.
struct Functions {
    decltype(&cublasCreate) create = STRIDESCOPE_BLAS(cublasCreate);
    decltype(&cublasSetStream) setStream = STRIDESCOPE_BLAS(cublasSetStream);
    decltype(&cublasSetMathMode) setMathMode = STRIDESCOPE_BLAS(cublasSetMathMode);
    decltype(&cublasGemmStridedBatchedEx_64) strided = STRIDESCOPE_BLAS(cublasGemmStridedBatchedEx_64);
    decltype(&cublasGemmBatchedEx_64) batched = STRIDESCOPE_BLAS(cublasGemmBatchedEx_64);
    decltype(&cublasStrsm_64) strsm = STRIDESCOPE_BLAS(cublasStrsm_64);
    decltype(&cublasDtrsm_64) dtrsm = STRIDESCOPE_BLAS(cublasDtrsm_64);
    decltype(&cublasCtrsm_64) ctrsm = STRIDESCOPE_BLAS(cublasCtrsm_64);
    decltype(&cublasZtrsm_64) ztrsm = STRIDESCOPE_BLAS(cublasZtrsm_64);
};

const Functions& functions() {
    static const Functions all;
    return all;
}

/// One for each device and stream: a handle has one workspace.
cublasHandle_t handleFor(int device, cudaStream_t stream) {
    static std::mutex mutex;
    static auto* handles = new std::map<std::pair<int, cudaStream_t>, cublasHandle_t>;
    const std::lock_guard lock(mutex);
    cublasHandle_t& handle = (*handles)[{device, stream}];
    if (!handle) {
        cublasHandle_t fresh = nullptr;
        checkBlas(functions().create(&fresh), "cublasCreate");
        checkBlas(functions().setMathMode(fresh, CUBLAS_DEFAULT_MATH), "cublasSetMathMode"); // TF32 is off in it
        checkBlas(functions().setStream(fresh, stream), "cublasSetStream");
        handle = fresh;
    }
    return handle;
}

struct BlasType {
    cudaDataType_t data;
    cublasComputeType_t compute;
};
BlasType typeOf(DType dtype) {
    switch (dtype) {
    case DType::Float32:
        return {CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::Complex64:
        return {CUDA_C_32F, CUBLAS_COMPUTE_32F};
    case DType::Complex128:
        return {CUDA_C_64F, CUBLAS_COMPUTE_64F};
    default:
        return {CUDA_R_64F, CUBLAS_COMPUTE_64F};
    }
}

/// Are the offsets 0, s, 2s, …?
bool isSteady(std::span<const Index> offsets, Index& step) {
    step = offsets.size() > 1 ? offsets[1] - offsets[0] : 0;
    for (std::size_t i = 1; i < offsets.size(); ++i)
        if (offsets[i] - offsets[i - 1] != step) return false;
    return step >= 0;
}

/// The addresses of a batch, on the device.
class Addresses {
public:
    Addresses(DeviceState& device, cudaStream_t stream, const std::vector<const void*>& all)
        : m_memory(device, all.size() * sizeof(void*)) {
        check(cudaMemcpyAsync(m_memory.data(), all.data(), all.size() * sizeof(void*), cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync");
    }
    void** data() const { return m_memory.as<void*>(); }

private:
    Scratch m_memory;
};

/// `call(function, from, to)` for each matrix and right sides: the function of T, with T's own name there.
template <class T, class Function, class Call>
void eachTriangle(const LinalgArgs& args, Function function, Call call) {
    const MatrixBatch &a = args.a, &b = args.b;
    for (Index i = 0; i < args.batch; ++i)
        checkBlas(call(function, reinterpret_cast<const T*>(args.a.data) + i * a.rows * a.cols,
                       reinterpret_cast<T*>(b.data) + i * b.rows * b.cols),
                  "cublasXtrsm");
}

} // namespace

void blasTriangularSolve(DeviceState& device, cudaStream_t stream, const LinalgArgs& args) {
    const MatrixBatch &a = args.a, &b = args.b;
    const Index order = std::min(a.rows, a.cols);
    if (order == 0 || b.cols == 0) return;
    const cublasHandle_t handle = handleFor(device.index(), stream);
    const auto triangle = args.upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const auto turned = args.transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
    const auto diagonal = args.unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    const auto run = [&]<class T>(T one, auto function) {
        eachTriangle<T>(args, function, [&](auto trsm, const T* from, T* to) {
            return trsm(handle, CUBLAS_SIDE_LEFT, triangle, turned, diagonal, order, b.cols, &one, from,
                        std::max<Index>(a.rows, 1), to, std::max<Index>(b.rows, 1));
        });
    };
    const Functions& all = functions();
    switch (args.dtype) {
    case DType::Float32:
        return run(1.0f, all.strsm);
    case DType::Complex64:
        return run(cuComplex{1, 0}, all.ctrsm);
    case DType::Complex128:
        return run(cuDoubleComplex{1, 0}, all.ztrsm);
    default:
        return run(1.0, all.dtrsm);
    }
}

void blasProducts(DeviceState& device, cudaStream_t stream, const ProductArgs& args) {
    const auto item = static_cast<Index>(itemSize(args.dtype));
    const auto count = static_cast<Index>(args.aOffsets.size());
    if (args.k == 0) {
        check(cudaMemsetAsync(args.out, 0, static_cast<std::size_t>(count * args.m * args.n * item), stream),
              "cudaMemsetAsync");
        return;
    }
    const cublasHandle_t handle = handleFor(device.index(), stream);
    const BlasType type = typeOf(args.dtype);
    const BlasLayout a = blasLayout(args.a, args.m, args.k), b = blasLayout(args.b, args.k, args.n);
    // BLAS counts columns first. What lies row-major is its transpose there, so out^T = b^T a^T needs none turned.
    const auto operation = [](const BlasLayout& m) { return m.turned ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const double one[2] = {1, 0}, zero[2] = {0, 0};
    const float oneFloat[2] = {1, 0}, zeroFloat[2] = {0, 0};
    const bool single = type.compute == CUBLAS_COMPUTE_32F;
    const void* const alpha = single ? static_cast<const void*>(oneFloat) : one;
    const void* const beta = single ? static_cast<const void*>(zeroFloat) : zero;
    Index aStep = 0, bStep = 0;
    if (isSteady(args.aOffsets, aStep) && isSteady(args.bOffsets, bStep)) {
        checkBlas(functions().strided(handle, operation(b), operation(a), args.n, args.m, args.k, alpha,
                                      args.b.data + args.bOffsets[0] * item, type.data, b.leading, bStep,
                                      args.a.data + args.aOffsets[0] * item, type.data, a.leading, aStep, beta,
                                      args.out, type.data, args.n, args.m * args.n, count, type.compute,
                                      CUBLAS_GEMM_DEFAULT),
                  "cublasGemmStridedBatchedEx");
        return;
    }
    std::vector<const void*> allA, allB, allOut;
    for (std::size_t i = 0; i < args.aOffsets.size(); ++i) {
        allA.push_back(args.a.data + args.aOffsets[i] * item);
        allB.push_back(args.b.data + args.bOffsets[i] * item);
        allOut.push_back(args.out + static_cast<Index>(i) * args.m * args.n * item);
    }
    const Addresses ofA(device, stream, allA), ofB(device, stream, allB), ofOut(device, stream, allOut);
    checkBlas(functions().batched(handle, operation(b), operation(a), args.n, args.m, args.k, alpha, ofB.data(),
                                  type.data, b.leading, ofA.data(), type.data, a.leading, beta, ofOut.data(), type.data,
                                  args.n, count, type.compute, CUBLAS_GEMM_DEFAULT),
              "cublasGemmBatchedEx");
}

} // namespace stridescope::cuda
