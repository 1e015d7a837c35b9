// Normal numbers: in blocks of 16 where elements lie side by side, else in pairs.
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
#include "core/ops/pointwise.h"
#include "core/ops/random.h"
#include "core/ops/random_call.h"
#include "core/tensor/walk.h"
#include "core/view/broadcast.h"

#include <numbers>

namespace stridescope {

using namespace random;

namespace {

constexpr Index kBlock = 16;

/// Uniform numbers in [0, 1), the raw material of blocks.
template <class T>
void drawUniform(T* out, Index count, Generator& generator) {
    constexpr Index kRun = 1024;
    constexpr Index kDraws = kUniformDraws<T>;
    std::array<std::uint32_t, static_cast<std::size_t>(kRun * kDraws)> buffer;
    const cpu::RandomLoops& loops = cpu::isa().random;
    for (Index i = 0; i < count; i += kRun) {
        const Index n = std::min(kRun, count - i);
        generator.fill(std::span(buffer).first(static_cast<std::size_t>(n * kDraws)));
        if constexpr (std::is_same_v<T, float>)
            loops.uniformFloat(out + i, buffer.data(), n, 1, 0);
        else if constexpr (std::is_same_v<T, double>)
            loops.uniformDouble(out + i, buffer.data(), n, 1, 0);
        else
            for (Index k = 0; k < n; ++k)
                out[i + k] = Half(static_cast<float>(buffer[static_cast<std::size_t>(k)] & 0x7ffu) * 0x1p-11f);
    }
}

template <class T>
void transformBlocks(T* data, Index blocks, T mean, T std) {
    if constexpr (std::is_same_v<T, float>)
        cpu::isa().random.normalBlocks(data, blocks, mean, std);
    else
        for (Index b = 0; b < blocks; ++b) normalBlock(data + b * kBlock, mean, std);
}

/// Precondition: count >= 16. A rest of less than 16 numbers makes a block with as many before it as are missing: those
/// 16 are drawn once more.
template <class T>
void fillBlocks(T* data, Index count, double mean, double std, Generator& generator) {
    const T m = convertValue<T>(mean), s = convertValue<T>(std);
    constexpr Index kAtOnce =
        Index{1} << 18; // a cache of one or two MB still has what was drawn when it is transformed
    for (Index i = 0; i < count; i += kAtOnce) {
        throwIfCancelled();
        const Index n = std::min(kAtOnce, count - i);
        drawUniform(data + i, n, generator);
        parallelFor(0, n / kBlock, 512,
                    [&](Index from, Index to) { transformBlocks(data + i + from * kBlock, to - from, m, s); });
    }
    if (count % kBlock == 0) return;
    T* const last = data + count - kBlock;
    drawUniform(last, kBlock, generator);
    transformBlocks(last, 1, m, s);
}

void checkStd(double std) {
    if (!(std >= 0))
        refuse("RNG-06", "normal expects std >= 0.0, but found std " + shown(std),
               "A standard deviation is not negative.");
}

void checkStd(const Tensor& std) {
    requireCpu(std, "normal: reading the standard deviations");
    if (isComplex(std.dtype()))
        refuse("RNG-07", "normal expects standard deviation to be non-complex",
               "It is " + std::string(name(std.dtype())) + ".");
    visitDType(std.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, bool>) {
            const T* data = std.storageData<T>();
            forEachSlot(std.view(), [&](Index slot) {
                if (!(data[slot] >= T{}))
                    refuse("RNG-07", "normal expects all elements of std >= 0.0",
                           "One of them is " + shown(static_cast<double>(data[slot])) + ".");
            });
        }
    });
}

Tensor plainEmpty(const Dims& shape, const Tensor& like, const char* operation) {
    requireCpuDevice(like.device(), like.dtype(), operation);
    return empty(shape, {like.dtype(), like.device()});
}

} // namespace

const Tensor& normal_(const Tensor& t, double mean, double std, Generator& generator) {
    elementwise::requireDefined(t, "normal_");
    return inPlace(
        t, "normal_", nullptr,
        [&] {
            checkStd(std);
            if (isComplex(t.dtype())) { // half of the variance for each part
                normal_(complexops::parts(t), mean, std / std::numbers::sqrt2, generator);
                return;
            }
            requireFloating(t.dtype(), "normal_kernel_cpu");
            if (fillOnDevice(t, "normal_", RandomOp::Normal, mean, std, generator)) return;
            const Target target = targetOf(t, "normal_");
            if (target.count == 0) return;
            const std::scoped_lock lock(generator.mutex());
            visitFloating(t.dtype(), [&](auto tag) {
                using T = typename decltype(tag)::type;
                if (target.count >= kBlock && t.isContiguous())
                    return fillBlocks<T>(t.data<T>(), target.count, mean, std, generator);
                Draws<kPairDraws> draws(generator, normalPairs(generator, target.count));
                fillInOrder<T>(target, [&] { return random::normal(draws, mean, std); });
            });
        },
        [&] { return mean == 0 && std == 1 ? std::string() : pairText(mean, std); });
}

const Tensor& logNormal_(const Tensor& t, double mean, double std, Generator& generator) {
    elementwise::requireDefined(t, "log_normal_");
    return inPlace(
        t, "log_normal_", nullptr,
        [&] {
            if (!(std > 0))
                refuse("RNG-08", "log_normal_ expects std > 0.0, but found std=" + shown(std),
                       "It is the standard deviation of the logarithms.");
            requireFloating(t.dtype(), "log_normal_cpu");
            const Target target = targetOf(t, "log_normal_");
            if (target.count == 0) return;
            const std::scoped_lock lock(generator.mutex());
            Draws<kPairDraws> draws(generator, normalPairs(generator, target.count));
            visitFloating(t.dtype(), [&](auto tag) {
                fillInOrder<typename decltype(tag)::type>(target,
                                                          [&] { return std::exp(random::normal(draws, mean, std)); });
            });
        },
        [&] { return mean == 1 && std == 2 ? std::string() : pairText(mean, std); });
}

Tensor randn(const Dims& shape, TensorOptions options, Generator& generator) {
    return makesNew(
        "randn", {},
        [&] {
            requireRandom(options.device, options.dtype.value_or(defaultDType()), "randn");
            return normal_(empty(shape, options), 0, 1, generator);
        },
        [&] { return code::arguments(shape) + dtypeText(options.dtype); });
}

Tensor randnLike(const Tensor& t, LikeOptions options, Generator& generator) {
    elementwise::requireDefined(t, "randn_like");
    return makesNew(
        "randn_like", {&t},
        [&] {
            requireRandom(options.device.value_or(t.device()), options.dtype.value_or(t.dtype()), "randn_like");
            return normal_(emptyLike(t, options), 0, 1, generator);
        },
        [&] { return likeText(options); });
}

Tensor normal(const Tensor& mean, double std, Generator& generator) {
    elementwise::requireDefined(mean, "normal");
    return makesNew(
        "normal", {&mean},
        [&] {
            checkStd(std);
            return add_(normal_(plainEmpty(mean.shape(), mean, "normal"), 0, std, generator), mean);
        },
        [&] { return toString(Scalar(std)); });
}

Tensor normal(double mean, const Tensor& std, Generator& generator) {
    elementwise::requireDefined(std, "normal");
    return makesNew(
        "normal", {&std},
        [&] {
            checkStd(std);
            const Tensor result = plainEmpty(std.shape(), std, "normal");
            // The mean is rounded to the result's dtype before it is added.
            const Tensor rounded = full({}, mean, {result.dtype(), result.device()});
            return add_(mul_(normal_(result, 0, 1, generator), std), rounded);
        },
        [&] { return "mean=" + toString(Scalar(mean)); });
}

Tensor normal(const Tensor& mean, const Tensor& std, Generator& generator) {
    elementwise::requireDefined(mean, "normal");
    elementwise::requireDefined(std, "normal");
    return makesNew(
        "normal", {&mean, &std},
        [&] {
            checkStd(std);
            const Dims shape = broadcastShapes(mean.shape(), std.shape()).valueOrThrow();
            const Tensor result = normal_(plainEmpty(shape, mean, "normal"), 0, 1, generator);
            return add_(mul_(result, std), mean);
        },
        [] { return std::string(); });
}

Tensor normal(double mean, double std, const Dims& shape, TensorOptions options, Generator& generator) {
    return makesNew(
        "normal", {},
        [&] {
            requireCpuDevice(options.device, options.dtype.value_or(defaultDType()), "normal");
            checkStd(std);
            return normal_(empty(shape, options), mean, std, generator);
        },
        [&] { return pairText(mean, std) + ", " + code::tuple(shape) + dtypeText(options.dtype); });
}

} // namespace stridescope
