// A card's layout as nodes of a scene.

#include "core/view/inverse.h"
#include "widgets/card/card_parts.h"
#include "widgets/card/formula.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/stroke.h"

#include <tuple>

namespace stridescope {

namespace {

using namespace card;

constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;
constexpr Qt::Alignment kMiddle = Qt::AlignHCenter | Qt::AlignVCenter;

/// How the tensor came from its parent.
void appendPill(SceneBuilder& out, const CardLayout& card) {
    if (card.pill.isEmpty()) return;
    BoxItem pill;
    pill.rect = card.pill;
    pill.outline = Tone::Control;
    pill.radius = card.pill.height() / 2;
    if (card.input.preview) pill.style = LineStyle::Dashed;
    out.box(pill);
    const bool base = !card.input.preview && card.input.entry->origin == Origin::Base;
    const qreal closer = card.input.brief ? 2 : 0; // everything is, in a brief head
    if (!base) {
        const Glyph sign = card.input.entry->origin == Origin::Copy ? Glyph::Copy : Glyph::Chain;
        out.glyph(sign, QPointF(card.pill.left() + 12 - closer, card.pill.center().y()), 12, Tone::Ink);
    }
    out.text(QPointF(card.pill.left() + (base ? 9 - closer : 22 - 2 * closer), card.pill.center().y() + 4.2),
             card.pillText, FontRole::Label);
}

void appendHeader(SceneBuilder& out, const CardLayout& card) {
    const TensorEntry& entry = *card.input.entry;
    out.hot(card.header, PartKind::CardHeader);
    out.badge(card.badge, entry, 22, PartKind::CardBadge);
    qreal y = card.code.y();
    for (const QString& line : card.codeLines) {
        out.text(QPointF(card.code.x(), y), line, FontRole::CodeStrong);
        y += 17;
    }
    appendPill(out, card);
    for (const TextItem& item : card.texts) out.text(item.pos, item.text, item.font, item.tone, item.anchor);
    if (!card.contiguityGlyph.isNull())
        out.glyph(card.contiguous ? Glyph::Check : Glyph::Cross, card.contiguityGlyph, 14,
                  card.contiguous ? Tone::Right : Tone::Error);
    const auto appendChip = [&out](const CardChip& chip) {
        BoxItem box;
        box.rect = chip.rect;
        box.fill = chip.on ? Tone::Selected : Tone::None;
        box.outline = Tone::Control;
        box.radius = 4;
        out.box(box, PartKind::CardMode, chip.index);
        out.text(chip.rect.center() + QPointF(0, 4.2), chip.text, FontRole::Label, Tone::Ink, kCentre);
    };
    for (const CardChip& chip : card.chips) appendChip(chip);
    for (const CardChip& chip : card.colours) appendChip(chip);
}

/// Its arrow and its label; nothing of one that has its numbers alone.
void appendArrow(SceneBuilder& out, const CardLayout& card, const CardAxis& axis) {
    if (axis.text.isEmpty()) return;
    PathItem arrow;
    arrow.path.moveTo(axis.from);
    arrow.path.lineTo(axis.to);
    arrow.stroke = Theme::dimTone(axis.dim);
    arrow.style = axis.dim > 3 ? LineStyle::Dashed : LineStyle::Solid;
    arrow.width = 3;
    arrow.arrow = true;
    out.path(arrow);
    // Inside a panel the cells themselves are chained; dims of panels may show one of them only.
    const bool inside = axis.dim == card.rowDim || axis.dim == card.colDim;
    if (!inside && axis.size > 1 && card.view.stride[static_cast<std::size_t>(axis.dim)] == 0) {
        const QPointF middle = (axis.from + axis.to) / 2;
        BoxItem ground;
        ground.rect = QRectF(middle - QPointF(9, 9), QSizeF(18, 18));
        ground.fill = Tone::Stage;
        ground.radius = 9;
        out.box(ground);
        out.glyph(Glyph::Chain, middle, 14, Tone::Ink);
    }
    out.text(axis.label, axis.text, FontRole::LabelStrong, Tone::Ink, kMiddle, axis.vertical ? 90 : 0);
}

void appendAxes(SceneBuilder& out, const CardLayout& card) {
    for (const CardAxis& axis : card.axes) {
        appendArrow(out, card, axis);
        for (const AxisTick& tick : axis.ticks) {
            out.text(tick.at, QString::number(tick.index), tick.strong ? FontRole::IndexStrong : FontRole::Index,
                     tick.strong ? Tone::Ink : Tone::Ink2, axis.vertical ? Qt::AlignRight | Qt::AlignVCenter : kCentre);
        }
        if (!axis.hot.isEmpty()) out.hot(axis.hot, PartKind::CardDim, axis.dim);
    }
}

void appendSliders(SceneBuilder& out, const CardLayout& card) {
    for (const CardSlider& slider : card.sliders) {
        out.text(slider.labelAt, slider.label, FontRole::LabelStrong);
        const qreal y = slider.track.center().y();
        out.line(QPointF(slider.track.left(), y), QPointF(slider.track.right(), y), Theme::dimTone(slider.dim), 3,
                 slider.dim > 3 ? LineStyle::Dashed : LineStyle::Solid);
        const qreal share =
            slider.size > 1 ? static_cast<qreal>(slider.value) / static_cast<qreal>(slider.size - 1) : 0;
        BoxItem knob;
        knob.rect = QRectF(slider.track.left() + share * slider.track.width() - 7.5, y - 7.5, 15, 15);
        knob.fill = Tone::Stage;
        knob.outline = Tone::Ink;
        knob.width = 2;
        knob.radius = 7.5;
        out.box(knob);
        out.text(slider.valueAt, slider.valueText, FontRole::MetaStrong);
        if (slider.size > 1 && card.view.stride[static_cast<std::size_t>(slider.dim)] == 0) {
            const qreal end = slider.valueAt.x() + textWidth(FontRole::MetaStrong, slider.valueText);
            out.glyph(Glyph::Chain, QPointF(end + 12, y), 14, Tone::Ink);
        }
        out.hot(slider.track.adjusted(-8, -2, 8, 2), PartKind::CardSlider, slider.dim);
    }
}

void appendPanels(SceneBuilder& out, const CardLayout& card) {
    const View& view = card.view;
    const std::unordered_map<Index, Index> counts =
        card.picture ? std::unordered_map<Index, Index>() : overlapCounts(view);
    for (std::size_t p = 0; p < card.panels.size(); ++p) {
        const CardPanel& panel = card.panels[p];
        if (!panel.label.isEmpty()) out.text(panel.labelAt, panel.label, FontRole::Meta, Tone::Ink2);
        GridItem grid;
        grid.area = out.moved(panel.area);
        grid.origin = grid.area.topLeft();
        grid.cell = card.cell;
        grid.rows = view.numel() == 0 ? 0 : card.rows;
        grid.cols = view.numel() == 0 ? 0 : card.cols;
        grid.firstRow = card.firstRow;
        grid.firstCol = card.firstCol;
        if (view.numel() > 0) {
            Dims first = panel.coord;
            if (card.channelDim >= 0) first[static_cast<std::size_t>(card.channelDim)] = 0;
            grid.base = view.slot(std::span<const Index>(first.data(), first.size()));
        }
        grid.rowStride = card.rowDim < 0 ? 0 : view.stride[static_cast<std::size_t>(card.rowDim)];
        grid.colStride = card.colDim < 0 ? 0 : view.stride[static_cast<std::size_t>(card.colDim)];
        grid.source = card.input.entry->tensor;
        grid.colour = card.input.entry->colour;
        grid.text = card.input.text;
        grid.heat = card.picture;
        grid.heatLow = card.heatLow;
        grid.heatHigh = card.heatHigh;
        grid.grey = card.channel >= 0;
        if (card.channelDim >= 0) {
            grid.channels = static_cast<int>(view.shape[static_cast<std::size_t>(card.channelDim)]);
            grid.channelStride = view.stride[static_cast<std::size_t>(card.channelDim)];
        }
        grid.ghost = card.input.preview.has_value();
        grid.repeats = panel.repeats;
        grid.tensor = card.input.entry->id;
        grid.coord = panel.coord;
        grid.rowDim = card.rowDim;
        grid.colDim = card.colDim;
        if (!counts.empty()) {
            for (Index r = card.firstRow; r < card.firstRow + card.shownRows; ++r) {
                for (Index c = card.firstCol; c < card.firstCol + card.shownCols; ++c) {
                    const auto found = counts.find(grid.base + r * grid.rowStride + c * grid.colStride);
                    if (found != counts.end())
                        grid.marks.push_back({r * card.cols + c, MarkKind::Count, found->second});
                }
            }
        }
        for (std::size_t i = card.rings.size(); i-- > 0;) {
            const Dims& ring = card.rings[i];
            bool here = true;
            for (std::size_t d = 0; d < ring.size(); ++d) {
                here = here && (card.isInPanel(static_cast<int>(d)) || ring[d] == panel.coord[d]);
            }
            if (!here) continue;
            const Index row = card.rowDim < 0 ? 0 : ring[static_cast<std::size_t>(card.rowDim)];
            const Index col = card.colDim < 0 ? 0 : ring[static_cast<std::size_t>(card.colDim)];
            grid.marks.push_back({row * card.cols + col, i == 0 ? MarkKind::Ring : MarkKind::SoftRing, 0});
        }
        out.item(grid, PartKind::CardCells, static_cast<int>(p));
        if (panel.repeats) {
            // Beside the first panel stand the indices of its rows: there the chain goes between two of them.
            if (p == 0 && card.rowDim >= 0)
                out.glyph(Glyph::Chain, panel.area.topLeft() + QPointF(-10, card.cell.height()), 12, Tone::Ink);
            else
                out.glyph(Glyph::Chain, QPointF(panel.area.left() - 10, panel.area.center().y()), 16, Tone::Ink);
        }
        if (view.numel() == 0) continue;
        // Both ends of both dims can be pulled: to narrow inwards, to expand outwards.
        const QRectF& a = panel.area;
        if (card.rowDim >= 0) {
            out.hot(QRectF(a.left(), a.top() - 5, a.width(), 5), PartKind::CardEdge, 2 * card.rowDim);
            out.hot(QRectF(a.left(), a.bottom(), a.width(), 6), PartKind::CardEdge, 2 * card.rowDim + 1);
        }
        if (card.colDim >= 0) {
            out.hot(QRectF(a.left() - 5, a.top(), 5, a.height()), PartKind::CardEdge, 2 * card.colDim);
            out.hot(QRectF(a.right(), a.top(), 6, a.height()), PartKind::CardEdge, 2 * card.colDim + 1);
        }
    }
}

} // namespace

void appendCard(Scene& scene, const CardLayout& card) {
    const TensorEntry& entry = *card.input.entry;
    SceneBuilder out(scene, card.pos, entry.id, entry.tensor.defined() ? entry.tensor.storage()->id() : 0);
    BoxItem frame;
    frame.rect = QRectF(QPointF(0, 0), card.size);
    frame.fill = Tone::Stage;
    frame.outline = card.input.selected ? Tone::Ink : Tone::Ink2;
    frame.style = card.input.preview ? LineStyle::Dotted : viewLineStyle(entry.colour);
    frame.width = 2;
    frame.radius = 8;
    out.box(frame, PartKind::CardFrame);
    appendHeader(out, card);
    appendFormula(out, card.formula, !card.rings.empty());
    appendSliders(out, card);
    if (card.block)
        appendBlock(out, blockInputOf(card), *card.block);
    else
        appendPanels(out, card);
    appendAxes(out, card);
    if (card.colourBar) {
        ColourBarItem bar;
        bar.rect = out.moved(*card.colourBar);
        if (card.channel < 0) {
            std::tie(bar.below, bar.above) = beyondHeat(card.input.entry->tensor);
            bar.only = onlyValue(card.input.entry->tensor);
        }
        bar.odd = card.odd;
        bar.low = card.heatLow;
        bar.high = card.heatHigh;
        bar.signedValues = card.heatLow < 0;
        bar.grey = card.channel >= 0;
        out.item(bar);
    }
}

} // namespace stridescope
