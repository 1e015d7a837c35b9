#pragma once
// Storages in shared memory: another process that gets the file descriptor sees the same bytes, without a copy, and
// keeps them alive when this process ends.

#include "core/result.h"
#include "core/storage/storage.h"

#include <memory>
#include <optional>

namespace stridescope {

/// A segment by which other processes can find it.
struct SharedSegment {
    int descriptor = -1;   ///< owned by the storage; send it over a local socket, a child inherits it with fork
    std::size_t bytes = 0; ///< as asked for; the segment itself is a whole number of pages
    /// "/proc/1234/fd/7": another process of the same user can open this while the storage lives here.
    std::string path() const;
};

/// Every storage is an anonymous memory file of its own, page-aligned, zeroed, its pages reserved (running out of
/// memory is a refusal here and never a signal later) and sealed against any change of size. Costs some system calls
/// and at least a page each: for storages that are shared, not for intermediate results.
class SharedMemoryAllocator final : public Allocator {
public:
    SharedMemoryAllocator();
    ~SharedMemoryAllocator() override;
    Device device() const override { return {}; }
    /// @throws MemoryError (SHM-01) with the bytes and the system's reason.
    void* allocate(std::size_t bytes) override;
    void* allocateZeroed(std::size_t bytes) override { return allocate(bytes); }
    void deallocate(void* data, std::size_t bytes) noexcept override;
    const char* kind() const override { return "shared memory"; }

    /// The segment of a storage that this allocator made; absent for all others and for 0 bytes.
    std::optional<SharedSegment> segmentOf(const Storage& storage) const;

private:
    struct Segments;
    std::unique_ptr<Segments> m_segments;
};

/// The one such allocator of the process.
SharedMemoryAllocator& sharedMemoryAllocator();

/// A storage on a segment that another process made, or on the part of it from byte `offset` on. `descriptor` stays the
/// caller's and may be closed afterwards.
/// Refused (SHM-02 … SHM-04, kind Io): not a memory file, shorter than `bytes`, or not sealed against shrinking, which
/// would let the other side crash this one.
Result<StoragePtr> mapSharedSegment(int descriptor, std::size_t bytes, bool writable = true, std::uint64_t offset = 0);

} // namespace stridescope
