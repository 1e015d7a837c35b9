// Elements that are computed of others: pointwise, reductions, products.

#include "core/view/walk.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_planner.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope::motion {

namespace {

/// Cells that pass in one stage, at most.
constexpr Index kPassing = kMovingCells;

} // namespace

bool Planner::groups(std::vector<std::vector<Index>>& found) const {
    if (auto equal = equalGroups(m_plan.input)) {
        found = std::move(*equal);
        return true;
    }
    const OpRecord& record = m_plan.input.record;
    if (record.inputs.size() != 1 || record.outputs.empty()) return false;
    const View &from = record.inputs[0].view, &made = record.outputs[0].view;
    const Index n = from.numel(), m = made.numel();
    if (n > kMovingCells || m > kMovingCells || m == 0 || n < m) return false;
    Index all = 0;
    for (Index k = 0; k < m; ++k) {
        const Sources sources = sourcesOf(record, 0, coordOfPosition(made, k));
        if (sources.kind != SourceKind::All && sources.kind != SourceKind::Chosen) return false;
        if (sources.boxes.size() != 1) return false;
        found.push_back(positionsIn(from.shape, sources.boxes[0], kMovingCells));
        all += std::ssize(found.back());
        if (all > n) return false;
    }
    return all == n;
}

void Planner::planCompute() {
    addStorage();
    const OpRecord& record = m_plan.input.record;
    Index all = 0;
    QStringList counts;
    for (const TensorRecord& made : record.outputs) {
        all += made.view.numel();
        counts << elementsText(made.view.numel());
    }
    bool told = true;
    for (std::size_t o = 0; o < record.outputs.size() && told && all > 0; ++o)
        told = sourcesOf(record, o, Dims(record.outputs[o].view.shape.size(), 0)).kind != SourceKind::Mixed;
    stage(MotionWhat::Cells, PaintedText::tr("Compute"), PaintedText::tr("Which elements have a part in each result?"),
          told ? PaintedText::tr("%1 computed; the operands are as they were.").arg(listOf(counts))
               : PaintedText::tr("%1 computed. Anything in the operands may have had a part in each of them.")
                     .arg(listOf(counts)),
          kMove + kStagger + kPause);
    Index number = 0, passed = 0;
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const View& made = record.outputs[o].view;
        for (Index k = 0; k < made.numel(); ++k, ++number) {
            const auto when = turn(number, all);
            const MotionCell cell = result(static_cast<int>(o), k, outputBoard(o), k);
            write(cell.storage, cell.slot, when.second);
            const Sources sources = sourcesOf(record, o, coordOfPosition(made, k));
            for (const SourceBox& box : sources.boxes) {
                if (sources.kind == SourceKind::Mixed) break;
                const View& side = record.inputs[box.input].view;
                for (const Index from : positionsIn(side.shape, box, kPassing - passed)) {
                    MotionCell passing = cell;
                    passing.result = passing.after = false;
                    passing.fromBoard = static_cast<quint8>(inputBoard(box.input));
                    passing.from = from;
                    passing.colour = static_cast<qint8>(m_plan.boards[passing.fromBoard].tensor.colour);
                    passing.storage = static_cast<qint16>(storageOf(record.inputs[box.input]));
                    passing.slot = side.slot(coordOfPosition(side, from));
                    move(passing, when);
                    ++passed;
                }
            }
            move(cell, {when.second, when.second});
        }
    }
}

void Planner::planReduce() {
    std::vector<std::vector<Index>> found;
    groups(found);
    const OpRecord& record = m_plan.input.record;
    const View &from = record.inputs[0].view, &made = record.outputs[0].view;
    const Index n = from.numel(), m = made.numel();
    m_plan.group = found.front();
    const bool equal = equalGroups(m_plan.input).has_value();
    const QString each = equal
                             ? PaintedText::tr("%1 groups of equal elements: each makes one result.").arg(countText(m))
                         : m == 1 ? PaintedText::tr("All %1 make one result.").arg(elementsText(n))
                                  : PaintedText::tr("%1 groups of %2: each makes one result.")
                                        .arg(countText(m), elementsText(std::ssize(found.front())));
    stage(MotionWhat::Groups, PaintedText::tr("Groups"), PaintedText::tr("Which elements make one result together?"),
          each);
    addStorage();
    Index slide = 0;
    for (const auto& group : found) slide = std::max(slide, static_cast<Index>(std::ssize(group)));
    stage(MotionWhat::Slide, PaintedText::tr("Slide"),
          equal ? PaintedText::tr("Where do equal elements go?") : PaintedText::tr("Which dim goes away?"),
          !equal && made.shape.size() == from.shape.size()
              ? PaintedText::tr("Each group stands in one place; keepdim leaves a dim of size 1: size %1.")
                    .arg(listText(made.shape))
              : PaintedText::tr("Each group stands in one place: size %1 → %2.")
                    .arg(listText(from.shape), listText(made.shape)),
          kMove + kStagger + kPause);
    const int in = inputBoard(0);
    const auto here = static_cast<qreal>(m_plan.stages.size() - 1);
    m_plan.veils.push_back({in, here, here + 1});
    for (Index i = slide; i-- > 0;) { // the last ones below
        for (const auto& group : found) {
            if (i >= std::ssize(group)) continue;
            MotionCell cell;
            cell.fromBoard = cell.toBoard = static_cast<quint8>(in);
            cell.from = group[static_cast<std::size_t>(i)];
            cell.to = group.front();
            cell.waits = true;
            cell.colour = static_cast<qint8>(m_plan.boards[static_cast<std::size_t>(in)].tensor.colour);
            cell.storage = static_cast<qint16>(storageOf(record.inputs[0]));
            cell.slot = from.slot(coordOfPosition(from, cell.from));
            // All set out together: those that are farther away are on their way for longer.
            move(cell, {0, (kMove + kStagger * static_cast<qreal>(i) / static_cast<qreal>(std::max<Index>(slide, 1))) /
                               (kMove + kStagger + kPause)});
        }
    }
    QStringList counts;
    for (const TensorRecord& output : record.outputs) counts << elementsText(output.view.numel());
    stage(MotionWhat::Cells, PaintedText::tr("Result"), PaintedText::tr("What is left of each group?"),
          record.outputs.size() == 1
              ? PaintedText::tr("%1 in a new storage; the input is as it was.").arg(elementsText(m))
              : PaintedText::tr("%1 in new storages; the input is as it was.").arg(listOf(counts)),
          kMove + kStagger + kPause);
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const Dims& shape = record.outputs[o].view.shape;
        // Which group each element belongs to: a result for each element, not for each group.
        const bool inverse =
            equal && o == 1 && record.arguments.find("return_inverse=True") != std::string::npos && shape == from.shape;
        const bool same = !inverse && shape == made.shape;
        for (Index k = 0; k < record.outputs[o].view.numel(); ++k) {
            const auto when = turn(k, record.outputs[o].view.numel());
            const MotionCell cell = same
                                        ? result(static_cast<int>(o), k, in, found[static_cast<std::size_t>(k)].front())
                                    : inverse ? result(static_cast<int>(o), k, in, k)
                                              : result(static_cast<int>(o), k, outputBoard(o), k);
            write(cell.storage, cell.slot, when.second);
            move(cell, when);
        }
    }
}

void Planner::planProduct() {
    const OpRecord& record = m_plan.input.record;
    const View &a = record.inputs[0].view, &b = record.inputs[1].view, &c = record.outputs[0].view;
    // x @ x has one card for both, and no corner.
    const bool corner = inputBoard(0) != inputBoard(1);
    const Index shared = a.shape.empty() ? 1 : a.shape[a.shape.size() - 1];
    if (corner) {
        m_plan.boards[static_cast<std::size_t>(inputBoard(0))].role = MotionBoard::Role::Left;
        m_plan.boards[static_cast<std::size_t>(inputBoard(1))].role = MotionBoard::Role::Above;
        m_plan.boards[static_cast<std::size_t>(outputBoard(0))].role = MotionBoard::Role::Corner;
    }
    stage(MotionWhat::Corner, PaintedText::tr("Corner"), PaintedText::tr("Do the inner sizes agree?"),
          PaintedText::tr("%1 @ %2 → %3: the inner sizes are both %4, and that dim goes away.")
              .arg(listText(a.shape), listText(b.shape), listText(c.shape))
              .arg(shared));
    addStorage();
    const auto pass = [&](Index k, std::pair<qreal, qreal> when, Index& left) {
        const MotionCell cell = result(0, k, outputBoard(0), k);
        const Sources sources = sourcesOf(record, 0, coordOfPosition(c, k));
        std::vector<Index> sides[2];
        for (const SourceBox& box : sources.boxes)
            sides[box.input == 0 ? 0 : 1] = positionsIn(record.inputs[box.input].view.shape, box, left);
        const Index pairs = std::max(std::ssize(sides[0]), std::ssize(sides[1]));
        for (Index i = 0; i < pairs; ++i) {
            for (std::size_t side = 0; side < 2; ++side) {
                if (i >= std::ssize(sides[side]) || left <= 0) continue;
                const View& view = record.inputs[side].view;
                MotionCell passing = cell;
                passing.result = passing.after = false;
                passing.fromBoard = static_cast<quint8>(inputBoard(side));
                passing.from = sides[side][static_cast<std::size_t>(i)];
                passing.colour = static_cast<qint8>(m_plan.boards[passing.fromBoard].tensor.colour);
                passing.storage = static_cast<qint16>(storageOf(record.inputs[side]));
                passing.slot = view.slot(coordOfPosition(view, passing.from));
                const qreal length = when.second - when.first;
                const qreal late = pairs > 1 ? 0.5 * static_cast<qreal>(i) / static_cast<qreal>(pairs - 1) : 0;
                move(passing, {when.first + late * length, when.first + (late + 0.5) * length});
                --left;
            }
        }
        write(cell.storage, cell.slot, when.second);
        move(cell, {when.second, when.second});
    };
    Index left = kPassing;
    if (c.numel() > 0) {
        QStringList terms;
        const Sources sources = sourcesOf(record, 0, Dims(c.shape.size(), 0));
        constexpr Index kTerms = 6;
        const auto textOf = [&](std::size_t side, Index i) -> QString {
            for (const SourceBox& box : sources.boxes) {
                if (box.input != side) continue;
                const View& view = record.inputs[side].view;
                const int storage = storageOf(record.inputs[side]);
                const Index position = positionsIn(view.shape, box, kTerms)[static_cast<std::size_t>(i)];
                return valueText(m_plan.input.storages[static_cast<std::size_t>(storage)].before,
                                 view.slot(coordOfPosition(view, position)));
            }
            return {};
        };
        for (Index i = 0; !sources.boxes.empty() && i < std::min(shared, kTerms); ++i)
            terms << textOf(0, i) + QStringLiteral("·") + textOf(1, i);
        if (shared > kTerms) terms << QStringLiteral("…");
        const MotionCell cell = result(0, 0, outputBoard(0), 0);
        const QString value = valueText(m_plan.input.storages[static_cast<std::size_t>(cell.storage)].after, cell.slot);
        stage(MotionWhat::First, PaintedText::tr("First element"),
              PaintedText::tr("Which row and which column make the first element?"),
              terms.isEmpty() ? PaintedText::tr("A sum of nothing: %1.").arg(value)
                              : QStringLiteral("%1 = %2").arg(terms.join(QStringLiteral(" + ")), value),
              1.0);
        pass(0, {0, 0.85}, left);
    }
    if (c.numel() == 1) return;
    stage(MotionWhat::Cells, PaintedText::tr("All"), PaintedText::tr("And the others?"),
          PaintedText::tr("%1 computed, %2 products each; the operands are as they were.")
              .arg(elementsText(c.numel()), countText(shared)),
          kMove + kStagger + kPause);
    left = kPassing;
    for (Index k = 1; k < c.numel(); ++k) pass(k, turn(k - 1, c.numel() - 1), left);
}

} // namespace stridescope::motion
