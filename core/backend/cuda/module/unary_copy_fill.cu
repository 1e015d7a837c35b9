// Unary operations, copies with conversion, and fill.

#include "core/backend/cuda/module/bind.cuh"
#include "core/backend/cuda/module/elementwise.cuh"

namespace stridescope::cuda {

namespace {

/// Any strides, one pair of dtypes a launch.
template <class Map>
__global__ void __launch_bounds__(kThreads) convertKernel(Map map, AnyOperand out, AnyOperand from, Index n) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        Index offset[kMaxOperands];
        map.offsets(i, offset);
        const std::byte* source = from.isValue ? from.value : from.data + offset[1];
        visitDType(from.dtype, [&](auto tag) {
            using From = typename decltype(tag)::type;
            storeAs(out.data + offset[0], out.dtype, *reinterpret_cast<const From*>(source));
        });
    }
}

void convert(const ElementwiseArgs& args, const AnyOperand& from) {
    const Index n = args.space.numel();
    if (n == 0) return;
    const LoopSpace space = paddedSpace(args);
    const AnyOperand out = anyOperand(args, 0);
    if (space.levels <= kMapLevels && fitsInt32(space)) {
        convertKernel<<<blocksFor(n), kThreads, 0, currentStream()>>>(
            Map32{IndexMap32<kMaxOperands, kMapLevels>(space)}, out, from, n);
    } else {
        convertKernel<<<blocksFor(n), kThreads, 0, currentStream()>>>(Map64{space}, out, from, n);
    }
    check(cudaGetLastError(), "copy");
}

void copyEntry(const ElementwiseArgs& args) {
    const auto size = static_cast<Index>(itemSize(args.dtype[0]));
    if (args.space.levels == 1 && args.dtype[0] == args.dtype[1] && !args.isHostScalar[1] &&
        args.space.stride[0][0] == size && args.space.stride[0][1] == size) {
        check(cudaMemcpyAsync(args.space.data[0], args.space.data[1],
                              static_cast<std::size_t>(args.space.size[0] * size), cudaMemcpyDeviceToDevice,
                              currentStream()),
              "cudaMemcpyAsync");
        return;
    }
    convert(args, anyOperand(args, 1));
}

void fillEntry(const ElementwiseArgs& args, const void* value) {
    AnyOperand from;
    from.dtype = args.dtype[0];
    from.isValue = true;
    std::memcpy(from.value, value, itemSize(args.dtype[0]));
    bool equal = true;
    for (std::size_t i = 1; i < itemSize(from.dtype); ++i) equal = equal && from.value[i] == from.value[0];
    const auto size = static_cast<Index>(itemSize(args.dtype[0]));
    if (equal && args.space.levels == 1 && args.space.stride[0][0] == size) {
        check(cudaMemsetAsync(args.space.data[0], static_cast<int>(from.value[0]),
                              static_cast<std::size_t>(args.space.size[0] * size), currentStream()),
              "cudaMemsetAsync");
        return;
    }
    convert(args, from);
}

} // namespace

void bindUnaryAndCopies(KernelTable& table) {
    bindUnary(table, UnaryOps{});
    table.copy = copyEntry;
    table.fill = fillEntry;
}

} // namespace stridescope::cuda
