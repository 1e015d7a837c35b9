// The cards: each operand with the ghost cells that its strides of 0 show, and the result that is being computed.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/stroke.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <cmath>

namespace stridescope::broadcast {

namespace {

/// A panel of a card: where it stands, and its indices in the panel dims.
struct Panel {
    Index row = 0, col = 0;
    QPointF at;
};

/// The panels that are seen of a card that shows `shape`.
std::vector<Panel> panelsOf(const Picture& p, const QRectF& card, const Dims& shape) {
    const auto sizeOf = [&](int dim) { return dim >= 0 ? shape[static_cast<std::size_t>(dim)] : Index{1}; };
    std::vector<Panel> panels;
    // More than this cannot be told apart; the first ones stand for all.
    constexpr Index kMost = 256;
    const auto [firstRow, seenRows] = p.cells.panelRowsOf(sizeOf(p.cells.panelRowDim));
    const auto [firstCol, seenCols] = p.cells.panelColsOf(sizeOf(p.cells.panelColDim));
    const Index rows = std::min(seenRows, kMost), cols = std::min(seenCols, kMost);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            panels.push_back({firstRow + row, firstCol + col, card.topLeft() + p.cells.panelAt(row, col)});
    return panels;
}

/// The grid of one panel of `view`, with as many dims as the result.
GridItem gridOf(const Picture& p, const BroadcastOperand& operand, const View& view, const Panel& panel) {
    GridItem grid;
    const std::size_t rank = view.shape.size();
    Dims coord(rank, 0);
    for (std::size_t d = 0; d < p.outer.size(); ++d) coord[d] = view.shape[d] > 1 ? p.outer[d] : 0;
    if (p.cells.panelRowDim >= 0) coord[static_cast<std::size_t>(p.cells.panelRowDim)] = panel.row;
    if (p.cells.panelColDim >= 0) coord[static_cast<std::size_t>(p.cells.panelColDim)] = panel.col;
    grid.rows = rank >= 2 ? view.shape[rank - 2] : 1;
    grid.cols = rank >= 1 ? view.shape[rank - 1] : 1;
    grid.rowStride = rank >= 2 ? view.stride[rank - 2] : 0;
    grid.colStride = rank >= 1 ? view.stride[rank - 1] : 0;
    grid.base = view.numel() == 0 ? view.offset : view.slot(coord); // no cell of an empty view has a slot
    grid.origin = panel.at;
    grid.cell = p.cells.cell;
    const auto [firstRow, rows] = p.cells.rowsOf(grid.rows);
    const auto [firstCol, cols] = p.cells.colsOf(grid.cols);
    grid.firstRow = firstRow;
    grid.firstCol = firstCol;
    grid.area = QRectF(grid.origin, QSizeF(grid.cell.width() * static_cast<qreal>(cols),
                                           grid.cell.height() * static_cast<qreal>(rows)));
    grid.source = operand.tensor;
    grid.colour = operand.colour;
    grid.coord = coord;
    grid.rowDim = rank >= 2 ? static_cast<int>(rank) - 2 : -1;
    grid.colDim = rank >= 1 ? static_cast<int>(rank) - 1 : -1;
    std::tie(grid.heatLow, grid.heatHigh) = heatRange(operand.tensor);
    return grid;
}

void appendFrame(SceneBuilder& out, const QRectF& card, const BroadcastOperand& operand) {
    BoxItem frame;
    frame.rect = card;
    frame.outline = Tone::Ink2;
    frame.style = viewLineStyle(operand.colour);
    frame.width = 2;
    frame.radius = 8;
    out.box(frame);
}

struct Head {
    QString code, pill;
    QString brief; ///< instead of code that is too long
    Glyph sign = Glyph::Chain;
    Dims size, stride;
    bool known = true; ///< else sizes are not told yet
    QString note;
    bool chained = false;
};

/// dtype, size, stride, offset: whole or not at all, and the stride before the others where room is short.
void appendFacts(SceneBuilder& out, QPointF at, qreal right, const BroadcastOperand& operand, const Head& head) {
    struct Fact {
        QString name, value;
        int rank; ///< the highest goes first
        qreal width() const { return textWidth(FontRole::Label, name) + textWidth(FontRole::LabelStrong, value) + 9; }
    };
    std::vector<Fact> facts{{dtypeText(operand.tensor.dtype()), {}, 3}};
    if (head.known) {
        facts.push_back({PaintedText::tr("size "), tupleText(head.size), 2});
        facts.push_back({PaintedText::tr("stride "), tupleText(head.stride), 0});
        if (operand.tensor.storageOffset() != 0)
            facts.push_back({PaintedText::tr("offset "), QString::number(operand.tensor.storageOffset()), 1});
    }
    const auto width = [&facts] {
        qreal sum = 0;
        for (const Fact& fact : facts) sum += fact.width();
        return sum;
    };
    while (facts.size() > 1 && at.x() + width() > right + 9)
        facts.erase(
            std::max_element(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.rank < b.rank; }));
    // Of many dims the tuple alone may be too long: without blanks, and then its beginning.
    Fact& last = facts.back();
    if (facts.size() == 1 && at.x() + width() > right + 9) {
        last.value.remove(QLatin1Char(' '));
        if (at.x() + width() > right + 9)
            last.value =
                wrapText(FontRole::LabelStrong, last.value, right - at.x() - textWidth(FontRole::Label, last.name), 1)
                    .front();
    }
    for (const Fact& fact : facts) {
        at.rx() += out.text(at, fact.name, FontRole::Label, Tone::Ink2);
        at.rx() += out.text(at, fact.value, FontRole::LabelStrong) + 9;
    }
}

void appendHead(SceneBuilder& out, const Picture& p, const QRectF& card, const BroadcastOperand& operand,
                const Head& head) {
    const bool low = p.places.low;
    const qreal left = card.left() + 12;
    appendBadge(out, QPointF(left + 11, card.top() + (low ? 17 : 22)), operand, low ? 20 : 22);
    qreal right = card.right() - 10;
    const qreal pillWidth = textWidth(FontRole::Label, head.pill) + 30;
    const qreal codeWidth = textWidth(FontRole::CodeStrong, head.code);
    if (left + 30 + codeWidth + 10 + pillWidth < right) {
        BoxItem pill;
        pill.rect = QRectF(right - pillWidth, card.top() + (low ? 7 : 12), pillWidth, 20);
        pill.outline = Tone::Control;
        pill.radius = 10;
        out.box(pill);
        out.glyph(head.sign, QPointF(pill.rect.left() + 12, pill.rect.center().y()), 11, Tone::Ink);
        out.text(QPointF(pill.rect.left() + 22, pill.rect.center().y() + 4.2), head.pill, FontRole::Label);
        right = pill.rect.left() - 8;
    }
    TextItem code;
    code.pos = QPointF(left + 30, card.top() + (low ? 22 : 27));
    code.text = head.code;
    if (textWidth(FontRole::CodeStrong, code.text) > right - code.pos.x() && !head.brief.isEmpty())
        code.text = head.brief;
    code.font = FontRole::CodeStrong;
    code.maxWidth = right - code.pos.x();
    out.item(code);
    appendFacts(out, QPointF(left, card.top() + (low ? 41 : 50)), card.right() - 6, operand, head);
    if (low || head.note.isEmpty()) return;
    qreal noteLeft = left;
    if (head.chained) {
        out.glyph(Glyph::Chain, QPointF(left + 7, card.top() + 66), 12, Tone::Ink);
        noteLeft += 19;
    }
    TextItem note;
    note.pos = QPointF(noteLeft, card.top() + 70);
    note.text = head.note;
    note.font = FontRole::Label;
    note.tone = Tone::Ink2;
    note.maxWidth = card.right() - 10 - noteLeft;
    out.item(note);
}

/// Names, sizes and arrows of the last two dims, at the first panel. `shape` is what the card shows now.
void appendAxes(SceneBuilder& out, const Picture& p, const QRectF& card, const Dims& shape, std::size_t missing,
                const std::optional<Dims>& marked) {
    const std::size_t rank = shape.size();
    const QPointF at = card.topLeft() + p.cells.inset;
    const auto axis = [&](std::size_t d, bool vertical) {
        if (d < missing) return;
        const Index size = shape[d];
        const auto [first, seen] = vertical ? p.cells.rowsOf(size) : p.cells.colsOf(size);
        const qreal cell = vertical ? p.cells.cell.height() : p.cells.cell.width();
        const qreal length = std::max(cell * static_cast<qreal>(std::max<Index>(seen, 1)), 24.0);
        const QString text =
            seen < size ? PaintedText::tr("dim %1 · %2–%3 of %4").arg(d).arg(first).arg(first + seen - 1).arg(size)
                        : PaintedText::tr("dim %1 · %2").arg(d).arg(size);
        const Tone tone = Theme::dimTone(static_cast<Index>(d));
        const LineStyle style = d > 3 ? LineStyle::Dashed : LineStyle::Solid;
        const qreal width = textWidth(FontRole::LabelStrong, text);
        if (vertical) {
            const qreal x = at.x() - 22;
            const bool beside = length >= width + 26;
            if (beside)
                out.text(QPointF(x + 3, at.y() + width / 2), text, FontRole::LabelStrong, Tone::Ink, kCentre, 90);
            else if (length >= 30)
                out.text(QPointF(x, at.y() + 9), QString::number(d), FontRole::LabelStrong, Tone::Ink, kCentre);
            const qreal from = beside ? at.y() + width + 6 : at.y() + (length >= 30 ? 14 : 0);
            out.line(QPointF(x, from), QPointF(x, at.y() + length), tone, 3, style, true);
        } else {
            const qreal y = at.y() - 24;
            const qreal shownWidth = std::max(length, width + 8);
            // A line below the name stands higher, for under it come the indices.
            const bool beside = length >= width + 26;
            out.text(QPointF(at.x(), beside ? y + 4 : y), text, FontRole::LabelStrong);
            if (beside)
                out.line(QPointF(at.x() + width + 6, y), QPointF(at.x() + length, y), tone, 3, style, true);
            else
                out.line(QPointF(at.x(), y + 5), QPointF(at.x() + std::min(shownWidth, length), y + 5), tone, 3, style);
        }
        // Index at both ends and at the shown cell.
        const Index last = first + seen - 1;
        std::vector<Index> ticks{first};
        if (seen > 1) ticks.push_back(last);
        const Index mark = marked ? (*marked)[d] : -1;
        if (mark >= size || size == 0) return;
        // Beside the label of a part, which names both ends, there is no room for their digits.
        if (vertical && seen < size) ticks.clear();
        const bool between = mark > first && mark < last, atEnd = mark == first || mark == last;
        if (between || (ticks.empty() && atEnd)) ticks.push_back(mark);
        for (const Index tick : ticks) {
            const bool strong = tick == mark;
            if (!strong && mark >= 0 && static_cast<qreal>(std::abs(tick - mark)) * cell < 16 && tick != mark) continue;
            if (!strong && tick > first && cell * static_cast<qreal>(tick - first) < 16) continue;
            const qreal middle = (static_cast<qreal>(tick - first) + 0.5) * cell;
            const QPointF where =
                vertical ? QPointF(at.x() - 8, at.y() + middle + 4) : QPointF(at.x() + middle, at.y() - 6);
            out.text(where, QString::number(tick), strong ? FontRole::IndexStrong : FontRole::Index,
                     strong ? Tone::Ink : Tone::Ink2, vertical ? kRight : kCentre);
        }
    };
    if (rank >= 2) axis(rank - 2, true);
    if (rank >= 1) axis(rank - 1, false);
}

/// "[i=0, j=1]" above panels where there is room, and the slice of what has none.
void appendPanelNames(SceneBuilder& out, const Picture& p, const QRectF& card, const std::vector<Panel>& panels) {
    // The indices of what is seen of the dims before the last two: of those with panels only where that is a part.
    QStringList indices;
    for (const Index index : p.outer) indices << QString::number(index);
    const auto seen = [&indices](int dim, Index first, Index count, Index all) {
        if (dim < 0) return;
        indices << (count >= all ? QStringLiteral(":")
                    : count == 1 ? QString::number(first)
                                 : QStringLiteral("%1–%2").arg(first).arg(first + count - 1));
    };
    if (p.cells.arePanelsPart()) {
        seen(p.cells.panelRowDim, p.cells.firstPanelRow, p.cells.panelRows, p.cells.allPanelRows);
        seen(p.cells.panelColDim, p.cells.firstPanelCol, p.cells.panelCols, p.cells.allPanelCols);
    }
    if (!indices.isEmpty()) {
        const QString all = indices.join(QStringLiteral(", ")) + QStringLiteral(", …]");
        QString slice = PaintedText::tr("slice [") + all;
        if (textWidth(FontRole::Index, slice) > card.width() - 20) slice = QLatin1Char('[') + all;
        out.text(QPointF(card.right() - 10, card.bottom() - 9), slice, FontRole::Index, Tone::Ink2, kRight);
    }
    if (panels.size() < 2 || p.cells.panelRowDim < 0) return;
    if (p.cells.panel().height() < 24) return;
    for (const Panel& panel : panels) {
        // Beside the first one stand the axes.
        if (panel.col > p.cells.firstPanelCol || panel.row == p.cells.firstPanelRow) continue;
        out.text(QPointF(card.left() + 8, panel.at.y() + p.cells.panel().height() - 3), QString::number(panel.row),
                 FontRole::IndexStrong, Tone::Ink2);
    }
}

std::optional<Dims> shownCoord(const Picture& p) {
    const auto element = p.shown();
    if (!element || p.model.numel() == 0) return std::nullopt;
    return p.model.coordOf(*element);
}

void ring(GridItem& grid, const Dims& coord, MarkKind kind = MarkKind::Ring) {
    for (std::size_t d = 0; d < coord.size(); ++d) {
        const bool inPanel = static_cast<int>(d) == grid.rowDim || static_cast<int>(d) == grid.colDim;
        if (!inPanel && grid.coord[d] != coord[d]) return;
    }
    const Index row = grid.rowDim >= 0 ? coord[static_cast<std::size_t>(grid.rowDim)] : 0;
    const Index col = grid.colDim >= 0 ? coord[static_cast<std::size_t>(grid.colDim)] : 0;
    if (row < grid.rows && col < grid.cols) grid.marks.push_back({row * grid.cols + col, kind});
}

/// Ghost cells on their way out from under the stored ones.
void appendSliding(SceneBuilder& out, const Picture& p, const BroadcastOperand& operand, const QRectF& card) {
    const std::vector<Panel> stored = panelsOf(p, card, operand.aligned.shape);
    std::vector<Panel> all = panelsOf(p, card, operand.stretched.shape);
    const qreal u = p.frame.stretch;
    std::reverse(all.begin(), all.end()); // the stored ones are on top
    for (const Panel& panel : all) {
        const bool rowGhost =
            p.cells.panelRowDim >= 0 && operand.aligned.shape[static_cast<std::size_t>(p.cells.panelRowDim)] == 1;
        const bool colGhost =
            p.cells.panelColDim >= 0 && operand.aligned.shape[static_cast<std::size_t>(p.cells.panelColDim)] == 1;
        const QPointF home = card.topLeft() + p.cells.panelAt(rowGhost ? 0 : panel.row - p.cells.firstPanelRow,
                                                              colGhost ? 0 : panel.col - p.cells.firstPanelCol);
        Panel moved = panel;
        moved.at = home + (panel.at - home) * u;
        GridItem grid = gridOf(p, operand, operand.stretched, moved);
        const GridItem real =
            gridOf(p, operand, operand.aligned, {rowGhost ? 0 : panel.row, colGhost ? 0 : panel.col, moved.at});
        const QSizeF whole = grid.area.size(), own = real.area.size();
        const QSizeF open = own + (whole - own) * u;
        grid.area = QRectF(moved.at, open);
        grid.origin = moved.at - QPointF((whole.width() - open.width()), (whole.height() - open.height()));
        grid.ghost = true;
        grid.colour = operand.colour;
        out.item(grid);
    }
    for (const Panel& panel : stored) out.item(gridOf(p, operand, operand.aligned, panel));
}

} // namespace

namespace {

/// How many cells are stored of what a stride of 0 repeats.
QString storedOf(const BroadcastOperand& operand) {
    const Dims &own = operand.aligned.shape, &all = operand.stretched.shape;
    if (own.size() == 2 && own[1] != all[1] && own[0] == all[0] && own[0] > 1)
        return PaintedText::tr("one stored cell per row");
    if (own.size() == 2 && own[0] != all[0] && own[1] == all[1] && own[1] > 1)
        return PaintedText::tr("one stored cell per column");
    return PaintedText::tr("one stored cell");
}

} // namespace

void appendOperandCard(SceneBuilder& out, const Picture& p, std::size_t index) {
    const BroadcastOperand& operand = p.model.operands[index];
    const QRectF& card = p.places.cards[index];
    appendFrame(out, card, operand);
    const bool stretched = p.stretched() && operand.stretches();
    const std::size_t missing = p.frame.ghosts > 0 ? 0 : p.model.shape.size() - operand.tensor.shape().size();
    Head head;
    head.code = operand.code;
    if (stretched) {
        QString sizes = shapeText(p.model.shape);
        if (sizes.endsWith(QStringLiteral(",)"))) sizes.remove(sizes.size() - 2, 1);
        constexpr qsizetype kShort = 14;
        if (head.code.size() > kShort) head.code = QStringLiteral("(…)");
        head.brief = head.code + QStringLiteral(".expand(…)");
        head.code += QStringLiteral(".expand") + sizes;
        head.pill = PaintedText::tr("view of %1").arg(operand.code.size() > 8 ? PaintedText::tr("it") : operand.code);
    } else {
        head.pill = operand.storageNumber > 0 ? PaintedText::tr("storage #%1").arg(operand.storageNumber)
                                              : PaintedText::tr("temporary");
    }
    head.size = stretched ? operand.stretched.shape : operand.tensor.shape();
    head.stride = stretched ? operand.stretched.stride : operand.tensor.stride();
    if (stretched) {
        QStringList dims;
        for (std::size_t d = 0; d < operand.aligned.shape.size(); ++d)
            if (operand.aligned.shape[d] != operand.stretched.shape[d]) dims << QString::number(d);
        head.note =
            (dims.size() == 1 ? PaintedText::tr("stride 0 in dim %1: ") : PaintedText::tr("stride 0 in dims %1: "))
                .arg(dims.join(QStringLiteral(", "))) +
            storedOf(operand);
        head.chained = true;
    } else if (p.frame.ghosts > 0 && operand.tensor.dim() < static_cast<Index>(p.model.shape.size())) {
        head.note = PaintedText::tr("counts as %1").arg(tupleText(operand.aligned.shape));
    }
    appendHead(out, p, card, operand, head);
    const View& shownView = stretched ? operand.stretched : operand.aligned;
    const std::optional<Dims> coord = shownCoord(p);
    appendAxes(out, p, card, shownView.shape, missing, stretched || p.frame.stretch >= 1 ? coord : std::nullopt);
    if (stretched && p.frame.stretch < 1) {
        appendSliding(out, p, operand, card);
        return;
    }
    if (p.cells.formula && p.frame.stretch >= 1)
        card::appendFormula(out, cardFormula(p.places, card, operand.stretched, coord ? &*coord : nullptr),
                            coord.has_value());
    const std::vector<Panel> panels = panelsOf(p, card, shownView.shape);
    for (const Panel& panel : panels) {
        GridItem grid = gridOf(p, operand, shownView, panel);
        if (coord && p.frame.stretch >= 1) ring(grid, *coord);
        const bool repeated = (p.cells.panelRowDim >= 0 && panel.row > 0 &&
                               shownView.stride[static_cast<std::size_t>(p.cells.panelRowDim)] == 0) ||
                              (p.cells.panelColDim >= 0 && panel.col > 0 &&
                               shownView.stride[static_cast<std::size_t>(p.cells.panelColDim)] == 0);
        grid.ghost = repeated;
        out.item(grid, PartKind::CardCells, static_cast<int>(index));
    }
    appendPanelNames(out, p, card, panels);
}

namespace {

/// Outlines of cells that hold nothing yet, of the rows and columns that are seen.
void appendEmptyCells(SceneBuilder& out, const GridItem& grid, Index firstRow, Index firstCol, Index rows, Index cols) {
    // Boxes one by one: the painter fills their dots as rectangles on the pixel grid. One dotted path of them all would
    // be stroked dot by dot, at a tenth of the speed.
    BoxItem box;
    box.outline = Tone::Ghost;
    box.style = LineStyle::Dotted;
    box.width = 1;
    const QPointF origin(std::round(grid.origin.x()), std::round(grid.origin.y()));
    const bool single = grid.cell.width() >= 12 && grid.cell.height() >= 12 && rows * cols <= kNumberedCells;
    if (!single) {
        box.rect = grid.area.adjusted(0, static_cast<qreal>(firstRow) * grid.cell.height(), 0, 0);
        out.box(box);
        return;
    }
    for (Index row = firstRow; row < rows; ++row) {
        for (Index col = row == firstRow ? firstCol : 0; col < cols; ++col) {
            box.rect = QRectF(origin + QPointF(static_cast<qreal>(col) * grid.cell.width(),
                                               static_cast<qreal>(row) * grid.cell.height()),
                              grid.cell)
                           .adjusted(2, 2, -2, -2);
            out.box(box);
        }
    }
}

/// The computed part of a panel whose first element is `first`: whole rows, and the row that is under way.
void appendComputed(SceneBuilder& out, const Picture& p, GridItem grid, Index first, const std::optional<Dims>& coord) {
    const Index all = grid.rows * grid.cols;
    const Index done = std::clamp<Index>(p.frame.computed - first, 0, all);
    const int part = static_cast<int>(p.model.operands.size());
    const Index rows = grid.cols > 0 ? done / grid.cols : 0, rest = grid.cols > 0 ? done % grid.cols : 0;
    if (coord) ring(grid, *coord);
    if (done == all) {
        out.item(grid, PartKind::CardCells, part);
        return;
    }
    // Of the rows and columns that are seen.
    const auto [firstRow, seenRows] = p.cells.rowsOf(grid.rows);
    const auto [firstCol, seenCols] = p.cells.colsOf(grid.cols);
    const Index wholeRows = std::clamp<Index>(rows - firstRow, 0, seenRows);
    const bool underWay = rows >= firstRow && rows < firstRow + seenRows;
    const Index ofRow = underWay ? std::clamp<Index>(rest - firstCol, 0, seenCols) : 0;
    appendEmptyCells(out, grid, wholeRows, ofRow, seenRows, seenCols);
    GridItem whole = grid;
    whole.area.setHeight(grid.cell.height() * static_cast<qreal>(wholeRows));
    if (ofRow > 0) {
        GridItem row = grid;
        row.marks.clear();
        row.area = QRectF(grid.origin + QPointF(0, whole.area.height()),
                          QSizeF(grid.cell.width() * static_cast<qreal>(ofRow), grid.cell.height()));
        out.item(row);
    }
    if (wholeRows > 0) {
        whole.marks.clear();
        out.item(whole);
    }
    // The ring stands round the cell whether it is there or not.
    for (const CellMark& mark : grid.marks) {
        BoxItem frame;
        const Index down = mark.position / grid.cols - firstRow, right = mark.position % grid.cols - firstCol;
        if (down < 0 || down >= seenRows || right < 0 || right >= seenCols) continue;
        frame.rect = QRectF(grid.origin + QPointF(static_cast<qreal>(right) * grid.cell.width(),
                                                  static_cast<qreal>(down) * grid.cell.height()),
                            grid.cell);
        frame.outline = Tone::Ink;
        frame.width = 3;
        frame.radius = 3;
        frame.halo = true;
        out.box(frame);
    }
    out.hot(grid.area, PartKind::CardCells, part);
}

} // namespace

void appendResultCard(SceneBuilder& out, const Picture& p) {
    const BroadcastOperand& result = p.model.result;
    const QRectF& card = p.places.cards.back();
    appendFrame(out, card, result);
    Head head;
    const QString code =
        p.model.program.inner
            ? p.model.resultName
            : QString::fromStdString(p.model.program.code).mid(static_cast<int>(p.model.program.begin));
    head.code = code;
    head.sign = p.model.inPlace ? Glyph::Chain : Glyph::Plus;
    head.pill = p.model.inPlace ? PaintedText::tr("in place") : PaintedText::tr("new storage");
    head.known = p.allJudged();
    head.size = p.model.shape;
    head.stride = result.tensor.stride();
    const QString all = countText(p.model.numel());
    head.note = !head.known ? PaintedText::tr("the sizes come out of stage 3")
                            : PaintedText::tr("%1 of %2 computed").arg(countText(p.frame.computed), all);
    appendHead(out, p, card, result, head);
    if (!p.allJudged()) return;
    const std::optional<Dims> coord = shownCoord(p);
    if (p.cells.formula)
        card::appendFormula(out, cardFormula(p.places, card, result.tensor.view(), coord ? &*coord : nullptr),
                            coord.has_value());
    appendAxes(out, p, card, p.model.shape, 0, coord);
    const std::vector<Panel> panels = panelsOf(p, card, p.model.shape);
    for (const Panel& panel : panels) {
        GridItem grid = gridOf(p, result, result.tensor.view(), panel);
        const Index first = grid.rows > 0 && grid.cols > 0 ? p.model.elementOf(grid.coord) : 0;
        appendComputed(out, p, std::move(grid), first, coord);
    }
    appendPanelNames(out, p, card, panels);
}

} // namespace stridescope::broadcast
