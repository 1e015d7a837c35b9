#include "widgets/images/touched_strip.h"

#include "core/tensor/element.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/model/words.h"

#include <QPainter>

#include <algorithm>
#include <functional>

namespace stridescope {

std::vector<double> coverageOf(const Tensor& t, std::size_t parts, Index most) {
    std::vector<double> coverage(parts, 0);
    const Index slots = t.storageNumel(), total = t.numel();
    if (slots == 0 || total == 0) return coverage;
    const Index step = total > most ? total / most | 1 : 1; // odd, so that no channel or column is left out
    for (Index i = 0; i < total; i += step) {
        Index slot = t.storageOffset(), rest = i;
        for (std::size_t d = t.shape().size(); d-- > 0; rest /= t.shape()[d])
            slot += rest % t.shape()[d] * t.stride()[d];
        const auto part = static_cast<std::size_t>(static_cast<double>(slot) / static_cast<double>(slots) *
                                                   static_cast<double>(parts));
        ++coverage[std::min(part, parts - 1)];
    }
    const double whole = static_cast<double>(slots) / static_cast<double>(parts) / static_cast<double>(step);
    for (double& part : coverage) part = std::min(part / whole, 1.0);
    return coverage;
}

std::array<std::optional<Index>, kFirstSlots> firstSlotsOf(const Tensor& t) {
    std::array<std::optional<Index>, kFirstSlots> found;
    const std::size_t dims = t.shape().size(), channelDim = dims >= 3 ? dims - 3 : dims;
    if (t.numel() == 0) return found;
    // Strides are not negative: an index that is past the end stays past it.
    const std::function<void(std::size_t, Index, Index)> walk = [&](std::size_t d, Index slot, Index channel) {
        if (slot >= static_cast<Index>(kFirstSlots)) return;
        if (d == dims) {
            found[static_cast<std::size_t>(slot)] = channel;
            return;
        }
        for (Index i = 0; i < t.shape()[d] && slot + i * t.stride()[d] < static_cast<Index>(kFirstSlots); ++i) {
            walk(d + 1, slot + i * t.stride()[d], d == channelDim ? i : channel);
            if (t.stride()[d] == 0) break;
        }
    };
    const bool forward = std::all_of(t.stride().begin(), t.stride().end(), [](Index s) { return s >= 0; });
    if (forward) walk(0, t.storageOffset(), 0);
    return found;
}

TouchedStrip::TouchedStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("touchedStrip"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void TouchedStrip::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void TouchedStrip::show(const Tensor& whole, const Tensor& touched, const QString& words) {
    m_whole = whole;
    m_touched = touched;
    m_words = words;
    m_coverage = coverageOf(touched, 512);
    m_first = firstSlotsOf(touched);
    m_channels = firstSlotsOf(whole);
    setAccessibleName(words);
    setAccessibleDescription(tr("%1 of %2").arg(countText(touched.numel()), elementsText(touched.storageNumel())));
    update();
}

void TouchedStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Tone::Stage));
    if (!m_touched.defined()) return;
    const auto item = static_cast<Index>(m_touched.itemSize());
    const auto bytes = [&](Index count) { return bytesText(static_cast<quint64>(count * item)); };
    const QRectF title(0, 0, width(), 18);
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    const QString counts = tr("%1 of %2 · %3 of %4")
                               .arg(countText(m_touched.numel()), elementsText(m_touched.storageNumel()),
                                    bytes(m_touched.numel()), bytes(m_touched.storageNumel()));
    painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, counts);
    const double room = width() - painter.fontMetrics().horizontalAdvance(counts) - 16;
    painter.setFont(m_theme.font(FontRole::LabelStrong));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.drawText(title, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_words, Qt::ElideMiddle, static_cast<int>(room)));
    const QRectF bar(0.5, 22.5, width() - 1, 22);
    for (int x = 0; x < width(); ++x) {
        const auto part = static_cast<std::size_t>(x * static_cast<qint64>(m_coverage.size()) / std::max(width(), 1));
        painter.fillRect(QRectF(x, bar.top(), 1, bar.height()),
                         Theme::mix(m_theme.color(Tone::ViewB), m_theme.color(Tone::Stage), m_coverage[part]));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(m_theme.color(Tone::Control));
    painter.drawRect(bar);
    const bool integer = !isFloating(m_touched.dtype());
    const Index slots = std::min<Index>(m_touched.storageNumel(), static_cast<Index>(kFirstSlots));
    const Index channels = m_whole.dim() >= 3 ? m_whole.size(-3) : 1;
    const auto fits = static_cast<Index>(width() / 30);
    const double cell = (width() - 1) / static_cast<double>(std::max<Index>(std::min(slots, fits), 1));
    for (Index slot = 0; slot < std::min(slots, fits); ++slot) {
        const auto i = static_cast<std::size_t>(slot);
        const QRectF box(0.5 + static_cast<double>(slot) * cell, 54.5, cell, 26);
        painter.setBrush(m_first[i] ? QBrush(m_theme.color(Tone::ViewB)) : QBrush(Qt::NoBrush));
        painter.setPen(
            QPen(m_theme.color(m_first[i] ? Tone::Ink : Tone::Ghost), 1, m_first[i] ? Qt::SolidLine : Qt::DotLine));
        painter.drawRect(box);
        painter.setFont(m_theme.font(FontRole::Index));
        painter.setPen(m_theme.color(m_first[i] ? Tone::OnView : Tone::Ink2));
        const double value = readSlot(m_touched, slot).toDouble();
        painter.drawText(box, Qt::AlignCenter, shortNumber(value, integer));
        painter.setPen(m_theme.color(Tone::Ink2));
        const QString letter =
            m_channels[i] && channels == 3 ? channelLetter(*m_channels[i], channels) : QStringLiteral("·");
        painter.drawText(box.translated(0, 25).adjusted(0, 0, 0, -10), Qt::AlignCenter, letter);
        painter.drawText(box.translated(0, 38).adjusted(0, 0, 0, -10), Qt::AlignCenter, QString::number(slot));
    }
}

} // namespace stridescope
