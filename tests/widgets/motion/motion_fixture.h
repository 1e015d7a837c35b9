#pragma once
// Operations carried out and taken down, for motions of them.

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/trace/op_record.h"
#include "widgets/motion/motion_scene.h"
#include "widgets/motion/motion_sources.h"

#include <cstring>
#include <functional>
#include <vector>

namespace stridescope::test {

/// All elements of a storage in units of a dtype, as they are now.
inline Tensor copyOf(const StoragePtr& storage, DType dtype) {
    const Index numel = static_cast<Index>(storage->bytes() / itemSize(dtype));
    Tensor line(Storage::allocate(storage->bytes(), allocatorFor(Device{}), true), *contiguousView(Dims{numel}), dtype);
    if (storage->bytes() > 0) std::memcpy(line.storage()->data(), storage->data(), storage->bytes());
    return line;
}

struct Taken {
    MotionInput input;
    std::vector<Tensor> made;
};

/// Carries `act` out and takes its last operation down; nothing where it had none. `inputs` are the tensors that it
/// reads, `named` those that have names while it runs.
inline std::optional<Taken> takeDown(const std::function<std::vector<Tensor>()>& act, const std::vector<Tensor>& inputs,
                                     const std::vector<Tensor>& named = {}) {
    std::vector<std::pair<std::pair<std::uint64_t, DType>, Tensor>> before;
    for (const Tensor& each : inputs)
        before.push_back({{each.storage()->id(), each.dtype()}, copyOf(each.storage(), each.dtype())});
    std::vector<OpRecord> records;
    Taken taken;
    {
        const OpSubscription listener([&records](const OpRecord& record) { records.push_back(record); });
        taken.made = act();
    }
    if (records.empty()) return std::nullopt;
    MotionInput& input = taken.input;
    input.record = records.back();
    input.code = QString::fromStdString(input.record.name);
    int letter = 0;
    const auto side = [&letter](const TensorRecord& record) {
        MotionTensor tensor;
        tensor.record = record;
        tensor.name = QStringLiteral("t%1").arg(letter++);
        return tensor;
    };
    for (const TensorRecord& each : input.record.inputs) input.inputs.push_back(side(each));
    for (const TensorRecord& each : input.record.outputs) input.outputs.push_back(side(each));
    for (const Tensor& each : named) {
        const bool shares = !input.record.outputs.empty() &&
                            each.storage()->id() == input.record.outputs[0].storageId &&
                            each.dtype() == input.record.outputs[0].dtype;
        if (shares && input.record.effect == OpEffect::InPlace && input.others.size() < 3)
            input.others.push_back(side(trace::record(each)));
    }
    std::vector<Tensor> alive = inputs;
    alive.insert(alive.end(), taken.made.begin(), taken.made.end());
    for (const auto* sides : {&input.record.inputs, &input.record.outputs}) {
        for (const TensorRecord& each : *sides) {
            if (motion::storageOf(input, each) >= 0) continue;
            MotionStorage storage;
            storage.id = each.storageId;
            storage.dtype = each.dtype;
            storage.number = static_cast<int>(input.storages.size()) + 1;
            for (const Tensor& tensor : alive) {
                if (tensor.storage()->id() != each.storageId) continue;
                storage.after = copyOf(tensor.storage(), each.dtype);
                storage.numel = storage.after.numel();
            }
            storage.before = storage.after;
            for (const auto& [key, values] : before)
                if (key == std::pair(each.storageId, each.dtype)) storage.before = values;
            if (storage.after.defined()) input.storages.push_back(storage);
        }
    }
    return taken;
}

inline MotionInput motionOf(const std::function<Tensor()>& act, const std::vector<Tensor>& inputs,
                            const std::vector<Tensor>& named = {}) {
    return takeDown([&act] { return std::vector<Tensor>{act()}; }, inputs, named)->input;
}

/// Slots of a view in reading order, counted out: no function of the program has a part in it.
inline std::vector<Index> countedSlots(const View& view) {
    std::vector<Index> slots{view.offset};
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        std::vector<Index> next;
        for (const Index slot : slots)
            for (Index i = 0; i < view.shape[d]; ++i) next.push_back(slot + i * view.stride[d]);
        slots = std::move(next);
    }
    return slots;
}

/// What stands on a board's places at a moment: for each place in reading order the slots of the cells that lie there,
/// those with values alone.
inline std::vector<std::vector<Index>> slotsOn(const Scene& scene, const MotionPlan& plan, const MotionLayout& layout,
                                               int board) {
    const Index count = plan.boards[static_cast<std::size_t>(board)].positions();
    std::vector<std::vector<Index>> found(static_cast<std::size_t>(count));
    for (const SceneNode& node : scene.nodes) {
        const auto* cells = std::get_if<CellsItem>(&node.item);
        if (!cells || node.part.kind != PartKind::CardCells || node.part.index != board) continue;
        for (const CellsItem::Cell& cell : cells->cells) {
            if (cell.look == CellsItem::Look::Place || cell.look == CellsItem::Look::Pending) continue;
            for (Index k = 0; k < count; ++k) {
                const QPointF gap = layout.cell(plan, board, k) - cell.at;
                if (std::abs(gap.x()) < 0.01 && std::abs(gap.y()) < 0.01)
                    found[static_cast<std::size_t>(k)].push_back(cell.slot);
            }
        }
    }
    return found;
}

/// Empty when at t = 1 each output's places hold one cell each, of just the slots that the record names; else what is
/// wrong.
inline QString wrongAtEnd(const MotionPlan& plan, const MotionLayout& layout) {
    const Scene scene = motionScene(plan, layout, 1);
    const OpRecord& record = plan.input.record;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        int board = -1;
        for (std::size_t b = 0; b < plan.boards.size(); ++b) {
            const TensorRecord& there = plan.boards[b].tensor.record;
            const bool card = plan.boards[b].kind == MotionBoard::Kind::Card;
            if (card && there.storageId == record.outputs[o].storageId && there.view == record.outputs[o].view &&
                there.dtype == record.outputs[o].dtype)
                board = static_cast<int>(b); // the last one: an output's own
        }
        if (board < 0) return QStringLiteral("output %1 has no board").arg(o);
        const std::vector<Index> expected = countedSlots(record.outputs[o].view);
        const auto found = slotsOn(scene, plan, layout, board);
        if (found.size() != expected.size())
            return QStringLiteral("%1 places for %2 elements").arg(found.size()).arg(expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            if (found[k].size() != 1)
                return QStringLiteral("%1 cells at place %2 of output %3").arg(found[k].size()).arg(k).arg(o);
            if (found[k][0] != expected[k])
                return QStringLiteral("slot %1 at place %2, expected %3").arg(found[k][0]).arg(k).arg(expected[k]);
        }
    }
    return {};
}

} // namespace stridescope::test
