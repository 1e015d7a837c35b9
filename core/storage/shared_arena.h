#pragma once
// SharedArena: all CPU tensors of a process in one memory file, which another process can map and keep.

#include "core/storage/storage.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace stridescope {

/// One anonymous memory file that only grows; blocks are mapped out of it one by one. A process that got the descriptor
/// sees the same bytes without a copy, and keeps them when this one ends, however it ends; when both have closed it,
/// the memory is the system's again. The file is sealed against shrinking, so that a reader never meets SIGBUS, and a
/// block's pages are reserved when it is taken, so that a writer does not either.
///
/// Note [Offsets are not used again]
/// What is given back is punched out of the file: its memory is freed, its place stays empty. A reader that is late
/// thus sees zeros, never another tensor's bytes in a large block. Only blocks below kOwnPiece are used again: they are
/// cut from chunks, as a piece of their own would cost each of them system calls and a page.
class SharedArena {
public:
    static constexpr std::size_t kChunk = std::size_t{2} << 20, kOwnPiece = std::size_t{1} << 20;

    /// The arena of this process. Null where the system has no memory files.
    static SharedArena* instance();

    /// Page-aligned, zero when `fresh`; nullptr when the system has no such memory.
    void* take(std::size_t bytes, bool& fresh) noexcept;
    /// Precondition: `block` came from take(bytes).
    void give(void* block, std::size_t bytes) noexcept;
    bool contains(const void* data) const noexcept;
    /// Where in the file `data` lies; absent for memory that is not the arena's, or no longer shared (see below).
    std::optional<std::uint64_t> offsetOf(const void* data) const noexcept;
    /// A storage in the arena of this process, zeroed or not. @throws MemoryError (SHM-01).
    static StoragePtr allocate(std::size_t bytes);
    int descriptor() const { return m_descriptor; }

    // A child of fork() would write into its parent's tensors: there every block becomes a private copy, and new ones
    // are plain memory.

    SharedArena(const SharedArena&) = delete;
    SharedArena& operator=(const SharedArena&) = delete;

private:
    explicit SharedArena(int descriptor);
    void* map(std::size_t bytes) noexcept;
    void becomePrivate() noexcept;

    struct State;
    State* m_state; ///< never deleted, as the arena itself
    int m_descriptor;
};

} // namespace stridescope
