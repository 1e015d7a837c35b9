// Factors, eigenvalues and singular values by cuSOLVER, one matrix after the other in the stream. Its classic interface
// takes the exchanges as LAPACK has them; general eigenvalues and LDL systems are in its 64-bit one alone.

#include "core/backend/blas_layout.h"
#include "core/backend/cuda/module/libraries.h"
#include "core/dtype/dtype.h"

#include <algorithm>
#include <cusolverDn.h>
#include <map>
#include <vector>

namespace stridescope::cuda {

namespace {

#define STRIDESCOPE_QUOTED_AS_IS(x) #x
#define STRIDESCOPE_QUOTED(x) STRIDESCOPE_QUOTED_AS_IS(x)

Library& library() {
    static Library cusolver("libcusolver.so." STRIDESCOPE_QUOTED(CUSOLVER_VER_MAJOR));
    return cusolver;
}

void checkSolver(cusolverStatus_t status, const char* call) {
    if (status == CUSOLVER_STATUS_SUCCESS) return;
    Failure failure;
    failure.code = static_cast<int>(status);
    failure.call = call;
    failure.text = status == CUSOLVER_STATUS_NOT_INITIALIZED ? "cuSOLVER could not start (often: no memory left)"
                   : status == CUSOLVER_STATUS_ALLOC_FAILED  ? "cuSOLVER found no memory"
                   : status == CUSOLVER_STATUS_INVALID_VALUE ? "cuSOLVER does not take matrices of this size"
                                                             : "cuSOLVER refused";
    report(failure);
}

// One name for the four types of each function, looked up once.
// NOLINTBEGIN(bugprone-macro-parentheses): names are pasted.
#define STRIDESCOPE_SOLVER(name) reinterpret_cast<decltype(&name)>(library().function(STRIDESCOPE_QUOTED(name)))
#define STRIDESCOPE_FOUR_TYPES(alias, real, hermitian)                                                                 \
    template <class T>                                                                                                 \
    auto alias() {                                                                                                     \
        if constexpr (std::is_same_v<T, float>) {                                                                      \
            static const auto f = STRIDESCOPE_SOLVER(cusolverDnS##real);                                               \
            return f;                                                                                                  \
        } else if constexpr (std::is_same_v<T, double>) {                                                              \
            static const auto f = STRIDESCOPE_SOLVER(cusolverDnD##real);                                               \
            return f;                                                                                                  \
        } else if constexpr (std::is_same_v<T, cuComplex>) {                                                           \
            static const auto f = STRIDESCOPE_SOLVER(cusolverDnC##hermitian);                                          \
            return f;                                                                                                  \
        } else {                                                                                                       \
            static const auto f = STRIDESCOPE_SOLVER(cusolverDnZ##hermitian);                                          \
            return f;                                                                                                  \
        }                                                                                                              \
    }
STRIDESCOPE_FOUR_TYPES(getrf, getrf, getrf)
STRIDESCOPE_FOUR_TYPES(getrfSize, getrf_bufferSize, getrf_bufferSize)
STRIDESCOPE_FOUR_TYPES(getrs, getrs, getrs)
STRIDESCOPE_FOUR_TYPES(potrf, potrf, potrf)
STRIDESCOPE_FOUR_TYPES(potrfSize, potrf_bufferSize, potrf_bufferSize)
STRIDESCOPE_FOUR_TYPES(syevd, syevd, heevd)
STRIDESCOPE_FOUR_TYPES(syevdSize, syevd_bufferSize, heevd_bufferSize)
STRIDESCOPE_FOUR_TYPES(gesvd, gesvd, gesvd)
STRIDESCOPE_FOUR_TYPES(gesvdSize, gesvd_bufferSize, gesvd_bufferSize)
STRIDESCOPE_FOUR_TYPES(geqrf, geqrf, geqrf)
STRIDESCOPE_FOUR_TYPES(geqrfSize, geqrf_bufferSize, geqrf_bufferSize)
STRIDESCOPE_FOUR_TYPES(orgqr, orgqr, ungqr)
STRIDESCOPE_FOUR_TYPES(orgqrSize, orgqr_bufferSize, ungqr_bufferSize)
STRIDESCOPE_FOUR_TYPES(ormqr, ormqr, unmqr)
STRIDESCOPE_FOUR_TYPES(ormqrSize, ormqr_bufferSize, unmqr_bufferSize)
STRIDESCOPE_FOUR_TYPES(sytrf, sytrf, sytrf)
STRIDESCOPE_FOUR_TYPES(sytrfSize, sytrf_bufferSize, sytrf_bufferSize)
#undef STRIDESCOPE_FOUR_TYPES
// NOLINTEND(bugprone-macro-parentheses)

/// Those for any type, looked up once.
struct Functions {
    decltype(&cusolverDnCreate) create = STRIDESCOPE_SOLVER(cusolverDnCreate);
    decltype(&cusolverDnSetStream) setStream = STRIDESCOPE_SOLVER(cusolverDnSetStream);
    decltype(&cusolverDnCreateParams) createParams = STRIDESCOPE_SOLVER(cusolverDnCreateParams);
    decltype(&cusolverDnXgeev) geev = STRIDESCOPE_SOLVER(cusolverDnXgeev);
    decltype(&cusolverDnXgeev_bufferSize) geevSize = STRIDESCOPE_SOLVER(cusolverDnXgeev_bufferSize);
    decltype(&cusolverDnXsytrs) sytrs = STRIDESCOPE_SOLVER(cusolverDnXsytrs);
    decltype(&cusolverDnXsytrs_bufferSize) sytrsSize = STRIDESCOPE_SOLVER(cusolverDnXsytrs_bufferSize);
};

const Functions& functions() {
    static const Functions all;
    return all;
}

/// One for each device and stream.
cusolverDnHandle_t handleFor(int device, cudaStream_t stream) {
    static std::mutex mutex;
    static auto* handles = new std::map<std::pair<int, cudaStream_t>, cusolverDnHandle_t>;
    const std::lock_guard lock(mutex);
    cusolverDnHandle_t& handle = (*handles)[{device, stream}];
    if (!handle) {
        cusolverDnHandle_t fresh = nullptr;
        checkSolver(functions().create(&fresh), "cusolverDnCreate");
        checkSolver(functions().setStream(fresh, stream), "cusolverDnSetStream");
        handle = fresh;
    }
    return handle;
}

/// Nothing out of the ordinary is asked for.
cusolverDnParams_t plainParams() {
    static const cusolverDnParams_t params = [] {
        cusolverDnParams_t fresh = nullptr;
        checkSolver(functions().createParams(&fresh), "cusolverDnCreateParams");
        return fresh;
    }();
    return params;
}

template <class T>
struct PartOf {
    using type = T;
};
template <>
struct PartOf<cuComplex> {
    using type = float;
};
template <>
struct PartOf<cuDoubleComplex> {
    using type = double;
};

template <class T>
constexpr bool isComplexType = !std::is_same_v<typename PartOf<T>::type, T>;

template <class T>
constexpr cudaDataType typeOf() {
    if constexpr (std::is_same_v<T, float>)
        return CUDA_R_32F;
    else if constexpr (std::is_same_v<T, double>)
        return CUDA_R_64F;
    else if constexpr (std::is_same_v<T, cuComplex>)
        return CUDA_C_32F;
    else
        return CUDA_C_64F;
}

int leading(Index rows) {
    return static_cast<int>(std::max<Index>(rows, 1));
}

/// A batch of one type on its way through cuSOLVER.
template <class T>
class Run {
public:
    using Part = typename PartOf<T>::type;

    Run(DeviceState& device, cudaStream_t stream, const LinalgArgs& args)
        : m_device(device), m_stream(stream), m_args(args), m_handle(handleFor(device.index(), stream)),
          m_info(device, static_cast<std::size_t>(args.batch) * sizeof(int)) {
        for (const MatrixBatch& m : {args.a, args.b, args.c}) // the classic interface counts in 32 bits
            if (std::max(m.rows, m.cols) > kMostOfBlas) checkSolver(CUSOLVER_STATUS_INVALID_VALUE, name(args.routine));
        // Some routines leave the number of a matrix alone that they find nothing wrong with.
        check(cudaMemsetAsync(m_info.data(), 0, static_cast<std::size_t>(args.batch) * sizeof(int), stream),
              "cudaMemsetAsync");
    }

    void operator()() {
        switch (m_args.routine) {
        case LinalgRoutine::LuFactor:
            return answer(luFactor());
        case LinalgRoutine::LuSolve:
            return luSolve();
        case LinalgRoutine::Cholesky:
            return answer(cholesky());
        case LinalgRoutine::EigenSymmetric:
            return answer(eigenSymmetric());
        case LinalgRoutine::EigenGeneral:
            return answer(eigenGeneral());
        case LinalgRoutine::Singular:
            return answer(singular());
        case LinalgRoutine::QrFactor:
            return qrFactor();
        case LinalgRoutine::QrMultiply:
            return qrMultiply();
        case LinalgRoutine::QrApply:
            return qrApply();
        case LinalgRoutine::LdlFactor:
            return answer(ldlFactor());
        case LinalgRoutine::LdlSolve:
            return ldlSolve();
        default:
            return; // not cuSOLVER's: no entry of the table leads here
        }
    }

private:
    struct Done {};

    T* matrix(const MatrixBatch& m, Index i) const { return reinterpret_cast<T*>(m.data) + i * m.rows * m.cols; }
    template <class N>
    N* numbers(Index i, Index each) const {
        return reinterpret_cast<N*>(m_args.values) + i * each;
    }
    int* info(Index i) const { return m_info.as<int>() + i; }
    int rows() const { return static_cast<int>(m_args.a.rows); }
    int cols() const { return static_cast<int>(m_args.a.cols); }
    int step() const { return leading(m_args.a.rows); }
    Index least() const { return std::min(m_args.a.rows, m_args.a.cols); }
    cublasFillMode_t triangle() const { return m_args.upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }
    cusolverEigMode_t vectors() const { return m_args.vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR; }

    template <class F>
    Done each(const char* call, F f) {
        for (Index i = 0; i < m_args.batch; ++i) checkSolver(f(i), call);
        return {};
    }
    /// The same with `elements` of T to work in, as `size` (a status, the number by its argument) says.
    template <class Size, class F>
    Done eachWith(const char* call, Size size, F f) {
        int elements = 0;
        checkSolver(size(&elements), call);
        const Scratch room(m_device, static_cast<std::size_t>(std::max(elements, 1)) * sizeof(T));
        return each(call, [&](Index i) { return f(i, room.as<T>(), elements); });
    }
    /// Waits for what was found wrong.
    void answer(Done) {
        check(cudaMemcpyAsync(m_args.info, m_info.data(), static_cast<std::size_t>(m_args.batch) * sizeof(int),
                              cudaMemcpyDeviceToHost, m_stream),
              "cudaMemcpyAsync");
        check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
    }

    Done luFactor() {
        return eachWith(
            "cusolverDnXgetrf",
            [&](int* size) { return getrfSize<T>()(m_handle, rows(), cols(), matrix(m_args.a, 0), step(), size); },
            [&](Index i, T* room, int) {
                return getrf<T>()(m_handle, rows(), cols(), matrix(m_args.a, i), step(), room,
                                  m_args.pivots + i * least(), info(i));
            });
    }

    void luSolve() {
        const MatrixBatch& b = m_args.b;
        if (b.cols == 0) return;
        each("cusolverDnXgetrs", [&](Index i) {
            return getrs<T>()(m_handle, m_args.transpose ? CUBLAS_OP_T : CUBLAS_OP_N, rows(), static_cast<int>(b.cols),
                              matrix(m_args.a, i), step(), m_args.pivots + i * m_args.a.rows, matrix(b, i),
                              leading(b.rows), info(i));
        });
    }

    Done cholesky() {
        return eachWith(
            "cusolverDnXpotrf",
            [&](int* size) { return potrfSize<T>()(m_handle, triangle(), rows(), matrix(m_args.a, 0), step(), size); },
            [&](Index i, T* room, int size) {
                return potrf<T>()(m_handle, triangle(), rows(), matrix(m_args.a, i), step(), room, size, info(i));
            });
    }

    Done eigenSymmetric() {
        return eachWith(
            "cusolverDnXsyevd",
            [&](int* size) {
                return syevdSize<T>()(m_handle, vectors(), triangle(), rows(), matrix(m_args.a, 0), step(),
                                      numbers<Part>(0, 0), size);
            },
            [&](Index i, T* room, int size) {
                return syevd<T>()(m_handle, vectors(), triangle(), rows(), matrix(m_args.a, i), step(),
                                  numbers<Part>(i, m_args.a.rows), room, size, info(i));
            });
    }

    /// Real matrices are worked on in real numbers, and only the eigenvalues are complex.
    Done eigenGeneral() {
        constexpr cudaDataType kReal = typeOf<T>();
        constexpr cudaDataType kComplex = std::is_same_v<Part, float> ? CUDA_C_32F : CUDA_C_64F;
        const Index n = m_args.a.rows, step = m_args.vectors ? n : 1;
        std::size_t there = 0, here = 0;
        checkSolver(functions().geevSize(m_handle, plainParams(), CUSOLVER_EIG_MODE_NOVECTOR, vectors(), n, kReal,
                                         m_args.a.data, n, kComplex, m_args.values, kReal, nullptr, 1, kReal,
                                         m_args.vectors ? m_args.c.data : nullptr, step, kReal, &there, &here),
                    "cusolverDnXgeev_bufferSize");
        const Scratch room(m_device, there);
        std::vector<std::byte> hostRoom(here); // until the answer, which waits
        const Done done = each("cusolverDnXgeev", [&](Index i) {
            auto* const values = m_args.values + static_cast<std::size_t>(i * n) * 2 * sizeof(Part);
            return functions().geev(m_handle, plainParams(), CUSOLVER_EIG_MODE_NOVECTOR, vectors(), n, kReal,
                                    matrix(m_args.a, i), n, kComplex, values, kReal, nullptr, 1, kReal,
                                    m_args.vectors ? matrix(m_args.c, i) : nullptr, step, kReal, room.data(), there,
                                    hostRoom.data(), here, info(i));
        });
        check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
        return done;
    }

    Done singular() {
        const MatrixBatch &u = m_args.b, &vh = m_args.c;
        const signed char job = !m_args.vectors ? 'N' : m_args.full ? 'A' : 'S';
        return eachWith(
            "cusolverDnXgesvd", [&](int* size) { return gesvdSize<T>()(m_handle, rows(), cols(), size); },
            [&](Index i, T* room, int size) {
                return gesvd<T>()(m_handle, job, job, rows(), cols(), matrix(m_args.a, i), step(),
                                  numbers<Part>(i, least()), m_args.vectors ? matrix(u, i) : nullptr,
                                  leading(m_args.vectors ? u.rows : 1), m_args.vectors ? matrix(vh, i) : nullptr,
                                  leading(m_args.vectors ? vh.rows : 1), room, size, nullptr, info(i));
            });
    }

    void qrFactor() {
        eachWith(
            "cusolverDnXgeqrf",
            [&](int* size) { return geqrfSize<T>()(m_handle, rows(), cols(), matrix(m_args.a, 0), step(), size); },
            [&](Index i, T* room, int size) {
                return geqrf<T>()(m_handle, rows(), cols(), matrix(m_args.a, i), step(), numbers<T>(i, least()), room,
                                  size, info(i));
            });
    }

    void qrMultiply() {
        const int count = static_cast<int>(m_args.reflectors);
        eachWith(
            "cusolverDnXorgqr",
            [&](int* size) {
                return orgqrSize<T>()(m_handle, rows(), cols(), count, matrix(m_args.a, 0), step(), numbers<T>(0, 0),
                                      size);
            },
            [&](Index i, T* room, int size) {
                return orgqr<T>()(m_handle, rows(), cols(), count, matrix(m_args.a, i), step(),
                                  numbers<T>(i, m_args.reflectors), room, size, info(i));
            });
    }

    void qrApply() {
        const MatrixBatch& c = m_args.b;
        const int count = static_cast<int>(m_args.reflectors);
        const auto side = m_args.left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
        const auto turned = !m_args.transpose ? CUBLAS_OP_N : isComplexType<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
        const int cRows = static_cast<int>(c.rows), cCols = static_cast<int>(c.cols);
        eachWith(
            "cusolverDnXormqr",
            [&](int* size) {
                return ormqrSize<T>()(m_handle, side, turned, cRows, cCols, count, matrix(m_args.a, 0), step(),
                                      numbers<T>(0, 0), matrix(c, 0), leading(c.rows), size);
            },
            [&](Index i, T* room, int size) {
                return ormqr<T>()(m_handle, side, turned, cRows, cCols, count, matrix(m_args.a, i), step(),
                                  numbers<T>(i, m_args.reflectors), matrix(c, i), leading(c.rows), room, size, info(i));
            });
    }

    Done ldlFactor() {
        return eachWith(
            "cusolverDnXsytrf",
            [&](int* size) { return sytrfSize<T>()(m_handle, rows(), matrix(m_args.a, 0), step(), size); },
            [&](Index i, T* room, int size) {
                return sytrf<T>()(m_handle, CUBLAS_FILL_MODE_LOWER, rows(), matrix(m_args.a, i), step(),
                                  m_args.pivots + i * m_args.a.rows, room, size, info(i));
            });
    }

    /// The exchanges go through the host, where they become 64 bits wide: this waits.
    void ldlSolve() {
        const Index n = m_args.a.rows;
        const auto count = static_cast<std::size_t>(m_args.batch * n);
        std::vector<std::int32_t> narrow(count);
        check(cudaMemcpyAsync(narrow.data(), m_args.pivots, count * sizeof(std::int32_t), cudaMemcpyDeviceToHost,
                              m_stream),
              "cudaMemcpyAsync");
        check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
        const std::vector<std::int64_t> wide(narrow.begin(), narrow.end());
        const Scratch pivots(m_device, count * sizeof(std::int64_t));
        check(
            cudaMemcpyAsync(pivots.data(), wide.data(), count * sizeof(std::int64_t), cudaMemcpyHostToDevice, m_stream),
            "cudaMemcpyAsync");
        constexpr cudaDataType kType = typeOf<T>();
        const MatrixBatch& b = m_args.b;
        std::size_t there = 0, here = 0;
        checkSolver(functions().sytrsSize(m_handle, CUBLAS_FILL_MODE_LOWER, n, b.cols, kType, m_args.a.data, n,
                                          pivots.as<std::int64_t>(), kType, b.data, b.rows, &there, &here),
                    "cusolverDnXsytrs_bufferSize");
        const Scratch room(m_device, there);
        std::vector<std::byte> hostRoom(here);
        each("cusolverDnXsytrs", [&](Index i) {
            return functions().sytrs(m_handle, CUBLAS_FILL_MODE_LOWER, n, b.cols, kType, matrix(m_args.a, i), n,
                                     pivots.as<std::int64_t>() + i * n, kType, matrix(b, i), b.rows, room.data(), there,
                                     hostRoom.data(), here, info(i));
        });
        check(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize"); // before the host's room goes
    }

    DeviceState& m_device;
    cudaStream_t m_stream;
    const LinalgArgs& m_args;
    cusolverDnHandle_t m_handle;
    Scratch m_info;
};

} // namespace

void solve(DeviceState& device, cudaStream_t stream, const LinalgArgs& args) {
    if (args.routine == LinalgRoutine::TriangularSolve) return blasTriangularSolve(device, stream, args);
    switch (args.dtype) {
    case DType::Float32:
        return Run<float>(device, stream, args)();
    case DType::Complex64:
        return Run<cuComplex>(device, stream, args)();
    case DType::Complex128:
        return Run<cuDoubleComplex>(device, stream, args)();
    default:
        return Run<double>(device, stream, args)();
    }
}

} // namespace stridescope::cuda
