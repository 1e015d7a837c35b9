// Cells that several elements share, and walks backwards.

#include "core/view/legal_ranges.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/reach_marks.h"

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

static QString elementName(const QString& name, const std::vector<Index>& coord) {
    QString text = name + QLatin1Char('[');
    for (std::size_t d = 0; d < coord.size(); ++d)
        text += (d ? QStringLiteral(", ") : QString()) + QString::number(coord[d]);
    return text + QLatin1Char(']');
}

Story tellOverlap(SceneBuilder& out, const RefusalFigureInput& in, const SelfOverlap& d, qreal& y) {
    CardInput card;
    card.entry = in.entry;
    card.parent = in.parent;
    card.storageNumber = in.storageNumber;
    card.compact = true;
    card.note = false; // the reason below says it
    card.maxSize = QSizeF(in.width, 320);
    Pick pick;
    pick.storageId = in.entry->tensor.storage()->id();
    pick.slot = d.slot;
    pick.tensor = in.entry->id;
    for (const Index c : d.first) pick.coord.push_back(c);
    card.shown = pick;
    CardLayout layout = layoutCard(card);
    layout.pos = out.moved(QPointF(0, y));
    appendCard(out.scene(), layout);
    Story story;
    story.beside = QRectF(QPointF(layout.size.width(), y), QPointF(in.width, y + layout.size.height()));
    y += layout.size.height() + 34;
    FigureStripInput input;
    input.source = in.entry->tensor;
    input.storageNumber = in.storageNumber;
    input.sharedBy = in.sharers;
    input.lowest = input.highest = d.slot;
    StripReach reach;
    reach.tensor = in.entry->id;
    reach.colour = in.entry->colour;
    reach.view = in.entry->tensor.view();
    input.reach = reach;
    input.marks.push_back({d.slot, MarkKind::Ring, 0});
    const FigureStrip strip = layoutStrip(input, QPointF(0, y), in.width);
    // Both elements reach down to the one cell.
    const auto coordOf = [](const std::vector<Index>& numbers) {
        Dims coord;
        for (const Index n : numbers) coord.push_back(n);
        return coord;
    };
    for (const std::vector<Index>& numbers : {d.first, d.second}) {
        const auto cell = layout.cellRect(coordOf(numbers));
        if (!cell || !strip.shows(d.slot)) continue;
        const QPointF from = cell->bottomRight() - out.moved(QPointF(0, 0));
        const QPointF to(strip.cell(d.slot).center().x(), strip.top() - 2);
        PathItem link;
        link.path.moveTo(from);
        link.path.lineTo(QPointF(from.x(), layout.size.height() + layout.pos.y() - out.moved(QPointF(0, 0)).y()));
        const QPointF port = link.path.currentPosition();
        link.path.cubicTo(port + QPointF(0, 18), to - QPointF(0, 18), to);
        link.casing = true;
        out.path(link);
    }
    const qreal below = appendStrip(out, input, strip);
    y = std::max(strip.bottom() + 52, below + 6);
    const QString name = in.entry->name;
    story.reason =
        PaintedText::tr("%1 and %2 are the same storage cell, index %3: writing both at once has no single answer.")
            .arg(elementName(name, d.first), elementName(name, d.second))
            .arg(d.slot);
    if (copyRefused(in.entry->tensor, in.entry->tensor.numel()).isEmpty())
        story.ways.push_back(
            {name + QStringLiteral(".clone()"),
             PaintedText::tr("a copy with a cell for every element, +%1").arg(bytesText(in.entry->tensor.nbytes()))});
    return story;
}

Story tellNegative(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    Story story;
    story.reason = PaintedText::tr(
        "PyTorch's strides are 0 or more. Backwards is a copy: flip() gives the elements in that order.");
    const auto walked = in.attempted ? reach(*in.attempted) : Result<Reach>(Reach{});
    if (!in.attempted || !walked || walked->empty()) return story;
    const View& wanted = *in.attempted;
    const Index last = in.entry->tensor.storageNumel() - 1;
    std::size_t dim = 0;
    while (dim + 1 < wanted.stride.size() && wanted.stride[dim] >= 0) ++dim;
    const Index step = wanted.stride[dim];

    constexpr Index kMost = 8; // hatched cells
    FigureStripInput input;
    input.source = in.entry->tensor;
    input.storageNumber = in.storageNumber;
    input.sharedBy = in.sharers;
    input.wanted = wanted;
    input.lowest = std::clamp<Index>(std::max(walked->lowest, wanted.offset - kMost * -step), 0, last);
    input.highest = std::clamp<Index>(wanted.offset, 0, last);
    // Forwards, too, it could not go so far. One end is drawn, the words tell of both.
    const bool before = walked->lowest<0, after = walked->highest> last;
    if (before) {
        input.outOfRange = {std::max(walked->lowest, -kMost), 0};
    } else if (after) {
        input.outOfRange = {last + 1, std::min(walked->highest, last + kMost) + 1};
        if (!ReachQuery(wanted).any(input.outOfRange)) input.wanted.reset();
    }
    if (before) story.reason += PaintedText::tr(" This walk goes below slot 0, to %1, too.").arg(walked->lowest);
    if (after)
        story.reason +=
            PaintedText::tr(" It would also need slot %1, and the last one is %2.").arg(walked->highest).arg(last);
    StripReach reached;
    reached.tensor = in.entry->id;
    reached.colour = in.entry->colour;
    reached.view = wanted;
    input.reach = reached;
    FigureStrip strip;
    qreal below = 0;
    if (after && !before) {
        const FailingStrip drawn =
            appendFailingStrip(out, std::move(input), QPointF(0, y + 56), in.width, walked->highest);
        strip = drawn.strip;
        below = drawn.below;
    } else {
        strip = layoutStrip(input, QPointF(0, y + 56), in.width);
        below = appendStrip(out, input, strip);
    }
    story.showsStorage = true;
    const auto inSight = [&](Index slot) {
        return strip.cell(slot).intersects(strip.layout.area.adjusted(2, 0, -2, 0));
    };
    for (Index i = 0; i + 1 < wanted.shape[dim] && i < 2 * kMost; ++i) {
        const Index from = wanted.offset + i * step;
        if (!inSight(from) || !inSight(from + step)) continue;
        const QRectF a = strip.cell(from);
        const QRectF b = strip.cell(from + step);
        out.arc(QPointF(a.center().x() - 3, a.top() - 3), QPointF(b.center().x() + 3, b.top() - 3), 16, Tone::Error,
                2.5, LineStyle::Solid, true);
        if (i == 0 || a.center().x() - b.center().x() > 40)
            out.text(QPointF((a.center().x() + b.center().x()) / 2, a.top() - 27), stepText(step), FontRole::MetaStrong,
                     Tone::Ink, kCentre);
    }
    y = std::max(strip.bottom() + 52, below + 6);
    return story;
}

/// A walk backwards along a dim: what a negative stride would be.
Story tellBackwards(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    const std::vector<Index> numbers = callNumbers(in.code);
    const View& view = in.entry->tensor.view();
    Index dim = 0;
    if (in.refusal.id == "VIEW-29" && !numbers.empty()) dim = numbers[0] < 0 ? numbers[0] + view.dim() : numbers[0];
    Story story;
    story.reason =
        PaintedText::tr("Going backwards needs a negative stride, and PyTorch has none: a reversed tensor is a copy.");
    if (dim < 0 || dim >= view.dim() || view.numel() == 0) return story;
    const Index size = std::min<Index>(view.shape[static_cast<std::size_t>(dim)], 12);
    const Index stride = view.stride[static_cast<std::size_t>(dim)];
    constexpr qreal kCell = 44;
    const qreal left = 150;
    const qreal top = y + 44;
    out.text(QPointF(0, top + 21),
             PaintedText::tr("dim %1 · %2").arg(dim).arg(view.shape[static_cast<std::size_t>(dim)]),
             FontRole::LabelStrong);
    out.line(QPointF(80, top + 17), QPointF(136, top + 17), Theme::dimTone(dim), 3, LineStyle::Solid, true);
    for (Index i = 0; i < size; ++i) {
        const QRectF cell(left + static_cast<qreal>(i) * kCell, top, kCell, 34);
        BoxItem box;
        box.rect = cell;
        box.fill = Theme::viewTone(in.entry->colour);
        box.outline = Tone::Ink2;
        out.box(box);
        out.text(cell.center() + QPointF(0, 4.6), valueText(in.entry->tensor, view.offset + i * stride), FontRole::Meta,
                 Tone::OnView, kCentre);
        if (i > 0) {
            out.arc(QPointF(cell.center().x() - 3, top - 3), QPointF(cell.center().x() - kCell + 3, top - 3), 15,
                    Tone::Error, 2.5, LineStyle::Solid, false);
            out.text(QPointF(cell.left(), top - 24), stepText(-stride), FontRole::MetaStrong, Tone::Ink, kCentre);
        }
    }
    if (size < view.shape[static_cast<std::size_t>(dim)]) {
        out.text(QPointF(left + static_cast<qreal>(size) * kCell + 8, top + 22), QStringLiteral("…"), FontRole::Meta,
                 Tone::Ink2);
    }
    y = top + 52;
    return story;
}

} // namespace stridescope::refusal
