// Evenly spaced numbers: linspace, logspace, range. Computed on the CPU and moved to other devices.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/observed_call.h"
#include "core/ops/patterns.h"
#include "core/ops/promotion.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace stridescope {

namespace {

using observed::Inputs;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {}) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

/// Half rounds after every operation.
Half plus(Half a, Half b) {
    return Half(static_cast<float>(a) + static_cast<float>(b));
}
Half times(Half a, Half b) {
    return Half(static_cast<float>(a) * static_cast<float>(b));
}

/// Arithmetic of one dtype: the step, start + i * step with one rounding where the processor fuses, and the same
/// with two.
template <class T>
struct Spacing {
    using Step = std::conditional_t<std::is_integral_v<T>, double, T>;
    static Step step(T start, T end, Index steps) {
        return (static_cast<Step>(end) - static_cast<Step>(start)) / static_cast<Step>(steps - 1);
    }
    static T fused(T start, Step step, Index i) {
        return convertValue<T>(std::fma(step, static_cast<Step>(i), static_cast<Step>(start)));
    }
    static T plain(T start, Step step, Index i) {
        // Not fused (core/CMakeLists.txt): PyTorch's vectors do it in two operations.
        return convertValue<T>(static_cast<Step>(start) + step * static_cast<Step>(i));
    }
    static Step negated(Step step) { return -step; }
};

template <>
struct Spacing<Half> {
    using Step = Half;
    static Step step(Half start, Half end, Index steps) {
        const Half distance(static_cast<float>(end) - static_cast<float>(start));
        return Half(static_cast<float>(distance) / static_cast<float>(Half(static_cast<float>(steps - 1))));
    }
    static Half plain(Half start, Half step, Index i) { return plus(start, times(step, Half(static_cast<float>(i)))); }
    static Half fused(Half start, Half step, Index i) { return plain(start, step, i); }
    static Half negated(Half step) { return Half(-static_cast<float>(step)); }
};

template <class P>
struct Spacing<Complex<P>> {
    using Step = Complex<P>;
    static Step step(Step start, Step end, Index steps) {
        const auto n = static_cast<P>(steps - 1);
        return {(end.re - start.re) / n, (end.im - start.im) / n};
    }
    static Step plain(Step start, Step step, Index i) {
        return {Spacing<P>::plain(start.re, step.re, i), Spacing<P>::plain(start.im, step.im, i)};
    }
    static Step fused(Step start, Step step, Index i) {
        return {Spacing<P>::fused(start.re, step.re, i), Spacing<P>::fused(start.im, step.im, i)};
    }
    static Step negated(Step step) { return {-step.re, -step.im}; }
};

/// Note [Groups] PyTorch computes the first number of every 32 bytes with one rounding and the others from it, as long
/// as 64 bytes are left; the rest one by one. The side from which a group counts is decided by its first number.
template <class T>
void spaced(T* out, T start, T end, Index steps) {
    using S = Spacing<T>;
    if (steps == 1) {
        out[0] = start;
        return;
    }
    const auto step = S::step(start, end, steps);
    const Index half = steps / 2;
    const auto number = [&](Index i) {
        return i < half ? S::fused(start, step, i) : S::fused(end, S::negated(step), steps - i - 1);
    };
    constexpr Index kGroup = 32 / static_cast<Index>(sizeof(T));
    const Index grouped = steps / (2 * kGroup) * kGroup * 2;
    parallelFor(0, grouped / kGroup, std::max<Index>(1, kParallelThreshold / 4 / kGroup), [=](Index begin, Index stop) {
        for (Index group = begin; group < stop; ++group) {
            const T first = number(group * kGroup);
            for (Index k = 0; k < kGroup; ++k) out[group * kGroup + k] = S::plain(first, step, k);
        }
    });
    for (Index i = grouped; i < steps; ++i) out[i] = number(i);
}

/// base ^ (start + step * i), the second half from the end.
template <class T>
void powers(T* out, T start, T end, Index steps, double base) {
    const Index half = steps / 2;
    if constexpr (kIsComplex<T>) {
        using P = typename T::Part;
        using Number = std::complex<P>;
        const Number first(start.re, start.im), last(end.re, end.im);
        const Number step = steps == 1 ? Number() : (last - first) / static_cast<P>(steps - 1);
        for (Index i = 0; i < steps; ++i) {
            const Number power = std::pow(Number(static_cast<P>(base)),
                                          i < half || steps == 1 ? first + step * static_cast<P>(i)
                                                                 : last - step * static_cast<P>(steps - i - 1));
            out[i] = {power.real(), power.imag()};
        }
    } else {
        // Integers: the step and the exponents are floats, as in PyTorch.
        using Step = std::conditional_t<std::is_integral_v<T>, float, double>;
        const Step first = static_cast<Step>(start), last = static_cast<Step>(end);
        const Step step = steps == 1 ? Step(0) : (last - first) / static_cast<Step>(steps - 1);
        for (Index i = 0; i < steps; ++i) {
            const bool fromStart = i < half || steps == 1;
            volatile Step product = step * static_cast<Step>(fromStart ? i : steps - i - 1); // not fused
            const double exponent = fromStart ? first + product : last - product;
            out[i] = convertValue<T>(std::pow(base, exponent));
        }
    }
}

/// How many numbers range has in the dtype T, and the first ones: the products may wrap, as those of arange.
template <class T>
Tensor counted(Scalar start, Scalar end, Scalar step, DType dtype) {
    using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
    const Wide by = step.to<Wide>();
    if (!(by > 0 || by < 0)) refuse("CREATE-04", "step must be nonzero", "Give a step above or below 0.");
    if (!std::isfinite(start.toDouble()) || !std::isfinite(end.toDouble()))
        refuse("CREATE-06", "unsupported range: " + toString(start) + " -> " + toString(end));
    const Wide first = start.to<Wide>(), last = end.to<Wide>();
    if (by > 0 ? last < first : last > first)
        refuse("CREATE-05", "upper bound and lower bound inconsistent with step sign",
               "Change the sign of step, or swap the bounds.");
    double count = 0;
    if constexpr (std::is_same_v<Wide, double>)
        count = (last - first) / by + 1;
    else
        count = static_cast<double>((static_cast<__int128>(last) - first) / by + 1);
    if (!(count < 9223372036854775808.0)) // 2^63
        refuse("CREATE-07", "invalid size, possible overflow? " + toString(start) + " to " + toString(end) + " by " +
                                toString(step) + " has 2^63 elements or more");
    const Tensor t = empty({static_cast<Index>(count)}, {dtype, Device{}});
    T* const out = t.data<T>();
    parallelFor(0, t.numel(), kParallelThreshold, [=](Index from, Index to) {
        for (Index i = from; i < to; ++i) {
            if constexpr (std::is_same_v<Wide, double>)
                out[i] = convertValue<T>(first + by * static_cast<double>(i));
            else
                out[i] = static_cast<T>(static_cast<std::uint64_t>(first) +
                                        static_cast<std::uint64_t>(by) * static_cast<std::uint64_t>(i));
        }
    });
    return t;
}

template <class Fill>
Tensor spacedTensor(const char* name, const char* kernel, Scalar start, Scalar end, Index steps, TensorOptions options,
                    const std::string& baseText, bool (*single)(Scalar start), Fill fill) {
    if (steps < 0) refuse("PATTERN-01", "number of steps must be non-negative", "Got " + std::to_string(steps) + ".");
    const bool complex = start.isComplex() || end.isComplex();
    const DType dtype = options.dtype.value_or(complex ? complexDType(defaultDType()) : defaultDType());
    if (dtype == DType::Bool && steps > 1)
        refuse("PATTERN-02", "\"" + std::string(kernel) + "\" not implemented for 'Bool'", "Use an integer dtype.");
    return observed::newTensors(
        name, [] { return Inputs{}; },
        [&] {
            const Scalar first = item(full({}, start, {dtype, Device{}})),
                         last = item(full({}, end, {dtype, Device{}}));
            const Tensor out = empty({steps}, {dtype, Device{}});
            if (steps != 0)
                visitAnyDType(dtype, [&](auto tag) {
                    using T = typename decltype(tag)::type;
                    if constexpr (std::is_same_v<T, bool>)
                        out.data<bool>()[0] = single(start);
                    else
                        fill(out.data<T>(), first.to<T>(), last.to<T>());
                });
            out.storage()->bumpVersion();
            return to(out, options.device);
        },
        [&] {
            std::string text = toString(start) + ", " + toString(end) + ", " + std::to_string(steps) + baseText;
            if (options.dtype) text += ", dtype=" + code::dtypeText(*options.dtype);
            if (!options.device.isCpu()) text += ", device='" + toString(options.device) + "'";
            return text;
        });
}

} // namespace

Tensor linspace(Scalar start, Scalar end, Index steps, TensorOptions options) {
    return spacedTensor(
        "linspace", "linspace_cpu", start, end, steps, options, "", [](Scalar first) { return first.toBool(); },
        [&](auto* out, auto first, auto last) { spaced(out, first, last, steps); });
}

Tensor logspace(Scalar start, Scalar end, Index steps, double base, TensorOptions options) {
    return spacedTensor(
        "logspace", "logspace_cpu", start, end, steps, options,
        base == 10 ? std::string() : ", base=" + toString(Scalar(base)), [](Scalar) { return true; },
        [&](auto* out, auto first, auto last) { powers(out, first, last, steps, base); });
}

Tensor range(Scalar start, Scalar end, Scalar step, TensorOptions options) {
    const DType dtype = options.dtype.value_or(defaultDType());
    if (isComplex(dtype) || dtype == DType::Float16 || dtype == DType::Bool)
        refuse("CREATE-08", "\"range_cpu\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
               "Use another dtype and convert.");
    return observed::newTensors(
        "range", [] { return Inputs{}; },
        [&] {
            Tensor out;
            visitDType(dtype, [&](auto tag) {
                using T = typename decltype(tag)::type;
                if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, Half>)
                    out = counted<T>(start, end, step, dtype);
            });
            out.storage()->bumpVersion();
            return to(out, options.device);
        },
        [&] {
            std::string text = toString(start) + ", " + toString(end);
            if (step != Scalar(1)) text += ", " + toString(step);
            if (options.dtype) text += ", dtype=" + code::dtypeText(*options.dtype);
            if (!options.device.isCpu()) text += ", device='" + toString(options.device) + "'";
            return text;
        });
}

} // namespace stridescope
