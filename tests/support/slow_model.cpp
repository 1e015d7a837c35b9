#include "tests/support/slow_model.h"

#include <cmath>
#include <limits>
#include <vector>

namespace stridescope::test {

namespace {

__extension__ typedef __int128 Wide;

int bitsOf(DType t) {
    switch (t) {
    case DType::UInt8:
    case DType::Int8:
        return 8;
    case DType::Int16:
        return 16;
    case DType::Int32:
        return 32;
    default:
        return 64;
    }
}

/// Keeps the low bits of an integer, as an element of `to`.
Scalar lowBits(Wide value, DType to) {
    const int bits = bitsOf(to);
    const Wide modulus = Wide{1} << bits;
    Wide rest = value % modulus;
    if (rest < 0) rest += modulus;
    if (to != DType::UInt8 && rest >= modulus / 2) rest -= modulus;
    return Scalar(static_cast<Index>(rest));
}

/// Nearest float16, ties to even, by scaling so that one unit in the last place is 1.
double roundToHalf(float value) {
    if (std::isnan(value) || std::isinf(value) || value == 0) return static_cast<double>(value);
    int exponent = 0;
    std::frexp(value, &exponent);
    const int unit = std::max(exponent - 11, -24);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(value), -unit)), unit);
    if (std::abs(rounded) > 65504.0) return std::copysign(std::numeric_limits<double>::infinity(), rounded);
    return rounded;
}

bool isFloat(DType t) {
    return t == DType::Float16 || t == DType::Float32 || t == DType::Float64;
}

Wide asWide(Scalar s) {
    return s.isBool() ? Wide{s.toBool()} : Wide{s.toInt()};
}

template <class T>
T arithmetic(std::string_view op, T a, T b) {
    if (op == "add") return a + b;
    if (op == "sub") return a - b;
    if (op == "mul") return a * b;
    if (op == "div") return a / b;
    if (std::isnan(static_cast<double>(a))) return a;
    if (std::isnan(static_cast<double>(b))) return b;
    if (op == "maximum") return a > b ? a : b;
    return a < b ? a : b;
}

template <class T>
bool compare(std::string_view op, T a, T b) {
    if (op == "eq") return a == b;
    if (op == "ne") return a != b;
    if (op == "lt") return a < b;
    if (op == "le") return a <= b;
    if (op == "gt") return a > b;
    return a >= b;
}

bool isComparison(std::string_view op) {
    return op.size() == 2;
}

} // namespace

Scalar slowConvert(Scalar value, DType to) {
    if (to == DType::Bool) return Scalar(value.isFloat() ? value.toDouble() != 0.0 : asWide(value) != 0);
    if (isFloat(to)) {
        if (to == DType::Float64) return value.isFloat() ? value : Scalar(static_cast<double>(asWide(value)));
        const float single = value.isFloat() ? static_cast<float>(value.toDouble())
                                             : static_cast<float>(static_cast<Index>(asWide(value)));
        return Scalar(to == DType::Float32 ? static_cast<double>(single) : roundToHalf(single));
    }
    if (!value.isFloat()) return lowBits(asWide(value), to);
    // Signed types up to 32 bits go through int32, the others through int64; what does not fit gives the least value.
    const bool narrow = to == DType::Int8 || to == DType::Int16 || to == DType::Int32;
    const Wide limit = Wide{1} << (narrow ? 31 : 63);
    const double v = value.toDouble();
    const double cut = std::isnan(v) ? v : std::trunc(v);
    const bool fits = cut >= -static_cast<double>(limit) && cut < static_cast<double>(limit);
    return lowBits(fits ? static_cast<Wide>(cut) : -limit, to);
}

Scalar slowBinary(std::string_view op, Scalar first, Scalar second, DType compute) {
    const Scalar a = slowConvert(first, compute), b = slowConvert(second, compute);
    if (isComparison(op))
        return Scalar(isFloat(compute) ? compare(op, a.toDouble(), b.toDouble()) : compare(op, asWide(a), asWide(b)));
    if (compute == DType::Float64) return Scalar(arithmetic(op, a.toDouble(), b.toDouble()));
    if (isFloat(compute)) {
        const float r = arithmetic(op, static_cast<float>(a.toDouble()), static_cast<float>(b.toDouble()));
        return slowConvert(Scalar(static_cast<double>(r)), compute);
    }
    const Wide x = asWide(a), y = asWide(b);
    if (compute == DType::Bool) {
        if (op == "add" || op == "maximum") return Scalar(x != 0 || y != 0);
        return Scalar(x != 0 && y != 0);
    }
    if (op == "add") return lowBits(x + y, compute);
    if (op == "sub") return lowBits(x - y, compute);
    if (op == "mul") return lowBits(x * y, compute);
    if (op == "maximum") return Scalar(static_cast<Index>(x > y ? x : y));
    return Scalar(static_cast<Index>(x < y ? x : y));
}

Scalar slowUnary(std::string_view op, Scalar a, DType compute) {
    if (isFloat(compute)) return Scalar(op == "neg" ? -a.toDouble() : std::abs(a.toDouble()));
    const Wide x = asWide(a);
    return lowBits(op == "neg" || x < 0 ? -x : x, compute);
}

Dims slowStrides(const Dims& shape) {
    Dims strides(shape.size(), 1);
    for (std::size_t d = 0; d < shape.size(); ++d)
        for (std::size_t e = d + 1; e < shape.size(); ++e) strides[d] *= std::max<Index>(shape[e], 1);
    return strides;
}

std::vector<Scalar> broadcastElements(const Tensor& t, const Dims& shape) {
    std::vector<Scalar> result;
    Index count = 1;
    for (const Index n : shape) count *= n;
    const std::size_t missing = shape.size() - t.shape().size();
    for (Index position = 0; position < count; ++position) {
        Index rest = position, slot = t.storageOffset();
        for (std::size_t d = shape.size(); d-- > 0;) {
            const Index coord = rest % shape[d];
            rest /= shape[d];
            if (d >= missing && t.shape()[d - missing] != 1) slot += coord * t.stride()[d - missing];
        }
        const std::byte* address = t.storage()->data() + slot * static_cast<Index>(t.itemSize());
        result.push_back([&]() -> Scalar {
            switch (t.dtype()) {
            case DType::UInt8:
                return Scalar(Index{*reinterpret_cast<const std::uint8_t*>(address)});
            case DType::Int8:
                return Scalar(Index{*reinterpret_cast<const std::int8_t*>(address)});
            case DType::Int16:
                return Scalar(Index{*reinterpret_cast<const std::int16_t*>(address)});
            case DType::Int32:
                return Scalar(Index{*reinterpret_cast<const std::int32_t*>(address)});
            case DType::Int64:
                return Scalar(*reinterpret_cast<const Index*>(address));
            case DType::Float16:
                return Scalar(static_cast<float>(*reinterpret_cast<const Half*>(address)));
            case DType::Float32:
                return Scalar(*reinterpret_cast<const float*>(address));
            case DType::Float64:
                return Scalar(*reinterpret_cast<const double*>(address));
            case DType::Bool:
                return Scalar(*reinterpret_cast<const std::uint8_t*>(address) != 0);
            case DType::Complex64:
                return Scalar(*reinterpret_cast<const Complex<float>*>(address));
            case DType::Complex128:
                return Scalar(*reinterpret_cast<const Complex<double>*>(address));
            }
            return {};
        }());
    }
    return result;
}

bool sameElement(Scalar a, Scalar b) {
    if (a.kind() != b.kind()) return false;
    if (a.isFloat() && std::isnan(a.toDouble()) && std::isnan(b.toDouble())) return true;
    return a == b;
}

std::string show(Scalar s) {
    if (s.isBool()) return s.toBool() ? "True" : "False";
    return s.isInt() ? std::to_string(s.toInt()) : std::to_string(s.toDouble());
}

} // namespace stridescope::test
