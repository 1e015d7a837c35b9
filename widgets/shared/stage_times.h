#pragma once
// StageTimes: the moments of a picture that moves, as a value. Steps and stages are the same on every screen.

#include <QtGlobal>

#include <cmath>
#include <vector>

namespace stridescope {

/// Moments closer than this are one.
inline constexpr qreal kSameMoment = 1e-9;

/// Ease in and out, cubic: for what moves from place to place.
inline qreal easedInOut(qreal u) {
    return u < 0.5 ? 4 * u * u * u : 1 - std::pow(2 - 2 * u, 3) / 2;
}

struct StageTimes {
    std::vector<qreal> stops;     ///< moments at which something is whole, from 0 to 1: what "step" goes through
    std::vector<qreal> stageEnds; ///< the last one is 1
    qreal seconds = 0;            ///< from 0 to 1 at normal speed

    /// The stop after and before `t`; 1 and 0 at the ends.
    qreal next(qreal t) const;
    qreal previous(qreal t) const;
    /// End of the stage that plays at `t`, or of the next one where t is an end.
    qreal stageEndAfter(qreal t) const;
    /// End of the stage before the one that is shown; 0 where there is none.
    qreal stageEndBefore(qreal t) const;
    /// The stage that is shown, from 0: the one whose end this is, not the one that begins here.
    std::size_t stageAt(qreal t) const;
};

} // namespace stridescope
