// Body of a card: captions, sliders, axes, panels.

#include "widgets/card/card_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"

#include <cmath>

namespace stridescope::card {

namespace {

constexpr qreal kCellWidth = 44, kCellHeight = 32;
constexpr qreal kLeastCellWidth = 34, kLeastCellHeight = 22;
constexpr qreal kBothHeight = 44; // value over index
constexpr qreal kPanelGap = 20, kPanelLabel = 18;
constexpr qreal kAxis = 20, kTicks = 16;
constexpr qreal kAxisColumn = 24;
constexpr qreal kSliderRow = 26;

qreal pixels(Index count) {
    return static_cast<qreal>(count);
}

/// What one direction of the body shows: cells of one panel and panels beside each other.
struct Extent {
    Index cells = 1, panels = 1;           ///< there are
    Index shownCells = 1, shownPanels = 1; ///< fit
    qreal cell = kCellWidth;
    qreal panel() const { return cell * pixels(shownCells); }
    qreal total(qreal gap) const { return panel() * pixels(shownPanels) + gap * pixels(shownPanels - 1); }
};

/// Numbered cells: shrink them, then show fewer panels, then a window on the only panel.
void fitNumbers(Extent& e, qreal room, qreal gap, qreal natural, qreal least) {
    const auto fits = [&](qreal cell) {
        return cell * pixels(e.cells) * pixels(e.panels) + gap * pixels(e.panels - 1) <= room;
    };
    e.shownCells = e.cells;
    e.shownPanels = e.panels;
    if (fits(natural)) {
        e.cell = natural;
        return;
    }
    if (fits(least)) {
        e.cell = std::floor((room - gap * pixels(e.panels - 1)) / (pixels(e.cells) * pixels(e.panels)));
        return;
    }
    const qreal one = least * pixels(e.cells);
    if (one <= room) {
        e.shownPanels = std::clamp<Index>(static_cast<Index>((room + gap) / (one + gap)), 1, e.panels);
        e.cell = std::min(
            natural, std::floor((room - gap * pixels(e.shownPanels - 1)) / (pixels(e.cells) * pixels(e.shownPanels))));
        return;
    }
    e.shownPanels = 1;
    e.cell = natural;
    e.shownCells = std::clamp<Index>(static_cast<Index>(room / natural), 1, e.cells);
}

/// A picture: whole panels, as large as is useful, cells of any size.
void fitPicture(Extent& e, qreal room, qreal gap, qreal least) {
    e.shownCells = e.cells;
    e.shownPanels = std::clamp<Index>(static_cast<Index>((room + gap) / (least + gap)), 1, e.panels);
    const qreal panel = (room - gap * pixels(e.shownPanels - 1)) / pixels(e.shownPanels);
    e.cell = std::min(panel / pixels(e.cells), 12.0);
}

TextItem caption(QPointF at, const QString& text) {
    TextItem item;
    item.pos = at;
    item.text = text;
    item.font = FontRole::Label;
    item.tone = Tone::Ink2;
    return item;
}

QString windowText(const QString& what, Index first, Index count, Index all) {
    if (count == 1) return QStringLiteral("… %1 at %2 of 0–%3").arg(what).arg(first).arg(all - 1);
    return QStringLiteral("… %1 %2–%3 of %4").arg(what).arg(first).arg(first + count - 1).arg(all);
}

/// Outwards to two digits, so that the colour bar has short numbers.
std::pair<double, double> roundedRange(std::pair<double, double> range) {
    const double largest = std::max(std::abs(range.first), std::abs(range.second));
    if (largest == 0) return {0, 1};
    const double unit = std::pow(10, std::floor(std::log10(largest)) - 1);
    double low = std::floor(range.first / unit) * unit;
    const double high = std::ceil(range.second / unit) * unit;
    if (low == high) low = std::min(0.0, low - unit);
    return {low, high};
}

CardAxis makeAxis(const CardInput& input, int dim, Index size, bool vertical) {
    CardAxis axis;
    axis.dim = dim;
    axis.size = size;
    axis.vertical = vertical;
    axis.text = dimLabel(input, dim) + QStringLiteral(" · ") + QString::number(size);
    return axis;
}

/// Label, then the arrow in the direction of growth: at least a short one, however small the grid is.
void placeHorizontal(CardAxis& axis, QPointF start, qreal length) {
    const qreal label = textWidth(FontRole::LabelStrong, axis.text);
    const qreal end = std::max(start.x() + length, start.x() + label + 8 + 22);
    axis.label = QPointF(start.x() + label / 2, start.y());
    axis.from = QPointF(start.x() + label + 6, start.y());
    axis.to = QPointF(end, start.y());
    axis.hot = QRectF(start.x(), start.y() - 9, end - start.x(), 18);
}
void placeVertical(CardAxis& axis, QPointF start, qreal length) {
    const qreal label = textWidth(FontRole::LabelStrong, axis.text);
    const qreal end = std::max(start.y() + length, start.y() + label + 8 + 22);
    axis.label = QPointF(start.x(), start.y() + label / 2);
    axis.from = QPointF(start.x(), start.y() + label + 6);
    axis.to = QPointF(start.x(), end);
    axis.hot = QRectF(start.x() - 9, start.y(), 18, end - start.y());
}

/// First, last and hovered index of the window, unless their labels would touch.
void addTicks(CardAxis& axis, Index first, Index shown, std::optional<Index> hovered, qreal cell, QPointF origin,
              bool alongX) {
    if (shown <= 0) return;
    const Index last = first + shown - 1;
    std::vector<Index> wanted;
    if (hovered && *hovered >= first && *hovered <= last) wanted.push_back(*hovered);
    for (const Index i : {first, last}) {
        if (std::find(wanted.begin(), wanted.end(), i) == wanted.end()) wanted.push_back(i);
    }
    const auto at = [&](Index i) { return (pixels(i - first) + 0.5) * cell; };
    std::vector<Index> kept;
    for (const Index i : wanted) {
        const bool clear = std::all_of(kept.begin(), kept.end(), [&](Index k) {
            const qreal room = alongX ? (textWidth(FontRole::IndexStrong, QString::number(i)) +
                                         textWidth(FontRole::IndexStrong, QString::number(k))) /
                                                2 +
                                            6
                                      : 13;
            return std::abs(at(i) - at(k)) >= room;
        });
        if (clear) kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end());
    for (const Index i : kept) {
        const QPointF p = alongX ? origin + QPointF(at(i), 0) : origin + QPointF(0, at(i));
        axis.ticks.push_back({p, i, hovered && *hovered == i});
    }
}

/// How the dims are spread over the body.
struct Roles {
    int row = -1, col = -1, panelRow = -1, panelCol = -1;
};
Roles rolesOf(const View& view) {
    const int rank = static_cast<int>(view.dim());
    Roles roles;
    if (rank >= 1) roles.col = rank - 1;
    if (rank >= 2) roles.row = rank - 2;
    if (rank >= 3) roles.panelCol = rank - 3;
    if (rank >= 4) roles.panelRow = rank - 4;
    return roles;
}
Index sizeOf(const View& view, int dim) {
    return dim < 0 ? 1 : view.shape[static_cast<std::size_t>(dim)];
}

QString coordName(const CardInput& input, int dim) {
    const QString given = dim < input.dimNames.size() ? input.dimNames[dim] : QString();
    return given.isEmpty() ? indexLetter(dim) : given.toLower();
}

/// Sliders for the dims before the last four, four at most, and the breadcrumb of the slice.
qreal layoutSliders(CardLayout& card, qreal top, qreal& width, const Dims& outer) {
    const View& view = card.view;
    const int count = static_cast<int>(outer.size());
    if (count == 0) return top;
    qreal y = top;
    qreal labelRoom = 0;
    const int shown = std::min(count, 4);
    for (int d = 0; d < shown; ++d) {
        labelRoom =
            std::max(labelRoom, textWidth(FontRole::LabelStrong, makeAxis(card.input, d, sizeOf(view, d), false).text));
    }
    for (int d = 0; d < shown; ++d) {
        CardSlider slider;
        slider.dim = d;
        slider.size = sizeOf(view, d);
        slider.value = outer[static_cast<std::size_t>(d)];
        slider.label = makeAxis(card.input, d, slider.size, false).text;
        slider.valueText = QStringLiteral("%1 = %2").arg(coordName(card.input, d)).arg(slider.value);
        slider.labelAt = QPointF(kPadding, y + 17);
        slider.track = QRectF(kPadding + labelRoom + 16, y + 4, 130, 18);
        slider.valueAt = QPointF(slider.track.right() + 14, y + 17);
        const qreal reserve =
            textWidth(FontRole::MetaStrong,
                      QStringLiteral("%1 = %2").arg(coordName(card.input, d)).arg(std::max<Index>(0, slider.size - 1)));
        width = std::max(width, slider.valueAt.x() + reserve + kPadding);
        card.sliders.push_back(slider);
        y += kSliderRow;
    }
    QString crumb = QStringLiteral("[");
    Index slices = 1;
    for (int d = 0; d < count; ++d) {
        crumb += QStringLiteral("%1%2=%3")
                     .arg(d ? QStringLiteral(", ") : QString(), coordName(card.input, d))
                     .arg(outer[static_cast<std::size_t>(d)]);
        slices *= sizeOf(view, d);
    }
    crumb += QLatin1Char(']');
    const QString of = QStringLiteral("shown: slice %1, one of %2").arg(crumb).arg(slices);
    for (const QString& line : wrapText(FontRole::Label, of, std::max<qreal>(width - 2 * kPadding, 240))) {
        card.texts.push_back(caption(QPointF(kPadding, y + 14), line));
        width = std::max(width, textWidth(FontRole::Label, line) + 2 * kPadding);
        y += 17;
    }
    return y + 6;
}

/// What a view without elements is drawn as: an empty frame with its labels.
qreal layoutEmpty(CardLayout& card, qreal top, qreal& width) {
    const View& view = card.view;
    const int rank = static_cast<int>(view.dim());
    const Roles roles = rolesOf(view);
    qreal y = top;
    for (int d = 0; d < rank - 2; ++d) {
        CardAxis axis = makeAxis(card.input, d, sizeOf(view, d), false);
        placeHorizontal(axis, QPointF(kPadding, y + 10), 0);
        width = std::max(width, axis.to.x() + kPadding);
        card.axes.push_back(axis);
        y += kAxis;
    }
    const qreal left = kPadding + (roles.row >= 0 ? kAxisColumn + 28 : 0);
    const QRectF frame(left, y + kAxis + 4, 176, 64);
    CardAxis cols = makeAxis(card.input, roles.col, sizeOf(view, roles.col), false);
    placeHorizontal(cols, QPointF(left, y + 10), frame.width());
    qreal bottom = frame.bottom();
    card.axes.push_back(cols);
    if (roles.row >= 0) {
        CardAxis rows = makeAxis(card.input, roles.row, sizeOf(view, roles.row), true);
        placeVertical(rows, QPointF(kPadding + 12, frame.top()), frame.height());
        bottom = std::max(bottom, rows.to.y());
        card.axes.push_back(rows);
    }
    width = std::max({width, frame.right() + kPadding, cols.to.x() + kPadding});
    CardPanel panel;
    panel.area = frame;
    panel.coord = Dims(view.shape.size(), 0);
    card.panels.push_back(panel);
    return bottom;
}

qreal layoutBlocks(CardLayout& card, qreal top, qreal& width) {
    const BlockInput block = blockInputOf(card);
    card.block = layoutBlock(block);
    const QMarginsF room = blockMargins(block, *card.block);
    const QRectF bounds = card.block->bounds();
    card.block->origin += QPointF(kPadding + room.left(), top + room.top()) - bounds.topLeft();
    const QRectF placed = card.block->bounds();
    width = std::max(width, placed.right() + room.right() + kPadding);
    card.rowDim = 1;
    card.colDim = 2;
    return placed.bottom() + room.bottom();
}

} // namespace

QString dimLabel(const CardInput& input, int dim) {
    QString text = QStringLiteral("dim %1").arg(dim);
    if (dim >= 0 && dim < input.dimNames.size() && !input.dimNames[dim].isEmpty()) {
        text += QStringLiteral(" (%1)").arg(input.dimNames[dim]);
    }
    return text;
}

BlockInput blockInputOf(const CardLayout& card) {
    BlockInput block;
    block.source = card.input.entry->tensor;
    block.view = card.view;
    if (card.input.parent && card.input.entry->origin == Origin::View && card.input.parent->tensor.dim() == 3 &&
        fitsBlocks(card.input.parent->tensor.view())) {
        block.parent = card.input.parent->tensor.view();
    }
    block.tensor = card.input.entry->id;
    block.colour = card.input.entry->colour;
    block.text = card.input.text == CellText::Both ? CellText::Value : card.input.text;
    block.rings = card.rings;
    for (const QString& name : card.input.dimNames) block.names.push_back(name);
    return block;
}

qreal layoutBody(CardLayout& card, qreal top, qreal& width) {
    const CardInput& input = card.input;
    const View& view = card.view;
    const int rank = static_cast<int>(view.dim());
    qreal y = top + 8;

    Dims outer;
    for (int d = 0; d < rank - 4; ++d) {
        const Index wanted =
            static_cast<std::size_t>(d) < input.outer.size() ? input.outer[static_cast<std::size_t>(d)] : 0;
        outer.push_back(std::clamp<Index>(wanted, 0, std::max<Index>(0, sizeOf(view, d) - 1)));
    }
    if (view.numel() == 0) return layoutEmpty(card, y, width);
    if (input.mode == CardMode::Blocks && fitsBlocks(view)) return layoutBlocks(card, y, width);
    y = layoutSliders(card, y, width, outer);

    const Roles roles = rolesOf(view);
    card.rowDim = roles.row;
    card.colDim = roles.col;
    card.rows = sizeOf(view, roles.row);
    card.cols = sizeOf(view, roles.col);
    Extent across, down;
    across.cells = card.cols;
    across.panels = sizeOf(view, roles.panelCol);
    down.cells = card.rows;
    down.panels = sizeOf(view, roles.panelRow);

    // Saturating: only whether there are more than 4096 matters.
    Index shownCells = 1;
    for (const Index n : {across.cells, across.panels, down.cells, down.panels}) {
        shownCells = n > kNumberedCells || shownCells * n > kNumberedCells ? kNumberedCells + 1 : shownCells * n;
    }
    card.picture =
        input.detail == CardDetail::Picture ||
        (input.detail == CardDetail::Auto && shownCells > kNumberedCells && card.rows >= 32 && card.cols >= 32);

    const QSizeF limit = maxSize(input);
    const qreal axisColumns = (roles.row >= 0 ? kAxisColumn : 0) + (roles.panelRow >= 0 ? kAxisColumn : 0);
    const qreal tickRoom =
        roles.row >= 0
            ? std::max<qreal>(18, std::ceil(textWidth(FontRole::IndexStrong, QString::number(card.rows - 1))) + 4)
            : 0;
    const qreal left = kPadding + axisColumns + tickRoom + (roles.row >= 0 ? 10 : 0);
    const bool labels = across.panels * down.panels > 1;
    const bool hasCaption = true;
    const qreal above =
        (roles.panelCol >= 0 ? kAxis : 0) + (labels ? kPanelLabel : 0) + (roles.col >= 0 ? kAxis + kTicks : 4);
    const qreal panelGapY = labels ? kPanelLabel + 8 : 0;
    const qreal roomX = std::max<qreal>(limit.width() - left - kPadding, kLeastCellWidth);
    const qreal roomY = std::max<qreal>(limit.height() - y - above - 20 - (hasCaption ? 20 : 0), kLeastCellHeight);

    if (card.picture) {
        fitPicture(across, std::min<qreal>(roomX, 560), kPanelGap, 96);
        fitPicture(down, std::min<qreal>(roomY, 420), panelGapY, 96);
        // Pictures keep their proportions unless that would make them a thread.
        const qreal square = std::min(across.cell, down.cell);
        if (square * pixels(card.cols) >= 24 && square * pixels(card.rows) >= 24) across.cell = down.cell = square;
        across.cell = std::max(across.cell, 24 / pixels(card.cols));
        down.cell = std::max(down.cell, 24 / pixels(card.rows));
    } else {
        // Which cells will be seen depends on their width, and the width on what they hold: measure the first guess.
        Dims origin(static_cast<std::size_t>(rank), 0);
        for (std::size_t d = 0; d < outer.size(); ++d) origin[d] = outer[d];
        const Index guessCols = std::min<Index>(card.cols, static_cast<Index>(roomX / kLeastCellWidth) + 1);
        const Index guessRows = std::min<Index>(card.rows, static_cast<Index>(roomY / kLeastCellHeight) + 1);
        std::vector<Dims> probes;
        for (Index pr = 0; pr < std::min<Index>(down.panels, 8); ++pr) {
            for (Index pc = 0; pc < std::min<Index>(across.panels, 16); ++pc) {
                Dims coord = origin;
                if (roles.panelRow >= 0) coord[static_cast<std::size_t>(roles.panelRow)] = pr;
                if (roles.panelCol >= 0) coord[static_cast<std::size_t>(roles.panelCol)] = pc;
                probes.push_back(coord);
            }
        }
        const qreal text = std::ceil(widestCell(
            input.entry->tensor, view, input.text, probes, std::clamp<Index>(input.firstRow, 0, card.rows - 1),
            std::clamp<Index>(input.firstCol, 0, card.cols - 1), guessRows, guessCols));
        const bool both = input.text == CellText::Both;
        fitNumbers(across, roomX, kPanelGap, std::max(kCellWidth, text + 14), std::max(kLeastCellWidth, text + 8));
        fitNumbers(down, roomY, panelGapY, both ? kBothHeight : kCellHeight, both ? 38 : kLeastCellHeight);
    }
    // A label must not run into its neighbour's, however narrow the panels are.
    qreal panelGap = kPanelGap;
    if (labels) {
        const auto widest = [&](int d) {
            return d < 0 ? QString() : QStringLiteral("%1=%2").arg(coordName(input, d)).arg(sizeOf(view, d) - 1);
        };
        const QString label = roles.panelRow >= 0
                                  ? QStringLiteral("[%1, %2]").arg(widest(roles.panelRow), widest(roles.panelCol))
                                  : QStringLiteral("[%1]").arg(widest(roles.panelCol));
        panelGap = std::max(kPanelGap, std::ceil(textWidth(FontRole::Meta, label) + 10 - across.panel()));
        while (across.shownPanels > 1 && across.total(panelGap) > roomX) --across.shownPanels;
    }

    // Three dims: panels follow each other like words, row after row.
    Index panelRows = down.shownPanels;
    Index wrappedFirst = 0;
    if (roles.panelRow < 0 && across.panels > across.shownPanels) {
        const qreal rowHeight = down.panel() + panelGapY;
        const Index fit = std::max<Index>(1, static_cast<Index>((roomY + panelGapY) / std::max<qreal>(rowHeight, 1)));
        panelRows = std::min(fit, (across.panels + across.shownPanels - 1) / across.shownPanels);
        wrappedFirst = std::clamp<Index>(input.firstPanelCol, 0,
                                         std::max<Index>(0, across.panels - across.shownPanels * panelRows));
    }

    card.cell = QSizeF(across.cell, down.cell);
    card.shownRows = down.shownCells;
    card.shownCols = across.shownCells;
    card.firstRow = std::clamp<Index>(input.firstRow, 0, card.rows - card.shownRows);
    card.firstCol = std::clamp<Index>(input.firstCol, 0, card.cols - card.shownCols);
    const Index firstPanelRow = std::clamp<Index>(input.firstPanelRow, 0, down.panels - down.shownPanels);
    const Index firstPanelCol = roles.panelRow < 0
                                    ? wrappedFirst
                                    : std::clamp<Index>(input.firstPanelCol, 0, across.panels - across.shownPanels);

    // Captions: what the window leaves out.
    QStringList windows;
    const Index panelsShown =
        roles.panelRow < 0 ? std::min(across.panels, across.shownPanels * panelRows) : across.shownPanels;
    if (down.shownPanels < down.panels)
        windows << windowText(dimLabel(input, roles.panelRow) + QLatin1Char(':'), firstPanelRow, down.shownPanels,
                              down.panels);
    if (panelsShown < across.panels)
        windows << windowText(dimLabel(input, roles.panelCol) + QLatin1Char(':'), firstPanelCol, panelsShown,
                              across.panels);
    if (card.shownRows < card.rows)
        windows << windowText(QStringLiteral("rows"), card.firstRow, card.shownRows, card.rows);
    if (card.shownCols < card.cols) {
        windows << windowText(rank == 1 ? QStringLiteral("cells") : QStringLiteral("columns"), card.firstCol,
                              card.shownCols, card.cols);
    }
    if (!windows.isEmpty()) {
        for (const QString& line :
             wrapText(FontRole::Label, windows.join(QStringLiteral("  ·  ")), limit.width() - 2 * kPadding)) {
            card.texts.push_back(caption(QPointF(kPadding, y + 12), line));
            width = std::max(width, textWidth(FontRole::Label, line) + 2 * kPadding);
            y += 17;
        }
        y += 3;
    }
    if (card.picture) {
        const auto range = input.heatRange ? *input.heatRange : roundedRange(sampledRange(input.entry->tensor));
        card.heatLow = range.first;
        card.heatHigh = range.second;
        card.colourBar = QRectF(kPadding, y + 2, 240, 12);
        width = std::max(width, kPadding * 2 + 240);
        y += 38;
    }

    // Axes over the panels.
    std::optional<Index> hoverRow, hoverCol;
    if (!card.rings.empty()) {
        const Dims& c = card.rings.front();
        if (roles.row >= 0) hoverRow = c[static_cast<std::size_t>(roles.row)];
        if (roles.col >= 0) hoverCol = c[static_cast<std::size_t>(roles.col)];
    }
    const Index panelsInRow = std::min(across.shownPanels, panelsShown);
    const qreal gridWidth = across.panel() * pixels(panelsInRow) + panelGap * pixels(panelsInRow - 1);
    qreal right = left + gridWidth;
    if (roles.panelCol >= 0) {
        CardAxis axis = makeAxis(input, roles.panelCol, across.panels, false);
        placeHorizontal(axis, QPointF(left, y + 10), gridWidth);
        right = std::max(right, axis.to.x());
        card.axes.push_back(axis);
        y += kAxis;
    }
    const qreal labelTop = y;
    if (labels) y += kPanelLabel;
    if (roles.col >= 0) {
        CardAxis axis = makeAxis(input, roles.col, card.cols, false);
        placeHorizontal(axis, QPointF(left, y + 10), across.panel());
        right = std::max(right, axis.to.x());
        y += kAxis;
        addTicks(axis, card.firstCol, card.shownCols, hoverCol, across.cell, QPointF(left, y + 10), true);
        card.axes.push_back(axis);
        y += kTicks;
    } else {
        y += 4;
    }
    const qreal gridTop = y;

    // Panels.
    for (Index pr = 0; pr < panelRows; ++pr) {
        for (Index pc = 0; pc < across.shownPanels; ++pc) {
            CardPanel panel;
            panel.coord = Dims(static_cast<std::size_t>(rank), 0);
            for (std::size_t d = 0; d < outer.size(); ++d) panel.coord[d] = outer[d];
            if (roles.panelRow >= 0) {
                panel.coord[static_cast<std::size_t>(roles.panelRow)] = firstPanelRow + pr;
                panel.coord[static_cast<std::size_t>(roles.panelCol)] = firstPanelCol + pc;
            } else if (roles.panelCol >= 0) {
                const Index i = firstPanelCol + pr * across.shownPanels + pc;
                if (i >= across.panels) break;
                panel.coord[static_cast<std::size_t>(roles.panelCol)] = i;
            }
            const QPointF at(left + pixels(pc) * (across.panel() + panelGap),
                             gridTop + pixels(pr) * (down.panel() + panelGapY));
            panel.area = QRectF(at, QSizeF(across.panel(), down.panel()));
            if (labels) {
                const auto part = [&](int d) {
                    return QStringLiteral("%1=%2")
                        .arg(coordName(input, d))
                        .arg(panel.coord[static_cast<std::size_t>(d)]);
                };
                panel.label = roles.panelRow >= 0
                                  ? QStringLiteral("[%1, %2]").arg(part(roles.panelRow), part(roles.panelCol))
                                  : QStringLiteral("[%1]").arg(part(roles.panelCol));
                panel.labelAt = pr == 0 ? QPointF(at.x(), labelTop + 13) : at - QPointF(0, 6);
                right = std::max(right, at.x() + textWidth(FontRole::Meta, panel.label));
            }
            for (const int d : {roles.panelRow, roles.panelCol}) {
                if (d >= 0 && view.stride[static_cast<std::size_t>(d)] == 0 &&
                    panel.coord[static_cast<std::size_t>(d)] > 0) {
                    panel.repeats = true;
                }
            }
            card.panels.push_back(panel);
        }
    }
    const QRectF lastPanel = card.panels.back().area;
    qreal bottom = lastPanel.bottom();

    // Axes beside them.
    if (roles.row >= 0) {
        CardAxis axis = makeAxis(input, roles.row, card.rows, true);
        const qreal x = kPadding + (roles.panelRow >= 0 ? kAxisColumn : 0) + 12;
        placeVertical(axis, QPointF(x, gridTop), down.panel());
        addTicks(axis, card.firstRow, card.shownRows, hoverRow, down.cell, QPointF(left - 10, gridTop), false);
        bottom = std::max(bottom, axis.to.y());
        card.axes.push_back(axis);
    }
    if (roles.panelRow >= 0) {
        CardAxis axis = makeAxis(input, roles.panelRow, down.panels, true);
        placeVertical(axis, QPointF(kPadding + 12, gridTop), lastPanel.bottom() - gridTop);
        bottom = std::max(bottom, axis.to.y());
        card.axes.push_back(axis);
    }
    width = std::max(width, right + kPadding);
    return bottom;
}

} // namespace stridescope::card
