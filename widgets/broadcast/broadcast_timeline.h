#pragma once
// The four stages of a broadcast in time. A frame is a pure function of the model and t, so that going back shows what
// going forward showed.

#include "widgets/broadcast/broadcast_model.h"
#include "widgets/shared/stage_times.h"

#include <vector>

namespace stridescope {

enum class BroadcastStage : quint8 { Shapes, Prepend, Stretch, Compute };
inline constexpr int kBroadcastStages = 4;

/// What has happened at a moment.
struct BroadcastFrame {
    BroadcastStage stage = BroadcastStage::Shapes;
    qreal aligned = 0;        ///< shapes on their way to the right, 0 … 1
    qreal ghosts = 0;         ///< 1s in front, on their way in
    int judged = 0;           ///< columns with a verdict, from the right
    qreal stretch = 0;        ///< ghost cells on their way out of the stored ones
    Index computed = 0;       ///< elements of the result that are there, in row-major order
    std::optional<Index> now; ///< the last one of them, while they come
    friend bool operator==(const BroadcastFrame&, const BroadcastFrame&) = default;
};

class BroadcastTimeline {
public:
    explicit BroadcastTimeline(const BroadcastModel& model);

    /// `t` is clamped to 0 … 1.
    BroadcastFrame at(qreal t) const;
    /// A line that is refused ends with the verdict.
    const StageTimes& times() const { return m_times; }
    const std::vector<qreal>& stops() const { return m_times.stops; }
    const std::vector<qreal>& stageEnds() const { return m_times.stageEnds; }
    BroadcastStage stageAt(qreal t) const;
    qreal seconds() const { return m_times.seconds; }
    qreal next(qreal t) const { return m_times.next(t); }
    qreal previous(qreal t) const { return m_times.previous(t); }
    qreal stageEndAfter(qreal t) const { return m_times.stageEndAfter(t); }
    /// What is said before a stage moves, and when it has moved.
    QString captionBefore(BroadcastStage stage) const;
    QString captionAfter(BroadcastStage stage) const;

private:
    struct Step {
        BroadcastStage stage;
        qreal begin, end; ///< in t
        enum class What : quint8 { Align, Ghosts, Judge, Stretch, Compute } what;
        Index to = 0; ///< columns judged, elements computed
        Index from = 0;
    };
    void add(BroadcastStage stage, Step::What what, qreal seconds, Index from = 0, Index to = 0);
    void addComputing(const BroadcastModel& model);
    void addCaptions(const BroadcastModel& model);

    std::vector<Step> m_steps;
    StageTimes m_times;
    Index m_rowLength = 1;
    QString m_before[kBroadcastStages], m_after[kBroadcastStages];
};

} // namespace stridescope
