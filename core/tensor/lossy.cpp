#include "core/tensor/lossy.h"

#include "core/dtype/convert.h"
#include "core/tensor/element.h"
#include "core/tensor/walk.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace stridescope {

namespace {

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

/// Halves compute as float.
template <class T>
auto widened(T value) {
    if constexpr (std::is_same_v<T, Half>) {
        return static_cast<float>(value);
    } else {
        return value;
    }
}

template <class To, class From>
Loss integerToInteger(From value) {
    const auto wide = static_cast<std::int64_t>(value);
    const bool fits = wide >= static_cast<std::int64_t>(std::numeric_limits<To>::min()) &&
                      wide <= static_cast<std::int64_t>(std::numeric_limits<To>::max());
    return fits ? Loss::None : Loss::OutOfRange;
}

template <class To, class From>
Loss floatToInteger(From value) {
    using Limits = std::numeric_limits<To>;
    const double number = static_cast<double>(value);
    const double whole = std::trunc(number);
    // -min is a power of two for signed types and exact as a double; max of a 64-bit type is not.
    constexpr double kEnd = std::is_signed_v<To> ? -static_cast<double>(Limits::min()) : 1.0 + Limits::max();
    if (!(whole >= static_cast<double>(Limits::min()) && whole < kEnd)) return Loss::OutOfRange;
    return whole == number ? Loss::None : Loss::Rounded;
}

template <class To, class From>
Loss lossOf(From value) {
    if constexpr (std::is_same_v<To, From>) {
        return Loss::None;
    } else if constexpr (kIsComplex<To> && kIsComplex<From>) {
        using Part = typename To::Part;
        return std::max(lossOf<Part>(value.re), lossOf<Part>(value.im));
    } else if constexpr (kIsComplex<To>) {
        return lossOf<typename To::Part>(value);
    } else if constexpr (kIsComplex<From> && std::is_same_v<To, bool>) {
        return value.im == 0 ? lossOf<bool>(value.re) : Loss::Rounded; // true for any number that is not 0
    } else if constexpr (kIsComplex<From>) {
        return std::max(lossOf<To>(value.re), value.im == 0 ? Loss::None : Loss::Imaginary);
    } else if constexpr (std::is_same_v<To, bool>) {
        const auto number = widened(value);
        return number == decltype(number)(0) || number == decltype(number)(1) ? Loss::None : Loss::Rounded;
    } else if constexpr (std::is_same_v<From, bool>) {
        return Loss::None;
    } else if constexpr (!kIsFloat<To>) {
        if constexpr (kIsFloat<From>) {
            return floatToInteger<To>(widened(value));
        } else {
            return integerToInteger<To>(value);
        }
    } else {
        const auto before = widened(value);
        const auto after = widened(convertValue<To>(value));
        if constexpr (kIsFloat<From>) {
            if (std::isnan(before)) return Loss::None;
            if (std::isinf(after) && !std::isinf(before)) return Loss::OutOfRange;
            return static_cast<double>(after) == static_cast<double>(before) ? Loss::None : Loss::Rounded;
        } else {
            if (std::isinf(after)) return Loss::OutOfRange;
            constexpr decltype(after) kTwoTo63 = 9223372036854775808.0F;
            const bool same = after < kTwoTo63 && static_cast<std::int64_t>(after) == static_cast<std::int64_t>(before);
            return same ? Loss::None : Loss::Rounded;
        }
    }
}

template <class T>
T load(const std::byte* address) {
    if constexpr (std::is_same_v<T, bool>) {
        return *address != std::byte{0};
    } else {
        T value;
        std::memcpy(&value, address, sizeof(T));
        return value;
    }
}

} // namespace

Loss conversionLoss(const std::byte* address, DType from, DType to) {
    return visitAnyDType(from, [&](auto fromTag) {
        using From = typename decltype(fromTag)::type;
        const From value = load<From>(address);
        return visitAnyDType(to, [&](auto toTag) { return lossOf<typename decltype(toTag)::type>(value); });
    });
}

LossCount countLossy(const Tensor& t, DType to, Index limit) {
    requireCpu(t, "counting lossy elements");
    LossCount count;
    if (t.dtype() == to || limit <= 0) {
        count.elements = std::clamp<Index>(t.numel(), 0, std::max<Index>(limit, 0));
        return count;
    }
    visitAnyDType(t.dtype(), [&](auto fromTag) {
        using From = typename decltype(fromTag)::type;
        visitAnyDType(to, [&](auto toTag) {
            using To = typename decltype(toTag)::type;
            forEachSlot(t.view(), [&](Index slot) {
                const Loss loss =
                    lossOf<To>(load<From>(t.storage()->data() + static_cast<std::size_t>(slot) * sizeof(From)));
                if (loss != Loss::None && count.first < 0) count.first = count.elements;
                count.elements += 1;
                count.rounded += loss == Loss::Rounded;
                count.imaginary += loss == Loss::Imaginary;
                count.outOfRange += loss == Loss::OutOfRange;
                return count.elements < limit;
            });
        });
    });
    return count;
}

} // namespace stridescope
