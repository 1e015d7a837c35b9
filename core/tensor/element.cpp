#include "core/tensor/element.h"

#include "core/ops/copy.h"
#include "core/print/float_text.h"
#include "core/trace/code.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace stridescope {

namespace {

[[noreturn]] void refuseIndex(Index dim, Index index, Index size) {
    throwRefusal({ErrorKind::Index, "ELEM-01",
                  "index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(dim) +
                      " with size " + std::to_string(size),
                  "", IndexOutOfRange{dim, index, size}});
}

/// Slot of `coord` after checking it; negative numbers count from the end.
Index checkedSlot(const Tensor& t, std::span<const Index> coord) {
    if (static_cast<Index>(coord.size()) != t.dim()) {
        throwRefusal({ErrorKind::Index,
                      "ELEM-02",
                      std::to_string(coord.size()) + " indices for a tensor of dimension " + std::to_string(t.dim()),
                      "One index for each dim names one element.",
                      {}});
    }
    Index slot = t.storageOffset();
    for (std::size_t d = 0; d < coord.size(); ++d) {
        const Index size = t.shape()[d];
        const Index index = coord[d] < 0 ? coord[d] + size : coord[d];
        if (index < 0 || index >= size) refuseIndex(static_cast<Index>(d), coord[d], size);
        slot += index * t.stride()[d];
    }
    return slot;
}

void requireSlot(const Tensor& t, Index slot) {
    if (slot < 0 || slot >= t.storageNumel()) refuseIndex(0, slot, t.storageNumel());
}

std::byte* address(const Tensor& t, Index slot) {
    return t.storage()->data() + static_cast<std::size_t>(slot) * t.itemSize();
}

/// Writes after all checks of place; `place` is the code for it, ".storage()[5]" or "[0, 1]".
template <class Place>
void writeChecked(const Tensor& t, Index slot, Scalar value, Place place) {
    if (!t.storage()->isWritable()) {
        throwRefusal({ErrorKind::Runtime,
                      "ELEM-05",
                      "the storage (" + t.storage()->kind() + ") is read-only",
                      "clone() makes a copy that can be written.",
                      {}});
    }
    const Scalar fitted = fitScalar(value, t.dtype()).valueOrThrow();
    storeElement(address(t, slot), t.dtype(), fitted);
    t.storage()->bumpVersion();
    if (!trace::observed()) return;
    OpRecord record;
    record.name = "setitem";
    record.arguments = place() + " = " + toString(fitted);
    record.inputs.push_back(trace::record(t));
    record.outputs = record.inputs;
    record.effect = OpEffect::InPlace;
    record.bytesWritten = static_cast<Index>(t.itemSize());
    trace::publish(record);
}

Refusal outOfRange(const char* id, Scalar value, DType dtype, std::string range) {
    return {ErrorKind::Value,
            id,
            toString(value) + " does not fit " + std::string(name(dtype)) + ": " + std::move(range),
            "",
            {}};
}

template <class T>
Result<Scalar> fitInteger(Scalar value, DType dtype) {
    using Limits = std::numeric_limits<T>;
    const std::string range = "its range is " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max());
    if (value.isFloat() || value.isComplex()) {
        const double number = value.toDouble();
        if (std::isfinite(number) && number != std::trunc(number)) {
            return outOfRange("VALUE-02", value, dtype, "it takes whole numbers only");
        }
        constexpr double kTwoTo63 = 9223372036854775808.0;
        if (!(number >= -kTwoTo63 && number < kTwoTo63)) return outOfRange("VALUE-01", value, dtype, range);
    }
    const Index whole = value.toInt();
    if (whole < static_cast<Index>(Limits::min()) || whole > static_cast<Index>(Limits::max())) {
        return outOfRange("VALUE-01", value, dtype, range);
    }
    return Scalar(whole);
}

template <class T>
Result<Scalar> fitFloat(Scalar value, DType dtype) {
    const double number = value.toDouble();
    const double stored =
        static_cast<double>(static_cast<std::conditional_t<sizeof(T) == 8, double, float>>(value.to<T>()));
    if (std::isfinite(number) && !std::isfinite(stored)) {
        const std::string largest = sizeof(T) == 2 ? "65504.0" : shortestText(std::numeric_limits<float>::max());
        return outOfRange("VALUE-03", value, dtype, "its largest value is " + largest);
    }
    if (number != 0 && stored == 0) {
        const std::string least = sizeof(T) == 2 ? "5.96e-08" : shortestText(std::numeric_limits<float>::denorm_min());
        return outOfRange("VALUE-04", value, dtype, "it would become 0; its least value above 0 is " + least);
    }
    return Scalar(stored);
}

} // namespace

void requireCpu(const Tensor& t, const char* what) {
    if (!t.defined()) {
        throwRefusal({ErrorKind::Value,
                      "TENSOR-02",
                      std::string(what) + ": the tensor is undefined",
                      "Make one with empty, zeros or tensor.",
                      {}});
    }
    if (!t.device().isCpu()) {
        throwRefusal({ErrorKind::Device,
                      "ELEM-03",
                      std::string(what) + " needs the tensor on the CPU; it is on " + toString(t.device()),
                      "Copy it with to(\"cpu\") first.",
                      {}});
    }
}

Scalar loadElement(const std::byte* address, DType dtype) {
    return visitAnyDType(dtype, [&](auto tag) -> Scalar {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            return Scalar(*address != std::byte{0});
        } else {
            T value;
            std::memcpy(&value, address, sizeof(T));
            return Scalar(value);
        }
    });
}

void storeElement(std::byte* address, DType dtype, Scalar value) {
    visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T stored = value.to<T>();
        std::memcpy(address, &stored, sizeof(T));
    });
}

Scalar readSlot(const Tensor& t, Index slot) {
    requireCpu(t, "reading a slot");
    requireSlot(t, slot);
    return loadElement(address(t, slot), t.dtype());
}

Scalar readElement(const Tensor& t, std::span<const Index> coord) {
    requireCpu(t, "reading an element");
    return loadElement(address(t, checkedSlot(t, coord)), t.dtype());
}

Scalar item(const Tensor& t) {
    if (t.defined() && t.numel() != 1) {
        throwRefusal(
            {ErrorKind::Value, "ELEM-04",
             "only one element tensors can be converted to Python scalars; this one has " + std::to_string(t.numel()),
             "Select one element first.", NumelMismatch{1, t.numel()}});
    }
    if (t.defined() && !t.device().isCpu()) {
        const trace::Nested nested;
        const Tensor here = to(t, Device{}); // one element crosses
        return loadElement(address(here, here.storageOffset()), here.dtype());
    }
    requireCpu(t, "item");
    return loadElement(address(t, t.storageOffset()), t.dtype());
}

Result<Scalar> fitScalar(Scalar value, DType dtype) {
    if (isComplex(dtype)) {
        const DType part = realPartDType(dtype);
        Result<Scalar> re = fitScalar(Scalar(value.toDouble()), part), im = fitScalar(Scalar(value.imag()), part);
        if (!re || !im) return !re ? std::move(re) : std::move(im);
        return Scalar(Complex<double>{re->toDouble(), im->toDouble()});
    }
    if (value.isComplex() && value.imag() != 0)
        return outOfRange("VALUE-05", value, dtype, "it takes real numbers only");
    return visitDType(dtype, [&](auto tag) -> Result<Scalar> {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, bool>) {
            return Scalar(value.toBool());
        } else if constexpr (std::is_integral_v<T>) {
            return fitInteger<T>(value, dtype);
        } else {
            return fitFloat<T>(value, dtype);
        }
    });
}

void writeElement(const Tensor& t, std::span<const Index> coord, Scalar value) {
    requireCpu(t, "writing an element");
    writeChecked(t, checkedSlot(t, coord), value, [&] {
        std::string text = "[";
        for (std::size_t d = 0; d < coord.size(); ++d) text += (d ? ", " : "") + std::to_string(coord[d]);
        return coord.empty() ? std::string("[()]") : text + "]";
    });
}

void writeSlot(const Tensor& t, Index slot, Scalar value) {
    requireCpu(t, "writing a slot");
    requireSlot(t, slot);
    writeChecked(t, slot, value, [&] { return ".storage()[" + std::to_string(slot) + "]"; });
}

std::string toString(Scalar value) {
    if (value.isComplex()) {
        // Python leaves out a real part of +0 and the ".0" of whole parts: "1j", "(1+2j)", "(-0-1.5j)".
        const auto part = [](double x) {
            std::string text = shortestText(x);
            if (text.ends_with(".0")) text.resize(text.size() - 2);
            return text;
        };
        const double re = value.toDouble(), im = value.imag();
        const std::string imaginary = part(im) + "j";
        if (re == 0 && !std::signbit(re)) return imaginary;
        return "(" + part(re) + (std::signbit(im) && !std::isnan(im) ? "" : "+") + imaginary + ")";
    }
    if (value.isBool()) return value.toBool() ? "True" : "False";
    return value.isInt() ? std::to_string(value.toInt()) : shortestText(value.toDouble());
}

} // namespace stridescope
