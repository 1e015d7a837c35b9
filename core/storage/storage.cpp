#include "core/storage/storage.h"

#include "core/error.h"
#include "core/storage/memory_budget.h"

#include <algorithm>
#include <cstring>

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

} // namespace

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
