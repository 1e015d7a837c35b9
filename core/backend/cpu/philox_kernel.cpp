// Random numbers by Philox, for the simulated device: tensors of the CPU itself have PyTorch's Mersenne Twister.

#include "core/backend/cpu/philox_kernel.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/backend/grid/random.h"

namespace stridescope::cpu {

namespace {

/// As many threads as a small GPU can have at a time.
constexpr Index kResidentThreads = 2048;

/// Has the room that a map asks a queue for.
struct HostRoom {
    std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes)); }
    void release(std::byte* data, std::size_t) { ::operator delete(data); }
    void upload(void* there, const void* here, std::size_t bytes) { std::memcpy(there, here, bytes); }
};

template <class T>
void fill(const RandomArgs& args, const grid::RandomDeal& deal) {
    HostRoom room;
    const grid::Loops<1> loops = grid::loopsOf<1>(args.space);
    const grid::HeldMap held(room, loops);
    const grid::FillRandom<T> body = grid::fillRandom<T>(args, deal, loops.count(), held.map);
    const Index blocks = deal.threads * deal.calls / grid::kThreads;
    parallelFor(0, blocks, 64, [&](Index first, Index last) {
        for (Index block = first; block < last; ++block)
            for (int thread = 0; thread < grid::kThreads; ++thread) body(grid::Lane{block, blocks, thread});
    });
}

} // namespace

std::uint64_t philoxAdvance(const RandomArgs& args) {
    return grid::RandomDeal(args.space.numel(), args.dtype, kResidentThreads).advance();
}

std::uint64_t philoxKernel(const RandomArgs& args) {
    const grid::RandomDeal deal(args.space.numel(), args.dtype, kResidentThreads);
    if (args.dtype == DType::Float16)
        fill<Half>(args, deal);
    else if (args.dtype == DType::Float64)
        fill<double>(args, deal);
    else
        fill<float>(args, deal);
    return deal.advance();
}

} // namespace stridescope::cpu
