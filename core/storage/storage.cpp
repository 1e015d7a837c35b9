#include "core/storage/storage.h"

#include "core/error.h"
#include "core/storage/memory_budget.h"

#include <algorithm>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STRIDESCOPE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STRIDESCOPE_SANITIZED 1
#endif
#endif
#ifndef STRIDESCOPE_SANITIZED
#define STRIDESCOPE_SANITIZED 0
#endif

namespace stridescope {

namespace {

std::atomic<std::uint64_t> g_nextId{1};

/// Each thread takes some ids at once: a locked addition costs as much as all else that a small storage needs.
std::uint64_t nextId() {
    constexpr std::uint64_t kAtOnce = 64;
    constinit thread_local std::uint64_t next = 0, end = 0;
    if (next == end) {
        next = g_nextId.fetch_add(kAtOnce, std::memory_order_relaxed);
        end = next + kAtOnce;
    }
    return next++;
}

/// Blocks of the size of a Storage that this thread gave back, linked through their first word.
struct KeptBlocks {
    void* first = nullptr;
    unsigned count = 0;
    unsigned most = 0;  ///< 0 until the thread's end is watched, and after it
    bool ended = false; ///< the blocks are given back already: destructors still run
};
constinit thread_local KeptBlocks t_kept;

struct ThreadEnd {
    ~ThreadEnd() {
        t_kept.ended = true;
        t_kept.most = 0;
        while (t_kept.first) ::operator delete(std::exchange(t_kept.first, *static_cast<void**>(t_kept.first)));
    }
};

/// May the thread keep one more? The first question lets its end be watched.
[[gnu::noinline]] bool mayKeepMore() {
    // A sanitizer sees what is used after its end, and what nobody gave back, in the C library's lists only.
    if (STRIDESCOPE_SANITIZED || t_kept.ended || t_kept.most != 0) return false;
    thread_local ThreadEnd end;
    static_cast<void>(end);
    t_kept.most = 64;
    return true;
}

} // namespace

void* Storage::operator new(std::size_t size) {
    if (!t_kept.first) return ::operator new(size);
    --t_kept.count;
    return std::exchange(t_kept.first, *static_cast<void**>(t_kept.first));
}

void Storage::operator delete(void* block) noexcept {
    if (t_kept.count >= t_kept.most && !mayKeepMore()) return ::operator delete(block);
    *static_cast<void**>(block) = std::exchange(t_kept.first, block);
    ++t_kept.count;
}

std::atomic<bool> Storage::s_anyShrunk{false};

void* Allocator::allocateZeroed(std::size_t bytes) {
    void* data = allocate(bytes);
    if (bytes != 0) std::memset(data, 0, bytes);
    return data;
}

Storage::Storage(Device device) : m_device(device), m_id(nextId()) {}

StoragePtr Storage::allocate(std::size_t bytes, Allocator& allocator, bool zeroed) {
    checkAllocation(bytes, allocator.device());
    StoragePtr storage(new Storage(allocator.device()));
    storage->m_allocator = &allocator;
    storage->m_data = static_cast<std::byte*>(zeroed ? allocator.allocateZeroed(bytes) : allocator.allocate(bytes));
    storage->m_bytes = storage->m_capacity = bytes;
    return storage;
}

StoragePtr Storage::wrap(void* data, std::size_t bytes, Device device, std::function<void()> release, std::string kind,
                         bool writable) {
    auto owner = std::make_unique<Owner>(Owner{std::move(release), std::move(kind)});
    StoragePtr storage(new Storage(device));
    storage->m_owner = std::move(owner);
    storage->m_data = static_cast<std::byte*>(data);
    storage->m_bytes = storage->m_capacity = bytes;
    storage->m_writable = writable;
    return storage;
}

void Storage::giveMemoryBack() noexcept {
    if (m_owner) {
        if (m_owner->release) m_owner->release();
    } else if (m_data) {
        m_allocator->deallocate(m_data, m_capacity);
    }
}

Storage::~Storage() {
    giveMemoryBack();
}

void Storage::requireResizable() const {
    if (m_allocator && m_device.isCpu() && m_lent.load(std::memory_order_relaxed) == 0) [[likely]]
        return;
    const bool lent = m_allocator && m_device.isCpu();
    throwRefusal({ErrorKind::Runtime,
                  "STORAGE-01",
                  "Trying to resize storage that is not resizable",
                  lent ? "NumPy or somebody else has the address of its memory; resize a clone()."
                       : "Its memory (" + kind() + ") is somebody else's; resize a clone().",
                  {}});
}

void Storage::reserve(std::size_t bytes) {
    if (bytes <= m_capacity && (!m_leavesBehind || bytes == m_bytes)) return;
    requireResizable();
    const std::size_t capacity = std::max(bytes, m_capacity);
    StoragePtr moved = allocate(capacity, *m_allocator, true);
    if (m_bytes != 0) std::memcpy(moved->m_data, m_data, m_bytes);
    // From here on nothing fails. `moved` becomes the owner of the old memory.
    std::swap(m_data, moved->m_data);
    std::swap(m_capacity, moved->m_capacity);
    std::swap(m_owner, moved->m_owner);
    moved->m_bytes = m_bytes;
    moved->m_writable = m_writable;
    m_writable = true;
    if (m_leavesBehind && !m_left) m_left = std::move(moved);
    m_leavesBehind = false;
}

void Storage::resize(std::size_t bytes) {
    requireResizable();
    if (bytes == m_bytes) return;
    const std::byte* const before = m_data;
    reserve(bytes);
    if (bytes < m_bytes) s_anyShrunk.store(true, std::memory_order_relaxed);
    // In memory that was there before a shrink may have left something.
    if (bytes > m_bytes && m_data == before) std::memset(m_data + m_bytes, 0, bytes - m_bytes);
    m_bytes = bytes;
    bumpVersion();
}

bool Storage::canExchangeBytes(const Storage& other) const {
    const auto moves = [](const Storage& s) {
        return !s.m_owner && !s.m_leavesBehind && s.m_lent.load(std::memory_order_relaxed) == 0;
    };
    return moves(*this) && moves(other) && m_allocator == other.m_allocator && other.m_capacity >= m_capacity;
}

void Storage::exchangeBytes(Storage& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    std::swap(m_capacity, other.m_capacity);
    bumpVersion();
}

} // namespace stridescope
