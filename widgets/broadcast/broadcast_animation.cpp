#include "widgets/broadcast/broadcast_animation.h"

namespace stridescope {

Animation broadcastAnimation(std::shared_ptr<const BroadcastModel> model, const BroadcastLook& look) {
    const BroadcastTimeline timeline(*model);
    Animation animation;
    animation.title = QString::fromStdString(model->program.code);
    animation.seconds = timeline.seconds();
    animation.stops = timeline.stops();
    animation.rests = timeline.stageEnds();
    animation.rests.insert(animation.rests.begin(), 0);
    animation.at = [model, look](qreal t) {
        BroadcastLook moment = look;
        moment.t = t;
        return broadcastScene(*model, moment);
    };
    animation.caption = [timeline](qreal t) {
        const BroadcastStage stage = timeline.stageAt(t);
        const auto& ends = timeline.stageEnds();
        const auto index = static_cast<std::size_t>(stage);
        const bool atEnd = index < ends.size() && t >= ends[index] - 1e-9;
        return atEnd ? timeline.captionAfter(stage) : timeline.captionBefore(stage);
    };
    return animation;
}

} // namespace stridescope
