#include "core/ops/handles.h"

#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/views.h"
#include "core/trace/capture.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

namespace stridescope {

namespace {

/// `make` (() -> Tensor) runs a view operation of `t`, whose record is told under the name with "_".
template <class Make>
Tensor& become(Tensor& t, Make make) {
    std::vector<OpRecord> records;
    Tensor result;
    {
        trace::Capture capture;
        result = make();
        records = std::move(capture.records());
    }
    t = std::move(result);
    for (OpRecord& record : records) {
        record.name += '_';
        trace::publish(record);
    }
    return t;
}

void publish(const Observation& observation, const char* name, std::string arguments, const Tensor& before,
             const Tensor& t, Observation::Bytes bytes) {
    if (observation)
        observation.publish(name, std::move(arguments), {&before}, t,
                            bytes.allocated ? OpEffect::Alloc : OpEffect::View, bytes);
}

} // namespace

namespace {

/// The bytes that a storage must have for `view`. More than 64 bits count is as good as the most that they do: neither
/// can be had.
std::size_t bytesFor(const View& view, DType dtype) {
    const Reach slots = reach(view).valueOrThrow();
    if (slots.empty()) return 0;
    Index end = 0, bytes = 0;
    if (!addFits(slots.highest, 1, end) || !mulFits(end, static_cast<Index>(itemSize(dtype)), bytes)) bytes = kIndexMax;
    return static_cast<std::size_t>(bytes);
}

/// Makes room for `view`; what was copied and taken for it.
Observation::Bytes grow(Storage& storage, const View& view, DType dtype) {
    const std::size_t had = storage.bytes(), needed = bytesFor(view, dtype);
    if (needed <= had) return {};
    storage.resize(needed);
    return {static_cast<Index>(had), static_cast<Index>(needed), static_cast<Index>(needed)};
}

} // namespace

Tensor& resize_(Tensor& t, const Dims& shape, MemoryFormat format) {
    elementwise::requireDefined(t, "resize_");
    const Observation observation;
    const Tensor before = t;
    Observation::Bytes bytes;
    const bool plain = format == MemoryFormat::Contiguous;
    // All that takes memory comes before the first change.
    std::string words = code::arguments(shape) + (plain ? "" : std::string(", memory_format=") + codeText(format));
    if (!plain || !(shape == t.shape())) {
        Tensor resized = t.withView(formattedView(shape, format, t.storageOffset()).valueOrThrow());
        bytes = grow(*t.storage(), resized.view(), t.dtype());
        t = std::move(resized);
    }
    publish(observation, "resize_", std::move(words), before, t, bytes);
    return t;
}

void resizeStorage(const Tensor& t, Index count) {
    elementwise::requireDefined(t, "resize_");
    if (count < 0)
        throwRefusal({ErrorKind::Runtime,
                      "STORAGE-02",
                      "resize_: a storage of " + std::to_string(count) + " elements",
                      "Its size is 0 or more.",
                      {}});
    Index bytes = 0;
    if (!mulFits(count, static_cast<Index>(t.itemSize()), bytes)) bytes = kIndexMax;
    t.storage()->resize(static_cast<std::size_t>(bytes));
}

Tensor& set_(Tensor& t, const StoragePtr& storage, const View& view) {
    elementwise::requireDefined(t, "set_");
    const Observation observation;
    const Tensor before = t;
    const View legal = makeView(view.shape, view.stride, view.offset).valueOrThrow();
    static_cast<void>(checkInBounds(legal, kIndexMax).valueOrThrow()); // before slot 0 there is nothing to grow into
    // All that takes memory comes before the first change.
    std::string words = std::to_string(view.offset) + ", " + code::tuple(view.shape) + ", " + code::tuple(view.stride);
    Tensor set(storage, legal, t.dtype());
    const Observation::Bytes bytes = grow(*storage, legal, t.dtype());
    t = std::move(set);
    publish(observation, "set_", std::move(words), before, t, bytes);
    return t;
}

Tensor& set_(Tensor& t, const Tensor& source) {
    elementwise::requireDefined(t, "set_");
    elementwise::requireDefined(source, "set_");
    if (t.dtype() != source.dtype())
        throwRefusal({ErrorKind::Runtime,
                      "DTYPE-07",
                      "Could not set tensor of type " + std::string(name(source.dtype())) + " to a tensor of type " +
                          std::string(name(t.dtype())),
                      "Both need one dtype.",
                      {}});
    return set_(t, source.storage(), source.view());
}

Tensor& t_(Tensor& t) {
    if (t.defined() && t.dim() > 2)
        throwRefusal({ErrorKind::Runtime,
                      "VIEW-08",
                      "t_() expects a tensor with <= 2 dimensions, but self is " + std::to_string(t.dim()) + "D",
                      "transpose_(dim0, dim1) swaps two dims of any tensor.",
                      {}});
    return become(t, [&] { return stridescope::t(t); });
}
Tensor& transpose_(Tensor& t, Index dim0, Index dim1) {
    return become(t, [&] { return transpose(t, dim0, dim1); });
}
Tensor& squeeze_(Tensor& t) {
    return become(t, [&] { return squeeze(t); });
}
Tensor& squeeze_(Tensor& t, Index dim) {
    return become(t, [&] { return squeeze(t, dim); });
}
Tensor& unsqueeze_(Tensor& t, Index dim) {
    return become(t, [&] { return unsqueeze(t, dim); });
}
Tensor& asStrided_(Tensor& t, const Dims& size, const Dims& stride, std::optional<Index> offset) {
    return become(t, [&] { return asStrided(t, size, stride, offset); });
}

} // namespace stridescope
