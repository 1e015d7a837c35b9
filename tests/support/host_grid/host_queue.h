#pragma once
// HostQueue: the grid kernels (core/backend/grid/grid.h) on the CPU, thread by thread, with what a GPU would punish.
//
// New memory holds rubbish, so that what was never written shows; before and behind each piece lies a mark that nobody
// may change; and blocks and threads can run backwards, so that whoever relies on their order gives other bits.

#include "core/backend/grid/grid.h"
#include "core/backend/linalg_args.h"
#include "core/backend/product_args.h"

#include <atomic>
#include <cstring>
#include <vector>

namespace stridescope::test {

/// How launches are carried out, for all threads of the program.
struct HostGrid {
    static inline std::atomic<int> multiprocessors{4}; ///< more of them: more and shorter slices
    static inline std::atomic<bool> backwards{false};
    static inline std::atomic<Index> launches{0};
    static inline std::atomic<Index> overruns{0}; ///< pieces of memory whose mark was changed
    static inline std::atomic<Index> alive{0};    ///< pieces that were not given back
};

class HostQueue {
public:
    int multiprocessors() const { return HostGrid::multiprocessors; }
    Index residentThreads() const { return 2048; } ///< as the CPU's own kernel has it

    template <class Body>
    void launch(const char*, Index blocks, const Body& body) {
        static_assert(std::is_trivially_copyable_v<Body>, "arguments of a launch are bytes");
        static_assert(sizeof(Body) <= 4096, "arguments of a launch are at most 4 KB");
        ++HostGrid::launches;
        const bool backwards = HostGrid::backwards;
        for (Index b = 0; b < blocks; ++b) runBlock(backwards ? blocks - 1 - b : b, blocks, body, backwards);
    }

    std::byte* allocate(std::size_t bytes) {
        auto* const data = static_cast<std::byte*>(::operator new (bytes + 2 * kMark, std::align_val_t{256}));
        std::memset(data, 0xa5, bytes + 2 * kMark);
        ++HostGrid::alive;
        return data + kMark;
    }
    void release(std::byte* data, std::size_t bytes) {
        std::byte* const start = data - kMark;
        bool whole = true;
        for (std::size_t i = 0; i < kMark; ++i)
            whole &= start[i] == std::byte{0xa5} && data[bytes + i] == std::byte{0xa5};
        if (!whole) ++HostGrid::overruns;
        --HostGrid::alive;
        ::operator delete (start, std::align_val_t{256});
    }
    void upload(void* there, const void* here, std::size_t bytes) { move(there, here, bytes); }
    void download(void* here, const void* there, std::size_t bytes) { move(here, there, bytes); }
    void move(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) std::memmove(to, from, bytes);
    }
    void sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const Index* values, Index* sortedValues,
                   Index n, int bits);
    void floatProducts(const ProductArgs& args);
    static constexpr bool hasLinalg(LinalgRoutine) { return true; }
    void linalg(const LinalgArgs& args);
    void fourierRows(const FourierArgs& args);

private:
    static constexpr std::size_t kMark = 256;

    template <class Body>
    static void runBlock(Index block, Index blocks, const Body& body, bool backwards) {
        const auto laneOf = [&](int t) { return grid::Lane{block, blocks, backwards ? grid::kThreads - 1 - t : t}; };
        if constexpr (grid::Phased<Body>) {
            alignas(16) std::byte room[sizeof(typename Body::Shared)];
            std::memset(room, 0xa5, sizeof room);
            auto& shared = *reinterpret_cast<typename Body::Shared*>(room);
            std::vector<typename Body::Local> locals(grid::kThreads);
            const int phases = body.phases(block);
            for (int phase = 0; phase < phases; ++phase)
                for (int t = 0; t < grid::kThreads; ++t) {
                    const grid::Lane lane = laneOf(t);
                    body(phase, lane, locals[static_cast<std::size_t>(lane.thread)], shared);
                }
        } else {
            for (int t = 0; t < grid::kThreads; ++t) body(laneOf(t));
        }
    }
};

/// The table of the grid kernels on HostQueue.
const KernelTable& hostGridKernels();

} // namespace stridescope::test
