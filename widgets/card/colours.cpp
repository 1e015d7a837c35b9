#include "widgets/card/colours.h"

#include "widgets/card/card_axes.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

int colourDim(const Tensor& tensor, const View& view, Index leastSide) {
    const auto rank = static_cast<int>(view.dim());
    if (tensor.dtype() != DType::UInt8 || rank < 3 || rank > 4) return -1;
    const auto size = [&view](int d) { return view.shape[static_cast<std::size_t>(d)]; };
    const auto fits = [&](int channel, int height, int width) {
        return (size(channel) == 3 || size(channel) == 4) && size(height) >= leastSide && size(width) >= leastSide;
    };
    if (fits(rank - 1, rank - 3, rank - 2)) return rank - 1;
    return fits(rank - 3, rank - 2, rank - 1) ? rank - 3 : -1;
}

QString colourName(Index channel) {
    switch (channel) {
    case 0:
        return PaintedText::tr("red");
    case 1:
        return PaintedText::tr("green");
    case 2:
        return PaintedText::tr("blue");
    default:
        return PaintedText::tr("alpha");
    }
}

namespace card {

namespace {

/// CardLayout::channel of a tensor of bytes.
int channelOfParent(const CardInput& input, Index leastSide) {
    const Tensor& tensor = input.entry->tensor;
    const TensorEntry* parent = input.parent;
    if (!parent || !parent->tensor.defined() || tensor.dtype() != DType::UInt8 || tensor.dim() != 2) return -1;
    if (parent->tensor.dtype() != DType::UInt8 || !(parent->tensor.storage() == tensor.storage())) return -1;
    const View& whole = parent->tensor.view();
    const View& view = tensor.view();
    const int channels = colourDim(parent->tensor, whole, leastSide);
    if (channels < 0 || whole.dim() != 3) return -1;
    std::size_t next = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        if (static_cast<int>(d) == channels) continue;
        // The whole channel, not a part of it or its transpose.
        if (view.shape[next] != whole.shape[d] || view.stride[next] != whole.stride[d]) return -1;
        ++next;
    }
    const std::size_t c = static_cast<std::size_t>(channels);
    for (Index k = 0; k < std::min<Index>(whole.shape[c], 4); ++k) {
        if (view.offset == whole.offset + k * whole.stride[c]) return static_cast<int>(k);
    }
    return -1;
}

} // namespace

void findColours(CardLayout& card) {
    const CardInput& input = card.input;
    if (input.detail == CardDetail::Numbers || input.preview) return;
    const Index leastSide = input.detail == CardDetail::Picture ? Index{1} : kLeastPictureSide;
    card.channelDim = colourDim(input.entry->tensor, card.view, leastSide);
    card.channel = channelOfParent(input, leastSide);
}

Index wantedChannel(const CardLayout& card) {
    const auto dim = static_cast<std::size_t>(card.channelDim);
    const Index wanted = dim < card.input.outer.size() ? card.input.outer[dim] : 0;
    return std::clamp<Index>(wanted, 0, card.view.shape[dim] - 1);
}

void layoutColours(CardLayout& card, QPointF at, qreal& width) {
    const Index channels = card.view.shape[static_cast<std::size_t>(card.channelDim)];
    const auto put = [&](const QString& text) {
        TextItem item = caption(at, text);
        card.texts.push_back(item);
        at.rx() += textWidth(item.font, text);
        width = std::max(width, at.x() + kPadding);
    };
    const QString dim = PaintedText::tr("dim %1 · %2:").arg(card.channelDim).arg(channels);
    if (!card.input.colourSwitch) {
        put(dim + PaintedText::tr(" red, green, blue%1")
                      .arg(channels > 3 ? PaintedText::tr(", alpha (not shown)") : QString()));
        return;
    }
    put(dim);
    at.rx() += 6;
    const auto widthOf = [](const QString& text) { return std::ceil(textWidth(FontRole::Label, text)) + 14; };
    const auto named = [&](bool whole) {
        QStringList names;
        for (Index k = 0; k < channels; ++k) names << (whole ? colourName(k) : QString(QLatin1Char("RGBA"[k])));
        if (whole && channels > 3) names.back() += PaintedText::tr(" (not shown)");
        return names;
    };
    const Index shown =
        card.rings.empty() ? wantedChannel(card) : card.rings.front()[static_cast<std::size_t>(card.channelDim)];
    QStringList names = named(true);
    qreal total = 0;
    for (const QString& name : names) total += widthOf(name);
    if (at.x() + total + kPadding > maxSize(card.input).width()) names = named(false);
    for (Index k = 0; k < channels; ++k) {
        CardChip chip;
        chip.text = names[k];
        chip.rect = QRectF(at.x(), at.y() - 13, widthOf(chip.text), 18);
        chip.on = k == shown;
        chip.index = kChipColour + static_cast<int>(k);
        at.rx() += chip.rect.width();
        card.colours.push_back(chip);
    }
    width = std::max(width, at.x() + kPadding);
}

} // namespace card

} // namespace stridescope
