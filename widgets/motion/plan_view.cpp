// Views: numbers change, cells stay. What is shown to move is which of them are seen, and where.

#include "core/view/inverse.h"
#include "core/view/walk.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_planner.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <set>

namespace stridescope::motion {

namespace {

QString change(const QString& what, const QString& before, const QString& after) {
    return before == after ? PaintedText::tr("%1 stays %2").arg(what, before)
                           : QStringLiteral("%1 %2 → %3").arg(what, before, after);
}

/// "size (2, 3) → (3, 2) · stride (3, 1) → (1, 3) · offset stays 0".
QString changes(const View& before, const View& after) {
    return QStringList{change(PaintedText::tr("size"), listText(before.shape), listText(after.shape)),
                       change(PaintedText::tr("stride"), listText(before.stride), listText(after.stride)),
                       change(PaintedText::tr("offset"), QString::number(before.offset), QString::number(after.offset))}
        .join(QStringLiteral(" · "));
}

std::set<Index> slotsOf(const View& view) {
    const auto all = visitedSlots(view, 0, kMovingCells);
    return {all.begin(), all.end()};
}

/// The same pairs of size and stride, in another order.
bool isPermuted(const View& a, const View& b) {
    if (a.shape.size() != b.shape.size() || a.offset != b.offset || (a.shape == b.shape && a.stride == b.stride))
        return false;
    std::vector<std::pair<Index, Index>> left, right;
    for (std::size_t d = 0; d < a.shape.size(); ++d) {
        left.emplace_back(a.shape[d], a.stride[d]);
        right.emplace_back(b.shape[d], b.stride[d]);
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    return left == right;
}

/// Index 0 in every dim of stride 0.
bool isFirstOfItsKind(const View& view, const Dims& coord) {
    for (std::size_t d = 0; d < coord.size(); ++d)
        if (view.stride[d] == 0 && coord[d] > 0) return false;
    return true;
}

Index repeatsOf(const View& view) {
    Index times = 1;
    for (std::size_t d = 0; d < view.shape.size(); ++d)
        if (view.stride[d] == 0) times *= view.shape[d];
    return times;
}

} // namespace

void Planner::addNumbers() {
    const OpRecord& record = m_plan.input.record;
    QString after = changes(record.inputs[0].view, record.outputs[0].view);
    if (record.outputs.size() > 1)
        after = PaintedText::tr("%1 views; the first: %2").arg(record.outputs.size()).arg(after);
    stage(MotionWhat::Numbers, PaintedText::tr("Numbers"),
          PaintedText::tr("Which numbers change: size, stride or offset?"), after + PaintedText::tr(" · 0 B copied"));
}

void Planner::addWindow() {
    const OpRecord& record = m_plan.input.record;
    const int in = inputBoard(0), strip = m_plan.stripOf(m_plan.boards[static_cast<std::size_t>(in)].storage);
    const auto before = slotsOf(record.inputs[0].view);
    std::set<Index> after;
    for (const TensorRecord& made : record.outputs) after.merge(slotsOf(made.view));
    const std::string& name = record.name;
    const bool walks = name == "view" || name == "reshape" || name == "flatten" || name == "unflatten" ||
                       name == "view_as" || name == "ravel" || name == "reshape_as";
    if (walks && before == after && record.inputs[0].view.numel() > 1) {
        stage(MotionWhat::Walk, PaintedText::tr("Walk"), PaintedText::tr("In which order are the cells read?"),
              PaintedText::tr("Both sizes read the strip in one and the same order: no element has to move."), 1.0);
    } else if (before != after || record.outputs.size() > 1) {
        const View& made = record.outputs[0].view;
        stage(MotionWhat::Window, PaintedText::tr("Window"), PaintedText::tr("Which cells of the strip are reached?"),
              PaintedText::tr("%1 of %2 cells are reached; the flag stands at slot %3. None of them moved.")
                  .arg(countText(std::ssize(after)), countText(m_plan.input.storages.front().numel))
                  .arg(made.offset));
    } else {
        return;
    }
    const auto here = static_cast<qreal>(m_plan.stages.size() - 1);
    MotionReach reach;
    reach.strip = strip;
    reach.before = in;
    reach.after = outputBoard(0);
    reach.begin = here;
    reach.end = here + 0.75;
    if (!walks || before != after) m_plan.reaches.push_back(reach);
}

void Planner::addViewCells() {
    const OpRecord& record = m_plan.input.record;
    const View& from = record.inputs[0].view;
    const View& first = record.outputs[0].view;
    const Index repeats = repeatsOf(first);
    Index all = 0;
    for (const TensorRecord& made : record.outputs) all += made.view.numel();
    const auto reached = slotsOf(first);
    QString after;
    if (repeats > 1)
        after = PaintedText::tr("The cells that are stored have their places; stride 0 will show them again.");
    else if (std::ssize(reached) < first.numel())
        after = PaintedText::tr("%1 elements, %2 cells: some are seen more than once, as the strides have it.")
                    .arg(countText(first.numel()), countText(std::ssize(reached)));
    else if (isPermuted(from, first))
        after = PaintedText::tr("The strip is still: dims changed places, each with its size and its stride.");
    else if (all < from.numel())
        after = PaintedText::tr("%1 of %2 elements are in it; the others are still in the storage.")
                    .arg(countText(all), countText(from.numel()));
    else if (from.numel() == first.numel())
        after = PaintedText::tr("The same cells in the same order, under other sizes.");
    else
        after = PaintedText::tr("The same cells, seen another way.");
    stage(MotionWhat::Cells, PaintedText::tr("Cells"), PaintedText::tr("Where does each cell stand in the result?"),
          after, kMove + kStagger + kPause);
    const int strip = m_plan.stripOf(m_plan.boards[static_cast<std::size_t>(inputBoard(0))].storage);
    const Index first0 = strip >= 0 ? m_plan.boards[static_cast<std::size_t>(strip)].first : 0;
    std::vector<MotionCell> ghosts;
    Index number = 0;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const View& made = record.outputs[o].view;
        const int to = outputBoard(o);
        m_plan.boards[static_cast<std::size_t>(to)].appears = static_cast<qreal>(m_plan.stages.size() - 1);
        for (Index k = 0; k < made.numel(); ++k) {
            const Dims coord = coordOfPosition(made, k);
            const Index slot = made.slot(coord);
            if (!isFirstOfItsKind(made, coord)) {
                Dims real = coord;
                for (std::size_t d = 0; d < coord.size(); ++d)
                    if (made.stride[d] == 0) real[d] = 0;
                MotionCell ghost = result(static_cast<int>(o), k, to, positionOf(made.shape, real));
                ghost.look = CellsItem::Look::Ghost;
                ghosts.push_back(ghost);
                continue;
            }
            const InverseHits hits = coordsAt(from, slot, 1);
            const bool there = !hits.coords.empty() && record.inputs[0].dtype == record.outputs[o].dtype;
            MotionCell cell =
                there ? result(static_cast<int>(o), k, inputBoard(0), positionOf(from.shape, hits.coords.front()))
                      : result(static_cast<int>(o), k, strip, slot - first0);
            if (!there && strip < 0) cell = result(static_cast<int>(o), k, to, k);
            move(cell, turn(number++, all / std::max<Index>(repeats, 1)));
        }
    }
    if (ghosts.empty()) return;
    stage(MotionWhat::Ghosts, PaintedText::tr("Repeat"), PaintedText::tr("What does a stride of 0 show?"),
          PaintedText::tr("The index moves, the cell does not: %1 stored, each seen %2 times. 0 B copied.")
              .arg(elementsText(std::ssize(reached)), countText(repeats)));
    Index k = 0;
    for (const MotionCell& ghost : ghosts) move(ghost, turn(k++, std::ssize(ghosts)));
}

void Planner::planView() {
    addNumbers();
    // Their numbers stand there from now on, their places come with the cells.
    addWindow();
    addViewCells();
}

void Planner::planAlias() {
    stage(MotionWhat::Nothing, PaintedText::tr("The same"), PaintedText::tr("Is there anything to do?"),
          PaintedText::tr("No: it is already as asked, and the very same tensor is returned. 0 B copied."));
    for (std::size_t o = 0; o < m_outputBoards.size(); ++o) {
        const Index count = m_plan.input.record.outputs[o].view.numel();
        if (outputBoard(o) == inputBoard(0)) continue;
        for (Index k = 0; k < count; ++k) move(result(static_cast<int>(o), k, inputBoard(0), k), turn(k, count));
    }
}

} // namespace stridescope::motion
