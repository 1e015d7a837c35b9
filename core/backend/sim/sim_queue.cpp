#include "core/backend/sim/sim_queue.h"

#include <csignal>
#include <utility>

namespace stridescope::sim {

Queue::Queue() {
    // Signals (Python's Ctrl+C) are for the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_thread = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Queue::end() {
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

Queue::Ticket Queue::submit(Task task) {
    Ticket ticket = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
        ticket = ++m_given;
    }
    m_changed.notify_all();
    return ticket;
}

Queue::Ticket Queue::last() const {
    const std::lock_guard lock(m_mutex);
    return m_given;
}

bool Queue::isDone(Ticket ticket) const {
    const std::lock_guard lock(m_mutex);
    return m_done >= ticket || m_ends;
}

void Queue::waitFor(Ticket ticket) const {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_done >= ticket || m_ends; });
}

void Queue::sleep(std::chrono::nanoseconds time) {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, time, [&] { return m_ends; });
}

void Queue::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return m_ends || !m_tasks.empty(); });
        if (m_ends) return;
        {
            const Task task = std::move(m_tasks.front());
            m_tasks.pop_front();
            lock.unlock();
            task();
        } // what the task held goes before anybody hears that it is done
        lock.lock();
        ++m_done;
        m_changed.notify_all();
    }
}

} // namespace stridescope::sim
