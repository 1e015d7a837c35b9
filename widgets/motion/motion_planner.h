#pragma once
// Private to the plan: how each family of operations is taken apart into stages.

#include "widgets/motion/motion_plan.h"
#include "widgets/motion/motion_sources.h"

namespace stridescope::motion {

/// A move takes so long, and those of one stage begin within kStagger seconds.
inline constexpr qreal kMove = 0.35, kStagger = 0.5, kPause = 0.15;

class Planner {
public:
    explicit Planner(MotionInput input);
    MotionPlan plan();

private:
    MotionFamily familyOf() const;
    void addBoards();
    int addCard(const MotionTensor& tensor, int output = -1);
    /// A temporary's badge has a letter that no other card has.
    void giveLetters();
    void addStrips();
    bool fits() const;
    std::vector<View> viewsOn(const MotionStorage& storage) const;
    int storageOf(const TensorRecord& record) const;

    // plan_view.cpp
    void planView();
    void planAlias();
    void addNumbers();
    void addWindow();
    void addViewCells();
    // plan_copy.cpp
    void planCopy();
    void planCreate();
    void addStorage();
    void addWalk();
    // plan_compute.cpp
    void planCompute();
    void planReduce();
    void planProduct();
    /// Groups of the first input, one for each element of the first output; nothing where they are none.
    bool groups(std::vector<std::vector<Index>>& found) const;
    // plan_write.cpp
    void planWrite();
    void planRefusal();
    /// Of a write to cells of which some are read, too.
    void planReadRefusal(const View& target, const View& read, const QString& message);
    qreal refusalSeconds() const;
    void planSummary();

    /// A stage; moves and writes that are added next belong to it.
    MotionStage& stage(MotionWhat what, const QString& name, const QString& before, const QString& after,
                       qreal seconds = kMove + kPause);
    /// Share of the stage under way at which cell k of n begins and ends.
    std::pair<qreal, qreal> turn(Index k, Index n) const;
    /// Added to the stage under way; begin and end are shares of it.
    void move(MotionCell cell, std::pair<qreal, qreal> when);
    /// The slot has its new value from that share of the stage under way on.
    void write(int storage, Index slot, qreal share);
    /// The result of output `o` at position `k`, coming from `fromBoard`, `from`.
    MotionCell result(int o, Index k, int fromBoard, Index from) const;
    int inputBoard(std::size_t input) const { return m_inputBoards[input]; }
    int outputBoard(std::size_t output) const { return m_outputBoards[output]; }
    /// Its own fill, or one that no card before has.
    int freeColour(int wanted) const;
    void finish();

    MotionPlan m_plan;
    std::vector<int> m_inputBoards, m_outputBoards;
};

/// "3, 4".
QString listText(const Dims& dims);
/// "+48 B".
QString plusBytes(Index bytes);
/// "12 elements and 12 elements".
QString listOf(const QStringList& parts);

} // namespace stridescope::motion
