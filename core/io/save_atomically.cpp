#include "core/io/save_atomically.h"

#include "core/io/file_calls.h"
#include "core/io/heap_bytes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace stridescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 20;

std::string shown(const fs::path& path) {
    return sanitiseForDisplay(path.filename().string(), 50);
}

std::string freeSpaceWords(std::uint64_t needed, std::optional<std::uint64_t> free) {
    return "needs " + bytesText(needed) + ", free " + (free ? bytesText(*free) : std::string("unknown"));
}

/// Nothing for folders that hold no files of ours, such as /proc: their "0 bytes" do not mean a full disk.
std::optional<std::uint64_t> freeSpace(const fs::path& folder) {
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    if (error || space.capacity == 0) return std::nullopt;
    return space.available;
}

/// A new file beside the target. Removed again unless `keep()` was called.
class NewFile {
public:
    NewFile(fs::path folder, std::uint64_t expected) : m_folder(std::move(folder)), m_expected(expected) {}
    ~NewFile() {
        if (m_descriptor >= 0) ::close(m_descriptor);
        if (!m_path.empty()) ::unlink(m_path.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    std::optional<Refusal> create(const fs::path& target, const struct stat* old) {
        // Made with the permissions that any new file gets here, unless there is an old one to follow.
        static std::atomic<unsigned> s_counter{0};
        for (int attempt = 0; attempt < 100 && m_descriptor < 0; ++attempt) {
            const std::string name =
                ".stridescope-" + std::to_string(::getpid()) + "-" + std::to_string(++s_counter) + ".part";
            m_path = m_folder / name;
            m_descriptor = io::calls::create(m_path.c_str(), old ? 0600 : 0666);
            if (m_descriptor < 0 && errno != EEXIST) break;
        }
        if (m_descriptor < 0) {
            const int error = errno;
            m_path.clear();
            return refuseToCreate(target, error);
        }
        if (old) {
            // Only root can give a file away; for everybody else the owner stays who saves.
            if (::fchown(m_descriptor, old->st_uid, old->st_gid) != 0) errno = 0;
            ::fchmod(m_descriptor, old->st_mode & 07777);
        }
        return std::nullopt;
    }

    std::optional<Refusal> write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const std::size_t count = std::min(bytes.size(), kBlock);
            const ssize_t done = io::calls::write(m_descriptor, bytes.data(), count);
            if (done < 0 && errno == EINTR) continue;
            if (done <= 0) return refuseWrite(done < 0 ? errno : ENOSPC);
            // A short count is not an error by itself: the next call says what is wrong, or goes on.
            m_fingerprint.add(bytes.first(static_cast<std::size_t>(done)));
            m_written += static_cast<std::uint64_t>(done);
            bytes = bytes.subspan(static_cast<std::size_t>(done));
        }
        return std::nullopt;
    }

    std::optional<Refusal> finish() {
        if (io::calls::fsync(m_descriptor) != 0) return refuseSync(errno);
        // Ask the kernel to forget the pages, so that reading back reads what the disk has.
        ::posix_fadvise(m_descriptor, 0, 0, POSIX_FADV_DONTNEED);
        const int descriptor = std::exchange(m_descriptor, -1);
        if (io::calls::close(descriptor) != 0) return refuseSync(errno);
        return std::nullopt;
    }

    std::optional<Refusal> verify(const ProgressFn& progress) {
        const auto differs = [&](std::uint64_t length) {
            return io::refuseAmount("IO-14",
                                    "Saving failed: read back " + bytesText(length) + " of " + bytesText(m_written) +
                                        (length == m_written ? ", with other content" : ""),
                                    "The old file is unchanged. The disk may be damaged: save somewhere else.",
                                    m_written, length);
        };
        const int descriptor = io::calls::openForReading(m_path.c_str());
        if (descriptor < 0) return differs(0);
        const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* d) { ::close(*d); });
        Fingerprint fingerprint;
        std::uint64_t length = 0;
        std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, m_written + 1)));
        for (;;) {
            const ssize_t got = io::calls::read(descriptor, block.data(), block.size());
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return differs(length);
            if (got == 0) break;
            fingerprint.add(std::span(block).first(static_cast<std::size_t>(got)));
            length += static_cast<std::uint64_t>(got);
            if (length > m_written) return differs(length);
            if (progress && !progress(m_written + length, 2 * m_written)) {
                return io::refuse("IO-08", "Saving was cancelled", "The old file is unchanged.");
            }
        }
        if (length != m_written || fingerprint.value() != m_fingerprint.value()) return differs(length);
        return std::nullopt;
    }

    std::optional<Refusal> moveTo(const fs::path& target) {
        if (io::calls::rename(m_path.c_str(), target.c_str()) != 0) {
            return io::refuse("IO-15", shown(target) + ": cannot be put in place: " + std::strerror(errno),
                              "The old file is unchanged. Save under another name or in another folder.");
        }
        m_path.clear();
        return std::nullopt;
    }

    std::uint64_t written() const { return m_written; }
    std::uint64_t fingerprint() const { return m_fingerprint.value(); }

private:
    Refusal refuseToCreate(const fs::path& target, int error) const {
        const std::string name = shown(target);
        const std::string amounts = freeSpaceWords(m_expected, freeSpace(m_folder));
        if (error == EACCES || error == EROFS || error == EPERM) {
            return io::refuse("IO-10", name + ": the folder is read-only (" + amounts + ")",
                              "Nothing was changed. Save in a folder where you may write.");
        }
        if (error == ENOSPC || error == EDQUOT) return refuseSpace(m_expected);
        // /proc and its like are there and can be written to, and still have no room for a file of ours.
        const bool noFiles = error == ENOENT || error == EOPNOTSUPP || error == EINVAL;
        return io::refuse(
            "IO-10",
            name + (noFiles ? ": this folder takes no new files: " : ": cannot create a file in its folder: ") +
                std::strerror(error) + " (" + amounts + ")",
            "Nothing was changed. Save in another folder.");
    }

    Refusal refuseSpace(std::uint64_t needed) const {
        const std::optional<std::uint64_t> free = freeSpace(m_folder);
        return io::refuseAmount("IO-11", "The disk is full: the file " + freeSpaceWords(needed, free),
                                "The old file is unchanged. Free some space or save somewhere else.", needed,
                                free.value_or(0));
    }

    Refusal refuseWrite(int error) const {
        if (error == ENOSPC || error == EDQUOT) return refuseSpace(std::max(m_expected, m_written + 1));
        return io::refuseAmount("IO-12", "Writing failed after " + bytesText(m_written) + ": " + std::strerror(error),
                                "The old file is unchanged. Save somewhere else.", m_expected, m_written);
    }

    Refusal refuseSync(int error) const {
        if (error == ENOSPC || error == EDQUOT) return refuseSpace(std::max(m_expected, m_written));
        return io::refuse("IO-13", std::string("The disk did not take the file: ") + std::strerror(error),
                          "The old file is unchanged. Save somewhere else.");
    }

    fs::path m_folder, m_path;
    std::uint64_t m_expected = 0, m_written = 0;
    Fingerprint m_fingerprint;
    int m_descriptor = -1;
};

class FileSink final : public ByteSink {
public:
    FileSink(NewFile& file, const SaveOptions& options) : m_file(file), m_options(options) {}

    bool write(std::span<const std::byte> bytes) override {
        while (!bytes.empty() && !m_failure) {
            const std::size_t count = std::min(bytes.size(), kBlock);
            m_failure = m_file.write(bytes.first(count));
            bytes = bytes.subspan(count);
            const std::uint64_t done = m_file.written();
            const std::uint64_t total = std::max(done, m_options.expectedBytes.value_or(done));
            if (!m_failure && m_options.progress && !m_options.progress(done, 2 * total)) {
                m_failure = io::refuse("IO-08", "Saving was cancelled", "The old file is unchanged.");
            }
        }
        return !m_failure;
    }

    std::optional<Refusal> takeFailure() { return std::move(m_failure); }

private:
    NewFile& m_file;
    const SaveOptions& m_options;
    std::optional<Refusal> m_failure;
};

/// Follows symbolic links, so that the link stays and the file behind it is replaced.
Result<fs::path> resolveTarget(const fs::path& path) {
    fs::path target = path;
    for (int links = 0; links < 40; ++links) {
        std::error_code error;
        const fs::path to = fs::read_symlink(target, error);
        if (error) return target;
        target = to.is_absolute() ? to : target.parent_path() / to;
    }
    return io::refuse("IO-04", shown(path) + ": symbolic links go round in a circle", "Save under another name.");
}

bool syncFolder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool synced = io::calls::fsync(descriptor) == 0;
    ::close(descriptor);
    return synced;
}

Result<SavedFile> save(const fs::path& path, const std::function<std::optional<Refusal>(ByteSink&)>& produce,
                       const SaveOptions& options) {
    Result<fs::path> resolved = resolveTarget(path);
    if (!resolved) return resolved.takeRefusal();
    const fs::path target = *resolved;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");

    struct stat old;
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (!exists && errno == ENAMETOOLONG) {
        return io::refuseAmount(
            "IO-16", "The name is too long: " + std::to_string(target.filename().string().size()) + " bytes, limit 255",
            "Choose a shorter name.", target.filename().string().size(), 255);
    }
    if (exists && !S_ISREG(old.st_mode)) {
        return io::refuse("IO-16",
                          shown(target) +
                              (S_ISDIR(old.st_mode) ? ": there is a folder of this name" : ": not a regular file"),
                          "Choose another name.");
    }
    struct stat folderStatus;
    if (::stat(folder.c_str(), &folderStatus) != 0 || !S_ISDIR(folderStatus.st_mode)) {
        return io::refuse("IO-02", "No such folder: " + sanitiseForDisplay(folder.string(), 100),
                          "It may have been moved or its disk unplugged. Save in another folder.");
    }
    const std::uint64_t expected = options.expectedBytes.value_or(0);
    const bool writable = ::access(folder.c_str(), W_OK) == 0; // else create() says why, which is not the space
    if (const std::optional<std::uint64_t> free = freeSpace(folder); writable && free && expected > *free) {
        return io::refuseAmount("IO-11", "The disk is full: the file " + freeSpaceWords(expected, free),
                                "Nothing was changed. Free some space or save somewhere else.", expected, *free);
    }

    NewFile file(folder, expected);
    if (auto refusal = file.create(target, exists ? &old : nullptr)) return std::move(*refusal);
    FileSink sink(file, options);
    std::optional<Refusal> fromProducer = produce(sink);
    if (auto refusal = sink.takeFailure()) return std::move(*refusal);
    if (fromProducer) return std::move(*fromProducer);
    if (auto refusal = file.finish()) return std::move(*refusal);
    if (auto refusal = file.verify(options.progress)) return std::move(*refusal);
    SavedFile saved{target, file.written(), file.fingerprint(), true}; // nothing may fail after the renaming
    if (auto refusal = file.moveTo(target)) return std::move(*refusal);
    saved.durable = syncFolder(folder);
    return saved;
}

} // namespace

Result<SavedFile> saveAtomically(const fs::path& path, const std::function<std::optional<Refusal>(ByteSink&)>& produce,
                                 const SaveOptions& options) {
    return io::withMemoryRefused("Saving", [&] { return save(path, produce, options); });
}

Result<SavedFile> saveAtomically(const fs::path& path, std::span<const std::byte> bytes, const SaveOptions& options) {
    SaveOptions withSize = options;
    withSize.expectedBytes = bytes.size();
    return saveAtomically(
        path,
        [bytes](ByteSink& sink) -> std::optional<Refusal> {
            sink.write(bytes);
            return std::nullopt;
        },
        withSize);
}

void Fingerprint::mix(std::uint64_t word) {
    m_state = std::rotl(m_state ^ (word * 0x9FB21C651E98DF25u), 29) * 0xD6E8FEB86659FD93u;
}

void Fingerprint::add(std::span<const std::byte> bytes) {
    std::size_t i = 0;
    while (i < bytes.size() && m_length % 8 != 0) {
        m_pending[m_length++ % 8] = bytes[i++];
        if (m_length % 8 == 0) {
            std::uint64_t word;
            std::memcpy(&word, m_pending, 8);
            mix(word);
        }
    }
    for (; i + 8 <= bytes.size(); i += 8, m_length += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + i, 8);
        mix(word);
    }
    while (i < bytes.size()) m_pending[m_length++ % 8] = bytes[i++];
}

std::uint64_t Fingerprint::value() const {
    Fingerprint last = *this;
    std::uint64_t word = 0;
    std::memcpy(&word, m_pending, m_length % 8);
    last.mix(word);
    last.mix(m_length);
    return last.m_state ^ (last.m_state >> 32);
}

} // namespace stridescope
