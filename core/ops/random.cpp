// The generator, and what is made of one uniform number at a time.
#include "core/ops/random.h"

#include "core/backend/cpu/isa_table.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/random_call.h"
#include "core/random/device_generator.h"

#include <limits>

namespace stridescope {

using namespace random;

// --- The generator --------------------------------------------------------------------------------------------------

void manualSeed(std::uint64_t seed) {
    defaultGenerator().manualSeed(seed);
    seedDeviceGenerators(seed);
}

std::uint64_t initialSeed() {
    return defaultGenerator().initialSeed();
}

std::uint64_t seed() {
    const std::uint64_t fresh = defaultGenerator().seed();
    seedDeviceGenerators(fresh);
    return fresh;
}

Tensor rngState(const Generator& generator) {
    Tensor t = empty({static_cast<Index>(Generator::kStateBytes)}, {DType::UInt8, Device{}});
    const Generator::State state = generator.state();
    std::copy(state.begin(), state.end(), t.data<std::byte>());
    t.storage()->bumpVersion();
    return t;
}

void setRngState(const Tensor& state, Generator& generator) {
    requireCpu(state, "set_rng_state: reading the state");
    if (state.dtype() != DType::UInt8)
        throwRefusal({ErrorKind::Type,
                      "RNG-25",
                      "RNG state must be a torch.ByteTensor",
                      "Pass what get_rng_state() gave, a uint8 tensor.",
                      {}});
    const trace::Nested nested;
    const Tensor plain = contiguous(state);
    (void)generator.setState({plain.data<const std::byte>(), static_cast<std::size_t>(plain.numel())}).valueOrThrow();
}

// --- Uniform --------------------------------------------------------------------------------------------------------

namespace {

template <class T>
double greatest() {
    if constexpr (std::is_same_v<T, Half>)
        return 65504;
    else
        return static_cast<double>(std::numeric_limits<T>::max());
}

template <class T>
void checkUniform(double from, double to, DType dtype) {
    const double most = greatest<T>();
    const auto inRange = [&](double v, const char* what) {
        if (!(v >= -most && v <= most))
            refuse("RNG-02", std::string(what) + " is out of bounds for " + boundsName(dtype),
                   "It is " + shown(v) + "; finite numbers of the dtype end at " + shown(most) + ".");
    };
    inRange(from, "from");
    inRange(to, "to");
    if (!(from <= to))
        refuse("RNG-04",
               "uniform_ expects to return a [from, to) range, but found from=" + shown(from) + " > to=" + shown(to),
               "Swap the bounds.");
    if (!(to - from <= most))
        refuse("RNG-05",
               "uniform_ expects to-from <= std::numeric_limits<" + std::string(scalarTypeName(dtype)) +
                   ">::max(), but found to=" + shown(to) + " and from=" + shown(from) +
                   "\nwhich result in to-from to exceed the limit",
               "Draw in [0, 1) and scale.");
}

template <class T>
void fillUniform(const Target& target, double from, double to, Generator& generator) {
    const T low = convertValue<T>(from), high = convertValue<T>(to);
    const T range = static_cast<T>(high - low);
    if constexpr (std::is_same_v<T, Half>) {
        const float scale = range, shift = low;
        fillFromDraws<T, 1>(target, generator,
                            [=](const std::uint32_t* draws) { return std::fma(uniform<T>(draws), scale, shift); });
    } else {
        const cpu::RandomLoops& loops = cpu::isa().random;
        const auto make = [&](T* out, const std::uint32_t* draws, Index count) {
            if constexpr (std::is_same_v<T, float>)
                loops.uniformFloat(out, draws, count, range, low);
            else
                loops.uniformDouble(out, draws, count, range, low);
        };
        Draws<kUniformDraws<T>> draws(generator, target.count);
        std::array<T, Draws<kUniformDraws<T>>::kBuffered> scratch;
        forEachRun(target.space, [&](Run run) {
            for (Index done = 0; done < run.count;) {
                const auto part = draws.run(run.count - done);
                std::byte* const out = run.out + done * run.outStep;
                const bool dense = run.outStep == sizeof(T);
                make(dense ? reinterpret_cast<T*>(out) : scratch.data(), part.draws, part.count);
                for (Index i = 0; i < part.count && !dense; ++i)
                    *reinterpret_cast<T*>(out + i * run.outStep) = scratch[static_cast<std::size_t>(i)];
                done += part.count;
            }
        });
    }
}

} // namespace

const Tensor& uniform_(const Tensor& t, double from, double to, Generator& generator) {
    elementwise::requireDefined(t, "uniform_");
    return inPlace(
        t, "uniform_", nullptr,
        [&] {
            if (isComplex(t.dtype())) {
                uniform_(complexops::parts(t), from, to, generator);
                return;
            }
            requireFloating(t.dtype(), "check_uniform_bounds");
            visitFloating(t.dtype(),
                          [&](auto tag) { checkUniform<typename decltype(tag)::type>(from, to, t.dtype()); });
            if (fillOnDevice(t, "uniform_", RandomOp::Uniform, from, to, generator)) return;
            const Target target = targetOf(t, "uniform_");
            if (target.count == 0) return;
            const std::scoped_lock lock(generator.mutex());
            visitFloating(t.dtype(),
                          [&](auto tag) { fillUniform<typename decltype(tag)::type>(target, from, to, generator); });
        },
        [&] { return from == 0 && to == 1 ? std::string() : pairText(from, to); });
}

Tensor rand(const Dims& shape, TensorOptions options, Generator& generator) {
    return makesNew(
        "rand", {},
        [&] {
            requireRandom(options.device, options.dtype.value_or(defaultDType()), "rand");
            return uniform_(empty(shape, options), 0, 1, generator);
        },
        [&] { return code::arguments(shape) + dtypeText(options.dtype); });
}

Tensor randLike(const Tensor& t, LikeOptions options, Generator& generator) {
    elementwise::requireDefined(t, "rand_like");
    return makesNew(
        "rand_like", {&t},
        [&] {
            requireRandom(options.device.value_or(t.device()), options.dtype.value_or(t.dtype()), "rand_like");
            return uniform_(emptyLike(t, options), 0, 1, generator);
        },
        [&] { return likeText(options); });
}

// --- Other distributions --------------------------------------------------------------------------------------------

namespace {

/// Fills t with what `make` makes of a uniform double.
template <class Make>
void fillFloats(const Tensor& t, const char* name, Generator& generator, Make make) {
    const Target target = targetOf(t, name);
    if (target.count == 0) return;
    const std::scoped_lock lock(generator.mutex());
    visitFloating(t.dtype(), [&](auto tag) {
        fillFromDraws<typename decltype(tag)::type, kUniformDraws<double>>(
            target, generator, [=](const std::uint32_t* draws) { return make(uniform<double>(draws)); });
    });
}

} // namespace

const Tensor& exponential_(const Tensor& t, double lambda, Generator& generator) {
    elementwise::requireDefined(t, "exponential_");
    return inPlace(
        t, "exponential_", nullptr,
        [&] {
            if (!(lambda >= 0))
                refuse("RNG-09", "exponential_ expects lambda >= 0.0, but found lambda=" + shown(lambda),
                       "The mean of the numbers is 1 / lambda.");
            requireFloating(t.dtype(), "exponential_cpu");
            fillFloats(t, "exponential_", generator, [=](double u) { return exponential(u, lambda); });
        },
        [&] { return lambda == 1 ? std::string() : toString(Scalar(lambda)); });
}

const Tensor& cauchy_(const Tensor& t, double median, double sigma, Generator& generator) {
    elementwise::requireDefined(t, "cauchy_");
    return inPlace(
        t, "cauchy_", nullptr,
        [&] {
            requireFloating(t.dtype(), "cauchy_cpu");
            fillFloats(t, "cauchy_", generator, [=](double u) { return cauchy(u, median, sigma); });
        },
        [&] { return median == 0 && sigma == 1 ? std::string() : pairText(median, sigma); });
}

const Tensor& geometric_(const Tensor& t, double p, Generator& generator) {
    elementwise::requireDefined(t, "geometric_");
    return inPlace(
        t, "geometric_", nullptr,
        [&] {
            if (!(p > 0 && p < 1))
                refuse("RNG-10", "geometric_ expects p to be in (0, 1), but got p=" + shown(p),
                       "p is the probability of success of one trial.");
            if (t.dtype() == DType::Bool) refuseDType("geometric_cpu", t.dtype());
            requireReal(t.dtype(), "geometric_cpu");
            const Target target = targetOf(t, "geometric_");
            if (target.count == 0) return;
            const std::scoped_lock lock(generator.mutex());
            visitDType(t.dtype(), [&](auto tag) {
                fillFromDraws<typename decltype(tag)::type, kUniformDraws<double>>(
                    target, generator,
                    [=](const std::uint32_t* draws) { return geometric(uniform<double>(draws), p); });
            });
        },
        [&] { return toString(Scalar(p)); });
}

} // namespace stridescope
