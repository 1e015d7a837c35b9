// Where the parts of the broadcast picture stand.

#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/scene/small_numbers.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <cmath>

namespace stridescope::broadcast {

namespace {

constexpr qreal kMargin = 20, kLowHeight = 620, kWideWidth = 1500;
constexpr qreal kStagesHeight = 74;
constexpr qreal kAxisLeft = 30, kCardPad = 8;
/// Cells lower than this are not worth a formula above them.
constexpr qreal kLeastCell = 26;
/// Dims that cells and panels show; the indices in further ones are told below.
constexpr std::size_t kCellDims = 4;
constexpr qreal kSliceLine = 8;

/// Does the formula of every view stand in one row of a card?
bool formulasFit(const BroadcastModel& model, const Places& places) {
    const QRectF& card = places.cards.front();
    const auto fits = [&](const View& view) {
        const auto terms = cardFormula(places, card, view, nullptr);
        return terms.front().rect.top() == terms.back().rect.top() && terms.back().rect.right() < card.right() - 8;
    };
    return std::all_of(model.operands.begin(), model.operands.end(),
                       [&](const BroadcastOperand& operand) { return fits(operand.stretched); }) &&
           fits(model.result.tensor.view());
}

} // namespace

std::vector<FormulaTerm> cardFormula(const Places& places, const QRectF& card, const View& view, const Dims* coord) {
    const bool low = places.low;
    card::FormulaInput input;
    input.view = &view;
    input.coord = coord;
    input.symbols = !low;
    return card::formulaTerms(input, card.left() + 14, card.top() + (low ? 64 : 114), card.width() - 24);
}

Places placesFor(const BroadcastModel& model, QSizeF size, bool ok) {
    Places places;
    places.low = size.height() < kLowHeight;
    const bool wide = size.width() >= kWideWidth;
    const qreal margin = places.low ? 14 : kMargin;
    const qreal top = kStagesHeight + (places.low ? -4 : 6);
    places.stages = QRectF(margin, 10, size.width() - 2 * margin, kStagesHeight - 14);
    // Where a part of the result's storage is shown, words under its handle say which.
    const Index slots = ok ? model.result.tensor.storageNumel() : 0;
    const qreal words = slots > 24 ? (slots < 100'000 ? 26 : 46) : 0;
    const qreal resultHeight = ok ? (places.low ? 80 : 100) + words : 0;
    const qreal bottom = size.height() - (places.low ? 6 : 14) - resultHeight;
    const qreal tableWidth = std::clamp(size.width() * 0.194, kLeastTable, 312.0);
    places.table = QRectF(margin, top, tableWidth, bottom - top);
    const bool side = wide || !ok;
    const qreal sideWidth = side ? std::clamp(size.width() * 0.182, 270.0, 320.0) : 0;
    places.sideBelow = !side;
    if (side) {
        places.side = QRectF(size.width() - margin - sideWidth, top, sideWidth, bottom - top);
    } else {
        // The table has all its rows; what is left of the height after the bytes makes them higher.
        const qreal bytes = kBytesHead + kBytesLine * (model.betweenBytes > 0 ? 5 : 4) + 8;
        const qreal least = leastTable(model, tableWidth, ok);
        const auto operands = static_cast<qreal>(model.operands.size());
        const qreal wanted = least + 6 * (operands + 1) + 22 * operands + 96; // with the strides
        const qreal half =
            top + std::clamp(std::min(bottom - top - bytes, wanted), std::min(least, bottom - top), bottom - top);
        places.table.setBottom(half);
        places.side = QRectF(margin, half + 6, tableWidth, bottom - half - 6);
    }
    // Signs stand between the cards, and numbers with them.
    const QStringList signs = signsOf(model, ok);
    qreal between = places.low ? 22 : 26;
    for (qsizetype i = 1; i < signs.size(); ++i) between = std::max(between, signRoom(signs[i]) + 4);
    const qreal before = signs.front().isEmpty() ? 0 : signRoom(signs.front()) + 6;
    const qreal left = places.table.right() + std::max(before, places.low ? 12.0 : 16.0);
    const qreal right = side ? places.side.left() - 16 : size.width() - margin;
    const std::size_t count = model.operands.size() + (ok ? 1 : 0);
    const qreal width = std::min((right - left - between * static_cast<qreal>(count - 1)) / static_cast<qreal>(count),
                                 ok ? 420.0 : 360.0);
    const qreal stripBlock = places.low ? 98 : 128;
    const qreal cardBottom = bottom - stripBlock;
    for (std::size_t i = 0; i < count; ++i) {
        const qreal x = left + static_cast<qreal>(i) * (width + between);
        places.cards.emplace_back(x, top, width, cardBottom - top);
        const qreal stripTop = cardBottom + (places.low ? 32 : 50);
        if (i < model.operands.size()) places.strips.emplace_back(x, stripTop, width, places.low ? 34 : 40);
    }
    if (!ok) {
        // What went wrong stands beside the cards, not at the far end of a wide window.
        constexpr qreal kHighest = 460;
        places.side.moveLeft(std::min(places.side.left(), places.cards.back().right() + between));
        places.side.setHeight(std::min(places.side.height(), kHighest));
    }
    if (ok) {
        const QRectF& card = places.cards.back();
        places.now = QRectF(card.left(), card.bottom() + 8, card.width(), stripBlock - 12);
        places.resultStrip = QRectF(margin, bottom + (places.low ? 11 : 12), size.width() - 2 * margin, resultHeight);
    }
    return places;
}

void tighten(Places& places, const Cells& cells) {
    const qreal content = cells.panelAt(cells.panelRows - 1, 0).y() + cells.panel().height() + (places.low ? 12 : 24) +
                          (places.low || cells.isPart() ? cells.sliceLine : 0);
    const qreal spare = places.cards.front().height() - std::max(content, places.low ? 120.0 : 200.0);
    if (spare <= 0) return;
    for (QRectF& card : places.cards) card.setBottom(card.bottom() - spare);
    for (QRectF& strip : places.strips) strip.translate(0, -spare);
    places.now.translate(0, -spare);
    places.resultStrip.translate(0, -spare);
    if (!places.sideBelow) {
        const qreal least = 330;
        places.table.setBottom(std::max(places.table.bottom() - spare, places.table.top() + least));
        if (!places.resultStrip.isEmpty())
            places.resultStrip.moveTop(std::max(places.resultStrip.top(), places.table.bottom() + 14));
    } else if (!places.resultStrip.isEmpty()) {
        places.resultStrip.moveTop(std::max(places.resultStrip.top(), places.side.bottom() + 10));
    }
}

QPointF Cells::panelAt(Index row, Index col) const {
    return inset + QPointF(static_cast<qreal>(col) * (panel().width() + gap),
                           static_cast<qreal>(row) * (panel().height() + gap));
}

Cells cellsFor(const BroadcastModel& model, const Places& places, bool ok) {
    Cells cells;
    cells.shape = model.shape;
    for (const BroadcastOperand& operand : model.operands)
        for (std::size_t d = 0; d < cells.shape.size() && !ok; ++d)
            cells.shape[d] = std::max(cells.shape[d], operand.aligned.shape[d]);
    const std::size_t rank = cells.shape.size();
    const auto sizeOf = [&](std::size_t fromRight) {
        return rank >= fromRight ? std::max<Index>(cells.shape[rank - fromRight], 1) : Index{1};
    };
    cells.cols = sizeOf(1);
    cells.rows = sizeOf(2);
    const QRectF& card = places.cards.front();
    qreal head = places.low ? 84 : 116;
    const qreal formula = places.low ? 28 : 48;
    const qreal width = card.width() - kAxisLeft - 4 - kCardPad;
    cells.sliceLine = rank > kCellDims ? kSliceLine : 0;
    qreal height = card.height() - head - (places.low ? 10 : 16) - cells.sliceLine;
    const qreal allRows = static_cast<qreal>(cells.rows * (rank >= 3 ? std::max(sizeOf(3), sizeOf(4)) : 1));
    if (ok && (height - formula) / allRows >= kLeastCell && formulasFit(model, places)) {
        cells.formula = true;
        head += formula;
        height -= formula;
    }
    cells.inset = QPointF(kAxisLeft + 4, head);
    if (rank >= 4) {
        cells.panelRows = sizeOf(4);
        cells.panelCols = sizeOf(3);
        cells.panelRowDim = static_cast<int>(rank) - 4;
        cells.panelColDim = static_cast<int>(rank) - 3;
    } else if (rank == 3) {
        // Beside or under one another: whichever leaves the larger cells.
        const auto panels = static_cast<qreal>(sizeOf(3));
        const qreal beside = std::min(width / (panels * static_cast<qreal>(cells.cols)) / 44,
                                      height / static_cast<qreal>(cells.rows) / 32);
        const qreal under = std::min(width / static_cast<qreal>(cells.cols) / 44,
                                     height / (panels * static_cast<qreal>(cells.rows)) / 32);
        (under >= beside ? cells.panelRows : cells.panelCols) = sizeOf(3);
        (under >= beside ? cells.panelRowDim : cells.panelColDim) = 0;
    }
    const bool many = cells.panelRows * cells.panelCols > 1;
    // Many panels stand closer: what is between them leaves most of the room to the cells.
    constexpr qreal kMostGaps = 0.4;
    const auto closest = [&](qreal room, Index panels) { return kMostGaps * room / static_cast<qreal>(panels); };
    cells.gap = many ? std::max(0.0, std::min({places.low ? 6.0 : 10.0, closest(width, cells.panelCols),
                                               closest(height, cells.panelRows)}))
                     : 0;
    const auto fit = [](qreal room, Index panels, Index count, qreal gap, qreal largest) {
        const qreal size = (room - gap * static_cast<qreal>(panels - 1)) / static_cast<qreal>(panels * count);
        const qreal held = std::clamp(size, 1e-12, largest);
        return held >= 6 ? std::floor(held) : held;
    };
    cells.cell = QSizeF(fit(width, cells.panelCols, cells.cols, cells.gap, places.low ? 52 : 72),
                        fit(height, cells.panelRows, cells.rows, cells.gap, places.low ? 40 : 52));
    cells.allRows = cells.rows;
    cells.allCols = cells.cols;
    cells.allPanelRows = cells.panelRows;
    cells.allPanelCols = cells.panelCols;
    const auto isAtLeast = [&](qreal least, qreal leastHeight) {
        return cells.cell.width() >= least && cells.cell.height() >= leastHeight;
    };
    const qreal small = std::max(kSmallNumberWidth, smallNumberWidth(model.longest));
    const bool legible = isAtLeast(kNumberWidth, kNumberHeight) || isAtLeast(small, kSmallNumberHeight);
    const bool few = cells.rows * cells.cols * cells.panelRows * cells.panelCols <= kNumberedCells;
    if (legible || !few || model.longest == 0) return cells;
    // A part of the cells, with numbers: as much of it as there is room for.
    constexpr qreal kRow = 24, kLine = 14;
    const auto part = [](qreal room, Index all, qreal usual) {
        return std::clamp<Index>(static_cast<Index>(room / usual), 1, all);
    };
    const qreal room = height - (cells.sliceLine > 0 ? 0 : kLine);
    const QSizeF usual(std::max(kNumberWidth, cells.cell.width()), std::max(kRow, cells.cell.height()));
    cells.cols = part(width, cells.allCols, usual.width());
    cells.rows = part(room, cells.allRows, usual.height());
    // Several panels where each is whole.
    const qreal gap = places.low ? 6 : 10;
    const auto panels = [&](qreal all, bool whole, Index most, qreal size) {
        return whole ? part(all + gap, most, size + gap) : Index{1};
    };
    const qreal wide = static_cast<qreal>(cells.cols) * usual.width(),
                high = static_cast<qreal>(cells.rows) * usual.height();
    const bool wholeCols = cells.cols == cells.allCols, wholeRows = cells.rows == cells.allRows;
    if (rank == 3) {
        const Index under = panels(room, wholeRows, sizeOf(3), high),
                    beside = panels(width, wholeCols, sizeOf(3), wide);
        const bool isUnder = under >= beside;
        cells.panelRowDim = isUnder ? 0 : -1;
        cells.panelColDim = isUnder ? -1 : 0;
        cells.allPanelRows = isUnder ? sizeOf(3) : 1;
        cells.allPanelCols = isUnder ? 1 : sizeOf(3);
    }
    cells.panelRows = panels(room, wholeRows, cells.allPanelRows, high);
    cells.panelCols = panels(width, wholeCols, cells.allPanelCols, wide);
    cells.gap = cells.panelRows * cells.panelCols > 1 ? gap : 0;
    cells.cell = QSizeF(fit(width, cells.panelCols, cells.cols, cells.gap, 52),
                        fit(room, cells.panelRows, cells.rows, cells.gap, 40));
    if (cells.isPart()) cells.sliceLine = std::max(cells.sliceLine, kLine);
    return cells;
}

namespace {

/// Of panels that stand in a row, and of the cells in each: how many of how many are seen, and those that follow them.
struct Run {
    Index panels, allPanels, cells, allCells;
};

/// Which part of a run is seen: the one with a cell in it, moved by what the user scrolled. Cells come first, and after
/// the last of them the next panel.
Index partOf(const Run& run, Index panel, Index cell, Index scrolled, Index& firstPanel, Index& firstCell) {
    const auto begin = [](Index at, Index shown, Index all) {
        return std::clamp<Index>(at / std::max<Index>(shown, 1) * shown, 0, std::max<Index>(all - shown, 0));
    };
    const Index span = std::max<Index>(run.allCells - run.cells, 0) + 1;
    const Index last = (std::max<Index>(run.allPanels - run.panels, 0) + 1) * span - 1;
    const Index at = begin(panel, run.panels, run.allPanels) * span + begin(cell, run.cells, run.allCells) + scrolled;
    const Index held = std::clamp<Index>(at, 0, last);
    firstPanel = held / span;
    firstCell = held % span;
    return held;
}

} // namespace

void showPart(Cells& cells, const std::optional<Dims>& coord, const BroadcastLook& look) {
    const std::size_t rank = coord ? coord->size() : 0;
    const auto at = [&](int dim) { return coord && dim >= 0 ? (*coord)[static_cast<std::size_t>(dim)] : Index{0}; };
    cells.down = partOf({cells.panelRows, cells.allPanelRows, cells.rows, cells.allRows}, at(cells.panelRowDim),
                        rank >= 2 ? (*coord)[rank - 2] : 0, look.down, cells.firstPanelRow, cells.firstRow);
    cells.right = partOf({cells.panelCols, cells.allPanelCols, cells.cols, cells.allCols}, at(cells.panelColDim),
                         rank >= 1 ? (*coord)[rank - 1] : 0, look.right, cells.firstPanelCol, cells.firstCol);
}

std::optional<QRectF> cellRect(const Picture& p, const QRectF& card, const Dims& coord) {
    const Cells& cells = p.cells;
    const std::size_t rank = coord.size();
    for (std::size_t d = 0; d < p.outer.size(); ++d)
        if (coord[d] != p.outer[d]) return std::nullopt;
    const auto at = [&](int dim) { return dim >= 0 ? coord[static_cast<std::size_t>(dim)] : Index{0}; };
    const Index row = rank >= 2 ? coord[rank - 2] : 0, col = rank >= 1 ? coord[rank - 1] : 0;
    const Index panelRow = at(cells.panelRowDim) - cells.firstPanelRow,
                panelCol = at(cells.panelColDim) - cells.firstPanelCol;
    if (panelRow < 0 || panelRow >= cells.panelRows || panelCol < 0 || panelCol >= cells.panelCols) return std::nullopt;
    const QPointF panel = card.topLeft() + cells.panelAt(panelRow, panelCol);
    const Index down = row - cells.firstRow, right = col - cells.firstCol;
    if (down < 0 || down >= cells.rows || right < 0 || right >= cells.cols) return std::nullopt;
    return QRectF(
        panel + QPointF(static_cast<qreal>(right) * cells.cell.width(), static_cast<qreal>(down) * cells.cell.height()),
        cells.cell);
}

} // namespace stridescope::broadcast
