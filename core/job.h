#pragma once
// Job: a long piece of work that somebody else can watch and stop.

#include <atomic>

namespace stridescope {

/// Shared by the thread that works and the one that waits. The kernels ask the job of their calling thread between
/// ranges of a few milliseconds; without a job they ask nothing.
class Job {
public:
    /// Asks the work to stop. It ends with JOB-01 at its next range, unless it is in a JobShield.
    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
    /// Takes that back: what stopped was told, and other work goes on.
    void resume() { m_cancelled.store(false, std::memory_order_relaxed); }
    bool isCancelled() const { return m_cancelled.load(std::memory_order_relaxed); }
    /// How far the operation under way is, in thousandths; -1 before the first range of the first one.
    int permille() const { return m_permille.load(std::memory_order_relaxed); }
    void setPermille(int permille) { m_permille.store(permille, std::memory_order_relaxed); }

private:
    std::atomic<bool> m_cancelled{false};
    std::atomic<int> m_permille{-1};
};

/// The job that this thread works for; null for none.
Job* currentJob();
/// @throws Error JOB-01 when this thread's job was cancelled and no JobShield lives.
void throwIfCancelled();

/// While it lives, this thread works for `job`, which outlives it.
class JobScope {
public:
    explicit JobScope(Job& job);
    ~JobScope();
    JobScope(const JobScope&) = delete;
    JobScope& operator=(const JobScope&) = delete;

private:
    Job* m_outer;
};

/// While it lives, a cancelled job goes on: for what must not stop half-way.
class JobShield {
public:
    JobShield();
    ~JobShield();
    JobShield(const JobShield&) = delete;
    JobShield& operator=(const JobShield&) = delete;
};

} // namespace stridescope
