#include "core/print/shown_elements.h"

#include "core/ops/copy.h"
#include "core/tensor/element.h"
#include "core/tensor/walk.h"
#include "core/trace/op_record.h"

namespace stridescope {

namespace {

/// Index along dim `d` in the tensor of the `i`-th one shown.
Index sourceIndex(const ShownPart& part, const Dims& full, std::size_t d, Index i) {
    return part.cut[d] && i >= part.edge ? full[d] - part.shape[d] + i : i;
}

/// Calls `f(block, position)` for every rectangular piece that is shown without a gap: the part of `full` and the coord
/// of its first element in the shown shape. One piece unless dims are cut, 2^(number of cut dims) then.
template <class F>
void forEachBlock(const View& full, const ShownPart& part, std::size_t d, View block, Dims position, F&& f) {
    if (d == full.shape.size()) {
        f(block, position);
        return;
    }
    if (!part.cut[d]) {
        position.push_back(0);
        forEachBlock(full, part, d + 1, std::move(block), std::move(position), f);
        return;
    }
    block.shape[d] = part.edge;
    for (const Index first : {Index{0}, part.edge}) {
        View piece = block;
        piece.offset += sourceIndex(part, full.shape, d, first) * full.stride[d];
        Dims start = position;
        start.push_back(first);
        forEachBlock(full, part, d + 1, std::move(piece), std::move(start), f);
    }
}

/// Values of `part` read straight from memory.
template <class T>
void readAll(const Tensor& t, const ShownPart& part, std::vector<T>& out) {
    const View& v = t.view();
    const View shown = contiguousView(part.shape).valueOrThrow();
    out.resize(static_cast<std::size_t>(shown.numel()));
    forEachBlock(v, part, 0, v, Dims{}, [&](const View& block, const Dims& position) {
        View target{block.shape, shown.stride, shown.slot(position)};
        // Only the shown elements cross from another device.
        Tensor source = t.withView(block);
        if (!t.device().isCpu()) {
            const trace::Nested nested;
            source = to(source, Device{});
        }
        std::vector<Index> places;
        places.reserve(static_cast<std::size_t>(block.numel()));
        forEachSlot(target, [&](Index slot) { places.push_back(slot); });
        std::size_t next = 0;
        const std::byte* data = source.storage()->data();
        forEachSlot(source.view(), [&](Index slot) {
            const Scalar value = loadElement(data + static_cast<std::size_t>(slot) * t.itemSize(), t.dtype());
            out[static_cast<std::size_t>(places[next++])] = value.to<T>();
        });
    });
}

} // namespace

ShownPart shownPart(const Dims& shape, bool summarize, Index edge) {
    ShownPart part;
    part.edge = edge;
    for (const Index size : shape) {
        // edge <= size / 2 without computing 2 * edge, which may not fit
        const bool cut = summarize && edge < size - edge;
        part.shape.push_back(cut ? 2 * edge : size);
        part.cut.push_back(cut);
    }
    return part;
}

ShownValues gatherShown(const Tensor& t, const ShownPart& part) {
    if (isFloating(t.dtype())) {
        std::vector<double> values;
        readAll(t, part, values);
        return values;
    }
    if (isComplex(t.dtype())) {
        std::vector<Complex<double>> values;
        readAll(t, part, values);
        return values;
    }
    std::vector<std::int64_t> values;
    readAll(t, part, values);
    return values;
}

} // namespace stridescope
