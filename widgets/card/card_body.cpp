// Body of a card: captions, axes, panels.

#include "widgets/card/card_axes.h"
#include "widgets/card/card_body_parts.h"
#include "widgets/card/colours.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

#include <cmath>

namespace stridescope::card {

namespace {

constexpr qreal kLeastCellWidth = 34, kLeastCellHeight = 22;
constexpr qreal kPresentedCellHeight = 26;               // for digits of Theme::kPresenterPixels
constexpr qreal kBothHeight = 44, kLeastBothHeight = 38; // value over index
constexpr qreal kPanelGap = 20, kPanelLabel = 18;
constexpr qreal kAxisColumn = 24;
constexpr qreal kCaption = 20, kColourBar = 38, kLeastForBar = 120;

QString windowText(const QString& what, Index first, Index count, Index all) {
    if (count == 1) return PaintedText::tr("… %1 at %2 of 0–%3").arg(what).arg(first).arg(all - 1);
    return PaintedText::tr("… %1 %2–%3 of %4").arg(what).arg(first).arg(first + count - 1).arg(all);
}

/// What a view without elements is drawn as: an empty frame with its labels.
qreal layoutEmpty(CardLayout& card, QPointF at, qreal& width) {
    const View& view = card.view;
    const qreal axisHeight = axisRoom(card.input);
    const int rank = static_cast<int>(view.dim());
    const Roles roles = rolesOf(view, laidOutDims(card.input));
    qreal y = at.y();
    for (int d = 0; d < rank - 2; ++d) {
        CardAxis axis = makeAxis(card.input, d, sizeOf(view, d), false);
        placeHorizontal(axis, QPointF(at.x(), y + 10), 0);
        width = std::max(width, axis.to.x() + kPadding);
        card.axes.push_back(axis);
        y += axisHeight;
    }
    const bool bare = isBare(card.input);
    const qreal left = at.x() + (roles.row >= 0 && !bare ? kAxisColumn + 28 : 0);
    const QRectF frame(left, y + axisHeight + 4, 176, bare ? kPresentedCellHeight : 64);
    CardAxis cols = makeAxis(card.input, roles.col, sizeOf(view, roles.col), false);
    placeHorizontal(cols, QPointF(left, y + 10), frame.width());
    qreal bottom = frame.bottom();
    card.axes.push_back(cols);
    if (roles.row >= 0) {
        CardAxis rows = makeAxis(card.input, roles.row, sizeOf(view, roles.row), true);
        placeVertical(rows, QPointF(at.x() + 12, frame.top()), frame.height());
        if (!bare) bottom = std::max(bottom, rows.to.y());
        card.axes.push_back(rows);
    }
    width = std::max({width, frame.right() + kPadding, bare ? 0.0 : cols.to.x() + kPadding});
    if (bare) card.axes.clear(); // without cells they have no numbers either
    CardPanel panel;
    panel.area = frame;
    panel.coord = Dims(view.shape.size(), 0);
    card.panels.push_back(panel);
    return bottom;
}

} // namespace

qreal layoutBody(CardLayout& card, QPointF at, qreal& width) {
    const CardInput& input = card.input;
    const qreal axisHeight = axisRoom(input), tickHeight = tickRoom(input);
    // Below the cells: the card's own rim. No more, so that a card that was laid out for more room is the same in its
    // own.
    const qreal below = input.presented ? 8 : 10;
    const qreal leastHeight = input.presented ? kPresentedCellHeight : kLeastCellHeight;
    const View& view = card.view;
    const int rank = static_cast<int>(view.dim());
    qreal y = at.y();
    const Dims outer = outerCoord(card);
    if (view.numel() == 0) return layoutEmpty(card, at, width);
    if (input.mode == CardMode::Blocks && fitsBlocks(view)) {
        if (const std::optional<qreal> bottom = layoutBlocks(card, at, width)) {
            card.channelDim = card.channel = -1;
            return *bottom;
        }
    }

    const Roles roles = rolesOf(view, laidOutDims(input), card.channelDim);
    card.rowDim = roles.row;
    card.colDim = roles.col;
    card.rows = sizeOf(view, roles.row);
    card.cols = sizeOf(view, roles.col);
    Extent across, down;
    across.cells = card.cols;
    across.panels = sizeOf(view, roles.panelCol);
    down.cells = card.rows;
    down.panels = sizeOf(view, roles.panelRow);
    across.onePanel = down.onePanel = input.onePanel;

    // Saturating: only whether there are more than 4096 matters.
    Index shownCells = 1;
    for (const Index n : {across.cells, across.panels, down.cells, down.panels}) {
        shownCells = n > kNumberedCells || shownCells * n > kNumberedCells ? kNumberedCells + 1 : shownCells * n;
    }
    card.picture =
        card.channelDim >= 0 || card.channel >= 0 || input.detail == CardDetail::Picture ||
        (input.detail == CardDetail::Auto && shownCells > kNumberedCells && card.rows >= 32 && card.cols >= 32);

    // In a hall a bar with numbers would take what there is of the picture.
    const bool hasBar = !input.presented || maxSize(input).height() >= kLeastForBar;
    const qreal barRoom = hasBar ? kColourBar : 0;
    // Over a picture stand its colour bar, or the words which dim holds the colours.
    // Beside the head the switches of the colours stand under the card's frame.
    const bool aside = (input.presented && input.wide) || input.windowInHead; // captions stand beside or over the cells
    const qreal underFrame = aside && card.channelDim >= 0 ? 5 : 0;
    const qreal legend = !card.picture          ? 0
                         : card.channelDim >= 0 ? underFrame + kCaption
                                                : barRoom + (card.channel >= 0 ? kCaption : 0);
    const QSizeF limit = maxSize(input);
    const bool bare = isBare(input);
    const qreal axisColumn = bare ? 0 : kAxisColumn;
    const qreal axisColumns = (roles.row >= 0 ? axisColumn : 0) + (roles.panelRow >= 0 ? axisColumn : 0);
    const qreal tickWidth =
        roles.row >= 0
            ? std::max<qreal>(18, std::ceil(textWidth(FontRole::IndexStrong, QString::number(card.rows - 1))) + 4)
            : 0;
    const qreal left = at.x() + axisColumns + tickWidth + (roles.row >= 0 ? 10 : 0);
    const bool labels = across.panels * down.panels > 1;
    const qreal above = (roles.panelCol >= 0 ? axisHeight : 0) + (labels ? kPanelLabel : 0) +
                        (roles.col >= 0 ? axisHeight + tickHeight : 4) + legend;
    const qreal panelGapY = labels ? kPanelLabel + 8 : 0;
    // The number over a last column that is narrower: a picture's, or one of many digits.
    const qreal text = card.picture ? 0 : std::ceil(widestCell(input.entry->tensor, view, input.text));
    const qreal leastWidth = std::max(kLeastCellWidth, text + 8);
    const qreal lastTick = roles.col >= 0 ? textWidth(FontRole::IndexStrong, QString::number(card.cols - 1)) : 0;
    const qreal overhang = std::max(0.0, std::ceil((lastTick - (card.picture ? 0 : leastWidth)) / 2));
    const qreal roomX = std::max<qreal>(limit.width() - left - overhang - kPadding, kLeastCellWidth);
    const qreal wholeY = limit.height() - y - above - below;

    // On the lowest stages a strip of the picture is all that is left beside its head and its legend.
    const qreal leastPicture = input.brief ? 12 : 24;
    // A label must not run into its neighbour's, however narrow the panels are.
    qreal labelWidth = 0;
    if (labels) {
        const auto widest = [&](int d) {
            return d < 0 ? QString() : QStringLiteral("%1=%2").arg(coordName(input, d)).arg(sizeOf(view, d) - 1);
        };
        const QString label = roles.panelRow >= 0
                                  ? QStringLiteral("[%1, %2]").arg(widest(roles.panelRow), widest(roles.panelCol))
                                  : QStringLiteral("[%1]").arg(widest(roles.panelCol));
        labelWidth = textWidth(FontRole::Meta, label);
    }

    qreal panelGap = kPanelGap;
    Index panelRows = 1, panelsShown = 1;
    const auto fit = [&](qreal roomY) {
        // A label must not run into its neighbour's, however narrow the panels are.
        const auto keepLabelsApart = [&] {
            if (!labels) return;
            panelGap = std::max(kPanelGap, std::ceil(labelWidth + 10 - across.panel()));
            // The last one's label is wider than its panel, too.
            const qreal beyond = std::max(0.0, labelWidth - across.panel());
            while (across.shownPanels > 1 && across.total(panelGap) + beyond > roomX) --across.shownPanels;
        };
        // Three dims: panels follow each other like words, row after row.
        const auto wordRows = [&]() -> Index {
            return roles.panelRow < 0 ? (across.panels + across.shownPanels - 1) / across.shownPanels : 1;
        };
        if (card.picture) {
            fitPicture(across, std::min<qreal>(roomX, 560), kPanelGap, 96);
            fitPicture(down, std::min<qreal>(roomY, 420), panelGapY, 96);
            // Pictures keep their proportions unless that would make them a thread.
            const qreal square = std::min(across.cell, down.cell);
            if (square * pixels(card.cols) >= 24 && square * pixels(card.rows) >= 24) across.cell = down.cell = square;
            across.cell = std::max(across.cell, 24 / pixels(card.cols));
            down.cell = std::max(down.cell, leastPicture / pixels(card.rows));
            keepLabelsApart();
            const auto fitting = static_cast<Index>((roomY + panelGapY) / std::max(down.panel() + panelGapY, 1.0));
            panelRows = roles.panelRow < 0 ? std::clamp<Index>(fitting, 1, wordRows()) : down.shownPanels;
        } else {
            const bool both = input.text == CellText::Both;
            fitNumbers(across, roomX, kPanelGap, std::max(kCellWidth, text + 14), leastWidth, input.mostCols);
            keepLabelsApart();
            Extent rows = down;
            rows.panels *= wordRows();
            fitNumbers(rows, roomY, panelGapY, both ? kBothHeight : kCellHeight, both ? kLeastBothHeight : leastHeight,
                       input.mostRows);
            down.cell = rows.cell;
            down.shownCells = rows.shownCells;
            down.shownPanels = std::min(down.panels, rows.shownPanels);
            panelRows = rows.shownPanels;
        }
        panelsShown = roles.panelRow < 0 ? std::min(across.panels, across.shownPanels * panelRows) : across.shownPanels;
    };
    // The shown element is brought into the window, unless it lies in another slice.
    const Dims* shown = input.follow && !card.rings.empty() ? &card.rings.front() : nullptr;
    for (std::size_t d = 0; shown && d < outer.size(); ++d) {
        if ((*shown)[d] != outer[d]) shown = nullptr;
    }
    const auto first = [&](Index wanted, int dim, Index window, Index all) {
        if (shown && dim >= 0) {
            const Index wantedAt = (*shown)[static_cast<std::size_t>(dim)];
            wanted = std::clamp<Index>(wanted, wantedAt - window + 1, wantedAt);
        }
        return std::clamp<Index>(wanted, 0, std::max<Index>(0, all - window));
    };
    const auto place = [&] {
        card.cell = QSizeF(across.cell, down.cell);
        card.shownRows = down.shownCells;
        card.shownCols = across.shownCells;
        card.firstRow = first(input.firstRow, roles.row, card.shownRows, card.rows);
        card.firstCol = first(input.firstCol, roles.col, card.shownCols, card.cols);
        card.firstPanelRow = first(input.firstPanelRow, roles.panelRow, down.shownPanels, down.panels);
        card.firstPanelCol = first(input.firstPanelCol, roles.panelCol, panelsShown, across.panels);
        card.lastFirstPanelRow = std::max<Index>(0, down.panels - down.shownPanels);
        card.lastFirstPanelCol = std::max<Index>(0, across.panels - panelsShown);
    };
    // Captions: what the window leaves out.
    const auto leftOut = [&] {
        QStringList windows;
        if (down.shownPanels < down.panels)
            windows << windowText(dimLabel(input, roles.panelRow) + QLatin1Char(':'), card.firstPanelRow,
                                  down.shownPanels, down.panels);
        if (panelsShown < across.panels)
            windows << windowText(dimLabel(input, roles.panelCol) + QLatin1Char(':'), card.firstPanelCol, panelsShown,
                                  across.panels);
        if (card.shownRows < card.rows)
            windows << windowText(PaintedText::tr("rows"), card.firstRow, card.shownRows, card.rows);
        if (card.shownCols < card.cols)
            windows << windowText(rank == 1 ? PaintedText::tr("cells") : PaintedText::tr("columns"), card.firstCol,
                                  card.shownCols, card.cols);
        return windows;
    };
    // Only where something is left out, a caption says what: its lines take their room from the cells.
    constexpr int kCaptionLines = 3;
    const qreal lowest = card.picture ? std::min(leastPicture, leastHeight) : leastHeight;
    QStringList captions;
    Index rowsAlone = 0; // without a caption
    for (qsizetype lines = 0; lines <= kCaptionLines; ++lines) {
        const qreal words = lines > 0 ? 17 * static_cast<qreal>(lines) + 3 : 0;
        // On the lowest stages the ticks alone say which cells these are.
        if (input.brief && lines > 0 && wholeY - words < lowest) {
            captions.clear();
            break;
        }
        fit(std::max<qreal>(wholeY - words, lowest));
        if (lines == 0) rowsAlone = down.shownCells;
        // Under facts they do wherever words would take a row.
        if (input.facts && !card.picture && down.shownCells < rowsAlone) {
            fit(std::max<qreal>(wholeY, lowest));
            place();
            captions.clear();
            break;
        }
        place();
        const QStringList windows = leftOut();
        if (aside) {
            card.leftOut = windows;
            break;
        }
        captions = windows.isEmpty() ? QStringList()
                                     : wrapText(FontRole::Label, windows.join(QStringLiteral("  ·  ")),
                                                limit.width() - at.x() - kPadding, input.brief ? 1 : kCaptionLines);
        if (captions.size() <= lines) break;
    }
    for (const QString& line : captions) {
        card.texts.push_back(caption(QPointF(at.x(), y + 12), line));
        width = std::max(width, at.x() + textWidth(FontRole::Label, line) + kPadding);
        y += 17;
    }
    if (!captions.isEmpty()) y += 3;
    if (card.channelDim >= 0) {
        layoutColours(card, QPointF(at.x(), y + underFrame + 12), width);
        y += underFrame + kCaption;
    } else if (card.picture) {
        if (card.channel >= 0) {
            // Greys are those of the picture: the whole range of a byte, whatever part of it occurs.
            const QString line = PaintedText::tr("%1: the %2 channel of %3")
                                     .arg(QLatin1Char("RGBA"[card.channel]))
                                     .arg(colourName(card.channel), input.parent->name);
            card.texts.push_back(caption(QPointF(at.x(), y + 12), line));
            width = std::max(width, at.x() + textWidth(FontRole::Meta, line) + kPadding);
            y += kCaption;
        }
        const auto range = card.channel >= 0 ? std::pair(0.0, 255.0) : heatRange(input.entry->tensor);
        card.heatLow = range.first;
        card.heatHigh = range.second;
        card.odd = card.channel >= 0 ? OddValues{} : oddValues(input.entry->tensor, input.counted);
        if (hasBar) {
            const qreal bar =
                std::max(240.0, std::min(colourBarWidth(card.odd, 240), input.maxSize.width() - at.x() - kPadding));
            card.colourBar = QRectF(at.x(), y + 2, bar, 12);
            width = std::max(width, at.x() + bar + kPadding);
            y += kColourBar;
        }
    }
    const qreal bodyTop = y;

    // Axes over the panels.
    std::optional<Index> hoverRow, hoverCol;
    if (const Dims* ring = ringInSlice(card, outer)) {
        if (roles.row >= 0) hoverRow = (*ring)[static_cast<std::size_t>(roles.row)];
        if (roles.col >= 0) hoverCol = (*ring)[static_cast<std::size_t>(roles.col)];
    }
    const Index panelsInRow = std::min(across.shownPanels, panelsShown);
    const qreal gridWidth = across.panel() * pixels(panelsInRow) + panelGap * pixels(panelsInRow - 1);
    qreal right = left + gridWidth;
    if (roles.panelCol >= 0) {
        CardAxis axis = makeAxis(input, roles.panelCol, across.panels, false);
        placeHorizontal(axis, QPointF(left, y + 10), gridWidth);
        if (bare) makeBare(axis);
        right = std::max(right, axis.to.x());
        card.axes.push_back(axis);
        y += axisHeight;
    }
    const qreal labelTop = y;
    if (labels) y += kPanelLabel;
    if (roles.col >= 0) {
        CardAxis axis = makeAxis(input, roles.col, card.cols, false);
        placeHorizontal(axis, QPointF(left, y + 10), across.panel());
        if (bare) makeBare(axis);
        right = std::max(right, axis.to.x());
        y += axisHeight;
        // The outline of a heat map lies round its cells.
        addTicks(axis, card.firstCol, card.shownCols, hoverCol, across.cell, QPointF(left, y + (card.picture ? 6 : 10)),
                 true);
        // Numbers over narrow cells are wider than these: none may stand on the card's edge.
        for (AxisTick& tick : axis.ticks) {
            const qreal half = textWidth(FontRole::IndexStrong, QString::number(tick.index)) / 2;
            tick.at.setX(std::max(tick.at.x(), half + kPadding / 2));
            right = std::max(right, tick.at.x() + half);
        }
        card.axes.push_back(axis);
        y += tickHeight;
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
            if (card.channelDim >= 0) panel.coord[static_cast<std::size_t>(card.channelDim)] = wantedChannel(card);
            if (roles.panelRow >= 0) {
                panel.coord[static_cast<std::size_t>(roles.panelRow)] = card.firstPanelRow + pr;
                panel.coord[static_cast<std::size_t>(roles.panelCol)] = card.firstPanelCol + pc;
            } else if (roles.panelCol >= 0) {
                const Index i = card.firstPanelCol + pr * across.shownPanels + pc;
                if (i >= across.panels) break;
                panel.coord[static_cast<std::size_t>(roles.panelCol)] = i;
            }
            const QPointF corner(left + pixels(pc) * (across.panel() + panelGap),
                                 gridTop + pixels(pr) * (down.panel() + panelGapY));
            panel.area = QRectF(corner, QSizeF(across.panel(), down.panel()));
            if (labels) {
                const auto part = [&](int d) {
                    return QStringLiteral("%1=%2")
                        .arg(coordName(input, d))
                        .arg(panel.coord[static_cast<std::size_t>(d)]);
                };
                panel.label = roles.panelRow >= 0
                                  ? QStringLiteral("[%1, %2]").arg(part(roles.panelRow), part(roles.panelCol))
                                  : QStringLiteral("[%1]").arg(part(roles.panelCol));
                panel.labelAt = pr == 0 ? QPointF(corner.x(), labelTop + 13) : corner - QPointF(0, 8);
                right = std::max(right, corner.x() + textWidth(FontRole::Meta, panel.label));
            }
            // Dims of panels and of sliders alike: what index 0 shows is the original.
            for (int d = 0; d < rank; ++d) {
                const std::size_t k = static_cast<std::size_t>(d);
                if (d == roles.row || d == roles.col || d == card.channelDim) continue;
                if (view.stride[k] == 0 && panel.coord[k] > 0) panel.repeats = true;
            }
            card.panels.push_back(panel);
        }
    }
    const QRectF lastPanel = card.panels.back().area;
    qreal bottom = lastPanel.bottom();

    // Axes beside them.
    if (roles.row >= 0) {
        CardAxis axis = makeAxis(input, roles.row, card.rows, true);
        const qreal x = at.x() + (roles.panelRow >= 0 ? axisColumn : 0) + 12;
        placeVertical(axis, QPointF(x, gridTop), down.panel(), gridTop - bodyTop, input.slim);
        if (bare) makeBare(axis);
        addTicks(axis, card.firstRow, card.shownRows, hoverRow, down.cell, QPointF(left - 10, gridTop), false);
        bottom = std::max(bottom, axis.to.y());
        card.axes.push_back(axis);
    }
    if (roles.panelRow >= 0) {
        CardAxis axis = makeAxis(input, roles.panelRow, down.panels, true);
        placeVertical(axis, QPointF(at.x() + 12, gridTop), lastPanel.bottom() - gridTop, gridTop - bodyTop, input.slim);
        if (bare) makeBare(axis);
        bottom = std::max(bottom, axis.to.y());
        card.axes.push_back(axis);
    }
    width = std::max(width, right + kPadding);
    return bottom;
}

} // namespace stridescope::card
