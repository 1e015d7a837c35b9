#pragma once
// Element-wise kernels: one vectorised kernel for runs of the compute type, one for everything else.
//
// Both use the functors of core/ops/elementwise.h and the index code of core/backend/loop, which the CPU tests run too.

#include "core/backend/cuda/module/check.cuh"
#include "core/backend/loop/element_access.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stridescope::cuda {

inline constexpr int kThreads = 256;
inline constexpr int kMapLevels = 8;

/// Blocks for `items` work items: enough to fill the device, never more than there is work.
inline int blocksFor(Index items) {
    const Index most = static_cast<Index>(currentMultiprocessors()) * 16;
    return static_cast<int>(std::clamp<Index>((items + kThreads - 1) / kThreads, 1, most));
}

/// One operand of the vectorised kernel: a run, or one value.
struct FlatOperand {
    const std::byte* run = nullptr; ///< null: `value` counts
    alignas(16) std::byte value[16] = {};
};

template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
    T item[N];
};

/// n elements, everything contiguous and of type T (result type R); each thread moves 16 bytes of input at a time.
template <class Op, class T, int N>
__global__ void __launch_bounds__(kThreads)
    flatKernel(ResultOf<Op, T>* __restrict__ out, FlatOperand a, FlatOperand b, Index n) {
    using R = ResultOf<Op, T>;
    const T scalarA = a.run ? T{} : *reinterpret_cast<const T*>(a.value);
    const T scalarB = b.run ? T{} : *reinterpret_cast<const T*>(b.value);
    const Index packs = n / N;
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    const Index first = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (Index i = first; i < packs; i += step) {
        Pack<T, N> left, right;
        Pack<R, N> result;
        if (a.run) left = reinterpret_cast<const Pack<T, N>*>(a.run)[i];
        if (b.run) right = reinterpret_cast<const Pack<T, N>*>(b.run)[i];
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const auto x = static_cast<Work<T>>(a.run ? left.item[k] : scalarA);
            if constexpr (requires { Op{}(x); }) {
                result.item[k] = computeUnary<Op, T>(x);
            } else {
                result.item[k] = computeBinary<Op, T>(x, static_cast<Work<T>>(b.run ? right.item[k] : scalarB));
            }
        }
        reinterpret_cast<Pack<R, N>*>(out)[i] = result;
    }
    for (Index i = packs * N + first; i < n; i += step) {
        const auto x = static_cast<Work<T>>(a.run ? reinterpret_cast<const T*>(a.run)[i] : scalarA);
        if constexpr (requires { Op{}(x); }) {
            out[i] = computeUnary<Op, T>(x);
        } else {
            out[i] =
                computeBinary<Op, T>(x, static_cast<Work<T>>(b.run ? reinterpret_cast<const T*>(b.run)[i] : scalarB));
        }
    }
}

/// What the general kernel knows of an operand.
struct AnyOperand {
    std::byte* data = nullptr;
    DType dtype = DType::Float32;
    bool isValue = false;
    alignas(8) std::byte value[8] = {};
};

struct Map64 {
    LoopSpace space;
    STRIDESCOPE_HD void offsets(Index position, Index (&out)[kMaxOperands]) const { offsetsOf(space, position, out); }
};
struct Map32 {
    IndexMap32<kMaxOperands, kMapLevels> map;
    STRIDESCOPE_HD void offsets(Index position, Index (&out)[kMaxOperands]) const {
        std::int32_t narrow[kMaxOperands];
        map.offsets(static_cast<std::uint32_t>(position), narrow);
        for (int o = 0; o < kMaxOperands; ++o) out[o] = narrow[o];
    }
};

/// Any strides, any dtypes.
template <class Op, class Compute, class Map>
__global__ void __launch_bounds__(kThreads) anyKernel(Map map, AnyOperand out, AnyOperand a, AnyOperand b, Index n) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        Index offset[kMaxOperands];
        map.offsets(i, offset);
        const Work<Compute> x = loadAs<Compute>(a.isValue ? a.value : a.data + offset[1], a.dtype);
        if constexpr (requires { Op{}(x); }) {
            storeAs(out.data + offset[0], out.dtype, computeUnary<Op, Compute>(x));
        } else {
            const Work<Compute> y = loadAs<Compute>(b.isValue ? b.value : b.data + offset[2], b.dtype);
            storeAs(out.data + offset[0], out.dtype, computeBinary<Op, Compute>(x, y));
        }
    }
}

inline AnyOperand anyOperand(const ElementwiseArgs& args, int o) {
    AnyOperand operand;
    operand.data = args.space.data[o];
    operand.dtype = args.dtype[static_cast<std::size_t>(o)];
    operand.isValue = args.isHostScalar[static_cast<std::size_t>(o)];
    if (operand.isValue) std::memcpy(operand.value, operand.data, itemSize(operand.dtype));
    return operand;
}

/// A copy of the space whose strides for absent operands and host values are 0.
inline LoopSpace paddedSpace(const ElementwiseArgs& args) {
    LoopSpace space = args.space;
    for (int o = 0; o < kMaxOperands; ++o) {
        if (o < args.space.operands && !args.isHostScalar[static_cast<std::size_t>(o)]) continue;
        space.data[o] = nullptr;
        for (int level = 0; level < space.levels; ++level) space.stride[level][o] = 0;
    }
    space.operands = kMaxOperands;
    return space;
}

/// Prepares the flat kernel's operand; false when `o` is neither a run of T nor one host value of T.
template <class T>
bool flatOperand(const ElementwiseArgs& args, int o, FlatOperand& operand) {
    const auto at = static_cast<std::size_t>(o);
    if (args.dtype[at] != DTypeOf<T>::value) return false;
    if (args.isHostScalar[at]) {
        std::memcpy(operand.value, args.space.data[o], sizeof(T));
        return true;
    }
    operand.run = args.space.data[o];
    return args.space.stride[0][o] == static_cast<Index>(sizeof(T)) &&
           reinterpret_cast<std::uintptr_t>(operand.run) % 16 == 0;
}

template <class Op, class Compute>
void launch(const ElementwiseArgs& args) {
    using R = ResultOf<Op, Compute>;
    const Index n = args.space.numel();
    if (n == 0) return;
    constexpr int kPack = 16 / sizeof(Compute);
    FlatOperand a, b;
    const bool oneRun = args.space.levels == 1 && args.dtype[0] == DTypeOf<R>::value &&
                        args.space.stride[0][0] == static_cast<Index>(sizeof(R)) &&
                        reinterpret_cast<std::uintptr_t>(args.space.data[0]) % 16 == 0;
    if (oneRun && flatOperand<Compute>(args, 1, a) && (args.space.operands < 3 || flatOperand<Compute>(args, 2, b))) {
        flatKernel<Op, Compute, kPack><<<blocksFor(n / kPack + 1), kThreads, 0, currentStream()>>>(
            reinterpret_cast<R*>(args.space.data[0]), a, b, n);
        check(cudaGetLastError(), Op::name);
        return;
    }
    const LoopSpace space = paddedSpace(args);
    const AnyOperand out = anyOperand(args, 0), left = anyOperand(args, 1);
    const AnyOperand right = args.space.operands > 2 ? anyOperand(args, 2) : AnyOperand{};
    if (space.levels <= kMapLevels && fitsInt32(space)) {
        anyKernel<Op, Compute, Map32><<<blocksFor(n), kThreads, 0, currentStream()>>>(
            Map32{IndexMap32<kMaxOperands, kMapLevels>(space)}, out, left, right, n);
    } else {
        anyKernel<Op, Compute, Map64>
            <<<blocksFor(n), kThreads, 0, currentStream()>>>(Map64{space}, out, left, right, n);
    }
    check(cudaGetLastError(), Op::name);
}

/// The table entry of Op: chooses the instance by the compute type.
template <class Op>
void elementwiseEntry(const ElementwiseArgs& args) {
    visitDType(args.compute, [&args](auto tag) {
        using Compute = typename decltype(tag)::type;
        // True division computes in floats alone; pointwise.cpp promotes before it asks.
        if constexpr (Op::result != ResultKind::Float || std::is_floating_point_v<Work<Compute>>) {
            launch<Op, Compute>(args);
        }
    });
}

} // namespace stridescope::cuda
