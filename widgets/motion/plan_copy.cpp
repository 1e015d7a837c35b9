// Copies: a new strip slides out, and values fly to it, one by one in reading order.

#include "core/view/walk.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_planner.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope::motion {

void Planner::addWalk() {
    const View& from = m_plan.input.record.inputs[0].view;
    const Walk walk = walkOf(from);
    stage(MotionWhat::Walk, PaintedText::tr("Walk"), PaintedText::tr("Can strides express it without a copy?"),
          walk.isStraight()
              ? PaintedText::tr("The walk is straight: a copy is what was asked for.")
              : PaintedText::tr("No: read row by row, the strip is jumped over %1 times. A copy is needed.")
                    .arg(countText(walk.jumps)),
          1.0);
}

void Planner::addStorage() {
    const OpRecord& record = m_plan.input.record;
    QStringList fresh;
    for (const MotionBoard& board : m_plan.boards) {
        if (board.kind != MotionBoard::Kind::Strip || !board.fresh) continue;
        const MotionStorage& storage = m_plan.input.storages[static_cast<std::size_t>(board.storage)];
        fresh << QStringLiteral("%1 × %2").arg(countText(storage.numel), dtypeText(storage.dtype));
    }
    stage(MotionWhat::Storage, PaintedText::tr("Storage"), PaintedText::tr("Where will the result lie?"),
          PaintedText::tr("In a new storage of %1, %2; nobody has written to it yet.")
              .arg(listOf(fresh), plusBytes(record.bytesAllocated)));
    const auto here = static_cast<qreal>(m_plan.stages.size() - 1);
    for (MotionBoard& board : m_plan.boards)
        if (board.fresh) board.appears = here;
    for (const int board : m_outputBoards) m_plan.boards[static_cast<std::size_t>(board)].appears = here + 0.7;
}

void Planner::planCopy() {
    const OpRecord& record = m_plan.input.record;
    const auto walks = {"reshape", "contiguous", "flatten", "ravel"};
    if (std::any_of(walks.begin(), walks.end(), [&](const char* name) { return record.name == name; })) addWalk();
    addStorage();
    const bool transfer = m_plan.family == MotionFamily::Transfer;
    Index all = 0;
    QStringList copied, computed;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const Index count = record.outputs[o].view.numel();
        all += count;
        // The indices beside what was sorted are no copies of it.
        (o == 0 || movedFrom(m_plan.input, o) ? copied : computed) << elementsText(count);
    }
    const QString bytes = bytesText(all * static_cast<Index>(itemSize(record.outputs[0].dtype)));
    stage(
        MotionWhat::Cells, transfer ? PaintedText::tr("Transfer") : PaintedText::tr("Copy"),
        PaintedText::tr("From where does each element come?"),
        transfer ? PaintedText::tr("%1 went to %2; the original is still where it was.")
                       .arg(bytes, QString::fromStdString(toString(record.outputs[0].device)))
        : computed.isEmpty()
            ? PaintedText::tr("%1 copied: what is written to the one is not seen by the other.").arg(elementsText(all))
            : PaintedText::tr("%1 copied, and %2 computed.").arg(listOf(copied), listOf(computed)),
        kMove + kStagger + kPause);
    Index number = 0;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const View& made = record.outputs[o].view;
        const auto from = movedFrom(m_plan.input, o);
        for (Index k = 0; k < made.numel(); ++k, ++number) {
            const auto when = turn(number, all);
            MotionCell cell = result(static_cast<int>(o), k, outputBoard(o), k);
            const int freshStrip = m_plan.stripOf(cell.storage);
            write(cell.storage, cell.slot, when.second);
            if (!from) { // values come in order, from where the record does not tell
                move(cell, {when.second, when.second});
                continue;
            }
            const Source source = (*from)[static_cast<std::size_t>(k)];
            const TensorRecord& side = record.inputs[source.input];
            const int board = inputBoard(source.input);
            const Index slot = side.view.slot(coordOfPosition(side.view, source.position));
            const int storage = storageOf(side);
            // On its way it is the value that it was.
            MotionCell passing = cell;
            passing.fromBoard = static_cast<quint8>(board);
            passing.from = source.position;
            passing.result = false;
            passing.after = false;
            passing.storage = static_cast<qint16>(storage);
            passing.slot = slot;
            passing.colour = static_cast<qint8>(m_plan.boards[static_cast<std::size_t>(board)].tensor.colour);
            move(passing, when);
            move(cell, {when.second, when.second});
            const int oldStrip = m_plan.stripOf(storage);
            if (oldStrip < 0 || freshStrip < 0) continue;
            passing.fromBoard = static_cast<quint8>(oldStrip);
            passing.from = slot - m_plan.boards[static_cast<std::size_t>(oldStrip)].first;
            passing.toBoard = static_cast<quint8>(freshStrip);
            passing.to = cell.slot - m_plan.boards[static_cast<std::size_t>(freshStrip)].first;
            move(passing, when);
        }
    }
}

void Planner::planCreate() {
    addStorage();
    const OpRecord& record = m_plan.input.record;
    Index all = 0;
    for (const TensorRecord& made : record.outputs) all += made.view.numel();
    const bool unwritten = leavesMemoryAsItIs(record);
    stage(MotionWhat::Cells, PaintedText::tr("Values"), PaintedText::tr("Which values does it begin with?"),
          unwritten ? PaintedText::tr("With none: nobody has written to its %1 yet.").arg(elementsText(all))
                    : PaintedText::tr("%1 were written, made of no other tensor.").arg(elementsText(all)),
          kMove + kStagger + kPause);
    Index number = 0;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        for (Index k = 0; k < record.outputs[o].view.numel(); ++k) {
            MotionCell cell = result(static_cast<int>(o), k, outputBoard(o), k);
            const auto when = turn(number++, all);
            if (unwritten)
                cell.look = CellsItem::Look::Pending;
            else
                write(cell.storage, cell.slot, when.second);
            move(cell, {when.second, when.second});
        }
    }
}

} // namespace stridescope::motion
