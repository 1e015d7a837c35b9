// How a TouchedStrip is drawn.

#include "widgets/images/pixel_panel.h"
#include "widgets/images/touched_strip.h"
#include "widgets/model/words.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace stridescope {

/// The darker a place, the more of it is touched.
void TouchedStrip::paintShares(QPainter& painter, const QRectF& bar, const std::vector<double>& shares) {
    const auto shareAt = [&](int x) {
        return shares[static_cast<std::size_t>(x * static_cast<qint64>(shares.size()) / std::max(width(), 1))];
    };
    for (int x = 0; x < width();) {
        int next = x + 1;
        while (next < width() && shareAt(next) == shareAt(x)) ++next;
        painter.fillRect(QRectF(x, bar.top(), next - x, bar.height()),
                         Theme::mix(m_theme.color(Tone::ViewB), m_theme.color(Tone::Stage), shareAt(x)));
        x = next;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(m_theme.color(Tone::Control));
    painter.drawRect(bar);
}

void TouchedStrip::paintBar(QPainter& painter) {
    const QRectF bar = m_layout.bar();
    if (!m_coverage.empty()) paintShares(painter, bar, m_coverage);
    // What the bar below is of it.
    const double from = TouchedLayout::xOf(bar, 0, m_layout.slotCount, m_layout.zoomFrom),
                 upTo = TouchedLayout::xOf(bar, 0, m_layout.slotCount, m_layout.zoomUpTo);
    const double left = std::clamp(from, bar.left(), bar.right() - 5), right = std::max(upTo, left + 5);
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.drawRect(QRectF(left, bar.top() - 1, right - left, bar.height() + 2));
    // Zoomed in: from there to the ends of the bar below.
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Tone::Control), 1));
    const QRectF zoom = m_layout.zoomBar();
    painter.drawLine(QPointF(left, bar.bottom() + 2), zoom.topLeft());
    painter.drawLine(QPointF(right, bar.bottom() + 2), zoom.topRight());
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TouchedStrip::paintZoom(QPainter& painter) {
    const QRectF bar = m_layout.zoomBar();
    if (!m_zoomCoverage.empty()) paintShares(painter, bar, m_zoomCoverage);
    const auto xOf = [&](Index slot) { return TouchedLayout::xOf(bar, m_layout.zoomFrom, m_layout.zoomUpTo, slot); };
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    for (const Plane& plane : m_planes) {
        const QRectF place(QPointF(xOf(plane.from), bar.top()), QPointF(xOf(plane.upTo), bar.bottom()));
        painter.setPen(m_theme.color(Tone::Ink));
        painter.drawRect(place);
        const QString text = QStringLiteral("%1 %2 – %3")
                                 .arg(channelLetter(plane.channel, static_cast<Index>(m_planes.size())),
                                      countText(plane.from), countText(plane.upTo - 1));
        if (metrics.horizontalAdvance(text) > place.width() - 6) continue;
        const bool touched = m_touchedSlots.holds(plane.from) && m_touchedSlots.holds(plane.upTo - 1);
        painter.setPen(m_theme.color(touched ? Tone::OnView : Tone::Ink2));
        painter.drawText(place, Qt::AlignCenter, text);
    }
    // What the cells are of it.
    const Index from = std::clamp(m_layout.first, m_layout.zoomFrom, m_layout.zoomUpTo),
                upTo = std::clamp(m_layout.first + m_layout.cells(), m_layout.zoomFrom, m_layout.zoomUpTo);
    if (upTo <= from) return;
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.drawRect(QRectF(xOf(from), bar.top() - 1, std::max(xOf(upTo) - xOf(from), 5.0), bar.height() + 2));
}

void TouchedStrip::paintCells(QPainter& painter) {
    const bool integer = !isFloating(m_content.touched.dtype());
    const Index channels = m_content.whole.dim() >= 3 ? m_content.whole.size(-3) : 1;
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    double free = 0; // numbers of many digits stand under every second or third cell
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const Cell& cell = m_cells[i];
        const Index slot = m_layout.first + static_cast<Index>(i);
        const QRectF box = m_layout.cell(slot);
        painter.setBrush(cell.touched ? QBrush(m_theme.color(Tone::ViewB)) : QBrush(Qt::NoBrush));
        painter.setPen(
            QPen(m_theme.color(cell.touched ? Tone::Ink : Tone::Ghost), 1, cell.touched ? Qt::SolidLine : Qt::DotLine));
        painter.drawRect(box);
        painter.setPen(m_theme.color(cell.touched ? Tone::OnView : Tone::Ink2));
        painter.drawText(box, Qt::AlignCenter, cell.value ? shortNumber(*cell.value, integer, 4) : QStringLiteral("–"));
        painter.setPen(m_theme.color(Tone::Ink2));
        const QString letter =
            cell.channel && channels == 3 ? channelLetter(*cell.channel, channels) : QStringLiteral("·");
        painter.drawText(QRectF(box.left(), box.bottom() + 1, box.width(), 13), Qt::AlignCenter, letter);
        const QString number = countText(slot);
        const double room = metrics.horizontalAdvance(number), left = box.center().x() - room / 2;
        if (left >= free && left >= 0 && left + room <= width()) {
            painter.drawText(QRectF(left, box.bottom() + 14, room + 2, 13), Qt::AlignLeft | Qt::AlignVCenter, number);
            free = left + room + 8;
        }
        if (std::find(m_picked.begin(), m_picked.end(), slot) == m_picked.end()) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.color(Tone::Ink), 3));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
    }
}

/// A flag at the first slot of what is touched, and one hop of each dim whose stride ends inside the cells: of even
/// dims above the cells, of odd ones below.
void TouchedStrip::paintOffsetAndHops(QPainter& painter) {
    const Tensor& touched = m_content.touched;
    const Index offset = touched.storageOffset();
    if (!m_layout.isCell(offset)) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    const QRectF start = m_layout.cell(offset);
    const QString text = tr("offset %1").arg(countText(offset));
    const QRectF flag(start.left(), m_layout.flagTop(), metrics.horizontalAdvance(text) + 8, 15);
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.drawLine(start.bottomLeft(), flag.topLeft());
    painter.fillRect(flag, m_theme.color(Tone::Primary));
    painter.setPen(m_theme.color(Tone::PrimaryText));
    painter.drawText(flag, Qt::AlignCenter, text);
    std::vector<std::pair<Index, std::size_t>> hops;
    for (std::size_t d = 0; d < touched.shape().size(); ++d)
        if (touched.shape()[d] > 1 && touched.stride()[d] > 0 && m_layout.isCell(offset + touched.stride()[d]))
            hops.emplace_back(touched.stride()[d], d);
    std::sort(hops.begin(), hops.end());
    double free[2] = {flag.right() + 8, 0}; // labels of a side stand behind each other, below behind the arches
    for (const auto& [stride, d] : hops)
        if (d % 2 == 1) free[1] = std::max(free[1], m_layout.cell(offset + stride).center().x() + 12);
    double high[2] = {9, 9}; // a longer arch spans the shorter ones
    for (const auto& [stride, d] : hops) {
        const std::size_t side = d % 2;
        const double away = side == 0 ? -1 : 1;
        const double y = side == 0 ? start.top() - 1 : m_layout.archesBelow();
        const QPointF from(start.center().x(), y), to(m_layout.cell(offset + stride).center().x(), y);
        const QPointF bend(0, away * high[side]);
        high[side] += 6;
        QPainterPath arch(from);
        arch.cubicTo(from + bend, to + bend, to);
        QPen pen(m_theme.color(Theme::dimTone(static_cast<Index>(d))), 2.5);
        if (d > 3) pen.setStyle(Qt::DashLine);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        painter.drawPath(arch);
        painter.setPen(Qt::NoPen);
        painter.setBrush(pen.color());
        painter.drawPolygon(QPolygonF({to, to + QPointF(-4, away * 6), to + QPointF(4, away * 6)}));
        const QString label = tr("+%1 (dim %2)").arg(stride).arg(d);
        constexpr double kKey = 16; // a piece of the arch before its label tells whose it is
        const double left = free[side] + kKey, room = metrics.horizontalAdvance(label);
        if (left + room > width()) continue;
        const QRectF place(left, side == 0 ? m_layout.flagTop() : y - 2, room + 2, 15);
        painter.setPen(pen);
        painter.drawLine(QPointF(left - kKey, place.center().y()), QPointF(left - 5, place.center().y()));
        painter.setPen(m_theme.color(Tone::Ink));
        painter.drawText(place, Qt::AlignVCenter, label);
        free[side] = left + room + 10;
    }
}

void TouchedStrip::paintTitle(QPainter& painter) {
    const Tensor& touched = m_content.touched;
    const auto bytes = [&](Index count) {
        return bytesText(static_cast<quint64>(count) * static_cast<quint64>(touched.itemSize()));
    };
    const QRectF title(0, 0, width(), 18);
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    const QString counts = tr("%1 of %2 · %3 of %4")
                               .arg(countText(touched.numel()), elementsText(touched.storageNumel()),
                                    bytes(touched.numel()), bytes(touched.storageNumel()));
    painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, counts);
    const double room = width() - painter.fontMetrics().horizontalAdvance(counts) - 16;
    painter.setFont(m_theme.font(FontRole::LabelStrong));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.drawText(title, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_content.words, Qt::ElideMiddle, static_cast<int>(room)));
}

QString TouchedStrip::wordsOf(const TouchedRuns& found) const {
    QString runs = found.runs == 1     ? tr("one run of %1 values").arg(countText(found.length))
                   : found.length == 1 ? tr("%1 runs of one value").arg(countText(found.runs))
                                       : tr("%1 runs of %2 values").arg(countText(found.runs), countText(found.length));
    if (found.counted)
        runs += tr(" · cache lines %1 of %2 (model)").arg(countText(found.lines), countText(found.linesInAll));
    return runs;
}

/// The same of a contiguous copy: its first picture as a bar, the channels that would be touched filled.
void TouchedStrip::paintCopy(QPainter& painter) {
    if (!m_copied || height() < TouchedLayout::kHeight + TouchedLayout::kCopyHeight) return;
    const QRectF bar = m_layout.copyBar();
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    const double wide = bar.width() / static_cast<double>(m_copied->channels);
    for (Index c = 0; c < m_copied->channels; ++c) {
        const bool touched = c >= m_copied->from && c < m_copied->from + m_copied->count;
        const QRectF place(bar.left() + static_cast<double>(c) * wide, bar.top(), wide, bar.height());
        painter.setBrush(touched ? QBrush(m_theme.color(Tone::ViewB)) : QBrush(Qt::NoBrush));
        painter.setPen(
            QPen(m_theme.color(touched ? Tone::Ink : Tone::Ghost), 1, touched ? Qt::SolidLine : Qt::DotLine));
        painter.drawRect(place);
        const QString text = QStringLiteral("%1 %2 – %3")
                                 .arg(channelLetter(c, m_copied->channels), countText(c * m_copied->plane),
                                      countText((c + 1) * m_copied->plane - 1));
        painter.setPen(m_theme.color(touched ? Tone::OnView : Tone::Ink2));
        if (metrics.horizontalAdvance(text) <= wide - 6) painter.drawText(place, Qt::AlignCenter, text);
    }
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    const QString words = tr("If copied (contiguous), one image: %1").arg(wordsOf(m_copied->runs));
    painter.drawText(QRectF(0, bar.bottom() + 3, width(), 18), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(words, Qt::ElideRight, width()));
}

void TouchedStrip::paintRuns(QPainter& painter) {
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    const QString runs = wordsOf(m_runs);
    const QRectF foot(0, m_layout.footTop(), width(), 18);
    painter.drawText(foot, Qt::AlignVCenter, runs);
    const QString zoom = m_zoom == Zoom::Image ? tr("second bar: one image")
                         : m_zoom == Zoom::Row ? tr("second bar: one row of an image")
                                               : tr("second bar: slots round the cells");
    const QFontMetricsF metrics(painter.font());
    if (metrics.horizontalAdvance(runs) + metrics.horizontalAdvance(zoom) + 24 <= width())
        painter.drawText(foot, Qt::AlignVCenter | Qt::AlignRight, zoom);
}

void TouchedStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Tone::Stage));
    if (!m_content.touched.defined() || m_layout.slotCount == 0) return;
    paintTitle(painter);
    painter.save();
    paintBar(painter);
    paintZoom(painter);
    paintCells(painter);
    paintOffsetAndHops(painter);
    painter.restore();
    paintRuns(painter);
    paintCopy(painter);
}

} // namespace stridescope
