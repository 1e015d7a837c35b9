#pragma once
// Storage: one flat run of bytes on one device, counted by reference, with an identity.

#include "core/device/device.h"
#include "core/index.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define STRIDESCOPE_KNOWS_THREADS 1
#endif

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

/// Counted pointer to a Storage: 8 bytes, one addition per copy.
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

// Note [Storages that change their size]
// A storage can grow and shrink under the tensors over it, as in PyTorch; its address may be another one afterwards.
// What shrinks keeps its memory: a view that reaches beyond bytes() then names memory that still belongs to the
// storage, and whoever takes lines from a user refuses it (requireInside, core/tensor/tensor.h). Resizing is for one
// thread that nobody reads beside: the interpreter's. Memory whose address somebody holds outside the library stays
// where it is (lend), and another process that maps it keeps what it maps (leaveBehind).
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
    std::string kind() const { return m_owner ? m_owner->kind : m_allocator->kind(); }
    std::uint32_t useCount() const { return m_references.load(std::memory_order_relaxed); }

    /// Makes it `bytes` long, what is new being zeros. See Note [Storages that change their size].
    /// @throws what requireResizable throws, and MemoryError; nothing has changed then.
    void resize(std::size_t bytes);
    /// Takes the memory for resize(bytes) now, so that it cannot fail later.
    void reserve(std::size_t bytes);
    /// Takes over the bytes of `other`, which gets those of this one; for results that nobody else has.
    /// Precondition: canExchangeBytes.
    void exchangeBytes(Storage& other) noexcept;
    /// Is their memory of one kind, may it move, and has `other` no less of it?
    bool canExchangeBytes(const Storage& other) const;
    /// @throws RuntimeError (STORAGE-01): memory of somebody else's, or lent to somebody.
    void requireResizable() const;
    /// From now on memory that somebody else owns may be left for memory of `allocator` by resize().
    void allowResize(Allocator& allocator) { m_allocator = &allocator; }
    /// Somebody outside the library has the address until giveBack().
    void lend() { m_lent.fetch_add(1, std::memory_order_relaxed); }
    void giveBack() { m_lent.fetch_sub(1, std::memory_order_relaxed); }
    /// Another process has mapped the memory: when it moves next, what is there stays as it is, as a storage of its
    /// own.
    void leaveBehind() { m_leavesBehind = true; }
    /// That storage, once; null when the memory has not moved.
    StoragePtr takeLeft() { return std::move(m_left); }
    /// Has any storage of the process ever shrunk? Until then every view is inside its storage.
    static bool anyShrunk() { return s_anyShrunk.load(std::memory_order_relaxed); }

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

    /// Each thread keeps some blocks of those that it gave back: the C library's lists cost more than the rest of a
    /// small result.
    static void* operator new(std::size_t size);
    static void operator delete(void* block) noexcept;

private:
    friend class StoragePtr;
    /// Of memory that somebody else owns.
    struct Owner {
        std::function<void()> release;
        std::string kind;
    };

    explicit Storage(Device device);
    ~Storage();
    void keep() noexcept;
    bool letGo() noexcept; ///< true when nobody is left
    /// Has the process never had a second thread? The two locked additions are most of what a view costs.
    static bool isAlone() noexcept {
#ifdef STRIDESCOPE_KNOWS_THREADS
        return __libc_single_threaded != 0;
#else
        return false;
#endif
    }
    void giveMemoryBack() noexcept;

    std::atomic<std::uint32_t> m_references{1};
    bool m_writable = true;
    bool m_leavesBehind = false;
    std::atomic<bool> m_unwritten{false};
    Device m_device;
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
    std::size_t m_capacity = 0; ///< bytes that the allocator was asked for, or that the owner has
    std::uint64_t m_id;
    std::atomic<std::uint64_t> m_version{0};
    Allocator* m_allocator = nullptr; ///< of the memory; with an owner: where resize() takes memory, if anywhere
    std::unique_ptr<Owner> m_owner;
    StoragePtr m_left;
    std::atomic<std::uint32_t> m_lent{0};
    static std::atomic<bool> s_anyShrunk;
};

inline void Storage::keep() noexcept {
    if (isAlone())
        m_references.store(m_references.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else
        m_references.fetch_add(1, std::memory_order_relaxed);
}
inline bool Storage::letGo() noexcept {
    if (!isAlone()) return m_references.fetch_sub(1, std::memory_order_acq_rel) == 1;
    const std::uint32_t left = m_references.load(std::memory_order_relaxed) - 1;
    m_references.store(left, std::memory_order_relaxed);
    return left == 0;
}

inline StoragePtr::StoragePtr(const StoragePtr& other) noexcept : m_storage(other.m_storage) {
    if (m_storage) m_storage->keep();
}
inline StoragePtr::~StoragePtr() {
    if (m_storage && m_storage->letGo()) delete m_storage;
}

} // namespace stridescope
