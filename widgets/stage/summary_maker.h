#pragma once
// SummaryMaker: fills the summaries of storages that are too large to be read for every picture, in a thread of its
// own.

#include "widgets/scene/strip_summary.h"

#include <QObject>
#include <QTimer>

class QThread;

namespace stridescope {

struct StagePlan;

/// What a picture shows of a storage: blocks of `level` over `cells`.
struct SummaryWish {
    Tensor source; ///< 1-d over the whole storage
    StripSummary::Range range;
};

class SummaryMaker : public QObject {
    Q_OBJECT

public:
    explicit SummaryMaker(QObject* parent = nullptr);
    /// Stops and waits for that: a few milliseconds.
    ~SummaryMaker() override;

    /// From now on these are filled, in this order: first samples of all of them, then exactly. Those of small storages
    /// at once. What is not among them is forgotten.
    void follow(const std::vector<SummaryWish>& wishes);
    Summaries summaries() const;

Q_SIGNALS:
    /// Something more is known; at most every kShown milliseconds.
    void grown();

private:
    struct Task;
    struct Shared;
    void start();

    std::shared_ptr<Shared> m_shared;
    QThread* m_thread = nullptr;
    QTimer m_shown;
};

/// What the strips and the map of the plan need; `heat`: the small strips show values, too.
std::vector<SummaryWish> wantedSummaries(const StagePlan& plan, bool heat);

} // namespace stridescope
