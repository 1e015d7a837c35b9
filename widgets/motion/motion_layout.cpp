#include "widgets/motion/motion_layout.h"

#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kAxis = 26, kBetween = 34, kArrowRoom = 46, kPanelGap = 20;
constexpr qreal kStripGap = 12, kIndexRoom = 18;

/// The frame that stands for cells where there are none, with "0 elements" in it.
constexpr QSizeF kNoCells(96, 32);

using Role = MotionBoard::Role;

/// Cells from which on they are tried, the largest first.
constexpr qreal kWidths[] = {72, 66, 60, 54, 48, 44, 42, 40, 38, 36, 34, 31, 28, 25,
                             22, 19, 16, 14, 12, 10, 8,  7,  6,  5,  4,  3,  2};

/// The cells of cards in that order. Before they get too low for letters they are flat: what has many rows keeps its
/// numbers.
std::vector<QSizeF> cellSizes() {
    constexpr qreal kLetters = 13, kFlatFrom = 25;
    std::vector<QSizeF> sizes;
    for (const qreal width : kWidths) {
        sizes.emplace_back(width, std::max(2.0, std::floor(width * 32 / 44)));
        if (width == kFlatFrom)
            for (const qreal flat : {28.0, 25.0}) sizes.emplace_back(flat, kLetters);
    }
    return sizes;
}

/// Vectors and extent of the cells of a shape. From the right: columns, rows, then panels beside and under one
/// another in turn; `under`: the panels of three dims stand under one another.
QSizeF place(const Dims& shape, QSizeF cell, bool under, std::vector<QPointF>& steps) {
    steps.assign(shape.size(), QPointF());
    qreal width = cell.width(), height = cell.height();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t d = shape.size() - 1 - i;
        const bool beside = i == 0 || (i >= 2 && (i % 2 == 0) != (under && i == 2));
        const qreal gap = i < 2 ? 0 : kPanelGap * static_cast<qreal>(i / 2);
        const auto more = static_cast<qreal>(std::max<Index>(shape[d], 1) - 1);
        if (beside) {
            steps[d] = QPointF(width + gap, 0);
            width += more * (width + gap);
        } else {
            steps[d] = QPointF(0, height + gap);
            height += more * (height + gap);
        }
    }
    return {width, height};
}

qreal headerWidth(const MotionBoard& board) {
    const View& view = board.tensor.record.view;
    const qreal numbers = std::max(textWidth(FontRole::MetaStrong, shapeText(view.shape)),
                                   textWidth(FontRole::MetaStrong, shapeText(view.stride)));
    const QString name = board.tensor.name;
    const qreal title = std::min(textWidth(FontRole::Heading, name), 190.0);
    return std::max({54 + numbers, 34 + title, 150.0});
}

bool isShownCard(const MotionBoard& board) {
    return board.kind == MotionBoard::Kind::Card;
}

class Arranger {
public:
    Arranger(const MotionPlan& plan, MotionLayout& layout) : m_plan(plan), m_layout(layout) {}

    void arrange() {
        m_layout.boards.resize(m_plan.boards.size());
        placeStrips();
        const bool corner = std::any_of(m_plan.boards.begin(), m_plan.boards.end(),
                                        [](const MotionBoard& board) { return board.role == Role::Corner; });
        if (corner && m_plan.cells) {
            for (const QSizeF cell : cellSizes())
                if (placeCorner(cell)) break;
            return; // the last ones stay where even they are too large
        }
        // One row of cards, or two where that gives larger cells.
        for (const QSizeF cell : cellSizes()) {
            if (placeCards(cell, 1, false) || placeCards(cell, 1, true)) return;
            if (placeCards(cell, 2, false) || placeCards(cell, 2, true)) return;
        }
    }

private:
    std::vector<std::size_t> cards() const {
        std::vector<std::size_t> all;
        for (std::size_t b = 0; b < m_plan.boards.size(); ++b)
            if (isShownCard(m_plan.boards[b])) all.push_back(b);
        return all;
    }

    void placeStrips() {
        const QRectF page(MotionLayout::kMargin, MotionLayout::kBand, m_layout.size.width() - 2 * MotionLayout::kMargin,
                          m_layout.size.height() - MotionLayout::kBand - 16);
        std::vector<std::size_t> all;
        for (std::size_t b = 0; b < m_plan.boards.size(); ++b)
            if (!isShownCard(m_plan.boards[b])) all.push_back(b);
        const qreal room = page.width() - MotionLayout::kHandle - 14;
        qreal total = 0;
        constexpr qreal kLargest = 54;
        for (const qreal width : kWidths) {
            if (width > kLargest) continue;
            total = 0;
            for (const std::size_t b : all) {
                BoardPlace& at = m_layout.boards[b];
                at.cell = {width, std::max(3.0, std::floor(width * 0.82))};
                at.index = width >= 25;
                at.rowPitch = at.cell.height() + (at.index ? kIndexRoom : 3);
                at.perRow = std::max<Index>(1, static_cast<Index>(room / width));
                const Index count = m_plan.cells ? m_plan.boards[b].count : 1;
                const Index rows = std::max<Index>(1, (count + at.perRow - 1) / at.perRow);
                at.extent = {static_cast<qreal>(std::min(at.perRow, count)) * width,
                             static_cast<qreal>(rows) * at.rowPitch};
                if (m_plan.cells && count == 0) at.extent = kNoCells;
                total += std::max(at.extent.height(), 46.0) + kStripGap;
            }
            // A row for each is always granted.
            if (total <= std::max(page.height() * 0.3, 64.0 * static_cast<qreal>(all.size()))) break;
        }
        qreal y = page.bottom() - total + kStripGap;
        m_layout.strips = QRectF(page.left(), y, page.width(), page.bottom() - y);
        for (const std::size_t b : all) {
            BoardPlace& at = m_layout.boards[b];
            at.header = QPointF(page.left(), y);
            at.origin = QPointF(page.left() + MotionLayout::kHandle + 14, y);
            at.from = {};
            y += std::max(at.extent.height(), 46.0) + kStripGap;
        }
        m_layout.cards = QRectF(page.left(), page.top(), page.width(), m_layout.strips.top() - page.top() - 34);
    }

    bool placeCards(QSizeF cell, std::size_t rows, bool under) {
        const auto all = cards();
        if (rows > 1 && all.size() < 3) return false;
        const std::size_t perRow = (all.size() + rows - 1) / rows;
        qreal y = m_layout.cards.top(), widest = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            qreal x = m_layout.cards.left(), tallest = 0;
            for (std::size_t i = row * perRow; i < std::min(all.size(), (row + 1) * perRow); ++i) {
                const MotionBoard& board = m_plan.boards[all[i]];
                BoardPlace& at = m_layout.boards[all[i]];
                at.cell = cell;
                at.extent =
                    m_plan.cells ? place(board.tensor.record.view.shape, cell, under, at.steps) : QSizeF(210, 84);
                if (m_plan.cells && board.tensor.record.view.numel() == 0) at.extent = at.extent.expandedTo(kNoCells);
                if (!m_plan.cells) at.steps.assign(board.tensor.record.view.shape.size(), QPointF());
                const bool first = i == row * perRow;
                const bool arrow = !first && board.output >= 0 && m_plan.boards[all[i - 1]].output < 0;
                if (!first) x += arrow ? kArrowRoom + kBetween : kBetween;
                at.header = QPointF(x, y);
                at.origin = QPointF(x + kAxis, y + MotionLayout::kHeader + kAxis);
                at.from = {};
                x += std::max(kAxis + at.extent.width(), headerWidth(board));
                tallest = std::max(tallest, MotionLayout::kHeader + kAxis + at.extent.height());
            }
            widest = std::max(widest, x);
            y += tallest + 18;
        }
        return widest <= m_layout.cards.right() && y - 18 <= m_layout.cards.bottom();
    }

    /// Operands round the corner; products of a batch stand side by side.
    bool placeCorner(QSizeF cell) {
        std::size_t left = 0, above = 0, made = 0;
        for (std::size_t b = 0; b < m_plan.boards.size(); ++b) {
            if (m_plan.boards[b].role == Role::Left) left = b;
            if (m_plan.boards[b].role == Role::Above) above = b;
            if (m_plan.boards[b].role == Role::Corner) made = b;
        }
        const auto shapeOf = [&](std::size_t b) { return m_plan.boards[b].tensor.record.view.shape; };
        const Dims a = shapeOf(left), b = shapeOf(above), c = shapeOf(made);
        const Index shared = a.empty() ? 1 : a[a.size() - 1];
        const Index rows = a.size() > 1 ? a[a.size() - 2] : 1, columns = b.size() > 1 ? b[b.size() - 1] : 1;
        const auto wide = [&](Index n) { return cell.width() * static_cast<qreal>(std::max<Index>(n, 1)); };
        const auto high = [&](Index n) { return cell.height() * static_cast<qreal>(std::max<Index>(n, 1)); };
        const std::size_t batchDims = c.size() - (a.size() > 1 ? 1 : 0) - (b.size() > 1 ? 1 : 0);
        Index batches = 1;
        for (std::size_t d = 0; d < batchDims; ++d) batches *= std::max<Index>(c[d], 1);
        constexpr qreal kGap = 16;
        const qreal quadrant = std::max(kAxis + wide(shared), headerWidth(m_plan.boards[left]));
        const qreal top = std::max(kAxis + high(shared), MotionLayout::kHeader + 8);
        const qreal pitch = wide(shared) + kGap + wide(columns) + 2 * kGap;
        const QPointF corner(m_layout.cards.left() + quadrant + kGap, m_layout.cards.top() + top + kGap);
        const auto put = [&](std::size_t board, QPointF origin, const Dims& shape, bool hasRows, bool hasColumns) {
            BoardPlace& at = m_layout.boards[board];
            at.cell = cell;
            at.origin = origin;
            at.steps.assign(shape.size(), QPointF());
            std::size_t end = shape.size();
            if (hasColumns && end > 0) at.steps[--end] = QPointF(cell.width(), 0);
            if (hasRows && end > 0) at.steps[--end] = QPointF(0, cell.height());
            // Dims of the batch: groups in reading order.
            qreal step = pitch;
            for (std::size_t d = end; d-- > 0;) {
                at.steps[d] = QPointF(step, 0);
                step *= static_cast<qreal>(std::max<Index>(shape[d], 1));
            }
            const qreal groups = step / pitch - 1;
            at.extent = QSizeF((hasColumns ? wide(shape[shape.size() - 1]) : cell.width()) + groups * pitch,
                               hasRows ? high(shape[shape.size() - (hasColumns ? 2 : 1)]) : cell.height());
        };
        put(left, QPointF(corner.x() - kGap - wide(shared), corner.y()), a, a.size() > 1, true);
        put(above, QPointF(corner.x(), corner.y() - kGap - high(shared)), b, true, b.size() > 1);
        put(made, corner, c, a.size() > 1, b.size() > 1);
        const qreal right = corner.x() + wide(columns) + static_cast<qreal>(batches - 1) * pitch + kBetween;
        m_layout.boards[left].header = m_layout.cards.topLeft();
        m_layout.boards[above].header = QPointF(right, m_layout.cards.top());
        m_layout.boards[made].header =
            QPointF(right, std::max(corner.y(), m_layout.cards.top() + MotionLayout::kHeader + 12));
        // The right operand comes round the corner from where the result will be.
        m_layout.boards[left].from = {};
        m_layout.boards[made].from = {};
        m_layout.boards[above].from = QPointF(0, corner.y() - m_layout.boards[above].origin.y());
        const qreal words = std::max(headerWidth(m_plan.boards[above]), headerWidth(m_plan.boards[made]));
        const qreal bottom =
            std::max(corner.y() + high(rows), m_layout.boards[made].header.y() + MotionLayout::kHeader);
        return right + words <= m_layout.cards.right() && bottom <= m_layout.cards.bottom();
    }

    const MotionPlan& m_plan;
    MotionLayout& m_layout;
};

} // namespace

QPointF MotionLayout::cell(const MotionPlan& plan, int board, Index position) const {
    const BoardPlace& at = boards[static_cast<std::size_t>(board)];
    if (plan.boards[static_cast<std::size_t>(board)].kind == MotionBoard::Kind::Strip) {
        return at.origin + QPointF(static_cast<qreal>(position % at.perRow) * at.cell.width(),
                                   static_cast<qreal>(position / at.perRow) * at.rowPitch);
    }
    const Dims& shape = plan.boards[static_cast<std::size_t>(board)].tensor.record.view.shape;
    QPointF where = at.origin;
    for (std::size_t d = shape.size(); d-- > 0; position /= shape[d])
        where += at.steps[d] * static_cast<qreal>(position % shape[d]);
    return where;
}

QRectF MotionLayout::boardRect(int board) const {
    const BoardPlace& at = boards[static_cast<std::size_t>(board)];
    return {at.origin, at.extent};
}

MotionLayout motionLayout(const MotionPlan& plan, QSizeF size) {
    MotionLayout layout;
    layout.size = size;
    Arranger(plan, layout).arrange();
    return layout;
}

} // namespace stridescope
