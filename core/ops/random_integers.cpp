// Whole numbers: ranges and permutations.
#include "core/ops/random.h"
#include "core/ops/random_call.h"

#include <limits>
#include <numeric>

namespace stridescope {

using namespace random;

namespace {

constexpr Index kLowest = std::numeric_limits<Index>::min();

/// The greatest whole number that random_() without an upper bound gives: all values up to it are exact.
template <class T>
constexpr Index greatestDrawn() {
    if constexpr (kDigits<T> != 0)
        return Index{1} << kDigits<T>;
    else
        return static_cast<Index>(std::numeric_limits<T>::max());
}

/// `v` as the dtype holds it; v itself where that is infinite.
template <class T>
Index rounded(Index v) {
    const T value = convertValue<T>(v);
    return std::isfinite(static_cast<double>(value)) ? convertValue<Index>(value) : v;
}

/// The distance of neighbouring numbers of type T around v, times two.
template <class T>
Index twoSteps(Index v) {
    const auto magnitude = static_cast<std::uint64_t>(v < 0 ? -v : v);
    const int exponent = 63 - std::countl_zero(magnitude | 1);
    return Index{1} << std::clamp(exponent - kDigits<T> + 1, 0, 62);
}

// Bounds that a float does not hold: rounding could carry a number in [from, to) out of it, so PyTorch moves the bounds
// inwards to numbers that the dtype has.
template <class T>
Index innerFrom(Index from) {
    if (from == std::numeric_limits<Index>::max()) return from;
    const Index next = rounded<T>(from + 1);
    return next < from ? next + twoSteps<T>(from + 1) : from;
}
template <class T>
Index innerTo(Index to) {
    const Index last = rounded<T>(to - 1);
    return last >= to ? last - twoSteps<T>(to - 1) : to;
}

template <class T>
void checkBounds(Index from, Index last, DType dtype) {
    const auto check = [&](Index v, const char* what) {
        bool fits;
        std::string range;
        if constexpr (kDigits<T> != 0) {
            const double most =
                std::is_same_v<T, Half>
                    ? 65504.0
                    : static_cast<double>(
                          std::numeric_limits<std::conditional_t<kDigits<T> == 53, double, float>>::max());
            fits = static_cast<double>(v) >= -most && static_cast<double>(v) <= most;
            range = "-" + shown(most) + " to " + shown(most);
        } else {
            constexpr Index kLeast = std::numeric_limits<T>::lowest();
            constexpr Index kMost = std::numeric_limits<T>::max();
            fits = v >= kLeast && v <= kMost;
            range = shown(kLeast) + " to " + shown(kMost);
        }
        if (!fits)
            refuse("RNG-02", std::string(what) + " is out of bounds for " + boundsName(dtype),
                   "It is " + shown(v) + "; the dtype goes from " + range + ".");
    };
    check(from, "from");
    check(last, "to - 1");
}

/// What is drawn: (a draw modulo range) + from, or 64 bits as they are.
struct WholeRange {
    Index from = 0;
    std::uint64_t range = 0; ///< 0: all 64 bits
};

template <class T>
WholeRange checkedRange(Index from, std::optional<Index> to, DType dtype) {
    constexpr bool kFloat = kDigits<T> != 0;
    if (to) {
        if (from >= *to)
            refuse("RNG-01",
                   "random_ expects 'from' to be less than 'to', but got from=" + shown(from) + " >= to=" + shown(*to),
                   "`to` itself is not drawn.");
        if constexpr (kFloat) {
            from = innerFrom<T>(from);
            to = innerTo<T>(*to);
            if (from >= *to)
                refuse("RNG-03",
                       "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=" +
                           shown(from) + " >= to=" + shown(*to),
                       "The dtype has no number between them; use a wider one.");
        }
        checkBounds<T>(from, *to - 1, dtype);
        return {from, static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(from)};
    }
    if (from == kLowest) {
        if (dtype == DType::Float16 || dtype == DType::Bool) refuseDType("random_full_64_bits_range_kernel_cpu", dtype);
        if (dtype != DType::Int64 && !kFloat)
            refuse("RNG-14", "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16",
                   "Give `from` within the dtype, or leave both bounds out.");
        return {};
    }
    const Index last = greatestDrawn<T>();
    if constexpr (kFloat) {
        from = innerFrom<T>(from);
        if (from >= last)
            refuse("RNG-03",
                   "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but "
                   "got from=" +
                       shown(from) + " > to_inc=" + shown(last),
                   "Give `to`, or use a wider dtype.");
    }
    checkBounds<T>(from, last, dtype);
    return {from, static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(from) + 1};
}

/// Only these types take two draws where one does not suffice.
template <class T>
constexpr bool kWide = std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;

/// x modulo a divisor that is known beforehand, without a division: the fraction x / divisor, times the divisor.
/// Exact for all x. Source: Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019.
class FastRemainder {
public:
    /// Precondition: divisor > 0.
    explicit FastRemainder(std::uint32_t divisor)
        : m_inverse(~std::uint64_t{0} / divisor + 1), m_divisor(divisor) {} // 0 for 1, which is right
    std::uint32_t operator()(std::uint32_t x) const {
        return static_cast<std::uint32_t>((static_cast<unsigned __int128>(m_inverse * x) * m_divisor) >> 64);
    }

private:
    std::uint64_t m_inverse, m_divisor;
};

template <class T>
void fillRange(const Target& target, WholeRange range, Generator& generator) {
    const std::uint64_t n = range.range;
    const auto from = static_cast<std::uint64_t>(range.from);
    using Bits = const std::uint32_t*;
    if (n == 0) {
        fillFromDraws<T, 2>(target, generator, [](Bits draws) { return static_cast<Index>(wide(draws)); });
    } else if (kWide<T> && n >= std::uint64_t{1} << 32) {
        fillFromDraws<T, 2>(target, generator, [=](Bits draws) { return static_cast<Index>(wide(draws) % n + from); });
    } else if (n > std::numeric_limits<std::uint32_t>::max()) {
        fillFromDraws<T, 1>(target, generator, [=](Bits draws) { return static_cast<Index>(*draws + from); });
    } else {
        const FastRemainder remainder(static_cast<std::uint32_t>(n));
        fillFromDraws<T, 1>(target, generator,
                            [=](Bits draws) { return static_cast<Index>(remainder(*draws) + from); });
    }
}

/// random_() without bounds: the non-negative values that the dtype counts exactly. Wide types take two draws.
template <class T>
void fillAll(const Target& target, Generator& generator) {
    constexpr bool kTwo = std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>;
    constexpr std::uint64_t kCount = static_cast<std::uint64_t>(greatestDrawn<T>()) + 1;
    fillFromDraws<T, kTwo ? 2 : 1>(target, generator, [](const std::uint32_t* draws) {
        const std::uint64_t draw = kTwo ? wide(draws) : *draws;
        return static_cast<Index>(draw % kCount);
    });
}

void fillBetween(const Tensor& t, Index from, std::optional<Index> to, const char* name, Generator& generator) {
    requireBounds(t.dtype());
    const WholeRange range = visitDType(
        t.dtype(), [&](auto tag) { return checkedRange<typename decltype(tag)::type>(from, to, t.dtype()); });
    const Target target = targetOf(t, name);
    if (target.count == 0) return;
    const std::scoped_lock lock(generator.mutex());
    visitDType(t.dtype(), [&](auto tag) { fillRange<typename decltype(tag)::type>(target, range, generator); });
}

Tensor newInts(const char* name, const Tensor* like, Index low, Index high, const std::function<Tensor()>& make,
               const std::function<std::string()>& rest, Generator& generator) {
    const auto filled = [&] {
        Tensor t = make();
        fillBetween(t, low, high, name, generator);
        t.storage()->bumpVersion();
        return t;
    };
    const auto text = [&] { return (low != 0 ? shown(low) + ", " : std::string()) + shown(high) + rest(); };
    return like ? makesNew(name, {like}, filled, text) : makesNew(name, {}, filled, text);
}

} // namespace

const Tensor& random_(const Tensor& t, Generator& generator) {
    elementwise::requireDefined(t, "random_");
    return inPlace(
        t, "random_", nullptr,
        [&] {
            requireReal(t.dtype(), "random_kernel_cpu");
            const Target target = targetOf(t, "random_");
            if (target.count == 0) return;
            const std::scoped_lock lock(generator.mutex());
            visitDType(t.dtype(), [&](auto tag) { fillAll<typename decltype(tag)::type>(target, generator); });
        },
        [] { return std::string(); });
}

const Tensor& random_(const Tensor& t, Index to, Generator& generator) {
    return random_(t, 0, to, generator);
}

const Tensor& random_(const Tensor& t, Index from, std::optional<Index> to, Generator& generator) {
    elementwise::requireDefined(t, "random_");
    return inPlace(
        t, "random_", nullptr, [&] { fillBetween(t, from, to, "random_", generator); },
        [&] { return shown(from) + ", " + (to ? shown(*to) : "None"); });
}

Tensor randint(Index low, Index high, const Dims& shape, TensorOptions options, Generator& generator) {
    const TensorOptions known{options.dtype.value_or(DType::Int64), options.device};
    return newInts(
        "randint", nullptr, low, high,
        [&] {
            requireCpuDevice(known.device, *known.dtype, "randint");
            return empty(shape, known);
        },
        [&] { return ", " + code::tuple(shape) + dtypeText(options.dtype); }, generator);
}

Tensor randint(Index high, const Dims& shape, TensorOptions options, Generator& generator) {
    return randint(0, high, shape, options, generator);
}

Tensor randintLike(const Tensor& t, Index low, Index high, LikeOptions options, Generator& generator) {
    elementwise::requireDefined(t, "randint_like");
    return newInts(
        "randint_like", &t, low, high,
        [&] {
            requireCpuDevice(options.device.value_or(t.device()), options.dtype.value_or(t.dtype()), "randint_like");
            return emptyLike(t, options);
        },
        [&] { return dtypeText(options.dtype); }, generator);
}

Tensor randintLike(const Tensor& t, Index high, LikeOptions options, Generator& generator) {
    return randintLike(t, 0, high, options, generator);
}

// --- Permutations ---------------------------------------------------------------------------------------------------

namespace {

void checkPermutation(Index n, DType dtype) {
    if (dtype == DType::Bool) refuseDType("randperm", dtype);
    visitDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (kDigits<T> != 0) {
            const Index most = greatestDrawn<T>() + 1;
            if (n > most)
                refuse("RNG-15",
                       "n cannot be greater than " + shown(most) + " for " + std::string(scalarTypeName(dtype)) +
                           " type.",
                       "n is " + shown(n) + "; use int64.");
        } else if constexpr (!std::is_same_v<T, bool>) {
            constexpr auto kMost = static_cast<Index>(std::numeric_limits<T>::max());
            if (n - 1 > kMost)
                refuse("RNG-15",
                       "value cannot be converted to type " + std::string(name(dtype)) +
                           " without overflow: the greatest of the permutation is " + shown(n - 1),
                       "Use int64.");
        }
    });
}

/// Fisher and Yates: element i changes places with one of those from i on. Where they lie is known a few hundred draws
/// ahead, so the memory can be asked for before it is needed.
template <class T>
void permute(T* data, Index n, Generator& generator) {
    for (Index i = 0; i < n; ++i) data[i] = convertValue<T>(i);
    std::array<std::uint32_t, 256> draws;
    std::array<Index, draws.size()> partner;
    for (Index i = 0; i < n - 1;) {
        if (i % (1 << 16) == 0) throwIfCancelled();
        const Index count = std::min<Index>(static_cast<Index>(draws.size()), n - 1 - i);
        generator.fill(std::span(draws).first(static_cast<std::size_t>(count)));
        for (Index k = 0; k < count; ++k) {
            const auto rest = static_cast<std::uint64_t>(n - i - k);
            const std::uint32_t draw = draws[static_cast<std::size_t>(k)];
            const auto step =
                rest > std::numeric_limits<std::uint32_t>::max() ? draw : draw % static_cast<std::uint32_t>(rest);
            partner[static_cast<std::size_t>(k)] = i + k + static_cast<Index>(step);
            __builtin_prefetch(data + partner[static_cast<std::size_t>(k)], 1);
        }
        for (Index k = 0; k < count; ++k, ++i) std::swap(data[i], data[partner[static_cast<std::size_t>(k)]]);
    }
}

} // namespace

Tensor randperm(Index n, TensorOptions options, Generator& generator) {
    const TensorOptions known{options.dtype.value_or(DType::Int64), options.device};
    return makesNew(
        "randperm", {},
        [&] {
            requireCpuDevice(known.device, *known.dtype, "randperm");
            requireReal(*known.dtype, "randperm");
            const Dims shape{n};
            (void)contiguousView(shape).valueOrThrow();
            checkPermutation(n, *known.dtype);
            Tensor t = empty(shape, known);
            const std::scoped_lock lock(generator.mutex());
            visitDType(t.dtype(), [&](auto tag) {
                using T = typename decltype(tag)::type;
                permute(t.data<T>(), n, generator);
            });
            t.storage()->bumpVersion();
            return t;
        },
        [&] { return shown(n) + dtypeText(options.dtype); });
}

} // namespace stridescope
