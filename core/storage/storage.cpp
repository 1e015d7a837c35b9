#include "core/storage/storage.h"

#include "core/storage/memory_budget.h"

#include <cstring>

namespace stridescope {

namespace {

std::atomic<std::uint64_t> g_nextId{1};

} // namespace

void* Allocator::allocateZeroed(std::size_t bytes) {
    void* data = allocate(bytes);
    if (bytes != 0) std::memset(data, 0, bytes);
    return data;
}

StoragePtr Storage::allocate(std::size_t bytes, Allocator& allocator, bool zeroed) {
    checkAllocation(bytes, allocator.device());
    StoragePtr storage(new Storage);
    storage->m_id = g_nextId.fetch_add(1, std::memory_order_relaxed);
    storage->m_device = allocator.device();
    storage->m_kind = allocator.kind();
    storage->m_bytes = bytes;
    storage->m_data = static_cast<std::byte*>(zeroed ? allocator.allocateZeroed(bytes) : allocator.allocate(bytes));
    storage->m_allocator = &allocator; // set last: the destructor gives bytes back only when there are some
    return storage;
}

StoragePtr Storage::wrap(void* data, std::size_t bytes, Device device, std::function<void()> release, std::string kind,
                         bool writable) {
    StoragePtr storage(new Storage);
    storage->m_id = g_nextId.fetch_add(1, std::memory_order_relaxed);
    storage->m_device = device;
    storage->m_data = static_cast<std::byte*>(data);
    storage->m_bytes = bytes;
    storage->m_kind = std::move(kind);
    storage->m_writable = writable;
    storage->m_release = std::move(release);
    return storage;
}

Storage::~Storage() {
    if (m_allocator) m_allocator->deallocate(m_data, m_bytes);
    if (m_release) m_release();
}

} // namespace stridescope
