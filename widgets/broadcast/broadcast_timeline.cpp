#include "widgets/broadcast/broadcast_timeline.h"

#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

namespace {

constexpr qreal kMove = 0.7, kJudge = 0.3, kCell = 0.3, kRow = 0.35;
/// Cells of the first row that come one by one; longer rows come in so many groups.
constexpr Index kSingleCells = 12;

} // namespace

BroadcastTimeline::BroadcastTimeline(const BroadcastModel& model) {
    using What = Step::What;
    const auto columns = static_cast<Index>(model.shape.size());
    if (!model.shape.empty()) m_rowLength = std::max<Index>(model.shape.back(), 1);
    add(BroadcastStage::Shapes, What::Align, kMove);
    add(BroadcastStage::Prepend, What::Ghosts, kMove);
    for (Index i = 0; i < columns; ++i) {
        add(BroadcastStage::Stretch, What::Judge, kJudge, i, i + 1);
        // A column in which nothing fits is the end: the columns left of it are not looked at.
        if (model.conflictDim && columns - 1 - i == *model.conflictDim) break;
    }
    if (columns == 0) add(BroadcastStage::Stretch, What::Judge, kJudge);
    if (model.ok()) {
        add(BroadcastStage::Stretch, What::Stretch, kMove);
        addComputing(model);
    } else {
        add(BroadcastStage::Stretch, What::Stretch, kMove); // the cells meet, and do not fit
    }
    for (Step& step : m_steps) {
        step.begin /= m_times.seconds;
        step.end /= m_times.seconds;
    }
    m_steps.back().end = 1;
    m_times.stops.push_back(0);
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const bool stageEnds = i + 1 == m_steps.size() || m_steps[i + 1].stage != m_steps[i].stage;
        if (stageEnds) m_times.stageEnds.push_back(m_steps[i].end);
        m_times.stops.push_back(m_steps[i].end);
    }
    addCaptions(model);
}

void BroadcastTimeline::add(BroadcastStage stage, Step::What what, qreal seconds, Index from, Index to) {
    Step step;
    step.stage = stage;
    step.what = what;
    step.begin = m_times.seconds;
    m_times.seconds += seconds;
    step.end = m_times.seconds;
    step.from = from;
    step.to = to;
    m_steps.push_back(step);
}

void BroadcastTimeline::addComputing(const BroadcastModel& model) {
    const Index all = model.numel();
    const Index row = std::min(m_rowLength, all);
    Index done = 0;
    const auto compute = [&](Index to, qreal seconds) {
        if (to <= done) return;
        add(BroadcastStage::Compute, Step::What::Compute, seconds, done, to);
        done = to;
    };
    const Index groups = std::min(row, kSingleCells);
    for (Index i = 1; i <= groups; ++i) compute(row / groups * i + row % groups * i / groups, kCell);
    compute(std::min(2 * row, all), kRow);
    compute(all, kRow);
    // Nothing to compute is a stage, too.
    if (all == 0) add(BroadcastStage::Compute, Step::What::Compute, kRow);
}

BroadcastStage BroadcastTimeline::stageAt(qreal t) const {
    for (const Step& step : m_steps)
        if (t <= step.end + kSameMoment) return step.stage;
    return m_steps.back().stage;
}

BroadcastFrame BroadcastTimeline::at(qreal t) const {
    t = std::clamp(t, 0.0, 1.0);
    BroadcastFrame frame;
    frame.stage = stageAt(t);
    for (const Step& step : m_steps) {
        if (t <= step.begin + kSameMoment && step.begin > 0) break;
        const bool whole = t >= step.end - kSameMoment;
        const qreal u = whole ? 1 : (t - step.begin) / (step.end - step.begin);
        switch (step.what) {
        case Step::What::Align:
            frame.aligned = whole ? 1 : easedInOut(u);
            break;
        case Step::What::Ghosts:
            frame.ghosts = whole ? 1 : easedInOut(u);
            break;
        case Step::What::Judge:
            frame.judged = static_cast<int>(whole ? step.to : step.from);
            break;
        case Step::What::Stretch:
            frame.stretch = whole ? 1 : easedInOut(u);
            break;
        case Step::What::Compute:
            // Cells do not come half: one appears at the end of its time, its operands are told during it.
            frame.computed = whole ? step.to : step.from;
            if (step.to > 0) frame.now = whole ? step.to - 1 : step.from;
            break;
        }
    }
    if (t >= 1) frame.now.reset();
    return frame;
}

QString BroadcastTimeline::captionBefore(BroadcastStage stage) const {
    return m_before[static_cast<int>(stage)];
}

QString BroadcastTimeline::captionAfter(BroadcastStage stage) const {
    return m_after[static_cast<int>(stage)];
}

void BroadcastTimeline::addCaptions(const BroadcastModel& model) {
    const auto words = [](Index count, const char* one, const char* many) {
        return PaintedText::tr(count == 1 ? one : many).arg(countText(count));
    };
    m_before[0] = PaintedText::tr("Where do the shapes line up?");
    m_after[0] = PaintedText::tr("The last dims stand one under the other: broadcasting counts from the right.");
    Index ghosts = 0, stretched = 0;
    for (const BroadcastOperand& operand : model.operands) {
        for (const DimMatch match : operand.match) ghosts += match == DimMatch::Missing;
        for (std::size_t d = 0; d < model.shape.size(); ++d)
            stretched += model.ok() && operand.aligned.shape[d] != model.shape[d];
    }
    m_before[1] = PaintedText::tr("Who has fewer dims than the others?");
    m_after[1] =
        ghosts == 0
            ? words(static_cast<Index>(model.shape.size()),
                    QT_TRANSLATE_NOOP("PaintedText", "All have %1 dim: there is nothing to prepend."),
                    QT_TRANSLATE_NOOP("PaintedText", "All have %1 dims: there is nothing to prepend."))
            : words(ghosts,
                    QT_TRANSLATE_NOOP("PaintedText", "%1 ghost dim of size 1 stands in front; no element moved."),
                    QT_TRANSLATE_NOOP("PaintedText", "%1 ghost dims of size 1 stand in front; no element moved."));
    m_before[2] = PaintedText::tr("Which columns fit, and which 1s must stretch?");
    if (!model.ok())
        m_after[2] = model.refusalText();
    else if (stretched == 0)
        m_after[2] = PaintedText::tr("All sizes are equal: nothing stretches.");
    else
        m_after[2] =
            words(stretched,
                  QT_TRANSLATE_NOOP("PaintedText",
                                    "%1 dim has stride 0 now: the index moves, the cell does not. 0 B copied."),
                  QT_TRANSLATE_NOOP("PaintedText",
                                    "%1 dims have stride 0 now: the index moves, the cell does not. 0 B copied."));
    m_before[3] = PaintedText::tr("Which stored cells meet in each element of the result?");
    m_after[3] =
        model.inPlace
            ? words(model.numel(),
                    QT_TRANSLATE_NOOP("PaintedText", "%1 element was written into the storage of %2: no new memory."),
                    QT_TRANSLATE_NOOP("PaintedText", "%1 elements were written into the storage of %2: no new memory."))
                  .arg(model.resultName)
            : words(model.numel(),
                    QT_TRANSLATE_NOOP("PaintedText", "%1 element was computed; only the result has new memory, %2."),
                    QT_TRANSLATE_NOOP("PaintedText", "%1 elements were computed; only the result has new memory, %2."))
                  .arg(bytesText(static_cast<quint64>(std::max<Index>(model.resultBytes(), 0))));
    const auto bytes = [](Index count) { return bytesText(static_cast<quint64>(std::max<Index>(count, 0))); };
    if (model.ok() && model.betweenBytes > 0)
        m_after[3] = model.inPlace ? PaintedText::tr("Written into the storage of %1; results in between took %2.")
                                         .arg(model.resultName, bytes(model.betweenBytes))
                                   : PaintedText::tr("New memory: %1 for the result, %2 for results in between.")
                                         .arg(bytes(model.resultBytes()), bytes(model.betweenBytes));
    if (model.ok() && !model.program.computed)
        m_after[3] = PaintedText::tr("Too large to be computed here: %1 elements, %2.")
                         .arg(countText(model.numel()), bytes(model.resultBytes()));
}

} // namespace stridescope
