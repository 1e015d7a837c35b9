#include "widgets/stage/link_ways.h"
#include "widgets/stage/stage_scene_parts.h"

#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

namespace {

/// A curve that has less height is a line along the cards' edge.
constexpr qreal kLeastCurve = 66;
/// Cells may have any colour, that of a line too: with it goes a ground, which between numbers has less room.
constexpr qreal kHaloOverColours = 6, kHaloOverNumbers = 4;
constexpr std::size_t kMaxLinks = 64, kMaxCurves = 24;

PathItem wire(Tone tone, qreal width) {
    PathItem item;
    item.stroke = tone;
    item.width = width;
    return item;
}

/// Where links to the shown slot end.
struct LinkGoal {
    QPointF at;
    QPainterPath trunk;  ///< from there on all of them together; empty: they end
    QPainterPath leader; ///< and on along the edge of a row that has no gap above it, to the cell; may be empty
    qreal width = 0;     ///< room for the ends beside one another
    qreal fall = 0;      ///< the last pixels go straight down, past the words beside them
    bool shared = false; ///< all end in the same point
    bool arrow = false;
};

/// The arch over the strip that ends in the shown cell.
std::optional<Hop> archInto(const StageContext& context) {
    if (!context.selected || !hasHops(context)) return std::nullopt;
    const std::optional<Dims> coord = linkedCoord(*context.selected, context.pick);
    if (!coord) return std::nullopt;
    const std::vector<Hop> hops = hopsTo(context.selected->tensor.view(), *coord);
    if (hops.empty() || hops.back().dim % 2 != 0) return std::nullopt;
    return hops.back();
}

/// Over its cell; for a row below the first beside the strip and through the gap above that row, so that no cell of
/// the rows before is crossed; for a slot out of sight the sign at the strip's edge, never another cell.
LinkGoal goalOf(const StageContext& context, const StripPlan& strip) {
    const StripLayout& layout = strip.layout;
    const QRectF& area = layout.area;
    const QRectF cell = layout.cellRect(context.pick->slot);
    LinkGoal goal;
    if (!strip.inSight(context.pick->slot)) {
        const QRectF sign = notInSightBox(context);
        goal.at = sign.isEmpty() ? QPointF(std::clamp(cell.center().x(), area.left(), area.right()), area.top() - 4)
                                 : QPointF(sign.center().x(), sign.top() - 2);
        goal.arrow = goal.shared = true;
        return goal;
    }
    goal.at =
        QPointF(std::clamp(cell.center().x(), area.left() + 8, area.right() - 8), std::max(cell.top(), area.top()) - 4);
    goal.width = cell.width();
    if (&strip == &*context.plan.strip && cell.top() < area.top() + 1) {
        constexpr qreal kMostFall = 44;
        goal.fall = std::clamp(goal.at.y() - context.plan.cardArea.bottom() - kLeastCurve, 0.0, kMostFall);
        // Beside the tip of an arch, not behind it.
        if (const std::optional<Hop> arch = archInto(context)) {
            const qreal half = cell.width() / 2;
            goal.at.rx() += arch->from < arch->to ? half / 2 + 1 : -half / 2 - 1;
            goal.width = half + 4;
        }
    }
    // The second row of colours has no gap above it either: there every row but the topmost is reached from the side.
    if (cell.top() < area.top() + 1) return goal;
    constexpr qreal kAside = 12, kTurn = 6;
    const qreal end = std::min(layout.cellRect(layout.perRow - 1).right(), area.right());
    const qreal x = std::min(end + kAside, context.state.viewport.width() - 4);
    goal.shared = true;
    goal.at = QPointF(x, area.top() - 6);
    QPainterPath& path = goal.trunk;
    path.moveTo(goal.at);
    const qreal gap = layout.rowPitch - layout.cellHeight - strip.indexBelow;
    if (gap < kHopGap - 1) {
        // Along the line between the rows, which hides no value.
        const qreal y = cell.top(), right = std::min(end, area.right()) + 2;
        path.lineTo(x, y - kTurn);
        path.quadTo(QPointF(x, y), QPointF(x - kTurn, y));
        path.lineTo(right, y);
        const qreal ring = cell.right() + (std::min(cell.width(), cell.height()) < 10 ? 7 : 3);
        if (ring < right) {
            goal.leader.moveTo(right, y);
            goal.leader.lineTo(ring, y);
        }
        return goal;
    }
    const qreal y = cell.top() - gap + 2, to = cell.center().x();
    path.lineTo(x, y - kTurn);
    path.quadTo(QPointF(x, y), QPointF(x - kTurn, y));
    path.lineTo(std::max(to, std::min(to + kTurn, x - kTurn)), y);
    path.quadTo(QPointF(to, y), QPointF(to, y + kTurn));
    path.lineTo(to, cell.top() - 2);
    return goal;
}

/// The cell in the chip of a storage that has no strip.
std::optional<LinkGoal> goalOnShelf(const StageContext& context) {
    for (const ShelfChip& chip : context.plan.shelf) {
        const QRectF cell = shelfCell(context, chip);
        if (cell.isEmpty()) continue;
        LinkGoal goal;
        goal.at = QPointF(cell.center().x(), chip.rect.top() - 4);
        goal.width = cell.width();
        return goal;
    }
    return std::nullopt;
}

/// Distance between the ways of two links right under the cards.
constexpr qreal kLanePitchUnderCards = 3;

} // namespace

std::vector<SceneNode> appendLinks(Scene& scene, const StageContext& context, LinkWay way) {
    if (!context.pick) return {};
    const StagePlan& plan = context.plan;
    const StripPlan* strip = plan.strip && plan.strip->storageId == context.pick->storageId ? &*plan.strip : nullptr;
    for (const StripPlan& other : plan.others) {
        if (other.storageId == context.pick->storageId) strip = &other;
    }
    const std::optional<LinkGoal> shelved = strip ? std::nullopt : goalOnShelf(context);
    if (!strip && !shelved) return {};
    struct Start {
        const TensorEntry* entry;
        std::vector<QPointF> route; ///< from the cell's corner to the port on the card's bottom edge
        bool primary;
        qreal halo; ///< width of the ground under the line inside the card
        qreal port() const { return route.back().x(); }
    };
    std::vector<Start> starts;
    for (const CardLayout& card : plan.cards) {
        // One port per card: of the picked cell itself, else of the first one that shows the slot.
        for (const Dims& coord : card.rings) {
            std::vector<QPointF> route = card.linkRoute(coord);
            if (route.empty()) continue;
            const qreal x = route.back().x();
            if (x < plan.cardArea.left() || x > plan.cardArea.right()) continue;
            starts.push_back({card.input.entry, std::move(route), context.pick->tensor == card.input.entry->id,
                              card.picture ? kHaloOverColours : kHaloOverNumbers});
            break;
        }
    }
    // The picked card's link must not be among those that give way.
    std::stable_sort(starts.begin(), starts.end(),
                     [](const Start& a, const Start& b) { return a.primary > b.primary; });
    if (starts.size() > kMaxLinks) starts.erase(starts.begin() + kMaxLinks, starts.end());
    const bool curves = starts.size() <= kMaxCurves;
    std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.port() < b.port(); });

    // Strips between the cards and the goal are passed beside their cells, or through the gap after their handles.
    qreal passTop = 0, passBottom = 0, passX = 0;
    const auto between = [&](const StripPlan& other) {
        if (&other == strip || (strip && other.layout.area.top() > strip->layout.area.top())) return;
        const bool first = passBottom <= passTop;
        const qreal zone = other.large ? plan.upZone : 4;
        const qreal end =
            std::min(other.layout.cellRect(other.layout.cellCount - 1).right(), other.layout.area.right());
        passTop = first ? other.handle.top() - zone : std::min(passTop, other.handle.top() - zone);
        passBottom = std::max({passBottom, other.handle.bottom(), other.layout.area.bottom() + other.indexBelow});
        passX = std::max(passX, (other.layout.rowCount() > 1 ? other.layout.area.right() : end) + 12);
    };
    if (plan.strip) between(*plan.strip);
    for (const StripPlan& other : plan.others) between(other);
    const qreal edge = context.state.viewport.width() - 6;
    const bool rightOfThem = passX <= edge;
    if (!rightOfThem) passX = (strip ? strip->handle.right() : kStageMargin + kHandleWidth) + kHandleGap / 2;
    const bool pastStrips = passBottom > passTop;

    const LinkGoal end = strip ? goalOf(context, *strip) : *shelved;
    // Right of them every way down is free: the one over the goal is the straightest.
    if (rightOfThem) passX = std::max(passX, std::min(end.at.x(), edge));
    // A trunk is shared; over the cell itself each link has its own end.
    const qreal count = static_cast<qreal>(starts.size());
    const qreal pitch = end.shared ? 0 : std::clamp((std::max(end.width, 12.0) - 12) / std::max(1.0, count), 2.0, 11.0);
    const qreal spread = pitch * (count - 1) / 2;
    std::vector<SceneNode> ports;
    // What no link may cross. Where a curve would, it goes across right under the cards, over flag and labels.
    const QRectF flag = offsetFlagBox(context);
    std::vector<QRectF> things = context.obstacles;
    if (!flag.isEmpty()) things.push_back(flag.adjusted(-2, -2, 2, 2));
    const auto otherPorts = [&](std::size_t own) {
        std::vector<QRectF> taken;
        for (std::size_t i = 0; i < starts.size(); ++i)
            if (i != own) taken.emplace_back(starts[i].port() - 9, plan.cardArea.bottom() - 9, 18, 18);
        // A tether's foot that a link covers seems to hang on that link.
        for (const QLineF& line : context.tethers)
            if (line.y1() == plan.cardArea.bottom() && std::abs(line.x1() - starts[own].port()) > 9)
                taken.emplace_back(line.x1() - 5.5, plan.cardArea.bottom() - 5.5, 11, 11);
        return taken;
    };
    const auto laneOf = [&](std::size_t i, const QPointF& goal) {
        const bool left = starts[i].port() < goal.x();
        qreal nearer = 0; // a farther one runs below, so that none crosses another
        for (const Start& other : starts) {
            const bool beside = (other.port() < goal.x()) == left;
            nearer += beside && std::abs(other.port() - goal.x()) < std::abs(starts[i].port() - goal.x());
        }
        const qreal lowest = (flag.isEmpty() ? goal.y() : std::min(goal.y(), flag.top())) - 5;
        // Between the lanes of tethers, where there is room.
        qreal lane = plan.busY + 5;
        const auto onTether = [&](const QLineF& line) { return line.dy() == 0 && std::abs(line.y1() - lane) < kApart; };
        for (;; lane += kLanePitchUnderCards, --nearer) {
            while (lane < lowest && std::any_of(context.tethers.begin(), context.tethers.end(), onTether)) lane += 1;
            if (nearer < 1 || lane >= lowest) break;
        }
        return std::min(lane, lowest);
    };
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const Start& start = starts[i];
        // No part of their own: links must not come between the pointer and the cells below them.
        const Part part{PartKind::None, start.entry->id, context.pick->storageId, kLinkPart};
        const qreal bottom = plan.cardArea.bottom();
        const QPointF goal = end.at + QPointF(pitch * static_cast<qreal>(i) - spread, -end.fall);
        // Inside the card down the grid line, outside it one curve with vertical ends.
        const qreal port = start.port();
        PathItem down = wire(Tone::Ink, 2), ground = wire(Tone::Stage, start.halo);
        down.path.moveTo(start.route.front());
        for (std::size_t k = 1; k < start.route.size(); ++k) down.path.lineTo(start.route[k]);
        ground.path = down.path;
        if (start.route.size() > 1) {
            scene.nodes.push_back({part, ground});
            scene.nodes.push_back({part, down});
        }
        PathItem curve = wire(Tone::Ink, 2);
        curve.casing = true;
        const QPointF from(port, bottom + 10);
        curve.path.moveTo(port, bottom + 1);
        curve.path.lineTo(from);
        if (pastStrips) {
            const qreal top = std::max(passTop, from.y() + 4), bend = std::max(12.0, (top - from.y()) * 0.6);
            const qreal lane = laneOf(i, QPointF(passX, top));
            if (top - from.y() < kLeastCurve && lane > bottom + 9)
                curve.path = rounded({QPointF(port, bottom + 1), QPointF(port, lane), QPointF(passX, lane),
                                      QPointF(passX, std::max(top, lane + 1))});
            else
                curve.path.cubicTo(from + QPointF(0, bend), QPointF(passX, top - bend), QPointF(passX, top));
            curve.path.lineTo(passX, passBottom);
            const qreal fall = std::max(14.0, (goal.y() - passBottom) * 0.6);
            curve.path.cubicTo(QPointF(passX, passBottom + fall), goal - QPointF(0, fall), goal);
            curve.path.lineTo(goal + QPointF(0, end.fall));
        } else if (curves) {
            const qreal fall = goal.y() - from.y();
            const qreal bend = std::min(std::max(20.0, fall * 0.45), std::max(4.0, fall * 0.65));
            curve.path.cubicTo(from + QPointF(0, bend), goal - QPointF(0, bend * 1.35), goal);
            curve.path.lineTo(goal + QPointF(0, end.fall));
            const QPointF last = goal + QPointF(0, end.fall);
            const qreal lane = laneOf(i, last);
            const bool roomy = lane > bottom + 9 && lane < last.y() - 6 && std::abs(port - last.x()) > 2;
            const std::vector<QRectF> others = otherPorts(i);
            const auto blocked = [&](const QPainterPath& path) {
                return meets(path, things) || meets(path, others) || follows(path, context.tethers);
            };
            if (roomy && (way == LinkWay::Lanes || blocked(curve.path))) {
                const QPainterPath across =
                    rounded({QPointF(port, bottom + 1), QPointF(port, lane), QPointF(last.x(), lane), last});
                if (!blocked(across)) curve.path = across;
            }
        } else {
            curve.path.lineTo(goal);
            curve.path.lineTo(goal + QPointF(0, end.fall));
        }
        LinkSpan span;
        span.port = QPointF(port, bottom + 1);
        span.goal = goal + QPointF(0, end.fall);
        span.lane = laneOf(i, span.goal);
        span.left = 4;
        span.right = edge + 2;
        span.free = {passX, edge};
        span.tethers = context.tethers;
        curve.path = wayRound(curve.path, span, things, otherPorts(i));
        curve.arrow = end.arrow;
        scene.nodes.push_back({part, curve});
        const auto dot = [&](const QPointF& at) {
            PathItem item = wire(Tone::Stage, 1.2);
            item.path.addEllipse(at, 3.6, 3.6);
            item.fill = Tone::Ink;
            ports.push_back({part, item});
        };
        dot(start.route.front());
        if (!end.shared) dot(goal + QPointF(0, end.fall));
        if (start.entry->colour >= 0) {
            ports.push_back({part, BadgeItem{QPointF(port, bottom), start.entry->colour, 16, start.entry->letter}});
        }
    }
    std::vector<SceneNode> over;
    if (!end.trunk.isEmpty() && !starts.empty()) {
        PathItem trunk = wire(Tone::Ink, 2);
        trunk.path = end.trunk;
        trunk.casing = true;
        trunk.arrow = end.leader.isEmpty();
        const Part part{PartKind::None, 0, context.pick->storageId, kTrunkPart};
        scene.nodes.push_back({part, trunk});
        if (!end.leader.isEmpty()) {
            // Thinner than a casing: it lies between two rows of values.
            PathItem ground = wire(Tone::Stage, kHaloOverNumbers), leader = wire(Tone::Ink, 2);
            ground.path = leader.path = end.leader;
            leader.arrow = true;
            over = {{part, ground}, {part, leader}};
        }
    }
    for (SceneNode& node : ports) scene.nodes.push_back(std::move(node));
    return over;
}

namespace {

QString notInSightText(const StageContext& context, StripSide side) {
    const QString index = PaintedText::tr("index %1").arg(countText(context.pick->slot));
    switch (side) {
    case StripSide::Left:
        return QStringLiteral("← ") + index;
    case StripSide::Right:
        return index + QStringLiteral(" →");
    case StripSide::Above:
        return QStringLiteral("↑ ") + index;
    case StripSide::Below:
        return QStringLiteral("↓ ") + index;
    case StripSide::InSight:
        break;
    }
    return {};
}

} // namespace

QRectF notInSightBox(const StageContext& context) {
    const std::optional<StripPlan>& strip = context.plan.strip;
    if (!context.pick || !strip || strip->storageId != context.pick->storageId) return {};
    const StripSide side = strip->sideOf(context.pick->slot);
    if (side == StripSide::InSight) return {};
    const QRectF& area = strip->layout.area;
    const qreal width = textWidth(FontRole::LabelStrong, notInSightText(context, side)) + 14;
    // Links need some height to arrive from above, where the stage has any.
    const qreal top = context.state.options.presented
                          ? area.top() - 23
                          : std::clamp(context.plan.cardArea.bottom() + 36, area.top() - 50, area.top() - 28);
    const qreal end = std::min(strip->layout.cellRect(strip->layout.perRow - 1).right(), area.right());
    // Beside short rows, where no arch passes; over the end of rows that fill the strip.
    const qreal right = std::min(end + 8 + width, area.right());
    QRectF box(side == StripSide::Left ? area.left() : right - width, top, width, 20);
    const QRectF flag = offsetFlagBox(context).adjusted(-8, 0, 8, 0);
    if (flag.intersects(box)) {
        if (side == StripSide::Left || flag.left() - width < area.left())
            box.moveLeft(flag.right());
        else
            box.moveRight(flag.left());
    }
    return box;
}

void appendNotInSight(Scene& scene, const StageContext& context) {
    const QRectF box = notInSightBox(context);
    if (box.isEmpty()) return;
    const Part part{PartKind::Button, 0, context.pick->storageId, 0};
    TextItem text;
    text.text = notInSightText(context, context.plan.strip->sideOf(context.pick->slot));
    text.font = FontRole::LabelStrong;
    text.pos = box.center();
    text.anchor = Qt::AlignHCenter | Qt::AlignVCenter;
    scene.nodes.push_back({part, BoxItem{box, Tone::Stage, Tone::Ink, LineStyle::Solid, 1.5, 4}});
    scene.nodes.push_back({part, text});
}

} // namespace stridescope
