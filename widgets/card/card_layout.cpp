#include "widgets/card/card_layout.h"

#include "widgets/card/card_parts.h"
#include "widgets/card/colours.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace card {

QSizeF maxSize(const CardInput& input) {
    return QSizeF(input.maxSize.width() > 0 ? input.maxSize.width() : kDefaultWidth,
                  input.maxSize.height() > 0 ? input.maxSize.height() : kDefaultHeight);
}

qreal headRoom(const CardInput& input) {
    const qreal card = maxSize(input).width();
    return (input.wide && input.headWidth > 0 ? std::min(card, input.headWidth) : card) - 2 * kPadding;
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

/// Which cells are in sight, in the place of storage and device: the card is tied to the one, the strip names the
/// other.
void sayWindowInHead(CardLayout& card, qreal baseline, qreal& width) {
    for (TextItem& item : card.texts) {
        if (card.leftOut.empty() || std::abs(item.pos.y() - baseline) >= 1) continue;
        const QString dot = QStringLiteral("  ·  ");
        item.text = (card.contiguous ? PaintedText::tr("contiguous") : PaintedText::tr("not contiguous")) + dot +
                    card.leftOut.join(dot);
    }
    width = std::max(width, deviceLineEnd(card, baseline) + kPadding);
}

/// A card ends on whole pixels. The cells of a picture are parts of one: all of them together may be a hair more than
/// the room that was divided among them, which must not cost a pixel that is not there.
qreal wholePixels(qreal length) {
    constexpr qreal kHair = 1e-6;
    return std::ceil(length - kHair);
}

/// What stands at the right end of the header's lines.
void finishHeader(CardLayout& card, qreal width, qreal chips) {
    for (CardChip& chip : card.chips) chip.rect.translate(width - kPadding - chips, 0);
    card.pill.moveLeft(width - kPadding - card.pill.width());
    card.header.setWidth(width);
}

/// Head and cells alone. With `wide` the head is a column left of the cells, else it stands over them.
CardLayout layoutPresented(const CardInput& input) {
    CardLayout card;
    card.input = input;
    card.input.slim = true;
    card.view = input.preview ? *input.preview : input.entry->tensor.view();
    findColours(card);
    card.rings = shownCoords(input, card.view);
    const qreal narrow = input.headWidth > 0 ? input.headWidth : input.compact ? 84 : 128;
    constexpr qreal kBelow = 8, kDescent = 4;
    qreal width = 0;
    const qreal limit = maxSize(input).width() - 2 * kPadding;
    const qreal head = layoutBriefHeader(card, input.wide ? std::min(narrow, limit) : limit, width);
    qreal bottom = layoutSliders(card, head + 10, width);
    if (input.wide) {
        const qreal column = std::ceil(width);
        const qreal cells = layoutBody(card, QPointF(column, 0), width);
        qreal y = bottom + 8;
        for (const QString& words : card.leftOut) {
            // The ticks say as much, where there is no room for words.
            const QStringList lines = wrapText(FontRole::Label, words, column - 4 - kPadding);
            const qreal end = y + 17 * static_cast<qreal>(lines.size() - 1);
            if (lines.size() > 2 || end + kDescent + kBelow > maxSize(input).height()) continue;
            for (const QString& line : lines) {
                TextItem item;
                item.pos = QPointF(kPadding, y);
                item.text = line;
                item.tone = Tone::Ink2;
                card.texts.push_back(item);
                y += 17;
            }
        }
        bottom = std::max({bottom, card.leftOut.empty() ? 0.0 : y - 17 + kDescent, cells});
    } else {
        bottom = layoutBody(card, QPointF(kPadding, bottom - 4), width);
    }
    width = wholePixels(width);
    card.header.setWidth(width);
    card.size = QSizeF(width, wholePixels(bottom + kBelow));
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
    // Beside a wide card's cells: which switches there are follows from the body; their room is wanted before it.
    constexpr qreal kBeforeSwitches = 16, kSwitchLine = 22;
    const qreal switchRoom = switches && input.wide ? mostChips(input.entry->tensor, card.view, input.detail) : 0;
    // They share the device line's row, unless a head that is narrow on purpose would get wide for them.
    const bool below = input.headWidth > 0 && switchRoom > 0 &&
                       deviceLineEnd(card, deviceLine) + kBeforeSwitches + switchRoom > kPadding + headRoom(input);
    const qreal switchLine = deviceLine + (below ? kSwitchLine : 0);
    if (below) card.header.setHeight(card.header.height() + kSwitchLine);
    const qreal formulaEnd = input.compact ? switchLine : layoutFormula(card, switchLine, width);
    const qreal gap = input.slim ? 4 : 8;
    const qreal slidersTop = formulaEnd + gap + (input.compact && !input.slim ? 8 : 0);
    qreal bottom = layoutSliders(card, slidersTop, width);
    if (!input.wide) bottom = layoutBody(card, QPointF(kPadding, bottom), width);
    if (input.windowInHead) sayWindowInHead(card, deviceLine, width);
    qreal deviceEnd = deviceLineEnd(card, deviceLine);
    if (input.wide) {
        const qreal before = below ? kPadding : deviceEnd + kBeforeSwitches;
        width = std::ceil(std::max(width, before + switchRoom + kPadding));
        const qreal head = width;
        bottom = std::max(bottom, layoutBody(card, QPointF(head + 4, 8), width));
        width = wholePixels(width);
        finishHeader(card, head, switches ? layoutChips(card, switchLine) : 0);
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
        width = wholePixels(width);
        finishHeader(card, width, chips);
    }
    bottom = layoutNote(card, bottom, width);
    card.size = QSizeF(width, wholePixels(bottom + 10));
    return card;
}

void fillSpareRoom(CardLayout& card) {
    addRepeatNote(card);
    addBriefPill(card);
}

} // namespace stridescope
