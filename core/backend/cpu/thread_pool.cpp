#include "core/backend/cpu/thread_pool.h"

#include "core/job.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace stridescope {

namespace {

// Note [How the pool waits] A hand-off to a worker that still spins costs under half a microsecond, waking a sleeping
// one about 7. Spinning longer than that only takes the core away from whoever could use it, most of all on two cores.
constexpr std::chrono::microseconds kSpinTime{20};
/// Ranges per thread: enough to even out a core that is shared with others, few enough to cost nothing.
constexpr Index kRangesPerThread = 4;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Spins until `done()` or the spin time is over; true if done.
template <class Done>
bool spinUntil(Done&& done) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        for (int i = 0; i < 16; ++i) {
            if (done()) return true;
            pause();
        }
        if (std::chrono::steady_clock::now() - start > kSpinTime) return done();
    }
}

thread_local bool t_insideTask = false;

class Pool {
public:
    void run(Index begin, Index end, Index grain, detail::RangeTask task, int threads) {
        const std::unique_lock<std::mutex> turn(m_turn, std::try_to_lock);
        if (!turn.owns_lock()) { // another thread's job has the workers
            task.call(task.state, begin, end);
            return;
        }
        ensureWorkers(threads - 1);
        Job job;
        job.task = task;
        job.begin = begin;
        job.end = end;
        const Index items = end - begin;
        Index range = (items + threads * kRangesPerThread - 1) / (threads * kRangesPerThread);
        job.range = std::max(grain, (range + grain - 1) / grain * grain);
        const Index ranges = (items + job.range - 1) / job.range;
        job.helpersWanted = static_cast<int>(std::min<Index>(threads - 1, ranges - 1));

        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_job = &job;
            m_generation.fetch_add(1, std::memory_order_release);
        }
        m_wake.notify_all();
        work(job);
        // Nobody may join any more; those that did must leave before `job` goes.
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_job = nullptr;
        }
        if (!spinUntil([&] { return job.helpers.load(std::memory_order_acquire) == 0; })) {
            std::unique_lock<std::mutex> lock(m_mutex);
            m_done.wait(lock, [&] { return job.helpers.load(std::memory_order_acquire) == 0; });
        } else {
            // A helper counts itself out while it holds the mutex; passing through it means that it has let go of
            // `job`.
            const std::lock_guard<std::mutex> lock(m_mutex);
        }
        if (job.error) std::rethrow_exception(job.error);
    }

private:
    struct Job {
        detail::RangeTask task;
        Index begin = 0, end = 0, range = 1;
        int helpersWanted = 0;
        int helpersJoined = 0;       ///< guarded by m_mutex
        std::atomic<int> helpers{0}; ///< inside work() now
        std::atomic<Index> taken{0}; ///< items handed out
        std::atomic<bool> failed{false};
        std::mutex errorMutex;
        std::exception_ptr error;
    };

    static void work(Job& job) {
        t_insideTask = true;
        while (!job.failed.load(std::memory_order_relaxed)) {
            const Index first = job.begin + job.taken.fetch_add(job.range, std::memory_order_relaxed);
            if (first >= job.end) break;
            try {
                job.task.call(job.task.state, first, std::min(job.end, first + job.range));
            } catch (...) {
                const std::lock_guard<std::mutex> lock(job.errorMutex);
                if (!job.error) job.error = std::current_exception();
                job.failed.store(true, std::memory_order_relaxed);
            }
        }
        t_insideTask = false;
    }

    void ensureWorkers(int wanted) {
        while (static_cast<int>(m_workers) < wanted) {
            try {
                std::thread(&Pool::loop, this).detach();
            } catch (const std::system_error&) {
                return; // no more threads to be had: the work is done by those that there are
            }
            ++m_workers;
        }
    }

    void loop() {
        std::uint64_t seen = 0;
        for (;;) {
            spinUntil([&] { return m_generation.load(std::memory_order_acquire) != seen; });
            std::unique_lock<std::mutex> lock(m_mutex);
            m_wake.wait(lock, [&] { return m_generation.load(std::memory_order_relaxed) != seen; });
            seen = m_generation.load(std::memory_order_relaxed);
            Job* job = m_job;
            if (!job || job->helpersJoined >= job->helpersWanted) continue;
            ++job->helpersJoined;
            job->helpers.fetch_add(1, std::memory_order_relaxed);
            lock.unlock();
            work(*job);
            lock.lock();
            if (job->helpers.fetch_sub(1, std::memory_order_release) == 1) m_done.notify_one();
        }
    }

    std::mutex m_turn; ///< held for the length of one job
    std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    std::atomic<std::uint64_t> m_generation{0};
    Job* m_job = nullptr; ///< guarded by m_mutex
    int m_workers = 0;    ///< guarded by m_turn
};

// The pool is never destroyed: its workers sleep until the process ends. A child of fork() has none of them, so it
// drops the parent's pool, whose locks may be in any state, and makes its own at the first use.
std::atomic<Pool*> g_pool{nullptr};
std::mutex g_poolMutex;

void dropPoolInChild() {
    g_pool.store(nullptr, std::memory_order_relaxed);
    t_insideTask = false;
    g_poolMutex.unlock();
}

Pool& pool() {
    if (Pool* p = g_pool.load(std::memory_order_acquire)) return *p;
    static const bool registered = [] {
        pthread_atfork([] { g_poolMutex.lock(); }, [] { g_poolMutex.unlock(); }, dropPoolInChild);
        return true;
    }();
    static_cast<void>(registered);
    const std::lock_guard<std::mutex> lock(g_poolMutex);
    if (!g_pool.load(std::memory_order_relaxed)) g_pool.store(new Pool, std::memory_order_release);
    return *g_pool.load(std::memory_order_relaxed);
}

int defaultThreads() {
    if (const char* text = std::getenv("STRIDESCOPE_NUM_THREADS")) {
        const long value = std::strtol(text, nullptr, 10);
        if (value >= 1 && value <= 1024) return static_cast<int>(value);
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::atomic<int> g_threads{0};

} // namespace

int numThreads() {
    int count = g_threads.load(std::memory_order_relaxed);
    if (count == 0) {
        count = defaultThreads();
        g_threads.store(count, std::memory_order_relaxed);
    }
    return count;
}

void setNumThreads(int count) {
    g_threads.store(std::clamp(count, 1, 1024), std::memory_order_relaxed);
}

namespace {

/// Grains per thread between two looks at a job: a few milliseconds of work.
constexpr Index kGrainsPerLook = 64;

void runOnce(Index begin, Index end, Index grain, detail::RangeTask task, int threads) {
    if (threads == 1 || t_insideTask) {
        task.call(task.state, begin, end);
        return;
    }
    pool().run(begin, end, grain, task, threads);
}

/// In pieces, so that the work can be stopped between two of them and its share is known.
void runWatched(Index begin, Index end, Index grain, detail::RangeTask task, int threads, Job& job) {
    const Index items = end - begin;
    const Index piece = grain > items / kGrainsPerLook ? items : grain * kGrainsPerLook;
    for (Index first = begin, done = 0; done < items; first += piece, done += piece) {
        throwIfCancelled();
        job.setPermille(static_cast<int>(static_cast<double>(done) / static_cast<double>(items) * 1000));
        runOnce(first, first + std::min(piece, items - done), grain, task, threads);
    }
    job.setPermille(1000);
}

} // namespace

void detail::runRanges(Index begin, Index end, Index grain, RangeTask task) {
    const int threads = numThreads();
    if (Job* job = currentJob(); job && !t_insideTask)
        runWatched(begin, end, grain, task, threads, *job);
    else
        runOnce(begin, end, grain, task, threads);
}

} // namespace stridescope
