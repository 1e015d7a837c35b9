#include "core/storage/shared_memory.h"

#include "core/storage/memory_budget.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

namespace stridescope {

namespace {

/// Closes on the way out unless released.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() {
        if (m_fd >= 0) close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_fd; }
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd;
};

[[noreturn]] void refuseSegment(std::size_t bytes, const char* step, int reason) {
    const auto wanted = static_cast<Index>(bytes);
    throwRefusal({ErrorKind::Memory, "SHM-01",
                  "no shared memory segment of " + formatBytes(wanted) + ": " + step + ": " + std::strerror(reason),
                  "Close tensors that are not needed.", BytesExceeded{wanted, availableMemory()}});
}

Refusal badSegment(const char* id, std::string message) {
    return {ErrorKind::Io, id, "shared memory segment: " + std::move(message), "", {}};
}

} // namespace

std::string SharedSegment::path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor);
}

struct SharedMemoryAllocator::Segments {
    std::mutex mutex;
    std::unordered_map<const void*, SharedSegment> byAddress;
};

SharedMemoryAllocator::SharedMemoryAllocator() : m_segments(std::make_unique<Segments>()) {}
SharedMemoryAllocator::~SharedMemoryAllocator() = default;

void* SharedMemoryAllocator::allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    Descriptor file(memfd_create("stridescope", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (file.get() < 0) refuseSegment(bytes, "memfd_create", errno);
    // Reserves the pages now: writing to a page that cannot be had would end the process.
    const int reserved = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
    if (reserved != 0) refuseSegment(bytes, "posix_fallocate", reserved);
    if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        refuseSegment(bytes, "fcntl", errno);
    }
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (data == MAP_FAILED) refuseSegment(bytes, "mmap", errno);
    try {
        const std::scoped_lock lock(m_segments->mutex);
        m_segments->byAddress.emplace(data, SharedSegment{file.get(), bytes});
    } catch (...) {
        munmap(data, bytes);
        throw;
    }
    file.release();
    return data;
}

void SharedMemoryAllocator::deallocate(void* data, std::size_t bytes) noexcept {
    if (!data) return;
    int descriptor = -1;
    {
        const std::scoped_lock lock(m_segments->mutex);
        const auto found = m_segments->byAddress.find(data);
        if (found == m_segments->byAddress.end()) return;
        descriptor = found->second.descriptor;
        m_segments->byAddress.erase(found);
    }
    munmap(data, bytes);
    close(descriptor);
}

std::optional<SharedSegment> SharedMemoryAllocator::segmentOf(const Storage& storage) const {
    const std::scoped_lock lock(m_segments->mutex);
    const auto found = m_segments->byAddress.find(storage.data());
    if (found == m_segments->byAddress.end()) return std::nullopt;
    return found->second;
}

SharedMemoryAllocator& sharedMemoryAllocator() {
    // Never destroyed: storages in static objects may be given back after it would be.
    static SharedMemoryAllocator* instance = new SharedMemoryAllocator;
    return *instance;
}

Result<StoragePtr> mapSharedSegment(int descriptor, std::size_t bytes, bool writable, std::uint64_t offset) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0) return badSegment("SHM-02", std::strerror(errno));
    const int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0) return badSegment("SHM-02", "the descriptor is not a memory file");
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size));
    if (offset > size || bytes > size - offset) {
        const std::string place = offset == 0 ? "" : " from byte " + std::to_string(offset) + " on";
        return badSegment("SHM-03", "needs " + std::to_string(bytes) + " B" + place + ", has " + std::to_string(size));
    }
    if ((seals & F_SEAL_SHRINK) == 0) return badSegment("SHM-04", "it could be shortened while it is in use");
    if (bytes == 0) return Storage::wrap(nullptr, 0, Device{}, {}, "shared memory", writable);
    // Mappings start at a page.
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::size_t before = offset % page, mapped = bytes + before;
    void* data = mmap(nullptr, mapped, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor,
                      static_cast<off_t>(offset - before));
    if (data == MAP_FAILED) return badSegment("SHM-02", std::strerror(errno));
    return Storage::wrap(
        static_cast<std::byte*>(data) + before, bytes, Device{}, [data, mapped] { munmap(data, mapped); },
        "shared memory", writable);
}

} // namespace stridescope
