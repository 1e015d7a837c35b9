#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>

namespace stridescope {

namespace {

/// Distance of a tether from a card's left edge.
constexpr qreal kFoot = 30;

PathItem wire(Tone tone, qreal width) {
    PathItem item;
    item.stroke = tone;
    item.width = width;
    return item;
}

} // namespace

// Note [Tethers] A card hangs on its storage by a line. A strip right under the cards is reached from above; the others
// from the left, past the handles above theirs, each in a lane of its own: the nearer the strip, the farther to the
// right and the lower under the cards, so that no two of these lines cross. The plan keeps room for them over the first
// strip: a line that passes behind the strip of another storage would look as if it ended there. Beside the handles
// there is room for kMostTethers of them; of more storages each card's foot has the storage's number instead, which its
// handle names too.
std::vector<QLineF> appendTethers(Scene& scene, const StageContext& context) {
    std::vector<QLineF> lines;
    if (context.state.options.presented) return lines; // there is one strip, and links lead to it
    const StagePlan& plan = context.plan;
    struct Foot {
        TensorId tensor;
        qreal x;
    };
    const auto feetOf = [&plan](const StripPlan& strip) {
        std::vector<Foot> feet;
        for (const CardLayout& card : plan.cards) {
            const TensorEntry& entry = *card.input.entry;
            const qreal x = card.pos.x() + kFoot;
            const bool inSight = x >= plan.cardArea.left() && x <= plan.cardArea.right();
            if (inSight && entry.tensor.storage()->id() == strip.storageId) feet.push_back({entry.id, x});
        }
        return feet;
    };
    const auto leg = [&](const StripPlan& strip, const Foot& foot, qreal down) {
        PathItem item = wire(Tone::Control, 2);
        item.path.moveTo(foot.x, plan.cardArea.bottom());
        item.path.lineTo(foot.x, down);
        lines.emplace_back(foot.x, plan.cardArea.bottom(), foot.x, down);
        scene.nodes.push_back({Part{PartKind::LinkPort, foot.tensor, strip.storageId, 0}, item});
    };
    const auto ports = [&](const StripPlan& strip, const std::vector<Foot>& feet) {
        for (const Foot& foot : feet) {
            PathItem port = wire(Tone::Control, 2);
            port.path.addEllipse(QPointF(foot.x, plan.cardArea.bottom()), 4.5, 4.5);
            port.fill = Tone::Stage;
            scene.nodes.push_back({Part{PartKind::None, 0, strip.storageId, 0}, port});
        }
    };
    const auto tether = [&](const StripPlan& strip, qreal busY, qreal dropX, bool fromTop) {
        const std::vector<Foot> feet = feetOf(strip);
        if (feet.empty()) return;
        qreal low = dropX, high = dropX;
        for (const Foot& foot : feet) {
            low = std::min(low, foot.x);
            high = std::max(high, foot.x);
            leg(strip, foot, busY);
        }
        const Part part{PartKind::None, 0, strip.storageId, 0};
        const QRectF& handle = strip.handle;
        const qreal end = fromTop ? handle.top() : handle.center().y();
        PathItem bus = wire(Tone::Control, 2);
        bus.path.moveTo(low, busY);
        bus.path.lineTo(high, busY);
        bus.path.moveTo(dropX, busY);
        bus.path.lineTo(dropX, end);
        if (!fromTop) bus.path.lineTo(handle.left(), end);
        lines.emplace_back(low, busY, high, busY);
        lines.emplace_back(dropX, busY, dropX, end);
        if (!fromTop) lines.emplace_back(dropX, end, handle.left(), end);
        scene.nodes.push_back({part, bus});
        if (fromTop) { // elsewhere it is a corner, where nothing joins
            PathItem joint = wire(Tone::None, 0);
            joint.path.addEllipse(QPointF(dropX, busY), 3, 3);
            joint.fill = Tone::Control;
            scene.nodes.push_back({part, joint});
        }
        ports(strip, feet);
    };
    std::vector<const StripPlan*> aside;
    const bool underCards = plan.strip && plan.above == 0;
    // Left of the offset flag's cloth, which may stand over the handle.
    if (underCards) tether(*plan.strip, plan.busY, plan.strip->handle.left() + kFoot, true);
    if (plan.strip && !underCards && !feetOf(*plan.strip).empty()) aside.push_back(&*plan.strip);
    for (const StripPlan& other : plan.others)
        if (!feetOf(other).empty()) aside.push_back(&other);
    std::sort(aside.begin(), aside.end(),
              [](const StripPlan* a, const StripPlan* b) { return a->handle.center().y() < b->handle.center().y(); });
    constexpr qreal kLeastLane = 4, kFirstLane = 16;
    const qreal gaps = std::max<qreal>(1, static_cast<qreal>(aside.size()) - (underCards ? 0 : 1));
    // Between the feet, or the line to the strip under the cards, and what stands highest below them.
    const QRectF flag = offsetFlagBox(context);
    qreal first = plan.busY, lowest = underCards ? plan.strip->handle.top() : first;
    if (underCards && !flag.isEmpty()) lowest = std::min(lowest, flag.top());
    if (!underCards && !aside.empty()) {
        lowest = (plan.others.empty() ? *plan.strip : plan.others.front()).handle.top();
        const qreal feet = plan.cardArea.bottom();
        first = std::clamp(lowest - kTetherAir - kTetherLane * gaps, feet + kTetherFoot,
                           std::max(first, feet + kTetherPass));
    }
    const qreal pitch = std::clamp((lowest - kTetherAir - first) / gaps, kLeastLane, kTetherLane);
    // Beside the handles there is the margin alone.
    const qreal beside = aside.size() < kMostTethers ? kTetherLane : kLeastLane;
    const qreal top = first + (underCards ? pitch : 0);
    for (std::size_t i = 0; i < aside.size(); ++i) {
        const StripPlan& strip = *aside[i];
        if (aside.size() <= kMostTethers) {
            const qreal lower = pitch * static_cast<qreal>(aside.size() - 1 - i);
            tether(strip, top + lower, kFirstLane - beside * static_cast<qreal>(i), false);
            continue;
        }
        const std::vector<Foot> feet = feetOf(strip);
        for (const Foot& foot : feet) {
            constexpr qreal kStub = 10;
            const qreal end = plan.cardArea.bottom() + kStub;
            leg(strip, foot, end);
            TextItem text;
            text.text = QStringLiteral("#%1").arg(strip.number);
            text.font = FontRole::Label;
            text.tone = Tone::Ink2;
            text.pos = QPointF(foot.x + 8, end);
            text.anchor = Qt::AlignLeft | Qt::AlignVCenter;
            scene.nodes.push_back({Part{PartKind::LinkPort, foot.tensor, strip.storageId, 0}, text});
        }
        ports(strip, feet);
    }
    return lines;
}

} // namespace stridescope
