#pragma once
// Where the hops of an element lie on the strip, for the arches and for their words. Internal to widgets/stage.

#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stridescope {

/// A drawn arch: words keep clear of those of other dims, between the rows of a wrapped strip of all that they enclose.
struct HopArch {
    QRectF rect;
    QPolygonF line;
    Index dim;
};

/// From the middle of a cell to either end of the loop of a step that comes back to it.
inline constexpr qreal kLoopHalf = 7;

class HopGeometry {
public:
    /// Precondition: there is a strip and a selected view.
    explicit HopGeometry(const StageContext& context);

    const StripPlan& strip;
    const View& view;
    Part part;           ///< of all that is drawn for the hops
    qreal right, bottom; ///< ends of the stage, and of what may be drawn under the strip
    bool secondRow;      ///< arches of dims 0 and 1 are one row farther out
    bool wrapped;        ///< the strip has several rows: arches and words share the gaps between them
    qreal rowEnd = 0;    ///< words between rows end here

    qreal centre(Index slot) const { return strip.layout.cellRect(slot).center().x(); }
    static bool up(const Hop& hop) { return hop.dim % 2 == 0; }
    /// Arches of dim 0 are outside those of dim 2, and those of dim 1 outside those of dim 3, where there are such.
    qreal lift(const Hop& hop) const {
        return secondRow && hop.dim < 2 && view.dim() > hop.dim + 2 ? kSecondHopRow : 0;
    }
    qreal peak(const Hop& hop) const {
        if (wrapped) return kHopGap - 4;
        const qreal width = std::abs(centre(hop.to) - centre(hop.from));
        const qreal high = std::clamp(kArchLow + (width - 42) * 0.0834, kArchLow, kArchHigh) + lift(hop);
        // Under the last row a short stage leaves less.
        return up(hop) ? high : std::min(high, std::max(6.0, bottom - base(hop) - 7));
    }
    bool inSight(Index slot) const {
        const QRectF cell = strip.layout.cellRect(slot), &area = strip.layout.area;
        return strip.inSight(slot) && cell.top() > area.top() - 1 && cell.bottom() < area.bottom() + 1;
    }
    bool sameRow(const Hop& hop) const {
        return std::abs(strip.layout.cellRect(hop.from).top() - strip.layout.cellRect(hop.to).top()) < 1;
    }
    bool onFirstRow(Index slot) const { return strip.layout.cellRect(slot).top() < strip.layout.area.top() + 1; }
    qreal base(const Hop& hop) const { return base(hop, hop.from); }
    qreal base(const Hop& hop, Index slot) const {
        const QRectF cell = strip.layout.cellRect(slot);
        return up(hop) ? cell.top() - 3 : cell.bottom() + (strip.indexBelow > 0 ? strip.indexBelow + 2 : 3);
    }

    /// To the next row or the one before, both in sight.
    bool neighbours(const Hop& hop) const {
        const qreal apart = strip.layout.cellRect(hop.to).top() - strip.layout.cellRect(hop.from).top();
        return std::abs(std::abs(apart) - strip.layout.rowPitch) < 1 && inSight(hop.from) && inSight(hop.to);
    }

    /// Does it end in the next row, or the one before, against the direction in which it goes: nearer to the start of a
    /// row for a stride forwards?
    bool overRowEnd(const Hop& hop) const {
        const Index perRow = strip.layout.perRow, rows = hop.to / perRow - hop.from / perRow;
        const Index columns = hop.to % perRow - hop.from % perRow;
        return (rows == 1 && columns < 0) || (rows == -1 && columns > 0);
    }

    /// From a row that is out of sight: along its own row, as from the row before it. Straight from above it would come
    /// down on the end of the link.
    bool fromAfar(const Hop& hop) const { return !inSight(hop.from) && inSight(hop.to) && !overRowEnd(hop); }

private:
    static constexpr qreal kArchLow = 20, kArchHigh = 34;
};

/// Draws the words of `hops`, after their arches; returns how many of them lie over links.
int appendHopLabels(Scene& scene, const StageContext& context, const HopGeometry& on,
                    const std::vector<HopArch>& arches, const std::vector<Hop>& hops);

} // namespace stridescope
