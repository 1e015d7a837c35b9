#pragma once
// One queue of a simulated device and the thread that works through it.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace stridescope::sim {

/// Tasks are done in order. All members may be called from any thread.
class Queue {
public:
    using Task = std::function<void()>;
    /// Number of a task, counted from 1. 0 stands for "before all".
    using Ticket = std::uint64_t;

    Queue();
    ~Queue() { end(); }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// Drops what is queued and waits for the task that runs.
    void end();
    Ticket submit(Task task);
    Ticket last() const;
    bool isDone(Ticket ticket) const;
    void waitFor(Ticket ticket) const;
    /// For tasks: sleeps until then, or until the queue ends.
    void sleep(std::chrono::nanoseconds time);

private:
    void work();

    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    std::deque<Task> m_tasks;
    Ticket m_given = 0, m_done = 0;
    bool m_ends = false;
    std::thread m_thread;
};

} // namespace stridescope::sim
