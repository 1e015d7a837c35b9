#include "core/ops/handles.h"

#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/views.h"
#include "core/trace/capture.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cstring>

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

Tensor& resize_(Tensor& t, const Dims& shape) {
    elementwise::requireDefined(t, "resize_");
    const Observation observation;
    const Tensor before = t;
    View view = contiguousView(shape).valueOrThrow();
    Index last = 0;
    Observation::Bytes bytes;
    if (!__builtin_add_overflow(t.storageOffset(), view.numel(), &last) && last <= t.storageNumel()) {
        view.offset = t.storageOffset();
        t = t.withView(std::move(view));
    } else {
        const trace::Nested nested;
        const Tensor grown = empty(shape, {t.dtype(), t.device()});
        if (!t.device().isCpu()) throwNoKernel("resize_", t.dtype(), t.device());
        const Index kept = std::max<Index>(0, std::min(t.storageNumel() - t.storageOffset(), grown.numel()));
        const std::size_t size = static_cast<std::size_t>(kept) * t.itemSize();
        if (size > 0)
            std::memcpy(grown.storage()->data(),
                        t.storage()->data() + static_cast<std::size_t>(t.storageOffset()) * t.itemSize(), size);
        grown.storage()->bumpVersion();
        bytes = {static_cast<Index>(size), static_cast<Index>(size), static_cast<Index>(grown.storage()->bytes())};
        t = grown;
    }
    publish(observation, "resize_", code::arguments(shape), before, t, bytes);
    return t;
}

Tensor& set_(Tensor& t, const StoragePtr& storage, const View& view) {
    elementwise::requireDefined(t, "set_");
    const Observation observation;
    const Tensor before = t;
    t = Tensor::fromStorage(storage, view, t.dtype()).valueOrThrow();
    publish(observation, "set_",
            std::to_string(view.offset) + ", " + code::tuple(view.shape) + ", " + code::tuple(view.stride), before, t,
            {});
    return t;
}

Tensor& set_(Tensor& t, const Tensor& source) {
    elementwise::requireDefined(source, "set_");
    if (t.defined() && t.dtype() != source.dtype())
        throwRefusal({ErrorKind::Runtime,
                      "DTYPE-07",
                      "Could not set tensor of type " + std::string(name(source.dtype())) + " to a tensor of type " +
                          std::string(name(t.dtype())),
                      "Both need one dtype.",
                      {}});
    return set_(t, source.storage(), source.view());
}

Tensor& t_(Tensor& t) {
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
