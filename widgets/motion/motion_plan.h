#pragma once
// MotionPlan: what moves when. Made once of an operation; a picture is a pure function of it, a size and t.
//
// Cells keep their identity: each is a slot of a storage, and what travels from a card to another one is the same slot
// (a view) or a copy that starts at the slot it is taken from. Boards are the places: cards and strips.

#include "widgets/motion/motion_input.h"
#include "widgets/scene/scene.h"
#include "widgets/shared/stage_times.h"

#include <memory>

namespace stridescope {

enum class MotionFamily : quint8 {
    View,     ///< the same cells in other order or number
    Alias,    ///< the same tensor is returned
    Copy,     ///< each element from one other
    Compute,  ///< each element of some others
    Reduce,   ///< groups become one element each
    Product,  ///< rows times columns
    Write,    ///< into elements that are there
    Create,   ///< of no tensor
    Transfer, ///< to another device
};

enum class MotionWhat : quint8 {
    Numbers, ///< size, stride and offset go from one header to the other
    Window,  ///< what is reached in the strip
    Walk,    ///< the visiting order
    Storage, ///< a new strip slides out
    Cells,   ///< cells go to their places
    Ghosts,  ///< repeats come out of their cells
    Groups,  ///< who belongs together
    Slide,   ///< groups slide together
    Corner,  ///< operands round the corner
    First,   ///< the first element of a product
    Write,   ///< values change
    Seen,    ///< by all views
    Nothing, ///< said, with nothing that moves
};

struct MotionStage {
    MotionWhat what = MotionWhat::Nothing;
    QString name;          ///< "Window"
    QString before, after; ///< what will move? what moved?
    qreal seconds = 0;
    qreal begin = 0, end = 0; ///< in t
};

/// A card with cells of a tensor, or a strip of a storage.
struct MotionBoard {
    enum class Kind : quint8 { Card, Strip } kind = Kind::Card;
    enum class Role : quint8 { Plain, Left, Above, Corner } role = Role::Plain; ///< of a product
    MotionTensor tensor;                                                        ///< of a card
    int storage = -1;           ///< in the input's list; -1: none of them
    int output = -1;            ///< which output it shows
    bool fresh = false;         ///< a strip that the operation makes
    Index first = 0, count = 0; ///< slots of a strip that are shown
    qreal appears = 0;          ///< t from which its places are drawn
    Index positions() const;    ///< cells that it has places for
};

/// A cell that goes from one place to another.
struct MotionCell {
    quint8 fromBoard = 0, toBoard = 0;
    bool result = false; ///< stays where it arrives; the others are gone then
    bool after = false;  ///< shows the value after the operation
    bool waits = false;  ///< one that passes: stays where it arrived until its stage has ended
    CellsItem::Look look = CellsItem::Look::View;
    qint8 colour = -1;
    qint16 storage = -1;    ///< that `slot` counts in
    Index from = 0, to = 0; ///< positions: reading order on cards, slots on strips
    Index slot = 0;
    qreal begin = 0, end = 0; ///< in t
    qreal gone = 0;           ///< of one that waits
    /// Whether it is drawn at t, and how far it is, 0 … 1, not eased.
    bool isShown(qreal t) const;
    qreal progress(qreal t) const;
};

/// From which moment on a strip shows what another card reaches; the change goes through it like a scan.
struct MotionReach {
    int strip = 0, before = -1, after = -1; ///< boards
    qreal begin = 0, end = 0;
};

struct MotionPlan {
    MotionInput input;
    MotionFamily family = MotionFamily::View;
    bool cells = true; ///< false: too many, or unknown; numbers alone are told
    std::vector<MotionStage> stages;
    StageTimes times;
    std::vector<MotionBoard> boards; ///< cards of inputs, outputs, others; then strips
    std::vector<MotionCell> moves;
    std::vector<MotionReach> reaches;
    /// For each board that is a strip: from which t on a slot (less the first one shown) has its new value; kNever.
    std::vector<std::vector<qreal>> written;
    /// Cells of a board that are away, as dotted places, meanwhile.
    struct Veil {
        int board = 0;
        qreal begin = 0, end = 0;
    };
    std::vector<Veil> veils;
    std::vector<Index> group;  ///< positions of the first input that make the first result together
    std::vector<Index> hits;   ///< slots in the order in which a refused operation would write them
    std::vector<Index> reads;  ///< positions of its second input, in that order; empty: its target is all that it is of
    bool readsWritten = false; ///< the last of `hits` is not written to once more, but read
    static constexpr qreal kNever = 2;

    const MotionStage& stageAt(qreal t) const;
    const MotionStage* stage(MotionWhat what) const;
    /// How far a stage is, 0 … 1, not eased; 0 where there is none.
    qreal progress(MotionWhat what, qreal t) const;
    /// What is said at t: the question while it moves, the answer when it has.
    QString caption(qreal t) const;
    QString title() const;
    int stripOf(int storage) const; ///< the board; -1: none
    /// Whether a slot of a storage has its value of after the operation.
    bool isAfter(int storage, Index slot, qreal t) const;
};

MotionPlan motionPlan(MotionInput input);

} // namespace stridescope
