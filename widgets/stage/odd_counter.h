#pragma once
// OddCounter: counts NaN and infinities of the large storages on the stage while nobody waits.

#include "widgets/scene/odd_count.h"

#include <QObject>
#include <QTimer>

#include <memory>

class QThread;

namespace stridescope {

struct StagePlan;

class OddCounter : public QObject {
    Q_OBJECT

public:
    explicit OddCounter(QObject* parent = nullptr);
    /// Stops counting and waits for that: a few milliseconds.
    ~OddCounter() override;

    /// Counts those of `sources` that are large and were written to since they were last counted, one after the other
    /// in a thread of lowest priority. What is not among them is neither counted any longer nor remembered.
    void follow(std::vector<Tensor> sources);
    const OddCounts& counts() const { return m_counts; }

Q_SIGNALS:
    void counted();

private:
    void startNext();
    void ended(QThread* thread);
    void letGo();

    std::vector<Tensor> m_sources;
    OddCounts m_counts;
    QTimer m_idle; ///< runs until the next storage is begun
    struct Work;
    std::shared_ptr<Work> m_work;    ///< under way; shared with its thread
    QThread* m_thread = nullptr;     ///< of m_work
    std::vector<QThread*> m_threads; ///< that one, and those that were told to stop
};

/// What the colour bars of the plan are of.
std::vector<Tensor> colouredStorages(const StagePlan& plan);

} // namespace stridescope
