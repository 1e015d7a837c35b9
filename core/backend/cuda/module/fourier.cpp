// Fourier transforms of rows by cuFFT, in float64. Plans are kept: making one takes longer than most transforms.

#include "core/backend/cuda/module/libraries.h"

#include <algorithm>
#include <cufft.h>
#include <list>

namespace stridescope::cuda {

namespace {

#define STRIDESCOPE_QUOTED_AS_IS(x) #x
#define STRIDESCOPE_QUOTED(x) STRIDESCOPE_QUOTED_AS_IS(x)

Library& library() {
    static Library cufft("libcufft.so." STRIDESCOPE_QUOTED(CUFFT_VER_MAJOR));
    return cufft;
}

void checkFourier(cufftResult result, const char* call) {
    if (result == CUFFT_SUCCESS) return;
    Failure failure;
    failure.code = static_cast<int>(result);
    failure.call = call;
    failure.text = result == CUFFT_ALLOC_FAILED   ? "cuFFT found no memory"
                   : result == CUFFT_SETUP_FAILED ? "cuFFT could not start"
                   : result == CUFFT_INVALID_SIZE ? "cuFFT does not take rows of this size"
                                                  : "cuFFT refused";
    report(failure);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a name is pasted.
#define STRIDESCOPE_FOURIER(name) reinterpret_cast<decltype(&name)>(library().function(STRIDESCOPE_QUOTED(name)))
// NOLINTEND(bugprone-macro-parentheses)

/// Looked up once.
struct Functions {
    decltype(&cufftCreate) create = STRIDESCOPE_FOURIER(cufftCreate);
    decltype(&cufftDestroy) destroy = STRIDESCOPE_FOURIER(cufftDestroy);
    decltype(&cufftMakePlanMany64) plan = STRIDESCOPE_FOURIER(cufftMakePlanMany64);
    decltype(&cufftSetStream) setStream = STRIDESCOPE_FOURIER(cufftSetStream);
    decltype(&cufftExecZ2Z) complexToComplex = STRIDESCOPE_FOURIER(cufftExecZ2Z);
    decltype(&cufftExecD2Z) realToComplex = STRIDESCOPE_FOURIER(cufftExecD2Z);
    decltype(&cufftExecZ2D) complexToReal = STRIDESCOPE_FOURIER(cufftExecZ2D);
};

const Functions& functions() {
    static const Functions all;
    return all;
}

/// What a plan is for. It has a workspace, so that each stream needs its own.
struct Wanted {
    int device = 0;
    cudaStream_t stream = nullptr;
    cufftType type = CUFFT_Z2Z;
    Index n = 0, count = 0;
    bool operator==(const Wanted&) const = default;
};

struct Plan {
    Wanted is;
    cufftHandle handle = CUFFT_PLAN_NULL;
};

/// Plans that were used lately, the last one first. The caller holds the mutex of them.
cufftHandle planFor(const Wanted& wanted) {
    constexpr std::size_t kKept = 32;
    static auto* plans = new std::list<Plan>; // never destroyed: the device may be gone by then
    const auto found = std::find_if(plans->begin(), plans->end(), [&](const Plan& p) { return p.is == wanted; });
    if (found != plans->end()) {
        plans->splice(plans->begin(), *plans, found);
        return plans->front().handle;
    }
    if (plans->size() == kKept) { // its memory goes when the device has done what it was given
        checkFourier(functions().destroy(plans->back().handle), "cufftDestroy");
        plans->pop_back();
    }
    Plan fresh{wanted, CUFFT_PLAN_NULL};
    checkFourier(functions().create(&fresh.handle), "cufftCreate");
    std::size_t bytes = 0;
    long long size = wanted.n;
    const cufftResult made =
        functions().plan(fresh.handle, 1, &size, nullptr, 1, 0, nullptr, 1, 0, wanted.type, wanted.count, &bytes);
    if (made != CUFFT_SUCCESS) functions().destroy(fresh.handle);
    checkFourier(made, "cufftMakePlanMany64");
    checkFourier(functions().setStream(fresh.handle, wanted.stream), "cufftSetStream");
    plans->push_front(fresh);
    return fresh.handle;
}

} // namespace

void fourierRows(DeviceState& device, cudaStream_t stream, const FourierArgs& args) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const cufftType type = args.kind == FourierKind::Complex ? CUFFT_Z2Z
                           : args.kind == FourierKind::Real  ? CUFFT_D2Z
                                                             : CUFFT_Z2D;
    const cufftHandle plan = planFor({device.index(), stream, type, args.n, args.count});
    const auto complex = [](std::byte* data) { return reinterpret_cast<cufftDoubleComplex*>(data); };
    const auto real = [](std::byte* data) { return reinterpret_cast<cufftDoubleReal*>(data); };
    switch (args.kind) {
    case FourierKind::Complex:
        return checkFourier(functions().complexToComplex(plan, complex(args.in), complex(args.in),
                                                         args.inverse ? CUFFT_INVERSE : CUFFT_FORWARD),
                            "cufftExecZ2Z");
    case FourierKind::Real:
        return checkFourier(functions().realToComplex(plan, real(args.in), complex(args.half)), "cufftExecD2Z");
    case FourierKind::Half:
        return checkFourier(functions().complexToReal(plan, complex(args.in), real(args.out)), "cufftExecZ2D");
    }
}

} // namespace stridescope::cuda
