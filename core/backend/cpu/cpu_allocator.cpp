#include "core/backend/cpu/cpu_allocator.h"

#include "core/spin_lock.h"
#include "core/storage/memory_budget.h"
#include "core/storage/scratch.h"
#include "core/storage/shared_arena.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define STRIDESCOPE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRIDESCOPE_ASAN 1
#endif
#endif
#ifdef STRIDESCOPE_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace stridescope {

namespace {

constexpr std::size_t kSmallLimit = std::size_t{32} << 10;
constexpr std::size_t kLargeLimit = std::size_t{1} << 20;
constexpr std::size_t kSlabBytes = std::size_t{256} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kAlignment = 64;

// Size classes: multiples of 64 up to 1 KiB, then eight per power of two (at most 12.5 % is wasted).
constexpr std::size_t kLinearLimit = 1024;
constexpr unsigned kLinearClasses = kLinearLimit / kAlignment;
constexpr unsigned kStepsLog2 = 3;
constexpr unsigned kClasses = kLinearClasses + ((63 - 10) << kStepsLog2);

constexpr unsigned classOf(std::size_t bytes) {
    if (bytes <= kLinearLimit) return static_cast<unsigned>((bytes - 1) / kAlignment);
    const auto exponent = static_cast<unsigned>(std::bit_width(bytes - 1) - 1); // 2^exponent < bytes <= 2^(exponent+1)
    const auto step = static_cast<unsigned>((bytes - 1) >> (exponent - kStepsLog2)) & ((1u << kStepsLog2) - 1u);
    return kLinearClasses + ((exponent - 10u) << kStepsLog2) + step;
}

constexpr std::size_t classBytes(unsigned c) {
    if (c < kLinearClasses) return (c + 1) * kAlignment;
    const unsigned above = c - kLinearClasses;
    const unsigned exponent = 10u + (above >> kStepsLog2);
    const std::size_t step = (above & ((1u << kStepsLog2) - 1u)) + 1u;
    return (std::size_t{1} << exponent) + (step << (exponent - kStepsLog2));
}
static_assert(classBytes(classOf(1)) == 64 && classBytes(classOf(1024)) == 1024 && classBytes(classOf(1025)) == 1152);
static_assert(classBytes(classOf(1152)) == 1152 && classBytes(classOf(1153)) == 1280 &&
              classBytes(classOf(40'000'000)) == 41943040);

/// A kept block; lies in the block itself. Large and medium ones are also in the list of all, oldest first.
struct FreeBlock {
    FreeBlock* next = nullptr;
    FreeBlock *older = nullptr, *newer = nullptr;
    unsigned sizeClass = 0;
};
static_assert(sizeof(FreeBlock) <= kAlignment);

using Guard = std::scoped_lock<SpinLock>;

/// A count that one thread writes and any thread reads.
class Count {
public:
    void add(std::uint64_t n) { m_value.store(m_value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
    void clear() { m_value.store(0, std::memory_order_relaxed); }
    std::uint64_t get() const { return m_value.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> m_value{0};
};

/// Blocks up to this class are kept per thread first, so that small results need no lock.
constexpr unsigned kThreadClasses = kLinearClasses + (2u << kStepsLog2); // up to 4 KiB
constexpr unsigned kThreadBlocks = 32;                                   ///< of each class

/// What one thread keeps, and its share of the counts. bytesInUse and bytesCached of one thread may wrap below 0; the
/// sums over all threads do not.
struct ThreadCache {
    std::array<FreeBlock*, kThreadClasses> free{};
    std::array<std::uint32_t, kThreadClasses> blocks{};
    Count allocations, deallocations, cacheHits, bytesInUse, bytesCached;
    ThreadCache* next = nullptr; ///< of all that ever were: a thread that ends leaves its counts behind
    bool taken = true;           ///< guarded by State::lock
};

/// One lock for everything: it is held for a few loads and stores, and system calls happen outside it.
struct State {
    SpinLock lock;
    std::array<FreeBlock*, kClasses> free{};
    FreeBlock *oldest = nullptr, *newest = nullptr; ///< medium and large
    std::byte *slab = nullptr, *slabEnd = nullptr;
    std::size_t cachedTrimmable = 0, cacheLimit = 0;
    ThreadCache* threads = nullptr;
    AllocatorStatistics statistics;
};

State& state() {
    static State* instance = [] {
        auto* s = new State;
        const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        const std::size_t memory = pages > 0 && page > 0
                                       ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                       : std::size_t{4} << 30;
        s->cacheLimit = std::min(memory / 8, std::size_t{4} << 30);
        // A child of fork() gets the lists whole: nobody is inside them at that moment.
        pthread_atfork([] { state().lock.lock(); }, [] { state().lock.unlock(); }, [] { state().lock.unlock(); });
        return s;
    }();
    return *instance;
}

void poison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t capacity) {
#ifdef STRIDESCOPE_ASAN
    __asan_poison_memory_region(static_cast<std::byte*>(data) + sizeof(FreeBlock), capacity - sizeof(FreeBlock));
#endif
}

/// Makes `bytes` usable; what lies behind them up to the size of the class stays out of bounds.
void unpoison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes, [[maybe_unused]] std::size_t capacity) {
#ifdef STRIDESCOPE_ASAN
    __asan_unpoison_memory_region(data, bytes);
    __asan_poison_memory_region(static_cast<std::byte*>(data) + bytes, capacity - bytes);
#endif
}

void* mapLarge(std::size_t capacity) noexcept {
    const std::size_t mapped = capacity + kHugePage;
    void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(raw);
    const std::uintptr_t aligned = (address + kHugePage - 1) & ~(std::uintptr_t{kHugePage} - 1);
    if (aligned != address) munmap(raw, aligned - address);
    const std::uintptr_t end = address + mapped;
    if (end != aligned + capacity) munmap(reinterpret_cast<void*>(aligned + capacity), end - aligned - capacity);
    auto* data = reinterpret_cast<void*>(aligned);
    madvise(data, capacity, MADV_HUGEPAGE); // only a wish
    return data;
}

/// Class sizes from 1 MiB up are multiples of 128 KiB, so of the page size as well.
constexpr bool isLarge(std::size_t capacity) {
    return capacity >= kLargeLimit;
}
constexpr bool isSmall(std::size_t capacity) {
    return capacity <= kSmallLimit;
}

/// Where fresh memory comes from; null: from the C library and the system.
std::atomic<SharedArena*> g_arena{nullptr};

/// `zeroed` is set when nobody has written to it.
void* takeFresh(std::size_t capacity, bool& zeroed) noexcept {
    const std::size_t bytes = isSmall(capacity) ? kSlabBytes : capacity;
    if (SharedArena* arena = g_arena.load(std::memory_order_relaxed)) return arena->take(bytes, zeroed);
    zeroed = isLarge(bytes);
    return zeroed ? mapLarge(bytes) : std::aligned_alloc(kAlignment, bytes);
}

void giveBack(void* block, std::size_t capacity) noexcept {
#ifdef STRIDESCOPE_ASAN
    __asan_unpoison_memory_region(block, capacity);
#endif
    SharedArena* arena = g_arena.load(std::memory_order_relaxed);
    if (arena && arena->contains(block))
        arena->give(block, capacity);
    else if (isLarge(capacity))
        munmap(block, capacity);
    else
        std::free(block);
}

void unlinkAge(State& s, FreeBlock* block) {
    (block->older ? block->older->newer : s.oldest) = block->newer;
    (block->newer ? block->newer->older : s.newest) = block->older;
}

/// Takes kept blocks off the lists, oldest first, until `keep` bytes are left. Returns them as a list by `next`.
FreeBlock* detachOldest(State& s, std::size_t keep) {
    FreeBlock* detached = nullptr;
    while (s.oldest && s.cachedTrimmable > keep) {
        FreeBlock* block = s.oldest;
        unlinkAge(s, block);
        FreeBlock** link = &s.free[block->sizeClass];
        while (*link != block) link = &(*link)->next;
        *link = block->next;
        const std::size_t capacity = classBytes(block->sizeClass);
        s.cachedTrimmable -= capacity;
        s.statistics.bytesCached -= capacity;
        ++s.statistics.systemCalls;
        block->next = detached;
        detached = block;
    }
    return detached;
}

void giveBackAll(FreeBlock* list) noexcept {
    while (list) {
        FreeBlock* next = list->next;
        giveBack(list, classBytes(list->sizeClass));
        list = next;
    }
}

constinit thread_local ThreadCache* t_cache = nullptr;
constinit thread_local bool t_ended = false; ///< the thread's cache is given back already: destructors still run

/// Gives the blocks of a thread that ends to all others.
struct ThreadEnd {
    ~ThreadEnd() {
        State& s = state();
        ThreadCache* cache = t_cache;
        t_cache = nullptr;
        t_ended = true;
        if (!cache) return;
        const Guard guard(s.lock);
        for (unsigned c = 0; c < kThreadClasses; ++c) {
            while (FreeBlock* block = cache->free[c]) {
                cache->free[c] = block->next;
                block->next = s.free[c];
                s.free[c] = block;
            }
            cache->blocks[c] = 0;
        }
        cache->taken = false;
    }
};

[[gnu::noinline]] ThreadCache* makeThreadCache() {
    if (t_ended) return nullptr;
    thread_local ThreadEnd end;
    static_cast<void>(end);
    State& s = state();
    {
        const Guard guard(s.lock);
        for (ThreadCache* c = s.threads; c && !t_cache; c = c->next) {
            if (c->taken) continue;
            c->taken = true;
            t_cache = c;
        }
    }
    if (t_cache) return t_cache;
    auto* fresh = new (std::nothrow) ThreadCache;
    if (!fresh) return nullptr;
    const Guard guard(s.lock);
    fresh->next = s.threads;
    s.threads = fresh;
    return t_cache = fresh;
}

ThreadCache* threadCache() {
    return t_cache ? t_cache : makeThreadCache();
}

} // namespace

CpuAllocator::CpuAllocator() {
    state();
}

CpuAllocator& cpuAllocator() {
    static CpuAllocator* instance = new CpuAllocator; // never destroyed: storages may outlive main()
    return *instance;
}

std::size_t CpuAllocator::capacityFor(std::size_t bytes) {
    return bytes == 0 ? 0 : classBytes(classOf(bytes));
}

void* CpuAllocator::take(std::size_t bytes, bool& zeroed) {
    zeroed = false;
    if (bytes == 0) return nullptr;
    if (bytes <= classBytes(kThreadClasses - 1)) {
        const unsigned c = classOf(bytes);
        ThreadCache* cache = threadCache();
        if (cache && cache->free[c]) {
            FreeBlock* block = cache->free[c];
            cache->free[c] = block->next;
            --cache->blocks[c];
            const std::size_t capacity = classBytes(c);
            cache->allocations.add(1);
            cache->cacheHits.add(1);
            cache->bytesInUse.add(capacity);
            cache->bytesCached.add(0 - capacity);
            unpoison(block, bytes, capacity);
            return block;
        }
    }
    State& s = state();
    const bool tooLarge = bytes > std::size_t{1} << 62;
    const unsigned c = tooLarge ? kClasses - 1 : classOf(bytes);
    const std::size_t capacity = classBytes(c);
    for (int attempt = 0; attempt < 2 && !tooLarge; ++attempt) {
        {
            const Guard guard(s.lock);
            if (FreeBlock* block = s.free[c]) {
                s.free[c] = block->next;
                if (!isSmall(capacity)) {
                    unlinkAge(s, block);
                    s.cachedTrimmable -= capacity;
                }
                ++s.statistics.allocations;
                ++s.statistics.cacheHits;
                s.statistics.bytesCached -= capacity;
                s.statistics.bytesInUse += capacity;
                unpoison(block, bytes, capacity);
                return block;
            }
            if (isSmall(capacity) && static_cast<std::size_t>(s.slabEnd - s.slab) >= capacity) {
                std::byte* block = s.slab;
                s.slab += capacity;
                ++s.statistics.allocations;
                s.statistics.bytesInUse += capacity;
                unpoison(block, bytes, capacity);
                return block;
            }
        }
        if (void* fresh = takeFresh(capacity, zeroed)) {
            const Guard guard(s.lock);
            s.statistics.systemCalls += isLarge(capacity) ? 2 : 1;
            if (isSmall(capacity)) { // what is left of the old slab is less than one block of this class: let it lie
                s.slab = static_cast<std::byte*>(fresh) + capacity;
                s.slabEnd = static_cast<std::byte*>(fresh) + kSlabBytes;
            }
            ++s.statistics.allocations;
            s.statistics.bytesInUse += capacity;
            zeroed = zeroed && isLarge(capacity);
            unpoison(fresh, bytes, capacity);
            return fresh;
        }
        trim(0); // kept blocks of other sizes may be what is missing
    }
    throwOutOfMemory(bytes);
}

void* CpuAllocator::allocate(std::size_t bytes) {
    bool zeroed = false;
    return take(bytes, zeroed);
}

void* CpuAllocator::allocateZeroed(std::size_t bytes) {
    bool zeroed = false;
    void* data = take(bytes, zeroed);
    if (!zeroed && bytes != 0) std::memset(data, 0, bytes);
    return data;
}

void CpuAllocator::deallocate(void* data, std::size_t bytes) noexcept {
    if (!data || bytes == 0) return;
    const unsigned c = classOf(bytes);
    const std::size_t capacity = classBytes(c);
#ifdef STRIDESCOPE_ASAN
    __asan_unpoison_memory_region(data, sizeof(FreeBlock));
#endif
    if (c < kThreadClasses) {
        ThreadCache* cache = threadCache();
        if (cache && cache->blocks[c] < kThreadBlocks) {
            auto* block = new (data) FreeBlock;
            block->sizeClass = c;
            block->next = cache->free[c];
            cache->free[c] = block;
            ++cache->blocks[c];
            cache->deallocations.add(1);
            cache->bytesInUse.add(0 - capacity);
            cache->bytesCached.add(capacity);
            poison(data, capacity);
            return;
        }
    }
    State& s = state();
    FreeBlock* surplus = nullptr;
    {
        const Guard guard(s.lock);
        auto* block = new (data) FreeBlock;
        block->sizeClass = c;
        block->next = s.free[c];
        s.free[c] = block;
        ++s.statistics.deallocations;
        s.statistics.bytesInUse -= capacity;
        s.statistics.bytesCached += capacity;
        if (!isSmall(capacity)) {
            block->older = s.newest;
            (s.newest ? s.newest->newer : s.oldest) = block;
            s.newest = block;
            s.cachedTrimmable += capacity;
            if (s.cachedTrimmable > s.cacheLimit) surplus = detachOldest(s, s.cacheLimit);
        }
        poison(data, capacity);
    }
    giveBackAll(surplus);
}

void CpuAllocator::trim(std::size_t keep) noexcept {
    State& s = state();
    FreeBlock* surplus = nullptr;
    {
        const Guard guard(s.lock);
        surplus = detachOldest(s, keep);
    }
    giveBackAll(surplus);
}

void CpuAllocator::useArena(SharedArena& arena) noexcept {
    trim(0);
    State& s = state();
    const Guard guard(s.lock);
    g_arena.store(&arena, std::memory_order_relaxed);
    s.slab = s.slabEnd = nullptr; // the rest of the old one is lost, at most 256 KiB
    s.free.fill(nullptr);         // and so are kept small blocks of this thread and of none
    if (t_cache) {
        t_cache->free.fill(nullptr);
        t_cache->blocks.fill(0);
    }
}

std::size_t CpuAllocator::cacheLimit() const {
    State& s = state();
    const Guard guard(s.lock);
    return s.cacheLimit;
}

void CpuAllocator::setCacheLimit(std::size_t bytes) noexcept {
    State& s = state();
    {
        const Guard guard(s.lock);
        s.cacheLimit = bytes;
    }
    trim(bytes);
}

AllocatorStatistics CpuAllocator::statistics() const {
    State& s = state();
    const Guard guard(s.lock);
    AllocatorStatistics sum = s.statistics;
    for (const ThreadCache* t = s.threads; t; t = t->next) {
        sum.allocations += t->allocations.get();
        sum.deallocations += t->deallocations.get();
        sum.cacheHits += t->cacheHits.get();
        sum.bytesInUse += t->bytesInUse.get();
        sum.bytesCached += t->bytesCached.get();
    }
    return sum;
}

void CpuAllocator::resetCounters() noexcept {
    State& s = state();
    const Guard guard(s.lock);
    s.statistics.allocations = s.statistics.deallocations = s.statistics.cacheHits = s.statistics.systemCalls = 0;
    for (ThreadCache* t = s.threads; t; t = t->next) {
        t->allocations.clear();
        t->deallocations.clear();
        t->cacheHits.clear();
    }
}

} // namespace stridescope
