#include "core/storage/mapped_file.h"

#include "core/io/refusals.h"
#include "core/io/text.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stridescope {
namespace {

// Note [Truncated mappings]
// Touching a page of a mapping beyond the end of its file raises SIGBUS. Files do get shorter while they are looked at
// (a training run writes its result again), and that must not end the program. The handler looks the address up in a
// list of guards, puts zero pages where the file has no bytes any more, marks the guard as changed, and lets the
// instruction run again. It may run at any instruction of any thread, so it uses only system calls and lock-free
// atomics: the list is only ever prepended to, guards are reused and never freed, and the spin lock is safe because
// every signal is blocked while the handler runs and the handler itself touches no mapping. Addresses that no guard
// knows go to the handler that was there before.

struct Guard {
    std::atomic<std::uintptr_t> begin{0}; ///< 0: free for reuse
    std::atomic<std::uintptr_t> end{0};
    std::atomic<std::uintptr_t> zeroFrom{0}; ///< from here on the pages are zeros, not the file
    std::atomic<int> descriptor{-1};
    std::atomic<int> protection{0};
    std::atomic<bool> changed{false}, told{false};
    Guard* next = nullptr;
};

std::atomic<Guard*> g_guards{nullptr};
std::atomic_flag g_repairing = ATOMIC_FLAG_INIT;
struct sigaction g_previousAction;
std::uintptr_t g_pageSize = 4096;

/// Async-signal-safe. False when zeros could not be mapped.
bool repair(Guard& guard, std::uintptr_t address) {
    const std::uintptr_t page = address & ~(g_pageSize - 1);
    guard.changed.store(true, std::memory_order_relaxed);
    g_lostPages.fetch_add(1, std::memory_order_relaxed);
    while (g_repairing.test_and_set(std::memory_order_acquire)) {
    }
    bool repaired = true;
    if (page < guard.zeroFrom.load(std::memory_order_relaxed)) { // else another thread was here first
        const std::uintptr_t begin = guard.begin.load(std::memory_order_relaxed);
        std::uintptr_t from = page;
        std::uintptr_t to = page + g_pageSize;
        struct stat status;
        if (::fstat(guard.descriptor.load(std::memory_order_relaxed), &status) == 0) {
            const auto size = static_cast<std::uintptr_t>(status.st_size);
            const std::uintptr_t firstLost = begin + ((size + g_pageSize - 1) & ~(g_pageSize - 1));
            if (firstLost <= page) { // truncated: one mapping for the whole lost tail
                from = firstLost;
                to = guard.end.load(std::memory_order_relaxed);
            }
        }
        repaired = ::mmap(reinterpret_cast<void*>(from), to - from, guard.protection.load(std::memory_order_relaxed),
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
        if (repaired && to == guard.end.load(std::memory_order_relaxed)) {
            guard.zeroFrom.store(from, std::memory_order_relaxed);
        }
    }
    g_repairing.clear(std::memory_order_release);
    return repaired;
}

void passOn(int signal, siginfo_t* info, void* context) {
    if (g_previousAction.sa_flags & SA_SIGINFO) {
        g_previousAction.sa_sigaction(signal, info, context);
    } else if (g_previousAction.sa_handler == SIG_DFL || g_previousAction.sa_handler == SIG_IGN) {
        struct sigaction byDefault {};
        byDefault.sa_handler = SIG_DFL;
        ::sigaction(SIGBUS, &byDefault, nullptr);
        if (info->si_code <= 0) ::raise(SIGBUS); // sent by a process: nothing will fault again on return
    } else {
        g_previousAction.sa_handler(signal);
    }
}

void onBusError(int signal, siginfo_t* info, void* context) {
    const int savedErrno = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (info->si_code == BUS_ADRERR || info->si_code == BUS_OBJERR) {
        for (Guard* guard = g_guards.load(std::memory_order_acquire); guard; guard = guard->next) {
            const std::uintptr_t begin = guard->begin.load(std::memory_order_acquire);
            if (begin == 0 || address < begin || address >= guard->end.load(std::memory_order_relaxed)) continue;
            if (!repair(*guard, address)) break;
            errno = savedErrno;
            return;
        }
    }
    errno = savedErrno;
    passOn(signal, info, context);
}

void installHandler() {
    static std::once_flag once;
    std::call_once(once, [] {
        g_pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action {};
        action.sa_sigaction = &onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigfillset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &g_previousAction);
    });
}

std::mutex g_filesMutex; // guards the reuse of guards and the map below
std::map<const std::byte*, std::weak_ptr<MappedFile>>& openFiles() {
    static auto* files = new std::map<const std::byte*, std::weak_ptr<MappedFile>>; // storages may outlive statics
    return *files;
}

Guard* takeGuard() {
    for (Guard* guard = g_guards.load(std::memory_order_acquire); guard; guard = guard->next) {
        if (guard->begin.load(std::memory_order_relaxed) == 0 && guard->descriptor.load() == -1) return guard;
    }
    auto* guard = new Guard;
    guard->next = g_guards.load(std::memory_order_relaxed);
    g_guards.store(guard, std::memory_order_release);
    return guard;
}

std::string shown(const std::filesystem::path& path) {
    return sanitiseForDisplay(path.filename().string(), 60);
}

Refusal refuseByErrno(const std::filesystem::path& path, int error) {
    const std::string name = shown(path);
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        // Texts are UTF-8: whoever turned the name into one left U+FFFD for every byte that is not.
        if (path.native().find("\xEF\xBF\xBD") != std::string::npos)
            return io::refuse("IO-02", name + ": no such file; its name on disk may hold bytes that are not UTF-8",
                              "Rename the file so that its name is UTF-8, then open it.");
        return io::refuse("IO-02", name + ": no such file or folder",
                          "It may have been moved, renamed or deleted. Choose it again.");
    case EACCES:
    case EPERM:
        return io::refuse("IO-03", name + ": no permission to read it",
                          "Ask its owner, or copy it to a place where you may read it.");
    case ELOOP:
        return io::refuse("IO-04", name + ": symbolic links go round in a circle", "Open the file itself.");
    case ENXIO: // what opening a socket answers
        return io::refuse("IO-01", name + ": not a regular file but a socket or a device without a driver",
                          "Only regular files can be opened.");
    default:
        return io::refuse("IO-05", name + ": cannot be opened: " + std::strerror(error), "");
    }
}

const char* kindInWords(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe (FIFO)";
    if (S_ISSOCK(mode)) return "a socket";
    if (S_ISCHR(mode)) return "a character device";
    if (S_ISBLK(mode)) return "a block device";
    return "something else";
}

} // namespace

Result<int> openRegularFile(const std::filesystem::path& path) {
    const auto refuseKind = [&](mode_t mode) {
        return io::refuse("IO-01", shown(path) + ": not a regular file but " + kindInWords(mode),
                          "Only regular files can be opened.");
    };
    struct stat status;
    // Looked at before it is opened: opening a device can do things.
    if (::stat(path.c_str(), &status) != 0) return refuseByErrno(path, errno);
    if (!S_ISREG(status.st_mode)) return refuseKind(status.st_mode);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return refuseByErrno(path, errno);
    // And again: the name may mean something else by now.
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return refuseKind(status.st_mode);
    }
    return descriptor;
}

Result<std::shared_ptr<MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    installHandler();
    std::shared_ptr<MappedFile> file(new MappedFile); // first, so that whatever happens the descriptor has an owner
    file->m_path = path;
    Result<int> opened = openRegularFile(path);
    if (!opened) return opened.takeRefusal();
    file->m_descriptor = *opened;
    struct stat status;
    if (::fstat(file->m_descriptor, &status) != 0) return refuseByErrno(path, errno);
    file->m_device = status.st_dev;
    file->m_inode = status.st_ino;
    file->m_modified = status.st_mtim;
    file->m_bytes = static_cast<std::size_t>(status.st_size);
    if (file->m_bytes == 0) return file;

    // Without MAP_NORESERVE the kernel counts every page as if it were going to be copied, and refuses big files.
    constexpr int kFlags = MAP_PRIVATE | MAP_NORESERVE;
    int protection = PROT_READ | PROT_WRITE;
    void* address = ::mmap(nullptr, file->m_bytes, protection, kFlags, file->m_descriptor, 0);
    if (address == MAP_FAILED) {
        protection = PROT_READ;
        file->m_writable = false;
        address = ::mmap(nullptr, file->m_bytes, protection, kFlags, file->m_descriptor, 0);
    }
    if (address == MAP_FAILED) {
        const int error = errno;
        return io::refuseAmount(
            "IO-06", shown(path) + ": " + bytesText(file->m_bytes) + " cannot be mapped: " + std::strerror(error),
            "Close other large files, or copy this one to a local disk.", file->m_bytes, 0,
            error == ENOMEM ? ErrorKind::Memory : ErrorKind::Io);
    }
    file->m_data = static_cast<std::byte*>(address);
    // Pictures touch a few thousand places all over a big file. Reading ahead at each of them costs seconds and memory;
    // a scan of the whole file pays a fault a page instead, which is the lesser evil.
    constexpr std::size_t kBigFile = std::size_t{256} << 20;
    if (file->m_bytes > kBigFile) ::madvise(address, file->m_bytes, MADV_RANDOM);

    const std::lock_guard lock(g_filesMutex);
    Guard* guard = takeGuard();
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t end = begin + ((file->m_bytes + g_pageSize - 1) & ~(g_pageSize - 1));
    guard->changed.store(false);
    guard->told.store(false);
    guard->protection.store(protection);
    guard->descriptor.store(file->m_descriptor);
    guard->end.store(end);
    guard->zeroFrom.store(end);
    guard->begin.store(begin, std::memory_order_release);
    file->m_guard = guard;
    openFiles()[file->m_data] = file;
    return file;
}

MappedFile::~MappedFile() {
    if (m_data) {
        const std::lock_guard lock(g_filesMutex);
        if (m_guard) {
            auto* guard = static_cast<Guard*>(m_guard);
            guard->begin.store(0, std::memory_order_release);
            guard->descriptor.store(-1);
        }
        openFiles().erase(m_data);
        ::munmap(m_data, m_bytes);
    }
    if (m_descriptor >= 0) ::close(m_descriptor);
}

std::vector<std::string> takeTruncatedFiles() {
    std::vector<std::shared_ptr<MappedFile>> files; // outlives the lock, which the end of a file takes
    std::vector<std::string> names;
    const std::lock_guard lock(g_filesMutex);
    for (const auto& [data, weak] : openFiles()) {
        files.push_back(weak.lock());
        if (files.back() && files.back()->takeLoss()) names.push_back(shown(files.back()->path()));
    }
    return names;
}

bool MappedFile::takeLoss() {
    auto* guard = static_cast<Guard*>(m_guard);
    return guard != nullptr && guard->changed.load() && !guard->told.exchange(true);
}

StoragePtr MappedFile::storage(std::size_t offset, std::size_t count) {
    return Storage::wrap(
        m_data + offset, count, Device{}, [keep = shared_from_this()] {}, "mapped file", m_writable);
}

void MappedFile::readAhead(const std::byte* from, std::size_t count) const {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const std::uintptr_t page = address & ~(g_pageSize - 1);
    ::madvise(reinterpret_cast<void*>(page), count + (address - page), MADV_WILLNEED); // only a wish
}

FileState MappedFile::state() const {
    if (m_guard && static_cast<const Guard*>(m_guard)->changed.load(std::memory_order_relaxed))
        return FileState::Changed;
    struct stat status;
    if (::fstat(m_descriptor, &status) != 0 || static_cast<std::size_t>(status.st_size) != m_bytes ||
        status.st_mtim.tv_sec != m_modified.tv_sec || status.st_mtim.tv_nsec != m_modified.tv_nsec) {
        return FileState::Changed;
    }
    if (::stat(m_path.c_str(), &status) != 0) return FileState::Gone;
    return status.st_dev == m_device && status.st_ino == m_inode ? FileState::Same : FileState::Replaced;
}

std::shared_ptr<MappedFile> mappedFileOf(const Storage& storage) {
    std::shared_ptr<MappedFile> file; // outlives the lock: its destructor takes it
    {
        const std::lock_guard lock(g_filesMutex);
        auto& files = openFiles();
        auto next = files.upper_bound(storage.data());
        if (next == files.begin()) return nullptr;
        file = std::prev(next)->second.lock();
    }
    if (!file) return nullptr;
    const std::span<std::byte> bytes = file->bytes();
    return storage.data() + storage.bytes() <= bytes.data() + bytes.size() ? file : nullptr;
}

} // namespace stridescope
