#pragma once
// Storage: one flat run of bytes on one device, counted by reference, with an identity.

#include "core/device/device.h"
#include "core/index.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace stridescope {

class Storage;

/// Gives and takes back the bytes of storages. One object per kind of memory; lives as long as the program.
class Allocator {
public:
    virtual ~Allocator() = default;
    virtual Device device() const = 0;
    /// At least `bytes` bytes, aligned to 64; nullptr only for 0 bytes.
    /// @throws MemoryError with bytes wanted and free.
    virtual void* allocate(std::size_t bytes) = 0;
    /// As `allocate`, all bytes 0. This one writes the zeros from the CPU; memory that the CPU cannot write, or that
    /// comes zeroed from the system, needs its own.
    virtual void* allocateZeroed(std::size_t bytes);
    virtual void deallocate(void* data, std::size_t bytes) noexcept = 0;
    /// "heap", "mapped file", "shared memory", "cuda".
    virtual const char* kind() const = 0;
};

/// Counted pointer to a Storage: 8 bytes, one atomic add per copy.
class StoragePtr {
public:
    StoragePtr() noexcept = default;
    explicit StoragePtr(Storage* adopted) noexcept : m_storage(adopted) {}
    StoragePtr(const StoragePtr& other) noexcept;
    StoragePtr(StoragePtr&& other) noexcept : m_storage(std::exchange(other.m_storage, nullptr)) {}
    StoragePtr& operator=(StoragePtr other) noexcept {
        std::swap(m_storage, other.m_storage);
        return *this;
    }
    ~StoragePtr();

    Storage* get() const noexcept { return m_storage; }
    Storage* operator->() const noexcept { return m_storage; }
    Storage& operator*() const noexcept { return *m_storage; }
    explicit operator bool() const noexcept { return m_storage != nullptr; }
    friend bool operator==(const StoragePtr&, const StoragePtr&) = default;

private:
    Storage* m_storage = nullptr;
};

class Storage {
public:
    /// Bytes from `allocator`, not initialised unless `zeroed`.
    /// @throws MemoryError (MEM-01) before anything is allocated when `bytes` is over the limit of memory_budget.h.
    static StoragePtr allocate(std::size_t bytes, Allocator& allocator, bool zeroed = false);
    /// Wraps bytes that somebody else owns; `release` runs when the last reference goes.
    static StoragePtr wrap(void* data, std::size_t bytes, Device device, std::function<void()> release,
                           std::string kind, bool writable = true);

    /// Never repeated within a process; never 0.
    std::uint64_t id() const { return m_id; }
    Device device() const { return m_device; }
    std::size_t bytes() const { return m_bytes; }
    std::byte* data() { return m_data; }
    const std::byte* data() const { return m_data; }
    bool isWritable() const { return m_writable; }
    /// "heap", "mapped file", … for people.
    const std::string& kind() const { return m_kind; }
    std::uint32_t useCount() const { return m_references.load(std::memory_order_relaxed); }

    /// Grows with every write that the library makes; caches compare it.
    std::uint64_t version() const { return m_version.load(std::memory_order_relaxed); }
    void bumpVersion() {
        m_unwritten.store(false, std::memory_order_relaxed);
        m_version.fetch_add(1, std::memory_order_relaxed);
    }

    /// Nobody has written anything yet: the bytes are what the memory held before, and pictures show dots for them.
    /// Set by the operations that promise nothing about their values (`empty`), cleared by the first write.
    bool isUnwritten() const { return m_unwritten.load(std::memory_order_relaxed); }
    void markUnwritten() { m_unwritten.store(true, std::memory_order_relaxed); }

    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

private:
    friend class StoragePtr;
    Storage() = default;
    ~Storage();

    std::atomic<std::uint32_t> m_references{1};
    bool m_writable = true;
    std::atomic<bool> m_unwritten{false};
    Device m_device;
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
    std::uint64_t m_id = 0;
    std::atomic<std::uint64_t> m_version{0};
    Allocator* m_allocator = nullptr;
    std::function<void()> m_release;
    std::string m_kind;
};

inline StoragePtr::StoragePtr(const StoragePtr& other) noexcept : m_storage(other.m_storage) {
    if (m_storage) m_storage->m_references.fetch_add(1, std::memory_order_relaxed);
}
inline StoragePtr::~StoragePtr() {
    if (m_storage && m_storage->m_references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete m_storage;
}

} // namespace stridescope
