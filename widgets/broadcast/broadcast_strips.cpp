// The storages: what is stored once, who sees it, and the one new storage.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace stridescope::broadcast {

namespace {

/// A window of the storage, with `slot` in it.
StripLayout windowOn(const Tensor& source, const QRectF& room, Index slot) {
    StripLayout layout;
    layout.cellCount = source.storageNumel();
    layout.perRow = std::max<Index>(layout.cellCount, 1);
    const Index fits = std::max<Index>(1, static_cast<Index>(room.width() / kNumberWidth));
    const Index shown = std::min(layout.perRow, fits);
    layout.cellWidth = std::floor(std::min(44.0, room.width() / static_cast<qreal>(shown)));
    layout.cellHeight = room.height();
    layout.rowPitch = room.height() + 20;
    layout.firstColumn = std::clamp<Index>(slot - shown / 2, 0, std::max<Index>(0, layout.perRow - shown));
    layout.area = QRectF(room.topLeft(), QSizeF(layout.cellWidth * static_cast<qreal>(shown), room.height()));
    return layout;
}

/// From the shown cell over its siblings, down the grid line, out at the card's lower edge and to the stored cell.
void appendLink(SceneBuilder& out, const Picture& p, std::size_t index, Index element, const QRectF& stored) {
    const BroadcastOperand& operand = p.model.operands[index];
    const QRectF& card = p.places.cards[index];
    const Dims coord = p.model.coordOf(element);
    const auto cell = cellRect(p, card, coord);
    if (!cell) return;
    const QPointF from = cell->bottomRight(), port(from.x(), card.bottom());
    const std::size_t rank = coord.size();
    // The bus through cells that are the same stored one.
    const bool across = rank >= 1 && operand.stretched.stride[rank - 1] == 0 && p.model.shape[rank - 1] > 1;
    const bool down = rank >= 2 && operand.stretched.stride[rank - 2] == 0 && p.model.shape[rank - 2] > 1;
    const auto bus = [&](std::size_t dim) {
        // Of those that are seen.
        const auto [first, count] =
            dim + 1 == rank ? p.cells.colsOf(p.model.shape[dim]) : p.cells.rowsOf(p.model.shape[dim]);
        const Index last = first + count - 1;
        Dims one = coord;
        const auto pointAt = [&](Index i) {
            one[dim] = i;
            const QRectF rect = *cellRect(p, card, one);
            return dim + 1 == rank ? QPointF(rect.center().x(), from.y()) : QPointF(from.x(), rect.center().y());
        };
        out.line(pointAt(first), pointAt(last), Tone::Ink, 2);
        if (count > 24) return;
        for (Index i = first; i <= last; ++i) {
            PathItem dot;
            const bool own = i == coord[dim];
            dot.path.addEllipse(pointAt(i), own ? 4.5 : 3.5, own ? 4.5 : 3.5);
            dot.fill = own ? Tone::Ink : Tone::Stage;
            dot.width = 1.6;
            out.path(dot);
        }
    };
    PathItem wire;
    wire.path.moveTo(from);
    wire.path.lineTo(port);
    wire.casing = true;
    out.path(wire);
    PathItem curve;
    const QPointF to(stored.center().x(), stored.top() - 4);
    const qreal pull = (to.y() - port.y()) * 0.55;
    curve.path.moveTo(port);
    curve.path.cubicTo(port + QPointF(0, pull), to - QPointF(0, pull), to);
    curve.casing = true;
    curve.arrow = true;
    out.path(curve);
    if (across) bus(rank - 1);
    if (down) bus(rank - 2);
    appendBadge(out, port, operand, 16);
}

/// How many elements of the result read one stored cell.
Index seenTimes(const Picture& p, const BroadcastOperand& operand) {
    Index times = 1;
    for (std::size_t d = 0; d < p.model.shape.size(); ++d)
        if (operand.stretched.stride[d] == 0) times *= p.model.shape[d];
    return times;
}

/// Name, elements, bytes and the cells that are shown: as much of it as there is room for, the first things first.
QString storageLabel(const Tensor& tensor, int number, const QString& cells, qreal width) {
    QStringList words{number > 0 ? PaintedText::tr("storage #%1").arg(number) : PaintedText::tr("temporary storage")};
    const QString elements = QStringLiteral("%1 × %2").arg(countText(tensor.storageNumel()), dtypeText(tensor.dtype()));
    for (const QString& more : {cells, elements, bytesText(static_cast<quint64>(tensor.storage()->bytes()))}) {
        if (more.isEmpty()) continue;
        QStringList longer = words;
        // The cells come last where all have room.
        longer.insert(more != cells && !cells.isEmpty() && words.size() > 1 ? words.size() - 1 : words.size(), more);
        if (textWidth(FontRole::Label, longer.join(QStringLiteral(" · "))) > width) break;
        words = longer;
    }
    return words.join(QStringLiteral(" · "));
}

} // namespace

void appendOperandStrip(SceneBuilder& out, const Picture& p, std::size_t index) {
    const BroadcastOperand& operand = p.model.operands[index];
    const QRectF& room = p.places.strips[index];
    const auto element = p.model.numel() > 0 ? p.shown() : std::nullopt;
    const std::optional<Index> slot =
        element && p.frame.stretch >= 1 ? std::optional(p.model.slotOf(operand, *element)) : std::nullopt;
    StripItem item;
    item.layout = windowOn(operand.tensor, room, slot.value_or(operand.tensor.storageOffset()));
    const StripLayout layout = item.layout;
    item.source = operand.tensor;
    item.storageId = operand.tensor.storage()->id();
    item.reach = StripReach{0, operand.colour, operand.tensor.view()};
    std::tie(item.heatLow, item.heatHigh) = heatRange(operand.tensor);
    if (slot) item.marks.push_back({*slot, MarkKind::Ring});
    out.item(item, PartKind::StripCells, static_cast<int>(index));
    const Index shown = static_cast<Index>(std::lround(layout.area.width() / std::max(layout.cellWidth, 1.0)));
    const bool part = shown < operand.tensor.storageNumel();
    const QString cells =
        part ? PaintedText::tr("cells %1 – %2").arg(layout.firstColumn).arg(layout.firstColumn + shown - 1) : QString();
    TextItem text;
    text.pos = QPointF(room.left(), room.bottom() + 31);
    text.text = storageLabel(operand.tensor, operand.storageNumber, cells, room.width());
    text.font = FontRole::Label;
    text.tone = Tone::Ink2;
    text.maxWidth = room.width() + 18;
    out.item(text);
    if (!slot) {
        if (p.stretched() && operand.stretches())
            out.text(QPointF(room.left(), room.top() - 10),
                     wrapText(FontRole::LabelStrong, PaintedText::tr("the strip is as it was: 0 B copied"),
                              room.width() + 18, 1)
                         .front(),
                     FontRole::LabelStrong);
        return;
    }
    appendLink(out, p, index, *element, layout.cellRect(*slot));
    const Index times = seenTimes(p, operand);
    if (times <= 1 || p.places.low) return;
    const QString words = PaintedText::tr("%1 cells, 1 stored").arg(countText(times));
    const qreal width = textWidth(FontRole::LabelStrong, words);
    const qreal x = layout.cellRect(*slot).center().x();
    const auto cell = cellRect(p, p.places.cards[index], p.model.coordOf(*element));
    const bool curveRight = cell && cell->right() > x;
    const qreal left = curveRight ? std::max(room.left(), x - 14 - width) : x + 14;
    const bool clear = curveRight ? left + width < x - 6 : left + width < room.right() + 10;
    if (clear) out.text(QPointF(left, room.top() - 8), words, FontRole::LabelStrong);
}

namespace {

/// Which element of a dense view lies in a slot.
Index elementAt(const BroadcastModel& model, const View& dense, Index slot) {
    std::vector<std::size_t> order(dense.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return dense.stride[a] > dense.stride[b]; });
    Dims coord(dense.shape.size(), 0);
    Index rest = slot - dense.offset;
    for (const std::size_t d : order) {
        if (dense.shape[d] < 2) continue;
        coord[d] = rest / dense.stride[d];
        rest %= dense.stride[d];
    }
    return model.elementOf(coord);
}

/// White cells with three dots where nothing was written yet, over the finished strip.
void appendUnwritten(SceneBuilder& out, const Picture& p, const FigureStrip& strip) {
    for (Index slot = strip.first; slot < strip.first + strip.count; ++slot) {
        if (elementAt(p.model, p.model.result.tensor.view(), slot) < p.frame.computed) continue;
        BoxItem box;
        box.rect = strip.cell(slot);
        box.fill = Tone::Stage;
        box.outline = Tone::Control;
        out.box(box);
        if (box.rect.width() < 20) continue;
        PathItem dots;
        dots.path = glyphPath(Glyph::Dots, box.rect.center(), 14);
        dots.stroke = Tone::None;
        dots.fill = Tone::Ink2;
        out.path(dots);
    }
}

void appendRowBrackets(SceneBuilder& out, const Picture& p, const FigureStrip& strip) {
    const Index perRow = p.model.shape.empty() ? 0 : p.model.shape.back();
    if (p.places.low || p.model.numel() == 0 || p.model.shape.size() < 2 || perRow < 2) return;
    const qreal y = strip.bottom() + 18;
    for (Index first = strip.first / perRow * perRow; first < strip.first + strip.count; first += perRow) {
        const qreal a = strip.cell(std::max(first, strip.first)).left() + 2;
        const qreal b = strip.cell(std::min(first + perRow, strip.first + strip.count) - 1).right() - 2;
        PathItem bracket;
        bracket.path.moveTo(a, y);
        bracket.path.lineTo(a, y + 5);
        bracket.path.lineTo(b, y + 5);
        bracket.path.lineTo(b, y);
        bracket.stroke = Tone::Control;
        bracket.width = 1.5;
        out.path(bracket);
        const QString name = PaintedText::tr("row %1").arg(first / perRow);
        if (b - a > textWidth(FontRole::Label, name))
            out.text(QPointF((a + b) / 2, y + 19), name, FontRole::Label, Tone::Ink2, kCentre);
    }
}

/// The storage that an in-place line writes into: old elements, and over them the new ones that are there.
void appendOverwritten(SceneBuilder& out, const Picture& p, FigureStripInput input, QPointF at, qreal width) {
    const BroadcastOperand& target = p.model.operands[*p.model.program.target];
    const auto element = p.model.numel() > 0 ? p.shown() : std::nullopt;
    input.source = target.tensor;
    input.reach = StripReach{0, target.colour, target.tensor.view()};
    input.marks.clear();
    input.lowest = input.highest = element ? p.model.slotOf(target, *element) : target.tensor.storageOffset();
    const FigureStrip strip = layoutStrip(input, at, width);
    appendStrip(out, input, strip);
    const Index known = p.model.program.computed ? std::min<Index>(p.frame.computed, kNumberedCells) : 0;
    for (Index i = 0; i < known && !strip.coloured(); ++i) {
        const Index slot = p.model.slotOf(target, i);
        if (!strip.shows(slot)) continue;
        BoxItem box;
        box.rect = strip.cell(slot);
        box.fill = Theme::viewTone(target.colour);
        box.outline = Tone::Ink2;
        out.box(box);
        const Index there = p.model.result.tensor.view().slot(p.model.coordOf(i));
        out.text(box.rect.center() + QPointF(0, 5), valueText(p.model.result.tensor, there), FontRole::CellStrong,
                 Tone::OnView, kCentre);
    }
    if (!element || !strip.shows(input.lowest)) return;
    BoxItem ring;
    ring.rect = strip.cell(input.lowest);
    ring.outline = Tone::Ink;
    ring.width = 3;
    ring.radius = 3;
    ring.halo = true;
    out.box(ring);
}

} // namespace

void appendResultStrip(SceneBuilder& out, const Picture& p) {
    if (!p.allJudged()) return;
    const BroadcastOperand& result = p.model.result;
    const QRectF& room = p.places.resultStrip;
    const auto element = p.model.numel() > 0 ? p.shown() : std::nullopt;
    FigureStripInput input;
    input.source = result.tensor;
    input.storageNumber = result.storageNumber;
    input.reach = StripReach{0, result.colour, result.tensor.view()};
    const Index at = element ? result.tensor.view().slot(p.model.coordOf(*element)) : 0;
    input.lowest = input.highest = at;
    if (element) input.marks.push_back({at, MarkKind::Ring});
    const qreal title = p.places.low ? 0 : 20;
    if (title > 0) {
        const QString words =
            p.model.inPlace ? PaintedText::tr("Written into the storage of %1: no new memory").arg(p.model.resultName)
            : p.model.betweenBytes > 0 ? PaintedText::tr("New memory: results, also in between")
                                       : PaintedText::tr("Only the result gets new memory");
        out.text(QPointF(room.left(), room.top() + 6), words, FontRole::LabelStrong);
    }
    if (p.model.inPlace) {
        appendOverwritten(out, p, input, room.topLeft() + QPointF(0, title - 4), room.width());
        return;
    }
    const FigureStrip strip = layoutStrip(input, QPointF(room.left(), room.top() + title - 4), room.width());
    appendStrip(out, input, strip);
    if (p.frame.computed < p.model.numel()) appendUnwritten(out, p, strip);
    if (result.tensor.isContiguous()) appendRowBrackets(out, p, strip);
}

} // namespace stridescope::broadcast
