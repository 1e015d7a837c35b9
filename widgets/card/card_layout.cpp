#include "widgets/card/card_layout.h"

#include "core/view/inverse.h"
#include "widgets/card/card_parts.h"
#include "widgets/card/colours.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

#include <array>
#include <cmath>

namespace stridescope {

namespace card {

QSizeF maxSize(const CardInput& input) {
    return QSizeF(input.maxSize.width() > 0 ? input.maxSize.width() : kDefaultWidth,
                  input.maxSize.height() > 0 ? input.maxSize.height() : kDefaultHeight);
}

std::vector<Dims> shownCoords(const CardInput& input, const View& view) {
    constexpr std::size_t kLimit = 64;
    std::vector<Dims> coords;
    const Tensor& tensor = input.entry->tensor;
    if (!input.shown || !tensor.defined() || input.shown->storageId != tensor.storage()->id()) return coords;
    coords = coordsAt(view, input.shown->slot, kLimit).coords;
    if (input.shown->tensor == input.entry->id && input.shown->coord.size() == view.shape.size()) {
        // The one pointed at leads; it may be missing when the limit cut the list.
        const Dims& at = input.shown->coord;
        bool inside = true;
        for (std::size_t d = 0; d < at.size(); ++d) inside = inside && at[d] >= 0 && at[d] < view.shape[d];
        if (inside && view.slot(std::span<const Index>(at.data(), at.size())) == input.shown->slot) {
            const auto found = std::find(coords.begin(), coords.end(), at);
            if (found == coords.end())
                coords.insert(coords.begin(), at);
            else
                std::rotate(coords.begin(), found, found + 1);
        }
    }
    return coords;
}

namespace {

std::size_t longestText(const Tensor& source, const View& view, CellText text) {
    constexpr std::size_t kMostChars = 13; // longer values are rounded by the painter
    constexpr Index kSample = 512;
    const CellValues values(source);
    const Index n = view.numel();
    const Index samples = n <= kNumberedCells ? n : kSample;
    std::size_t longest = 1;
    std::string buffer;
    for (Index k = 0; k < samples; ++k) {
        Index rest =
            samples == n ? k : static_cast<Index>(static_cast<__int128>(k) * (n - 1) / (samples - 1)); // with the last
        Index slot = view.offset;
        for (std::size_t d = view.shape.size(); d-- > 0;) {
            slot += rest % view.shape[d] * view.stride[d];
            rest /= view.shape[d];
        }
        const bool known = values.readable() && values.holds(slot);
        if (text != CellText::Value || !known) longest = std::max(longest, std::to_string(slot).size());
        if (text == CellText::Index || !known) continue;
        buffer.clear();
        values.appendText(buffer, slot, kMostChars);
        longest = std::max(longest, buffer.size());
    }
    return longest;
}

} // namespace

qreal widestCell(const Tensor& source, const View& view, CellText text) {
    // Cards are laid out several times at every mouse move; elements are read again only after a write.
    struct Known {
        quint64 storage = 0, version = 0;
        DType dtype = DType::Float32;
        CellText text = CellText::Value;
        View view;
        std::size_t longest = 0; ///< 0: nothing is known
    };
    static thread_local std::array<Known, 32> known;
    static thread_local std::size_t next = 0;
    const auto widthOf = [](std::size_t chars) {
        return textWidth(FontRole::Cell, QString(static_cast<qsizetype>(chars), QLatin1Char('0')));
    };
    if (!source.defined()) return widthOf(longestText(source, view, text));
    const Storage& storage = *source.storage();
    for (const Known& entry : known) {
        if (entry.longest > 0 && entry.storage == storage.id() && entry.version == storage.version() &&
            entry.dtype == source.dtype() && entry.text == text && entry.view == view)
            return widthOf(entry.longest);
    }
    Known& entry = known[next];
    next = (next + 1) % known.size();
    entry = {storage.id(), storage.version(), source.dtype(), text, view, longestText(source, view, text)};
    return widthOf(entry.longest);
}

std::unordered_map<Index, Index> overlapCounts(const View& view) {
    std::unordered_map<Index, Index> counts;
    View real = view;
    for (std::size_t d = 0; d < real.shape.size(); ++d) {
        if (real.stride[d] == 0 && real.shape[d] > 0) real.shape[d] = 1;
    }
    if (real.isDense()) return counts;
    const Index n = real.numel();
    if (n > kNumberedCells || n == 0) return counts;
    Dims coord(real.shape.size(), 0);
    for (Index i = 0; i < n; ++i) {
        Index rest = i;
        for (std::size_t d = real.shape.size(); d-- > 0;) {
            coord[d] = rest % real.shape[d];
            rest /= real.shape[d];
        }
        ++counts[real.slot(std::span<const Index>(coord.data(), coord.size()))];
    }
    std::erase_if(counts, [](const auto& entry) { return entry.second < 2; });
    return counts;
}

} // namespace card

namespace {

/// Between the switch of the layout and that of the cells.
constexpr qreal kChipGap = 10;

using namespace card;

/// Switches that make sense for this view, right-aligned in the device line.
qreal layoutChips(CardLayout& card, qreal baseline) {
    std::vector<CardChip> chips;
    const auto add = [&](int index, const QString& text, bool on) {
        CardChip chip;
        chip.index = index;
        chip.text = text;
        chip.on = on;
        chip.rect = QRectF(0, baseline - 13, std::ceil(textWidth(FontRole::Label, text)) + 14, 19);
        chips.push_back(chip);
    };
    if (fitsBlocks(card.view)) {
        add(kChipNested, PaintedText::tr("grids"), !card.block);
        const bool refused = card.input.mode == CardMode::Blocks && !card.block;
        add(kChipBlocks, refused ? PaintedText::tr("blocks: no room") : PaintedText::tr("blocks"),
            card.block.has_value());
    }
    const bool large = card.rows * card.cols > 256 || card.picture || card.input.detail == CardDetail::Picture ||
                       colourDim(card.input.entry->tensor, card.view, 1) >= 0;
    if (!card.block && large && card.view.numel() > 0) {
        add(kChipNumbers, QStringLiteral("numbers"), !card.picture);
        add(kChipPicture, PaintedText::tr("colours"), card.picture);
    }
    qreal width = 0;
    for (CardChip& chip : chips) {
        // Two switches, not one of four: each has a segment that is on.
        if (chip.index == kChipNumbers && width > 0) width += kChipGap;
        chip.rect.moveLeft(width);
        width += chip.rect.width();
    }
    card.chips = std::move(chips);
    return width;
}

/// The widest row of switches that a card of this view can have.
qreal mostChips(const Tensor& tensor, const View& view, CardDetail detail) {
    const auto both = [](const QString& a, const QString& b) {
        return std::ceil(textWidth(FontRole::Label, a)) + std::ceil(textWidth(FontRole::Label, b)) + 28;
    };
    qreal width = fitsBlocks(view) ? both(PaintedText::tr("grids"), PaintedText::tr("blocks: no room")) : 0;
    if (view.numel() > 256 || detail == CardDetail::Picture || colourDim(tensor, view, 1) >= 0)
        width += (width > 0 ? kChipGap : 0) + both(QStringLiteral("numbers"), PaintedText::tr("colours"));
    return width;
}

/// Where the device line ends, without its switches.
qreal deviceLineEnd(const CardLayout& card, qreal baseline) {
    qreal end = 0;
    for (const TextItem& item : card.texts) {
        if (std::abs(item.pos.y() - baseline) < 1) end = std::max(end, item.pos.x() + textWidth(item.font, item.text));
    }
    return end;
}

/// What stands at the right end of the header's lines.
void finishHeader(CardLayout& card, qreal width, qreal chips) {
    for (CardChip& chip : card.chips) chip.rect.translate(width - kPadding - chips, 0);
    card.pill.moveLeft(width - kPadding - card.pill.width());
    card.header.setWidth(width);
}

/// The note beside the cells where there is room, else below them.
qreal layoutNote(CardLayout& card, qreal bottom, qreal width) {
    if (!card.input.note || card.picture) return bottom;
    QString note = strideNote(card.view, card.input.parent);
    if (note.isEmpty() && !overlapCounts(card.view).empty()) {
        note = PaintedText::tr("Cells marked ×n share one storage cell with others: a write to one changes all n.");
    }
    if (note.isEmpty() || (card.panels.empty() && !card.block)) return bottom;
    QRectF cells;
    for (const CardPanel& panel : card.panels) cells |= panel.area;
    if (card.block) cells = card.block->bounds();
    qreal right = cells.right();
    for (const CardAxis& axis : card.axes) right = std::max(right, axis.to.x());
    const auto put = [&](QPointF at, const QStringList& lines) {
        for (const QString& line : lines) {
            TextItem item;
            item.pos = at;
            item.text = line;
            item.font = FontRole::Label;
            item.tone = Tone::Ink2;
            card.texts.push_back(item);
            at.ry() += 17;
        }
    };
    const qreal room = width - kPadding - right - 16;
    if (room >= 96) {
        const QStringList lines = wrapText(FontRole::Label, note, room);
        const qreal height = 17 * static_cast<qreal>(lines.size());
        if (height <= cells.height() + 8) {
            put(QPointF(right + 16, cells.center().y() - height / 2 + 13), lines);
            return bottom;
        }
    }
    // On its right a channel stays free, in which links pass.
    constexpr qreal kChannel = 16;
    const QStringList lines = wrapText(FontRole::Label, note, width - 2 * kPadding - kChannel);
    put(QPointF(kPadding, bottom + 22), lines);
    qreal widest = 0;
    for (const QString& line : lines) widest = std::max(widest, textWidth(FontRole::Label, line));
    card.noteArea = QRectF(kPadding, bottom + 10, widest, 17 * static_cast<qreal>(lines.size()));
    return bottom + 14 + 17 * static_cast<qreal>(lines.size());
}

} // namespace

Index CardSlider::valueAtX(qreal x) const {
    if (size <= 1) return 0;
    const qreal t = std::clamp((x - track.left()) / track.width(), 0.0, 1.0);
    return std::clamp<Index>(static_cast<Index>(std::llround(t * static_cast<qreal>(size - 1))), 0, size - 1);
}

namespace {

/// Head and cells alone. With `wide` the head is a column left of the cells, else it stands over them.
CardLayout layoutPresented(const CardInput& input) {
    CardLayout card;
    card.input = input;
    card.input.slim = true;
    card.view = input.preview ? *input.preview : input.entry->tensor.view();
    findColours(card);
    card.rings = shownCoords(input, card.view);
    const qreal narrow = input.compact ? 84 : 128;
    constexpr qreal kBelow = 8;
    qreal width = 0;
    const qreal limit = maxSize(input).width() - 2 * kPadding;
    const qreal head = layoutBriefHeader(card, input.wide ? std::min(narrow, limit) : limit, width);
    qreal bottom = layoutSliders(card, head + 10, width);
    if (input.wide) {
        const qreal column = std::ceil(width);
        const qreal cells = layoutBody(card, QPointF(column, 0), width);
        qreal y = bottom + 8;
        for (const QString& line : card.leftOut) {
            // The ticks say as much, where there is no room for words.
            if (y + kBelow > maxSize(input).height()) break;
            if (kPadding + textWidth(FontRole::Label, line) > column - 4) continue;
            TextItem item;
            item.pos = QPointF(kPadding, y);
            item.text = line;
            item.tone = Tone::Ink2;
            card.texts.push_back(item);
            y += 17;
        }
        bottom = std::max({bottom, card.leftOut.empty() ? 0.0 : y - 13, cells});
    } else {
        bottom = layoutBody(card, QPointF(kPadding, bottom - 4), width);
    }
    width = std::ceil(width);
    card.header.setWidth(width);
    card.size = QSizeF(width, std::ceil(bottom + kBelow));
    return card;
}

} // namespace

CardLayout layoutCard(const CardInput& input) {
    if (input.presented) return layoutPresented(input);
    CardLayout card;
    card.input = input;
    card.view = input.preview ? *input.preview : input.entry->tensor.view();
    findColours(card);
    card.rings = shownCoords(input, card.view);
    qreal width = 0;
    const qreal headLimit = maxSize(input).width() - 2 * kPadding;
    const qreal deviceLine = input.brief ? layoutBriefHeader(card, headLimit, width) : layoutHeader(card, width);
    const bool switches = input.switches && !input.compact;
    const qreal formulaEnd = input.compact ? deviceLine : layoutFormula(card, deviceLine, width);
    const qreal gap = input.slim ? 4 : 8;
    const qreal slidersTop = formulaEnd + gap + (input.compact && !input.slim ? 8 : 0);
    qreal bottom = layoutSliders(card, slidersTop, width);
    if (!input.wide) bottom = layoutBody(card, QPointF(kPadding, bottom), width);
    // The device line and the switches share a row.
    constexpr qreal kBeforeSwitches = 16;
    qreal deviceEnd = deviceLineEnd(card, deviceLine);
    if (input.wide) {
        // Which switches there are follows from the body; their room is wanted before it.
        const qreal room = switches ? mostChips(input.entry->tensor, card.view, input.detail) : 0;
        width = std::ceil(std::max(width, deviceEnd + kBeforeSwitches + room + kPadding));
        const qreal head = width;
        bottom = std::max(bottom, layoutBody(card, QPointF(head + 4, 8), width));
        width = std::ceil(width);
        finishHeader(card, head, switches ? layoutChips(card, deviceLine) : 0);
    } else {
        const qreal chips = switches ? layoutChips(card, deviceLine) : 0;
        if (chips > 0 && deviceEnd + kBeforeSwitches + chips + kPadding > maxSize(input).width()) {
            // On the narrowest stages the words move together.
            for (TextItem& item : card.texts) {
                if (std::abs(item.pos.y() - deviceLine) < 1)
                    item.text.replace(QStringLiteral("   "), QStringLiteral(" "));
            }
            deviceEnd = deviceLineEnd(card, deviceLine);
        }
        if (chips > 0) width = std::max(width, deviceEnd + kBeforeSwitches + chips + kPadding);
        width = std::ceil(width);
        finishHeader(card, width, chips);
    }
    bottom = layoutNote(card, bottom, width);
    card.size = QSizeF(width, std::ceil(bottom + 10));
    return card;
}

std::vector<int> CardLayout::dimsFromInside() const {
    std::vector<int> dims;
    for (const int dim : {colDim, rowDim, channelDim})
        if (dim >= 0) dims.push_back(dim);
    for (int dim = static_cast<int>(view.dim()) - 1; dim >= 0; --dim)
        if (!isInPanel(dim)) dims.push_back(dim);
    return dims;
}

std::optional<QRectF> CardLayout::cellRect(const Dims& coord) const {
    if (coord.size() != view.shape.size() || view.numel() == 0) return {};
    for (std::size_t d = 0; d < coord.size(); ++d) {
        if (coord[d] < 0 || coord[d] >= view.shape[d]) return {};
    }
    if (block) return block->cellRect(coord).translated(pos);
    const Index row = rowDim < 0 ? 0 : coord[static_cast<std::size_t>(rowDim)];
    const Index col = colDim < 0 ? 0 : coord[static_cast<std::size_t>(colDim)];
    if (row < firstRow || row >= firstRow + shownRows || col < firstCol || col >= firstCol + shownCols) return {};
    for (const CardPanel& panel : panels) {
        bool same = true;
        for (std::size_t d = 0; d < coord.size(); ++d) {
            same = same && (isInPanel(static_cast<int>(d)) || coord[d] == panel.coord[d]);
        }
        if (!same) continue;
        return QRectF(panel.area.left() + static_cast<qreal>(col - firstCol) * cell.width(),
                      panel.area.top() + static_cast<qreal>(row - firstRow) * cell.height(), cell.width(),
                      cell.height())
            .translated(pos);
    }
    return {};
}

std::optional<Dims> CardLayout::cellAt(QPointF p) const {
    if (view.numel() == 0) return {};
    const QPointF local = p - pos;
    if (block) return block->cellAt(local);
    for (const CardPanel& panel : panels) {
        const QPointF in = local - panel.area.topLeft();
        if (in.x() < 0 || in.y() < 0 || in.x() >= panel.area.width() || in.y() >= panel.area.height()) continue;
        Dims coord = panel.coord;
        const Index row = std::min(firstRow + static_cast<Index>(in.y() / cell.height()), rows - 1);
        const Index col = std::min(firstCol + static_cast<Index>(in.x() / cell.width()), cols - 1);
        if (rowDim >= 0) coord[static_cast<std::size_t>(rowDim)] = row;
        if (colDim >= 0) coord[static_cast<std::size_t>(colDim)] = col;
        return coord;
    }
    return {};
}

std::optional<QPointF> CardLayout::port(const Dims& coord) const {
    const std::vector<QPointF> route = linkRoute(coord);
    if (route.empty()) return {};
    return route.back();
}

std::vector<QPointF> CardLayout::linkRoute(const Dims& coord) const {
    const auto rect = cellRect(coord);
    if (!rect) return {};
    const qreal bottom = pos.y() + size.height();
    const QPointF corner = rect->bottomRight();
    // A line would cut through the digits of the slices in front.
    if (block) return {QPointF(corner.x(), bottom)};
    const CardPanel* own = nullptr;
    qreal lowest = 0;
    for (const CardPanel& panel : panels) {
        if (panel.area.translated(pos).contains(rect->center())) own = &panel;
        lowest = std::max(lowest, panel.area.bottom());
    }
    std::vector<QPointF> route{corner};
    if (own && own->area.bottom() < lowest - 1) {
        // Down the grid line, then between the panels: their labels and cells stay free.
        const qreal gapY = pos.y() + own->area.bottom() + 4;
        const qreal gapX = pos.x() + own->area.right() + 10;
        route.insert(route.end(), {QPointF(corner.x(), gapY), QPointF(gapX, gapY)});
    }
    const qreal x = route.back().x();
    const QRectF note = noteArea.translated(pos);
    if (!noteArea.isEmpty() && x > note.left() - 4 && x < note.right() + 4) {
        const qreal gapY = pos.y() + lowest + 5;
        route.insert(route.end(), {QPointF(x, gapY), QPointF(note.right() + 8, gapY)});
    }
    route.push_back(QPointF(route.back().x(), bottom));
    return route;
}

std::optional<int> CardLayout::sliderAt(QPointF p) const {
    for (std::size_t i = 0; i < sliders.size(); ++i) {
        if (sliders[i].track.adjusted(-8, -4, 8, 4).contains(p - pos)) return static_cast<int>(i);
    }
    return {};
}

Index CardLayout::sliderValue(int slider, qreal sceneX) const {
    return sliders[static_cast<std::size_t>(slider)].valueAtX(sceneX - pos.x());
}

QString strideNote(const View& v, const TensorEntry* parent) {
    const std::size_t rank = v.shape.size();
    if (v.numel() == 0) return {};
    // Repetition first: it is what people get wrong.
    Index times = 1;
    Index real = 1;
    for (std::size_t d = 0; d < rank; ++d) (v.stride[d] == 0 ? times : real) *= v.shape[d];
    if (times > 1) {
        return real == 1 ? PaintedText::tr("stride 0: the same cell seen %1 times.").arg(times)
                         : PaintedText::tr("stride 0: the same %1 cells seen %2 times.").arg(real).arg(times);
    }
    for (std::size_t d = 0; d < rank; ++d) {
        if (v.stride[d] < 0 && v.shape[d] > 1) {
            return PaintedText::tr("Stride %1: dim %2 walks backwards through the storage.").arg(v.stride[d]).arg(d);
        }
    }
    if (parent && parent->tensor.defined() && parent->tensor.view().offset == v.offset && rank >= 2) {
        const View& p = parent->tensor.view();
        const auto pairs = [](const View& w) {
            std::vector<std::pair<Index, Index>> all;
            for (std::size_t d = 0; d < w.shape.size(); ++d) all.emplace_back(w.shape[d], w.stride[d]);
            return all;
        };
        auto mine = pairs(v);
        auto theirs = pairs(p);
        if (mine != theirs) {
            std::sort(mine.begin(), mine.end());
            std::sort(theirs.begin(), theirs.end());
            if (mine == theirs) {
                // Two pairs that differ are swapped; of three or more only the order is another.
                std::size_t moved = 0;
                for (std::size_t d = 0; d < rank; ++d) moved += v.shape[d] != p.shape[d] || v.stride[d] != p.stride[d];
                const QString how =
                    moved == 2 ? PaintedText::tr("Same %1 storage cells as %2: sizes and strides swapped.")
                               : PaintedText::tr("Same %1 storage cells as %2: sizes and strides in another order.");
                return how.arg(v.numel()).arg(parent->name);
            }
        }
    }
    if (rank == 2 && v.shape[0] > 1 && v.shape[1] >= 1 && v.stride[1] == 1 && v.stride[0] > v.shape[1]) {
        return PaintedText::tr("Rows start %1 apart: going down one row jumps over %2 %3.")
            .arg(v.stride[0])
            .arg(v.stride[0] - v.shape[1])
            .arg(v.stride[0] - v.shape[1] == 1 ? PaintedText::tr("cell") : PaintedText::tr("cells"));
    }
    if (rank == 1 && v.shape[0] > 1 && v.stride[0] > 1) {
        return PaintedText::tr("Every step jumps over %1 %2.")
            .arg(v.stride[0] - 1)
            .arg(v.stride[0] == 2 ? PaintedText::tr("cell") : PaintedText::tr("cells"));
    }
    return {};
}

} // namespace stridescope
