#pragma once
// Kernels written for a grid of threads, as functions of the place in it, so that they compile for GPUs and for the
// CPU.
//
// Note [Grid kernels] A body is a plain value that is called for every thread of a launch: blocks of kThreads threads
// each. A plain body is called once with its Lane. A phased body has `phases(block)` steps, between which all threads
// of a block wait for one another; `Local` is what a thread keeps from step to step, `Shared` what a block shares. On a
// GPU the steps are separated by __syncthreads(); on the CPU (tests/support/host_grid.h) a step is done for all threads
// of a block before the next, in any order of the threads. So index arithmetic, launch shapes and the results
// themselves are tested without a GPU. Bodies use no warp functions and one atomic function, atomicLeast.
//
// What launches them is a Queue:
//   int multiprocessors() const; Index residentThreads() const;              what the device can have at a time
//   void launch(const char* name, Index blocks, const Body& body);
//   std::byte* allocate(std::size_t bytes); void release(std::byte* data, std::size_t bytes);   in the queue's order
//   void upload(void* there, const void* here, std::size_t bytes);           `here` may be changed at once
//   void download(void* here, const void* there, std::size_t bytes);         waits
//   void move(void* to, const void* from, std::size_t bytes);                within the device
//   void sortPairs(keys, sortedKeys, values, sortedValues, n, bits);         stable, by the lowest `bits` of the keys
// A default-constructed one is that of this thread's current stream.

#include "core/host_device.h"
#include "core/index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace stridescope::grid {

inline constexpr int kThreads = 256;
inline constexpr int kLogThreads = 8;

/// Where one thread stands.
struct Lane {
    Index block = 0, blocks = 1;
    int thread = 0;
    STRIDESCOPE_HD Index global() const { return block * kThreads + thread; }
    STRIDESCOPE_HD Index step() const { return blocks * kThreads; }
};

/// Numbers of blocks fit 31 bits; GPUs divide such by a few instructions.
STRIDESCOPE_HD Index blockQuotient(Index block, Index by) {
    return static_cast<Index>(static_cast<std::uint32_t>(block) / static_cast<std::uint32_t>(by));
}

template <class Body>
concept Phased = requires(const Body& body) {
    body.phases(Index{});
};

/// Enough blocks to fill the device, never more than there is work.
template <class Queue>
Index blocksFor(const Queue& queue, Index items) {
    return std::clamp<Index>((items + kThreads - 1) / kThreads, 1, static_cast<Index>(queue.multiprocessors()) * 16);
}

/// Device memory while a family's launches are queued.
template <class Queue>
class Room {
public:
    Room(Queue& queue, std::size_t bytes)
        : m_queue(queue), m_bytes(bytes), m_data(bytes ? queue.allocate(bytes) : nullptr) {}
    ~Room() {
        if (m_data) m_queue.release(m_data, m_bytes);
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    std::byte* data() const { return m_data; }
    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(m_data);
    }

private:
    Queue& m_queue;
    std::size_t m_bytes;
    std::byte* m_data;
};

/// The least of what many threads name.
STRIDESCOPE_HD void atomicLeast(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    ::atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
    if (value < *to) *to = value;
#endif
}

/// N elements that are loaded and stored at once.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
    T item[N];
};

/// An element of `Width` bytes that is moved, not looked at.
template <int Width>
using Raw = std::conditional_t<
    Width == 1, std::uint8_t,
    std::conditional_t<Width == 2, std::uint16_t,
                       std::conditional_t<Width == 4, std::uint32_t,
                                          std::conditional_t<Width == 8, std::uint64_t, Pack<std::uint64_t, 2>>>>>;

/// A pack in one access where it has 4, 8 or 16 bytes: compilers take small items apart otherwise.
template <class P>
STRIDESCOPE_HD P loadWhole(const P* from) {
    if constexpr (sizeof(P) == 4 || sizeof(P) == 8 || sizeof(P) == 16) {
        const auto whole = *reinterpret_cast<const Raw<sizeof(P)>*>(from);
        P pack;
        std::memcpy(static_cast<void*>(&pack), &whole, sizeof pack);
        return pack;
    } else {
        return *from;
    }
}
template <class P>
STRIDESCOPE_HD void storeWhole(P* to, const P& pack) {
    if constexpr (sizeof(P) == 4 || sizeof(P) == 8 || sizeof(P) == 16) {
        Raw<sizeof(P)> whole;
        std::memcpy(&whole, &pack, sizeof whole);
        *reinterpret_cast<Raw<sizeof(P)>*>(to) = whole;
    } else {
        *to = pack;
    }
}

/// Calls f(std::integral_constant<int, width>) for 1, 2, 4, 8 or 16.
template <class F>
void withWidth(Index width, F f) {
    switch (width) {
    case 1:
        return f(std::integral_constant<int, 1>{});
    case 2:
        return f(std::integral_constant<int, 2>{});
    case 4:
        return f(std::integral_constant<int, 4>{});
    case 8:
        return f(std::integral_constant<int, 8>{});
    default:
        return f(std::integral_constant<int, 16>{});
    }
}

} // namespace stridescope::grid
