#include "widgets/figures/blocks_figure.h"

#include "core/view/inverse.h"
#include "widgets/card/card_layout.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kGap = 44, kRowGap = 28, kArrow = 70, kMargin = 16;
constexpr qreal kFlatCell = 34;
constexpr Index kMostFlatRows = 12, kMostFlatColumns = 24;

/// One figure with its box, drawn with that box's top left at a given place.
struct Placed {
    const BlockFigureItem* item = nullptr;
    QString note;
    bool flat = false;
    BlockInput block;
    BlockLayout layout;
    QMarginsF margins;
    QSizeF picture, size;
    QPointF pos;
    QStringList aside; ///< words beside a repeated block
};

bool hasArrow(const BlockFigureItem& item) {
    return item.arrowBefore || item.sign == QStringLiteral("→");
}

std::vector<Dims> ringCoords(const BlocksFigureInput& input, const BlockFigureItem& item) {
    const Tensor& tensor = item.tensor;
    std::vector<Dims> coords = item.rings;
    if (!tensor.defined() || tensor.storage()->id() != input.ringStorage) return coords;
    for (const Index slot : input.ringSlots) {
        for (const Dims& coord : coordsAt(tensor.view(), slot, 64).coords) coords.push_back(coord);
    }
    return coords;
}

/// Lower ranks are a block of one slice: the same cells, without depth.
View asThreeDims(const View& v) {
    View three = v;
    while (three.dim() < 3) {
        three.shape.insert(0, 1);
        three.stride.insert(0, 1);
    }
    return three;
}

Placed place(const BlocksFigureInput& input, const BlockFigureItem& item) {
    Placed p;
    p.item = &item;
    const View& view = item.tensor.view();
    p.note = item.note;
    if (p.note.isEmpty()) {
        p.note = PaintedText::tr("size %1 · stride %2 · offset %3")
                     .arg(tupleText(view.shape), tupleText(view.stride))
                     .arg(view.offset);
    }
    p.flat = view.dim() < 3;
    p.block.source = item.tensor;
    p.block.view = asThreeDims(view);
    p.block.parent = item.parent && !p.flat ? item.parent : std::nullopt;
    p.block.colour = item.colour;
    for (const QString& name : input.dimNames) p.block.names.push_back(name);
    p.block.rings = ringCoords(input, item);
    for (Dims& coord : p.block.rings) {
        while (coord.size() < 3) coord.insert(0, 0);
    }
    p.layout = layoutBlock(p.block);
    const QRectF bounds = p.layout.bounds();
    if (p.flat) {
        // Arrows left and below, as on a card; no depth arrow.
        const qreal label = textWidth(FontRole::LabelStrong, PaintedText::tr("dim 0 · 0000"));
        p.margins = QMarginsF(view.dim() >= 2 ? label + 26 : 6, 6, 4, 36);
    } else {
        p.margins = blockMargins(p.block, p.layout);
    }
    qreal right = p.margins.right();
    Index times = 1;
    Index cells = 1;
    for (std::size_t d = 0; d < view.shape.size(); ++d) (view.stride[d] == 0 ? times : cells) *= view.shape[d];
    if (times > 1) {
        p.aside = {PaintedText::tr("stride 0:"),
                   cells == 1 ? PaintedText::tr("the same cell") : PaintedText::tr("the same %1 cells").arg(cells),
                   PaintedText::tr("seen %1 times").arg(times)};
        right = std::max(right, textWidth(FontRole::Text, p.aside[1]) + 8 - bounds.width() * 0.25);
        right = std::max(right, 8.0);
    }
    p.picture =
        QSizeF(p.margins.left() + bounds.width() + right, p.margins.top() + bounds.height() + p.margins.bottom());
    p.size = p.picture;
    if (input.captions) {
        const qreal words = std::max(textWidth(FontRole::CellStrong, item.code), textWidth(FontRole::Text, p.note));
        p.size.setWidth(std::max(p.size.width(), std::ceil(words)));
        p.size.rheight() += 46;
    }
    return p;
}

void appendFlatAxes(SceneBuilder& out, const BlocksFigureInput& input, const Placed& p) {
    const View& view = p.item->tensor.view();
    const int rank = static_cast<int>(view.dim());
    if (rank == 0) return;
    const auto text = [&](int dim) {
        QString name = PaintedText::tr("dim %1").arg(dim);
        if (dim < input.dimNames.size() && !input.dimNames[dim].isEmpty())
            name += QStringLiteral(" (%1)").arg(input.dimNames[dim]);
        return name + QStringLiteral(" · %1").arg(view.shape[static_cast<std::size_t>(dim)]);
    };
    const QRectF first = p.layout.cellRect({0, 0, 0});
    const QRectF last = p.layout.cellRect({0, p.layout.shape[1] - 1, p.layout.shape[2] - 1});
    const qreal y = last.bottom() + 13;
    out.line(QPointF(first.left(), y), QPointF(last.right(), y), Theme::dimTone(rank - 1), 3, LineStyle::Solid, true);
    out.text(QPointF((first.left() + last.right()) / 2, y + 19), text(rank - 1), FontRole::LabelStrong, Tone::Ink,
             Qt::AlignHCenter | Qt::AlignBaseline);
    if (rank < 2) return;
    const qreal x = first.left() - 13;
    out.line(QPointF(x, first.top()), QPointF(x, last.bottom()), Theme::dimTone(0), 3, LineStyle::Solid, true);
    out.text(QPointF(x - 9, (first.top() + last.bottom()) / 2), text(0), FontRole::LabelStrong, Tone::Ink,
             Qt::AlignRight | Qt::AlignVCenter);
}

void appendFlat(SceneBuilder& out, const BlocksFigureInput& input, const Placed& p) {
    const View& view = p.block.view;
    const QRectF first = p.layout.cellRect({0, 0, 0});
    GridItem grid;
    grid.rows = view.shape[1];
    grid.cols = view.shape[2];
    grid.cell = p.layout.cell;
    grid.area = out.moved(QRectF(first.topLeft(), QSizeF(grid.cell.width() * static_cast<qreal>(grid.cols),
                                                         grid.cell.height() * static_cast<qreal>(grid.rows))));
    grid.origin = grid.area.topLeft();
    grid.base = view.offset;
    grid.rowStride = view.stride[1];
    grid.colStride = view.stride[2];
    grid.source = p.block.source;
    grid.colour = p.block.colour;
    grid.coord = Dims(p.item->tensor.shape().size(), 0);
    for (const Dims& ring : p.block.rings) grid.marks.push_back({ring[1] * grid.cols + ring[2], MarkKind::Ring, 0});
    out.item(grid, PartKind::CardCells, 0);
    appendFlatAxes(out, input, p);
}

void appendLegend(SceneBuilder& out, const BlocksFigureInput& input, QPointF at, bool ghosts) {
    if (!input.ringCaption.isEmpty()) {
        appendRing(out, QRectF(at.x(), at.y(), 44, 18));
        out.text(at + QPointF(56, 14), input.ringCaption, FontRole::Text);
        at.rx() += 56 + textWidth(FontRole::Text, input.ringCaption) + 36;
    }
    if (ghosts) {
        BoxItem ghost;
        ghost.rect = QRectF(at.x(), at.y(), 18, 18);
        ghost.outline = Tone::Ghost;
        ghost.style = LineStyle::Dotted;
        ghost.width = 1.3;
        ghost.radius = 2;
        out.box(ghost);
        out.text(at + QPointF(28, 14), PaintedText::tr("left out by narrow, still in the storage"), FontRole::Text);
    }
}

} // namespace

bool fitsBlocksFigure(const View& view) {
    if (view.dim() == 3) return fitsBlocks(view);
    // Flat ones hide nothing: they may be as large as a slide has room for.
    const View flat = asThreeDims(view);
    return view.dim() < 3 && view.numel() > 0 && flat.shape[1] <= kMostFlatRows && flat.shape[2] <= kMostFlatColumns;
}

Result<Scene> blocksFigureScene(const BlocksFigureInput& input) {
    std::vector<Placed> placed;
    for (const BlockFigureItem& item : input.items) {
        if (!item.tensor.defined() || !fitsBlocksFigure(item.tensor.view())) {
            Refusal refusal;
            refusal.kind = ErrorKind::Value;
            refusal.id = "FIG-01";
            refusal.message = "blocks show 3 dims of at most (4, 4, 6) elements, or 2 of at most (12, 24); " +
                              item.code.toStdString() + " is " +
                              (item.tensor.defined() ? toString(item.tensor.shape()) : std::string("undefined"));
            refusal.hint = "Narrow it first, or draw it as grids.";
            return refusal;
        }
        placed.push_back(place(input, item));
    }

    // Rows of figures; the pictures of one row stand on one line.
    Scene scene;
    scene.title = PaintedText::tr("Tensors as blocks");
    qreal width = 0;
    qreal y = kMargin;
    std::size_t begin = 0;
    bool ghosts = false;
    while (begin < placed.size()) {
        std::size_t end = begin;
        qreal x = kMargin;
        qreal tallest = 0;
        qreal rowHeight = 0;
        while (end < placed.size()) {
            Placed& p = placed[end];
            const qreal lead = end == begin ? 0 : kGap + (hasArrow(*p.item) ? kArrow : 0);
            if (end > begin && x + lead + p.size.width() > input.maxWidth - kMargin) break;
            p.pos.setX(x + lead);
            x += lead + p.size.width();
            tallest = std::max(tallest, p.picture.height());
            rowHeight = std::max(rowHeight, p.size.height() - p.picture.height());
            ++end;
        }
        for (std::size_t i = begin; i < end; ++i) placed[i].pos.setY(y + tallest - placed[i].picture.height());
        width = std::max(width, x + kMargin);
        y += tallest + rowHeight + kRowGap;
        begin = end;
    }
    for (std::size_t i = 0; i < placed.size(); ++i) {
        Placed& p = placed[i];
        SceneBuilder out(scene, {}, static_cast<TensorId>(i) + 1, p.item->tensor.storage()->id());
        p.block.tensor = static_cast<TensorId>(i) + 1;
        const QRectF bounds = p.layout.bounds();
        const qreal slack = (p.size.width() - p.picture.width()) / 2;
        p.layout.origin += p.pos + QPointF(slack + p.margins.left(), p.margins.top()) - bounds.topLeft();
        const QRectF drawn = p.layout.bounds();
        if (p.flat)
            appendFlat(out, input, p);
        else
            appendBlock(out, p.block, p.layout);
        ghosts = ghosts || !(p.layout.frame == p.layout.shape);
        if (!p.aside.isEmpty()) {
            const qreal left = drawn.left() + drawn.width() * 0.75 + 8;
            QPointF at(left, drawn.bottom() - 44);
            for (const QString& line : p.aside) {
                out.text(at, line, &line == &p.aside.front() ? FontRole::LabelStrong : FontRole::Text);
                at.ry() += 18;
            }
        }
        if (!p.item->sign.isEmpty() && !hasArrow(*p.item) && i > 0) {
            // The sign goes with its figure into the next row.
            const bool beside = placed[i - 1].pos.x() < p.pos.x();
            const qreal signX = beside ? p.pos.x() - kGap / 2 : kMargin / 2;
            const qreal signY = (beside ? placed[i - 1] : p).layout.bounds().center().y();
            out.text(QPointF(signX, signY), p.item->sign, FontRole::CellStrong, Tone::Ink,
                     Qt::AlignHCenter | Qt::AlignVCenter);
        }
        if (hasArrow(*p.item) && i > 0 && placed[i - 1].pos.x() < p.pos.x()) {
            const qreal middle = placed[i - 1].layout.bounds().center().y();
            out.line(QPointF(p.pos.x() - kArrow - kGap / 2 + 8, middle), QPointF(p.pos.x() - kGap / 2 - 8, middle),
                     Tone::Ink, 2.2, LineStyle::Solid, true);
        }
        if (input.captions) {
            const QPointF caption(p.pos.x() + p.size.width() / 2, p.pos.y() + p.picture.height() + 20);
            out.text(caption, p.item->code, FontRole::CellStrong, Tone::Ink, Qt::AlignHCenter | Qt::AlignBaseline);
            out.text(caption + QPointF(0, 21), p.note, FontRole::Text, Tone::Ink2,
                     Qt::AlignHCenter | Qt::AlignBaseline);
        }
    }
    const bool ringed = !input.ringSlots.empty() || std::any_of(input.items.begin(), input.items.end(),
                                                                [](const auto& item) { return !item.rings.empty(); });
    const bool legend = input.captions && (ghosts || (!input.ringCaption.isEmpty() && ringed));
    if (legend) {
        SceneBuilder out(scene);
        appendLegend(out, input, QPointF(kMargin, y), ghosts);
        qreal need =
            kMargin * 2 + (input.ringCaption.isEmpty() ? 0 : 92 + textWidth(FontRole::Text, input.ringCaption));
        if (ghosts) need += 28 + textWidth(FontRole::Text, PaintedText::tr("left out by narrow, still in the storage"));
        width = std::max(width, need);
        y += 18 + kRowGap;
    }
    scene.size = QSizeF(std::ceil(width), std::ceil(y - kRowGap + kMargin));
    return scene;
}

} // namespace stridescope
