// Writes into elements that are there, and those that are refused.

#include "core/view/walk.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_planner.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <set>

namespace stridescope::motion {

void Planner::planWrite() {
    const OpRecord& record = m_plan.input.record;
    const TensorRecord& target = record.outputs[0];
    const int card = outputBoard(0);
    const int storage = m_plan.boards[static_cast<std::size_t>(card)].storage;
    const MotionStorage& seen = m_plan.input.storages[static_cast<std::size_t>(storage)];
    const QString number =
        seen.number > 0 ? PaintedText::tr("storage #%1").arg(seen.number) : PaintedText::tr("the storage");
    stage(MotionWhat::Groups, PaintedText::tr("Target"), PaintedText::tr("Which cells will be written to?"),
          PaintedText::tr("Cells of %1 that are there already: no new memory.").arg(number));
    // Which of them: an assignment to an index writes to a part only.
    std::vector<Index> targets;
    std::set<Index> reached;
    for (Index k = 0; k < target.view.numel(); ++k) {
        const Index slot = target.view.slot(coordOfPosition(target.view, k));
        if (!reached.insert(slot).second) continue;
        const Index byte = slot * static_cast<Index>(itemSize(target.dtype));
        if (elementWritten(record, target.storageId, byte)) targets.push_back(k);
    }
    m_plan.group = targets;
    Index views = 0;
    for (const MotionBoard& board : m_plan.boards)
        views += board.kind == MotionBoard::Kind::Card && board.tensor.record.storageId == target.storageId;
    const Index count = std::ssize(targets);
    stage(MotionWhat::Write, PaintedText::tr("Write"), PaintedText::tr("Who sees the new values?"),
          views > 1 ? PaintedText::tr("%1 written: all %2 views see them, for they have no cells of their own.")
                          .arg(elementsText(count), countText(views))
                    : PaintedText::tr("%1 written, in place.").arg(elementsText(count)),
          kMove + kStagger + kPause);
    for (Index i = 0; i < count; ++i) {
        const Index k = targets[static_cast<std::size_t>(i)];
        const Dims coord = coordOfPosition(target.view, k);
        const auto when = turn(i, count);
        const MotionCell cell = result(0, k, card, k);
        write(cell.storage, cell.slot, when.second);
        const Sources sources = sourcesOf(record, 0, coord);
        for (const SourceBox& box : sources.boxes) {
            const int from = inputBoard(box.input);
            if (sources.kind != SourceKind::Each || box.numel() != 1 || from == card) continue;
            const TensorRecord& side = record.inputs[box.input];
            MotionCell passing = cell;
            passing.result = passing.after = false;
            passing.fromBoard = static_cast<quint8>(from);
            passing.from = positionOf(side.view.shape, box.start);
            passing.colour = static_cast<qint8>(m_plan.boards[passing.fromBoard].tensor.colour);
            passing.storage = static_cast<qint16>(storageOf(side));
            passing.slot = side.view.slot(box.start);
            move(passing, when);
        }
    }
}

void Planner::planRefusal() {
    const OpRecord& record = m_plan.input.record;
    const View& target = record.outputs.empty() ? record.inputs[0].view : record.outputs[0].view;
    for (Index k = 0; k < target.numel(); ++k) m_plan.group.push_back(k);
    const QString message = QString::fromStdString(m_plan.input.refusal->message).section(QLatin1Char('\n'), 0, 0);
    if (record.inputs.size() > 1) return planReadRefusal(target, record.inputs[1].view, message);
    stage(MotionWhat::Groups, PaintedText::tr("Target"), PaintedText::tr("Which cells would be written to?"),
          PaintedText::tr("%1 elements share their cells, as the strides have it.").arg(countText(target.numel())));
    std::set<Index> seen;
    for (const Index slot : visitedSlots(target, 0, std::min(target.numel(), kMovingCells))) {
        m_plan.hits.push_back(slot);
        if (!seen.insert(slot).second) break; // written twice: here it is refused
    }
    stage(MotionWhat::Write, PaintedText::tr("Element by element"), PaintedText::tr("Is any cell written to twice?"),
          m_plan.hits.empty()
              ? message
              : PaintedText::tr("Element %1 would write to slot %2 again. Refused, and nothing was changed: %3")
                    .arg(countText(std::ssize(m_plan.hits) - 1))
                    .arg(m_plan.hits.back())
                    .arg(message),
          refusalSeconds());
}

void Planner::planReadRefusal(const View& target, const View& read, const QString& message) {
    const std::vector<Index> slots = visitedSlots(target, 0, std::min(target.numel(), kMovingCells));
    const std::set<Index> all(slots.begin(), slots.end());
    std::set<Index> both;
    for (const Index slot : visitedSlots(read, 0, std::min(read.numel(), kMovingCells)))
        if (all.count(slot)) both.insert(slot);
    stage(MotionWhat::Groups, PaintedText::tr("Target"), PaintedText::tr("Which cells would be written to?"),
          PaintedText::tr("Cells of %1, of which the elements of %3 share %2.")
              .arg(m_plan.input.inputs[0].name, countText(std::ssize(both)), m_plan.input.inputs[1].name));
    std::set<Index> written;
    for (Index k = 0; k < std::ssize(slots); ++k) {
        // What is read is as broadcasting has it: leading dims may be missing, and those of size 1 repeat.
        const Dims coord = coordOfPosition(target, k);
        Dims from(read.shape.size(), 0);
        for (std::size_t d = 0; d < from.size(); ++d)
            from[d] = read.shape[d] == 1 ? 0 : coord[coord.size() - from.size() + d];
        m_plan.reads.push_back(positionOf(read.shape, from));
        const Index source = read.slot(from), slot = slots[static_cast<std::size_t>(k)];
        m_plan.readsWritten = source != slot && written.count(source) > 0;
        m_plan.hits.push_back(m_plan.readsWritten ? source : slot);
        if (m_plan.readsWritten) break; // here it is refused
        written.insert(slot);
    }
    stage(MotionWhat::Write, PaintedText::tr("Element by element"),
          PaintedText::tr("Is any cell read after it was written to?"),
          m_plan.readsWritten
              ? PaintedText::tr("Element %1 would read slot %2, which has a new value. Refused, and nothing was "
                                "changed: %3")
                    .arg(countText(std::ssize(m_plan.hits) - 1))
                    .arg(m_plan.hits.back())
                    .arg(message)
              : PaintedText::tr("Not in this order; but no order is promised. Refused, and nothing was changed: %1")
                    .arg(message),
          refusalSeconds());
}

qreal Planner::refusalSeconds() const {
    return std::clamp(0.2 * static_cast<qreal>(m_plan.hits.size()), 1.0, 2.0);
}

} // namespace stridescope::motion
