#include "widgets/shared/stage_times.h"

namespace stridescope {

qreal StageTimes::next(qreal t) const {
    for (const qreal stop : stops)
        if (stop > t + kSameMoment) return stop;
    return 1;
}

qreal StageTimes::previous(qreal t) const {
    for (std::size_t i = stops.size(); i-- > 0;)
        if (stops[i] < t - kSameMoment) return stops[i];
    return 0;
}

qreal StageTimes::stageEndAfter(qreal t) const {
    for (const qreal end : stageEnds)
        if (end > t + kSameMoment) return end;
    return 1;
}

qreal StageTimes::stageEndBefore(qreal t) const {
    qreal before = 0;
    for (const qreal end : stageEnds)
        if (end < t - kSameMoment) before = end;
    return before;
}

std::size_t StageTimes::stageAt(qreal t) const {
    std::size_t stage = 0;
    while (stage + 1 < stageEnds.size() && t > stageEnds[stage] + kSameMoment) ++stage;
    return stage;
}

} // namespace stridescope
