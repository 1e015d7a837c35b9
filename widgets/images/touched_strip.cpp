#include "widgets/images/touched_strip.h"

#include "core/tensor/element.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/slot_walk.h"
#include "widgets/model/words.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <functional>

namespace stridescope {

std::vector<double> coverageOf(const Tensor& t, std::size_t parts, Index most) {
    std::vector<double> coverage(parts, 0);
    const Index slots = t.storageNumel(), total = t.numel();
    if (slots == 0 || total == 0) return coverage;
    const Index step = samplingStep(total, most);
    const double scale = static_cast<double>(parts) / static_cast<double>(slots);
    eachSlot(t, step, [&](Index slot) {
        ++coverage[std::min(static_cast<std::size_t>(static_cast<double>(slot) * scale), parts - 1)];
    });
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

TouchedRuns runsOf(const Tensor& t, Index most) {
    TouchedRuns found;
    const auto item = static_cast<Index>(t.itemSize());
    constexpr Index kLine = 64;
    found.linesInAll = (t.storageNumel() * item + kLine - 1) / kLine;
    if (t.numel() == 0) return found;
    // Dims by stride, the shortest first; those that go on where the one before ends are one run.
    std::vector<std::pair<Index, Index>> dims; // stride, size
    Index first = t.storageOffset();
    for (std::size_t d = 0; d < t.shape().size(); ++d) {
        const Index size = t.shape()[d], stride = t.stride()[d];
        if (size == 1 || stride == 0) continue;
        if (stride < 0) first += (size - 1) * stride;
        dims.emplace_back(std::abs(stride), size);
    }
    std::sort(dims.begin(), dims.end());
    std::size_t inside = 0;
    found.length = 1;
    while (inside < dims.size() && dims[inside].first == found.length) found.length *= dims[inside++].second;
    found.runs = 1;
    for (std::size_t d = inside; d < dims.size(); ++d) found.runs *= dims[d].second;
    found.counted = found.runs <= most;
    Index last = -1;
    for (Index run = 0; found.counted && run < found.runs; ++run) {
        Index slot = first, rest = run;
        for (std::size_t d = inside; d < dims.size(); ++d) {
            slot += rest % dims[d].second * dims[d].first;
            rest /= dims[d].second;
        }
        // Runs come in the order of their slots, so a line that was counted is the last one.
        const Index from = std::max(slot * item / kLine, last + 1), to = ((slot + found.length) * item - 1) / kLine;
        if (to < from) continue;
        found.lines += to - from + 1;
        last = to;
    }
    return found;
}

TouchedStrip::TouchedStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("touchedStrip"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setToolTip(tr("Click a place of the storage to see its pixel."));
    setMouseTracking(true);
}

void TouchedStrip::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void TouchedStrip::show(const Tensor& whole, const Tensor& touched, const QString& words,
                        const OverwritesPtr& overwrites) {
    m_overwrites = overwrites;
    m_whole = whole;
    m_touched = touched;
    m_words = words;
    m_coverage = coverageOf(touched, 512);
    m_first = firstSlotsOf(touched);
    m_channels = firstSlotsOf(whole);
    m_runs = runsOf(touched);
    setAccessibleName(words);
    setAccessibleDescription(tr("%1 of %2").arg(countText(touched.numel()), elementsText(touched.storageNumel())));
    update();
}

QRectF TouchedStrip::barRect() const {
    return {0.5, 22.5, width() - 1.0, 16};
}
Index TouchedStrip::shownCells() const {
    const Index slots = std::min<Index>(m_touched.storageNumel(), static_cast<Index>(kFirstSlots));
    return std::min(slots, static_cast<Index>(width() / 30));
}
QRectF TouchedStrip::cellRect(Index slot) const {
    const double cell = (width() - 1) / static_cast<double>(std::max<Index>(shownCells(), 1));
    return {0.5 + static_cast<double>(slot) * cell, 66.5, cell, 24};
}

std::optional<Index> TouchedStrip::slotAt(QPointF at) const {
    if (!m_touched.defined() || m_touched.storageNumel() == 0) return std::nullopt;
    if (barRect().adjusted(0, -2, 0, 2).contains(at))
        return std::clamp<Index>(static_cast<Index>((at.x() - barRect().left()) / barRect().width() *
                                                    static_cast<double>(m_touched.storageNumel())),
                                 0, m_touched.storageNumel() - 1);
    for (Index slot = 0; slot < shownCells(); ++slot)
        if (cellRect(slot).adjusted(0, 0, 0, 34).contains(at)) return slot;
    return std::nullopt;
}

void TouchedStrip::mousePressEvent(QMouseEvent* event) {
    if (const auto slot = slotAt(event->position())) Q_EMIT slotPicked(*slot);
}

bool TouchedStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto slot = slotAt(help->pos());
    const auto item = static_cast<Index>(m_touched.defined() ? m_touched.itemSize() : 1);
    QToolTip::showText(help->globalPos(),
                       slot ? tr("slot %1, byte %2").arg(countText(*slot), countText(*slot * item)) : toolTip(), this);
    return true;
}

/// All of the storage: the darker a place, the more of it is touched.
void TouchedStrip::paintBar(QPainter& painter) {
    const QRectF bar = barRect();
    for (int x = 0; x < width(); ++x) {
        const auto part = static_cast<std::size_t>(x * static_cast<qint64>(m_coverage.size()) / std::max(width(), 1));
        painter.fillRect(QRectF(x, bar.top(), 1, bar.height()),
                         Theme::mix(m_theme.color(Tone::ViewB), m_theme.color(Tone::Stage), m_coverage[part]));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(m_theme.color(Tone::Control));
    painter.drawRect(bar);
    // What the cells below are of it.
    const double share = static_cast<double>(shownCells()) / static_cast<double>(m_touched.storageNumel());
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.drawRect(QRectF(bar.left(), bar.top() - 1, std::max(share * bar.width(), 5.0), bar.height() + 2));
}

void TouchedStrip::paintCells(QPainter& painter) {
    const bool integer = !isFloating(m_touched.dtype());
    const Index channels = m_whole.dim() >= 3 ? m_whole.size(-3) : 1;
    std::vector<double> values;
    withReader(m_touched, m_overwrites.get(), [&](auto read) {
        for (Index slot = 0; slot < shownCells(); ++slot) values.push_back(read(slot));
    });
    painter.setFont(m_theme.font(FontRole::Index));
    for (Index slot = 0; slot < shownCells(); ++slot) {
        const auto i = static_cast<std::size_t>(slot);
        const QRectF box = cellRect(slot);
        painter.setBrush(m_first[i] ? QBrush(m_theme.color(Tone::ViewB)) : QBrush(Qt::NoBrush));
        painter.setPen(
            QPen(m_theme.color(m_first[i] ? Tone::Ink : Tone::Ghost), 1, m_first[i] ? Qt::SolidLine : Qt::DotLine));
        painter.drawRect(box);
        painter.setPen(m_theme.color(m_first[i] ? Tone::OnView : Tone::Ink2));
        painter.drawText(box, Qt::AlignCenter, shortNumber(values[i], integer));
        painter.setPen(m_theme.color(Tone::Ink2));
        const QString letter =
            m_channels[i] && channels == 3 ? channelLetter(*m_channels[i], channels) : QStringLiteral("·");
        painter.drawText(QRectF(box.left(), box.bottom() + 1, box.width(), 13), Qt::AlignCenter, letter);
        painter.drawText(QRectF(box.left(), box.bottom() + 14, box.width(), 13), Qt::AlignCenter,
                         QString::number(slot));
    }
}

/// A flag at the first slot of what is touched, and one hop of each dim whose stride ends inside the cells. The shorter
/// hops lie below the longer ones.
void TouchedStrip::paintOffsetAndHops(QPainter& painter) {
    const Index offset = m_touched.storageOffset();
    if (offset >= shownCells()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    const QRectF start = cellRect(offset);
    const QString text = tr("offset %1").arg(offset);
    const QRectF flag(start.left(), 44, metrics.horizontalAdvance(text) + 8, 15);
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.drawLine(start.bottomLeft(), flag.topLeft());
    painter.fillRect(flag, m_theme.color(Tone::Primary));
    painter.setPen(m_theme.color(Tone::PrimaryText));
    painter.drawText(flag, Qt::AlignCenter, text);
    double free = flag.right() + 6; // labels stand behind each other, each over its own arch's end
    std::vector<std::pair<Index, std::size_t>> hops;
    for (std::size_t d = 0; d < m_touched.shape().size(); ++d)
        if (m_touched.shape()[d] > 1 && m_touched.stride()[d] > 0 && offset + m_touched.stride()[d] < shownCells())
            hops.emplace_back(m_touched.stride()[d], d);
    std::sort(hops.begin(), hops.end());
    for (const auto& [stride, d] : hops) {
        const QPointF from(start.center().x(), start.top() - 1);
        const QPointF to(cellRect(offset + stride).center().x(), start.top() - 1);
        const QString label = tr("+%1 (dim %2)").arg(stride).arg(d);
        const double width = metrics.horizontalAdvance(label);
        const double left = std::max(free, to.x() + 6);
        if (left + width > this->width()) return;
        QPainterPath arch(from);
        arch.cubicTo(from - QPointF(0, 8), to - QPointF(0, 8), to);
        QPen pen(m_theme.color(Theme::dimTone(static_cast<Index>(d))), 3);
        if (d > 3) pen.setStyle(Qt::DashLine);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        painter.drawPath(arch);
        painter.setPen(m_theme.color(Tone::Ink));
        painter.drawText(QRectF(left, 44, width + 2, 15), Qt::AlignVCenter, label);
        painter.setPen(pen);
        painter.drawLine(QPointF(left, 60), QPointF(left + width, 60));
        free = left + width + 10;
    }
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
    painter.save();
    paintBar(painter);
    paintCells(painter);
    paintOffsetAndHops(painter);
    painter.restore();
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    QString runs = m_runs.runs == 1 ? tr("one run of %1 values").arg(countText(m_runs.length))
                                    : tr("%1 runs of %2 values").arg(countText(m_runs.runs), countText(m_runs.length));
    if (m_runs.counted)
        runs += tr(" · cache lines %1 of %2 (model)").arg(countText(m_runs.lines), countText(m_runs.linesInAll));
    painter.drawText(QRectF(0, height() - 28, width(), 18), Qt::AlignVCenter, runs);
}

} // namespace stridescope
