// Sliders for the dims that a card's grids have no room for, and the breadcrumb of the slice that is shown.

#include "widgets/card/card_axes.h"
#include "widgets/card/text_metrics.h"

#include <algorithm>
#include <limits>

namespace stridescope::card {

namespace {

constexpr int kMostSliders = 4;

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
    const QString shown = (brief ? QStringLiteral("slice [%1]") : QStringLiteral("shown: slice [%1]")).arg(crumb);
    // Views of stride 0 may have more slices than fit a number.
    return slices > 0 ? shown + QStringLiteral(", one of %1").arg(slices) : shown;
}

} // namespace

Dims outerCoord(const CardLayout& card) {
    Dims outer;
    for (std::size_t d = 0; d + laidOutDims(card.input) < card.view.shape.size(); ++d) {
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
    const int shown = input.still ? 0 : std::min(static_cast<int>(outer.size()), kMostSliders);
    const int columns = input.slim && shown > 1 ? 2 : 1;
    const qreal trackWidth = input.slim ? 86 : 130;
    qreal labelRoom = 0, valueRoom = 0;
    for (int d = 0; d < shown; ++d) {
        const Index size = card.view.shape[static_cast<std::size_t>(d)];
        labelRoom = std::max(labelRoom, textWidth(FontRole::LabelStrong, makeAxis(input, d, size, false).text));
        valueRoom = std::max(
            valueRoom, textWidth(FontRole::MetaStrong,
                                 QStringLiteral("%1 = %2").arg(coordName(input, d)).arg(std::max<Index>(0, size - 1))));
    }
    const qreal pitch = labelRoom + 16 + trackWidth + 14 + valueRoom + 20;
    qreal y = top;
    for (int d = 0; d < shown; ++d) {
        const qreal x = kPadding + pitch * (d % columns);
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
        if (d % columns == columns - 1 || d == shown - 1) y += rowHeight;
    }
    for (const QString& line :
         wrapText(FontRole::Label, breadcrumb(card, outer), std::max<qreal>(width - 2 * kPadding, 240))) {
        card.texts.push_back(caption(QPointF(kPadding, y + 14), line));
        width = std::max(width, textWidth(FontRole::Label, line) + 2 * kPadding);
        y += 17;
    }
    return y + 6;
}

} // namespace stridescope::card
