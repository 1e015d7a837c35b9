// Sliders for the dims that a card's grids have no room for, and the breadcrumb of the slice that is shown.

#include "widgets/card/card_axes.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <limits>

namespace stridescope::card {

namespace {

/// More sliders than this would leave no card; a view of so many dims with more than one index each has 2^12 slices.
constexpr std::size_t kMostSliders = 12;
/// Up to this many stand one below another; more take two columns, so that the cells stay in sight.
constexpr std::size_t kOneColumn = 3;

/// The dims that get a slider: all of few; of many those that have more than one index.
std::vector<int> slidingDims(const CardLayout& card, std::size_t outer) {
    std::vector<int> dims;
    for (std::size_t d = 0; d < outer && dims.size() < kMostSliders; ++d) {
        if (outer <= 4 || card.view.shape[d] > 1) dims.push_back(static_cast<int>(d));
    }
    return dims;
}

/// "shown: slice [i=0, j=1], one of 6".
QString breadcrumb(const CardLayout& card, const Dims& outer) {
    const bool brief = card.input.still && card.input.slim; // "slice [0, 1], one of 6"
    QString crumb;
    Index slices = 1;
    constexpr std::size_t kNamed = 8;
    for (std::size_t d = 0; d < outer.size(); ++d) {
        const Index size = std::max<Index>(card.view.shape[d], 1);
        slices = slices > std::numeric_limits<Index>::max() / size ? 0 : slices * size;
        if (d >= kNamed) {
            if (d == kNamed) crumb += QStringLiteral(", …");
            continue;
        }
        crumb += QStringLiteral("%1%2%3")
                     .arg(d ? QStringLiteral(", ") : QString(),
                          brief ? QString() : coordName(card.input, static_cast<int>(d)) + QLatin1Char('='))
                     .arg(outer[d]);
    }
    const QString shown = (brief ? PaintedText::tr("slice [%1]") : PaintedText::tr("shown: slice [%1]")).arg(crumb);
    // Views of stride 0 may have more slices than fit a number.
    return slices > 0 ? shown + PaintedText::tr(", one of %1").arg(slices) : shown;
}

/// "in slice l=0, not shown": where the shown element lies.
QString elsewhere(const CardLayout& card, const Dims& outer) {
    const Dims& ring = card.rings.front();
    QStringList parts;
    for (std::size_t d = 0; d < outer.size(); ++d) {
        if (ring[d] != outer[d])
            parts << QStringLiteral("%1=%2").arg(coordName(card.input, static_cast<int>(d))).arg(ring[d]);
    }
    return PaintedText::tr("cell in slice %1, which is not shown").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

Dims outerCoord(const CardLayout& card) {
    Dims outer;
    // Colours lie in a cell, whichever dim they are.
    const std::size_t inside = laidOutDims(card.input) + (card.channelDim >= 0 ? 1 : 0);
    for (std::size_t d = 0; d + inside < card.view.shape.size(); ++d) {
        const Index wanted = d < card.input.outer.size() ? card.input.outer[d] : 0;
        outer.push_back(std::clamp<Index>(wanted, 0, std::max<Index>(0, card.view.shape[d] - 1)));
    }
    return outer;
}

qreal layoutSliders(CardLayout& card, qreal top, qreal& width) {
    const CardInput& input = card.input;
    const Dims outer = outerCoord(card);
    if (outer.empty()) return top;
    const qreal rowHeight = input.slim ? 24 : 26;
    const std::vector<int> dims = input.still ? std::vector<int>() : slidingDims(card, outer.size());
    std::size_t columns = dims.size() > (input.slim ? 1 : kOneColumn) ? 2 : 1;
    qreal labelRoom = 0, valueRoom = 0;
    for (const int d : dims) {
        const Index size = card.view.shape[static_cast<std::size_t>(d)];
        labelRoom = std::max(labelRoom, textWidth(FontRole::LabelStrong, makeAxis(input, d, size, false).text));
        valueRoom = std::max(
            valueRoom, textWidth(FontRole::MetaStrong,
                                 QStringLiteral("%1 = %2").arg(coordName(input, d)).arg(std::max<Index>(0, size - 1))));
    }
    // Beside each other they share what room there is.
    constexpr qreal kLeastTrack = 40, kBetween = 20;
    const qreal usual = input.slim ? 86 : 130;
    const qreal words = labelRoom + 16 + 14 + valueRoom + kBetween;
    qreal room = headRoom(input) + kBetween;
    if (columns == 2 && input.wide && input.headWidth > 0) {
        // A narrow head gets wider for a second column by a little only: the cells beside it need the room more.
        constexpr qreal kWider = 64;
        const qreal two = 2 * (words + kLeastTrack);
        columns = two <= room + kWider ? 2 : 1;
        if (columns == 2) room = std::max(room, two);
    }
    const qreal share = room / static_cast<qreal>(columns);
    const qreal trackWidth = std::clamp(std::floor(share - words), kLeastTrack, usual);
    const qreal pitch = words + trackWidth;
    qreal y = top;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const int d = dims[i];
        const qreal x = kPadding + pitch * static_cast<qreal>(i % columns);
        CardSlider slider;
        slider.dim = d;
        slider.size = card.view.shape[static_cast<std::size_t>(d)];
        slider.value = outer[static_cast<std::size_t>(d)];
        slider.label = makeAxis(input, d, slider.size, false).text;
        slider.valueText = QStringLiteral("%1 = %2").arg(coordName(input, d)).arg(slider.value);
        slider.labelAt = QPointF(x, y + 17);
        slider.track = QRectF(x + labelRoom + 16, y + 4, trackWidth, 18);
        slider.valueAt = QPointF(slider.track.right() + 14, y + 17);
        width = std::max(width, slider.valueAt.x() + valueRoom + kPadding);
        card.sliders.push_back(slider);
        if (i % columns == columns - 1 || i + 1 == dims.size()) y += rowHeight;
    }
    const qreal lineRoom = std::max<qreal>(width - 2 * kPadding, input.presented ? 84 : 240);
    QStringList lines = wrapText(FontRole::Label, breadcrumb(card, outer), lineRoom);
    if (!dims.empty() && !card.rings.empty() && !ringInSlice(card, outer)) {
        // The sliders tell the slice that is shown. The cells below must not move under the pointer.
        const qsizetype count = lines.size();
        lines = wrapText(FontRole::Label, elsewhere(card, outer), lineRoom, static_cast<int>(count));
        while (lines.size() < count) lines << QString();
    }
    for (const QString& line : lines) {
        card.texts.push_back(caption(QPointF(kPadding, y + 14), line));
        width = std::max(width, textWidth(FontRole::Label, line) + 2 * kPadding);
        y += 17;
    }
    return y + 6;
}

} // namespace stridescope::card
