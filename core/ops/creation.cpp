#include "core/ops/creation.h"

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/tensor/element.h"
#include "core/trace/clock.h"
#include "core/trace/code.h"
#include "core/trace/record_parts.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace stridescope {

namespace {

std::atomic<DType> g_defaultDType{DType::Float32};

DType inferredDType(Scalar value) {
    if (value.isBool()) return DType::Bool;
    if (value.isComplex()) return complexDType(defaultDType());
    return value.isInt() ? DType::Int64 : defaultDType();
}

/// ", dtype=torch.int64, device='cuda:0'": what was asked for in so many words.
std::string optionText(const std::optional<DType>& dtype, const std::optional<Device>& device) {
    std::string text;
    if (dtype) text += ", dtype=" + code::dtypeText(*dtype);
    if (device && !device->isCpu()) text += ", device='" + toString(*device) + "'";
    return text;
}

std::string optionText(const TensorOptions& options) {
    return optionText(options.dtype, options.device);
}

std::string optionText(const LikeOptions& options) {
    std::string text = optionText(options.dtype, options.device);
    if (options.format != MemoryFormat::Preserve) text += std::string(", memory_format=") + codeText(options.format);
    return text;
}

void publishCreation(std::string_view name, std::string_view arguments, const Tensor* like, const Tensor& result,
                     trace::Clock::time_point start) {
    RecordParts parts{name, arguments, like ? TensorList(*like) : TensorList(), result, OpEffect::Alloc};
    parts.bytesAllocated = static_cast<Index>(result.storage()->bytes());
    if (!name.starts_with("empty") && name != "new_empty") parts.bytesWritten = parts.bytesAllocated;
    parts.duration = trace::since(start);
    trace::publish(parts);
}

/// What `make` (() -> Tensor) gives, where it stays.
template <class Make>
Tensor unwritten(Make make) {
    Tensor t = make();
    t.storage()->markUnwritten();
    return t;
}

/// Runs `make` (() -> Tensor) as one observed operation; `arguments` (() -> std::string) runs only when observed.
template <class Make, class Arguments>
Tensor creationOp(const char* name, const Tensor* like, Make make, Arguments arguments) {
    if (!trace::observed()) return make();
    const auto start = trace::begin();
    Tensor result = [&] {
        const trace::Nested nested;
        return make();
    }();
    publishCreation(name, arguments(), like, result, start);
    return result;
}

/// The words of PyTorch's constructors for a size below 0; else what the layout is refused with.
[[noreturn]] void refuseLayout(const Dims& shape, Refusal refusal) {
    if (const auto* negative = std::get_if<IndexOutOfRange>(&refusal.detail); negative && refusal.id == "VIEW-12")
        refusal.message = "Trying to create tensor with negative dimension " + std::to_string(negative->index) + ": " +
                          toListString(std::span<const Index>(shape));
    throwRefusal(std::move(refusal));
}

std::size_t checkedBytes(const Dims& shape, Index slots, DType dtype) {
    std::int64_t bytes = 0;
    if (!__builtin_mul_overflow(slots, static_cast<Index>(itemSize(dtype)), &bytes)) {
        return static_cast<std::size_t>(bytes);
    }
    throwRefusal({ErrorKind::Runtime, "CREATE-01",
                  "Storage size calculation overflowed with sizes=" + toListString(shape),
                  "More than 2^63-1 bytes cannot be addressed.", NumelMismatch{0, slots}});
}

Tensor allocate(View&& layout, Index slots, DType dtype, Device device, bool zeroed) {
    const std::size_t bytes = checkedBytes(layout.shape, slots, dtype);
    return Tensor(Storage::allocate(bytes, allocatorFor(device), zeroed), std::move(layout), dtype);
}

Tensor allocateContiguous(const Dims& shape, const TensorOptions& options, bool zeroed) {
    if (const std::optional<Index> numel = simpleNumel(shape)) {
        const DType dtype = options.dtype ? *options.dtype : defaultDType();
        return Tensor::over(
            Storage::allocate(checkedBytes(shape, *numel, dtype), allocatorFor(options.device), zeroed),
            [&] {
                return View{shape, elementwise::rowMajorStrides(shape)};
            },
            dtype);
    }
    Result<View> made = contiguousView(shape);
    if (!made) refuseLayout(shape, made.refusal());
    const Index slots = made->numel();
    return allocate(std::move(*made), slots, options.dtype.value_or(defaultDType()), options.device, zeroed);
}

/// t, every element set.
Tensor filled(Tensor t, Scalar value) {
    fill_(t, value);
    return t;
}

} // namespace

DType defaultDType() {
    return g_defaultDType.load(std::memory_order_relaxed);
}

void setDefaultDType(DType dtype) {
    if (!isFloating(dtype)) {
        throwRefusal({ErrorKind::Type,
                      "CREATE-02",
                      "only floating-point types are supported as the default type, not " + std::string(name(dtype)),
                      "Choose float16, float32 or float64.",
                      {}});
    }
    g_defaultDType.store(dtype, std::memory_order_relaxed);
}

// --- Of a shape -------------------------------------------------------------------------------------------------

Tensor empty(const Dims& shape, TensorOptions options, MemoryFormat format) {
    const bool plain = format == MemoryFormat::Contiguous;
    return creationOp(
        "empty", nullptr,
        [&] {
            return unwritten([&] {
                if (plain) return allocateContiguous(shape, options, false);
                Result<View> layout = formattedView(shape, format);
                if (!layout) refuseLayout(shape, layout.refusal());
                const Index slots = layout->numel();
                return allocate(std::move(*layout), slots, options.dtype.value_or(defaultDType()), options.device,
                                false);
            });
        },
        [&] {
            return code::arguments(shape) + (plain ? "" : std::string(", memory_format=") + codeText(format)) +
                   optionText(options);
        });
}

Tensor zeros(const Dims& shape, TensorOptions options) {
    return creationOp(
        "zeros", nullptr, [&] { return allocateContiguous(shape, options, true); },
        [&] { return code::arguments(shape) + optionText(options); });
}

Tensor ones(const Dims& shape, TensorOptions options) {
    return creationOp(
        "ones", nullptr, [&] { return filled(allocateContiguous(shape, options, false), 1); },
        [&] { return code::arguments(shape) + optionText(options); });
}

Tensor full(const Dims& shape, Scalar value, TensorOptions options) {
    return creationOp(
        "full", nullptr,
        [&] {
            const TensorOptions known{options.dtype.value_or(inferredDType(value)), options.device};
            return filled(allocateContiguous(shape, known, false), value);
        },
        [&] { return code::tuple(shape) + ", " + toString(value) + optionText(options); });
}

Tensor emptyStrided(const View& layout, TensorOptions options) {
    return creationOp(
        "empty_strided", nullptr,
        [&] {
            View legal = makeView(layout.shape, layout.stride, layout.offset).valueOrThrow();
            const Reach slots = reach(legal).valueOrThrow();
            if (!slots.empty() && slots.lowest < 0) {
                throwRefusal({ErrorKind::Runtime, "CREATE-12",
                              "a layout that reaches slot " + std::to_string(slots.lowest) + " has no storage",
                              "Raise the offset by " + std::to_string(-slots.lowest) + ".",
                              StorageOutOfBounds{slots.lowest, slots.highest, slots.highest + 1, 0}});
            }
            const Index count = slots.empty() ? 0 : slots.highest + 1;
            return unwritten([&] {
                return allocate(std::move(legal), count, options.dtype.value_or(defaultDType()), options.device, false);
            });
        },
        [&] { return code::tuple(layout.shape) + ", " + code::tuple(layout.stride) + optionText(options); });
}

// --- In the image of another ------------------------------------------------------------------------------------

namespace {

enum class Order { Keep, Swap, Unknown };

/// Must dim `outer`, now further out than `inner` in the order of strides, change places with it?
/// Strides of 0 say nothing about order.
Order compareDims(const View& v, std::size_t inner, std::size_t outer) {
    const Index a = v.stride[inner], b = v.stride[outer];
    if (a == 0 || b == 0) return Order::Unknown;
    if (a != b) return a < b ? Order::Keep : Order::Swap;
    return v.shape[inner] > v.shape[outer] ? Order::Swap : Order::Unknown;
}

} // namespace

View denseLike(const View& v) {
    if (v.isDense()) {
        View same{v.shape, v.stride, 0};
        for (Index& s : same.stride) s = s < 0 ? -s : s;
        return same;
    }
    // order[0] is the innermost dim. An insertion sort, because "unknown" makes the relation no strict order: each dim
    // moves inwards past those it must swap with and stops at the first that is surely in place.
    const std::size_t rank = v.shape.size();
    std::vector<std::size_t> order(rank);
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    for (std::size_t i = 1; i < rank; ++i) {
        std::size_t moving = i;
        for (std::size_t inner = i; inner-- > 0;) {
            const Order verdict = compareDims(v, order[inner], order[moving]);
            if (verdict == Order::Keep) break;
            if (verdict == Order::Swap) {
                std::swap(order[inner], order[moving]);
                moving = inner;
            }
        }
    }
    View dense{v.shape, Dims(rank, 0), 0};
    Index step = 1;
    for (const std::size_t d : order) {
        dense.stride[d] = step;
        step *= std::max<Index>(1, v.shape[d]);
    }
    return dense;
}

namespace {

Tensor allocateLike(const Tensor& t, const LikeOptions& options, bool zeroed) {
    if (!t.defined()) {
        throwRefusal({ErrorKind::Value,
                      "TENSOR-02",
                      "empty_like: the tensor is undefined",
                      "Make one with empty, zeros or tensor.",
                      {}});
    }
    View layout = options.format == MemoryFormat::Preserve ? denseLike(t.view())
                                                           : formattedView(t.shape(), options.format).valueOrThrow();
    return allocate(std::move(layout), t.numel(), options.dtype.value_or(t.dtype()),
                    options.device.value_or(t.device()), zeroed);
}

/// optionText without the leading ", ".
std::string likeText(const LikeOptions& options) {
    const std::string text = optionText(options);
    return text.empty() ? text : text.substr(2);
}

} // namespace

Tensor emptyLike(const Tensor& t, LikeOptions options) {
    return creationOp(
        "empty_like", &t, [&] { return unwritten([&] { return allocateLike(t, options, false); }); },
        [&] { return likeText(options); });
}

Tensor zerosLike(const Tensor& t, LikeOptions options) {
    return creationOp(
        "zeros_like", &t, [&] { return allocateLike(t, options, true); }, [&] { return likeText(options); });
}

Tensor onesLike(const Tensor& t, LikeOptions options) {
    return creationOp(
        "ones_like", &t, [&] { return filled(allocateLike(t, options, false), 1); }, [&] { return likeText(options); });
}

Tensor fullLike(const Tensor& t, Scalar value, LikeOptions options) {
    return creationOp(
        "full_like", &t, [&] { return filled(allocateLike(t, options, false), value); },
        [&] { return toString(value) + optionText(options); });
}

namespace {

/// A new tensor of a shape with t's dtype and device.
template <class Make>
Tensor newOp(const char* name, const Tensor& t, const LikeOptions& options, const std::string& text, Make make) {
    if (!t.defined())
        throwRefusal({ErrorKind::Value,
                      "TENSOR-02",
                      std::string(name) + ": the tensor is undefined",
                      "Make one with empty, zeros or tensor.",
                      {}});
    const TensorOptions known{options.dtype.value_or(t.dtype()), options.device.value_or(t.device())};
    return creationOp(
        name, &t, [&] { return make(known); }, [&] { return text + optionText(options.dtype, options.device); });
}

} // namespace

Tensor newEmpty(const Tensor& t, const Dims& shape, LikeOptions options) {
    return newOp("new_empty", t, options, code::tuple(shape), [&](const TensorOptions& known) {
        return unwritten([&] { return allocateContiguous(shape, known, false); });
    });
}

Tensor newZeros(const Tensor& t, const Dims& shape, LikeOptions options) {
    return newOp("new_zeros", t, options, code::tuple(shape),
                 [&](const TensorOptions& known) { return allocateContiguous(shape, known, true); });
}

Tensor newOnes(const Tensor& t, const Dims& shape, LikeOptions options) {
    return newOp("new_ones", t, options, code::tuple(shape),
                 [&](const TensorOptions& known) { return filled(allocateContiguous(shape, known, false), 1); });
}

Tensor newFull(const Tensor& t, const Dims& shape, Scalar value, LikeOptions options) {
    return newOp("new_full", t, options, code::tuple(shape) + ", " + toString(value),
                 [&](const TensorOptions& known) { return filled(allocateContiguous(shape, known, false), value); });
}

} // namespace stridescope
