#pragma once
// The one thread pool of the program. Two pools that spin on the same cores fight each other.

#include "core/index.h"

#include <algorithm>
#include <type_traits>

namespace stridescope {

/// Below this many elements an operation runs on the calling thread: waking a worker costs more than it saves.
inline constexpr Index kParallelThreshold = Index{1} << 16;

/// Threads that parallelFor uses, the caller counted in. Starts as STRIDESCOPE_NUM_THREADS, else as the number of
/// processors that this process may run on.
int numThreads();
/// Precondition: 1 <= count <= 1024. Takes effect at the next parallelFor.
void setNumThreads(int count);

namespace detail {
/// Two pointers: a function and its state. Unlike std::function it never allocates.
struct RangeTask {
    void (*call)(void* state, Index begin, Index end) = nullptr;
    void* state = nullptr;
};
void runRanges(Index begin, Index end, Index grain, RangeTask task);
} // namespace detail

/// Calls `body(b, e)` for ranges that together cover [begin, end) once, on several threads when there are more than
/// `grain` items; each range but the last is a multiple of `grain` long. Returns when all are done.
/// - An exception of `body` is thrown again here, the first one if there are several; no new range starts after it.
/// - A call from inside `body`, or while another thread's call is under way, runs on its own thread alone.
/// - A thread with a Job looks at it every few milliseconds: cancelled, it throws JOB-01 and starts no new range.
/// - Idle workers spin for at most 20 microseconds, then sleep. In a child after fork() workers are started anew.
template <class Body>
void parallelFor(Index begin, Index end, Index grain, Body&& body) {
    if (begin >= end) return;
    if (end - begin <= grain) {
        body(begin, end);
        return;
    }
    using State = std::remove_reference_t<Body>;
    detail::runRanges(begin, end, grain,
                      {[](void* state, Index b, Index e) { (*static_cast<State*>(state))(b, e); },
                       const_cast<void*>(static_cast<const void*>(&body))});
}

} // namespace stridescope
