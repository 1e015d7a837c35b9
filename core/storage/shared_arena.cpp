#include "core/storage/shared_arena.h"

#include "core/storage/memory_budget.h"

#include <cerrno>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace stridescope {

namespace {

constexpr std::size_t kPage = 4096;

constexpr std::size_t wholePages(std::size_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
}

struct Piece {
    std::size_t bytes = 0;
    std::uint64_t offset = 0;
};

} // namespace

struct SharedArena::State {
    std::mutex mutex;
    std::map<std::uintptr_t, Piece> pieces; ///< by address: chunks and large blocks
    std::uint64_t end = 0;                  ///< of the file
    std::byte *chunk = nullptr, *chunkEnd = nullptr;
    std::map<std::size_t, std::vector<void*>> freed; ///< blocks cut from chunks, by size
    bool isPrivate = false;                          ///< after fork()

    const std::pair<const std::uintptr_t, Piece>* pieceOf(const void* data) const {
        const auto address = reinterpret_cast<std::uintptr_t>(data);
        const auto above = pieces.upper_bound(address);
        if (above == pieces.begin()) return nullptr;
        const auto& piece = *std::prev(above);
        return address - piece.first < piece.second.bytes ? &piece : nullptr;
    }
};

SharedArena* SharedArena::instance() {
    static SharedArena* arena = []() -> SharedArena* {
        const int descriptor = memfd_create("stridescope", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (descriptor < 0) return nullptr;
        if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
            close(descriptor);
            return nullptr;
        }
        return new SharedArena(descriptor);
    }();
    return arena;
}

SharedArena::SharedArena(int descriptor) : m_state(new State), m_descriptor(descriptor) {
    pthread_atfork([] { instance()->m_state->mutex.lock(); }, [] { instance()->m_state->mutex.unlock(); },
                   [] {
                       instance()->becomePrivate();
                       instance()->m_state->mutex.unlock();
                   });
}

void SharedArena::becomePrivate() noexcept {
    // Only system calls: the child of a process with threads may not allocate here.
    for (const auto& [address, piece] : m_state->pieces) {
        mmap(reinterpret_cast<void*>(address), piece.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
             m_descriptor, static_cast<off_t>(piece.offset));
    }
    m_state->isPrivate = true;
}

/// Precondition: the lock is held; `bytes` is a whole number of pages.
void* SharedArena::map(std::size_t bytes) noexcept {
    State& s = *m_state;
    if (s.isPrivate) {
        void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (data == MAP_FAILED) return nullptr;
        s.pieces[reinterpret_cast<std::uintptr_t>(data)] = {bytes, 0};
        return data;
    }
    // Reserving more than there is would not fail: the system would end a process to have it.
    if (static_cast<Index>(bytes) > availableMemory()) return nullptr;
    const std::uint64_t offset = s.end;
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_descriptor, static_cast<off_t>(offset));
    if (data == MAP_FAILED) return nullptr;
    int reserved = EINTR; // a signal, Ctrl+C say, stops it half-way
    while (reserved == EINTR) {
        reserved = posix_fallocate(m_descriptor, static_cast<off_t>(offset), static_cast<off_t>(bytes));
    }
    if (reserved != 0) {
        munmap(data, bytes);
        // What was reserved before the memory ran out.
        fallocate(m_descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                  static_cast<off_t>(bytes));
        return nullptr;
    }
    try {
        s.pieces[reinterpret_cast<std::uintptr_t>(data)] = {bytes, offset};
    } catch (...) {
        munmap(data, bytes);
        return nullptr;
    }
    s.end = offset + bytes;
    return data;
}

void* SharedArena::take(std::size_t bytes, bool& fresh) noexcept {
    State& s = *m_state;
    const std::scoped_lock lock(s.mutex);
    fresh = true;
    bytes = wholePages(bytes);
    if (bytes >= kOwnPiece) return map(bytes);
    if (const auto found = s.freed.find(bytes); found != s.freed.end() && !found->second.empty()) {
        fresh = false;
        void* block = found->second.back();
        found->second.pop_back();
        return block;
    }
    if (static_cast<std::size_t>(s.chunkEnd - s.chunk) < bytes) {
        auto* chunk = static_cast<std::byte*>(map(kChunk));
        if (!chunk) return nullptr;
        s.chunk = chunk; // what is left of the old one is less than a block: let it lie
        s.chunkEnd = chunk + kChunk;
    }
    void* block = s.chunk;
    s.chunk += bytes;
    return block;
}

void SharedArena::give(void* block, std::size_t bytes) noexcept {
    State& s = *m_state;
    const std::scoped_lock lock(s.mutex);
    bytes = wholePages(bytes);
    if (bytes < kOwnPiece) {
        try {
            s.freed[bytes].push_back(block);
        } catch (...) { // no memory for the list: the block is lost to this process
        }
        return;
    }
    const auto found = s.pieces.find(reinterpret_cast<std::uintptr_t>(block));
    if (found == s.pieces.end()) return;
    const Piece piece = found->second;
    s.pieces.erase(found);
    munmap(block, piece.bytes);
    if (s.isPrivate) return; // the file is the parent's
    fallocate(m_descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(piece.offset),
              static_cast<off_t>(piece.bytes));
}

StoragePtr SharedArena::allocate(std::size_t bytes) {
    bool fresh = false;
    SharedArena* arena = instance();
    void* data = arena && bytes != 0 ? arena->take(bytes, fresh) : nullptr;
    if (!data && bytes != 0) {
        const auto wanted = static_cast<Index>(bytes);
        throwRefusal({ErrorKind::Memory, "SHM-01", "no shared memory of " + formatBytes(wanted),
                      "Close tensors that are not needed.", BytesExceeded{wanted, availableMemory()}});
    }
    return Storage::wrap(
        data, bytes, Device{},
        [data, bytes] {
            if (data) instance()->give(data, bytes);
        },
        "shared memory");
}

bool SharedArena::contains(const void* data) const noexcept {
    const std::scoped_lock lock(m_state->mutex);
    return m_state->pieceOf(data) != nullptr;
}

std::optional<std::uint64_t> SharedArena::offsetOf(const void* data) const noexcept {
    const std::scoped_lock lock(m_state->mutex);
    const auto* piece = m_state->isPrivate ? nullptr : m_state->pieceOf(data);
    if (!piece) return std::nullopt;
    return piece->second.offset + (reinterpret_cast<std::uintptr_t>(data) - piece->first);
}

} // namespace stridescope
