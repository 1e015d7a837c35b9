// Creation from numbers: arange and nested lists. The values are computed on the CPU and copied to other devices.
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "core/trace/clock.h"
#include "core/trace/code.h"
#include "core/trace/record_parts.h"

#include <cmath>
#include <limits>

namespace stridescope {

namespace {

/// `make` (() -> Tensor on the CPU), moved to `device`, as one record.
template <class Make, class Arguments>
Tensor valuesOp(const char* name, Device device, Make make, Arguments arguments) {
    const auto start = trace::begin();
    Tensor result = [&] {
        const trace::Nested nested;
        Tensor t = make();
        return device.isCpu() ? t : to(t, device);
    }();
    if (trace::observed()) {
        std::string text = arguments();
        if (!device.isCpu()) text += ", device='" + toString(device) + "'";
        RecordParts parts{name, text, {}, result, OpEffect::Alloc};
        parts.bytesAllocated = parts.bytesWritten = static_cast<Index>(result.storage()->bytes());
        parts.duration = trace::since(start);
        trace::publish(parts);
    }
    return result;
}

// --- arange -----------------------------------------------------------------------------------------------------

Refusal rangeRefusal(const char* id, std::string message, std::string hint = {}) {
    return {ErrorKind::Runtime, id, std::move(message), std::move(hint), {}};
}

/// Number of elements of arange in dtype T, after PyTorch's checks in its order.
template <class T>
Result<Index> rangeLength(Scalar start, Scalar end, Scalar step) {
    using Wide = std::conditional_t<std::is_integral_v<T>, Index, double>;
    const Wide first = start.to<Wide>(), last = end.to<Wide>(), by = step.to<Wide>();
    if (!(by > 0 || by < 0)) {
        return rangeRefusal("CREATE-04", "step must be nonzero, got " + toString(step),
                            "Give a step above or below 0.");
    }
    if (!std::isfinite(start.toDouble()) || !std::isfinite(end.toDouble())) {
        return rangeRefusal("CREATE-06", "unsupported range: " + toString(start) + " -> " + toString(end));
    }
    if (by > 0 ? last < first : last > first) {
        return rangeRefusal("CREATE-05",
                            "upper bound and larger bound inconsistent with step sign: " + toString(start) + " to " +
                                toString(end) + " by " + toString(step),
                            "Change the sign of step, or swap the bounds.");
    }
    constexpr double kTwoTo63 = 9223372036854775808.0;
    double count = 0;
    if constexpr (std::is_same_v<T, std::int64_t>) {
        // Whole numbers need no rounding: (distance + step - 1) / step. 128 bits hold every distance.
        const __int128 distance = by > 0 ? static_cast<__int128>(last) - first : static_cast<__int128>(first) - last;
        const __int128 length = by > 0 ? static_cast<__int128>(by) : -static_cast<__int128>(by);
        const __int128 exact = (distance + length - 1) / length;
        if (exact <= std::numeric_limits<Index>::max()) return static_cast<Index>(exact);
        count = kTwoTo63;
    } else {
        count = std::ceil((end.toDouble() - start.toDouble()) / step.toDouble());
    }
    if (!(count >= 0 && count < kTwoTo63)) {
        return rangeRefusal("CREATE-07", "invalid size, possible overflow? " + toString(start) + " to " +
                                             toString(end) + " by " + toString(step) + " has 2^63 elements or more");
    }
    return static_cast<Index>(count);
}

template <class T>
Tensor rangeOf(Scalar start, Scalar end, Scalar step, DType dtype) {
    using Wide = std::conditional_t<std::is_integral_v<T>, Index, double>;
    Tensor t = empty(Dims{rangeLength<T>(start, end, step).valueOrThrow()}, {dtype, Device{}});
    T* out = t.data<T>();
    const Wide first = start.to<Wide>(), by = step.to<Wide>();
    const Index count = t.numel();
    parallelFor(0, count, kParallelThreshold, [=](Index from, Index to) {
        for (Index i = from; i < to; ++i) {
            if constexpr (std::is_integral_v<T>) {
                // Unsigned: narrow dtypes wrap, and so may the last product.
                const auto value =
                    static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(by) * static_cast<std::uint64_t>(i);
                out[i] = static_cast<T>(value);
            } else {
                out[i] = convertValue<T>(first + by * static_cast<double>(i));
            }
        }
    });
    t.storage()->bumpVersion();
    return t;
}

Tensor makeRange(Scalar start, Scalar end, Scalar step, DType dtype) {
    if (dtype == DType::Bool) {
        throwRefusal({ErrorKind::NotImplemented,
                      "CREATE-08",
                      "\"arange_cpu\" not implemented for 'Bool'",
                      "Use an integer dtype and compare.",
                      {}});
    }
    return visitDType(dtype, [&](auto tag) -> Tensor {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            return {};
        } else {
            return rangeOf<T>(start, end, step, dtype);
        }
    });
}

// --- Nested lists -----------------------------------------------------------------------------------------------

[[noreturn]] void refuseDepth() {
    throwRefusal({ErrorKind::Value,
                  "CREATE-11",
                  "lists nested more than " + std::to_string(kMaxDims) + " deep",
                  "A tensor has at most that many dims.",
                  {}});
}

/// Sizes along the first elements of each list.
Dims firstShape(const NestedList& values) {
    Dims shape;
    const NestedList* level = &values;
    while (level->isList()) {
        if (static_cast<Index>(shape.size()) == kMaxDims) refuseDepth();
        shape.push_back(static_cast<Index>(level->items().size()));
        if (level->items().empty()) break;
        level = &level->items().front();
    }
    return shape;
}

DType inferList(const NestedList& values, Index depth = 0) {
    if (depth > kMaxDims) refuseDepth();
    if (!values.isList()) {
        const Scalar value = values.scalar();
        if (value.isComplex()) return complexDType(defaultDType());
        return value.isBool() ? DType::Bool : value.isInt() ? DType::Int64 : defaultDType();
    }
    if (values.items().empty()) return defaultDType();
    DType dtype = DType::Bool; // promotes to any other
    for (const NestedList& item : values.items()) dtype = promoteTypes(dtype, inferList(item, depth + 1));
    return dtype;
}

/// The value that PyTorch stores: integers must be in range, fractions are cut off, floats may become infinite.
Scalar checkedForList(Scalar value, DType dtype) {
    if (dtype == DType::Bool) return value.toBool();
    if (isComplex(dtype) || (!value.isComplex() && isFloating(dtype))) return value;
    if (value.isComplex())
        throwRefusal(
            {ErrorKind::Type,
             "CREATE-13",
             "must be real number, not complex: " + toString(value) + " does not fit " + std::string(name(dtype)),
             "Give a complex dtype, or none.",
             {}});
    const double number = value.toDouble();
    const Scalar whole = value.isFloat() && std::isfinite(number) ? Scalar(std::trunc(number)) : value;
    if (fitScalar(whole, dtype)) return value;
    throwRefusal(
        {ErrorKind::Runtime,
         "CREATE-03",
         "value cannot be converted to type " + std::string(name(dtype)) + " without overflow: " + toString(value),
         "Use a wider dtype.",
         {}});
}

struct ListWriter {
    const Dims& shape;
    DType dtype;
    std::byte* out;

    void write(const NestedList& values, std::size_t dim) {
        if (dim == shape.size()) {
            if (values.isList()) {
                throwRefusal({ErrorKind::Type,
                              "CREATE-10",
                              "'list' object cannot be interpreted as a number: a list of " +
                                  std::to_string(values.items().size()) + " stands among the numbers of dim " +
                                  std::to_string(dim - 1),
                              "Give every element of a dim the same depth.",
                              {}});
            }
            storeElement(out, dtype, checkedForList(values.scalar(), dtype));
            out += itemSize(dtype);
            return;
        }
        if (!values.isList()) {
            throwRefusal({ErrorKind::Type,
                          "CREATE-10",
                          "not a sequence: " + toString(values.scalar()) + " stands where dim " + std::to_string(dim) +
                              " needs a list of " + std::to_string(shape[dim]),
                          "Give every element of a dim the same depth.",
                          {}});
        }
        const auto size = static_cast<Index>(values.items().size());
        if (size != shape[dim]) {
            throwRefusal({ErrorKind::Value, "CREATE-09",
                          "expected sequence of length " + std::to_string(shape[dim]) + " at dim " +
                              std::to_string(dim) + " (got " + std::to_string(size) + ")",
                          "All lists of one dim need the same length.", NumelMismatch{shape[dim], size}});
        }
        for (const NestedList& item : values.items()) write(item, dim + 1);
    }
};

Tensor makeFromList(const NestedList& values, std::optional<DType> wanted) {
    const Dims shape = firstShape(values);
    const DType dtype = wanted.value_or(inferList(values));
    Tensor t = empty(shape, {dtype, Device{}});
    ListWriter{shape, dtype, t.storage()->data()}.write(values, 0);
    t.storage()->bumpVersion();
    return t;
}

std::string listText(const NestedList& values) {
    if (!values.isList()) return toString(values.scalar());
    std::string text = "[";
    for (const NestedList& item : values.items()) {
        if (text.size() > 1) text += ", ";
        text += listText(item);
    }
    return text + "]";
}

std::string dtypeOption(const TensorOptions& options) {
    return options.dtype ? ", dtype=" + code::dtypeText(*options.dtype) : std::string();
}

} // namespace

Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options) {
    const bool whole = !start.isFloat() && !end.isFloat() && !step.isFloat();
    const DType dtype = options.dtype.value_or(whole ? DType::Int64 : defaultDType());
    return valuesOp(
        "arange", options.device, [&] { return makeRange(start, end, step, dtype); },
        [&] {
            std::string text = toString(end);
            const bool plainStep = step == Scalar(1);
            if (start != Scalar(0) || !plainStep) text = toString(start) + ", " + text;
            if (!plainStep) text += ", " + toString(step);
            return text + dtypeOption(options);
        });
}

Tensor arange(Scalar end, TensorOptions options) {
    return arange(Scalar(0), end, Scalar(1), options);
}

Tensor tensorFrom(const NestedList& values, TensorOptions options) {
    return valuesOp(
        "tensor", options.device, [&] { return makeFromList(values, options.dtype); },
        [&] { return listText(values) + dtypeOption(options); });
}

Tensor newTensor(const Tensor& t, const NestedList& values, LikeOptions options) {
    if (!t.defined())
        throwRefusal({ErrorKind::Value,
                      "TENSOR-02",
                      "new_tensor: the tensor is undefined",
                      "Make one with empty, zeros or tensor.",
                      {}});
    const TensorOptions known{options.dtype.value_or(t.dtype()), options.device.value_or(t.device())};
    return tensorFrom(values, known);
}

} // namespace stridescope
