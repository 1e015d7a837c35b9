#include "widgets/card/block_layout.h"

#include "core/view/inverse.h"
#include "widgets/card/block_axes.h"
#include "widgets/card/card_parts.h"

#include <QtMath>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kCellHeights[] = {34, 30, 26, 22};

qreal real(Index i) {
    return static_cast<qreal>(i);
}

/// Whether slices that lie one behind another are told apart: of each so much is seen, and they lie neither so flat nor
/// so steep that they read as boxes in a row or in a pile.
bool readsAsBlock(const BlockLayout& layout) {
    constexpr qreal kSeen = 0.6, kFlattest = 30, kSteepest = 60;
    if (layout.frame[0] < 2) return true;
    const qreal rows = real(layout.frame[1]), cols = real(layout.frame[2]);
    const qreal hidden =
        std::max(0.0, rows - layout.apart.height()) * std::max(0.0, cols - layout.apart.width()) / (rows * cols);
    const qreal slant = layout.slant();
    return hidden <= 1 - kSeen && slant >= kFlattest && slant <= kSteepest;
}

/// Cells of slice `slice` that get one ring together: maximal runs along a row, else along a column.
std::vector<QRectF> ringRects(const BlockLayout& layout, std::vector<Dims> coords, Index slice) {
    std::erase_if(coords, [&](const Dims& c) { return c[0] != slice; });
    const auto has = [&](Index row, Index col) {
        return std::find(coords.begin(), coords.end(), Dims{slice, row, col}) != coords.end();
    };
    std::vector<QRectF> rects;
    std::vector<Dims> done;
    for (const Dims& c : coords) {
        if (std::find(done.begin(), done.end(), c) != done.end()) continue;
        // Only cells that touch share a ring.
        const bool alongRow = layout.step[2] == 1 && (has(c[1], c[2] - 1) || has(c[1], c[2] + 1));
        const Index dr = alongRow || layout.step[1] > 1 ? 0 : 1;
        const Index dc = alongRow ? 1 : 0;
        if (dr == 0 && dc == 0) {
            rects.push_back(layout.cellRect(c));
            done.push_back(c);
            continue;
        }
        Index row = c[1];
        Index col = c[2];
        while (has(row - dr, col - dc)) {
            row -= dr;
            col -= dc;
        }
        QRectF rect;
        for (; has(row, col); row += dr, col += dc) {
            rect |= layout.cellRect({slice, row, col});
            done.push_back({slice, row, col});
        }
        rects.push_back(rect);
    }
    return rects;
}

} // namespace

qreal BlockLayout::depth() const {
    return 0.5 * std::min(cell.width(), cell.height()) / std::sqrt(2.0);
}

QPointF BlockLayout::pull() const {
    return QPointF(apart.width() * cell.width() + depth(), -(apart.height() * cell.height() + depth()));
}

qreal BlockLayout::slant() const {
    const QPointF p = pull();
    return qRadiansToDegrees(std::atan2(-p.y(), p.x()));
}

qreal BlockLayout::fault() const {
    // So many degrees are not seen; a degree more is worth four pixels of a cell's height, and ticks ten degrees.
    constexpr qreal kUnseen = 4, kPerPixel = 0.25, kNoTicks = 10, kBeside = 60, kUnusual = 2;
    const qreal height = kPerPixel * std::max(0.0, kCellHeights[0] - cell.height()) + (ticks ? 0 : kNoTicks);
    if (apart.height() <= 0) return kBeside + height;
    const qreal angle = frame[0] < 2 ? 0 : std::max(0.0, std::abs(slant() - 45) - kUnseen);
    return angle + height + (apart == QSizeF(2, 2) ? 0 : kUnusual);
}

QRectF BlockLayout::frameRect(Index slice, Index row, Index col) const {
    return QRectF(origin + pull() * real(slice) + QPointF(real(col) * cell.width(), real(row) * cell.height()), cell);
}

QRectF BlockLayout::bounds() const {
    const qreal d = depth();
    const QRectF front(frameRect(0, 0, 0).topLeft(), frameRect(0, frame[1] - 1, frame[2] - 1).bottomRight());
    const QRectF back = front.translated(pull() * real(frame[0] - 1));
    return (front | back).adjusted(0, -d, d, 0);
}

namespace {

/// A part of a slice whose cells touch each other.
struct Piece {
    Index row, rows, col, cols;
};

std::vector<Piece> piecesOf(const BlockLayout& layout) {
    const Index rows = layout.shape[1], cols = layout.shape[2];
    const Index high = layout.step[1] > 1 ? 1 : rows, wide = layout.step[2] > 1 ? 1 : cols;
    std::vector<Piece> pieces;
    for (Index row = 0; row < rows; row += high) {
        for (Index col = 0; col < cols; col += wide) pieces.push_back({row, high, col, wide});
    }
    return pieces;
}

} // namespace

std::optional<Dims> BlockLayout::cellAt(QPointF p) const {
    const qreal d = depth();
    const std::vector<Piece> pieces = piecesOf(*this);
    for (Index slice = 0; slice < shape[0]; ++slice) {
        for (const Piece& piece : pieces) {
            QPointF in = p - cellRect({slice, piece.row, piece.col}).topLeft();
            const qreal width = real(piece.cols) * cell.width();
            // The top and the right face belong to the cells that they are the sides of, and hide what is behind them.
            if (in.y() < 0 && in.y() >= -d && in.x() + in.y() < width)
                in = QPointF(in.x() + in.y(), 0);
            else if (in.x() >= width && in.x() < width + d)
                in = QPointF(width - 1, in.y() + in.x() - width);
            const Index row = static_cast<Index>(std::floor(in.y() / cell.height()));
            const Index col = static_cast<Index>(std::floor(in.x() / cell.width()));
            if (row >= 0 && row < piece.rows && col >= 0 && col < piece.cols)
                return Dims{slice, piece.row + row, piece.col + col};
        }
    }
    return {};
}

bool BlockLayout::isSeen(const Dims& coord) const {
    return cellAt(cellRect(coord).center()) == coord;
}

bool fitsBlocks(const View& v) {
    return v.dim() == 3 && v.shape[0] > 0 && v.shape[1] > 0 && v.shape[2] > 0 && v.shape[0] <= 4 && v.shape[1] <= 4 &&
           v.shape[2] <= 6;
}

std::optional<BoxInside> boxInside(const View& v, const View& parent) {
    if (v.dim() != parent.dim() || v.numel() == 0) return {};
    BoxInside box;
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        Index step = 1; // of one index the stride says nothing
        if (v.shape[d] > 1 && v.stride[d] != parent.stride[d]) {
            if (parent.stride[d] == 0 || v.stride[d] % parent.stride[d] != 0) return {};
            step = v.stride[d] / parent.stride[d];
            if (step < 1) return {};
        }
        box.step.push_back(step);
    }
    for (const Dims& first : coordsAt(parent, v.offset, 64).coords) {
        bool inside = true;
        for (std::size_t d = 0; d < first.size(); ++d)
            inside = inside && first[d] + (v.shape[d] - 1) * box.step[d] < parent.shape[d];
        if (!inside) continue;
        box.first = first;
        return box;
    }
    return {};
}

BlockLayout layoutBlock(const BlockInput& input) {
    BlockLayout layout;
    layout.shape = input.view.shape;
    layout.frame = input.view.shape;
    layout.first = Dims{0, 0, 0};
    if (input.parent) {
        if (const auto box = boxInside(input.view, *input.parent)) {
            layout.first = box->first;
            layout.step = box->step;
            layout.frame = input.parent->shape;
        }
    }
    qreal width = input.cellWidth;
    if (width <= 0) {
        const qreal text = card::widestCell(input.source, input.view, input.text);
        width = std::max<qreal>(34, std::ceil(text + 12));
    }
    std::optional<BlockLayout> best;
    const auto look = [&](QSizeF apart) {
        layout.apart = apart;
        for (const bool ticks : {true, false}) {
            if (ticks && !input.ticks) continue;
            for (const qreal height : kCellHeights) {
                layout.cell = QSizeF(width, height);
                layout.ticks = ticks;
                if (apart.height() > 0 && !readsAsBlock(layout)) continue;
                if (!blockFits(input, layout) || (best && best->fault() <= layout.fault())) continue;
                best = layout;
            }
        }
    };
    constexpr int kMostApart = 3;
    for (int right = 1; right <= kMostApart; ++right) {
        for (int up = 1; up <= kMostApart; ++up) look(QSizeF(right, up));
    }
    if (!best) look(QSizeF(real(layout.frame[2]) + 0.5, 0));
    return best.value_or(layout);
}

bool blockFits(const BlockInput& input, const BlockLayout& layout) {
    if (input.room.isEmpty()) return true;
    const QMarginsF margins = blockMargins(input, layout);
    const QSizeF size = layout.bounds().size();
    return size.width() + margins.left() + margins.right() <= input.room.width() &&
           size.height() + margins.top() + margins.bottom() <= input.room.height();
}

void appendRing(SceneBuilder& out, const QRectF& rect) {
    // Black with ink round it: on the dark ground that is black inside white, on the light one a single ring.
    BoxItem outer;
    outer.rect = rect.adjusted(-1.5, -1.5, 1.5, 1.5);
    outer.outline = Tone::Ink;
    outer.width = 1.5;
    outer.radius = 3;
    out.box(outer);
    BoxItem ring;
    ring.rect = rect;
    ring.outline = Tone::OnView;
    ring.width = 3;
    ring.radius = 2;
    out.box(ring);
}

void appendBlock(SceneBuilder& out, const BlockInput& input, const BlockLayout& layout) {
    const View& view = input.view;
    const qreal d = layout.depth();
    const Tone fill = Theme::viewTone(input.colour);
    const Index slices = view.shape[0];
    const Index rows = view.shape[1];
    const Index cols = view.shape[2];

    // Cells of the frame that the view leaves out. All of them lie behind all of the block.
    PathItem left;
    left.stroke = Tone::Ghost;
    left.style = LineStyle::Dotted;
    left.width = 1.3;
    const auto within = [&](Index slice, Index row, Index col) {
        const Index at[3] = {slice, row, col};
        for (std::size_t k = 0; k < 3; ++k) {
            const Index from = at[k] - layout.first[k];
            if (from < 0 || from % layout.step[k] != 0 || from / layout.step[k] >= layout.shape[k]) return false;
        }
        return true;
    };
    for (Index slice = layout.frame[0] - 1; slice >= 0; --slice) {
        for (Index row = 0; row < layout.frame[1]; ++row) {
            for (Index col = 0; col < layout.frame[2]; ++col) {
                if (within(slice, row, col)) continue;
                left.path.addRoundedRect(layout.frameRect(slice, row, col).adjusted(2, 2, -2, -2), 2, 2);
            }
        }
    }
    if (!left.path.isEmpty()) out.path(left);

    // A dim of stride 0 has one real row or column; only that one is solid.
    const Index solidRows = view.stride[1] == 0 ? 1 : rows;
    const Index solidCols = view.stride[2] == 0 ? 1 : cols;
    const std::vector<Piece> pieces = piecesOf(layout);
    for (Index slice = slices - 1; slice >= 0; --slice) {
        const bool repeats = view.stride[0] == 0 && slice > 0;
        for (const Piece& piece : pieces) {
            const QRectF first = layout.cellRect({slice, piece.row, piece.col});
            if (!repeats) {
                QuadItem top;
                top.origin = out.moved(first.topLeft() + QPointF(d, -d));
                top.across = QPointF(layout.cell.width(), 0);
                top.down = QPointF(-d, d);
                top.rows = 1;
                top.cols = std::min(solidCols, piece.cols);
                top.fill = fill;
                top.shade = 0.5;
                out.item(top);
                QuadItem side;
                side.origin = out.moved(first.topLeft() + QPointF(layout.cell.width() * real(top.cols), 0));
                side.across = QPointF(d, -d);
                side.down = QPointF(0, layout.cell.height());
                side.rows = std::min(solidRows, piece.rows);
                side.cols = 1;
                side.fill = fill;
                side.shade = -0.3;
                out.item(side);
            }
            GridItem grid;
            const QSizeF size(layout.cell.width() * real(piece.cols), layout.cell.height() * real(piece.rows));
            grid.area = out.moved(QRectF(first.topLeft(), size));
            grid.origin = grid.area.topLeft();
            grid.cell = layout.cell;
            grid.firstRow = piece.row;
            grid.firstCol = piece.col;
            grid.rows = piece.row + piece.rows;
            grid.cols = piece.col + piece.cols;
            grid.base = view.offset + slice * view.stride[0];
            grid.rowStride = view.stride[1];
            grid.colStride = view.stride[2];
            grid.source = input.source;
            grid.colour = input.colour;
            grid.text = input.text;
            grid.repeats = repeats;
            grid.tensor = input.tensor;
            grid.coord = Dims{slice, 0, 0};
            grid.rowDim = 1;
            grid.colDim = 2;
            out.item(grid, PartKind::CardCells, static_cast<int>(slice));
        }
        for (const QRectF& rect : ringRects(layout, input.rings, slice)) {
            appendRing(out, rect);
        }
        if (repeats) {
            const QRectF corner = layout.cellRect({slice, rows - 1, cols - 1});
            out.glyph(Glyph::Chain, QPointF(corner.right() - layout.cell.width() / 4, corner.bottom() + 12), 18,
                      Tone::Ink);
        }
    }

    appendBlockAxes(out, input, layout);
}

} // namespace stridescope
