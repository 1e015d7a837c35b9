#include "widgets/images/touched_strip.h"

#include "core/view/inverse.h"
#include "widgets/images/slot_walk.h"
#include "widgets/model/words.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr Index kCellsOfNotch = 3;
constexpr double kLeastPixels = 2; ///< that a run, and the gap behind it, need to be told apart

/// One picture of a tensor of pictures.
View imageView(const View& v, Index image) {
    if (v.shape.size() < 4) return v;
    return {
        {v.shape[1], v.shape[2], v.shape[3]}, {v.stride[1], v.stride[2], v.stride[3]}, v.offset + image * v.stride[0]};
}

/// One row of a picture, in all channels.
View rowView(View v, Index row) {
    const std::size_t d = v.shape.size() - 2;
    v.offset += row * v.stride[d];
    v.shape[d] = 1;
    return v;
}

} // namespace

TouchedStrip::TouchedStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("touchedStrip"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setToolTip(tr("Click a place of the storage to see its pixel. The wheel and dragging move the cells."));
    setMouseTracking(true);
}

void TouchedStrip::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void TouchedStrip::show(const Content& content) {
    const bool same = m_content.touched.defined() && m_content.touched.view() == content.touched.view() &&
                      m_content.touched.storageNumel() == content.touched.storageNumel();
    m_content = content;
    const Tensor& touched = m_content.touched;
    m_coverage = coverageOf(touched, 512);
    m_touchedSlots = SlotSet(touched.view());
    m_runs = runsOf(touched);
    m_copied = runsIfCopied(m_content.whole, touched);
    updateGeometry();
    m_layout.slotCount = touched.storageNumel();
    m_layout.width = width();
    if (!same) {
        const Result<Reach> reached = reach(touched.view());
        // One cell before it, so that its beginning is seen.
        m_layout.first = reached && !reached->empty() ? reached->lowest - 1 : 0;
    }
    setAccessibleName(m_content.words);
    setAccessibleDescription(tr("%1 of %2").arg(countText(touched.numel()), elementsText(touched.storageNumel())));
    follow();
}

void TouchedStrip::showFrom(Index slot) {
    if (m_layout.firstWithin(slot) == m_layout.first) return;
    m_layout.first = slot;
    follow();
}

void TouchedStrip::setPicked(const std::vector<Index>& slotsOfPixel, bool reveal) {
    m_picked = slotsOfPixel;
    update();
    if (!reveal || m_picking || m_picked.empty() || !m_content.touched.defined()) return;
    const auto touched =
        std::find_if(m_picked.begin(), m_picked.end(), [this](Index slot) { return m_touchedSlots.holds(slot); });
    const Index wanted = touched != m_picked.end() ? *touched : m_picked.front();
    if (!m_layout.isCell(wanted)) showFrom(wanted - m_layout.cells() / 3);
}

void TouchedStrip::follow() {
    update();
    if (!m_content.touched.defined() || m_layout.slotCount == 0) return;
    m_layout.first = m_layout.firstWithin(m_layout.first);
    const Index first = m_layout.first, count = std::min(m_layout.cells(), m_layout.slotCount);
    const std::vector<std::optional<Index>> channels = channelsAt(m_content.whole, first, count);
    m_cells.assign(static_cast<std::size_t>(count), {});
    withReader(m_content.touched, m_content.overwrites.get(), [&](auto read) {
        for (Index i = 0; i < count; ++i) {
            const Index slot = first + i;
            Cell& cell = m_cells[static_cast<std::size_t>(i)];
            cell.channel = channels[static_cast<std::size_t>(i)];
            cell.touched = m_touchedSlots.holds(slot);
            const auto& known = m_content.known;
            if (!known || (slot >= known->lowest && slot <= known->highest)) cell.value = read(slot);
        }
    });
    chooseZoom();
    const auto parts = static_cast<std::size_t>(std::max(width(), 1));
    m_zoomCoverage.assign(parts, 0);
    const double step =
        static_cast<double>(m_layout.zoomUpTo - m_layout.zoomFrom) / static_cast<double>(m_zoomCoverage.size());
    for (std::size_t x = 0; x < parts; ++x) {
        const auto from = m_layout.zoomFrom + static_cast<Index>(step * static_cast<double>(x));
        const auto upTo =
            std::max(from + 1, m_layout.zoomFrom + static_cast<Index>(step * (static_cast<double>(x) + 1)));
        const Index every = std::max<Index>(1, (upTo - from) / 8) | 1;
        Index looked = 0, held = 0;
        for (Index slot = from; slot < upTo; slot += every, ++looked) held += m_touchedSlots.holds(slot) ? 1 : 0;
        m_zoomCoverage[x] = static_cast<double>(held) / static_cast<double>(looked);
    }
}

/// The largest part that shows the pattern: the picture at the cells, one row of it, or the slots round them.
void TouchedStrip::chooseZoom() {
    const View& whole = m_content.whole.view();
    m_planes.clear();
    Index image = 0, row = 0;
    bool found = false;
    const auto count = static_cast<Index>(m_cells.size());
    for (Index i = 0; i < count && !found; ++i) {
        const InverseHits hits = coordsAt(whole, m_layout.first + i, 1);
        if (hits.coords.empty()) continue;
        const Dims& coord = hits.coords.front();
        image = coord.size() == 4 ? coord[0] : 0;
        row = coord.size() >= 2 ? coord[coord.size() - 2] : 0;
        found = true;
    }
    // Between two pictures, as labels lie: that which begins before them.
    if (!found && whole.shape.size() == 4 && whole.stride[0] > 0)
        image = std::clamp<Index>((m_layout.first - whole.offset) / whole.stride[0], 0, whole.shape[0] - 1);
    const auto tellsRuns = [&](Index slotsSeen) {
        // A label between two pictures is no pattern.
        constexpr Index kSmallPart = 64;
        const Index gap = m_runs.every - m_runs.length;
        const bool gapTells = m_runs.every > 0 && gap * kSmallPart >= m_runs.every;
        const Index shortest = gapTells ? std::min(m_runs.length, gap) : m_runs.length;
        return static_cast<double>(shortest) * width() >= kLeastPixels * static_cast<double>(slotsSeen);
    };
    const auto take = [&](Zoom zoom, const View& part) {
        const Result<Reach> reached = reach(part);
        if (!reached || reached->empty()) return false;
        m_zoom = zoom;
        m_layout.zoomFrom = reached->lowest;
        m_layout.zoomUpTo = std::min(reached->highest + 1, m_layout.slotCount);
        return tellsRuns(m_layout.zoomUpTo - m_layout.zoomFrom);
    };
    const View one = imageView(whole, image);
    if (whole.shape.size() >= 2 && take(Zoom::Image, one)) {
        if (one.shape.size() != 3 || one.shape[0] < 2 || one.shape[0] > 4) return;
        for (Index c = 0; c < one.shape[0]; ++c) {
            View plane{{one.shape[1], one.shape[2]}, {one.stride[1], one.stride[2]}, one.offset + c * one.stride[0]};
            const Result<Reach> reached = reach(plane);
            if (!reached || reached->highest - reached->lowest + 1 != one.shape[1] * one.shape[2])
                return m_planes.clear();
            m_planes.push_back({reached->lowest, reached->highest + 1, c});
        }
        return;
    }
    if (whole.shape.size() >= 2 && take(Zoom::Row, rowView(one, row))) return;
    const Index around = std::max<Index>(width() / 6, 2 * count);
    m_zoom = Zoom::Slots;
    m_layout.zoomFrom =
        std::clamp<Index>(m_layout.first - around / 4, 0, std::max<Index>(m_layout.slotCount - around, 0));
    m_layout.zoomUpTo = std::min(m_layout.zoomFrom + around, m_layout.slotCount);
}

void TouchedStrip::resizeEvent(QResizeEvent*) {
    m_layout.width = width();
    follow();
}

void TouchedStrip::pick(Index slot) {
    m_picking = true; // the pixel that is picked now comes back as such; the cells are where the hand is
    Q_EMIT slotPicked(slot);
    m_picking = false;
}

void TouchedStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_pressed = m_layout.partAt(event->position());
    m_pressedAt = event->position();
    m_firstPressed = m_layout.first;
    m_moved = false;
    const auto slot = m_layout.slotAt(event->position(), m_pressed);
    if (!slot || m_pressed == TouchedLayout::Part::Cells) return;
    showFrom(*slot - m_layout.cells() / 3);
    pick(*slot);
}

void TouchedStrip::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || m_pressed == TouchedLayout::Part::None) return;
    const QPointF by = event->position() - m_pressedAt;
    if (m_pressed == TouchedLayout::Part::Cells) {
        m_moved = m_moved || std::abs(by.x()) > QApplication::startDragDistance();
        const double cell = m_layout.cell(m_layout.first).width();
        if (m_moved) showFrom(m_firstPressed - static_cast<Index>(std::lround(by.x() / cell)));
        return;
    }
    const auto slot = m_layout.slotAt(event->position(), m_pressed);
    if (!slot) return;
    // The second bar stays what it is while it is dragged over: it goes with the cells otherwise.
    if (m_pressed == TouchedLayout::Part::Bar) showFrom(*slot - m_layout.cells() / 3);
    pick(*slot);
}

void TouchedStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto pressed = std::exchange(m_pressed, TouchedLayout::Part::None);
    const auto slot = m_layout.slotAt(m_pressedAt, pressed);
    if (slot && pressed == TouchedLayout::Part::Cells && !m_moved) pick(*slot);
}

void TouchedStrip::wheelEvent(QWheelEvent* event) {
    const QPoint by = event->angleDelta();
    const int notch = std::abs(by.x()) > std::abs(by.y()) ? by.x() : by.y();
    if (notch == 0) return;
    // By a notch some cells; over the bars, where they stand for many slots, so many as are seen there.
    const Index cells =
        m_layout.partAt(event->position()) == TouchedLayout::Part::Zoom ? m_layout.cells() : kCellsOfNotch;
    // Touchpads turn by less than a cell at a time.
    constexpr Index kNotch = 120;
    m_turned += notch * cells;
    const Index whole = m_turned / kNotch;
    m_turned -= whole * kNotch;
    showFrom(m_layout.first - whole);
    event->accept();
}

bool TouchedStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto slot = m_layout.slotAt(help->pos());
    const auto item = static_cast<Index>(m_content.touched.defined() ? m_content.touched.itemSize() : 1);
    QToolTip::showText(help->globalPos(),
                       slot ? tr("slot %1, byte %2").arg(countText(*slot), countText(*slot * item)) : toolTip(), this);
    return true;
}

} // namespace stridescope
