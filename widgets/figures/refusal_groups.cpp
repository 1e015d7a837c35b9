// Products, joins and writes in place whose sizes do not fit.

#include "core/view/broadcast.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

namespace {

/// Cells in a picture of sizes; above that the parts that fit and do not are one box each.
constexpr Index kMostCells = 600;

/// A matrix as cells of one size; those beyond what fits are hatched.
struct Block {
    QRectF rect;
    Index rows = 1, columns = 1;
    Index fittingRows = 1, fittingColumns = 1;
    Tone fill = Tone::Stage;
};

void appendBlock(SceneBuilder& out, const Block& block) {
    const auto cell = [&](Index row, Index column, Index rows, Index columns, bool fits) {
        const qreal wide = block.rect.width() / static_cast<qreal>(block.columns);
        const qreal high = block.rect.height() / static_cast<qreal>(block.rows);
        BoxItem box;
        box.rect = QRectF(block.rect.left() + static_cast<qreal>(column) * wide,
                          block.rect.top() + static_cast<qreal>(row) * high, static_cast<qreal>(columns) * wide,
                          static_cast<qreal>(rows) * high);
        if (!fits) box.rect.adjust(1, 1, -1, -1);
        box.fill = fits ? block.fill : Tone::Stage;
        box.outline = fits ? Tone::Ink2 : Tone::Error;
        box.hatched = !fits;
        out.box(box);
    };
    if (block.rows * block.columns <= kMostCells) {
        for (Index r = 0; r < block.rows; ++r)
            for (Index c = 0; c < block.columns; ++c)
                cell(r, c, 1, 1, r < block.fittingRows && c < block.fittingColumns);
        return;
    }
    const Index rows = std::min(block.rows, block.fittingRows), columns = std::min(block.columns, block.fittingColumns);
    if (rows > 0 && columns > 0) cell(0, 0, rows, columns, true);
    if (columns < block.columns) cell(0, columns, rows, block.columns - columns, false);
    if (rows < block.rows) cell(rows, 0, block.rows - rows, block.columns, false);
}

QString titleOf(const RefusedOperand& operand, qreal width) {
    return wrapText(FontRole::LabelStrong, operand.name, width, 1).front();
}

/// "the columns of A, 4", "the size of v, 3".
QString innerText(const QString& name, std::size_t ndim, Index size, bool first) {
    if (ndim == 1) return PaintedText::tr("%1 has %2 elements").arg(name, QString::number(size));
    return first ? PaintedText::tr("%1 has %2 columns").arg(name, QString::number(size))
                 : PaintedText::tr("%1 has %2 rows").arg(name, QString::number(size));
}

SizeRow rowOf(const RefusedOperand& operand) {
    return {titleOf(operand, kSizesLeft - 24), operand.shape};
}

} // namespace

Story tellProduct(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    const RefusedOperand &a = in.operands[0], &b = in.operands[1];
    const std::size_t n = a.shape.size(), m = b.shape.size();
    Story story;
    if (n == 0 || m == 0) return story;
    const Index inner = a.shape[n - 1], otherInner = m > 1 ? b.shape[m - 2] : b.shape[0];
    const Index rows = n > 1 ? a.shape[n - 2] : 1, columns = m > 1 ? b.shape[m - 1] : 1;
    if (inner == otherInner) {
        // The matrices fit one another, what stands around them does not.
        y = appendSizeTable(out, y, {rowOf(a), rowOf(b)}, true, PaintedText::tr("none"), [&](std::size_t c) {
            const std::size_t all = std::max(n, m);
            if (c + 2 >= all && n > 1 && m > 1) return false;
            return c < all - n || c < all - m || a.shape[c - (all - n)] != b.shape[c - (all - m)];
        });
        return story;
    }
    constexpr qreal kGap = 14, kLargestCell = 24, kTitle = 18;
    // In a low window the words below it have to be seen as well.
    const qreal wide = std::min<qreal>(in.width - 260, 420), high = in.height > 0 && in.height < 560 ? 70 : 210;
    const qreal cell = std::min({kLargestCell, wide / static_cast<qreal>(std::max<Index>(1, inner + columns)),
                                 high / static_cast<qreal>(std::max<Index>(1, otherInner + rows))});
    const auto sized = [cell](Index count) { return std::max<qreal>(2, cell * static_cast<qreal>(count)); };
    Block left, right;
    left.rows = left.fittingRows = rows;
    left.columns = inner;
    left.fittingColumns = otherInner;
    left.fill = Theme::viewTone(in.entry->colour);
    right.rows = otherInner;
    right.fittingRows = inner;
    right.columns = right.fittingColumns = columns;
    const qreal top = y + kTitle;
    right.rect = QRectF(sized(inner) + kGap, top, sized(columns), sized(otherInner));
    left.rect = QRectF(0, right.rect.bottom() + kGap, sized(inner), sized(rows));
    if (left.rows > 0 && left.columns > 0) appendBlock(out, left);
    if (right.rows > 0 && right.columns > 0) appendBlock(out, right);
    // Where the result would stand.
    BoxItem result;
    result.rect = QRectF(right.rect.left(), left.rect.top(), right.rect.width(), left.rect.height());
    result.outline = Tone::Ghost;
    result.style = LineStyle::Dotted;
    out.box(result);
    const qreal words = right.rect.right() + 24;
    const QString names[2] = {titleOf(a, 160), titleOf(b, 160)};
    out.text(QPointF(right.rect.left(), top - 6), QStringLiteral("%1 · %2").arg(names[1], tupleText(b.shape)),
             FontRole::LabelStrong);
    out.text(QPointF(0, left.rect.bottom() + 17), QStringLiteral("%1 · %2").arg(names[0], tupleText(a.shape)),
             FontRole::LabelStrong);
    const qreal middle = std::max(top + 26, right.rect.bottom() - 8);
    out.glyph(Glyph::Cross, QPointF(words + 8, middle - 4), 16, Tone::Error);
    out.text(QPointF(words + 24, middle), PaintedText::tr("%1 against %2").arg(inner).arg(otherInner),
             FontRole::Heading);
    y = left.rect.bottom() + 30;
    story.reason = PaintedText::tr("%1, %2: each is multiplied with one of the other, so they must be as many.")
                       .arg(innerText(names[0], n, inner, true), innerText(names[1], m, otherInner, false));
    return story;
}

Story tellJoin(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    constexpr std::size_t kMostRows = 5;
    const Dims& first = in.operands[0].shape;
    const auto fits = [&](const Dims& shape) {
        if (shape.size() != first.size()) return false;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (static_cast<Index>(d) != in.joinedDim && shape[d] != first[d]) return false;
        return true;
    };
    // Of many those that do not fit are shown before the others.
    std::vector<SizeRow> rows{rowOf(in.operands[0])};
    std::size_t bad = 0;
    for (std::size_t i = 1; i < in.operands.size(); ++i) {
        if (fits(in.operands[i].shape)) continue;
        if (bad == 0) bad = i;
        if (rows.size() < kMostRows) rows.push_back(rowOf(in.operands[i]));
    }
    const auto shown = rows;
    y = appendSizeTable(out, y, rows, false, PaintedText::tr("none"), [&](std::size_t c) {
        if (static_cast<Index>(c) == in.joinedDim) return false;
        return std::any_of(shown.begin(), shown.end(), [&](const SizeRow& row) {
            return c >= row.sizes.size() || c >= first.size() || row.sizes[c] != first[c];
        });
    });
    Story story;
    if (bad == 0) return story;
    const RefusedOperand& other = in.operands[bad];
    const QString names[2] = {titleOf(in.operands[0], 160), titleOf(other, 160)};
    if (other.shape.size() != first.size()) {
        story.reason = PaintedText::tr("%1 has %2 dims, %3 has %4: what is joined has equally many.")
                           .arg(names[0], QString::number(first.size()), names[1], QString::number(other.shape.size()));
        return story;
    }
    for (std::size_t d = 0; d < first.size(); ++d) {
        if (static_cast<Index>(d) == in.joinedDim || first[d] == other.shape[d]) continue;
        story.reason = in.joinedDim < 0
                           ? PaintedText::tr("At dim %1 %2 has %3 and %4 has %5: what is stacked has equal sizes.")
                           : PaintedText::tr("At dim %1 %2 has %3 and %4 has %5: only along dim %6 may sizes differ.");
        const QString dim = QString::number(d), sizes[2] = {QString::number(first[d]), QString::number(other.shape[d])};
        story.reason = in.joinedDim < 0 ? story.reason.arg(dim, names[0], sizes[0], names[1], sizes[1])
                                        : story.reason.arg(dim, names[0], sizes[0], names[1], sizes[1],
                                                           QString::number(in.joinedDim));
        break;
    }
    return story;
}

Story tellWrite(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    const RefusedOperand &target = in.operands[0], &value = in.operands[1];
    const std::size_t columns = std::max(target.shape.size(), value.shape.size());
    const auto sizeAt = [columns](const Dims& sizes, std::size_t c) {
        const std::size_t missing = columns - std::min(columns, sizes.size());
        return c < missing ? Index{1} : sizes[c - missing];
    };
    y = appendSizeTable(out, y, {rowOf(target), rowOf(value)}, true, PaintedText::tr("none"), [&](std::size_t c) {
        const bool missing = c < columns - target.shape.size();
        return missing || (sizeAt(value.shape, c) != 1 && sizeAt(value.shape, c) != sizeAt(target.shape, c));
    });
    Story story;
    const auto all = broadcastShapes(target.shape, value.shape);
    story.reason = PaintedText::tr("%1 has size %2 and keeps it: written in place, it cannot grow to %3.")
                       .arg(titleOf(target, 160), tupleText(target.shape), tupleText(all ? *all : value.shape));
    return story;
}

} // namespace stridescope::refusal
