// Drawing numbers of events: poisson and binomial.

#include "core/ops/random.h"
#include "core/ops/random_call.h"
#include "core/storage/scratch.h"
#include "core/tensor/walk.h"
#include "core/view/broadcast.h"
#include "core/view/view_ops.h"

#include <cmath>

namespace stridescope {

using namespace random;

namespace {

/// Uniform doubles in [0, 1). How many one number takes is not known beforehand. Whoever draws holds the generator's
/// mutex.
class Uniform {
public:
    explicit Uniform(Generator& generator) : m_generator(generator) {}
    double operator()() {
        std::uint32_t draws[kUniformDraws<double>];
        m_generator.fill(draws);
        return uniform<double>(draws);
    }

private:
    Generator& m_generator;
};

double logGamma(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

/// Small rates: as many factors as keep a product of uniform numbers above e^-rate (Knuth). From 10 on transformed
/// rejection with the constants of its source.
/// Source: W. Hörmann, "The transformed rejection method for generating Poisson random variables" (1993), PTRS.
double poissonNumber(double rate, Uniform& next) {
    if (rate == 0) return 0;
    if (rate < 10) {
        const double limit = std::exp(-rate);
        double product = next();
        double count = 0;
        for (; product > limit; product *= next()) count += 1;
        return count;
    }
    const double logRate = std::log(rate);
    const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
    const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = next() - 0.5, v = next(), us = 0.5 - std::fabs(u);
        const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= accepted) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (std::log(v) + std::log(inverseAlpha) - std::log(a / (us * us) + b) <= -rate + k * logRate - logGamma(k + 1))
            return k;
    }
}

/// log(k!) less Stirling's approximation of it.
double stirlingRest(double k) {
    constexpr double kRests[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                 0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                 0.00925546218271273, 0.00833056343336287};
    if (k <= 9) return kRests[static_cast<std::size_t>(k)];
    const double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/// Successes in `count` trials of probability p <= 1/2: where few are expected, by the lengths of the failures between
/// them; else by transformed rejection.
/// Source: W. Hörmann, "The generation of binomial random variates" (1993), BTRS.
double successes(double count, double p, Uniform& next) {
    if (count * p < 10) {
        const double logFailure = std::log1p(-p);
        double trials = 0, found = 0;
        for (;;) {
            trials += std::ceil(std::log(next()) / logFailure);
            if (trials > count) return found;
            found += 1;
        }
    }
    const double deviation = std::sqrt(count * p * (1 - p));
    const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p, c = count * p + 0.5;
    const double accepted = 0.92 - 4.2 / b, odds = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation;
    const double m = std::floor((count + 1) * p);
    for (;;) {
        const double u = next() - 0.5;
        double v = next();
        const double us = 0.5 - std::fabs(u), k = std::floor((2 * a / us + b) * u + c);
        if (us >= 0.07 && v <= accepted) return k;
        if (k < 0 || k > count) continue;
        v = std::log(v * alpha / (a / (us * us) + b));
        const double limit = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) +
                             (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                             (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirlingRest(m) +
                             stirlingRest(count - m) - stirlingRest(k) - stirlingRest(count - k);
        if (v <= limit) return k;
    }
}

double binomialNumber(double count, double p, Uniform& next) {
    if (count != count) return count; // no try would ever be taken
    if (count <= 0 || p <= 0) return 0;
    if (p >= 1) return count;
    if (p <= 0.5) return successes(count, p, next);
    if (p > 0.5) return count - successes(count, 1 - p, next);
    return std::nan(""); // p is
}

template <class T>
void requireRates(const Tensor& rates) {
    const T* data = rates.storageData<T>();
    forEachSlot(rates.view(), [&](Index slot) {
        if (!(data[slot] >= 0))
            refuse("RNG-26", "invalid Poisson rate, expected rate to be non-negative",
                   "One of the rates is " + shown(static_cast<double>(data[slot])) + ".");
    });
}

void requireWideFloat(const Tensor& t, const char* operation, const char* kernel) {
    elementwise::requireDefined(t, operation);
    if (t.dtype() != DType::Float32 && t.dtype() != DType::Float64) refuseDType(kernel, t.dtype());
    requireCpuDevice(t.device(), t.dtype(), operation);
}

template <class T>
void fillPoisson(const Tensor& t, const Tensor& rates, Generator& generator) {
    requireRates<T>(rates);
    const Target target = targetOf(t, "poisson", &rates);
    if (target.count == 0) return;
    const std::scoped_lock lock(generator.mutex());
    Uniform next(generator);
    forEachRun(target.space, [&](Run run) {
        for (Index i = 0; i < run.count; ++i) {
            const T rate = *reinterpret_cast<const T*>(run.in + i * run.inStep);
            *reinterpret_cast<T*>(run.out + i * run.outStep) =
                static_cast<T>(poissonNumber(static_cast<double>(rate), next));
        }
    });
}

/// Row by row, as the result lies.
template <class T>
void fillBinomial(const Tensor& t, const Tensor& counts, const Tensor& p, Generator& generator) {
    if (t.numel() == 0) return;
    const std::scoped_lock lock(generator.mutex());
    Uniform next(generator);
    T* out = t.data<T>();
    const T *count = counts.storageData<T>(), *probability = p.storageData<T>();
    Scratch<Index> slots;
    slots.reserve(static_cast<std::size_t>(t.numel()));
    forEachSlot(p.view(), [&](Index slot) { slots.push_back(slot); });
    Index i = 0;
    forEachSlot(counts.view(), [&](Index slot) {
        out[i] =
            static_cast<T>(binomialNumber(static_cast<double>(count[slot]),
                                          static_cast<double>(probability[slots[static_cast<std::size_t>(i)]]), next));
        ++i;
    });
}

} // namespace

Tensor poisson(const Tensor& rates, Generator& generator) {
    requireWideFloat(rates, "poisson", "poisson_cpu");
    return makesNew(
        "poisson", {&rates},
        [&] {
            const Tensor t = empty(rates.shape(), {rates.dtype(), rates.device()});
            if (rates.dtype() == DType::Float32)
                fillPoisson<float>(t, rates, generator);
            else
                fillPoisson<double>(t, rates, generator);
            t.storage()->bumpVersion();
            return t;
        },
        [] { return std::string(); });
}

Tensor binomial(const Tensor& counts, const Tensor& p, Generator& generator) {
    elementwise::requireDefined(counts, "binomial");
    elementwise::requireDefined(p, "binomial");
    if (counts.dtype() != p.dtype())
        refuse("RNG-27",
               "Found dtype " + std::string(scalarTypeName(p.dtype())) + " but expected " +
                   std::string(scalarTypeName(counts.dtype())),
               "Convert one of them with to().");
    requireWideFloat(counts, "binomial", "binomial_cpu");
    requireWideFloat(p, "binomial", "binomial_cpu");
    return makesNew(
        "binomial", {&counts, &p},
        [&] {
            const Dims shape = broadcastShapes(counts.shape(), p.shape()).valueOrThrow();
            const Tensor t = empty(shape, {counts.dtype(), counts.device()});
            const Tensor n = counts.withView(expand(counts.view(), shape).valueOrThrow());
            const Tensor chance = p.withView(expand(p.view(), shape).valueOrThrow());
            if (t.dtype() == DType::Float32)
                fillBinomial<float>(t, n, chance, generator);
            else
                fillBinomial<double>(t, n, chance, generator);
            t.storage()->bumpVersion();
            return t;
        },
        [] { return std::string(); });
}

} // namespace stridescope
