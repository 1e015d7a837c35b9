#include "widgets/images/value_histogram.h"

#include "widgets/images/slot_walk.h"
#include "widgets/model/words.h"
#include "widgets/shared/accessible_role.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>
#include <limits>
#include <vector>

namespace stridescope {

namespace {

constexpr double kMargin = 16, kPlotTop = 8, kAxis = 14, kFoot = 46 + kAxis;

} // namespace

ValueCounts countValues(const Tensor& t, const ImageLook& look, Index most, const Overwrites* overwrites) {
    ValueCounts counts;
    counts.total = t.numel();
    const Index step = samplingStep(counts.total, most);
    std::vector<double> values; // read once: what is far apart in memory costs more than its arithmetic
    values.reserve(static_cast<std::size_t>(counts.total / step + 1));
    withReader(t, overwrites, [&](auto read) {
        counts.counted = eachSlot(t, step, [&](Index slot) { values.push_back(read(slot)); });
    });
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values) {
        counts.nans += std::isnan(value);
        counts.infinities += std::isinf(value);
        counts.below += value < look.black;
        counts.above += value > look.white;
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low <= high)) low = 0, high = 1;
    if (low == high) high = low + 1;
    counts.low = low;
    counts.high = high;
    const double scale = ValueCounts::kBins / (high - low);
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        const double at = (value - low) * scale;
        ++counts.bins[static_cast<std::size_t>(std::clamp(at, 0.0, double(ValueCounts::kBins - 1)))];
    }
    return counts;
}

ValueHistogram::ValueHistogram(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("valueHistogram"));
    setAccessibleRole(this, QAccessible::Graphic);
    setAccessibleName(tr("Histogram of the values"));
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Drag the black and the white point. Stored values do not change."));
}

void ValueHistogram::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void ValueHistogram::setCounts(const ValueCounts& counts, const ImageLook& look) {
    m_counts = counts;
    m_look = look;
    setAccessibleDescription(tr("black %1, white %2. %3").arg(look.black).arg(look.white).arg(words()));
    update();
}

QString ValueHistogram::words() const {
    QStringList parts;
    const double scale = m_counts.counted > 0 ? double(m_counts.total) / double(m_counts.counted) : 1;
    const QString about = scale > 1 ? tr("about ") : QString();
    const auto many = [&](Index count) { return about + countText(std::llround(double(count) * scale)); };
    if (m_counts.below > 0)
        parts << tr("%1 values lie below the black point: drawn as black, still stored.").arg(many(m_counts.below));
    if (m_counts.above > 0)
        parts << tr("%1 lie above the white point: drawn as white, still stored.").arg(many(m_counts.above));
    if (m_counts.nans > 0) parts << tr("%1 are NaN: drawn as a chequer.").arg(many(m_counts.nans));
    if (m_counts.infinities > 0) parts << tr("%1 are infinite: a chequer, too.").arg(many(m_counts.infinities));
    return parts.join(QLatin1Char(' '));
}

double ValueHistogram::shownLow() const {
    return std::min(m_counts.low, m_look.black);
}
double ValueHistogram::shownHigh() const {
    return std::max(m_counts.high, m_look.white);
}

double ValueHistogram::xOf(double value) const {
    return kMargin + (value - shownLow()) / (shownHigh() - shownLow()) * (width() - 2 * kMargin);
}
double ValueHistogram::valueAt(double x) const {
    return shownLow() + (x - kMargin) / (width() - 2 * kMargin) * (shownHigh() - shownLow());
}

std::vector<double> ValueHistogram::ticks(double low, double high, int most) {
    if (!(high > low) || most < 1) return {};
    // 1, 2 or 5 times a power of ten: the finest that has not too many.
    double step = std::pow(10, std::floor(std::log10((high - low) / most)));
    for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;
    std::vector<double> found;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k) found.push_back(k * step);
    return found;
}

void ValueHistogram::paintAxis(QPainter& painter, double bottom) const {
    painter.setFont(m_theme.font(FontRole::Index));
    const QFontMetricsF metrics(painter.font());
    double free = 0;
    for (const double value : ticks(shownLow(), shownHigh(), 6)) {
        const double x = xOf(value);
        const QString text = QString::number(value, 'g', 4);
        const double room = metrics.horizontalAdvance(text), left = std::clamp(x - room / 2, 0.0, width() - room);
        painter.setPen(m_theme.color(Tone::Control));
        painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + 3));
        if (left < free) continue;
        painter.setPen(m_theme.color(Tone::Ink2));
        painter.drawText(QRectF(left, bottom + 2, room + 2, kAxis - 1), Qt::AlignLeft | Qt::AlignVCenter, text);
        free = left + room + 8;
    }
}

void ValueHistogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Tone::Panel));
    if (m_counts.counted == 0) return;
    const double bottom = height() - kFoot;
    painter.fillRect(QRectF(kMargin, kPlotTop, width() - 2 * kMargin, bottom - kPlotTop), m_theme.color(Tone::Stage));
    // Logarithmic height: a peak of one value would flatten all others.
    double most = 1;
    for (const Index count : m_counts.bins) most = std::max(most, std::log1p(double(count)));
    const double binWidth = (m_counts.high - m_counts.low) / ValueCounts::kBins;
    for (int i = 0; i < ValueCounts::kBins; ++i) {
        const Index count = m_counts.bins[static_cast<std::size_t>(i)];
        if (count == 0) continue;
        const double from = xOf(m_counts.low + i * binWidth), to = xOf(m_counts.low + (i + 1) * binWidth);
        const double top = bottom - std::log1p(double(count)) / most * (bottom - kPlotTop - 4);
        painter.fillRect(QRectF(from, top, std::max(to - from - 0.5, 1.0), bottom - top), m_theme.color(Tone::Control));
    }
    paintAxis(painter, bottom);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme.font(FontRole::Label));
    const double below = bottom + kAxis;
    for (int handle = 0; handle < 2; ++handle) {
        const double value = handle == 0 ? m_look.black : m_look.white, x = xOf(value);
        painter.setPen(QPen(m_theme.color(Tone::Ink), 2, Qt::DashLine));
        painter.drawLine(QPointF(x, kPlotTop), QPointF(x, bottom));
        painter.setPen(QPen(m_theme.color(Tone::Ink), hasFocus() && m_focused == handle ? 3 : 1.5));
        painter.setBrush(handle == 0 ? QColor(Qt::black) : QColor(Qt::white));
        painter.drawPolygon(QPolygonF(
            {{x, below + 2}, {x + 7, below + 9}, {x + 7, below + 18}, {x - 7, below + 18}, {x - 7, below + 9}}));
        painter.setPen(m_theme.color(Tone::Ink));
        const QString text = (handle == 0 ? tr("black %1") : tr("white %1")).arg(QString::number(value, 'g', 4));
        const bool crowded = xOf(m_look.white) - xOf(m_look.black) < 140;
        const double left = crowded ? (handle == 0 ? kMargin : width() - kMargin - 120)
                                    : std::clamp(x - 60, kMargin - 8, width() - kMargin - 112);
        painter.drawText(QRectF(left, below + 20, 120, 20),
                         Qt::AlignVCenter | (handle == 0 && left <= kMargin    ? Qt::AlignLeft
                                             : left >= width() - kMargin - 121 ? Qt::AlignRight
                                                                               : Qt::AlignHCenter),
                         text);
    }
}

void ValueHistogram::moveHandle(int handle, double value) {
    const double least = (shownHigh() - shownLow()) / 512;
    double black = m_look.black, white = m_look.white;
    if (handle == 0)
        black = std::min(value, white - least);
    else
        white = std::max(value, black + least);
    Q_EMIT rangeDragged(black, white);
}

void ValueHistogram::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    m_handle = m_focused = std::abs(x - xOf(m_look.black)) <= std::abs(x - xOf(m_look.white)) ? 0 : 1;
    update();
}
void ValueHistogram::mouseMoveEvent(QMouseEvent* event) {
    if (m_handle >= 0) moveHandle(m_handle, std::clamp(valueAt(event->position().x()), shownLow(), shownHigh()));
}
void ValueHistogram::mouseReleaseEvent(QMouseEvent*) {
    m_handle = -1;
}
void ValueHistogram::keyPressEvent(QKeyEvent* event) {
    const double step = (shownHigh() - shownLow()) / 64;
    double& value = m_focused == 0 ? m_look.black : m_look.white;
    if (event->key() == Qt::Key_Space) {
        m_focused = 1 - m_focused;
        return update();
    }
    if (event->key() == Qt::Key_Left) return moveHandle(m_focused, value - step);
    if (event->key() == Qt::Key_Right) return moveHandle(m_focused, value + step);
    QWidget::keyPressEvent(event);
}

} // namespace stridescope
