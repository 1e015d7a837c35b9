#include "core/ops/elementwise_call.h"

#include "core/ops/promotion.h"
#include "core/tensor/element.h"
#include "core/view/overlap.h"
#include "core/view/shared_slot.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace stridescope::elementwise {

namespace {

Index magnitude(Index v) {
    return v < 0 ? -v : v;
}

/// Bytes [first, last) that a view reaches; empty when first == last.
struct ByteRange {
    const std::byte *first = nullptr, *last = nullptr;
    bool operator==(const ByteRange&) const = default;
};

ByteRange rangeOf(const Tensor& t) {
    Index low = 0, high = 0;
    const View& v = t.view();
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] == 0) return {};
        const Index span = (v.shape[d] - 1) * v.stride[d];
        (span < 0 ? low : high) += span;
    }
    const auto size = static_cast<Index>(t.itemSize());
    const std::byte* start = t.storage()->data() + v.offset * size;
    return {start + low * size, start + (high + 1) * size};
}

bool sameLayout(const View& a, const View& b) {
    if (a.shape != b.shape) return false;
    for (std::size_t d = 0; d < a.shape.size(); ++d)
        if (a.shape[d] > 1 && a.stride[d] != b.stride[d]) return false;
    return true;
}

} // namespace

void requireDefined(const Tensor& t, const char* operation) {
    if (t.defined()) [[likely]]
        return;
    throwRefusal({ErrorKind::Value,
                  "TENSOR-02",
                  std::string(operation) + ": the tensor is undefined",
                  "Make one with empty, zeros or tensor.",
                  {}});
}

void requireWritable(const Tensor& out, const char* operation) {
    if (out.storage()->isWritable()) [[likely]]
        return;
    throwRefusal({ErrorKind::Runtime,
                  "WRITE-01",
                  std::string(operation) + ": the storage (" + out.storage()->kind() + ") is read-only",
                  "Write to a copy: clone().",
                  {}});
}

namespace {

/// Can a float value become this dtype as torch's checked conversion wants it? Fractions do not count.
bool fits(Scalar value, DType dtype) {
    if (isComplex(dtype)) {
        const DType part = realPartDType(dtype);
        return fits(Scalar(value.toDouble()), part) && fits(Scalar(value.imag()), part);
    }
    if (dtype == DType::Bool) return true;
    if (value.isComplex() && value.imag() != 0) return false;
    return visitDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_same_v<T, Half>) {
            const double v = value.toDouble();
            return !std::isfinite(v) || std::abs(v) <= 65504.0;
        } else if constexpr (std::is_floating_point_v<T>) {
            const double v = value.toDouble();
            return !std::isfinite(v) || std::abs(v) <= static_cast<double>(std::numeric_limits<T>::max());
        } else if constexpr (std::is_same_v<T, bool>) {
            return true;
        } else {
            constexpr T kLowest = std::numeric_limits<T>::lowest(), kHighest = std::numeric_limits<T>::max();
            if (!value.isInt() && !value.isBool()) {
                // 2^63 itself is not an int64, and the double nearest to its greatest value is 2^63.
                const double v = value.toDouble();
                if constexpr (sizeof(T) == 8) return v >= -0x1p63 && v < 0x1p63;
                return v >= static_cast<double>(kLowest) && v <= static_cast<double>(kHighest);
            }
            const Index v = value.toInt();
            // A negative number fits an unsigned type when its magnitude does: -1 means the greatest value.
            if constexpr (std::is_unsigned_v<T>)
                return v >= -static_cast<Index>(kHighest) && v <= static_cast<Index>(kHighest);
            return v >= static_cast<Index>(kLowest) && v <= static_cast<Index>(kHighest);
        }
    });
}

const char* cppName(DType dtype) {
    constexpr std::array<const char*, kAllDTypes.size()> names{"uint8_t",
                                                               "int8_t",
                                                               "int16_t",
                                                               "int",
                                                               "int64_t",
                                                               "at::Half",
                                                               "float",
                                                               "double",
                                                               "bool",
                                                               "c10::complex<float>",
                                                               "c10::complex<double>"};
    return names[static_cast<std::size_t>(dtype)];
}

} // namespace

void requireFits(Scalar value, DType dtype) {
    if (fits(value, dtype)) [[likely]]
        return;
    throwRefusal({ErrorKind::Runtime,
                  "FILL-01",
                  std::string("value cannot be converted to type ") + cppName(dtype) + " without overflow",
                  toString(value) + " is outside the range of " + std::string(name(dtype)) + ".",
                  {}});
}

void requireCast(DType result, DType out) {
    if (canCast(result, out)) [[likely]]
        return;
    throwRefusal({ErrorKind::Runtime,
                  "CAST-01",
                  "result type " + std::string(scalarTypeName(result)) + " can't be cast to the desired output type " +
                      std::string(scalarTypeName(out)),
                  "Use the form that makes a new tensor, or convert this one first.",
                  {}});
}

Tensor newResult(Dims shape, Dims strides, DType dtype, Device device) {
    // Broadcasting has checked that the product fits 64 bits; the bytes may still not.
    Index bytes = static_cast<Index>(itemSize(dtype));
    bool fits = true;
    for (const Index size : shape) fits = !__builtin_mul_overflow(bytes, size, &bytes) && fits;
    if (!fits) bytes = std::find(shape.begin(), shape.end(), 0) != shape.end() ? 0 : std::numeric_limits<Index>::max();
    return Tensor::over(
        Storage::allocate(static_cast<std::size_t>(bytes), allocatorFor(device)),
        [&] {
            return View{std::move(shape), std::move(strides)};
        },
        dtype);
}

namespace {

/// True when every operand's strides fall from the outer to the inner dims: then row-major is PyTorch's answer.
bool clearlyRowMajor(std::span<const View* const> operands) {
    for (const View* v : operands) {
        Index outer = std::numeric_limits<Index>::max();
        for (std::size_t d = 0; d < v->shape.size(); ++d) {
            const Index stride = v->stride[d];
            if (stride == 0 || v->shape[d] == 1) continue; // cannot tell: broadcast, or an odd stride of a size-1 dim
            if (stride < 0 || stride >= outer) return false;
            outer = stride;
        }
    }
    return true;
}

} // namespace

Dims resultStrides(const Dims& shape, std::span<const View* const> operands) {
    // A size-1 dim of the result is not broadcast, and its stride does count.
    if (std::find(shape.begin(), shape.end(), 1) == shape.end() && clearlyRowMajor(operands))
        return rowMajorStrides(shape);
    // All of one shape and one dense layout: keep it, odd strides of size-1 dims included; row-major wins.
    const View& first = *operands.front();
    const auto sameShape = [&](const View* v) { return v->shape == shape; };
    if (std::all_of(operands.begin(), operands.end(), sameShape)) {
        const bool allContiguous =
            std::all_of(operands.begin(), operands.end(), [](const View* v) { return v->isContiguous(); });
        const bool allAlike = std::all_of(operands.begin(), operands.end(),
                                          [&](const View* v) { return v->stride == first.stride && v->isDense(); });
        if (!allContiguous && allAlike) {
            Dims strides = first.stride;
            for (Index& s : strides) s = magnitude(s);
            return strides;
        }
        if (allContiguous) return rowMajorStrides(shape);
    }
    std::array<Dims, kMaxOperands> broadcast;
    for (std::size_t o = 0; o < operands.size(); ++o) {
        const View& v = *operands[o];
        broadcast[o].resize(shape.size(), 0);
        const std::size_t missing = shape.size() - v.shape.size();
        for (std::size_t d = missing; d < shape.size(); ++d)
            broadcast[o][d] = v.shape[d - missing] == 1 && shape[d] != 1 ? 0 : magnitude(v.stride[d - missing]);
    }
    const Dims order = resultOrder(shape, {broadcast.data(), operands.size()});
    bool rowMajor = true;
    for (std::size_t i = 0; i < order.size(); ++i) rowMajor &= order[i] == static_cast<Index>(order.size() - 1 - i);
    if (rowMajor) return rowMajorStrides(shape);
    return denseStrides(shape, order);
}

void requireNoSelfOverlap(const Tensor& out, const LoopSpace* space) {
    if (space ? outputProvenUnique(*space) : out.isContiguous()) [[likely]]
        return;
    OverlapVerdict verdict = selfOverlap(out.view());
    if (verdict.answer == OverlapAnswer::None) return;
    if (verdict.answer == OverlapAnswer::Overlaps) {
        const std::string hint = "Elements " + toString(verdict.witness.first) + " and " +
                                 toString(verdict.witness.second) + " both lie in slot " +
                                 std::to_string(verdict.witness.slot) + ".";
        throwRefusal({ErrorKind::Runtime, "OVERLAP-01",
                      "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                      "location.\nPlease clone() the tensor before performing the operation.",
                      hint, std::move(verdict.witness)});
    }
    throwRefusal(
        {ErrorKind::Runtime,
         "OVERLAP-02",
         "unsupported operation: whether elements of the written-to tensor share memory could not be decided.\n"
         "Please clone() the tensor before performing the operation.",
         "Its strides are too entangled to be checked in bounded time.",
         {}});
}

void throwOutputShape(const Dims& out, const Dims& result) {
    throwRefusal(
        {ErrorKind::Runtime,
         "SHAPE-OUT",
         "output with shape " + toListString(out) + " doesn't match the broadcast shape " + toListString(result),
         "The written-to tensor must have the result's shape.",
         {}});
}

namespace {

/// The tensor's view in units of `unit` bytes, which divide its item size: where that is larger, one more dim.
View inUnits(const Tensor& t, std::size_t unit) {
    View v = t.view();
    const auto ratio = static_cast<Index>(t.itemSize() / unit);
    if (ratio == 1) return v;
    v.offset *= ratio;
    for (Index& stride : v.stride) stride *= ratio;
    v.shape.push_back(ratio);
    v.stride.push_back(1);
    return v;
}

/// In units of the smaller item size.
SharedSlotVerdict sharedSlotOf(const Tensor& a, const Tensor& b) {
    const std::size_t unit = std::min(a.itemSize(), b.itemSize());
    return sharedSlot(inUnits(a, unit), inUnits(b, unit));
}

} // namespace

Alias aliasOf(const Tensor& out, const Tensor& input) {
    if (out.storage() != input.storage()) return Alias::Apart;
    const ByteRange a = rangeOf(out), b = rangeOf(input);
    if (a.first == a.last || b.first == b.last || a.last <= b.first || b.last <= a.first) return Alias::Apart;
    const View &v = out.view(), &w = input.view();
    if (out.itemSize() == input.itemSize() && v.offset == w.offset && sameLayout(v, w)) return Alias::Same;
    if (v.isDense() && w.isDense()) return Alias::Partial;
    return sharedSlotOf(out, input).answer == OverlapAnswer::None ? Alias::Apart : Alias::Partial;
}

bool isPlainPartialOverlap(const Tensor& out, const Tensor& input) {
    return out.view().isDense() && input.view().isDense() && aliasOf(out, input) == Alias::Partial;
}

namespace {

std::string sharedText(std::span<const Index> input, std::span<const Index> output, const std::string& place) {
    return "Element " + toListString(input) + " of the input and element " + toListString(output) +
           " of the written-to tensor both lie in " + place + ".";
}

/// "Element [1] of the input and element [0] of the written-to tensor both lie in slot 1.": the first such pair of
/// different indices among some thousands, else any pair; nothing when it could not be decided whether there is one.
std::string sharedSlotText(const Tensor& out, const Tensor& input) {
    constexpr Index kLooks = 4096;
    std::unordered_map<Index, Dims> written;
    const auto visit = [&](const View& v, auto&& at) {
        Dims coord(v.shape.size(), 0);
        const Index count = std::min(v.numel(), kLooks);
        for (Index i = 0; i < count; ++i) {
            if (!at(v.slot(std::span<const Index>(coord)), coord)) return;
            for (std::size_t d = coord.size(); d-- > 0;) {
                if (++coord[d] < v.shape[d]) break;
                coord[d] = 0;
            }
        }
    };
    std::string text;
    if (out.itemSize() == input.itemSize()) {
        visit(out.view(), [&](Index slot, const Dims& coord) {
            written.emplace(slot, coord);
            return true;
        });
        visit(input.view(), [&](Index slot, const Dims& coord) {
            const auto found = written.find(slot);
            if (found == written.end() || found->second == coord) return true;
            text = sharedText(coord, found->second, "slot " + std::to_string(slot));
            return false;
        });
    }
    if (!text.empty()) return text;
    const SharedSlotVerdict pair = sharedSlotOf(out, input);
    if (pair.answer != OverlapAnswer::Overlaps) return {};
    const auto coordOf = [](const Tensor& t, const Dims& coord) {
        return std::span<const Index>(coord.data(), t.shape().size());
    };
    const std::size_t unit = std::min(out.itemSize(), input.itemSize());
    const std::string place = out.itemSize() == input.itemSize()
                                  ? "slot " + std::to_string(pair.slot)
                                  : "byte " + std::to_string(pair.slot * static_cast<Index>(unit)) + " of the storage";
    return sharedText(coordOf(input, pair.second), coordOf(out, pair.first), place);
}

} // namespace

void throwPartialOverlap(const char* operation, const Tensor& out, const Tensor& input) {
    const std::string pair = sharedSlotText(out, input);
    throwRefusal(
        {ErrorKind::Runtime,
         "OVERLAP-03",
         "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
         "memory location.\nPlease clone() the tensor before performing the operation.",
         (pair.empty() ? std::string() : pair + " ") + operation +
             " would read elements that it has written already; clone() the input. NumPy makes that copy by itself, "
             "and so has "
             "an answer: the one that the clone gives.",
         {}});
}

void refuseBoolMinus(BoolMinus which) {
    const std::string invert =
        " is not supported.\nIf you are trying to invert a mask, use the `~` or `logical_not()` operator instead.";
    Refusal refusal{ErrorKind::Runtime, "BOOL-02", {}, "Convert it first: x.to(torch.int64).", {}};
    switch (which) {
    case BoolMinus::TwoTensors:
        refusal.id = "BOOL-01";
        refusal.message = "Subtraction, the `-` operator, with two bool tensors is not supported. "
                          "Use the `^` or `logical_xor()` operator instead.";
        break;
    case BoolMinus::OneTensor:
        refusal.message = "Subtraction, the `-` operator, with a bool tensor" + invert;
        break;
    case BoolMinus::Negation:
        refusal.id = "BOOL-03";
        refusal.message = "Negation, the `-` operator, on a bool tensor" + invert;
        break;
    }
    throwRefusal(refusal);
}

void Number::set(Scalar value, DType dtype) {
    visitAnyDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T converted = value.to<T>();
        std::memcpy(bytes, &converted, sizeof converted);
    });
}

} // namespace stridescope::elementwise
