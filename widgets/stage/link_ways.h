#pragma once
// Where links go below the cards: the ways round what they must not run through.

#include "widgets/scene/scene.h"

#include <vector>

namespace stridescope {

/// Adds what no link may run through: words, cells of strips and beyond their ends, lanes and maps.
void addObstacles(std::vector<QRectF>& things, const std::vector<SceneNode>& nodes);

/// Does the line cross the box?
bool meets(const QLineF& line, const QRectF& box);
bool meets(const QPainterPath& path, const std::vector<QRectF>& things);
/// Does the path run along one of the level and upright lines, so that the two look like one?
bool follows(const QPainterPath& path, const std::vector<QLineF>& lines);
/// What is less apart from a line of that direction cannot be told from it.
inline constexpr qreal kApart = 4.5;

/// A path along its corners, each of them rounded.
QPainterPath rounded(const std::vector<QPointF>& corners);

/// From a port under the cards down to a goal.
struct LinkSpan {
    QPointF port, goal;
    qreal lane = 0;                ///< height right under the cards at which a link may go across
    qreal left, right;             ///< of the stage
    std::vector<qreal> free;       ///< x at which the way down is likely to be free, the best first
    std::vector<QLineF> tethers{}; ///< may be crossed, not followed
};

/// Across in a lane under the cards, down beside what is in the way, and across again over the goal: of such ways the
/// shortest that meets none of `things`; `usual` where there is none. Behind `ports`, and at last along a tether, only
/// where it cannot be helped.
QPainterPath wayRound(const QPainterPath& usual, const LinkSpan& span, std::vector<QRectF> things,
                      const std::vector<QRectF>& ports);

} // namespace stridescope
