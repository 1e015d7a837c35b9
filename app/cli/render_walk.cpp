#include "app/cli/render_walk.h"

#include "core/view/walk.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// More stops than this a file does not have: of longer walks some elements are left out.
constexpr Index kMostStops = 240;
constexpr qreal kSecondsEach = 0.4;

} // namespace

Pick pickOf(const TensorEntry& entry, const Dims& element) {
    Pick pick;
    pick.tensor = entry.id;
    pick.storageId = entry.tensor.storage()->id();
    pick.coord = element;
    pick.slot = entry.tensor.view().slot(element);
    return pick;
}

Result<Animation> walkAnimation(const View& view, std::function<Result<Scene>(const Dims& element)> draw) {
    const Index count = view.numel();
    if (count == 0)
        return Refusal{ErrorKind::Value,
                       "CLI-01",
                       "there is no element that could be walked to",
                       "Leave out --frame, and draw a picture.",
                       {}};
    Animation walk;
    const Index stops = std::min(count, kMostStops);
    for (Index i = 0; i < stops; ++i)
        walk.stops.push_back(stops == 1 ? 0 : static_cast<qreal>(i) / static_cast<qreal>(stops - 1));
    if (stops == 1) walk.stops.push_back(1);
    walk.rests = {0, 1};
    walk.seconds = kSecondsEach * static_cast<qreal>(stops);
    // Digits of indices make some pictures wider than others: all are as large as the largest.
    QSizeF size;
    const auto elementAt = [view, count](qreal t) {
        return coordOfPosition(view, std::llround(std::clamp(t, 0.0, 1.0) * static_cast<qreal>(count - 1)));
    };
    for (const qreal t : walk.stops) {
        auto scene = draw(elementAt(t));
        if (!scene) return scene.refusal();
        size = size.expandedTo(scene->size);
        walk.title = scene->title;
    }
    walk.at = [draw = std::move(draw), elementAt, size](qreal t) {
        Scene scene = draw(elementAt(t)).value();
        scene.size = size;
        return scene;
    };
    return walk;
}

} // namespace stridescope
