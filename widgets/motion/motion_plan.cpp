#include "widgets/motion/motion_plan.h"

#include "widgets/motion/motion_planner.h"

#include <algorithm>

namespace stridescope {

Index MotionBoard::positions() const {
    return kind == Kind::Strip ? count : tensor.record.view.numel();
}

bool MotionCell::isShown(qreal t) const {
    if (begin == end) return t >= end - kSameMoment && (result || t <= gone + kSameMoment);
    if (t <= begin + kSameMoment) return false; // until then it is where it comes from
    return result || t < end - kSameMoment || (waits && t <= gone + kSameMoment);
}

qreal MotionCell::progress(qreal t) const {
    return t >= end - kSameMoment ? 1 : std::clamp((t - begin) / (end - begin), 0.0, 1.0);
}

const MotionStage& MotionPlan::stageAt(qreal t) const {
    return stages[std::min(times.stageAt(t), stages.size() - 1)];
}

const MotionStage* MotionPlan::stage(MotionWhat what) const {
    for (const MotionStage& each : stages)
        if (each.what == what) return &each;
    return nullptr;
}

qreal MotionPlan::progress(MotionWhat what, qreal t) const {
    const MotionStage* found = stage(what);
    return found ? std::clamp((t - found->begin) / (found->end - found->begin), 0.0, 1.0) : 0;
}

QString MotionPlan::caption(qreal t) const {
    const MotionStage& at = stageAt(t);
    return t >= at.end - kSameMoment ? at.after : at.before;
}

QString MotionPlan::title() const {
    return input.code;
}

int MotionPlan::stripOf(int storage) const {
    for (std::size_t b = 0; b < boards.size(); ++b)
        if (boards[b].kind == MotionBoard::Kind::Strip && boards[b].storage == storage) return static_cast<int>(b);
    return -1;
}

bool MotionPlan::isAfter(int storage, Index slot, qreal t) const {
    const int strip = stripOf(storage);
    if (strip < 0 || input.refusal) return false;
    const MotionBoard& board = boards[static_cast<std::size_t>(strip)];
    const auto& times = written[static_cast<std::size_t>(strip)];
    const Index at = slot - board.first;
    return at >= 0 && at < std::ssize(times) && t >= times[static_cast<std::size_t>(at)] - kSameMoment;
}

MotionPlan motionPlan(MotionInput input) {
    return motion::Planner(std::move(input)).plan();
}

} // namespace stridescope
