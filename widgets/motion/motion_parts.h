#pragma once
// What the parts of a motion's picture share. Only the scene's own files include it.

#include "widgets/card/draw.h"
#include "widgets/motion/motion_layout.h"

namespace stridescope::motion {

inline constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;
inline constexpr Qt::Alignment kMiddle = Qt::AlignHCenter | Qt::AlignVCenter;

struct Picture {
    const MotionPlan& plan;
    const MotionLayout& layout;
    qreal t = 0;
    const MotionBoard& board(int b) const { return plan.boards[static_cast<std::size_t>(b)]; }
    const BoardPlace& place(int b) const { return layout.boards[static_cast<std::size_t>(b)]; }
    int boards() const { return static_cast<int>(plan.boards.size()); }
    const MotionStorage* storage(int b) const {
        const int s = board(b).storage;
        return s < 0 ? nullptr : &plan.input.storages[static_cast<std::size_t>(s)];
    }
    /// How far from its place a board still is.
    QPointF shift(int b) const;
    bool appeared(int b) const;
    /// Slots of a strip that are seen: a new one comes out cell by cell, each in its place.
    Index slotsOut(int b) const;
    QPointF cellAt(int b, Index position) const { return layout.cell(plan, b, position) + shift(b); }
};

/// What stands at a place of a board.
struct Standing {
    bool there = false;   ///< false: a place that nothing has come to
    bool arrived = false; ///< it came by a move
    bool after = false;   ///< it has its value of after the operation
    int card = -1;        ///< whose view reaches it
    int storage = -1;
    Index slot = 0;
    CellsItem::Look look = CellsItem::Look::Place;
    int colour = -1;
};
/// By position: the cells of a card in reading order, of a strip its slots.
std::vector<Standing> standing(const Picture& p, int board);

void appendBand(SceneBuilder& out, const Picture& p);    ///< code, stages, what is said
void appendHeaders(SceneBuilder& out, const Picture& p); ///< size, stride and offset, on their way where they are
void appendAxes(SceneBuilder& out, const Picture& p);
void appendSummary(SceneBuilder& out, const Picture& p); ///< in place of cells
void appendStripFrames(SceneBuilder& out, const Picture& p);
/// Over the cells of a strip, which stand as `all` says: stripes on those that several coords of a view share.
void appendShared(SceneBuilder& out, const Picture& p, int b, const std::vector<Standing>& all);
void appendFlags(SceneBuilder& out, const Picture& p); ///< where a view begins in its strip
void appendRings(SceneBuilder& out, const Picture& p); ///< who belongs together, who is visited

} // namespace stridescope::motion
